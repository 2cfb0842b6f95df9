// SPDX-License-Identifier: Apache-2.0
// Numbers, sizes and times for people. Everything that may be beyond 2^53 comes as text or BigInt and stays exact.

const MAX_U64 = 18446744073709551615n;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const STEPS = [
  ['day', 86_400_000_000n],
  ['hour', 3_600_000_000n],
  ['minute', 60_000_000n],
  ['second', 1_000_000n],
  ['millisecond', 1_000n],
  ['microsecond', 1n],
];

/** With a thin space between groups of three digits. */
export function count(value) {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

export function bytes(value) {
  let size = Number(value);
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

/** Bytes where the largest number means that there is no limit. */
export function limitBytes(value) {
  return BigInt(value) === MAX_U64 ? 'unlimited' : bytes(value);
}

/** Microseconds where the largest number means never. */
export function expiry(value) {
  const micros = BigInt(value);
  if (micros === MAX_U64) {
    return 'never';
  }
  const [name, step] = STEPS.find(([, s]) => micros % s === 0n && micros >= s) ?? STEPS[5];
  const n = micros / step;
  return `${count(n)} ${name}${n === 1n ? '' : 's'}`;
}

/** Seconds as a latency. */
export function latency(seconds) {
  if (seconds === null || Number.isNaN(seconds)) {
    return '–';
  }
  if (seconds < 0.001) {
    return `${Math.round(seconds * 1e6)} µs`;
  }
  return seconds < 1 ? `${(seconds * 1e3).toFixed(seconds < 0.01 ? 2 : 1)} ms` : `${seconds.toFixed(2)} s`;
}

export function millis(value) {
  return latency(Number(value) / 1000);
}

export function rate(perSecond) {
  if (perSecond === null) {
    return '–';
  }
  return perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}

/** Microseconds since the epoch as UTC with all six digits. */
export function time(micros) {
  const value = BigInt(micros);
  const whole = new Date(Number(value / 1000n));
  if (Number.isNaN(whole.getTime())) {
    return `${value} µs`;
  }
  const text = whole.toISOString().replace('T', ' ').replace('Z', '');
  return `${text}${String(value % 1000n).padStart(3, '0')} UTC`;
}

export function isoTime(iso) {
  return iso.replace('T', ' ').replace(/(\.\d{3})\d*Z$/, '$1 UTC').replace(/Z$/, ' UTC');
}

/** What somebody typed as a UTC time, in microseconds; null when it is none. */
export function microsOf(text) {
  const at = Date.parse(/Z$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(at) ? null : BigInt(at) * 1000n;
}

export function plural(n, one, many = `${one}s`) {
  return `${count(n)} ${String(n) === '1' ? one : many}`;
}
