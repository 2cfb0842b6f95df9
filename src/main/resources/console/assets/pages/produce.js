// SPDX-License-Identifier: Apache-2.0
// Sends one message and shows its receipt: what the acknowledgement proves.
import * as bytes from '../bytes.js';
import * as format from '../format.js';
import {call} from '../api.js';
import {fill, h} from '../dom.js';
import {ICONS} from '../icons.js';
import {partitionOptions, readTopic, topicFrame} from '../topic-frame.js';
import {button, card, choice, empty, facts, field, form, input, pill, select} from '../ui.js';
import {POLICIES, STORED_IN, spaced} from '../words.js';

const READERS = {
  text: (text) => bytes.utf8(text),
  hex: (text) => bytes.fromHex(text),
  base64: (text) => {
    try {
      return bytes.fromBase64(text.trim());
    } catch {
      return null;
    }
  },
};

export async function producePage({params, signal}) {
  const frame = await readTopic(params, signal);
  const receipt = h('div', {'aria-live': 'polite'});
  const content = frame.topic.partitions.length === 0 ? empty('No partitions', 'Add a partition first.') : h('div', {class: 'columns wide-first'}, card('Message', produceForm(frame, receipt)), receipt);
  fill(receipt, card('Receipt', h('p', {class: 'hint'}, 'Send a message: what its acknowledgement has survived is shown here.')));
  return {title: `Produce to ${frame.topic.name}`, node: topicFrame(frame, '/produce', content)};
}

function levels(frame) {
  const own = frame.topic.options.durability.value;
  const topic = {title: `what the topic promises (${own})`, text: frame.inCluster ? POLICIES[own].cluster : POLICIES[own].text};
  return {
    topic,
    ...(own === 'persisted' ? {} : {persisted: {title: 'persisted, for this message', text: 'Asks for more than the topic promises: the answer comes when this message is on stable storage.'}}),
    none: {title: 'no acknowledgement', text: 'The answer comes at once and proves nothing; the message is still appended in order.'},
  };
}

function produceForm(frame, receipt) {
  const headers = h('div', {class: 'header-rows'});
  const key = input('key', {placeholder: 'any text'});
  const partition = select('partition', partitionOptions(frame.topic), '0');
  const kind = select('kind', [['partition_id', 'this partition'], ['balanced', 'one after the other'], ['messages_key', 'by key']], 'partition_id');
  const partitionField = field('Partition', partition);
  const keyField = field('Key', key, 'Messages with the same key go to the same partition.');
  const adapt = () => {
    partitionField.hidden = kind.value !== 'partition_id';
    keyField.hidden = kind.value !== 'messages_key';
  };
  kind.addEventListener('change', adapt);
  adapt();
  return form(
    [
      field('Payload', h('textarea', {name: 'payload', rows: 6, required: true, spellcheck: 'false'})),
      h('div', {class: 'row'}, field('Payload is', select('as', [['text', 'text (UTF-8)'], ['hex', 'hex'], ['base64', 'base64']], 'text')), field('To', kind), partitionField, keyField),
      choice('Wait until it is', 'level', levels(frame), 'topic'),
      h(
        'details',
        {},
        h('summary', {}, 'Id and headers'),
        field('Message id', input('id', {placeholder: 'chosen by the server'}), 'A decimal number below 2^128, or a UUID; for those who look for duplicates.'),
        headers,
        button('Add a header', () => headers.append(headerRow()), {picture: ICONS.plus, kind: 'small'}),
      ),
    ],
    'Send',
    (values) => send(frame, values, headers, receipt),
    {label: 'Message'},
  );
}

function headerRow() {
  const row = h('div', {class: 'row header-row'}, field('Key', input('header-key', {required: true})), field('Value', input('header-value', {required: true})));
  row.append(button('Remove', () => row.remove(), {kind: 'small', picture: ICONS.cross}));
  return row;
}

function partitioning({kind, partition, key}) {
  switch (kind) {
    case 'partition_id': {
      const value = new Uint8Array(4);
      new DataView(value.buffer).setUint32(0, Number(partition), true);
      return {kind, value: bytes.toBase64(value)};
    }
    case 'messages_key':
      return {kind, value: bytes.toBase64(bytes.utf8(key))};
    default:
      return {kind, value: ''};
  }
}

const textHeader = (text) => ({kind: 'string', value: bytes.toBase64(bytes.utf8(text))});

async function send(frame, values, headers, receipt) {
  const payload = READERS[values.as](values.payload);
  if (payload === null) {
    throw new Error(`The payload is no ${values.as}.`);
  }
  const rows = [...headers.children].map((row) => [...row.querySelectorAll('input')].map((i) => i.value));
  const message = {
    id: values.id.trim() === '' ? undefined : values.id.trim(),
    payload: bytes.toBase64(payload),
    user_headers: rows.length === 0 ? undefined : rows.map(([k, v]) => ({key: textHeader(k), value: textHeader(v)})),
  };
  const began = performance.now();
  const reply = await call('POST', `${frame.at}/messages${values.level === 'none' ? '?ack=none' : ''}`, {
    body: {partitioning: partitioning(values), messages: [message]},
    headers: values.level === 'persisted' ? {'Keptlog-Durability': 'persisted'} : {},
  });
  fill(receipt, shown(frame, reply, (performance.now() - began) / 1000));
}

function shown(frame, reply, seconds) {
  const proof = reply.data?.confirmations?.[0];
  if (!proof) {
    return card('Receipt', h('p', {}, pill('not acknowledged', 'warn')), h('p', {class: 'hint'}, `The server took it after ${format.latency(seconds)} and promises nothing.`));
  }
  const tone = proof.stored_in === 'page_cache' ? 'plain' : 'good';
  return card(
    'Receipt',
    h('p', {class: 'receipt-head'}, pill(proof.durability, proof.durability === 'persisted' ? 'good' : 'plain'), ' ', pill(spaced(proof.stored_in), tone), h('span', {class: 'hint'}, ` after ${format.latency(seconds)}, as seen from here`)),
    h('p', {}, STORED_IN[proof.stored_in] ?? ''),
    facts([
      ['Partition', String(proof.partition_id)],
      ['Offset', h('span', {class: 'verbatim', data: {name: 'offset'}}, format.count(proof.base_offset))],
      ['Copies proven', format.count(proof.copies)],
      ['Start of the server (epoch)', format.count(proof.epoch)],
      ['On stable storage below', format.count(proof.persisted_end_offset)],
      proof.ledger_id !== undefined && ['Ledger and entry', `${format.count(proof.ledger_id)} : ${format.count(proof.entry_id)}`],
    ]),
    h('p', {}, h('a', {class: 'strong', href: `#${frame.at}/messages?partition=${proof.partition_id}&from=offset&value=${proof.base_offset}`}, 'Look at the message')),
    h('details', {}, h('summary', {}, 'As the server answered'), h('pre', {class: 'payload', tabindex: '0', 'aria-label': 'Answer', role: 'region'}, JSON.stringify(proof, null, 2))),
  );
}
