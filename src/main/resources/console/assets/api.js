// SPDX-License-Identifier: Apache-2.0
// Calls the server. Every failure is an ApiError with the server's own code and reason.
import * as json from './json.js';
import * as session from './session.js';

const TIMEOUT_MILLIS = 30_000;
const RENEW_BELOW_SECONDS = 900;

/** What the server refused or could not do: the members of its error body, and the status (0 = no answer). */
export class ApiError extends Error {
  constructor(status, body) {
    super(body.reason ?? 'The server did not say why.');
    this.status = status;
    this.code = body.code ?? 'error';
    this.field = body.field ?? null;
    this.details = body;
  }
}

/** A path whose values are encoded: path`/streams/${id}`. */
export function path(parts, ...values) {
  return parts.reduce((text, part, i) => text + encodeURIComponent(String(values[i - 1])) + part);
}

/** The reply's status, headers and body; JSON is parsed without losing digits. */
export async function call(method, at, {body, headers = {}, signal, as = 'json'} = {}) {
  const response = await send(method, at, body, headers, signal);
  const text = await read(response);
  if (!response.ok) {
    throw refused(response, text);
  }
  return {status: response.status, headers: response.headers, data: as === 'text' || text === '' ? text : json.parse(text)};
}

export const get = async (at, options) => (await call('GET', at, options)).data;
export const post = async (at, body, options) => (await call('POST', at, {body, ...options})).data;
export const put = async (at, body, options) => (await call('PUT', at, {body, ...options})).data;
export const remove = async (at, options) => (await call('DELETE', at, options)).data;

async function send(method, at, body, headers, signal) {
  const own = session.current();
  const limit = AbortSignal.timeout(TIMEOUT_MILLIS);
  try {
    // Relative to the page, so that a proxy may serve it below a prefix.
    return await fetch(new URL(`.${at}`, document.baseURI), {
      method,
      headers: {
        Accept: 'application/json',
        ...(own === null ? {} : {Authorization: `Bearer ${own.token}`}),
        ...(body === undefined ? {} : {'Content-Type': 'application/json'}),
        ...headers,
      },
      body: body === undefined ? undefined : json.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      cache: 'no-store',
    });
  } catch (e) {
    throw unanswered(e, signal);
  }
}

async function read(response) {
  try {
    return await response.text();
  } catch (e) {
    throw unanswered(e, null);
  }
}

function unanswered(cause, signal) {
  if (signal?.aborted) {
    return cause; // The page was left: nobody waits for this.
  }
  const late = cause.name === 'TimeoutError';
  return new ApiError(0, {
    code: late ? 'timeout' : 'unreachable',
    reason: late ? 'The server did not answer in time.' : 'The server cannot be reached.',
  });
}

function refused(response, text) {
  let body;
  try {
    body = json.parse(text);
  } catch {
    body = {code: `http_${response.status}`, reason: response.statusText};
  }
  const retry = response.headers.get('Retry-After');
  const error = new ApiError(response.status, retry === null ? body : {...body, retry_after_seconds: retry});
  if (response.status === 401 && session.current() !== null) {
    session.end('Your session has ended. Log in again.');
  }
  return error;
}

/** Logs in with a name and password. */
export async function logIn(username, password) {
  const identity = await post('/users/login', {username, password});
  session.begin(username, identity.access_token);
}

/** Logs in with a personal access token. */
export async function logInWithToken(token) {
  const identity = await post('/personal-access-tokens/login', {token});
  session.begin(`user ${identity.user_id}`, identity.access_token);
}

/** Revokes the token, then forgets it; it is forgotten in any case. */
export async function logOut() {
  try {
    await remove('/users/logout');
  } finally {
    if (session.current() !== null) {
      session.end('You have logged out.');
    }
  }
}

/** Asks for a new token when the one there is ends soon. Whoever works is not logged out in the middle of it. */
export async function renew() {
  const own = session.current();
  if (own !== null && session.remainingSeconds() < RENEW_BELOW_SECONDS) {
    const identity = await post('/users/refresh-token', {token: own.token});
    session.begin(own.username, identity.access_token);
  }
}
