// The picture that the kiosk keeps of a screen: upload it, remove it.

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
    this.choice = button(_('Upload a picture'), 'secondary', () => this.input.click(), {'data-action': 'upload'});
    this.removal = button(_('Remove it'), 'link', () => this.remove(), {'data-action': 'remove-picture'});
    this.element = card(_('Picture of the screen'),
      element('p', {text: _('A screenshot in the shape of the display: PNG, JPEG or WebP. Maps and reports are drawn over it.')}),
      element('div', {class: 'buttons'}, this.input,
        this.choice, this.removal),
      this.notice);
    this.receives(this.element);
  }

  /** Takes files that are dropped on an element. */
  receives(target) {
    target.addEventListener('dragover', (event) => event.preventDefault());
    target.addEventListener('drop', (event) => {
      event.preventDefault();
      this.upload(event.dataTransfer.files[0]);
    });
  }

  /**
   * Shows what there is of a screen. `entries`: as `picture list --json` lists them. `size`: that of the display, such as
   * `800x1280`. `isForSize`: new pictures are for displays of this size only.
   */
  show(screen, entries, size, isForSize) {
    if (this.screen !== screen) this.notice.replaceChildren();
    Object.assign(this, {screen, size, isForSize});
    // The command shows the one for the size of the display, or else the one for all.
    this.kept = entries.find((entry) => entry.screen === screen && entry.size === size)
      ?? entries.find((entry) => entry.screen === screen && !entry.size) ?? null;
    const hadFocus = document.activeElement === this.removal;
    this.removal.hidden = !this.kept;
    if (hadFocus && !this.kept) this.choice.focus();
  }

  sized(isSized) { return isSized ? [`--size=${this.size}`] : []; }

  async upload(file) {
    if (!file) return;
    if (file.size > largest) {
      this.notice.replaceChildren(alert('danger', _('The picture was not saved.'), _('It is larger than 6 MiB.')));
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.input.value = '';
    await this.run(['picture', 'add', ...this.sized(this.isForSize), '--', this.screen, '-'], bytes);
  }

  async remove() {
    if (await confirmed(_('Remove the picture of this screen?'), _('Remove'))) {
      await this.run(['picture', 'remove', ...this.sized(this.kept.size), '--', this.screen]);
    }
  }

  async run(words, input = null) {
    this.notice.replaceChildren(element('p', {text: _('Working…')}));
    try {
      await touchgrid(words, {isAdministrator: true, isBinary: input !== null, input, socket: this.daemon.socket});
      this.notice.replaceChildren(element('p', {text: _('Done.')}));
      announce(_('Done.'));
    } catch (error) {
      this.notice.replaceChildren(alert('danger', _('The picture was not changed.'), error.message));
    }
    this.changed();
  }
}
