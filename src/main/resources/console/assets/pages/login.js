// SPDX-License-Identifier: Apache-2.0
// Who is there? A name and password, or a personal access token.
import * as api from '../api.js';
import {h} from '../dom.js';
import {field, form, input} from '../ui.js';

export function loginPage({reason, done, theme}) {
  const byName = form(
    [
      field('User name', input('username', {required: true, autocomplete: 'username', autocapitalize: 'none'})),
      field('Password', input('password', {required: true, type: 'password', autocomplete: 'current-password'})),
    ],
    'Log in',
    async ({username, password}) => {
      await api.logIn(username, password);
      done();
    },
    {label: 'Log in'},
  );
  const byToken = form(
    [field('Personal access token', input('token', {required: true, type: 'password'}))],
    'Log in with the token',
    async ({token}) => {
      await api.logInWithToken(token.trim());
      done();
    },
    {kind: '', label: 'Log in with a token'},
  );
  return h(
    'main',
    {class: 'alone', id: 'main', tabindex: '-1'},
    h('div', {class: 'login card'},
      h('img', {src: 'assets/icon.svg', alt: '', width: 56, height: 56}),
      h('h1', {}, 'Keptlog'),
      h('p', {class: 'note'}, 'A message log whose every acknowledgement says what it has survived.'),
      reason && h('p', {class: 'reason', role: 'status'}, reason),
      byName,
      h('details', {}, h('summary', {}, 'Use a personal access token'), byToken),
      h('p', {class: 'hint'}, 'At the very first start the server makes a user and shows its password once, in its log.'),
      h('div', {class: 'actions centred'}, theme, h('a', {class: 'quiet-button', href: 'swagger-ui.html'}, 'API pages'))),
  );
}
