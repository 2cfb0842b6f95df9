// SPDX-License-Identifier: Apache-2.0
// What starts found torn or damaged, and what they did about it.
import * as format from '../format.js';
import {get, path, post} from '../api.js';
import {h} from '../dom.js';
import {button, dialog, empty, facts, form, heading, notice, pill} from '../ui.js';
import {spaced} from '../words.js';

export async function recoveryPage({signal, again}) {
  const reports = (await get('/recovery', {signal})).toReversed();
  const open = reports.filter((r) => r.open);
  return {
    title: 'Recovery',
    node: h(
      'div',
      {},
      heading('Recovery', {note: 'What starts found torn or damaged, and what they did about it. Nothing is cut, refused or put aside without a report.'}),
      reports.length === 0
        ? empty('Nothing to report', 'Every start found everything whole.')
        : [
            h('p', {}, open.length > 0 ? pill(`${format.plural(open.length, 'report')} to look at`, 'warn') : pill('nothing is open', 'good')),
            h('ul', {class: 'reports'}, reports.map((r) => report(r, again))),
          ],
    ),
  };
}

function place(r) {
  return r.stream_id === null ? 'A journal or the data directory' : h('a', {href: `#/streams/${r.stream_id}/topics/${r.topic_id}`}, `Stream ${r.stream_id}, topic ${r.topic_id}, partition ${r.partition_id}`);
}

function range(from, to) {
  if (Number(from) < 0) {
    return null;
  }
  return Number(to) < 0 ? `from ${format.count(from)} on` : `${format.count(from)} up to, not including, ${format.count(to)}`;
}

function report(r, again) {
  const offsets = range(r.from_offset, r.to_offset);
  const positions = range(r.from_position, r.to_position);
  return h(
    'li',
    {class: 'card report'},
    h('div', {class: 'report-head'}, h('h2', {}, `${spaced(r.found)}: ${spaced(r.action)}`), r.open ? pill('open', 'warn') : pill(r.resolved === null ? 'for information' : 'resolved', 'plain')),
    h('p', {}, r.detail),
    facts([
      ['Where', place(r)],
      ['When', format.isoTime(r.time)],
      offsets && ['Offsets', offsets],
      positions && ['Bytes of the file', positions],
      ['Acknowledged data in it', r.acknowledged_possible ? pill('possible', 'warn') : 'no'],
      r.quarantine_file && ['Kept in', h('span', {class: 'verbatim'}, r.quarantine_file)],
      r.resolved !== null && ['Resolved', format.isoTime(r.resolved)],
      ['Report', String(r.id)],
    ]),
    r.open && h('div', {class: 'actions'}, button('Mark as resolved', () => resolve(r, again), {'aria-label': `Mark as resolved: report ${r.id}`})),
  );
}

function resolve(r, again) {
  dialog('Mark as resolved', (close) =>
    form(
      [
        h('p', {}, 'The report stays in the list; health no longer names it.'),
        r.quarantine_file && h('label', {class: 'check'}, h('input', {type: 'checkbox', name: 'delete'}), 'Also delete what was put aside. There is no way back.'),
      ],
      'Mark as resolved',
      async (values) => {
        await post(`${path`/recovery/${r.id}/resolve`}${values.delete ? '?delete_quarantined=true' : ''}`);
        close();
        notice(`Report ${r.id} is resolved.`);
        again();
      },
      {extra: [button('Cancel', close)], label: 'Mark as resolved'},
    ),
  );
}
