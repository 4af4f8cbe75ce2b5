// The section of one screen: its map, the legend and its numbers.

import {choiceNames, report} from './data.js';
import {element, folded, foreign, pictureOf, say, table} from './elements.js';
import {blockAt, blockWords, dotsOfPixel, draw, viewOf} from './map.js';
import {amount, dayCount, duration, exactSum, geometryWords, layerNames, listedValueName, milliseconds, per, percents, points, rounded, sessionCount, share, touchCount, whole} from './numbers.js';
import {regionTable} from './regions.js';
import {colourRamp} from './scale.js';
import {_, filled, pieces, plural} from './text.js';

/** In this part of a map, at the top, labels are below their outlines. */
const labelPart = 0.1;

/** The section, `element`, of a screen. `update` applies changed settings; `remove` ends its use. */
export class ScreenSection {
  /**
   * `screen`: a screen of the report. `number` makes the ids in the page, such as `screen-1`. `settings`: see
   * `viewOf`; also `showsControls`.
   */
  constructor(screen, number, settings) {
    this.screen = screen;
    this.settings = settings;
    this.focus = null;
    const {geometry} = screen;
    this.canvas = element('canvas', {'aria-hidden': 'true'});
    this.mark = element('div', {class: 'mark', hidden: true});
    this.tip = element('div', {class: 'tip', hidden: true, 'aria-hidden': 'true'});
    this.absence = element('p', {class: 'absence', hidden: true});
    this.outlines = element('div', {class: 'outlines', 'aria-hidden': 'true'}, ...this.outlined(`screen-${number}`));
    this.stage = element('div', {
      class: screen.screenshot ? 'stage illustrated' : 'stage', tabindex: '0', role: 'application', 'aria-roledescription': _('map'),
      'aria-describedby': 'map-keys',
      onpointermove: (event) => this.point(event), onpointerdown: (event) => this.point(event),
      onpointerleave: (event) => { if (event.pointerType === 'mouse') this.look(null); },
      onblur: () => this.look(null), onkeydown: (event) => this.key(event),
    }, pictureOf(screen), this.canvas, this.outlines, this.mark, this.absence, this.tip);
    this.stage.style.setProperty('--shape', geometry.width / geometry.height);
    this.legend = element('div', {class: 'legend'});
    this.numbers = element('dl', {class: 'facts'});
    this.regions = element('div');
    this.all = element('div');
    this.element = element('section', {class: 'screen', id: `screen-${number}`,
      'aria-labelledby': `screen-${number}-name`},
      element('header', {},
        foreign(screen.screen, 'h3', {id: `screen-${number}-name`}),
        // Translators: the name of a display, and its size.
        element('p', {class: 'quiet'}, ...pieces(_('on $0 · $1'), foreign(screen.display), geometryWords(geometry)))),
      element('div', {class: 'halves'},
        element('div', {class: 'map'}, this.stage, this.slider(), this.legend,
          screen.remark ? element('p', {class: 'remark', text: screen.remark}) : null),
        element('div', {class: 'side'}, this.numbers, this.regions)),
      ...this.controlTables(), this.spotTable() ?? '', this.all);
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(this.stage);
  }

  /** Removes the section from the page. */
  remove() {
    this.observer.disconnect();
    this.element.remove();
  }

  slider() {
    if (!this.screen.screenshot) return null;
    const range = element('input', {type: 'range', min: '0', max: '100', value: '70',
      oninput: () => this.stage.style.setProperty('--strength', range.value / 100)});
    return element('label', {class: 'slider'},
      element('span', {text: _('Screenshot')}), range, element('span', {text: _('Map')}),
      element('span', {class: 'unseen', text: _('Opacity of the map over the screenshot')}));
  }

  // ---- Controls

  /**
   * Returns the outlines of the controls, in the layout that most sessions touched, of proposed ones, and of places of
   * findings that are not controls. Findings link to them. Each label is beside its outline, towards the middle.
   */
  outlined(id) {
    const [layout] = this.screen.controls, {width, height} = this.screen.geometry;
    const outline = (kind, place, {x, y, width: across, height: down}, label) => {
      const sides = [2 * x + across > width ? 'right' : 'left', y < labelPart * height ? 'below' : 'above'];
      const made = element('div', {id: `${id}-${place}`, class: ['outline', kind, ...sides].join(' ')}, label);
      Object.assign(made.style, {left: `${100 * x / width}%`, top: `${100 * y / height}%`,
        width: `${100 * across / width}%`, height: `${100 * down / height}%`});
      return made;
    };
    const places = report.findings.filter((finding) => finding.screen === this.screen.index).flatMap((finding) => finding.places);
    return [...(layout?.controls ?? []).map(({name, verdict, rectangle}, index) =>
      outline(verdict, `control-${index}`, rectangle, foreign(name, 'span'))),
    ...this.screen.spots.map((spot) => outline(`spot ${spot.kind}`, `spot-${spot.number}`, spot.rectangle,
      element('span', {}, element('b', {text: spot.number}), ` ${share(spot.share, 1)}`))),
    ...places.map(([x, y, width, height], index) => outline('stray', `place-${index}`, {x, y, width, height},
      element('span', {text: _('no control')})))];
  }

