// SPDX-License-Identifier: Apache-2.0
// Who is logged in. The token is kept for this tab alone and ends with it.

const KEY = 'keptlog.session';
let session = read();
let onEnd = () => {};

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null; // Storage is refused or holds something else: log in again.
  }
}

export const current = () => session;

/** Remembers what a login answered. */
export function begin(username, accessToken) {
  session = {username, token: accessToken.token, expiry: Number(accessToken.expiry)};
  try {
    sessionStorage.setItem(KEY, JSON.stringify(session));
  } catch {
    // It lasts until the page is left.
  }
}

/** Forgets the token. The reason is shown where the next login is asked for. */
export function end(reason = '') {
  session = null;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
  onEnd(reason);
}

export function whenEnded(listener) {
  onEnd = listener;
}

/** Seconds until the token ends. */
export function remainingSeconds() {
  return session === null ? 0 : session.expiry - Date.now() / 1000;
}
