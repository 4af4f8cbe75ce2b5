// The service touchgridd: its state, the actions of an administrator, and its log.

import {element} from '../report/elements.js';
import {_, filled} from '../text.js';
import {alert, button, card, confirmed, printable} from '../widgets.js';

const {cockpit} = window;
const unit = 'touchgridd.service';
const properties = ['LoadState', 'ActiveState', 'SubState', 'UnitFileState', 'ActiveEnterTimestamp'];
/** The number of lines of the log that are shown. */
const lines = 20;

const states = {active: _('running'), reloading: _('loading its configuration'), inactive: _('stopped'), failed: _('failed'),
  activating: _('starting'), deactivating: _('stopping')};

/**
 * The actions of an administrator. `isFor`: the states of the unit in which the action is offered.
 */
const actions = {
  start: {title: _('Start'), isFor: (state) => state !== 'active'},
  stop: {title: _('Stop'), isFor: (state) => state === 'active', question: _('No touches are recorded while the service is '
    + 'stopped. Masks and pauses of programs end. Stop it?')},
  restart: {title: _('Restart'), isFor: (state) => state === 'active', question: _('Masks and pauses of programs end. Restart '
    + 'the service?')},
  reload: {title: _('Load the configuration'), isFor: (state) => state === 'active'},
};

export class ServiceCard {
  /** `changed` is called after an action, and when the user gains or loses administrator's rights. */
  constructor(changed) {
    this.changed = changed;
    this.permission = cockpit.permission({admin: true});
    this.permission.addEventListener('changed', () => this.permitted());
    this.state = element('p', {'data-service-state': 'unknown'});
    this.boot = element('p', {class: 'quiet'});
    this.actions = element('div', {class: 'buttons'});
    this.notice = element('div', {class: 'notices', role: 'status'});
    this.emptyLog = element('p', {class: 'quiet', text: _('The log is empty, or your user may not read it: click "Limited access" at the '
      + 'top of Cockpit.')});
    this.log = element('ol', {class: 'log', tabindex: '0', role: 'region', 'aria-label': _('Newest lines of the log')});
    this.element = card(_('Service'), this.state, this.boot, this.actions, this.notice,
      element('h3', {text: _('Log')}), this.emptyLog, this.log,
      element('div', {class: 'buttons'},
        button(_('All of the log'), 'link', () => cockpit.jump(`/system/logs#/?prio=debug&service=${unit}`)),
        button(_('Service in Cockpit'), 'link', () => cockpit.jump(`/system/services#/${unit}`))));
  }

