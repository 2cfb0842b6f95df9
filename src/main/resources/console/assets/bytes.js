// SPDX-License-Identifier: Apache-2.0
// Payloads and header values: base64 to bytes, and bytes as text, JSON or hex.
import {pretty} from './json.js';

const HEX_ROW = 16;
const strict = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});
const encoder = new TextEncoder();

export function fromBase64(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

export function toBase64(bytes) {
  let binary = '';
  for (const b of bytes) {
    binary += String.fromCharCode(b);
  }
  return btoa(binary);
}

export function utf8(text) {
  return encoder.encode(text);
}

/** The text, or null when it is not UTF-8. */
export function textOf(bytes) {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** "68 65 6c" or "68656c" as bytes; null when it is no hex. */
export function fromHex(text) {
  const digits = text.replace(/\s+/g, '');
  return /^([0-9a-fA-F]{2})*$/.test(digits)
    ? Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : null;
}

/** Rows of offset, sixteen bytes, and what of them is ASCII. */
export function hexDump(bytes) {
  const rows = [];
  for (let at = 0; at < bytes.length; at += HEX_ROW) {
    const row = [...bytes.subarray(at, at + HEX_ROW)];
    const hex = row.map((b) => b.toString(16).padStart(2, '0')).join(' ');
    const ascii = row.map((b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : '.')).join('');
    rows.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(HEX_ROW * 3)} ${ascii}`);
  }
  return rows.join('\n');
}

/** One line for a list: text where it is text, else hex. */
export function preview(bytes, length = 160) {
  const text = textOf(bytes.length > 4096 ? bytes.subarray(0, 4096) : bytes);
  if (text !== null && !/[\u0000-\u0008\u000e-\u001f]/.test(text)) {
    return text.length > length ? `${text.slice(0, length)}…` : text;
  }
  const shown = [...bytes.subarray(0, 24)].map((b) => b.toString(16).padStart(2, '0')).join(' ');
  return bytes.length > 24 ? `${shown} …` : shown;
}

/** The payload as it was asked for, with a remark where that cannot be. */
export function view(bytes, as) {
  if (as === 'hex') {
    return {text: hexDump(bytes)};
  }
  const text = textOf(bytes);
  if (text === null) {
    return {text: hexDump(bytes), remark: 'Not UTF-8: shown as hex.'};
  }
  if (as === 'json') {
    const json = pretty(text);
    return json === null ? {text, remark: 'Not JSON: shown as text.'} : {text: json};
  }
  return {text};
}

const NUMBERS = {
  int8: (v) => v.getInt8(0),
  int16: (v) => v.getInt16(0, true),
  int32: (v) => v.getInt32(0, true),
  int64: (v) => v.getBigInt64(0, true),
  uint8: (v) => v.getUint8(0),
  uint16: (v) => v.getUint16(0, true),
  uint32: (v) => v.getUint32(0, true),
  uint64: (v) => v.getBigUint64(0, true),
  int128: (v) => (v.getBigInt64(8, true) << 64n) | v.getBigUint64(0, true),
  uint128: (v) => (v.getBigUint64(8, true) << 64n) | v.getBigUint64(0, true),
  float32: (v) => v.getFloat32(0, true),
  float64: (v) => v.getFloat64(0, true),
  bool: (v) => v.getUint8(0) !== 0,
};

/** A key or value of a user header, as text. */
export function headerText({kind, value}) {
  const bytes = fromBase64(value);
  if (NUMBERS[kind]) {
    return String(NUMBERS[kind](new DataView(bytes.buffer)));
  }
  const text = kind === 'string' ? textOf(bytes) : null;
  return text ?? [...bytes].map((b) => b.toString(16).padStart(2, '0')).join(' ');
}
