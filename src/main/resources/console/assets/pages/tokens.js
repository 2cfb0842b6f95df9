// SPDX-License-Identifier: Apache-2.0
// The personal access tokens of whoever is logged in. A token is shown once.
import * as format from '../format.js';
import {get, path, post, remove} from '../api.js';
import {h} from '../dom.js';
import {ICONS} from '../icons.js';
import {button, card, confirmByName, dialog, empty, field, form, heading, input, notice, select, table} from '../ui.js';

const DAY_MICROS = 86_400_000_000n;
const LIVES = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
  ['0', 'until it is deleted'],
];

export async function tokensPage({signal, again}) {
  const tokens = await get('/personal-access-tokens', {signal});
  const create = () => button('Create token', () => createToken(again), {kind: 'primary', picture: ICONS.plus});
  const list =
    tokens.length === 0
      ? empty('No tokens', 'A token lets a program work with your permissions, without your password.', create())
      : card(
          null,
          table(
            'Tokens',
            [
              ['Name', (t) => h('span', {class: 'strong'}, t.name)],
              ['Ends', (t) => (t.expiry_at === null || t.expiry_at === undefined ? 'never' : format.time(t.expiry_at).slice(0, 16))],
              ['', (t) => button('Delete', () => deleteToken(t.name, again), {kind: 'quiet-button', 'aria-label': `Delete: ${t.name}`})],
            ],
            tokens,
          ),
        );
  return {title: 'Your tokens', node: h('div', {}, heading('Your tokens', {actions: tokens.length > 0 ? [create()] : [], note: 'Personal access tokens for programs. They outlive a change of your password.'}), list)};
}

function createToken(again) {
  dialog('Create a token', (close) =>
    form(
      [field('Name', input('name', {required: true}), '3 to 30 bytes.'), field('Lives', select('days', LIVES, '90'))],
      'Create',
      async (values) => {
        const made = await post('/personal-access-tokens', {name: values.name, expiry: BigInt(values.days) * DAY_MICROS});
        close();
        again();
        show(values.name, made.token);
      },
      {extra: [button('Cancel', close)], label: 'Create a token'},
    ),
  );
}

function show(name, token) {
  dialog(`Token ${name}`, (close) => [
    h('p', {}, 'Copy it now: it is not shown again.'),
    h('pre', {class: 'payload', tabindex: '0', 'aria-label': 'Token', role: 'region', data: {name: 'token'}}, token),
    h('p', {class: 'hint'}, 'Programs send it as “Authorization: Bearer …”.'),
    h('div', {class: 'actions'}, button('Done', close, {kind: 'primary'})),
  ]);
}

function deleteToken(name, again) {
  confirmByName({
    title: 'Delete the token',
    text: 'Programs that use it are refused from now on.',
    name,
    verb: 'Delete',
    act: async () => {
      await remove(path`/personal-access-tokens/${name}`);
      notice(`Token ${name} was deleted.`);
      again();
    },
  });
}
