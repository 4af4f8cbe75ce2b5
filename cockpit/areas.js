// Masks and controls that an administrator draws over the picture of a screen, and saves.

import {Choice} from './areas/choice.js';
import {AreaForm} from './areas/form.js';
import {AreaList} from './areas/list.js';
import {PictureCard} from './areas/picture.js';
import {proposalsOf} from './areas/proposals.js';
import {covers} from './areas/rectangle.js';
import {add, begin, remove, replace} from './areas/saving.js';
import {Stage} from './areas/stage.js';
import {Start} from './areas/start.js';
import {keptPictures, pictureOf} from './pictures.js';
import {element} from './report/elements.js';
import {spans} from './spans.js';
import {Sums} from './sums.js';
import {_, plural} from './text.js';
import {alert, card, confirmed} from './widgets.js';

/** The geometry while there is no touchscreen. Rectangles cannot be drawn on it: only whole screens can be masked. */
const unknown = {name: null, geometry: {width: 1280, height: 800, blockSize: 16, columns: 80, rows: 50, scale: 1, rotation: 0,
  pixelWidth: 1280, pixelHeight: 800}};
const unmasking = _('From now on, the places of touches there are recorded. Remove the mask?');

/** Whether an area is in force, and not only on this page. */
const isSaved = (area) => Boolean(area) && !['pending', 'proposed'].includes(area.origin);

export class Areas {
  constructor(daemon) {
    this.daemon = daemon;
    /** The masks that were drawn before the first configuration. */
    this.pending = [];
    /** The proposals for the chosen screen that were neither saved nor dropped. */
    this.proposals = [];
    this.loads = 0;
    this.notice = element('div', {class: 'notices', role: 'status'});
    this.start = new Start(() => this.begin());
    this.stage = new Stage({
      changed: (rectangle) => this.form.show(rectangle), chosen: (area) => this.edit(area), dropped: () => this.cancel(),
      accepted: () => this.form.element.querySelector(this.form.kind === 'control' ? '#area-name' : '[data-action=save]').focus()});
    this.form = new AreaForm({typed: (rectangle) => { this.stage.set(rectangle); }, cancel: () => this.cancel(),
      save: (area, lasts) => this.save(area, lasts)});
    this.choice = new Choice({screen: (name) => this.choose({screen: name}), display: (name) => this.choose({displayName: name}),
      refuse: (text) => this.fail(_('This cannot be the name of a screen.'), text)});
    this.picture = new PictureCard(daemon, () => {
      this.listing = null;
      this.load();
    });
    this.picture.receives(this.stage.element);
    this.list = new AreaList({
      edit: (area) => {
        this.edit(area);
        (area.kind === 'control' ? this.form.name : this.stage.element).focus();
      },
      remove: (area) => this.remove(area)});
    this.element = element('section', {class: 'areas touchgrid-report', 'aria-label': _('Masks and controls')},
      element('h2', {class: 'unseen', text: _('Masks and controls')}), this.start.element, this.notice, this.choice.element,
      element('div', {class: 'area-editor'},
        element('div', {class: 'map'}, this.stage.element, element('p', {id: 'areas-keys', class: 'quiet', text: _('Draw a '
          + 'rectangle with the mouse or a finger, or click a mask or control to change it. With the keyboard: Enter begins '
          + 'one, arrow keys move it by a block, with Shift by a point, with Ctrl or Alt they change its size; Enter accepts '
          + 'it, Escape drops it.')})),
        card(_('Mask or control'), this.form.element)),
      this.list.element, this.picture.element);
    // Ask before leaving the page: masks that are only on this page would be lost.
    window.addEventListener('beforeunload', (event) => { if (this.pending.length) event.preventDefault(); });
  }

  show() {
    if (this.isShown) return;
    this.isShown = true;
    this.listing = this.proposed = null;
    this.load();
  }

  hide() { this.isShown = false; }

  refresh() { if (this.isShown) this.load(); }

  get display() { return this.displays.find(({name}) => name === this.displayName) ?? this.displays[0] ?? unknown; }

  fail(title, text) { this.notice.replaceChildren(alert('danger', title, text)); }

  // ---- Loading

