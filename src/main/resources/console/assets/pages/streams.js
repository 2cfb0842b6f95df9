// SPDX-License-Identifier: Apache-2.0
// All streams, and the form that makes one.
import * as format from '../format.js';
import {get, post} from '../api.js';
import {h} from '../dom.js';
import {ICONS} from '../icons.js';
import {go} from '../router.js';
import {clustered, optionsOfStreams} from '../server.js';
import {button, card, dialog, empty, field, form, heading, input, notice, select, table} from '../ui.js';
import {STREAM_OPTIONS} from '../words.js';

export async function streamsPage({signal}) {
  const streams = await get('/streams', {signal});
  const create = () => button('Create stream', createStream, {kind: 'primary', picture: ICONS.plus});
  const list =
    streams.length === 0
      ? empty('No streams yet', 'A stream is a name that topics are grouped under, and that permissions are given for.', create())
      : card(
          null,
          table(
            'Streams',
            [
              ['Name', (s) => h('a', {class: 'strong', href: `#/streams/${s.id}`}, s.name)],
              ['Id', (s) => String(s.id), {number: true}],
              ['Topics', (s) => format.count(s.topics_count), {number: true}],
              ['Messages', (s) => format.count(s.messages_count), {number: true}],
              ['Size', (s) => s.size, {number: true}],
              ['Created', (s) => format.time(s.created_at).slice(0, 16)],
            ],
            streams,
          ),
        );
  return {title: 'Streams', node: h('div', {}, heading('Streams', {actions: streams.length > 0 ? [create()] : []}), list)};
}

function optionControl(option) {
  const name = `option.${option.key}`;
  return option.kind === 'bool'
    ? select(name, [['', 'the server’s default'], ['true', 'yes'], ['false', 'no']], '')
    : input(name, {inputmode: 'numeric', placeholder: 'the server’s default'});
}

async function createStream() {
  const options = (await clustered()) ? await optionsOfStreams() : [];
  dialog('Create a stream', (close) =>
    form(
      [
        field('Name', input('name', {required: true}), '1 to 255 bytes. Topics belong to a stream; permissions can be given for it.'),
        options.map((o) => field(STREAM_OPTIONS[o.key]?.label ?? o.key, optionControl(o), STREAM_OPTIONS[o.key]?.hint ?? o.description)),
      ],
      'Create',
      async (values) => {
        const named = options.map((o) => [o.key, values[`option.${o.key}`].trim()]).filter(([, v]) => v !== '');
        const stream = await post('/streams', {name: values.name, ...(named.length > 0 ? {options: Object.fromEntries(named)} : {})});
        close();
        notice(`Stream ${stream.name} was created.`);
        go(`/streams/${stream.id}`);
      },
      {extra: [button('Cancel', close)], label: 'Create a stream'},
    ),
  );
}
