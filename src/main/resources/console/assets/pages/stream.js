// SPDX-License-Identifier: Apache-2.0
// One stream: its topics, and the form that makes one.
import * as format from '../format.js';
import {get, path, post, remove} from '../api.js';
import {h} from '../dom.js';
import {ICONS} from '../icons.js';
import {go} from '../router.js';
import {clustered, optionsOfTopics} from '../server.js';
import {button, card, choice, confirmByName, dialog, empty, facts, field, form, heading, input, notice, pill, select, table} from '../ui.js';
import {OFFSET_POLICIES, POLICIES, STREAM_OPTIONS, TOPIC_OPTIONS, spaced} from '../words.js';

const PARTITIONS_DEFAULT = 1;
/** In the form by themselves; the others are below "More options". */
const FIRST = ['message_expiry', 'max_topic_size'];
const POLICY_KEYS = ['durability', 'consumer_offset_durability'];

export async function streamPage({params, signal, again}) {
  const stream = await get(path`/streams/${params.stream}`, {signal});
  const create = () => button('Create topic', () => createTopic(stream), {kind: 'primary', picture: ICONS.plus});
  const topics =
    stream.topics.length === 0
      ? empty('No topics yet', 'A topic is a log in one or more partitions. What its acknowledgements mean is chosen when it is made.', create())
      : card(null, topicTable(stream));
  return {
    title: stream.name,
    node: h(
      'div',
      {},
      heading(stream.name, {
        crumbs: [['Streams', '#/streams']],
        actions: [stream.topics.length > 0 && create(), purgeButton(stream, again), deleteButton(stream)],
        note: `Stream ${stream.id} · ${format.plural(stream.messages_count, 'message')} · ${stream.size}`,
      }),
      (stream.warnings ?? []).map((w) => h('p', {class: 'reason'}, w.text ?? w.reason ?? w.description ?? spaced(w.code ?? w))),
      topics,
      Object.keys(stream.options ?? {}).length > 0 && card('Quorums', facts(Object.entries(stream.options).map(([k, o]) => [STREAM_OPTIONS[k]?.label ?? k, o.value]))),
    ),
  };
}

function topicTable(stream) {
  return table(
    'Topics',
    [
      ['Name', (t) => h('a', {class: 'strong', href: `#/streams/${stream.id}/topics/${t.id}`}, t.name)],
      ['Durability', (t) => policy(t.options.durability?.value)],
      ['Partitions', (t) => format.count(t.partitions_count), {number: true}],
      ['Messages', (t) => format.count(t.messages_count), {number: true}],
      ['Size', (t) => t.size, {number: true}],
      ['Kept for', (t) => format.expiry(t.message_expiry)],
    ],
    stream.topics,
  );
}

function policy(level) {
  return h('span', {title: POLICIES[level]?.text}, pill(level ?? '–', level === 'persisted' ? 'good' : 'plain'));
}

function purgeButton(stream, again) {
  return button('Purge', () =>
    confirmByName({
      title: 'Purge the stream',
      text: 'Every message in every topic of this stream goes, and stored offsets with them. The topics stay.',
      name: stream.name,
      verb: 'Purge',
      act: async () => {
        await remove(path`/streams/${stream.id}/purge`);
        notice('The stream was purged.');
        again();
      },
    }),
  );
}

function deleteButton(stream) {
  return button(
    'Delete',
    () =>
      confirmByName({
        title: 'Delete the stream',
        text: `The stream, its ${format.plural(stream.topics_count, 'topic')} and all their messages go. There is no way back.`,
        name: stream.name,
        verb: 'Delete',
        act: async () => {
          await remove(path`/streams/${stream.id}`);
          notice('The stream was deleted.');
          go('/streams');
        },
      }),
    {kind: 'danger-quiet', picture: ICONS.trash},
  );
}

async function createTopic(stream) {
  const [options, inCluster] = await Promise.all([optionsOfTopics(), clustered()]);
  const policies = Object.fromEntries(Object.entries(POLICIES).map(([k, p]) => [k, {title: p.title, text: inCluster ? p.cluster : p.text}]));
  const others = options.filter((o) => !POLICY_KEYS.includes(o.key));
  dialog('Create a topic', (close) =>
    form(
      [
        field('Name', input('name', {required: true}), '1 to 255 bytes, unique in its stream.'),
        field('Partitions', input('partitions_count', {required: true, type: 'number', min: 0, max: 1000, value: PARTITIONS_DEFAULT}), 'Order is kept within a partition; more of them can be added later.'),
        choice('What does the success of a write mean?', 'durability', policies, 'replicated'),
        choice('And of a stored consumer offset?', 'consumer_offset_durability', OFFSET_POLICIES, 'replicated'),
        others.filter((o) => FIRST.includes(o.key)).map(optionField),
        h('details', {}, h('summary', {}, 'More options'), others.filter((o) => !FIRST.includes(o.key)).map(optionField)),
      ],
      'Create',
      async (values) => {
        const named = others.map((o) => [o.key, values[`option.${o.key}`].trim()]).filter(([, v]) => v !== '');
        const topic = await post(path`/streams/${stream.id}/topics`, {
          name: values.name,
          partitions_count: Number(values.partitions_count),
          compression_algorithm: 'none',
          message_expiry: 0,
          max_topic_size: 0,
          options: {durability: values.durability, consumer_offset_durability: values.consumer_offset_durability, ...Object.fromEntries(named)},
        });
        close();
        notice(`Topic ${topic.name} was created.`);
        go(`/streams/${stream.id}/topics/${topic.id}`);
      },
      {extra: [button('Cancel', close)], label: 'Create a topic'},
    ),
  );
}

/** Numbers come as little-endian bytes. */
function serverDefault({key, default_value: bytes}) {
  const value = bytes.reduceRight((n, byte) => (n << 8n) | BigInt(byte), 0n);
  return key.includes('size') ? format.bytes(value) : format.count(value);
}

/** Explained by the server's own sentence where there is no other. */
function optionField(option) {
  const words = TOPIC_OPTIONS[option.key] ?? {};
  const name = `option.${option.key}`;
  const values = {bool: [['', 'no'], ['true', 'yes']], compression_algorithm: [['', 'none'], ['gzip', 'gzip']]};
  const choices = values[option.key] ?? values[option.kind];
  const control = choices ? select(name, choices, '') : input(name, {placeholder: words.placeholder ?? serverDefault(option)});
  return field(words.label ?? spaced(option.key), control, words.hint ?? option.description);
}