  /** Returns the table of the proposed controls; null if there are none. */
  spotTable() {
    const {spots} = this.screen;
    if (!spots.length) return null;
    // Translators: $0 is a span of time, such as "last 30 days".
    const caption = filled(_('Spots that are not described, $0'), report.span);
    const rows = spots.map((spot) => {
      const {x, y, width, height} = spot.rectangle;
      return [String(spot.number), whole.format(spot.touches), share(spot.share, 1),
        filled(_('$0, $1 · $2 × $3'), x, y, width, height),
        spot.kind === 'mask' ? _('mask: it looks like a keypad') : _('control')];
    });
    return element('div', {class: 'controls'}, table(caption, [{title: _('Spot')}, {title: _('Taps'), isNumber: true},
      {title: _('Of all'), isNumber: true}, {title: _('Place, in points'), isNumber: true}, {title: _('Proposed as')}], rows,
    {class: 'wide'}, this.label(_('Spots'))));
  }

  /** Returns a table for each layout of the controls, the most touched layout first. */
  controlTables() {
    const percent = (share) => percents(share.value > 0.99 && share.value < 0.9995
      ? (100 * share.value).toFixed(1) : Math.round(100 * share.value));
    return this.screen.controls.map((layout, index) => {
      const rows = layout.controls.map((control) => {
        const outline = index === 0 ? [...this.outlines.children].find((each) => each.textContent === control.name) : null;
        const name = foreign(control.name);
        if (outline) {
          name.addEventListener('pointerenter', () => outline.classList.add('shown'));
          name.addEventListener('pointerleave', () => outline.classList.remove('shown'));
        }
        const {hitShare} = control;
        return [name, whole.format(control.hits), whole.format(control.missed),
          hitShare ? `${percent(hitShare)} (${Math.floor(100 * hitShare.low)}–${Math.ceil(100 * hitShare.high)})` : '–',
          {text: filled(_('$0 × $1 mm'), points(Math.round(control.widthMm)), points(Math.round(control.heightMm))),
            title: control.shortOf ? filled(_('smaller than $0 recommends'), control.shortOf) : null},
          element('span', {class: `advice ${control.verdict}`, text: control.advice})];
      });
      // Translators: $0 is a span of time, such as "last 30 days".
      const caption = filled(index ? _('Controls, $0: $1, another layout') : _('Controls, $0: $1'), report.span,
        sessionCount(layout.sessions));
      const made = table(caption, [{title: _('Control')}, {title: _('Hits'), isNumber: true},
        {title: _('Missed'), isNumber: true}, {title: _('Hit by'), isNumber: true}, {title: _('Size'), isNumber: true},
        {title: _('What to change')}], rows, {class: 'wide'});
      return element('div', {class: 'controls'}, index ? folded(caption, () => made) : made,
        ...layout.notes.map((text) => element('p', {class: 'quiet', text})));
    });
  }

  // ---- Settings

  update() {
    const {screen, settings} = this;
    // Links lead to outlines that are not shown too.
    this.outlines.style.visibility = settings.showsControls ? '' : 'hidden';
    const {focus} = this, tells = !this.tip.hidden;
    this.view = viewOf(screen, settings);
    this.look(focus, tells);
    this.paint();
    // Translators: a layer on a screen, and the sessions and touches in it.
    this.stage.setAttribute('aria-label', filled(_('$0 on $1, $2'), layerNames[settings.layer], screen.screen, this.summary()));
    this.absence.hidden = Boolean(this.view?.scale.most);
    this.absence.textContent = this.view
      ? _('Shown, but nothing was counted') : filled(_('Not shown in $0'), choiceNames[settings.choice]);
    this.showLegend();
    this.showNumbers();
    this.showRegions();
    this.showAll();
  }

  /** Returns the number of sessions, touches and days that the map is made of, as text. */
  summary() {
    if (!this.view) return filled(_('not shown in $0'), choiceNames[this.settings.choice]);
    const {map} = this.view.grid;
    return [sessionCount(map.sessions), touchCount(map.touches), dayCount(map.days)].join(' · ');
  }

