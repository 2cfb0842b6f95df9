// SPDX-License-Identifier: Apache-2.0
// All users, and the form that makes one.
import * as format from '../format.js';
import {get, post} from '../api.js';
import {h} from '../dom.js';
import {ICONS} from '../icons.js';
import {chosen, permissionBoxes} from '../permissions.js';
import {go} from '../router.js';
import {button, card, dialog, errorBox, field, form, heading, input, notice, pill, table} from '../ui.js';

export async function usersPage({signal}) {
  const tokens = h('a', {class: 'button', href: '#/tokens'}, 'Your tokens');
  let users;
  try {
    users = await get('/users', {signal});
  } catch (e) {
    if (e.status !== 403) {
      throw e;
    }
    return {title: 'Users', node: h('div', {}, heading('Users', {actions: [tokens]}), errorBox(e))};
  }
  const actions = [tokens, button('Create user', createUser, {kind: 'primary', picture: ICONS.plus})];
  const list = card(
    null,
    table(
      'Users',
      [
        ['Name', (u) => h('a', {class: 'strong', href: `#/users/${u.id}`}, u.username)],
        ['Id', (u) => String(u.id), {number: true}],
        ['Status', (u) => (u.status === 'active' ? pill('active', 'good') : pill(u.status, 'plain'))],
        ['Created', (u) => format.time(u.created_at).slice(0, 16)],
      ],
      users,
    ),
  );
  return {title: 'Users', node: h('div', {}, heading('Users', {actions, note: 'One user for each program, with the permissions that it needs and no others.'}), list)};
}

function createUser() {
  dialog('Create a user', (close) =>
    form(
      [
        field('Name', input('username', {required: true}), '3 to 50 bytes.'),
        field('Password', input('password', {required: true, type: 'password', autocomplete: 'new-password'}), '3 to 100 bytes. It is kept as a hash.'),
        permissionBoxes(),
      ],
      'Create',
      async (values) => {
        const user = await post('/users', {username: values.username, password: values.password, permissions: chosen(values)});
        close();
        notice(`User ${user.username} was created.`);
        go(`/users/${user.id}`);
      },
      {extra: [button('Cancel', close)], label: 'Create a user'},
    ),
  );
}
