// The choice of a screen and of a display.

import {element, selection} from '../report/elements.js';
import {_, pf} from '../text.js';

/** Whether a text is valid as the name of a screen: 1 to 128 bytes of printable text. */
function isName(text) {
  const length = new TextEncoder().encode(text).length;
  return length > 0 && length <= 128 && text.isWellFormed?.() !== false && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text);
}

export class Choice {
  /** `screen` and `display` are called with the chosen name; `refuse` with the error in a typed name. */
  constructor({screen, display, refuse}) {
    Object.assign(this, {screen, display, refuse});
    this.lists = element('div', {class: 'choices'});
    this.input = element('input', {type: 'text', id: 'area-new-screen', maxlength: '128', autocomplete: 'off',
      class: pf('form-control'), onchange: () => this.type(), onkeydown: (event) => { if (event.key === 'Enter') this.type(); }});
    this.typed = element('label', {class: 'filter', hidden: true}, element('span', {text: _('Name of the other screen')}),
      this.input);
    this.element = element('div', {class: 'filters'}, this.lists, this.typed);
  }

  /** Shows the available names and the chosen ones. */
  show(screens, screen, displays, display) {
    const lists = [selection(_('Screen'), [{options: screens.map((name) => [name, name])},
      // The empty value cannot collide with a name, which has at least one byte.
      {options: [['', _('Another screen…')]]}], this.typed.hidden ? screen : '', (name) => this.choose(name), {id: 'area-screen'})];
    if (displays.length > 1) {
      lists.push(selection(_('Display'), [{options: displays.map(({name}) => [name, name])}], display, this.display,
        {id: 'area-display-name'}));
    }
    const {id} = this.lists.contains(document.activeElement) ? document.activeElement : {};
    this.lists.replaceChildren(...lists);
    if (id) this.lists.querySelector(`#${id}`)?.focus();
  }

  choose(name) {
    this.typed.hidden = name !== '';
    if (name !== '') return this.screen(name);
    this.input.value = '';
    this.input.focus();
  }

  type() {
    // The daemon stores names in this form.
    const name = this.input.value.normalize();
    if (this.typed.hidden || !name) return;
    if (!isName(name)) return this.refuse(_('A name has 1 to 128 bytes of printable text.'));
    const hadFocus = document.activeElement === this.input;
    this.typed.hidden = true;
    this.screen(name);
    if (hadFocus) this.lists.querySelector('select').focus();
  }
}
