// SPDX-License-Identifier: Apache-2.0
// JSON without losing a digit: u64 and u128 are bare numbers in the API, and JavaScript's own numbers end at 2^53.

// A string, or a whole number token; a string is matched first, so that digits in it are left alone.
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const SAFE_DIGITS = 15;

/** As JSON.parse, but integers of more than 15 digits become strings of all their digits. */
export function parse(text) {
  return JSON.parse(
    text.replace(TOKENS, (token) => (/^-?\d+$/.test(token) && token.length > SAFE_DIGITS ? `"${token}"` : token)),
  );
}

/** As JSON.stringify, but a BigInt is a bare number. */
export function stringify(value) {
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (Array.isArray(value)) {
    return `[${value.map(stringify).join(',')}]`;
  }
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).filter(([, v]) => v !== undefined);
    return `{${members.map(([k, v]) => `${JSON.stringify(k)}:${stringify(v)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Indented, every token as it was written; null when it is no JSON. */
export function pretty(text) {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let depth = 0;
  let out = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  const pieces = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  for (const [i, piece] of pieces.entries()) {
    if (piece === '{' || piece === '[') {
      depth += 1;
      const empty = pieces[i + 1] === '}' || pieces[i + 1] === ']';
      out += piece + (empty ? '' : line());
    } else if (piece === '}' || piece === ']') {
      depth -= 1;
      const empty = pieces[i - 1] === '{' || pieces[i - 1] === '[';
      out += (empty ? '' : line()) + piece;
    } else if (piece === ',') {
      out += piece + line();
    } else {
      out += piece === ':' ? ': ' : piece;
    }
  }
  return out;
}
