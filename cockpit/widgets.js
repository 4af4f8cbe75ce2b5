// Parts of pages in Cockpit's look.

import {element} from './report/elements.js';
import {_, pf} from './text.js';

const kinds = {danger: _('Problem'), warning: _('Warning'), success: _('Done'), info: _('Note')};

/** Returns an alert. `kind`: danger, warning, success or info. `actions`: buttons. */
export function alert(kind, title, text = null, ...actions) {
  return element('div', {class: pf('alert', kind, 'inline'), role: kind === 'danger' ? 'alert' : null},
    element('div', {class: pf('alert__icon'), 'aria-hidden': 'true'}, element('span', {class: `sign ${kind}`})),
    element('h2', {class: pf('alert__title')}, element('span', {class: 'unseen', text: `${kinds[kind]}: `}), title),
    text === null ? null : element('div', {class: pf('alert__description')},
      typeof text === 'string' ? element('p', {text}) : text),
    actions.length ? element('div', {class: pf('alert__action-group')}, ...actions) : null);
}

/** Returns a button. `kind`: primary, secondary, danger or link. */
export function button(text, kind, onclick, attributes = {}) {
  return element('button', {type: 'button', class: pf('button', kind), onclick, text, ...attributes});
}

/** Announces a text to screen readers. */
export function announce(text) { document.getElementById('said').textContent = text; }