  /** Queries the daemon, and shows all areas. The picture below them follows later. */
  async load() {
    const load = ++this.loads, {socket} = this.daemon;
    let screens;
    // List the pictures only once, not after each change of an area: the command reads each picture.
    this.listing ??= keptPictures(socket);
    try {
      const [masks, controls, {displays}, listed, pictures] = await Promise.all([this.daemon.call('GetMasks'),
        this.daemon.call('GetControls'), this.daemon.call('GetDisplays'), this.daemon.callMore('ListScreens')
          .then((replies) => replies.flatMap((reply) => reply.screens)).catch(() => []), this.listing]);
      if (load !== this.loads) return;
      Object.assign(this, {masks, controls, displays, pictures});
      screens = [...masks.configured, ...masks.added, ...controls.configured, ...controls.added, ...listed, ...displays,
        ...pictures, ...this.pending].map(({screen}) => screen);
    } catch (error) {
      if (error.name !== 'Disconnected') this.fail(_('Masks and controls cannot be shown.'), error.message);
      return;
    }
    this.screen ??= this.display.screen ?? screens[0] ?? 'default';
    const names = [...new Set([...screens, this.screen])].sort((one, other) => one.localeCompare(other, 'en'));
    this.choice.show(names, this.screen, this.displays, this.display.name);
    this.form.allow({isGathering: this.masks.everything, isShapeless: this.display === unknown});
    this.form.size = this.display.geometry;
    this.stage.shape(this.display.geometry);
    this.start.show(this.masks.everything, this.pending);
    this.showAreas();
    this.stage.element.inert = this.display === unknown;
    this.form.element.inert = false;
    this.draw();
    this.propose();
    if (!this.masks.everything && this.pending.length) await this.saveLeft();
  }

  showAreas() {
    const areas = this.areas();
    this.stage.list(areas.filter(({isAway}) => !isAway));
    this.list.show(this.screen, areas);
  }

  /** Adds the proposals for the screen and display, once for each choice of these. */
  async propose() {
    const {screen, display} = this, place = JSON.stringify([screen, display.name, display.geometry]);
    if (this.proposed === place || display === unknown) return;
    this.proposed = place;
    const proposals = await proposalsOf(screen, display, this.daemon.socket);
    if (this.proposed !== place) return;
    this.proposals = proposals;
    this.showAreas();
  }

  /** Removes a proposal from the page. */
  drop(area) { this.proposals = this.proposals.filter((each) => each !== area); }

  /** Saves the masks of this page that the configuration, which exists now, does not have. */
  async saveLeft() {
    if (this.isSaving) return;
    this.isSaving = true;
    const {length} = this.pending;
    try {
      while (this.pending.length) {
        await add(this.pending[0], true, this.daemon.socket);
        this.pending.shift();
      }
      this.notice.append(alert('info', _('The configuration was written meanwhile.'),
        plural('$0 mask of this page was added to it.', '$0 masks of this page were added to it.', length)));
    } catch (error) {
      this.fail(plural('$0 mask of this page is not saved.', '$0 masks of this page are not saved.', this.pending.length), error.message);
      return;
    } finally {
      this.isSaving = false;
    }
    await this.load();
  }

  /** Chooses another screen or display. */
  choose(choice) {
    Object.assign(this, choice, {proposals: [], proposed: null});
    this.notice.replaceChildren();
    this.cancel();
    // Until the picture has loaded, allow no drawing over the picture or the geometry of another screen.
    this.stage.show(null, null);
    this.stage.element.inert = this.form.element.inert = true;
    return this.load();
  }

  /** Shows the picture of the screen, or without one a map of its touches. */
  async draw() {
    const {screen, display, loads} = this, {geometry} = display;
    this.picture.show(screen, this.pictures, geometry, this.displays.length);
    const picture = await pictureOf(screen, geometry, this.daemon.socket);
    const grid = picture || display === unknown ? null : await spans.all.resolve()
      .then((span) => new Sums(this.daemon, {screen, display: display.name, geometry, layer: 'taps', span}).now())
      .then((sums) => sums.grid).catch(() => null);
    if (loads === this.loads) this.stage.show(picture, grid);
  }

  /**
   * Returns the areas of the screen on the display: `{kind, screen, name, rectangle, display, rage, origin}`. `isAway`
   * marks those on displays that are not connected; proposals have a `label`, and a short one, `mark`.
   */
  areas() {
    const {screen} = this, {name: display} = this.display;
    const isHere = (each) => each.screen === screen && (each.display ?? display) === display;
    const isAway = (each) => each.screen === screen && Boolean(each.display) && !this.displays.some(({name}) => name === each.display);
    const masks = ['configured', 'added', 'widened'].flatMap((origin) => this.masks[origin]
      .filter((mask) => isHere(mask) || isAway(mask)).map((mask) => ({kind: 'mask', origin, name: null,
        rectangle: mask.rectangle ?? null, display: mask.display ?? null, screen, isAway: isAway(mask)})));
    const lists = Object.fromEntries(['configured', 'added'].map((origin) => {
      const found = this.controls[origin].filter(isHere);
      return [origin, {own: found.filter(({display}) => display), general: found.filter(({display}) => !display)}];
    }));
    // As in the daemon, a list for the display replaces the list for all displays, and the controls of clients lie on
    // top.
    const {configured, added} = lists, hasOwn = configured.own.length + added.own.length > 0;
    const inForce = {configured: configured.own.length ? configured.own : configured.general,
      added: hasOwn ? added.own : added.general};
    const controls = Object.entries(inForce).flatMap(([origin, found]) => found.flatMap((list) =>
      list.controls.map(({name, rectangle, rage}) => ({kind: 'control', origin, name, rectangle, rage: rage ?? null,
        display: list.display ?? null, screen}))));
    const away = ['configured', 'added'].flatMap((origin) => this.controls[origin].filter(isAway).flatMap((list) =>
      list.controls.map(({name, rectangle, rage}) => ({kind: 'control', origin, name, rectangle, rage: rage ?? null,
        display: list.display, screen, isAway: true}))));
    return [...this.proposals, ...controls, ...masks, ...away, ...this.pending.filter((mask) => isHere(mask) || isAway(mask))];
  }

