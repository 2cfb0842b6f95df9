// SPDX-License-Identifier: Apache-2.0
// The server at a glance: what goes in and out, what an acknowledgement costs, what a power cut could take.
import * as format from '../format.js';
import {get} from '../api.js';
import {fill, h} from '../dom.js';
import {library, plot} from '../plot.js';
import {EVERY_MILLIS, sample, samples} from '../sampler.js';
import {card, errorBox, facts, heading, pill} from '../ui.js';
import {DISK} from '../words.js';

const COUNTS_EVERY_MILLIS = 5_000;

export async function overviewPage({signal}) {
  const tiles = h('div', {class: 'tiles'});
  const state = h('div', {});
  const trouble = h('div', {});
  const plots = h('div', {class: 'plots'});
  const node = h('div', {}, heading('Overview'), tiles, trouble, plots, state);
  showPlots(plots, trouble, tiles, signal);
  repeat(signal, COUNTS_EVERY_MILLIS, () => showState(state, signal));
  return {title: 'Overview', node};
}

/** Again and again until the page is left; one at a time. */
async function repeat(signal, everyMillis, action) {
  while (!signal.aborted) {
    if (!document.hidden) {
      await action();
    }
    await new Promise((resolve) => setTimeout(resolve, everyMillis));
  }
}

function tile(name, value, detail) {
  return h('div', {class: 'tile'}, h('span', {class: 'tile-name'}, name), h('span', {class: 'tile-value'}, value), h('span', {class: 'tile-detail'}, detail));
}

function showTiles(tiles, last) {
  const acks = last ? (last.acks.persisted.p50 ?? last.acks.replicated.p50) : null;
  fill(
    tiles,
    tile('Produced', last ? format.rate(last.produced) : '–', `messages/s${last ? `, ${format.bytes(last.producedBytes)}/s` : ''}`),
    tile('Polled', last ? format.rate(last.polled) : '–', 'messages/s'),
    tile('Acknowledged in', format.latency(acks), acks === null ? 'nothing produced just now' : `median, ${last.acks.persisted.p50 === null ? 'replicated' : 'persisted'}`),
    tile('At risk', last ? format.bytes(last.atRiskBytes) : '–', last && last.atRiskMessages > 0 ? `${format.plural(last.atRiskMessages, 'message')} for ${format.latency(last.atRiskSeconds)}` : 'a power cut would take nothing'),
  );
}

async function showPlots(place, trouble, tiles, signal) {
  showTiles(tiles, samples().at(-1));
  let uPlot;
  try {
    uPlot = await library();
  } catch (e) {
    fill(place, errorBox(e));
    return;
  }
  const all = [
    plot(uPlot, {title: 'Throughput', note: 'Messages per second.', least: 10, format: format.rate, series: [{name: 'produced', tone: 'one', value: (s) => s.produced}, {name: 'polled', tone: 'two', value: (s) => s.polled}]}),
    plot(uPlot, {title: 'Acknowledgement latency', note: '99 of 100 are faster, from append to answer.', least: 0.001, format: format.latency, series: [{name: 'persisted', tone: 'one', value: (s) => s.acks.persisted.p99}, {name: 'replicated', tone: 'two', value: (s) => s.acks.replicated.p99}]}),
    plot(uPlot, {title: 'Sync latency', note: 'What the disk needs to make bytes durable.', least: 0.001, format: format.latency, series: [{name: 'median', tone: 'one', value: (s) => s.sync.p50}, {name: '99 of 100', tone: 'two', value: (s) => s.sync.p99}]}),
    plot(uPlot, {title: 'At risk', note: 'Acknowledged, not yet synced: what a power cut could take.', least: 1024, format: format.bytes, series: [{name: 'bytes', tone: 'three', value: (s) => s.atRiskBytes}]}),
  ];
  fill(place, all.map((p) => p.figure));
  const update = () => {
    all.forEach((p) => p.update(samples()));
    showTiles(tiles, samples().at(-1));
  };
  const recolour = () => all.forEach((p) => p.recolour());
  document.addEventListener('keptlog:theme', recolour);
  signal.addEventListener('abort', () => {
    document.removeEventListener('keptlog:theme', recolour);
    all.forEach((p) => p.stop());
  });
  // The page is in the document only after this turn: plots need its width.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  update();
  sample(signal, (problem) => {
    if (problem === null) {
      fill(trouble);
      update();
    } else {
      fill(trouble, errorBox(problem.status === 403 ? Object.assign(problem, {message: 'Live plots need the permission read_servers.'}) : problem));
    }
  });
}

async function showState(place, signal) {
  try {
    const [stats, durability] = await Promise.all([get('/stats', {signal}), get('/durability', {signal})]);
    if (!signal.aborted) {
      fill(place, h('div', {class: 'columns'}, contents(stats), disk(durability), machine(stats)));
    }
  } catch (e) {
    if (!signal.aborted) {
      fill(place, errorBox(e));
    }
  }
}

function contents(stats) {
  return card(
    'Contents',
    facts([
      ['Streams', h('a', {href: '#/streams'}, format.count(stats.streams_count))],
      ['Topics', format.count(stats.topics_count)],
      ['Partitions', format.count(stats.partitions_count)],
      ['Messages', format.count(stats.messages_count)],
      ['Size', stats.messages_size_bytes],
      ['Segments', format.count(stats.segments_count)],
    ]),
  );
}

function disk(durability) {
  const found = durability.disk;
  const verdict = found && (DISK[found.verdict] ?? {text: found.verdict, tone: 'plain'});
  return card(
    'Durability',
    facts([
      ['Faults', durability.faults === 0 ? pill('none', 'good') : pill(format.plural(durability.faults, 'partition'), 'bad')],
      ['Open reports', durability.open_reports === 0 ? pill('none', 'good') : h('a', {href: '#/recovery'}, pill(String(durability.open_reports), 'warn'))],
      found && ['Disk', pill(verdict.text, verdict.tone)],
      found && ['File system', found.file_system],
      found?.sync && ['A write and its sync', `${format.latency(found.sync.p50_micros / 1e6)} median, ${format.latency(found.sync.p99_micros / 1e6)} at 99 of 100`],
      found && found.free_bytes >= 0 && ['Free space', format.bytes(found.free_bytes)],
      Number(durability.quarantine_bytes) > 0 && ['Put aside by recovery', format.bytes(durability.quarantine_bytes)],
    ]),
    found?.doubts.map((doubt) => h('p', {class: 'hint'}, doubt.reason)),
  );
}

function machine(stats) {
  return card(
    'Server',
    facts([
      ['Host', stats.hostname],
      ['Runs for', running(stats.run_time)],
      ['Processor', `${Number(stats.cpu_usage).toFixed(0)} %`],
      ['Memory', stats.memory_usage],
      ['Clients', format.count(stats.clients_count)],
      ['System', `${stats.os_name} ${stats.os_version ?? ''}`],
    ]),
    h('p', {class: 'hint'}, `Plots show the last five minutes in UTC, a point every ${EVERY_MILLIS / 1000} seconds.`),
  );
}

function running(micros) {
  const minutes = Number(BigInt(micros) / 60_000_000n);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  return days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
