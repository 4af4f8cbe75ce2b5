// The form for one mask or control.

import {element, segments} from '../report/elements.js';
import {_, filled, pf} from '../text.js';
import {alert, button} from '../widgets.js';
import {wrongMember} from './rectangle.js';

const members = {x: _('Left'), y: _('Top'), width: _('Width'), height: _('Height')};

export class AreaForm {
  /** `typed` is called with a typed rectangle, `save` with `(area, lasts)`, `cancel` when the draft is dropped. */
  constructor({typed, save, cancel}) {
    this.typed = typed;
    this.save = save;
    this.kind = 'mask';
    this.lasts = true;
    this.fields = Object.fromEntries(Object.entries(members).map(([name]) => [name, element('input', {type: 'number', min: '0',
      step: '1', id: `area-${name}`, class: pf('form-control'), oninput: () => this.type()})]));
    this.name = element('input', {type: 'text', id: 'area-name', maxlength: '128', class: pf('form-control'), autocomplete: 'off'});
    this.whole = this.tick('area-whole', _('The whole screen'), () => this.update());
    this.only = this.tick('area-display', _('Only on this display'), () => this.update());
    this.quick = this.tick('area-quick', _('People tap it quickly on purpose'));
    const field = (text, input) => element('label', {class: 'filter'}, element('span', {text}), input);
    this.named = field(_('Name'), this.name);
    this.rectangle = element('div', {class: 'rectangle-fields', role: 'group', 'aria-label': _('Rectangle, in points')},
      ...Object.entries(members).map(([name, text]) => field(text, this.fields[name])));
    this.own = element('p', {class: 'quiet', text: _('The display then has a list of its own: controls for all displays are not '
      + 'counted on it.')});
    this.shapeless = element('p', {class: 'quiet', text: _('There is no touchscreen, so the size of the display is not known, and '
      + 'only whole screens can be masked.')});
    this.isShapeless = false;
    this.notice = element('div', {class: 'notices', role: 'status'});
    this.submit = element('button', {type: 'submit', class: pf('button', 'primary'), 'data-action': 'save', text: _('Save')});
    this.duration = segments(_('Holds'), 'area-lasts', [['yes', _('For good')], ['no', _('Until the daemon stops')]], 'yes',
      (value) => { this.lasts = value === 'yes'; });
    this.element = element('form', {class: 'area-form', novalidate: true, 'aria-label': _('Mask or control'),
      onsubmit: (event) => { event.preventDefault(); this.send(); },
      // A held key must not save again and again.
      onkeydown: (event) => { if (event.repeat && event.key === 'Enter') event.preventDefault(); }},
    segments(_('Kind'), 'area-kind', [['mask', _('Mask'), _('where the place of touches stays secret')],
      ['control', _('Control'), _('a button whose hits are counted')]], 'mask', (value) => { this.kind = value; this.update(); }),
    this.named, this.shapeless, this.whole.label, this.rectangle, this.only.label, this.own, this.quick.label, this.duration,
    element('div', {class: 'buttons'}, this.submit, button(_('Cancel'), 'link', cancel, {'data-action': 'cancel-area'})), this.notice);
    this.update();
  }

  tick(id, text, onchange = null) {
    const input = element('input', {type: 'checkbox', id, onchange});
    return {input, label: element('label', {class: 'tick'}, input, element('span', {text}))};
  }

  update() {
    const isMask = this.kind === 'mask';
    this.named.hidden = isMask;
    this.quick.label.hidden = isMask;
    this.whole.label.hidden = !isMask;
    this.whole.input.disabled = this.isShapeless;
    this.rectangle.hidden = (isMask && this.whole.input.checked) || this.isShapeless;
    this.shapeless.hidden = !this.isShapeless;
    // `touchgrid setup` masks whole screens on every display.
    this.only.label.hidden = this.isGathering && this.rectangle.hidden;
    this.own.hidden = isMask || !this.only.input.checked;
    this.submit.textContent = this.isChange ? _('Save the change') : this.isGathering ? _('Add this mask') : _('Save');
  }

