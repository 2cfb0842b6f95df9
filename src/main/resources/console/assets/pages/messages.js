// SPDX-License-Identifier: Apache-2.0
// Looks at messages: from an offset, a time, the first or the last, or as they come. Reading here stores no offset.
import * as bytes from '../bytes.js';
import * as format from '../format.js';
import {get} from '../api.js';
import {follow} from '../live.js';
import {fill, h} from '../dom.js';
import {ICONS} from '../icons.js';
import {go} from '../router.js';
import {partitionOptions, readTopic, topicFrame} from '../topic-frame.js';
import {button, card, empty, errorBox, facts, field, form, input, pill, select} from '../ui.js';
import {GAP_REASONS} from '../words.js';

const STARTS = [
  ['last', 'the newest'],
  ['first', 'the oldest'],
  ['offset', 'an offset'],
  ['timestamp', 'a time (UTC)'],
];
const VIEWS = [
  ['text', 'Text'],
  ['json', 'JSON'],
  ['hex', 'Hex'],
];
const COUNTS = [10, 20, 50, 100, 200].map((n) => [n, `${n} messages`]);
const COUNT_DEFAULT = 20;
/** Followed messages that stay in the page; older ones are found by their offset. */
const FOLLOWED_MAX = 200;
/** Payloads beyond it are cut in the page, with a remark; the API has them whole. */
const SHOWN_BYTES = 64 * 1024;

export async function messagesPage({params, query, signal}) {
  const frame = await readTopic(params, signal);
  const wish = {
    partition: query.get('partition') ?? '0',
    from: query.get('from') ?? 'last',
    value: query.get('value') ?? '',
    count: Number(query.get('count') ?? COUNT_DEFAULT),
    as: query.get('as') ?? 'text',
    persisted: query.get('persisted') === 'true',
  };
  const content = frame.topic.partitions.length === 0 ? empty('No partitions', 'This topic has none, so it has no messages.') : [controls(frame, wish), following(frame, wish, signal), await result(frame, wish, signal)];
  return {title: `Messages of ${frame.topic.name}`, node: topicFrame(frame, '/messages', content)};
}

function address(frame, wish) {
  const query = new URLSearchParams({partition: wish.partition, from: wish.from, count: wish.count, as: wish.as});
  if (wish.value !== '') {
    query.set('value', wish.value);
  }
  if (wish.persisted) {
    query.set('persisted', 'true');
  }
  return `${frame.at}/messages?${query}`;
}

function controls(frame, wish) {
  const value = input('value', {value: wish.value, 'aria-label': 'Start at'});
  const from = select('from', STARTS, wish.from);
  const adapt = () => {
    const wanted = from.value === 'offset' || from.value === 'timestamp';
    value.parentElement.hidden = !wanted;
    value.placeholder = from.value === 'timestamp' ? '2026-11-30 10:00' : '0';
    value.inputMode = from.value === 'offset' ? 'numeric' : 'text';
  };
  from.addEventListener('change', () => {
    value.value = '';
    adapt();
  });
  const element = form(
    h(
      'div',
      {class: 'row'},
      field('Partition', select('partition', partitionOptions(frame.topic), wish.partition)),
      field('Start at', from),
      h('div', {class: 'field start'}, h('label', {htmlFor: 'start-value'}, 'Which'), value),
      field('Show', select('count', COUNTS, wish.count)),
      field('Payload as', select('as', VIEWS, wish.as)),
      h('label', {class: 'check'}, h('input', {type: 'checkbox', name: 'persisted', value: 'true', checked: wish.persisted}), 'Only what a power cut cannot take'),
    ),
    'Show',
    async (values) => {
      if (values.from === 'offset' && !/^\d{1,20}$/.test(values.value.trim())) {
        throw new Error('An offset is a whole number from 0.');
      }
      if (values.from === 'timestamp' && startMicros(values.value) === null) {
        throw new Error('A time looks like 2026-11-30 10:00:00.');
      }
      const next = address(frame, {...values, value: values.from === 'offset' || values.from === 'timestamp' ? values.value.trim() : '', persisted: values.persisted === 'true'});
      if (location.hash === `#${next}`) {
        dispatchEvent(new HashChangeEvent('hashchange'));
      } else {
        go(next);
      }
    },
    {label: 'Which messages'},
  );
  value.id = 'start-value';
  value.removeAttribute('aria-label');
  adapt();
  return h('section', {class: 'card controls', 'aria-label': 'Which messages'}, element);
}

/** What comes from now on, newest first, until somebody has seen enough or leaves the page. */
function following(frame, wish, left) {
  const state = h('span', {class: 'follow-state', role: 'status'});
  const items = h('ol', {class: 'messages', 'aria-label': 'New messages', reversed: true});
  const place = h('div', {class: 'followed'});
  let stop = null;
  const toggle = button('Follow live', () => (stop === null ? begin() : end(pill('stopped', 'plain'))), {kind: 'small', 'aria-pressed': 'false'});
  const show = (element) => {
    items.prepend(h('li', {}, element));
    while (items.childElementCount > FOLLOWED_MAX) {
      items.lastElementChild.remove();
    }
  };
  const end = (why) => {
    stop.abort();
    stop = null;
    toggle.textContent = 'Follow live';
    toggle.setAttribute('aria-pressed', 'false');
    fill(state, why);
  };
  const begin = () => {
    stop = new AbortController();
    toggle.textContent = 'Stop following';
    toggle.setAttribute('aria-pressed', 'true');
    fill(place, items);
    const query = new URLSearchParams({partition_id: wish.partition, kind: 'last', count: 0});
    if (wish.persisted) {
      query.set('visibility', 'persisted');
    }
    follow(frame.at, query, AbortSignal.any([left, stop.signal]), {
      message: (m) => show(message(m, wish)),
      gap: (gone) => show(gap(gone)),
      state: (text, tone) => fill(state, pill(text, tone)),
      ended: (error) => {
        fill(place, items, errorBox(error));
        end(pill('ended', 'warn'));
      },
    });
  };
  return h('section', {class: 'card follow', 'aria-label': 'New messages as they come'}, h('div', {class: 'follow-head'}, toggle, state), place);
}

