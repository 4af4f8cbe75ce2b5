// Masks and controls by hand: drawn over the picture of a screen, and saved.

import {AreaForm} from './areas/form.js';
import {PictureCard} from './areas/picture.js';
import {add, begin, remove} from './areas/saving.js';
import {Stage} from './areas/stage.js';
import {pictureOf} from './pictures.js';
import {element, foreign, selection, table} from './report/elements.js';
import {spans} from './spans.js';
import {Sums} from './sums.js';
import {_, filled, pf} from './text.js';
import {alert, announce, button, card, confirmed} from './widgets.js';

/** The shape of a screen while there is no touchscreen, in points. */
const unknown = {name: null, geometry: {width: 1280, height: 800, blockSize: 16, columns: 80, rows: 50, scale: 1, rotation: 0,
  pixelWidth: 1280, pixelHeight: 800}};
const origins = {configured: _('configuration'), added: _('until the daemon stops'), widened: _('the daemon, in doubt'),
  pending: _('not recorded yet')};

export class Areas {
  constructor(daemon) {
    this.daemon = daemon;
    this.pending = [];
    this.notice = element('div', {class: 'notices'});
    this.start = element('div', {class: 'notices'});
    this.stage = new Stage((rectangle) => this.form.show(rectangle), () => this.form.element.querySelector(
      this.form.kind === 'control' ? '#area-name' : '[data-action=save]').focus());
    this.form = new AreaForm({typed: (rectangle) => { this.stage.set(rectangle); }, cancel: () => this.cancel(),
      save: (area, lasts) => this.save(area, lasts)});
    this.names = element('datalist', {id: 'area-screens'});
    this.input = element('input', {type: 'text', id: 'area-screen', list: 'area-screens', maxlength: '128', autocomplete: 'off',
      class: pf('form-control'), onchange: () => this.choose(this.input.value)});
    this.displayChoice = element('div');
    this.picture = new PictureCard(daemon, () => this.draw());
    this.list = element('div', {class: 'area-table'});
    this.element = element('section', {class: 'areas touchgrid-report', 'aria-label': _('Masks and controls')},
      element('h2', {class: 'unseen', text: _('Masks and controls')}), this.start, this.notice,
      element('div', {class: 'filters'},
        element('label', {class: 'filter'}, element('span', {text: _('Screen')}), this.input, this.names), this.displayChoice),
      element('div', {class: 'area-editor'},
        element('div', {class: 'map'}, this.stage.element, element('p', {id: 'areas-keys', class: 'quiet', text: _('Draw a '
          + 'rectangle with the mouse or a finger. With the keyboard: Enter begins one, arrow keys move it by a block, with '
          + 'Shift by a point, with Ctrl they change its size; Enter accepts it, Escape drops it.')})),
        card(_('Mask or control'), this.form.element)),
      this.list, this.picture.element);
  }

  show() {
    if (this.isShown) return;
    this.isShown = true;
    this.load();
  }

  hide() { this.isShown = false; }

  refresh() { if (this.isShown) this.load(); }

  get display() { return this.displays.find(({name}) => name === this.displayName) ?? this.displays[0] ?? unknown; }

  // ---- What there is

  /** Asks the daemon for everything, and shows it. */
  async load() {
    try {
      const [masks, controls, {displays}, screens] = await Promise.all([this.daemon.call('GetMasks'),
        this.daemon.call('GetControls'), this.daemon.call('GetDisplays'),
        this.daemon.callMore('ListScreens').then((replies) => replies.flatMap((reply) => reply.screens)).catch(() => [])]);
      Object.assign(this, {masks, controls, displays});
      const lists = [...masks.configured, ...masks.added, ...controls.configured, ...controls.added, ...screens, ...displays];
      const names = [...new Set(lists.map(({screen}) => screen))].sort((a, b) => a.localeCompare(b, 'en'));
      this.names.replaceChildren(...names.map((value) => element('option', {value})));
      this.screen ??= this.display.screen ?? names[0] ?? 'default';
      this.notice.replaceChildren();
    } catch (error) {
      if (error.name !== 'Disconnected') {
        this.notice.replaceChildren(alert('danger', _('Masks and controls cannot be shown.'), error.message));
      }
      return;
    }
    this.input.value = this.screen;
    this.displayChoice.replaceChildren(...this.displays.length > 1 ? [selection(_('Display'),
      [{options: this.displays.map(({name}) => [name, name])}], this.display.name,
      (name) => { this.displayName = name; this.cancel(); this.load(); }, {id: 'area-display-name'})] : []);
    this.form.gather(this.masks.everything);
    this.form.size = this.display.geometry;
    this.stage.shape(this.display.geometry);
    this.stage.list(this.areas());
    this.showStart();
    this.showList();
    await this.draw();
  }

  choose(screen) {
    const length = new TextEncoder().encode(screen).length;
    if (!length || length > 128 || /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(screen)) {
      this.notice.replaceChildren(alert('danger', _('This cannot be the name of a screen.'),
        _('A name has 1 to 128 bytes of printable text.')));
      return;
    }
    this.screen = screen;
    this.cancel();
    this.load();
  }

  /** Shows the picture of the screen, or else where people touched it. */
  async draw() {
    const {screen, display} = this, {geometry} = display;
    const picture = await pictureOf(screen, geometry, this.daemon.socket);
    const grid = picture || display === unknown ? null : await new Sums(this.daemon, {screen, display: display.name, geometry,
      layer: 'taps', span: await spans.all.resolve()}).now().then((sums) => sums.grid).catch(() => null);
    if (screen !== this.screen || display !== this.display) return;
    this.picture.show(screen, Boolean(picture));
    this.stage.show(picture, grid);
  }

