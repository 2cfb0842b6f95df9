// SPDX-License-Identifier: Apache-2.0
// One topic: what each failure would do to it right now, its partitions, its options.
import * as format from '../format.js';
import {get, path, post, put, remove} from '../api.js';
import {fill, h} from '../dom.js';
import {ICONS} from '../icons.js';
import {go} from '../router.js';
import {readTopic, topicFrame} from '../topic-frame.js';
import {attempt, button, card, confirmByName, dialog, empty, errorBox, facts, field, form, input, notice, pill, table} from '../ui.js';
import {DISK, OFFSET_POLICIES, POLICIES, STATES, TOPIC_OPTIONS, VERDICTS, failure, spaced} from '../words.js';

const EXPLAIN_EVERY_MILLIS = 3_000;

export async function topicPage({params, signal, again}) {
  const frame = await readTopic(params, signal);
  const live = h('div', {});
  const node = topicFrame(frame, '', [live, options(frame)], actions(frame, again));
  await showLive(live, frame, signal, again);
  watch(live, frame, signal, again);
  return {title: frame.topic.name, node};
}

/** What is at risk changes by the second. */
async function watch(live, frame, signal, again) {
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, EXPLAIN_EVERY_MILLIS));
    // Whoever is at a button in there keeps it.
    if (!signal.aborted && !document.hidden && !live.contains(document.activeElement)) {
      await showLive(live, frame, signal, again);
    }
  }
}

async function showLive(live, frame, signal, again) {
  try {
    const [explained, topic] = await Promise.all([get(`${frame.at}/durability`, {signal}), get(frame.at, {signal})]);
    if (!signal.aborted) {
      fill(live, explain(explained, frame.inCluster), partitions(frame, topic, explained, again));
    }
  } catch (e) {
    if (!signal.aborted) {
      fill(live, errorBox(e));
    }
  }
}

function explain(explained, inCluster) {
  const policy = POLICIES[explained.durability];
  const device = explained.device && (DISK[explained.device.verdict] ?? {text: explained.device.verdict, tone: 'plain'});
  return card(
    'If this happened now',
    h('p', {class: 'hint'}, inCluster ? policy?.cluster : policy?.text),
    h('ul', {class: 'failures'}, explained.failures.map(failureCard)),
    device && device.tone !== 'good' && h('p', {class: 'reason'}, 'The disk is ', pill(device.text, device.tone), ` ${explained.device.doubts.map(spaced).join(', ')}. It may not keep what it calls synced.`),
  );
}

function failureCard({failure: code, verdict, at_risk: risk}) {
  const [name, what] = failure(code);
  const {text, tone} = VERDICTS[verdict] ?? {text: verdict, tone: 'plain'};
  const nothing = Number(risk.messages) === 0 && Number(risk.bytes) === 0;
  const amount = `${format.plural(risk.messages, 'message')}, ${format.bytes(risk.bytes)}${Number(risk.age_millis) > 0 ? `, ${format.millis(risk.age_millis)} old` : ''}`;
  return h(
    'li',
    {class: `failure ${tone}`},
    h('div', {}, h('h3', {}, name), h('p', {class: 'hint'}, what)),
    h('div', {class: 'verdict'}, pill(text, tone), h('span', {class: 'hint'}, nothing ? (verdict === 'kept' ? 'everything acknowledged' : 'nothing right now') : amount)),
  );
}

function partitions(frame, topic, explained, again) {
  if (topic.partitions.length === 0) {
    return card('Partitions', empty('No partitions', 'Messages are kept in partitions: add some to produce.', button('Add partitions', () => addPartitions(frame, again), {kind: 'primary'})));
  }
  const states = new Map(explained.partitions.map((p) => [p.partition_id, p]));
  const of = (p) => states.get(p.id);
  return card(
    'Partitions',
    table(
      'Partitions',
      [
        ['Partition', (p) => h('a', {class: 'strong', href: `#${frame.at}/messages?partition=${p.id}`}, String(p.id))],
        ['State', (p) => state(of(p)?.state)],
        ['Messages', (p) => format.count(p.messages_count), {number: true}],
        ['End offset', (p) => format.count(of(p)?.end_offset ?? '–'), {number: true}],
        ['On stable storage below', (p) => format.count(of(p)?.persisted_end_offset ?? '–'), {number: true}],
        ['At risk', (p) => (of(p) ? `${format.plural(of(p).at_risk.messages, 'message')}` : '–'), {number: true}],
        ['Segments', (p) => format.count(p.segments_count), {number: true}],
        ['Size', (p) => p.size, {number: true}],
        ['', (p) => button('Persist now', () => flush(frame, p.id, again), {kind: 'small', 'aria-label': `Persist now: partition ${p.id}`}), {number: true}],
      ],
      topic.partitions,
    ),
    h('p', {class: 'hint'}, '“Persist now” is the barrier: it returns when everything appended so far is on stable storage, on topics of both policies.'),
  );
}