  async refresh() {
    let found = {};
    try {
      const text = await cockpit.spawn(['systemctl', 'show', `--property=${properties}`, unit], {err: 'message'});
      found = Object.fromEntries(text.trim().split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
    } catch (error) {
      this.state.dataset.serviceState = 'unknown';
      this.state.textContent = filled(_('systemd does not say how the service is: $0'), printable((error.message ?? '').split('\n')[0]));
      this.actions.replaceChildren();
      this.offeredFor = null;
      return;
    }
    this.followState();
    const state = found.LoadState === 'not-found' ? 'missing' : found.ActiveState;
    // Errors of an earlier state no longer apply.
    if (state !== this.state.dataset.serviceState) this.notice.replaceChildren();
    this.state.dataset.serviceState = state;
    this.state.textContent = state === 'missing' ? _('There is no touchgridd.service: sudo apt install touchgrid.')
      : filled(found.ActiveEnterTimestamp && state === 'active' ? _('The service is $0, since $1.') : _('The service is $0.'),
        states[state] ?? state, found.ActiveEnterTimestamp);
    this.boot.textContent = found.UnitFileState === 'enabled' ? _('It starts with the machine.')
      : state === 'missing' ? '' : _('It does not start with the machine.');
    // Do not replace a button while it is pressed: it would not act.
    const offeredFor = `${state} ${found.UnitFileState}`;
    if (offeredFor === this.offeredFor) return;
    this.offeredFor = offeredFor;
    const offered = Object.entries(actions).filter(([, {isFor}]) => state !== 'missing' && isFor(state));
    const focused = this.actions.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.actions.replaceChildren(...offered.map(([name, {title}]) => button(title, name === 'start' ? 'primary' : 'secondary',
      () => this.act(name), {'data-action': name})),
    ...state === 'missing' ? [] : [found.UnitFileState === 'enabled'
      ? button(_('Do not start with the machine'), 'link', () => this.act('disable'), {'data-action': 'disable'})
      : button(_('Start with the machine'), 'link', () => this.act('enable'), {'data-action': 'enable'})]);
    if (focused) (this.actions.querySelector(`[data-action=${focused}]`) ?? this.actions.firstElementChild)?.focus();
  }

  async act(name) {
    const {question} = actions[name] ?? {};
    if (question && !await confirmed(question, actions[name].title)) return;
    this.notice.replaceChildren(element('p', {text: _('Working…')}));
    try {
      await cockpit.spawn(['systemctl', name, unit], {superuser: 'require', err: 'message'});
      this.notice.replaceChildren();
    } catch ({problem, message}) {
      this.notice.replaceChildren(alert('danger', _('systemd did not do it.'), problem === 'access-denied'
        ? _('This needs administrative access. Click "Limited access" at the top of Cockpit.') : printable(message ?? problem)));
    }
    await this.refresh();
    this.changed();
  }

  /** Follows the log and the state. */
  follow() {
    if (this.journal) return;
    this.showLog();
    let rest = '';
    const journal = cockpit.spawn(['journalctl', `--unit=${unit}`, '--output=json', '--follow', `--lines=${lines}`, '--quiet'],
      {superuser: 'try', err: 'message'});
    this.journal = journal;
    journal.stream((data) => {
      const parts = (rest + data).split('\n');
      rest = parts.pop();
      for (const line of parts) this.add(line);
      this.soon();
    }).catch(({problem, message}) => {
      if (problem !== 'cancelled') this.showLog(element('li', {text: printable(message ?? problem ?? '')}));
    });
  }

  /** systemd reports changes over D-Bus. */
  followState() {
    if (this.systemd || !this.journal) return;
    const systemd = cockpit.dbus('org.freedesktop.systemd1', {bus: 'system'});
    this.systemd = systemd;
    systemd.subscribe({path: `/org/freedesktop/systemd1/unit/${unit.replace('.', '_2e')}`,
      interface: 'org.freedesktop.DBus.Properties', member: 'PropertiesChanged'}, () => this.soon());
    systemd.call('/org/freedesktop/systemd1', 'org.freedesktop.systemd1.Manager', 'Subscribe', []).catch(() => {});
  }

  /** An administrator sees more lines of the log than other users. */
  permitted() {
    const before = this.isAdministrator;
    this.isAdministrator = this.permission.allowed;
    if (typeof before !== 'boolean' || before === this.isAdministrator || !this.journal) return;
    this.hide();
    this.follow();
    this.changed();
  }

  showLog(...entries) {
    this.log.replaceChildren(...entries);
    this.log.hidden = !entries.length;
    this.emptyLog.hidden = Boolean(entries.length);
  }

  add(line) {
    let entry;
    try { entry = JSON.parse(line); } catch { return; }
    if (entry === null || typeof entry !== 'object') return;
    // journald encodes a text that is not UTF-8 as a list of bytes.
    const text = Array.isArray(entry.MESSAGE) ? new TextDecoder().decode(Uint8Array.from(entry.MESSAGE)) : entry.MESSAGE;
    const time = new Date(Number(entry.__REALTIME_TIMESTAMP) / 1000);
    const when = Number.isNaN(time.getTime()) ? null
      : element('time', {datetime: time.toISOString(), text: time.toLocaleTimeString()});
    this.log.hidden = false;
    this.emptyLog.hidden = true;
    this.log.append(element('li', {class: Number(entry.PRIORITY) <= 4 ? 'grave' : null},
      when, ' ', printable(String(text ?? ''))));
    while (this.log.children.length > lines) this.log.firstElementChild.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Queries the state, once for all events within 300 ms. */
  soon() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.refresh();
    }, 300);
  }

  hide() {
    clearTimeout(this.timer);
    this.timer = null;
    this.systemd?.close();
    this.journal?.close('cancelled');
    this.systemd = this.journal = null;
  }
}