  paint() {
    if (!this.canvas.clientWidth) return;
    draw(this.canvas, this.screen, this.view, this.settings, dotsOfPixel());
  }

  showLegend() {
    const {view, settings} = this, {layer, value} = settings;
    const parts = [element('p', {class: 'n', text: this.summary()})];
    if (view?.scale.most) {
      const {scale} = view, {sessions} = view.grid.map, told = (number) => amount(number, layer, value, sessions);
      const bar = element('div', {class: 'bar', 'aria-hidden': 'true'});
      bar.style.backgroundImage = colourRamp();
      const limit = told(scale.limit), end = scale.limit < scale.most ? filled(_('$0 and more'), limit) : limit;
      parts.push(bar, element('div', {class: 'ticks'},
        element('span', {text: '> 0'}),
        element('span', {text: told(scale.valueAt(0.5))}), element('span', {text: end})));
      const most = told(view.values.reduce((most, value) => Math.max(most, value), 0));
      parts.push(element('p', {class: 'quiet', text: [`${layerNames[layer]}, ${listedValueName(value, layer, sessions)}`,
        filled(_('most at one place: $0'), most)].join(' · ')}));
      if (settings.isSmooth) {
        parts.push(element('p', {class: 'quiet', text: _('Smooth: a touch shows a little beyond its place. The numbers '
          + 'are exact.')}));
      }
    }
    const keys = this.screen.screenshot ? [] : [['none', _('no touch')]];
    if (view?.grid.masked.some((mask) => mask)) keys.push(['masked', _('masked: not recorded')]);
    if (settings.showsUntouched) keys.push(['untouched', _('never touched')]);
    parts.push(element('ul', {class: this.screen.screenshot ? 'keys illustrated' : 'keys'}, ...keys.map(([kind, text]) =>
      element('li', {}, element('span', {class: `swatch ${kind}`}), text))));
    this.legend.replaceChildren(...parts);
  }

  showNumbers() {
    const {view} = this;
    const fact = (name, value, title) => [element('dt', {text: name}), element('dd', {text: value, title})];
    if (!view) return this.numbers.replaceChildren();
    const {grid} = view, {map} = grid;
    const free = grid.masked.reduce((sum, mask) => sum + (mask ? 0 : 1), 0);
    const untouched = grid.sums.reduce((sum, count, block) => sum + (!count && !grid.masked[block]), 0);
    this.numbers.replaceChildren(
      ...fact(_('Shown in sessions'), duration(map.shownMs), filled(_('$0. A session begins with its first touch: how long the '
        + 'screen stood before is not measured.'), milliseconds(map.shownMs))),
      ...fact(_('Shown per session'), map.sessions ? duration(map.shownMs / map.sessions) : '–'),
      ...fact(_('Touches per session'), map.sessions ? rounded(map.touches / map.sessions) : '–'),
      ...fact(_('Never touched'), share(untouched, free), plural('$0 of $1 block, masked ones aside',
        '$0 of $1 blocks, masked ones aside', free, whole.format(untouched), whole.format(free))));
  }

  /** Summarises the map in a table of 3 x 3 regions, which screen readers can read. */
  showRegions() {
    const {view, screen: {geometry}} = this;
    if (!view?.scale.most) return this.regions.replaceChildren();
    const caption = {taps: _('Share of taps by region'), trail: _('Share of entries by region'),
      dwell: _('Share of contact by region')}[this.settings.layer];
    this.regions.replaceChildren(regionTable(caption, view.grid.sums, geometry, this.label(_('Regions'))));
  }

  // ---- Tables of blocks

  /** Returns a name for a region that no other screen's region has. */
  label(text) {
    const {screen, display, geometry} = this.screen;
    // Translators: a table of a screen on a display of this size. $4 is the side of a block, in points.
    return filled(_('$0: $1 on $2, $3, blocks of $4'), text, screen, display, geometryWords(geometry), geometry.blockSize);
  }

  columns() {
    const {layer, value} = this.settings, {sessions} = this.view.grid.map;
    return [{title: _('Block')}, {title: _('Points')},
      {title: value === 'sum' ? _('Sum') : per(value, layer, sessions, layerNames[layer]), isNumber: true},
      {title: _('Sessions'), isNumber: true}];
  }

