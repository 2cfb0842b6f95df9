// SPDX-License-Identifier: Apache-2.0
// Looks at the server's metrics every two seconds while somebody looks at it, and keeps the last five minutes.
import * as prometheus from './prometheus.js';
import {call} from './api.js';

export const EVERY_MILLIS = 2_000;
const KEPT = 150;
/** The histogram of syncs is large (one for each reason and outcome): asked for less often. */
const SYNCS_EVERY = 3;
const LIGHT = 'keptlog_produced_messages,keptlog_produced_bytes,keptlog_polled_messages,keptlog_at_risk_bytes,keptlog_at_risk_messages,keptlog_at_risk_age_seconds,keptlog_publish_latency_seconds';
const SYNCS = 'keptlog_sync_seconds';
export const LEVELS = ['replicated', 'persisted'];

let before = null;
let syncsBefore = null;
let rounds = 0;
let failures = 0;
const kept = [];

/** Samples so far, oldest first. */
export const samples = () => kept;

/** Samples until the signal says stop; tells after each. Pauses while the tab is hidden. */
export function sample(signal, listener) {
  const round = async () => {
    if (signal.aborted) {
      return;
    }
    if (!document.hidden) {
      try {
        take(await read(signal));
        failures = 0;
        listener(null);
      } catch (e) {
        if (signal.aborted) {
          return;
        }
        failures += 1;
        before = null;
        syncsBefore = null;
        listener(e);
        if (e.status === 403 || e.status === 401) {
          return;
        }
      }
    }
    setTimeout(round, EVERY_MILLIS * Math.min(1 + failures, 5));
  };
  round();
}

async function read(signal) {
  const syncs = rounds % SYNCS_EVERY === 0;
  rounds += 1;
  const names = syncs ? `${LIGHT},${SYNCS}` : LIGHT;
  const {data} = await call('GET', `/actuator/prometheus?includedNames=${names}`, {signal, as: 'text', headers: {Accept: 'text/plain'}});
  return {at: performance.now(), time: Date.now() / 1000, syncs, samples: prometheus.parse(data)};
}

function take(now) {
  const counters = {
    at: now.at,
    produced: prometheus.sum(now.samples, 'keptlog_produced_messages_total'),
    producedBytes: prometheus.sum(now.samples, 'keptlog_produced_bytes_total'),
    polled: prometheus.sum(now.samples, 'keptlog_polled_messages_total'),
    acks: Object.fromEntries(LEVELS.map((durability) => [durability, prometheus.buckets(now.samples, 'keptlog_publish_latency_seconds', {durability})])),
  };
  const syncs = now.syncs ? {at: now.at, buckets: prometheus.buckets(now.samples, SYNCS)} : null;
  // A server that was started again counts from 0: its first reading is a beginning, not a step.
  if (before !== null && counters.produced >= before.produced) {
    kept.push(step(now, counters, syncs));
    if (kept.length > KEPT) {
      kept.shift();
    }
  }
  before = counters;
  syncsBefore = syncs ?? syncsBefore;
}

function step(now, counters, syncs) {
  const seconds = (counters.at - before.at) / 1000;
  const acks = Object.fromEntries(
    LEVELS.map((level) => {
      const counts = prometheus.between(before.acks[level], counters.acks[level]);
      return [level, {p50: prometheus.quantile(counts, 0.5), p99: prometheus.quantile(counts, 0.99)}];
    }),
  );
  const last = kept.at(-1);
  const fresh = syncs !== null && syncsBefore !== null;
  const counts = fresh ? prometheus.between(syncsBefore.buckets, syncs.buckets) : null;
  return {
    time: now.time,
    produced: (counters.produced - before.produced) / seconds,
    producedBytes: (counters.producedBytes - before.producedBytes) / seconds,
    polled: Math.max(0, counters.polled - before.polled) / seconds,
    acks,
    sync: fresh
      ? {p50: prometheus.quantile(counts, 0.5), p99: prometheus.quantile(counts, 0.99), perSecond: (counts.get(Infinity) * 1000) / (syncs.at - syncsBefore.at)}
      : (last?.sync ?? {p50: null, p99: null, perSecond: null}),
    atRiskBytes: prometheus.sum(now.samples, 'keptlog_at_risk_bytes'),
    atRiskMessages: prometheus.sum(now.samples, 'keptlog_at_risk_messages'),
    atRiskSeconds: prometheus.sum(now.samples, 'keptlog_at_risk_age_seconds'),
  };
}