  // ---- Changes by the user

  cancel() {
    this.edited = null;
    this.stage.set(null);
    this.form.clear();
  }

  edit(area) {
    this.cancel();
    this.edited = area;
    this.stage.set(area.rectangle);
    this.form.edit(area, area.origin !== 'added', area.origin !== 'proposed');
  }

  /** Returns whether the area was saved. */
  async save({isOnly, ...drawn}, lasts) {
    const {edited} = this, area = {...drawn, screen: this.screen, display: isOnly ? this.display.name : null};
    this.notice.replaceChildren();
    try {
      // Another administrator may have written the configuration meanwhile.
      const {everything} = await this.daemon.call('GetMasks');
      if (!everything && !await this.mayReplace(edited, area, lasts)) return false;
      const said = everything ? this.gather(edited, area)
        : isSaved(edited) ? await replace(edited, edited.origin === 'configured', area, lasts, this.daemon.socket)
          : await add(area, lasts, this.daemon.socket);
      if (!everything) this.pending = this.pending.filter((each) => each !== edited);
      this.drop(edited);
      this.cancel();
      await this.load();
      this.form.done(everything ? _('The mask is on the list, which only this page has. Begin to record when all are.')
        : area.kind === 'mask' ? lasts ? _('The mask is saved.') : _('The mask holds until the daemon stops.')
          : lasts ? _('The control is saved.') : _('The control holds until the daemon stops.'), said);
    } catch (error) {
      // Part of the change may have been made.
      await this.load();
      throw error;
    }
    this.stage.element.focus({preventScroll: true});
    return true;
  }

  gather(edited, area) {
    const at = this.pending.indexOf(edited);
    this.pending.splice(at < 0 ? this.pending.length : at, at < 0 ? 0 : 1, {...area, origin: 'pending'});
    return '';
  }

  /**
   * Asks the user for confirmation if the new area replaces another control, or ends the counts or the mask of the
   * edited one.
   */
  async mayReplace(edited, area, lasts) {
    const isSame = ({kind, name, display}) => kind === 'control' && area.kind === 'control' && name === area.name && display === area.display;
    const namesake = this.areas().find((each) => each !== edited && isSame(each) && !(edited && isSame(edited)));
    if (namesake && !await confirmed(_('The screen has a control of this name. Replace it?'), _('Replace'))) return false;
    if (!isSaved(edited)) return true;
    if (edited.kind === 'control') {
      return area.kind === 'control'
        || confirmed(_('The control becomes a mask, and its hits are counted no longer. Change it?'), _('Change'));
    }
    const stays = area.kind === 'mask' && (area.display === null || area.display === edited.display)
      && covers(area.rectangle, edited.rectangle) && (lasts || edited.origin !== 'configured');
    return stays || confirmed(lasts || area.kind !== 'mask' || !covers(area.rectangle, edited.rectangle)
      ? _('From now on, the places of touches in the rest of the former mask are recorded. Change the mask?')
      : _('After the daemon has stopped, the places of touches there are recorded. Change the mask?'), _('Change'));
  }

  async remove(area) {
    const isMask = area.kind === 'mask';
    let said = '';
    if (area.origin === 'proposed') {
      this.drop(area);
      if (this.edited === area) this.cancel();
      return this.showAreas();
    }
    if (area.origin === 'pending') {
      this.pending = this.pending.filter((each) => each !== area);
    } else {
      if (!await confirmed(isMask ? unmasking : _('Its hits are counted no longer. Remove the control?'), _('Remove'))) return;
      try {
        said = await remove(area, area.origin === 'configured', this.daemon.socket);
      } catch (error) {
        // The file may nevertheless have been changed; the command's message says so.
        await this.load();
        return this.fail(_('Something went wrong.'), error.message);
      }
    }
    if (this.edited) this.cancel();
    await this.load();
    this.notice.replaceChildren(alert('success', isMask ? _('The mask is removed.') : _('The control is removed.'),
      said.trim() || null));
  }

  /** Writes the first configuration. */
  async begin() {
    const {chosen} = this.start, sent = new Set(this.pending);
    this.start.isBusy = this.isSaving = true;
    try {
      const said = await begin(chosen, this.daemon.socket);
      // Save the masks that were drawn meanwhile next.
      this.pending = this.pending.filter((mask) => !sent.has(mask));
      this.notice.replaceChildren(alert('success', _('The configuration is written.'), said.trim() || null));
    } catch (error) {
      return this.fail(_('Recording did not begin.'), error.message);
    } finally {
      this.start.isBusy = this.isSaving = false;
    }
    await this.load();
  }
}
