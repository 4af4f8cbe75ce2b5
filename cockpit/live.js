// The live view: moving fingers over the map of the screen, which is updated as people touch.

import {Delay} from './delay.js';
import {pictureOf} from './pictures.js';
import {element, segments, selection} from './report/elements.js';
import {layerNames, layerSays, valueNames, whole} from './report/numbers.js';
import {ScreenSection} from './report/screen.js';
import {isSame, Sums} from './sums.js';
import {spans} from './spans.js';
import {_, filled, plural} from './text.js';
import {userName} from './user.js';
import {alert, button} from './widgets.js';

const {cockpit} = window;

/**
 * The delay in ms from the end of a touch to the query for the map. Until then, a late name of the screen may arrive.
 */
const afterTouch = 350;
/** The shortest time between two queries for the map, in ms. */
const betweenQueries = 1000;
/** The number of queries for the map if an ended touch is not counted yet. */
const attempts = 4;
/**
 * The interval in ms at which the page checks whether a pause has ended, and at which it tries again after an error.
 */
const betweenLooks = 5000;
/** The time in ms for which an ended touch fades; the same as in touchgrid.css. */
const fading = 350;

export class Live {
  constructor(daemon) {
    this.daemon = daemon;
    this.settings = {choice: 'live', layer: 'taps', value: 'sum', scale: 'log', showsUntouched: false,
      showsControls: false, isSmooth: false};
    this.span = 'today';
    this.displays = [];
    this.touches = new Map();
    this.generation = 0;
    // Separate notices for the role of the user, the state of recording, and errors.
    this.roleNotice = element('div', {class: 'notices'});
    this.stateNotice = element('div', {class: 'notices'});
    this.problem = element('div', {class: 'notices'});
    this.ageNumber = element('span', {'aria-hidden': 'true'});
    this.age = element('p', {class: 'age'});
    this.resizing = new ResizeObserver(() => this.draw());
    this.delay = new Delay(daemon, (text) => this.showAge(text));
    this.place = element('div', {class: 'live-map'});
    this.displayChoice = element('div', {class: 'display-choice', hidden: true});
    this.figures = Object.fromEntries(['touches', 'sessions', 'masked'].map((name) =>
      [name, element('strong', {'data-figure': name, text: '–'})]));
    this.at = element('span', {class: 'quiet', 'data-figure': 'at'});
    this.sessionsName = element('span', {text: _('sessions')});
    const figure = (name, text, title) => element('div', {class: 'figure', title},
      this.figures[name], typeof text === 'string' ? element('span', {text}) : text);
    this.element = element('section', {class: 'live touchgrid-report', 'aria-label': _('Live touches')},
      element('h2', {class: 'unseen', text: _('Live touches')}),
      this.roleNotice, this.stateNotice, this.problem,
      element('div', {class: 'live-head'}, this.displayChoice,
        element('div', {class: 'figures'},
          figure('touches', _('touches counted here')), figure('sessions', this.sessionsName),
          figure('masked', _('masked in this session'), _('Touches in masks. Their places are not recorded.'))),
        element('div', {role: 'status'}, this.age)),
      this.settingsBar(), this.place,
      element('p', {id: 'map-keys', class: 'unseen', text: _('Arrow keys move from block to block, with Shift by five blocks; '
        + 'Escape leaves the map.')}));
    this.showAge(null);
  }

  // ---- Showing and hiding

  show() {
    if (this.isShown || this.daemon.state !== 'connected') return;
    this.isShown = true;
    this.watch();
  }

  hide() {
    this.isShown = false;
    this.stream?.close();
    this.stream = null;
    this.clearTouches();
    clearTimeout(this.timer);
    clearTimeout(this.again);
    this.timer = null;
    this.delay.stop();
  }

  /** Called when the daemon is connected again. */
  refresh() {
    if (this.isShown || !this.element.isConnected || cockpit.hidden) return;
    this.show();
  }

  watch() {
    clearTimeout(this.again);
    this.delay.reset();
    this.isNew = true;
    this.stream = this.daemon.stream('WatchTouches', {}, (frame) => this.receive(frame), (error) => this.ended(error));
  }

  ended(error) {
    this.stream = null;
    this.clearTouches();
    this.delay.stop();
    if (!this.isShown || !error) return;
    if (error.name === 'NotPermitted') {
      this.roleNotice.replaceChildren(alert('info', _('You see the map, but not the fingers.'), error.parameters.group
        ? filled(_('Live touches are for members of the group $0. They may reveal a PIN, unless its keypad is masked. '
          + 'An administrator adds you with: sudo usermod -aG $0 $1. Then log in again.'), error.parameters.group, userName())
        : _('The configuration gives the role "watch" to no group, so only root sees live touches.')));
      this.showMapOnly();
    } else if (error.name === 'Disconnected') {
      // The page reconnects to the daemon, and then shows this view again.
      this.isShown = false;
      if (this.daemon.state === 'connected') this.again = setTimeout(() => this.refresh(), betweenQueries);
    } else {
      // The daemon ends the call, for example, if the page is too slow.
      if (error.name !== 'TooSlow') this.showProblem(error);
      this.again = setTimeout(() => this.watch(), error.name === 'TooSlow' ? 0 : betweenLooks);
    }
  }

