// The start without a configuration: the owner first draws masks, and then starts the recording.

import {element, foreign} from '../report/elements.js';
import {_} from '../text.js';
import {alert, button} from '../widgets.js';
import {placeWords} from './rectangle.js';

/** The name of the screen until the app names one. */
const unnamed = 'default';

export class Start {
  /** `begin` is called to start the recording. */
  constructor(begin) {
    this.none = element('input', {type: 'checkbox', id: 'no-secrets', onchange: () => this.update()});
    this.unnamed = element('input', {type: 'checkbox', id: 'mask-unnamed', checked: true});
    this.go = button(_('Begin to record'), 'primary', begin, {'data-action': 'begin'});
    this.element = element('div', {class: 'notices'});
  }

  /** Shows the drawn masks, if `isNeeded`. */
  show(isNeeded, masks) {
    this.masks = masks;
    this.update();
    if (!isNeeded) return this.element.replaceChildren();
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    this.element.replaceChildren(alert('warning', _('Nothing is recorded yet. Mask first.'), element('div', {},
      element('p', {text: _('Draw a mask over each place where people type secrets, such as a PIN, on each screen. Until the '
        + 'app names a screen, it is "default". Then begin to record.')}),
      masks.length ? element('ul', {}, ...masks.map(({screen, display, rectangle}) => element('li', {}, foreign(screen), ': ',
        placeWords(rectangle), ...display === null ? [] : [' · ', foreign(display)])))
        : element('label', {class: 'tick'}, this.none, element('span', {text: _('No screen takes secrets')})),
      this.asks ? element('label', {class: 'tick'}, this.unnamed, element('span', {
        text: _('Also mask every touch until the app names a screen')})) : null), this.go));
    if (focused?.isConnected) focused.focus();
  }

  /** Whether to ask for a mask of the unnamed screen. If the app names no screens, it is the only one. */
  get asks() { return this.masks.length > 0 && !this.masks.some(({screen}) => screen === unnamed); }

  /** Returns the masks to begin with. */
  get chosen() {
    return [...this.masks, ...this.asks && this.unnamed.checked
      ? [{kind: 'mask', screen: unnamed, display: null, rectangle: null}] : []];
  }

  set isBusy(isBusy) {
    this.works = isBusy;
    this.update();
  }

  update() { this.go.disabled = Boolean(this.works) || (!this.masks.length && !this.none.checked); }
}
