// The findings of `touchgrid doctor`.

import {touchgrid} from '../command.js';
import {element} from '../report/elements.js';
import {_, plural} from '../text.js';
import {alert, button, card, printable} from '../widgets.js';

const levels = {ok: _('OK'), warning: _('Warning'), problem: _('Problem')};

export class ChecksCard {
  constructor(daemon) {
    this.daemon = daemon;
    this.verdict = element('div', {class: 'notices', role: 'status'});
    this.list = element('ul', {class: 'checks'});
    this.passed = element('ul', {class: 'checks'});
    this.passedTitle = element('summary');
    this.passedPart = element('details', {hidden: true}, this.passedTitle, this.passed);
    this.progress = element('p', {role: 'status', class: 'quiet'});
    this.again = button(_('Check again'), 'secondary', () => this.refresh(), {'data-action': 'check'});
    this.element = card(_('Checks'), this.verdict, this.list, this.passedPart, element('div', {class: 'buttons'}, this.again, this.progress));
  }

  async refresh() {
    // The findings of a running check may already be out of date.
    this.isOutdated = this.isBusy;
    if (this.isBusy) return;
    this.isBusy = true;
    // Do not disable the button: it would lose the focus.
    this.again.setAttribute('aria-disabled', 'true');
    this.progress.textContent = _('Checking…');
    try {
      this.tell(JSON.parse(await this.run()).checks);
    } catch (error) {
      this.verdict.replaceChildren(alert('danger', _('The checks failed.'), error.message));
      this.show([], []);
    } finally {
      this.isBusy = false;
      this.again.removeAttribute('aria-disabled');
      this.progress.textContent = this.isLimited ? _('An administrator may see more.') : '';
    }
    if (this.isOutdated) await this.refresh();
  }

  /** Shows the problems first, or that there are none. */
  tell(checks) {
    const passed = checks.filter(({level}) => level === 'ok'), found = checks.filter(({level}) => level !== 'ok');
    const problems = found.filter(({level}) => level === 'problem').length;
    this.verdict.replaceChildren(problems
      ? alert('danger', plural('$0 problem was found.', '$0 problems were found.', problems))
      : found.length ? alert('warning', plural('$0 thing needs a look.', '$0 things need a look.', found.length))
        : alert('success', _('All is well.')));
    this.show(found, passed);
  }

  show(found, passed) {
    const line = ({level, text, hint}) => element('li', {'data-check': level},
      element('span', {class: `level ${level}`, text: levels[level] ?? level}),
      element('div', {}, element('p', {class: 'check-text', text: printable(text), dir: 'auto'}),
        hint ? element('p', {class: 'quiet check-remedy', text: printable(hint)}) : null));
    this.list.replaceChildren(...found.map(line));
    this.passed.replaceChildren(...passed.map(line));
    this.passedTitle.textContent = plural('$0 check passed', '$0 checks passed', passed.length);
    this.passedPart.hidden = !passed.length;
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