  /** Shows the map without fingers to a user who may read but not watch. */
  async showMapOnly() {
    try {
      const {displays} = await this.daemon.call('GetDisplays');
      if (this.isShown) this.setDisplays(displays, true);
    } catch (error) {
      this.showProblem(error);
    }
  }

  // ---- Frames of touches

  receive({atUs, touches, displays}) {
    // If the view was hidden, the map may be old.
    if (displays) this.setDisplays(displays, this.isNew);
    if (this.isNew) {
      this.roleNotice.replaceChildren();
      // A touch that has just ended may not be counted yet.
      this.isExpecting = 1;
    }
    this.isNew = false;
    for (const touch of touches) {
      if (touch.phase === 'ended' || touch.phase === 'cancelled') this.lift(touch);
      else if (touch.display === this.display?.name) this.touches.set(touch.id, touch);
    }
    this.delay.received(atUs, this.touches.size > 0);
    this.draw();
  }

  lift(touch) {
    if (!this.touches.delete(touch.id) && touch.display !== this.display?.name) return;
    this.expect();
    const bubble = this.bubbles?.get(touch.id);
    if (!bubble) return;
    this.bubbles.delete(touch.id);
    bubble.classList.add('ended');
    setTimeout(() => bubble.remove(), fading);
  }

  /** Draws the fingers at the next frame of the screen, once for all messages before it. */
  draw() {
    if (this.isDrawing || !this.section) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      if (!this.section || !this.display) return;
      const {width, height} = this.display.geometry, {clientWidth, clientHeight} = this.layer;
      for (const [id, {point}] of this.touches) {
        let bubble = this.bubbles.get(id);
        if (!bubble) {
          bubble = element('div', {class: 'bubble'});
          this.bubbles.set(id, bubble);
          this.layer.append(bubble);
        }
        bubble.style.transform = `translate(${point.x / width * clientWidth}px, ${point.y / height * clientHeight}px)`;
      }
    });
  }

  clearTouches() {
    this.touches.clear();
    this.bubbles?.clear();
    this.layer?.replaceChildren();
  }

  /** `text`: the age of the touches; null if it is negligible. Screen readers announce only that the view is late. */
  showAge(text) {
    if (text) this.ageNumber.textContent = text;
    if (Boolean(text) === (this.age.children.length > 0)) return;
    this.age.replaceChildren(...text ? [element('span', {text: `${_('Slow connection: you see touches of the past.')} `}),
      this.ageNumber] : []);
  }

  // ---- The display and its screen

  /** `asks`: queries the map even if the same screen is shown. */
  setDisplays(displays, asks = false) {
    const names = displays.map(({name}) => name), isOther = names.join('\n') !== this.displays.map(({name}) => name).join('\n');
    this.displays = displays;
    this.displayChoice.hidden = names.length < 2;
    const display = displays.find(({name}) => name === this.display?.name) ?? displays[0] ?? null;
    if (names.length > 1 && isOther) {
      this.displayChoice.replaceChildren(selection(_('Display'), [{options: names.map((name) => [name, name])}],
        display.name, (name) => this.choose(this.displays.find((each) => each.name === name)), {id: 'display'}));
    }
    this.choose(display, asks);
  }

  choose(display, asks = false) {
    const old = this.display;
    this.display = display;
    if (!display) {
      this.clearTouches();
      this.generation += 1;
      this.section?.remove();
      this.section = null;
      this.place.replaceChildren(element('p', {class: 'notice',
        text: _('The daemon reads no touchscreen. Health says why.')}));
      return;
    }
    const isSamePlace = old && old.name === display.name && isSame(old.geometry, display.geometry);
    if (!isSamePlace) this.clearTouches();
    if (this.section && isSamePlace && old.screen === display.screen) {
      if (asks) this.update();
      return;
    }
    this.grid = null;
    this.build(null);
    this.update();
    this.illustrate(display);
  }

  /** Builds the map of the screen, over its picture if there is one. Keeps the fingers that are down. */
  build(screenshot) {
    const {screen, name, geometry} = this.display;
    this.section?.remove();
    const shown = {screen, display: name, geometry, maps: {}, controls: [], spots: [], screenshot, remark: null};
    this.section = new ScreenSection(shown, 'live', this.settings);
    this.section.canvas.classList.add('heat');
    this.layer = element('div', {class: 'bubbles', 'aria-hidden': 'true'});
    this.bubbles = new Map();
    this.section.stage.append(this.layer);
    this.resizing.disconnect();
    this.resizing.observe(this.layer);
    this.place.replaceChildren(this.section.element);
    if (this.grid) this.paint(this.grid);
    this.draw();
  }

  async illustrate(display) {
    const screenshot = await pictureOf(display.screen, display.geometry, this.daemon.socket);
    const {name, screen, geometry} = this.display ?? {};
    if (screenshot && name === display.name && screen === display.screen && isSame(geometry, display.geometry)) {
      this.build(screenshot);
    }
  }

  // ---- The map

  /** Queries the map soon, because an ended touch will be counted. */
  expect() {
    this.isExpecting = attempts;
    this.endedAt = performance.now();
    this.schedule(afterTouch);
  }

  schedule(pause) {
    if (this.timer || this.isAsking) return;
    const wait = Math.max(pause, (this.askedAt ?? -Infinity) + betweenQueries - performance.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.ask();
    }, wait);
  }

  /** Queries the map at once. Call it when another screen, display, layer or span is shown, or the view was hidden. */
  update() {
    this.generation += 1;
    this.sums = null;
    this.ask();
  }

  async ask() {
    if (!this.display) return;
    if (this.isAsking) {
      this.isStale = true;
      return;
    }
    this.isAsking = true;
    this.isStale = false;
    this.askedAt = performance.now();
    const {generation} = this;
    try {
      if (!this.sums?.isCurrent) {
        const sums = await this.newSums();
        if (generation === this.generation) this.sums = sums;
      }
      // Ignore the answer if another screen or layer was chosen meanwhile.
      if (generation === this.generation) {
        const {grid, status} = await this.sums.now();
        if (generation === this.generation) this.answered(grid, status);
      }
    } catch (error) {
      this.sums = null;
      if (error.name !== 'Disconnected' && generation === this.generation) this.showProblem(error);
    } finally {
      this.isAsking = false;
      if (!this.isShown) this.isExpecting = 0;
      else if (this.isStale || generation !== this.generation) this.ask();
      else if (this.isExpecting > 0 && this.stream) {
        this.isExpecting -= 1;
        this.schedule(afterTouch);
      } else if (this.isPaused) {
        // The end of the pause is not reported to the page, so check again.
        this.schedule(betweenLooks);
      }
    }
  }

  answered(grid, status) {
    // This may be an earlier touch while the last one is not counted yet, so query once more.
    if (grid.map.touches !== this.grid?.map.touches) this.isExpecting = Math.min(this.isExpecting, 1);
    this.problem.replaceChildren();
    this.paint(grid);
    this.showFigures(grid, status);
  }

  async newSums() {
    const {name, screen, geometry} = this.display;
    return new Sums(this.daemon, {screen, display: name, geometry, layer: this.settings.layer,
      span: await spans[this.span].resolve()});
  }

  paint(grid) {
    this.grid = grid;
    const {screen} = this.section;
    grid.screen = screen;
    screen.maps = {live: grid.map};
    screen.decoded = new Map([[`live ${grid.layer}`, grid]]);
    this.section.update();
  }

  showFigures(grid, status) {
    this.figures.touches.textContent = whole.format(grid.map.touches);
    this.figures.sessions.textContent = whole.format(grid.map.sessions);
    this.sessionsName.textContent = plural('session', 'sessions', grid.map.sessions);
    this.figures.masked.textContent = status.session ? whole.format(status.session.totals.masked) : '–';
    this.at.textContent = filled(_('as of $0'), new Date().toLocaleTimeString());
    this.stateNotice.replaceChildren(...status.masksEverything
      ? [alert('warning', _('Nothing is recorded yet: every touch is masked.'),
        _('Say first what must stay secret. Then begin to record.'), element('a', {href: '#/areas', text: _('Draw masks')}))]
      : status.pauses ? [alert('info', _('Recording is paused.'), _('Touches are neither shown nor counted.'))] : []);
    this.isPaused = status.pauses > 0;
  }

  showProblem(error) {
    this.problem.replaceChildren(alert('danger', _('The map cannot be shown.'), error.message,
      button(_('Try again'), 'secondary', () => this.reload())));
  }

  /** Queries everything again. */
  reload() {
    if (this.stream) this.update();
    else this.showMapOnly();
  }

  // ---- Settings

  settingsBar() {
    const change = (name, value) => {
      this.settings[name] = value;
      if (name === 'layer') this.update();
      else if (this.grid) this.section.update();
    };
    const tick = (name, text) => {
      const box = element('input', {type: 'checkbox', onchange: () => change(name, box.checked)});
      return element('label', {class: 'tick'}, box, element('span', {text}));
    };
    return element('div', {class: 'toolbar', role: 'group', 'aria-label': _('What the map shows')},
      segments(_('Layer'), 'live-layer', Object.entries(layerNames).map(([id, name]) => [id, name, layerSays[id]]),
        this.settings.layer, (value) => change('layer', value)),
      selection(_('Value'), [{options: Object.entries(valueNames)}], this.settings.value,
        (value) => change('value', value), {id: 'live-value'}),
      selection(_('Sessions'), [{options: Object.entries(spans).map(([id, {title}]) => [id, title])}], this.span,
        (value) => { this.span = value; this.update(); }, {id: 'live-span'}),
      segments(_('Scale'), 'live-scale', [['log', _('Log')], ['linear', _('Linear')]], this.settings.scale,
        (value) => change('scale', value)),
      tick('showsUntouched', _('Mark never touched')), tick('isSmooth', _('Smooth')),
      element('div', {class: 'asked'},
        button(_('Refresh'), 'secondary', () => this.reload(), {'data-action': 'refresh'}), this.at));
  }
}
