// The picture of a screen with its masks and controls, on which a rectangle is drawn by mouse, finger, pen or keyboard.

import {element, foreign} from '../report/elements.js';
import {draw, viewOf} from '../report/map.js';
import {_, filled} from '../text.js';
import {announce} from '../widgets.js';
import {between, contains, moved, resized} from './rectangle.js';

/** A pointer that moves less than this between press and release, in CSS pixels, clicks instead of drawing. */
const clickRadius = 4;
const corners = ['nw', 'ne', 'sw', 'se'];

export class Stage {
  /** `changed` is called with the rectangle when it is drawn, and with null when it is removed; `accepted` for Enter;
   * `chosen` with a clicked area; `dropped` for Escape. */
  constructor({changed, accepted, chosen, dropped}) {
    Object.assign(this, {changed, accepted, chosen, dropped});
    this.listed = [];
    this.rectangle = null;
    this.size = {width: 1, height: 1};
    this.picture = element('div', {class: 'below'});
    this.areas = element('div', {class: 'area-list', 'aria-hidden': 'true'});
    this.draft = element('div', {class: 'draft', hidden: true},
      ...corners.map((corner) => element('span', {class: `corner ${corner}`, 'data-corner': corner})));
    this.element = element('div', {class: 'stage areas-stage', tabindex: '0', role: 'application',
      'aria-roledescription': _('drawing area'), 'aria-label': _('Picture of the screen'), 'aria-describedby': 'areas-keys',
      onpointerdown: (event) => this.press(event), onpointermove: (event) => this.drag(event),
      onpointerup: (event) => this.release(event), onpointercancel: (event) => this.abandon(event),
      onlostpointercapture: (event) => this.abandon(event), onkeydown: (event) => this.key(event)},
    this.picture, this.areas, this.draft);
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(this.element);
  }

  /** Sets the geometry of the display. */
  shape(geometry) {
    this.size = geometry;
    this.geometry = geometry;
    this.element.style.setProperty('--shape', geometry.width / geometry.height);
  }

  /** Shows the content below the areas: a picture in the form of `pictureOf`, otherwise a grid, or nothing. */
  show(picture, grid) {
    this.element.classList.toggle('illustrated', Boolean(picture));
    this.element.classList.toggle('blank', !picture && !grid);
    this.canvas = picture ? null : element('canvas', {'aria-hidden': 'true'});
    this.picture.replaceChildren(picture
      ? element('img', {src: `data:${picture.type};base64,${picture.data}`, alt: ''}) : this.canvas);
    this.grid = grid;
    this.paint();
  }

  /** Draws a map of touches if there is no picture. */
  paint() {
    if (!this.canvas?.clientWidth || !this.grid) return;
    const settings = {choice: 'all', layer: 'taps', value: 'sum', scale: 'log', isSmooth: false, showsUntouched: false};
    // The masks lie above the map with their exact rectangles, so the map itself masks no blocks.
    const grid = {...this.grid, masked: this.grid.masked.map(() => 0)};
    const screen = {geometry: this.geometry, maps: {all: grid.map}, decoded: new Map([['all taps', grid]])};
    grid.screen = screen;
    draw(this.canvas, screen, viewOf(screen, settings), settings, window.devicePixelRatio || 1);
  }

  /** Shows masks and controls: `{kind, origin, name, rectangle}`, where no rectangle means the whole screen. */
  list(areas) {
    this.listed = areas;
    this.areas.replaceChildren(...areas.map(({kind, origin, name, mark, rectangle}) => {
      const made = element('div', {class: `area ${kind} ${origin}`},
        name ? foreign(name, 'span') : mark ? element('span', {text: mark}) : null);
      this.place(made, rectangle ?? {x: 0, y: 0, ...this.size});
      return made;
    }));
  }

  place(target, {x, y, width, height}) {
    const percent = (part, all) => `${100 * part / all}%`;
    Object.assign(target.style, {left: percent(x, this.size.width), top: percent(y, this.size.height),
      width: percent(width, this.size.width), height: percent(height, this.size.height)});
  }

  /** Sets the drawn rectangle. `tells`: reads it to screen readers. */
  set(rectangle, tells = false) {
    this.rectangle = rectangle;
    this.draft.hidden = !rectangle;
    if (rectangle) this.place(this.draft, rectangle);
    if (tells) announce(rectangle ? words(rectangle) : _('No rectangle'));
    this.changed(rectangle);
  }

  // ---- Mouse, finger and pen

  at({clientX, clientY}) {
    const box = this.element.getBoundingClientRect();
    return [(clientX - box.left) / box.width * this.size.width, (clientY - box.top) / box.height * this.size.height];
  }

  press(event) {
    if (event.button !== 0 || this.pointer !== undefined) return;
    event.preventDefault();
    this.element.focus({preventScroll: true});
    this.element.setPointerCapture(event.pointerId);
    this.pointer = event.pointerId;
    this.pressed = event;
    this.before = this.rectangle;
    this.isMoved = false;
    const from = this.at(event), old = this.rectangle, corner = event.target.dataset?.corner;
    if (corner && old) {
      // The opposite corner stays.
      const fixed = [corner.endsWith('w') ? old.x + old.width : old.x, corner.startsWith('n') ? old.y + old.height : old.y];
      this.action = (to) => between(fixed, to, this.size);
    } else if (old && event.target === this.draft) {
      this.action = (to) => moved(old, [Math.round(to[0] - from[0]), Math.round(to[1] - from[1])], this.size);
    } else {
      this.action = (to) => between(from, to, this.size);
    }
  }

  drag(event) {
    if (event.pointerId !== this.pointer) return;
    const {clientX, clientY} = this.pressed;
    this.isMoved ||= Math.hypot(event.clientX - clientX, event.clientY - clientY) >= clickRadius;
    if (this.isMoved) this.set(this.action(this.at(event)));
  }

  release(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = undefined;
    if (this.isMoved) return this.rectangle && announce(words(this.rectangle));
    if (!this.draft.contains(this.pressed.target)) this.click(this.at(event));
  }

  /** The browser cancelled the pointer before its release, so the drawn rectangle is dropped. */
  abandon(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = undefined;
    if (this.isMoved) this.set(this.before);
  }

  /** Chooses the smallest editable area at a place. */
  click(place) {
    const surface = ({rectangle}) => rectangle ? rectangle.width * rectangle.height : Infinity;
    const [area] = this.listed.filter(({origin, rectangle}) => origin !== 'widened' && contains(rectangle, place))
      .sort((one, other) => surface(one) - surface(other));
    if (area) this.chosen(area);
  }

  // ---- Keyboard

  key(event) {
    if (event.metaKey) return;
    const {size, rectangle} = this;
    if (event.key === 'Enter') {
      event.preventDefault();
      // A held key must not accept again and again.
      if (event.repeat) return;
      if (rectangle) return this.accepted();
      const [width, height] = [Math.round(size.width / 4), Math.round(size.height / 4)];
      return this.set({x: Math.round((size.width - width) / 2), y: Math.round((size.height - height) / 2), width, height}, true);
    }
    if (event.key === 'Escape') {
      this.pointer = undefined;
      this.set(null, true);
      return this.dropped();
    }
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!step || !rectangle) return;
    event.preventDefault();
    const far = event.shiftKey ? 1 : this.geometry.blockSize, by = step.map((part) => part * far);
    this.set(event.ctrlKey || event.altKey ? resized(rectangle, by, size) : moved(rectangle, by, size), true);
  }
}

const words = ({x, y, width, height}) => filled(_('Left $0, top $1, width $2, height $3 points'), x, y, width, height);
