// SPDX-License-Identifier: Apache-2.0
// What a user may do everywhere, and how it is chosen. A wider permission includes the narrower.
import {h} from './dom.js';

export const EVERYWHERE = [
  ['manage_servers', 'Manage servers', 'resolve recovery reports, take snapshots'],
  ['read_servers', 'Read servers', 'overview, metrics, recovery reports'],
  ['manage_users', 'Manage users', 'make, change and delete users'],
  ['read_users', 'Read users', 'see users and what they may do'],
  ['manage_streams', 'Manage streams', 'make and delete streams; includes reading streams and managing topics'],
  ['read_streams', 'Read streams', 'see streams; includes reading topics'],
  ['manage_topics', 'Manage topics', 'make and delete topics; includes reading topics and sending messages'],
  ['read_topics', 'Read topics', 'see topics; includes polling messages'],
  ['poll_messages', 'Poll messages', 'read messages and store offsets'],
  ['send_messages', 'Send messages', 'produce'],
];

/** Check boxes, one for each permission. */
export function permissionBoxes(granted = {}) {
  return h(
    'fieldset',
    {class: 'choice'},
    h('legend', {}, 'May do everywhere'),
    EVERYWHERE.map(([key, title, text]) => h('label', {class: 'check'}, h('input', {type: 'checkbox', name: `may.${key}`, checked: granted?.[key] === true}), h('span', {}, title, h('span', {class: 'hint'}, `: ${text}`)))),
  );
}

/** What was chosen, for the API. Permissions for single streams stay as they are. */
export function chosen(values, before = null) {
  const global = Object.fromEntries(EVERYWHERE.map(([key]) => [key, values[`may.${key}`] !== undefined]));
  return {global, streams: before?.streams ?? null};
}

/** In words: everywhere, and for how many streams besides. */
export function inWords(permissions) {
  const everywhere = EVERYWHERE.filter(([key]) => permissions?.global?.[key] === true).map(([, title]) => title.toLowerCase());
  const streams = Object.keys(permissions?.streams ?? {});
  const parts = [everywhere.length === EVERYWHERE.length ? 'everything' : everywhere.join(', '), streams.length > 0 ? `more in the streams ${streams.join(', ')}` : ''];
  return parts.filter((p) => p !== '').join('; ') || 'nothing';
}