  row(block) {
    const {view, settings, screen: {geometry}} = this;
    const column = block % geometry.columns, row = Math.floor(block / geometry.columns);
    const size = geometry.blockSize, {touched, map} = view.grid;
    return [`${column}, ${row}`, `${column * size}, ${row * size}`,
      {text: settings.value === 'sum' ? exactSum(view.grid, block)
        : amount(view.values[block], settings.layer, settings.value, map.sessions), title: filled(_('$0 in all'), exactSum(view.grid, block))},
      {text: share(touched[block], map.sessions),
        title: plural('$0 of $1 session', '$0 of $1 sessions', map.sessions,
          whole.format(touched[block]), whole.format(map.sessions))}];
  }

  /** Returns the touched blocks, the most touched one first. */
  touchedBlocks() {
    const sums = this.view?.grid.sums ?? [], blocks = [];
    sums.forEach((sum, block) => { if (sum) blocks.push(block); });
    return blocks.sort((a, b) => sums[b] - sums[a] || a - b);
  }

  showAll() {
    const blocks = this.touchedBlocks();
    if (!blocks.length) return this.all.replaceChildren();
    const wasOpen = this.all.firstElementChild?.open ?? false;
    const title = plural('$0 touched block as a table', '$0 touched blocks as a table', blocks.length);
    // Translators: a layer on a screen, and the sessions and touches in it.
    const caption = filled(_('$0 on $1: $2'), layerNames[this.settings.layer], this.screen.screen, this.summary());
    this.all.replaceChildren(folded(title, () => table(caption, this.columns(), blocks.map((block) => this.row(block)))));
    this.all.firstElementChild.open = wasOpen;
  }

  // ---- Pointing

  point(event) {
    if (!this.view) return;
    this.look(blockAt(this.screen.geometry, this.stage.getBoundingClientRect(),
      event.clientX, event.clientY));
  }

  key(event) {
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (event.key === 'Escape') return this.look(null);
    const step = steps[event.key];
    if (!step || !this.view || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const {columns, rows} = this.screen.geometry, far = event.shiftKey ? 5 : 1;
    const from = this.focus ?? this.hottest() ?? {column: -step[0], row: -step[1]};
    const limit = (place, count) => Math.max(0, Math.min(count - 1, place));
    const to = this.focus ? {column: limit(from.column + far * step[0], columns),
      row: limit(from.row + far * step[1], rows)}
      : {column: limit(from.column, columns), row: limit(from.row, rows)};
    this.look(to);
    const words = blockWords(this.view, this.settings, to);
    say([words.value, ...words.lines, words.place].join('. '));
  }

  /** Returns the block at which the arrow keys begin: the one with the highest value; null if there are no values. */
  hottest() {
    const {values} = this.view, {columns} = this.screen.geometry;
    const block = values.reduce((best, value, index) => value > values[best] ? index : best, 0);
    return values[block] ? {column: block % columns, row: Math.floor(block / columns)} : null;
  }

  /** Marks a block and, if `tells` is true, shows its tooltip. null removes both. */
  look(at, tells = true) {
    this.focus = at;
    this.mark.hidden = this.tip.hidden = true;
    if (!at || !this.view) return;
    const {geometry} = this.screen, size = geometry.blockSize;
    const percent = (points, all) => 100 * Math.min(points, all) / all;
    const left = percent(at.column * size, geometry.width);
    const right = percent((at.column + 1) * size, geometry.width);
    const top = percent(at.row * size, geometry.height);
    const bottom = percent((at.row + 1) * size, geometry.height);
    Object.assign(this.mark.style, {left: `${left}%`, top: `${top}%`,
      width: `${right - left}%`, height: `${bottom - top}%`});
    this.mark.hidden = false;
    if (!tells) return;
    const {value, lines, place} = blockWords(this.view, this.settings, at);
    this.tip.replaceChildren(element('strong', {text: value}),
      ...lines.map((text) => element('span', {text})), element('small', {text: place}));
    this.tip.hidden = false;
    this.place(left, right, top, bottom);
  }

  /** Places the tooltip above or below the block, never over it. */
  place(left, right, top, bottom) {
    const {clientWidth: width, clientHeight: height} = this.stage;
    const {offsetWidth, offsetHeight} = this.tip, gap = 10;
    const middle = (left + right) / 200 * width;
    const x = Math.max(-8, Math.min(width - offsetWidth + 8, middle - offsetWidth / 2));
    const above = top / 100 * height - offsetHeight - gap;
    const below = bottom / 100 * height + gap;
    const isAbove = above >= -offsetHeight / 2 || below + offsetHeight > height + offsetHeight / 2;
    Object.assign(this.tip.style, {left: `${x}px`, top: `${isAbove ? above : below}px`});
  }
}
