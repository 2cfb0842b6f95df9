// SPDX-License-Identifier: Apache-2.0
// What does not change while somebody is logged in, asked for once.
import {get} from './api.js';

const SINGLE = 'single-node';
let cluster = null;
let topicOptions = null;
let streamOptions = null;

/** The nodes; on one node there is one. */
export function nodes() {
  cluster ??= get('/cluster/metadata').catch((e) => {
    cluster = null;
    throw e;
  });
  return cluster;
}

/** Whether messages are kept by bookies. */
export async function clustered() {
  return (await nodes()).name !== SINGLE;
}

export function optionsOfTopics() {
  topicOptions ??= get('/options/topic');
  return topicOptions;
}

export function optionsOfStreams() {
  streamOptions ??= get('/options/stream');
  return streamOptions;
}

export function forget() {
  cluster = null;
  topicOptions = null;
  streamOptions = null;
}
