// SPDX-License-Identifier: Apache-2.0
// The brokers that serve and the bookies that keep.
import {get} from '../api.js';
import {h} from '../dom.js';
import {nodes} from '../server.js';
import {card, heading, pill, table} from '../ui.js';
import {spaced} from '../words.js';

const SYNCS = {
  synced: {text: 'synced', tone: 'good'},
  not_synced: {text: 'not synced', tone: 'bad'},
  unverified: {text: 'unverified', tone: 'warn'},
};
const KNOWN = ['id', 'writable', 'journal_sync'];

export async function clusterPage({signal}) {
  const [brokers, bookies] = await Promise.all([nodes(), get('/bookies', {signal})]);
  return {title: 'Cluster', node: h('div', {}, heading('Cluster', {note: 'Brokers own partitions and take requests; bookies keep the messages.'}), brokerCard(brokers), bookieCard(bookies))};
}

function brokerCard({nodes: list}) {
  return card(
    'Brokers',
    table(
      'Brokers',
      [
        ['Name', (n) => h('span', {class: 'strong'}, n.name)],
        ['Address', (n) => h('span', {class: 'verbatim'}, `${n.ip}:${n.endpoints.http}`)],
        ['Status', (n) => pill(n.status, n.status === 'healthy' ? 'good' : 'warn')],
        ['', (n) => (n.role === 'leader' ? h('span', {class: 'quiet'}, 'this one answers you') : '')],
      ],
      list,
    ),
  );
}

/** What the server tells of a bookie beyond the columns is listed by its own name. */
function more(bookie) {
  const rest = Object.entries(bookie).filter(([k, v]) => !KNOWN.includes(k) && v !== null && typeof v !== 'object');
  return rest.length === 0 ? '–' : h('ul', {class: 'plain'}, rest.map(([k, v]) => h('li', {}, `${spaced(k)}: ${v}`)));
}

function bookieCard(bookies) {
  const columns = [
    ['Bookie', (b) => h('span', {class: 'verbatim strong'}, b.id)],
    ['New ledgers', (b) => (b.writable ? pill('takes them', 'good') : pill('read only', 'warn'))],
    ['Journal', (b) => pill(SYNCS[b.journal_sync]?.text ?? b.journal_sync, SYNCS[b.journal_sync]?.tone)],
  ];
  if (bookies.some((b) => Object.keys(b).some((k) => !KNOWN.includes(k)))) {
    columns.push(['More', more]);
  }
  return card(
    'Bookies',
    table('Bookies', columns, bookies),
    h('p', {class: 'hint'}, 'Only bookies known to sync their journal are given messages of persisted topics.'),
  );
}
