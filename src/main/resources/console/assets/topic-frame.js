// SPDX-License-Identifier: Apache-2.0
// What the pages of one topic have in common: where it is, what it promises, and the way to its other pages.
import {get, path} from './api.js';
import {h} from './dom.js';
import {clustered} from './server.js';
import {heading, pill} from './ui.js';
import {POLICIES} from './words.js';

const TABS = [
  ['', 'Durability'],
  ['/messages', 'Messages'],
  ['/produce', 'Produce'],
  ['/consumers', 'Consumers'],
];

/** Reads the topic and its stream. */
export async function readTopic(params, signal) {
  const [stream, topic, inCluster] = await Promise.all([
    get(path`/streams/${params.stream}`, {signal}),
    get(path`/streams/${params.stream}/topics/${params.topic}`, {signal}),
    clustered(),
  ]);
  return {stream, topic, inCluster, at: path`/streams/${stream.id}/topics/${topic.id}`};
}

/** The head and tabs, and below them the page. */
export function topicFrame({stream, topic, inCluster, at}, tab, content, actions = []) {
  const level = topic.options.durability?.value;
  const tabs = inCluster ? [...TABS, ['/replication', 'Copies']] : TABS;
  return h(
    'div',
    {},
    heading(topic.name, {
      crumbs: [
        ['Streams', '#/streams'],
        [stream.name, `#/streams/${stream.id}`],
      ],
      actions,
    }),
    h('p', {class: 'note'}, pill(level, level === 'persisted' ? 'good' : 'plain'), ' ', POLICIES[level]?.short ?? ''),
    h('nav', {class: 'tabs', 'aria-label': 'Topic'}, h('ul', {}, tabs.map(([suffix, text]) => h('li', {}, h('a', {href: `#${at}${suffix}`, 'aria-current': suffix === tab ? 'page' : null}, text))))),
    content,
  );
}

/** Partitions as the options of a select. */
export function partitionOptions(topic) {
  return topic.partitions.map((p) => [p.id, `Partition ${p.id}`]);
}
