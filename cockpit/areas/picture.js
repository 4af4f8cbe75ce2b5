// The kiosk's picture of a screen: upload it, take it from the kiosk's browser, remove it.

import {touchgrid} from '../command.js';
import {decoded, fits} from '../pictures.js';
import {element} from '../report/elements.js';
import {_, filled} from '../text.js';
import {alert, button, card, confirmed} from '../widgets.js';

/** The largest file that the command accepts, in bytes. */
const largest = 6 << 20;
const types = ['image/png', 'image/jpeg', 'image/webp'];

export class PictureCard {
  /** `changed` is called when the picture of the screen has changed. */
  constructor(daemon, changed) {
    this.daemon = daemon;
    this.changed = changed;
    this.notice = element('div', {class: 'notices', role: 'status'});
    this.input = element('input', {type: 'file', id: 'picture-file', accept: types.join(','), hidden: true, 'aria-label': _('Picture'),
      onchange: () => this.upload(this.input.files[0])});
    this.choice = button(_('Upload a picture'), 'secondary', () => this.input.click(), {'data-action': 'upload'});
    this.taking = button(_('Take it from the browser'), 'secondary', () => this.take(), {'data-action': 'take-picture'});
    this.removal = button(_('Remove it'), 'link', () => this.remove(), {'data-action': 'remove-picture'});
    this.element = card(_('Picture of the screen'),
      element('p', {text: _('A screenshot in the shape of the display: PNG, JPEG or WebP. Maps and reports are drawn over it.')}),
      element('div', {class: 'buttons'}, this.input,
        this.choice, this.taking, this.removal),
      this.notice);
    this.receives(this.element);
  }

  /** Accepts files that are dropped on an element. */
  receives(target) {
    target.addEventListener('dragover', (event) => event.preventDefault());
    target.addEventListener('drop', (event) => {
      event.preventDefault();
      this.upload(event.dataTransfer.files[0]);
    });
  }

  /**
   * Shows the pictures of a screen. `entries`: as `picture list --json` lists them. `geometry`: that of the display.
   * `displays`: the number of displays.
   */
  show(screen, entries, geometry, displays) {
    if (this.screen !== screen) this.notice.replaceChildren();
    const [width, height] = [geometry.width, geometry.height].map(Math.round), own = entries.filter((entry) => entry.screen === screen);
    Object.assign(this, {screen, geometry, displays, size: [width, height].join('x')});
    // Prefer a picture for the size of the display to one for all sizes.
    this.kept = own.find((entry) => entry.size?.width === width && entry.size.height === height)
      ?? own.find((entry) => !entry.size) ?? null;
    const hadFocus = document.activeElement === this.removal;
    this.removal.hidden = !this.kept;
    if (hadFocus && !this.kept) this.choice.focus();
  }

  sized(isSized) { return isSized ? ['--size', this.size] : []; }

  refuse(text) { this.notice.replaceChildren(alert('danger', _('The picture was not saved.'), text)); }

  async upload(file) {
    if (!file) return;
    // Keep these values: the user may choose another screen meanwhile.
    const {screen, geometry, displays, kept} = this, sized = this.sized(displays > 1);
    if (file.size > largest) return this.refuse(_('It is larger than 6 MiB.'));
    if (kept && !await confirmed(_('Replace the picture of this screen?'), _('Replace'))) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.input.value = '';
    // The command knows the size of the display only if the screen was shown there. If the image cannot be decoded
    // here, the command explains why.
    const image = (await decoded(bytes).catch(() => null))?.image;
    if (image && displays && !fits(image, geometry)) {
      return this.refuse(filled(_('It has $0 × $1 pixels, which is not the shape of the display: $2 × $3.'), image.naturalWidth,
        image.naturalHeight, geometry.width, geometry.height));
    }
    // If there are several displays, each may have its own picture.
    await this.run(['picture', 'add', ...sized, '--', screen, '-'], _('The picture is kept.'), bytes);
  }

  /**
   * Takes a picture of the screen that the kiosk shows now. The command refuses if that is another screen, or has a
   * mask.
   */
  async take() {
    const words = ['picture', 'take', ...this.sized(this.displays > 1), '--', this.screen];
    if (await confirmed(_('Take a picture of what the kiosk shows now? It shows what people have entered.'), _('Take it'))) {
      await this.run(words, _('The picture is kept.'));
    }
  }

  async remove() {
    const words = ['picture', 'remove', ...this.sized(this.kept.size), '--', this.screen];
    if (await confirmed(_('Remove the picture of this screen?'), _('Remove'))) {
      await this.run(words, _('The picture is removed.'));
    }
  }

  async run(words, done, input = null) {
    this.notice.replaceChildren(element('p', {text: _('Working…')}));
    try {
      await touchgrid(words, {isAdministrator: true, isBinary: input !== null, input, socket: this.daemon.socket});
      this.notice.replaceChildren(element('p', {text: done}));
    } catch (error) {
      this.notice.replaceChildren(alert('danger', _('The picture was not changed.'), error.message));
    }
    this.changed();
  }
}