  /** Returns the areas of the screen on the display: `{kind, name, rectangle, display, rage, origin}`. */
  areas() {
    const isHere = (each) => each.screen === this.screen && (each.display ?? this.display.name) === this.display.name;
    const masks = ['configured', 'added', 'widened'].flatMap((origin) => this.masks[origin].filter(isHere).map((mask) =>
      ({kind: 'mask', origin, rectangle: mask.rectangle ?? null, display: mask.display ?? null, screen: mask.screen})));
    // A list for the display replaces the one for every display.
    const controls = ['configured', 'added'].flatMap((origin) => {
      const lists = this.controls[origin].filter(isHere), own = lists.filter(({display}) => display);
      return (own.length ? own : lists).flatMap((list) => list.controls.map(({name, rectangle, rage}) => ({kind: 'control', origin,
        name, rectangle, rage: rage ?? null, display: list.display ?? null, screen: list.screen})));
    });
    return [...controls, ...masks, ...this.pending.filter(isHere).map((mask) => ({...mask, kind: 'mask', origin: 'pending'}))];
  }

  showList() {
    const kinds = {mask: _('Mask'), control: _('Control')};
    const rows = this.areas().map((area) => [kinds[area.kind], area.name ? foreign(area.name) : '',
      area.rectangle ? filled(_('$0, $1 · $2 × $3'), ...['x', 'y', 'width', 'height'].map((name) => area.rectangle[name]))
        : _('the whole screen'), origins[area.origin], this.buttons(area)]);
    this.list.replaceChildren(element('h3', {}, _('On screen '), foreign(this.screen)), rows.length
      ? table(_('Masks and controls'), [{title: _('Kind')}, {title: _('Name')}, {title: _('Place, in points')},
        {title: _('From')}, {title: _('Change')}], rows, {class: 'wide'}, _('Masks and controls of the screen'))
      : element('p', {text: _('This screen has no masks and no controls.')}));
  }

  buttons(area) {
    const name = area.name ?? (area.rectangle ? _('this mask') : _('the mask of the whole screen'));
    const made = element('span', {class: 'buttons'});
    if (area.kind === 'control') {
      made.append(button(_('Change'), 'link', () => this.edit(area), {'aria-label': filled(_('Change $0'), name)}));
    }
    if (area.origin !== 'widened') {
      made.append(button(_('Remove'), 'link', () => this.remove(area), {'data-action': 'remove-area',
        'aria-label': filled(_('Remove $0'), name)}));
    }
    return made;
  }

  // ---- What the user changes

  cancel() {
    this.stage.set(null);
    this.form.clear();
  }

  edit(area) {
    this.form.clear();
    this.stage.set(area.rectangle);
    this.form.edit(area, area.origin === 'configured');
    this.form.name.focus();
  }

  async save({kind, rectangle, name, isOnly, rage}, lasts) {
    const area = {kind, screen: this.screen, display: isOnly ? this.display.name : null, rectangle, name, rage};
    if (this.masks.everything) this.pending.push(area);
    else await add(area, lasts, this.daemon.socket);
    this.cancel();
    await this.load();
    announce(kind === 'mask' ? _('The mask is saved.') : _('The control is saved.'));
    this.stage.element.focus();
  }

  async remove(area) {
    if (area.origin === 'pending') {
      this.pending = this.pending.filter((each) => each.rectangle !== area.rectangle || each.screen !== area.screen);
      return this.load();
    }
    const question = area.kind === 'mask' ? _('From now on, the places of touches there are recorded. Remove the mask?')
      : _('Its hits are counted no longer. Remove the control?');
    if (!await confirmed(question, _('Remove'))) return;
    try {
      await remove(area, area.origin === 'configured', this.daemon.socket);
    } catch (error) {
      this.notice.replaceChildren(alert('danger', _('It was not removed.'), error.message));
      return;
    }
    await this.load();
  }

  // ---- Before the first configuration

  /** While nothing is recorded, the page asks for masks first. */
  showStart() {
    if (!this.masks.everything) return this.start.replaceChildren();
    const none = element('input', {type: 'checkbox', id: 'no-secrets', onchange: () => { go.disabled = !ready(); }});
    const ready = () => this.pending.length > 0 || none.checked;
    const go = button(_('Begin to record'), 'primary', () => this.begin(go), {'data-action': 'begin', disabled: !ready()});
    this.start.replaceChildren(alert('warning', _('Nothing is recorded yet. Mask first.'), element('div', {},
      element('p', {text: _('Draw a mask over each place where people type secrets, such as a PIN, on each screen. Until the '
        + 'app names a screen, it is "default". Then begin to record.')}),
      this.pending.length ? element('ul', {}, ...this.pending.map(({screen, rectangle}) => element('li', {}, foreign(screen),
        rectangle ? `: ${rectangle.x}, ${rectangle.y} · ${rectangle.width} × ${rectangle.height}` : `: ${_('the whole screen')}`)))
        : element('label', {class: 'tick'}, none, element('span', {text: _('No screen takes secrets')}))), go));
  }

  async begin(go) {
    go.disabled = true;
    try {
      await begin(this.pending, this.daemon.socket);
      this.pending = [];
      announce(_('Touches are recorded.'));
    } catch (error) {
      this.notice.replaceChildren(alert('danger', _('Recording did not begin.'), error.message));
      go.disabled = false;
      return;
    }
    await this.load();
  }
}
