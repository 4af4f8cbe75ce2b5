// The picture that the kiosk keeps of a screen: upload it, take it from the browser, remove it.

import {touchgrid} from '../command.js';
import {element} from '../report/elements.js';
import {_} from '../text.js';
import {alert, announce, button, card, confirmed} from '../widgets.js';

/** The largest file that the command takes, in bytes. */
const largest = 6 << 20;
const types = ['image/png', 'image/jpeg', 'image/webp'];

export class PictureCard {
  /** `changed` is called when the picture of the screen is another one. */
  constructor(daemon, changed) {
    this.daemon = daemon;
    this.changed = changed;
    this.notice = element('div', {class: 'notices', role: 'status'});
    this.input = element('input', {type: 'file', id: 'picture-file', accept: types.join(','), hidden: true, 'aria-label': _('Picture'),
      onchange: () => this.upload(this.input.files[0])});
    this.take = button(_('Take it from the browser'), 'secondary', () => this.run(['picture', 'take', '--', this.screen]),
      {'data-action': 'take'});
    this.removal = button(_('Remove it'), 'link', () => this.remove(), {'data-action': 'remove-picture'});
    this.element = card(_('Picture of the screen'),
      element('p', {text: _('A screenshot in the shape of the display: PNG, JPEG or WebP. Maps and reports are drawn over it.')}),
      element('div', {class: 'buttons'}, this.input,
        button(_('Upload a picture'), 'secondary', () => this.input.click(), {'data-action': 'upload'}), this.take, this.removal),
      this.notice);
    this.element.addEventListener('dragover', (event) => event.preventDefault());
    this.element.addEventListener('drop', (event) => {
      event.preventDefault();
      this.upload(event.dataTransfer.files[0]);
    });
  }

  show(screen, hasPicture) {
    if (this.screen !== screen) this.notice.replaceChildren();
    this.screen = screen;
    this.removal.hidden = !hasPicture;
  }

  async upload(file) {
    this.input.value = '';
    if (!file) return;
    if (file.size > largest) {
      this.notice.replaceChildren(alert('danger', _('The picture was not saved.'), _('It is larger than 6 MiB.')));
      return;
    }
    await this.run(['picture', 'add', '--', this.screen, '-'], new Uint8Array(await file.arrayBuffer()));
  }

  async remove() {
    if (await confirmed(_('Remove the picture of this screen?'), _('Remove'))) {
      await this.run(['picture', 'remove', '--', this.screen]);
    }
  }

  async run(words, input = null) {
    const {screen} = this;
    this.notice.replaceChildren(element('p', {text: _('Working…')}));
    try {
      await touchgrid(words, {isAdministrator: true, isBinary: input !== null, input, socket: this.daemon.socket});
      this.notice.replaceChildren(element('p', {text: _('Done.')}));
      announce(_('Done.'));
    } catch (error) {
      this.notice.replaceChildren(alert('danger', _('The picture was not changed.'), error.message));
    }
    if (screen === this.screen) this.changed();
  }
}
