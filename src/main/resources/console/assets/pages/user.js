// SPDX-License-Identifier: Apache-2.0
// One user: what it may do, whether it may log in, its password.
import * as format from '../format.js';
import {get, path, put, remove} from '../api.js';
import {h} from '../dom.js';
import {ICONS} from '../icons.js';
import {chosen, inWords, permissionBoxes} from '../permissions.js';
import {go} from '../router.js';
import {attempt, button, card, confirmByName, dialog, facts, field, form, heading, input, notice, pill} from '../ui.js';

const ROOT_ID = 0;

export async function userPage({params, signal, again}) {
  const at = path`/users/${params.user}`;
  const user = await get(at, {signal});
  const active = user.status === 'active';
  const root = user.id === ROOT_ID;
  return {
    title: user.username,
    node: h(
      'div',
      {},
      heading(user.username, {
        crumbs: [['Users', '#/users']],
        actions: [
          button('Change password', () => changePassword(at, user)),
          ...(root ? [] : [
            button(active ? 'Deactivate' : 'Activate', () => setActive(at, user, !active, again)),
            button('Delete', () => deleteUser(at, user), {kind: 'danger', picture: ICONS.trash}),
          ]),
        ],
      }),
      card(
        null,
        facts([
          ['Status', active ? pill('active', 'good') : pill(user.status, 'plain')],
          ['Id', String(user.id)],
          ['Created', format.time(user.created_at)],
          ['May', inWords(user.permissions)],
        ]),
      ),
      card(
        'Permissions',
        root ? h('p', {class: 'hint'}, 'The first user may everything, always: it cannot be limited, deactivated or deleted.') : form(
          [permissionBoxes(user.permissions?.global), h('p', {class: 'hint'}, 'A wider permission includes the narrower. Permissions for single streams and topics are set over the API; they stay as they are.')],
          'Save permissions',
          async (values) => {
            await put(`${at}/permissions`, {permissions: chosen(values, user.permissions)});
            notice('The permissions are in force from the next request on.');
            again();
          },
          {label: 'Permissions'},
        ),
      ),
    ),
  };
}

async function setActive(at, user, active, again) {
  const done = active ? `${user.username} may log in again.` : `${user.username} is deactivated, and its sessions have ended.`;
  await attempt(() => put(at, {status: active ? 'active' : 'inactive'}), done);
  again();
}

function changePassword(at, user) {
  dialog(`Change the password of ${user.username}`, (close) =>
    form(
      [
        field('Current password', input('current', {required: true, type: 'password', autocomplete: 'current-password'}), 'That of this user.'),
        field('New password', input('next', {required: true, type: 'password', autocomplete: 'new-password'}), '3 to 100 bytes. It ends the user’s other sessions, but no access tokens.'),
      ],
      'Change',
      async (values) => {
        await put(`${at}/password`, {current_password: values.current, new_password: values.next});
        close();
        notice('The password is changed.');
      },
      {extra: [button('Cancel', close)], label: 'Change the password'},
    ),
  );
}

function deleteUser(at, user) {
  confirmByName({
    title: 'Delete the user',
    text: 'Its sessions and tokens end at once. There is no way back.',
    name: user.username,
    verb: 'Delete',
    act: async () => {
      await remove(at);
      notice(`User ${user.username} was deleted.`);
      go('/users');
    },
  });
}
