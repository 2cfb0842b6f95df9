// SPDX-License-Identifier: Apache-2.0
// Follows a partition: a stream of server-sent events, read with fetch because EventSource sends no token. Goes on after a break.
import * as json from './json.js';
import * as session from './session.js';
import {ApiError} from './api.js';

const PAUSE_MILLIS = 1_000;
const PAUSE_MAX_MILLIS = 15_000;

/** Cuts a stream of text into events: {event, id, data}. */
export function eventReader(take) {
  let rest = '';
  let event = {};
  const line = (text) => {
    if (text === '') {
      if (event.data !== undefined) {
        take(event);
      }
      event = {};
      return;
    }
    const colon = text.indexOf(':');
    const name = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') {
      event.data = event.data === undefined ? value : `${event.data}\n${value}`;
    } else if (name !== '') {
      event[name] = value;
    }
  };
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    lines.forEach((l) => line(l.endsWith('\r') ? l.slice(0, -1) : l));
  };
}

/**
 * Calls back until the signal aborts, or the server says that there is no more.
 *
 * @param query of the stream's beginning; after a break it goes on behind the last message
 * @param on message(element), gap(element), state(text, tone), ended(error)
 */
export async function follow(at, query, signal, on) {
  let last = null;
  let pause = PAUSE_MILLIS;
  while (!signal.aborted) {
    try {
      const over = await once(at, query, last, signal, {
        ...on,
        alive: () => {
          pause = PAUSE_MILLIS;
        },
        seen: (id) => {
          last = id;
        },
      });
      if (over !== null && over.code !== 'shutting_down') {
        on.ended(new ApiError(0, over));
        return;
      }
    } catch (e) {
      if (signal.aborted) {
        return;
      }
      if (e instanceof ApiError && e.status < 500 && e.status !== 429) {
        on.ended(e);
        return;
      }
    }
    if (!signal.aborted) {
      on.state('The stream broke off; trying again.', 'warn');
      await wait(pause, signal);
      pause = Math.min(PAUSE_MAX_MILLIS, pause * 2);
    }
  }
}

/** One connection. Answers why the server has ended it, or null when it broke off. */
async function once(at, query, last, signal, on) {
  const response = await fetch(new URL(`.${at}/messages?${query}`, document.baseURI), {
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${session.current()?.token}`,
      ...(last === null ? {} : {'Last-Event-ID': last}),
    },
    signal,
    cache: 'no-store',
  });
  if (!response.ok) {
    throw new ApiError(response.status, json.parse(await response.text()));
  }
  on.state('Following', 'good');
  let over = null;
  const reader = eventReader(({event, id, data}) => {
    on.alive();
    const element = json.parse(data);
    if (event === undefined) {
      on.seen(id);
      on.message(element);
    } else if (event === 'gap') {
      on.gap(element);
    } else if (event === 'end') {
      over = element;
    }
  });
  const text = response.body.pipeThrough(new TextDecoderStream()).getReader();
  while (over === null) {
    const {value, done} = await text.read();
    if (done) {
      break;
    }
    reader(value);
  }
  return over;
}

function wait(millis, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      {once: true},
    );
  });
}
