// SPDX-License-Identifier: Apache-2.0
// In a cluster: the ledgers of a partition, the bookies that keep them, and how many copies that is.
import * as format from '../format.js';
import {get, path} from '../api.js';
import {fill, h} from '../dom.js';
import {go} from '../router.js';
import {partitionOptions, readTopic, topicFrame} from '../topic-frame.js';
import {button, card, empty, errorBox, facts, field, pill, select, table} from '../ui.js';

const ENTRIES = 20;
const DEPTHS = {
  full: ['all copies', 'good'],
  below_write_quorum: ['fewer than intended', 'warn'],
  at_ack_quorum: ['only the proven ones', 'warn'],
  below_ack_quorum: ['fewer than proven', 'bad'],
  lost: ['lost', 'bad'],
};

export async function replicationPage({params, query, signal}) {
  const frame = await readTopic(params, signal);
  if (!frame.inCluster) {
    return {title: 'Copies', node: topicFrame(frame, '/replication', empty('One node', 'There is one copy, on this server’s disk.'))};
  }
  if (frame.topic.partitions.length === 0) {
    return {title: 'Copies', node: topicFrame(frame, '/replication', empty('No partitions', 'This topic has none, so it has no ledgers.'))};
  }
  const partition = query.get('partition') ?? String(frame.topic.partitions[0].id);
  const chooser = select('partition', partitionOptions(frame.topic), partition);
  chooser.addEventListener('change', () => go(`${frame.at}/replication?partition=${chooser.value}`));
  let content;
  try {
    const at = `${frame.at}${path`/partitions/${partition}/replication`}`;
    content = [copies(await get(`${at}?entries=${ENTRIES}`, {signal})), depthCard(at, signal)];
  } catch (e) {
    if (signal.aborted) {
      throw e;
    }
    content = errorBox(e);
  }
  return {title: `Copies of ${frame.topic.name}`, node: topicFrame(frame, '/replication', [h('div', {class: 'card controls'}, field('Partition', chooser)), content])};
}

const quorums = (p) => `E ${p.ensemble_size} / Qw ${p.write_quorum} / Qa ${p.ack_quorum}`;

function copies(reply) {
  return [
    card(
      'Policy for the next ledger',
      facts([
        ['Ensemble (E)', `${reply.policy.ensemble_size} bookies share the writing`],
        ['Write quorum (Qw)', `${reply.policy.write_quorum} copies are intended`],
        ['Ack quorum (Qa)', `${reply.policy.ack_quorum} copies are proven by an acknowledgement`],
      ]),
    ),
    reply.kept &&
      card(
        'Copies seen in the background',
        facts([
          ['Guaranteed', reply.kept.guaranteed ? 'what is missing is completed' : 'what is missing is only told'],
          ['Messages looked at', format.count(reply.kept.messages.audited)],
          ['With fewer than Qw copies', format.count(reply.kept.messages.below_write_quorum)],
          ['Of these, with Qa copies', format.count(reply.kept.messages.at_ack_quorum)],
          ['Of these, lost', format.count(reply.kept.messages.lost)],
        ]),
      ),
    card(
      'Ledgers',
      reply.ledgers.length === 0
        ? empty('No ledgers', 'Nothing was written yet.')
        : table(
            'Ledgers',
            [
              ['Ledger', (l) => h('span', {class: 'verbatim strong'}, String(l.ledger_id))],
              ['State', (l) => pill(l.open ? 'takes messages' : 'closed', l.open ? 'good' : 'plain')],
              ['Entries', (l) => format.count(l.entries), {number: true}],
              ['Made with', (l) => quorums(l.policy)],
              ['Bookies', (l) => h('ul', {class: 'plain'}, l.ensembles.map((e) => h('li', {}, h('span', {class: 'quiet'}, `from entry ${format.count(e.first_entry_id)}: `), h('span', {class: 'verbatim'}, e.bookies.join(', ')))))],
            ],
            reply.ledgers,
          ),
    ),
    reply.entries.length > 0 &&
      card(
        'Where entries are written',
        h('p', {class: 'hint'}, 'Entry e goes to Qw bookies of the ensemble, from index e mod E on. An entry is one batch.'),
        table(
          'Entries',
          [
            ['Ledger', (e) => h('span', {class: 'verbatim'}, String(e.ledger_id))],
            ['Entry', (e) => format.count(e.entry_id), {number: true}],
            ['Copies', (e) => format.count(e.bookies.length), {number: true}],
            ['Bookies', (e) => h('span', {class: 'verbatim'}, e.bookies.join(', '))],
          ],
          reply.entries,
        ),
      ),
  ];
}

/** Every bookie is asked only when somebody wants to know: it reads all the entries. */
function depthCard(at, signal) {
  const result = h('div', {class: 'depths', 'aria-live': 'polite'});
  const ranges = [];
  const ask = async (from) => {
    fill(result, h('p', {class: 'hint'}, 'Asking …'));
    try {
      const {depth} = await get(`${at}?entries=1&depth=true&depth_from=${encodeURIComponent(from)}`, {signal});
      ranges.push(...depth.ranges);
      fill(
        result,
        ranges.length === 0 ? empty('No messages', 'Nothing was written yet.') : rangeTable(ranges),
        depth.next && button('Go on', () => ask(depth.next), {kind: 'small'}),
      );
    } catch (e) {
      fill(result, errorBox(e));
    }
  };
  const begin = () => {
    ranges.length = 0;
    ask('0:0');
  };
  return card('Copies that there really are', h('p', {class: 'hint'}, 'Asks every bookie of every entry for its copy. Newest entries of an open ledger may not be judged yet.'), h('p', {}, button('Ask the bookies', begin)), result);
}

function rangeTable(ranges) {
  return table(
    'Copies by offsets',
    [
      ['Offsets', (r) => `${format.count(r.from_offset)} to ${format.count(BigInt(r.to_offset) - 1n)}`, {number: true}],
      ['Copies', (r) => format.count(r.copies.present), {number: true}],
      ['State', (r) => pill(DEPTHS[r.depth]?.[0] ?? r.depth, DEPTHS[r.depth]?.[1])],
      ['Ledger', (r) => h('span', {class: 'verbatim'}, String(r.ledger_id))],
      ['Without a good copy', (r) => (r.lacking.length === 0 ? 'no bookie' : h('ul', {class: 'plain'}, r.lacking.map((l) => h('li', {}, h('span', {class: 'verbatim'}, l.bookie), `: ${l.state}`))))],
    ],
    ranges,
  );
}
