// Closing the screen for a while, so that it can be wiped.

import {touchgrid} from '../command.js';
import {element, selection} from '../report/elements.js';
import {_, filled, plural} from '../text.js';
import {alert, button, card, confirmed} from '../widgets.js';

/** The times that are offered, in minutes. */
const times = [1, 2, 5];

export class CleaningCard {
  constructor(daemon) {
    this.daemon = daemon;
    this.minutes = times[0];
    this.process = null;
    this.notice = element('div', {class: 'notices', role: 'status'});
    this.element = card(_('Cleaning'),
      element('p', {text: _('The app gets no touch while the screen is wiped. A clock on the screen shows how long that takes.')}),
      element('div', {class: 'buttons'},
        selection(_('Time'), [{options: times.map((each) => [String(each), plural('$0 minute', '$0 minutes', each)])}],
          String(this.minutes), (value) => { this.minutes = Number(value); }, {class: 'cleaning-time'}),
        button(_('Clean the screen'), 'secondary', () => this.clean(), {'data-action': 'clean'})),
      this.notice);
  }

  async clean() {
    const {minutes} = this;
    if (this.process || !await confirmed(plural('Nobody can use the screen for $0 minute. Clean it now?',
      'Nobody can use the screen for $0 minutes. Clean it now?', minutes), _('Clean the screen'))) return;
    const end = new Date(Date.now() + 60_000 * minutes).toLocaleTimeString();
    this.notice.replaceChildren(alert('info', filled(_('The screen takes touches again at $0.'), end), null,
      // The command ends with a line of input.
      button(_('End it now'), 'secondary', () => this.process?.input('\n', true), {'data-action': 'end-cleaning'})));
    try {
      const output = await touchgrid(['clean', `${minutes}m`, '--json'], {isAdministrator: true, socket: this.daemon.socket,
        started: (process) => { this.process = process; }});
      this.notice.replaceChildren(verdict(JSON.parse(output)));
    } catch (error) {
      this.notice.replaceChildren(alert('danger', _('The screen was not cleaned.'), error.message));
    } finally {
      this.process = null;
    }
  }
}

/** Returns what the wipe has shown of the panel, as an alert. */
function verdict({isComplete, deadLines}) {
  const count = deadLines.reduce((sum, {first, last}) => sum + last - first + 1, 0);
  if (count) {
    return alert('warning', plural('$0 line of the panel sensed nothing of the wipe.',
      '$0 lines of the panel sensed nothing of the wipe.', count), _('This tests the panel: sudo touchgrid panel test'));
  }
  return alert('success', _('The screen takes touches again.'), isComplete ? _('All of it sensed the wipe.')
    : _('The wipe left out too much of it to test it.'));
}
