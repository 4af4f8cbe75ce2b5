// What `touchgrid doctor` finds.

import {touchgrid} from '../command.js';
import {element} from '../report/elements.js';
import {_} from '../text.js';
import {alert, button, card, printable} from '../widgets.js';

const levels = {ok: _('OK'), warning: _('Warning'), problem: _('Problem')};

export class ChecksCard {
  constructor(daemon) {
    this.daemon = daemon;
    this.list = element('ul', {class: 'checks'});
    this.progress = element('p', {role: 'status', class: 'quiet'});
    this.again = button(_('Check again'), 'secondary', () => this.refresh(), {'data-action': 'check'});
    this.element = card(_('Checks'), this.list, element('div', {class: 'buttons'}, this.again, this.progress));
  }

  async refresh() {
    // What a running check finds may be out of date by now.
    this.isOutdated = this.isBusy;
    if (this.isBusy) return;
    this.isBusy = true;
    // A disabled button would lose the focus.
    this.again.setAttribute('aria-disabled', 'true');
    this.progress.textContent = _('Checking…');
    try {
      const {checks} = JSON.parse(await this.run());
      this.list.replaceChildren(...checks.map(({level, text, hint}) => element('li', {'data-check': level},
        element('span', {class: `level ${level}`, text: levels[level] ?? level}),
        element('div', {}, element('p', {class: 'check-text', text: printable(text), dir: 'auto'}),
          hint ? element('p', {class: 'quiet check-remedy', text: printable(hint)}) : null))));
    } catch (error) {
      this.list.replaceChildren(element('li', {}, alert('danger', _('The checks failed.'), error.message)));
    } finally {
      this.isBusy = false;
      this.again.removeAttribute('aria-disabled');
      this.progress.textContent = this.isLimited ? _('An administrator may see more.') : '';
    }
    if (this.isOutdated) await this.refresh();
  }

  /** An administrator sees more, such as which program has grabbed a device. */
  async run() {
    const words = ['doctor', '--json'], options = {socket: this.daemon.socket, mayFail: true};
    this.isLimited = false;
    try {
      return await touchgrid(words, {...options, isAdministrator: true});
    } catch (error) {
      if (!error.isDenied) throw error;
      this.isLimited = true;
      return touchgrid(words, options);
    }
  }
}
