// SPDX-License-Identifier: Apache-2.0
// Builds elements. Text only ever becomes a text node: nothing the server says is read as markup.

const SVG = 'http://www.w3.org/2000/svg';
let counter = 0;

/** An id that nothing else in the page has. */
export function uniqueId(prefix) {
  counter += 1;
  return `${prefix}-${counter}`;
}

/**
 * An element. Properties: `class`, `on` (listeners by event), `data` (data attributes); `value`, `checked` and the like are set as
 * properties; everything else is an attribute. Null, undefined and false are left out.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    set(element, name, value);
  }
  return append(element, children);
}

const AS_PROPERTY = new Set(['value', 'checked', 'selected', 'disabled', 'open', 'required', 'autofocus', 'hidden', 'htmlFor']);

function set(element, name, value) {
  if (value === null || value === undefined || value === false) {
    return;
  }
  if (name === 'on') {
    Object.entries(value).forEach(([event, listener]) => element.addEventListener(event, listener));
  } else if (name === 'data') {
    Object.assign(element.dataset, value);
  } else if (name === 'class') {
    element.className = value;
  } else if (AS_PROPERTY.has(name)) {
    element[name] = value;
  } else {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
  return element;
}

/** Replaces everything in an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/** A picture of one path, for decoration beside text. */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}