function state(code) {
  const known = STATES[code] ?? {text: code ?? '–', tone: 'plain'};
  return h('span', {title: known.why}, pill(known.text, known.tone), known.tone !== 'good' && known.why && h('span', {class: 'hint'}, ` ${known.why}`));
}

async function flush(frame, partition, again) {
  const reply = await attempt(() => post(`${frame.at}${path`/partitions/${partition}/flush`}`));
  if (reply) {
    notice(`Partition ${partition} is on stable storage below offset ${format.count(reply.persisted_end_offset)}.`);
    again();
  }
}

function options({topic}) {
  const values = topic.options;
  const known = {
    message_expiry: (v) => format.expiry(v),
    max_topic_size: (v) => format.limitBytes(v),
    segment_size: (v) => format.bytes(v),
    size_of_messages_required_to_save: (v) => format.bytes(v),
    messages_required_to_save: (v) => format.count(v),
  };
  const rest = Object.entries(values).filter(([key]) => key !== 'durability');
  const text = (key, option) => [known[key]?.(option.value) ?? option.value, option.explicit ? '' : h('span', {class: 'quiet'}, ' (default)')];
  return card(
    'Options',
    facts([
      ['Id', String(topic.id)],
      ['Created', format.time(topic.created_at)],
      ...rest.map(([key, option]) => [key === 'consumer_offset_durability' ? 'Stored consumer offsets' : (TOPIC_OPTIONS[key]?.label ?? spaced(key)), text(key, option)]),
    ]),
    h('p', {class: 'hint'}, `Stored consumer offsets: ${OFFSET_POLICIES[values.consumer_offset_durability?.value]?.text ?? ''} Both policies are chosen at creation and never change.`),
  );
}

function actions(frame, again) {
  const {topic, at} = frame;
  return [
    button('Edit', () => edit(frame, again)),
    button('Add partitions', () => addPartitions(frame, again)),
    button('Purge', () =>
      confirmByName({
        title: 'Purge the topic',
        text: `Its ${format.plural(topic.messages_count, 'message')} go, and stored offsets with them. The topic stays.`,
        name: topic.name,
        verb: 'Purge',
        act: async () => {
          await remove(`${at}/purge`);
          notice('The topic was purged.');
          again();
        },
      }),
    ),
    button(
      'Delete',
      () =>
        confirmByName({
          title: 'Delete the topic',
          text: `The topic and its ${format.plural(topic.messages_count, 'message')} go. There is no way back.`,
          name: topic.name,
          verb: 'Delete',
          act: async () => {
            await remove(at);
            notice('The topic was deleted.');
            go(`/streams/${frame.stream.id}`);
          },
        }),
      {kind: 'danger-quiet', picture: ICONS.trash},
    ),
  ];
}

function addPartitions({at}, again) {
  dialog('Add partitions', (close) =>
    form(
      [
        field('How many', input('partitions_count', {type: 'number', min: 1, max: 1000, value: 1, required: true}), 'Keys are spread over all partitions: with more of them, a key may go to another partition than before.'),
      ],
      'Add',
      async (values) => {
        await post(`${at}/partitions`, {partitions_count: Number(values.partitions_count)});
        close();
        notice('Partitions were added.');
        again();
      },
      {extra: [button('Cancel', close)], label: 'Add partitions'},
    ),
  );
}

function edit({topic, at}, again) {
  const expiry = format.expiry(topic.message_expiry);
  const size = format.limitBytes(topic.max_topic_size);
  dialog('Edit the topic', (close) =>
    form(
      [
        field('Name', input('name', {required: true, value: topic.name})),
        field('Message expiry', input('message_expiry', {placeholder: expiry}), `Now ${expiry}. Empty leaves it; "7 days", "12 hours" or "never" changes it.`),
        field('Maximum size', input('max_topic_size', {placeholder: size}), `Now ${size}. Empty leaves it; "unlimited" removes it.`),
        h('p', {class: 'hint'}, 'Durability and the other options are chosen at creation and cannot be changed.'),
      ],
      'Save',
      async (values) => {
        const named = ['message_expiry', 'max_topic_size'].map((k) => [k, values[k].trim()]).filter(([, v]) => v !== '');
        await put(at, {name: values.name, ...(named.length > 0 ? {options: Object.fromEntries(named)} : {})});
        close();
        notice('The topic was changed.');
        again();
      },
      {extra: [button('Cancel', close)], label: 'Edit the topic'},
    ),
  );
}
