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
      ...typeof text === 'string' ? text.trim().split('\n').map((line) => element('p', {text: line})) : [text]),
    actions.length ? element('div', {class: pf('alert__action-group')}, ...actions) : null);
}

/** Returns a button. `kind`: primary, secondary, danger or link. */
export function button(text, kind, onclick, attributes = {}) {
  return element('button', {type: 'button', class: pf('button', kind), onclick, text, ...attributes});
}

/** Announces a text to screen readers. */
export function announce(text) { document.getElementById('said').textContent = text; }

/** Returns a card with a heading. */
export function card(title, ...content) {
  return element('section', {class: pf('card'), 'aria-label': title},
    element('div', {class: pf('card__title')}, element('h2', {text: title})),
    element('div', {class: pf('card__body')}, ...content));
}

/** Returns a description list. Values are texts or elements. */
export function pairs(...list) {
  return element('dl', {class: 'pairs'}, ...list.flatMap(([name, value]) => [element('dt', {text: name}),
    value instanceof Node ? element('dd', {}, value) : element('dd', {text: printable(String(value)), dir: 'auto'})]));
}

/** Escapes characters of a foreign text that are invisible or control the display. */
export function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/**
 * Asks a question in a dialog of the page. Returns whether the user agreed. Ignores repeats of a held key, except
 * Tab.
 */
export function confirmed(question, agreement) {
  return new Promise((done) => {
    const dialog = element('dialog', {class: 'question', 'aria-label': agreement,
      onkeydown: (event) => { if (event.repeat && event.key !== 'Tab') event.preventDefault(); }},
      element('p', {text: question}),
      element('div', {class: 'buttons'},
        button(agreement, 'danger', () => dialog.close('yes'), {'data-action': 'confirm'}),
        button(_('Cancel'), 'link', () => dialog.close(), {'data-action': 'cancel', autofocus: true})));
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue === 'yes');
    });
    document.getElementById('touchgrid').append(dialog);
    dialog.showModal();
  });
}
