// SPDX-License-Identifier: Apache-2.0
// Which page belongs to the address behind the #. One page at a time: the one before is told to stop.
import {errorBox} from './ui.js';
import {fill, h} from './dom.js';

/**
 * @param routes [pattern, page]; a segment that begins with : is a parameter
 * @param place element that a page is put in
 */
export function router(routes, place) {
  const compiled = routes.map(([pattern, page]) => [pattern.split('/'), page]);
  let leaving = new AbortController();
  let shown = null;

  function find(path) {
    const segments = path.split('/').filter(Boolean);
    for (const [pattern, page] of compiled) {
      const wanted = pattern.filter(Boolean);
      if (wanted.length === segments.length && wanted.every((w, i) => w.startsWith(':') || w === segments[i])) {
        const params = {};
        wanted.forEach((w, i) => {
          if (w.startsWith(':')) {
            params[w.slice(1)] = decodeURIComponent(segments[i]);
          }
        });
        return {page, params};
      }
    }
    return null;
  }

  async function show({keepFocus = false} = {}) {
    const [path, search = ''] = location.hash.replace(/^#/, '').split('?');
    leaving.abort();
    const stopped = new AbortController();
    leaving = stopped;
    place.setAttribute('aria-busy', 'true');
    const samePath = shown === path;
    try {
      const found = find(path);
      const content =
        found === null
          ? {title: 'Nothing here', node: h('div', {}, h('h1', {tabindex: '-1'}, 'Nothing here'), h('p', {}, h('a', {href: '#/'}, 'To the overview')))}
          : await found.page({params: found.params, query: new URLSearchParams(search), signal: stopped.signal, again: () => show({keepFocus: true})});
      if (!stopped.signal.aborted) {
        fill(place, content.node);
        document.title = `${content.title} · Keptlog`;
        shown = path;
      }
    } catch (e) {
      if (!stopped.signal.aborted) {
        fill(place, h('h1', {tabindex: '-1'}, 'This did not work'), errorBox(e), h('p', {}, h('a', {href: '#/'}, 'To the overview')));
        shown = path;
      }
    }
    if (!stopped.signal.aborted) {
      place.removeAttribute('aria-busy');
      if (!samePath && !keepFocus) {
        place.querySelector('h1')?.focus({preventScroll: true});
        scrollTo(0, 0);
      }
      document.dispatchEvent(new CustomEvent('keptlog:page', {detail: path}));
    }
  }

  const onHash = () => show();
  addEventListener('hashchange', onHash);
  return {
    show,
    stop() {
      leaving.abort();
      removeEventListener('hashchange', onHash);
    },
  };
}

/** Goes to another page. */
export function go(hash) {
  location.hash = hash;
}
