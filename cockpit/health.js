// The kiosk's health: its problems and their remedies, its devices and displays, its store, and its service.

import {ChecksCard} from './health/checks.js';
import {CleaningCard} from './health/cleaning.js';
import {DevicesCard, DisplaysCard} from './health/devices.js';
import {ServiceCard} from './health/service.js';
import {StoreCard} from './health/store.js';
import {element} from './report/elements.js';
import {_, filled, plural} from './text.js';
import {userName} from './user.js';
import {alert, button, card, confirmed} from './widgets.js';

export class Health {
  constructor(daemon, pause) {
    this.daemon = daemon;
    this.pause = pause;
    this.checks = new ChecksCard(daemon);
    this.service = new ServiceCard(() => this.checks.refresh());
    this.asked = [new DevicesCard(daemon), new DisplaysCard(daemon), new StoreCard(daemon)];
    this.at = element('span', {class: 'quiet', role: 'status'});
    this.denied = element('div', {class: 'notices'});
    this.recording = card(_('Recording'), this.pausing = element('div'));
    this.element = element('section', {class: 'health touchgrid-report', 'aria-label': _('Health')},
      element('h2', {class: 'unseen', text: _('Health')}),
      element('div', {class: 'buttons'}, button(_('Refresh'), 'secondary', () => this.refresh(), {'data-action': 'refresh'}), this.at),
      this.denied,
      element('div', {class: 'health-cards'}, this.checks.element, this.service.element, this.recording,
        ...this.asked.map((each) => each.element), new CleaningCard(daemon).element));
    pause.addEventListener('change', () => {
      this.showPause();
      // The daemon may have answered before it noticed the end of the pause's connection.
      setTimeout(() => this.showPause(), 1000);
    });
    daemon.addEventListener('change', () => this.refresh());
  }

  show() {
    if (this.isShown) return;
    this.isShown = true;
    this.service.follow();
    this.refresh();
  }

  hide() {
    this.isShown = false;
    this.service.hide();
  }

  /** Queries everything, once for all calls within one step of the page. */
  refresh() {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      if (this.isShown) this.ask();
    });
  }

  async ask() {
    this.checks.refresh();
    this.service.refresh();
    const {state} = this.daemon, isConnected = state === 'connected';
    for (const each of this.asked) each.element.hidden = !isConnected;
    // A user may be allowed to pause, but not to read.
    this.recording.hidden = !isConnected && state !== 'denied';
    this.denied.replaceChildren();
    const results = await Promise.allSettled([...isConnected ? this.asked.map((each) => each.refresh()) : [],
      ...this.recording.hidden ? [] : [this.showPause()]]);
    const failed = results.find(({status, reason}) => status === 'rejected' && reason.name !== 'Disconnected');
    if (failed) this.denied.replaceChildren(alert('danger', _('The daemon did not answer all questions.'), failed.reason.message));
    this.at.textContent = filled(_('as of $0'), new Date().toLocaleTimeString());
  }

  async showPause() {
    const {pause} = this;
    const status = await this.daemon.call('GetStatus').catch(() => null), pauses = status?.pauses ?? null;
    const others = pauses - (pause.isOn ? 1 : 0);
    const parts = [pause.isOn || pauses ? element('p', {text: _('Recording is paused.')})
      : pauses === 0 ? element('p', {text: recordingWords(status)}) : '',
      pause.isOn
        ? button(_('Resume'), 'primary', () => pause.end(), {'data-action': 'resume'})
        : button(_('Pause until this tab is closed'), 'secondary', () => pause.begin(), {'data-action': 'pause'})];
    if (others > 0) {
      parts.push(element('p', {text: plural('$0 pause of another program holds.', '$0 pauses of other programs hold.', others)}),
        button(_('Resume all'), 'secondary', () => this.resumeAll(), {'data-action': 'resume-all'}));
    }
    if (pause.error) {
      parts.push(alert('danger', _('Recording was not paused.'), pause.error.parameters.group
        ? filled(_('Your user must be a member of the group $0. An administrator adds you with: sudo usermod -aG $0 $1. '
          + 'Then log out of this page, and log in again.'), pause.error.parameters.group, userName())
        : pause.error.name === 'Disconnected' ? _('The daemon does not answer.') : pause.error.message));
    }
    // Do not replace a button while it is pressed: it would not act.
    const content = parts.map((part) => part.outerHTML ?? part).join('');
    if (content === this.content && pause.error === this.error) return;
    [this.content, this.error] = [content, pause.error];
    const focused = this.pausing.contains(document.activeElement);
    this.pausing.replaceChildren(...parts);
    if (focused) this.pausing.querySelector('button')?.focus();
  }

  async resumeAll() {
    if (!await confirmed(_('Other programs have paused recording, and do not expect it to go on. Resume all?'), _('Resume all'))) return;
    // If the daemon refuses, the pause of this page stays. If it agrees, the pause of this page has ended,
    // too.
    await this.daemon.call('Resume', {all: true}).then(() => {
      this.pause.end();
      this.pause.forget();
    }, (error) => this.pause.become({isOn: this.pause.isOn, error}));
    await this.showPause();
  }
}

/** Returns whether touches are recorded, as text. */
function recordingWords({masksEverything, store}) {
  return masksEverything ? _('Every touch is masked: only their number is recorded.')
    : store.error ? _('Recording is not paused, but the store cannot be written.') : _('Touches are recorded.');
}
