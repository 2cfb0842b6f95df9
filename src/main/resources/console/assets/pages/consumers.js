// SPDX-License-Identifier: Apache-2.0
// Who reads the topic, how far everybody has come, and how much is behind them.
import * as format from '../format.js';
import {get, path, remove} from '../api.js';
import {fill, h} from '../dom.js';
import {readTopic, topicFrame} from '../topic-frame.js';
import {button, card, confirmByName, empty, field, form, input, pill, table} from '../ui.js';
import {OFFSET_POLICIES, spaced} from '../words.js';

export async function consumersPage({params, signal, again}) {
  const frame = await readTopic(params, signal);
  const [listed, groups] = await Promise.all([get(`${frame.at}/consumers`, {signal}), get(`${frame.at}/consumer-groups`, {signal})]);
  const names = new Map(groups.map((g) => [g.id, g.name]));
  const policy = frame.topic.options.consumer_offset_durability?.value;
  return {
    title: `Consumers of ${frame.topic.name}`,
    node: topicFrame(frame, '/consumers', [
      h('p', {class: 'hint'}, `Stored offsets are ${policy}. ${OFFSET_POLICIES[policy]?.text ?? ''}`),
      listed.consumers.length === 0
        ? empty('No stored offsets', 'A consumer shows up here when it stores how far it has come.')
        : card('Stored offsets', list(frame, listed.consumers, names, again), listed.more && h('p', {class: 'hint'}, 'There are more than can be listed.')),
      h('div', {class: 'narrow'}, card('Find a consumer by name', finder(frame))),
    ]),
  };
}

function list(frame, consumers, names, again) {
  return table(
    'Stored offsets',
    [
      ['Consumer', (c) => [h('span', {class: 'strong verbatim'}, c.consumer_kind === 'consumer_group' ? (names.get(c.consumer_id) ?? String(c.consumer_id)) : String(c.consumer_id)), h('span', {class: 'quiet'}, ` ${spaced(c.consumer_kind)}`)]],
      ['Partition', (c) => String(c.partition_id), {number: true}],
      ['Stored offset', (c) => format.count(c.stored_offset), {number: true}],
      ['Newest', (c) => format.count(c.current_offset), {number: true}],
      ['Lag', (c) => (String(c.lag) === '0' ? pill('none', 'good') : format.count(c.lag)), {number: true}],
      ['', (c) => h('span', {class: 'row-actions'}, h('a', {class: 'button small', href: `#${frame.at}/messages?partition=${c.partition_id}&from=offset&value=${BigInt(c.stored_offset) + 1n}`}, 'Next messages'), button('Forget', () => forget(frame, c, again), {kind: 'small', 'aria-label': `Forget the offset of ${c.consumer_id} in partition ${c.partition_id}`})), {number: true}],
    ],
    consumers,
  );
}

function forget(frame, c, again) {
  confirmByName({
    title: 'Forget a stored offset',
    text: `Consumer ${c.consumer_id} begins at the first message of partition ${c.partition_id} again when it asks for the next one.`,
    name: String(c.consumer_id),
    verb: 'Forget',
    act: async () => {
      await remove(`${frame.at}${path`/consumer-offsets/${c.consumer_id}?consumer_kind=`}${c.consumer_kind}&partition_id=${c.partition_id}`);
      again();
    },
  });
}

/** Names are stored as the numbers they hash to, so a name is asked for. */
function finder(frame) {
  const found = h('div', {'aria-live': 'polite'});
  return [
    form(
      [field('Name or number', input('consumer', {required: true}), 'The server keeps a name as the number it hashes to; this finds it.')],
      'Find',
      async ({consumer}) => {
        const asked = frame.topic.partitions.map(async (p) => {
          const query = new URLSearchParams({consumer_id: consumer, partition_id: p.id});
          return get(`${frame.at}/consumer-offsets?${query}`).catch((e) => {
            if (e.status === 404) {
              return null;
            }
            throw e;
          });
        });
        const positions = (await Promise.all(asked)).filter(Boolean);
        fill(
          found,
          positions.length === 0
            ? h('p', {class: 'hint'}, `${consumer} has stored nothing here.`)
            : table(
                `Offsets of ${consumer}`,
                [
                  ['Partition', (p) => String(p.partition_id), {number: true}],
                  ['Stored offset', (p) => format.count(p.stored_offset), {number: true}],
                  ['Lag', (p) => format.count(BigInt(p.current_offset) - BigInt(p.stored_offset)), {number: true}],
                ],
                positions,
              ),
        );
      },
      {label: 'Find a consumer'},
    ),
    found,
  ];
}
