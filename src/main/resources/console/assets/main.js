// SPDX-License-Identifier: Apache-2.0
// Starts the console: the login page, or the frame with the page that the address names.
import * as api from './api.js';
import * as session from './session.js';
import {fill, h, icon} from './dom.js';
import {ICONS} from './icons.js';
import {button} from './ui.js';
import {router} from './router.js';
import {clustered, forget} from './server.js';
import {loginPage} from './pages/login.js';
import {overviewPage} from './pages/overview.js';
import {streamsPage} from './pages/streams.js';
import {streamPage} from './pages/stream.js';
import {topicPage} from './pages/topic.js';
import {messagesPage} from './pages/messages.js';
import {producePage} from './pages/produce.js';
import {consumersPage} from './pages/consumers.js';
import {replicationPage} from './pages/replication.js';
import {recoveryPage} from './pages/recovery.js';
import {clusterPage} from './pages/cluster.js';
import {usersPage} from './pages/users.js';
import {userPage} from './pages/user.js';
import {tokensPage} from './pages/tokens.js';

const RENEW_EVERY_MILLIS = 60_000;
const ROUTES = [
  ['', overviewPage],
  ['streams', streamsPage],
  ['streams/:stream', streamPage],
  ['streams/:stream/topics/:topic', topicPage],
  ['streams/:stream/topics/:topic/messages', messagesPage],
  ['streams/:stream/topics/:topic/produce', producePage],
  ['streams/:stream/topics/:topic/consumers', consumersPage],
  ['streams/:stream/topics/:topic/replication', replicationPage],
  ['recovery', recoveryPage],
  ['cluster', clusterPage],
  ['users', usersPage],
  ['users/:user', userPage],
  ['tokens', tokensPage],
];

const app = document.getElementById('app');
let running = null;

function themeButton() {
  const text = () => `Theme: ${window.keptlogTheme.current()}`;
  const label = h('span', {class: 'label'}, text());
  const element = h('button', {type: 'button', class: 'quiet-button', 'aria-label': text(), on: {click: () => {
    window.keptlogTheme.next();
    label.textContent = text();
    element.setAttribute('aria-label', text());
  }}}, icon(ICONS.theme), label);
  return element;
}

function brand() {
  return h('a', {class: 'brand', href: '#/'}, h('img', {src: 'assets/icon.svg', alt: '', width: 28, height: 28}), 'Keptlog');
}

function link(text, href, picture) {
  return h('li', {}, h('a', {href, data: {path: href.slice(1)}}, icon(ICONS[picture]), h('span', {}, text)));
}

function markCurrent(list, path) {
  for (const a of list.querySelectorAll('a[data-path]')) {
    const own = a.dataset.path;
    const here = own === '/' ? path === '/' || path === '' : path.startsWith(own);
    if (here) {
      a.setAttribute('aria-current', 'page');
    } else {
      a.removeAttribute('aria-current');
    }
  }
}

/** Whoever has just opened the address begins at its top; whoever has logged in is taken to the page. */
function showConsole({keepFocus = false} = {}) {
  running?.stop();
  const list = h('ul', {}, link('Overview', '#/', 'overview'), link('Streams', '#/streams', 'streams'), link('Recovery', '#/recovery', 'recovery'), link('Users', '#/users', 'users'));
  const main = h('main', {id: 'main', tabindex: '-1'});
  fill(
    app,
    h(
      'div',
      {class: 'frame'},
      h(
        'header',
        {class: 'top'},
        brand(),
        h('div', {class: 'top-actions'}, h('a', {class: 'quiet-button', href: 'swagger-ui.html', 'aria-label': 'API pages'}, icon(ICONS.docs), h('span', {class: 'label'}, 'API')), themeButton(), h('a', {class: 'who', href: '#/tokens', title: 'Your access tokens'}, session.current().username), button('Log out', () => api.logOut(), {kind: 'quiet-button', picture: ICONS.leave, 'aria-label': 'Log out'})),
      ),
      h('nav', {class: 'side', 'aria-label': 'Pages'}, list),
      main,
    ),
  );
  const pages = router(ROUTES, main);
  const mark = (event) => markCurrent(list, event.detail);
  document.addEventListener('keptlog:page', mark);
  const renewing = setInterval(() => {
    if (!document.hidden) {
      // When it fails, the next request says so.
      api.renew().catch(() => {});
    }
  }, RENEW_EVERY_MILLIS);
  running = {
    stop() {
      pages.stop();
      clearInterval(renewing);
      document.removeEventListener('keptlog:page', mark);
    },
  };
  clustered().then((yes) => {
    if (yes) {
      list.append(link('Cluster', '#/cluster', 'cluster'));
      markCurrent(list, location.hash.slice(1).split('?')[0]);
    }
  }, () => {});
  pages.show({keepFocus});
}

function showLogin(reason) {
  running?.stop();
  running = null;
  forget();
  document.querySelectorAll('dialog').forEach((d) => d.close());
  document.title = 'Log in · Keptlog';
  fill(app, loginPage({reason, done: () => showConsole(), theme: themeButton()}));
  app.querySelector('input')?.focus();
}

document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main')?.focus();
});
session.whenEnded(showLogin);
if (session.current() !== null && session.remainingSeconds() > 0) {
  showConsole({keepFocus: true});
} else {
  showLogin('');
}