  /**
   * Before the first configuration, masks are only collected. Without a display, only whole screens can be masked.
   */
  allow({isGathering, isShapeless}) {
    this.duration.hidden = isGathering;
    Object.assign(this, {isGathering, isShapeless});
    this.element.querySelector('[name=area-kind][value=control]').closest('label').hidden = isGathering || isShapeless;
    if (isShapeless) this.whole.input.checked = true;
    if (isGathering || isShapeless) this.choose('mask');
    this.update();
  }

  choose(kind) {
    this.kind = kind;
    this.element.querySelector(`[name=area-kind][value=${kind}]`).checked = true;
    this.update();
  }

  /** Shows the drawn rectangle. */
  show(rectangle) {
    for (const [name, field] of Object.entries(this.fields)) field.value = rectangle ? rectangle[name] : '';
    if (rectangle) {
      this.whole.input.checked = false;
      this.update();
    }
  }

  /** Shows an area for editing. `isChange`: whether it is there already. */
  edit({kind, name, rectangle, rage, display}, lasts, isChange) {
    this.isChange = isChange;
    this.name.value = name ?? '';
    this.whole.input.checked = rectangle === null;
    this.quick.input.checked = rage === false;
    this.only.input.checked = display !== null;
    this.choose(kind);
    this.last(lasts);
  }

  last(lasts) {
    this.lasts = lasts;
    this.element.querySelector(`[name=area-lasts][value=${lasts ? 'yes' : 'no'}]`).checked = true;
  }

  clear() {
    this.isChange = false;
    this.show(null);
    this.name.value = '';
    this.quick.input.checked = this.only.input.checked = false;
    this.whole.input.checked = this.isShapeless;
    this.last(true);
    this.notice.replaceChildren();
    this.update();
  }

  read() { return Object.fromEntries(Object.entries(this.fields).map(([name, {value}]) => [name, value === '' ? NaN : Number(value)])); }

  type() {
    const rectangle = this.read();
    if (!wrongMember(rectangle, this.size)) this.typed(rectangle);
  }

  /** Shows that an action has succeeded. */
  done(title, text) { this.notice.replaceChildren(alert('success', title, text.trim() || null)); }

  fail(title, text, field = null) {
    this.notice.replaceChildren(alert('danger', title, text));
    field?.focus();
  }

  refuse(text, field) { this.fail(_('It was not saved.'), text, field); }

  async send() {
    if (this.isBusy) return;
    const isWhole = this.kind === 'mask' && this.whole.input.checked, rectangle = isWhole ? null : this.read();
    if (this.kind === 'control' && !this.name.value.trim()) return this.refuse(_('Give the control a name.'), this.name);
    const wrong = rectangle && wrongMember(rectangle, this.size);
    if (wrong) {
      return this.refuse(Number.isNaN(rectangle[wrong]) ? _('Draw a rectangle, or type its numbers.')
        : filled(_('$0 leads out of the display, which has $1 × $2 points.'), members[wrong], this.size.width, this.size.height),
      this.fields[wrong]);
    }
    this.busy(true);
    this.notice.replaceChildren(element('p', {text: _('Saving…')}));
    try {
      const isSaved = await this.save({kind: this.kind, rectangle, name: this.kind === 'control' ? this.name.value.trim() : null,
        isOnly: this.only.input.checked && !this.only.label.hidden,
        rage: this.kind === 'control' && this.quick.input.checked ? false : null}, this.lasts);
      if (!isSaved) this.notice.replaceChildren();
    } catch (error) {
      // The file may nevertheless have been changed; the command's message says so.
      this.fail(_('Something went wrong.'), error.message);
    } finally {
      this.busy(false);
    }
  }

  /** Meanwhile the button keeps the focus. */
  busy(isBusy) {
    this.isBusy = isBusy;
    this.submit.setAttribute('aria-disabled', isBusy);
  }
}
