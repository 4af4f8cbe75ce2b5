// The page: its tabs, the state of the daemon, and the view that is shown.

import {Areas} from './areas.js';
import {Daemon} from './connection.js';
import {Health} from './health.js';
import {Live} from './live.js';
import {Pause} from './pause.js';
import {element} from './report/elements.js';
import {Screens} from './screens.js';
import {_, filled} from './text.js';
import {followTheme} from './theme.js';
import {userName, whoIsIt} from './user.js';
import {alert, button} from './widgets.js';

const {cockpit} = window;

/**
 * The views. A view has `element`, `show(path)`, `hide()`, and `refresh()`, which is called when the
 * daemon is connected again.
 */
const views = {
  live: {title: _('Live'), make: (daemon) => new Live(daemon)},
  screens: {title: _('Report'), make: (daemon) => new Screens(daemon)},
  areas: {title: _('Masks and controls'), make: (daemon) => new Areas(daemon)},
  health: {title: _('Health'), make: (daemon, pause) => new Health(daemon, pause), needsNoRole: true},
};

class Page {
  constructor(root) {
    this.root = root;
    this.daemon = new Daemon();
    this.pause = new Pause(this.daemon);
    this.tabs = element('ul', {class: 'tabs'}, ...Object.entries(views).map(([name, {title}]) =>
      element('li', {'data-view': name}, element('a', {href: `#/${name}`, text: title}))));
    this.state = element('div', {class: 'state', role: 'status', 'aria-live': 'polite'});
    this.body = element('div', {class: 'body'});
    root.append(element('h1', {class: 'unseen', text: _('Touchscreen')}),
      element('nav', {'aria-label': _('Views')}, this.tabs),
      this.state, this.body, element('div', {class: 'unseen', role: 'status', 'aria-live': 'polite', id: 'said'}));
    this.made = {};
    cockpit.addEventListener('locationchanged', () => this.navigate());
    cockpit.addEventListener('visibilitychange', () => cockpit.hidden ? this.view?.hide() : this.view?.show(this.path));
    this.daemon.addEventListener('change', () => this.update());
    this.pause.addEventListener('change', () => this.showState());
  }

  start() {
    this.update();
    this.navigate();
    this.daemon.connect();
  }

  navigate() {
    const [name, ...path] = cockpit.location.path;
    if (!Object.hasOwn(views, name ?? '')) return cockpit.location.replace(['live']);
    const view = this.made[name] ??= views[name].make(this.daemon, this.pause);
    this.path = path;
    for (const tab of this.tabs.children) {
      const isCurrent = tab.dataset.view === name;
      if (isCurrent) tab.firstChild.setAttribute('aria-current', 'page');
      else tab.firstChild.removeAttribute('aria-current');
    }
    if (this.view !== view) {
      this.view?.hide();
      this.view = view;
      this.name = name;
    }
    this.place();
  }

  /** Shows the current view if the user may see it. */
  place() {
    const {state} = this.daemon;
    const isShown = this.view && (state === 'connected' || (views[this.name].needsNoRole && state !== 'connecting'));
    // A view that is removed and inserted again loses the press of a button, and the focus.
    const wanted = isShown ? this.view.element : null;
    if (this.body.firstChild !== wanted) this.body.replaceChildren(...wanted ? [wanted] : []);
    if (isShown && !cockpit.hidden) this.view.show(this.path);
    else this.view?.hide();
  }

  showState() {
    const parts = [...stateAlert(this.daemon), ...pauseAlert(this.pause)];
    // Do not replace a button while it is pressed: it would not act.
    const content = parts.map((part) => part.outerHTML).join('');
    if (content === this.content) return;
    this.content = content;
    const isFocused = this.state.contains(document.activeElement);
    this.state.replaceChildren(...parts);
    if (isFocused) (this.state.querySelector('button') ?? this.root).focus();
  }

  update() {
    const {state} = this.daemon;
    this.root.dataset.state = state;
    this.showState();
    if (this.view) this.place();
    if (state === 'connected') this.view?.refresh();
  }
}

/** Returns the banner for a pause of recording by this page, also if such a pause was broken. */
function pauseAlert(pause) {
  if (pause.isOn) {
    // Cockpit keeps a page and its connections while it shows another page.
    return [alert('info', _('You have paused recording.'), _('It goes on when you resume, log out, or close the tab of your '
      + 'browser. It stays paused while you look at other pages of Cockpit.'),
    button(_('Resume'), 'secondary', () => pause.end()))];
  }
  if (pause.isBroken) {
    return [alert('warning', _('Your pause has ended.'), _('The daemon was stopped, or another program resumed recording. '
      + 'Touches are recorded while the daemon runs.'), button(_('Understood'), 'secondary', () => pause.forget()))];
  }
  return [];
}

/**
 * Returns the alert about the state of the daemon, with the possible actions; an empty list if all is
 * well.
 */
function stateAlert({state, denial}) {
  switch (state) {
    case 'denied': return [alert('warning', _('You may not see what this kiosk records.'),
      denial.group
        ? filled(_('Your user must be a member of the group $0. An administrator adds you with: sudo usermod -aG $0 $1. '
          + 'Then log out of this page, and log in again.'), denial.group, userName())
        : _('The configuration gives the role "read" to no group, so only root may see it. Name a group in [roles] of '
          + '/etc/touchgrid/touchgridd.toml.'))];
    case 'silent': return [alert('warning', _('The daemon does not answer yet.'), _('It is busy, or the connection is slow. '
      + 'This page waits for it.'))];
    case 'full': return [alert('warning', _('The daemon has no room for another connection.'), _('Your user has as many as it '
      + 'may. Close other pages and programs. Touches are recorded all the same. This page tries again.'))];
    case 'stopped': return [alert('warning', _('The daemon does not answer.'),
      _('No touches are recorded while touchgridd is stopped. This page tries again until it is back. Under Health you '
        + 'can start it, and see its log.'))];
    case 'missing': return [alert('danger', _('Touchgrid is not installed.'),
      _('There is no service touchgridd.service on this machine. Install the package touchgrid: sudo apt install '
        + 'touchgrid.'))];
    default: return [];
  }
}

whoIsIt().then(() => page.showState());

followTheme();
document.title = _('Touchscreen');
const page = new Page(document.getElementById('touchgrid'));
cockpit.transport.wait(() => page.start());
