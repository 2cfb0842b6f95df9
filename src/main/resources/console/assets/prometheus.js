// SPDX-License-Identifier: Apache-2.0
// Reads the text format of /actuator/prometheus, and latencies out of two readings of a histogram.

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Samples by name: [{labels, value}]. */
export function parse(text) {
  const samples = new Map();
  for (const line of text.split('\n')) {
    const match = line.startsWith('#') ? null : SAMPLE.exec(line);
    if (match) {
      const labels = Object.fromEntries([...(match[2] ?? '').matchAll(LABEL)].map(([, k, v]) => [k, v]));
      const list = samples.get(match[1]) ?? [];
      list.push({labels, value: Number(match[3])});
      samples.set(match[1], list);
    }
  }
  return samples;
}

/** The sum of a metric's samples that have these labels. */
export function sum(samples, name, labels = {}) {
  return (samples.get(name) ?? []).filter((s) => matches(s, labels)).reduce((total, s) => total + s.value, 0);
}

function matches(sample, labels) {
  return Object.entries(labels).every(([k, v]) => sample.labels[k] === v);
}

/** Cumulative counts by upper bound, added up over all other labels. */
export function buckets(samples, name, labels = {}) {
  const counts = new Map();
  for (const sample of samples.get(`${name}_bucket`) ?? []) {
    if (matches(sample, labels)) {
      const bound = sample.labels.le === '+Inf' ? Infinity : Number(sample.labels.le);
      counts.set(bound, (counts.get(bound) ?? 0) + sample.value);
    }
  }
  return counts;
}

/** What came between two readings. */
export function between(before, after) {
  return new Map([...after].map(([bound, n]) => [bound, Math.max(0, n - (before.get(bound) ?? 0))]));
}

/** The quantile of cumulative counts in the metric's unit; null when nothing happened. */
export function quantile(counts, q) {
  const bounds = [...counts.keys()].sort((a, b) => a - b);
  const total = counts.get(Infinity) ?? 0;
  if (total === 0) {
    return null;
  }
  let below = 0;
  let lower = 0;
  for (const bound of bounds) {
    const upTo = counts.get(bound);
    if (upTo >= q * total) {
      if (bound === Infinity) {
        return lower;
      }
      const share = upTo === below ? 1 : (q * total - below) / (upTo - below);
      return lower + (bound - lower) * share;
    }
    below = upTo;
    lower = bound;
  }
  return lower;
}