/** A UTC time, or microseconds as they are. */
function startMicros(text) {
  const trimmed = text.trim();
  return /^\d{10,20}$/.test(trimmed) ? BigInt(trimmed) : format.microsOf(trimmed.replace(' ', 'T'));
}

async function result(frame, wish, signal) {
  const start = wish.from === 'timestamp' ? startMicros(wish.value) : wish.value;
  const query = new URLSearchParams({partition_id: wish.partition, kind: wish.from, count: wish.count});
  if (start !== '' && start !== null) {
    query.set('value', start);
  }
  if (wish.persisted) {
    query.set('visibility', 'persisted');
  }
  try {
    const polled = await get(`${frame.at}/messages?${query}`, {signal});
    return h('div', {}, gap(polled.gap), polled.messages.length === 0 ? nothing(polled, wish) : [list(frame, polled, wish), pager(frame, polled, wish)]);
  } catch (e) {
    if (signal.aborted) {
      throw e;
    }
    return errorBox(e);
  }
}

function nothing(polled, wish) {
  return wish.from === 'first' || wish.from === 'last'
    ? empty('No messages', 'This partition is empty.')
    : empty('No messages from there on', `The newest visible message has the offset ${format.count(polled.current_offset)}.`);
}

function gap(gone) {
  return gone && h('p', {class: 'reason'}, `Offsets ${format.count(gone.from_offset)} to ${format.count(BigInt(gone.to_offset) - 1n)} are gone: ${GAP_REASONS[gone.reason] ?? gone.reason}.`);
}

function list(frame, polled, wish) {
  return card(null, h('ol', {class: 'messages', 'aria-label': 'Messages'}, polled.messages.map((m) => h('li', {}, message(m, wish)))));
}

function message({header, payload, user_headers: headers}, wish) {
  const content = bytes.fromBase64(payload);
  const body = h('div', {class: 'message-body'});
  const details = h(
    'details',
    {class: 'message'},
    h(
      'summary',
      {},
      h('span', {class: 'offset verbatim'}, format.count(header.offset)),
      h('span', {class: 'preview verbatim'}, bytes.preview(content)),
      h('span', {class: 'when'}, format.time(header.timestamp).slice(0, 23)),
    ),
    body,
  );
  // Built when it is opened: a page of 200 stays light.
  details.addEventListener('toggle', () => {
    if (details.open && body.childElementCount === 0) {
      body.append(inside(header, content, headers, wish));
    }
  });
  return details;
}

function inside(header, content, headers, wish) {
  const cut = content.length > SHOWN_BYTES;
  const shown = bytes.view(cut ? content.subarray(0, SHOWN_BYTES) : content, wish.as);
  return h(
    'div',
    {},
    facts([
      ['Id', h('span', {class: 'verbatim', data: {name: 'id'}}, String(header.id))],
      ['Appended', format.time(header.timestamp)],
      String(header.origin_timestamp) !== '0' && ['Sent', format.time(header.origin_timestamp)],
      ['Checksum', h('span', {class: 'verbatim'}, String(header.checksum))],
      ['Payload', format.bytes(content.length)],
    ]),
    userHeaders(headers),
    shown.remark && h('p', {class: 'hint'}, shown.remark),
    cut && h('p', {class: 'hint'}, `The first ${format.bytes(SHOWN_BYTES)} of ${format.bytes(content.length)}.`),
    h('pre', {class: 'payload', tabindex: '0', 'aria-label': 'Payload', role: 'region'}, shown.text),
  );
}

function userHeaders(headers) {
  if (typeof headers === 'string') {
    return headers !== '' && facts([['Headers, raw', h('span', {class: 'verbatim'}, headers)]]);
  }
  return (
    headers?.length > 0 &&
    h('div', {}, h('h3', {}, 'Headers'), facts(headers.map(({key, value}) => [h('span', {class: 'verbatim'}, bytes.headerText(key)), [h('span', {class: 'verbatim'}, bytes.headerText(value)), h('span', {class: 'quiet'}, ` ${value.kind}`)]])))
  );
}

function pager(frame, polled, wish) {
  const first = BigInt(polled.messages[0].header.offset);
  const last = BigInt(polled.messages.at(-1).header.offset);
  const to = (offset) => () => go(address(frame, {...wish, from: 'offset', value: String(offset)}));
  const before = first > BigInt(wish.count) ? first - BigInt(wish.count) : 0n;
  return h(
    'nav',
    {class: 'pager', 'aria-label': 'Older and newer messages'},
    button('Older', to(before), {picture: ICONS.older, disabled: first === 0n}),
    h('span', {class: 'hint'}, `Offsets ${format.count(first)} to ${format.count(last)}, newest ${format.count(polled.current_offset)}`),
    button('Newer', to(last + 1n), {picture: ICONS.newer, disabled: last >= BigInt(polled.current_offset)}),
  );
}
