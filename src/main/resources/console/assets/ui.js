// SPDX-License-Identifier: Apache-2.0
// The parts that pages are made of.
import {fill, h, icon, uniqueId} from './dom.js';
import {ICONS} from './icons.js';

const NOTICE_MILLIS = 6_000;

export function card(title, ...content) {
  const id = uniqueId('card');
  return h('section', {class: 'card', 'aria-labelledby': title ? id : null}, title && h('h2', {id}, title), content);
}

/** The head of a page: where it is, what it is, what can be done. */
export function heading(title, {crumbs = [], actions = [], note} = {}) {
  return h(
    'header',
    {class: 'page-head'},
    crumbs.length > 0 &&
      h('nav', {class: 'crumbs', 'aria-label': 'Where you are'}, h('ol', {}, crumbs.map(([text, href]) => h('li', {}, h('a', {href}, text))))),
    h('div', {class: 'page-title'}, h('h1', {tabindex: '-1'}, title), h('div', {class: 'actions'}, actions)),
    note && h('p', {class: 'note'}, note),
  );
}

/** A word with a tone: good, warn, bad or plain. The tone also has a mark, so that it is not told by colour alone. */
export function pill(text, tone = 'plain') {
  const mark = {good: ICONS.check, warn: ICONS.warn, bad: ICONS.cross}[tone];
  return h('span', {class: `pill ${tone}`}, mark && icon(mark), text);
}

export function button(text, listener, {kind = '', picture, type = 'button', ...rest} = {}) {
  return h('button', {type, class: kind, on: listener ? {click: listener} : undefined, ...rest}, picture && icon(picture), text);
}

export function empty(title, text, ...actions) {
  return h('div', {class: 'empty'}, h('p', {class: 'empty-title'}, title), h('p', {}, text), actions);
}

/** Names and values side by side. */
export function facts(pairs) {
  return h('dl', {class: 'facts'}, pairs.filter(Boolean).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}

/**
 * A table that becomes a list of cards where there is no room. Roles are named, because the cards are no table to the browser any more.
 * Columns: [title, cell(row), {number}].
 */
export function table(caption, columns, rows) {
  return h(
    'table',
    {role: 'table', class: 'data'},
    h('caption', {class: 'hidden'}, caption),
    h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, columns.map(([title, , o]) => h('th', {role: 'columnheader', scope: 'col', class: o?.number && 'number'}, title || h('span', {class: 'hidden'}, 'Actions'))))),
    h(
      'tbody',
      {role: 'rowgroup'},
      rows.map((row) =>
        h('tr', {role: 'row'}, columns.map(([title, cell, o]) => h('td', {role: 'cell', class: o?.number && 'number', data: {label: title}}, cell(row)))),
      ),
    ),
  );
}

/** A labelled control with its explanation. */
export function field(label, control, hint) {
  control.id ||= uniqueId('field');
  const hintId = hint ? `${control.id}-hint` : null;
  if (hintId) {
    control.setAttribute('aria-describedby', hintId);
  }
  return h('div', {class: 'field'}, h('label', {htmlFor: control.id}, label), control, hint && h('p', {class: 'hint', id: hintId}, hint));
}

export function input(name, properties = {}) {
  return h('input', {name, type: 'text', autocomplete: 'off', spellcheck: 'false', ...properties});
}

export function select(name, options, value, properties = {}) {
  return h('select', {name, ...properties}, options.map(([key, text]) => h('option', {value: key, selected: String(key) === String(value)}, text)));
}

/** A choice whose every option is explained in a sentence. */
export function choice(legend, name, options, value) {
  return h(
    'fieldset',
    {class: 'choice'},
    h('legend', {}, legend),
    Object.entries(options).map(([key, option]) => {
      const id = uniqueId(name);
      return h(
        'label',
        {class: 'option', htmlFor: id},
        h('input', {type: 'radio', name, id, value: key, checked: key === value, 'aria-describedby': `${id}-hint`}),
        h('span', {}, h('strong', {}, option.title), h('span', {class: 'hint', id: `${id}-hint`}, option.text)),
      );
    }),
  );
}

/** What went wrong, in the server's words. */
export function errorBox(error) {
  const hint = {
    504: 'The outcome is not known: it may have been stored.',
    503: 'Nothing was stored; it is safe to try again.',
    507: 'The disk of the server is full. Reads and deletions go on.',
    403: 'Your user lacks a permission for this.',
  }[error.status];
  const code = error.code ? ` (${error.code}${error.status > 0 ? `, ${error.status}` : ''})` : '';
  return h(
    'div',
    {class: 'error', role: 'alert'},
    icon(ICONS.warn),
    h('div', {}, h('p', {}, error.message, h('span', {class: 'quiet'}, code)), error.field && h('p', {class: 'quiet'}, `Field: ${error.field}`), hint && h('p', {class: 'quiet'}, hint)),
  );
}

/**
 * A form that sends once at a time and shows what went wrong above its buttons.
 *
 * @param submit gets the values by name; its promise says when it is over
 */
export function form(fields, submitText, submit, {extra = [], kind = 'primary', label} = {}) {
  const problem = h('div', {class: 'problem'});
  const send = button(submitText, null, {kind, type: 'submit'});
  const element = h('form', {novalidate: true, 'aria-label': label}, fields, problem, h('div', {class: 'actions'}, send, extra));
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    const missing = element.querySelector(':invalid:not(fieldset)');
    if (missing) {
      fill(problem, errorBox({message: `${missing.labels?.[0]?.textContent ?? missing.name}: ${missing.validationMessage}`}));
      missing.focus();
      return;
    }
    send.disabled = true;
    fill(problem);
    try {
      await submit(Object.fromEntries(new FormData(element)), element);
    } catch (e) {
      fill(problem, errorBox(e));
    } finally {
      send.disabled = false;
    }
  });
  return element;
}

/** A window above the page. Escape closes it; the focus goes back to where it was. */
export function dialog(title, build) {
  const id = uniqueId('dialog');
  const before = document.activeElement;
  const element = h('dialog', {'aria-labelledby': id});
  const close = () => element.close();
  element.append(h('h2', {id}, title), ...[build(close)].flat());
  element.addEventListener('close', () => {
    element.remove();
    if (before?.isConnected) {
      before.focus();
    }
  });
  document.body.append(element);
  element.showModal();
  return element;
}

/** Asks before something is gone: the name must be typed. */
export function confirmByName({title, text, name, verb, act}) {
  dialog(title, (close) => {
    const typed = input('confirm', {required: true, 'aria-label': 'Name'});
    const ask = form(
      [h('p', {}, text), field(['Type ', h('strong', {class: 'verbatim'}, name), ' to confirm'], typed)],
      verb,
      async () => {
        if (typed.value !== name) {
          throw new Error('That is not the name.');
        }
        await act();
        close();
      },
      {kind: 'danger', extra: [button('Cancel', close)], label: title},
    );
    return ask;
  });
}

/** Says that something has happened. */
export function notice(text, tone = 'good') {
  const element = h('div', {class: `notice ${tone}`}, icon(tone === 'good' ? ICONS.check : ICONS.warn), h('span', {}, text));
  const place = document.getElementById('notices');
  place.append(element);
  setTimeout(() => element.remove(), NOTICE_MILLIS);
}

/** Runs an action of a button; what goes wrong is shown as a notice. */
export async function attempt(action, done) {
  try {
    const result = await action();
    if (done) {
      notice(done);
    }
    return result;
  } catch (e) {
    notice(`${e.message}${e.code ? ` (${e.code})` : ''}`, 'bad');
    return undefined;
  }
}
