// Builds the page, and applies the settings to all maps.

import {books, hoursOfTheDay, isAlone, lengthsOfSessions, sessionsOf, sessionsOverTime, shownTimes, touchesBegun, weekHours} from './charts.js';
import {comparison} from './comparison.js';
import {choiceNames, firstChoice, load, report} from './data.js';
import {element, folded, foreign, pictureOf, say, segments, selection, table} from './elements.js';
import {flows} from './flows.js';
import {dotsOfPixel, draw, viewOf} from './map.js';
import {duration, layerNames, layerSays, listedValueName, points, touchCount, valueNames, whole} from './numbers.js';
import {faultyTouchscreens, touchscreens} from './panels.js';
import {ScreenSection} from './screen.js';
import {_, filled, pieces, plural} from './text.js';

const settings = {choice: null, layer: 'taps', value: 'mean', scale: 'log', showsUntouched: false, showsControls: true,
  isSmooth: true};
let sections = [], cards = [];
/** The element that contains the report. It need not be on the page when the report is built. */
let container = null;
/** Whether the page is the report's own file. */
let isFile = false;

/** Returns an element of the report by its id. */
const part = (id) => container.querySelector(`#${id}`);

/**
 * Returns the attributes of a link to a section. In another page, which may use its address for other purposes, the
 * link only scrolls. `focused` returns the element that then gets the focus.
 */
function link(id, focused = () => part(id)) {
  const follow = (event) => {
    event.preventDefault();
    container.querySelector('.target')?.classList.remove('target');
    part(id).classList.add('target');
    part(id).scrollIntoView();
    focused().focus({preventScroll: true});
  };
  return {href: `#${id}`, onclick: isFile ? null : follow};
}

const linkTo = (number) => link(`screen-${number}`, () => sections[number - 1].stage);

function Card(screen, number) {
  this.screen = screen;
  this.canvas = element('canvas', {'aria-hidden': 'true'});
  const stage = element('div', {class: 'stage small'}, pictureOf(screen), this.canvas);
  const {width, height} = screen.geometry;
  stage.style.setProperty('--shape', width / height);
  this.words = element('span', {class: 'quiet'});
  this.shown = element('span', {class: 'quiet'});
  this.element = element('li', {}, element('a', {class: 'card', ...linkTo(number)},
    element('div', {class: 'frame'}, stage), foreign(screen.screen, 'strong'),
    isAlone(screen) ? null : element('span', {class: 'quiet'}, foreign(screen.display),
      ` · ${points(width)} × ${points(height)}`),
    this.words, this.shown));
  this.observer = new ResizeObserver(() => this.paint());
  this.observer.observe(stage);
  this.remove = () => this.observer.disconnect();
  this.update = () => {
    this.view = viewOf(screen, settings);
    const map = this.view?.grid.map;
    this.words.textContent = map ? touchCount(map.touches) : _('not shown');
    this.shown.textContent = map ? filled(_('shown $0'), duration(map.shownMs)) : '';
    this.paint();
  };
  this.paint = () => {
    const ratio = dotsOfPixel();
    if (this.canvas.clientWidth) draw(this.canvas, screen, this.view, settings, ratio);
  };
}

// ---- Settings

function change(name, value) {
  settings[name] = value;
  for (const each of [...sections, ...cards]) each.update();
  sortCards();
  const single = report.choices.find(({id}) => id === settings.choice)?.kind === 'session' ? 1 : undefined;
  const names = [layerNames[settings.layer], listedValueName(settings.value, settings.layer, single), choiceNames[settings.choice]].join(', ');
  part('chosen').textContent = names;
  say(filled(_('All maps show: $0'), names));
}

function choiceGroups() {
  const titles = {span: _('Spans'), month: _('Months'), day: _('Days'), session: _('Single sessions')};
  return Object.entries(titles).map(([kind, title]) => ({title,
    options: report.choices.filter((choice) => choice.kind === kind)
      .map((choice) => [choice.id, choice.name])})).filter(({options}) => options.length);
}

/** Returns a list of the screens that leads to their sections. */
function goTo() {
  const name = (screen) => isAlone(screen) ? screen.screen : `${screen.screen} · ${screen.display}`;
  const list = selection(_('Go to'), [{options: [['', _('a screen…')],
    ...report.screens.map((screen, number) => [String(number), name(screen)])]}], '', (number) => {
    if (!number) return;
    list.lastElementChild.value = '';
    sections[number].element.scrollIntoView();
    sections[number].stage.focus({preventScroll: true});
  }, {id: 'go'});
  return list;
}

function toolbar() {
  const outlines = element('input', {type: 'checkbox', checked: true,
    onchange: () => change('showsControls', outlines.checked)});
  const untouched = element('input', {type: 'checkbox',
    onchange: () => change('showsUntouched', untouched.checked)});
  const smooth = element('input', {type: 'checkbox', checked: true, onchange: () => change('isSmooth', smooth.checked)});
  return element('div', {class: 'toolbar', role: 'toolbar', 'aria-label': _('What the maps show')},
    report.screens.length > 1 ? goTo() : null,
    segments(_('Layer'), 'layer', Object.entries(layerNames).map(([id, name]) => [id, name, layerSays[id]]),
      settings.layer, (value) => change('layer', value)),
    selection(_('Value'), [{options: Object.entries(valueNames)}], settings.value,
      (value) => change('value', value), {id: 'value'}),
    selection(_('Sessions'), choiceGroups(), settings.choice, (value) => change('choice', value),
      {id: 'choice'}),
    segments(_('Scale'), 'scale', [['log', _('Log')], ['linear', _('Linear')]], settings.scale,
      (value) => change('scale', value)),
    element('label', {class: 'tick'}, untouched, element('span', {text: _('Mark never touched')})),
    element('label', {class: 'tick'}, smooth, element('span', {text: _('Smooth')})),
    report.screens.some((screen) => screen.controls.length || screen.spots.length)
      ? element('label', {class: 'tick'}, outlines, element('span', {text: _('Controls')})) : null);
}

// ---- The overview

let order = 'touches';
function sortCards() {
  const map = (card) => card.view?.grid.map;
  const names = (a, b) => a.screen.screen.localeCompare(b.screen.screen, 'en');
  const rules = {
    touches: (a, b) => (map(b)?.touches ?? -1) - (map(a)?.touches ?? -1) || names(a, b),
    shown: (a, b) => (map(b)?.shownMs ?? -1) - (map(a)?.shownMs ?? -1) || names(a, b),
    name: names,
  };
  const list = part('cards');
  const focused = document.activeElement;
  list.append(...[...cards].sort(rules[order]).map((card) => card.element));
  if (list.contains(focused)) focused.focus();
}

/** Returns the number of cards per row that fills the last row best: 4 to 6. */
function columnsFor(count) {
  const wasted = (columns) => (columns - count % columns) % columns;
  return count < 5 ? 4 : [4, 5, 6].reduce((best, columns) => wasted(columns) < wasted(best) ? columns : best);
}

function overview() {
  const list = element('ul', {id: 'cards', class: 'cards'}, ...cards.map((card) => card.element));
  list.style.setProperty('--columns', columnsFor(cards.length));
  return element('section', {class: 'part', 'aria-labelledby': 'screens'},
    element('div', {class: 'heading'}, element('h2', {id: 'screens', text: _('Screens')}),
      selection(_('Order'), [{options: [['touches', _('by touches')], ['shown', _('by time shown')],
        ['name', _('by name')]]}], order, (value) => { order = value; sortCards(); }, {id: 'order'})),
    list,
    element('p', {class: 'quiet', text: _('Each map has its own colour scale; its legend is below.')}));
}

// ---- Findings

const findingNames = {missed: _('Missed'), dead: _('No response'), slow: _('Late response'), rage: _('Rage taps'),
  gesture: _('Gesture'), stray: _('No control'), lost: _('Lost'), hesitation: _('Hesitation'), changed: _('Changed'),
  untouched: _('Unused'), undescribed: _('Undescribed')};

/** Returns the attributes of a link to the place of a finding: on the map, or in a table. */
function linkOf({kind, screen: index, controls: [control], places}) {
  if (kind === 'lost') return link('funnel-0');
  if (kind === 'hesitation') return link('flow-table');
  const number = report.screens.findIndex((screen) => screen.index === index) + 1;
  if (!number) return {};
  const screen = report.screens[number - 1];
  const place = screen.controls[0]?.controls.findIndex(({name}) => name === control) ?? -1;
  const at = place >= 0 ? `control-${place}` : places.length ? 'place-0' : kind === 'undescribed' && screen.spots.length ? 'spot-1' : null;
  return at ? link(`screen-${number}-${at}`, () => sections[number - 1].stage) : linkTo(number);
}

/** Returns the section with the findings; null if there are none. */
function findings() {
  const faulty = faultyTouchscreens();
  if (!faulty.length && !report.findings.length && !report.screens.some((screen) => screen.controls.length)) return null;
  const isJudged = report.screens.some((screen) => screen.controls.some((layout) =>
    layout.controls.some((control) => !['tooFew', 'covered'].includes(control.verdict))));
  // Touchscreens come first: a faulty one makes all other findings unreliable.
  const items = faulty.map(({number, text}) => element('li', {class: 'finding broken'},
    element('span', {class: 'kind', text: _('Touchscreen')}), element('a', {...link(`touchscreen-${number}`), dir: 'auto', text})));
  items.push(...report.findings.map((finding) => element('li', {class: `finding ${finding.kind}`},
    element('span', {class: 'kind', text: findingNames[finding.kind]}),
    element('a', {...linkOf(finding), dir: 'auto', text: finding.text}))));
  return element('section', {class: 'findings', 'aria-labelledby': 'findings'},
    element('h2', {id: 'findings', text: _('What to change')}),
    items.length ? element('ul', {}, ...items)
      : element('p', {text: isJudged
        ? _('Nothing: no control is certainly missed, without response, late, tapped in rage or unused.')
        : _('There are too few touches yet to tell.')}));
}

// ---- Head and foot

/** Returns the span that the report covers, and the first and last day with sessions, as text. */
function spanWords() {
  const {days, span} = report;
  const asked = span[0].toUpperCase() + span.slice(1);
  if (!days.length) return asked;
  const first = days[0].day, last = days[days.length - 1].day;
  // Translators: a span of time, such as "Last 30 days", and the days on which sessions began.
  return first === last ? filled(_('$0: sessions of $1'), asked, first)
    : filled(_('$0: sessions from $1 to $2'), asked, first, last);
}

function head() {
  const sessions = sessionsOf(report.days), touches = touchesBegun();
  const figure = (value, name, title) => element('div', {class: 'figure', title},
    element('strong', {text: value}), element('span', {text: name}));
  const tags = Object.entries(report.tags).map(([key, value]) => `${key}=${value}`);
  const times = [report.weekdays, report.hours].filter((time) => time);
  return element('header', {class: 'head'},
    element('p', {class: 'brand', text: 'Touchgrid'}),
    foreign(report.title, 'h1'),
    element('p', {class: 'span'}, spanWords(),
      ...tags.map((tag) => foreign(tag, 'span', {class: 'tag'})),
      ...times.map((time) => element('span', {class: 'tag', text: time.text}))),
    element('div', {class: 'figures'},
      // Translators: the numbers are above this name and the next ones.
      figure(whole.format(sessions), plural('session', 'sessions', sessions)),
      figure(touches.text, touches.name, touches.title),
      figure(whole.format(report.days.length), plural('day with sessions', 'days with sessions', report.days.length)),
      figure(whole.format(report.screens.length), plural('screen', 'screens', report.screens.length)),
      figure(report.lastTouch?.text ?? report.days.at(-1)?.day ?? _('unknown'), _('last touch'))));
}

function foot() {
  // Translators: a time, and the name of the program.
  const made = [filled(_('Made $0 with $1.'), report.made.text, report.program)];
  // Only the file has this note, because it is in English.
  if (isFile) made.push('The numbers are in this file, as JSON in the element touchgrid-data; nothing is loaded from elsewhere.');
  return element('footer', {}, element('p', {text: made.join(' ')}), element('p', {text: _('A mean is the sum over the sessions '
    + 'that showed a screen, touched or not, divided by their number. Displays and geometries are never added up.')}));
}

function sessionTable() {
  if (!report.sessions.length) return null;
  return folded(plural('The newest $0 session', 'The newest $0 sessions', report.sessions.length), () =>
    table(_('Sessions, the newest first'), [{title: _('Session')}, {title: _('Began')},
      {title: _('Lasted'), isNumber: true}, {title: _('Touches'), isNumber: true}, {title: _('Ended')}, {title: _('Tags')}],
    report.sessions.map((session) => [
      element('button', {type: 'button', text: `${session.id}`, title: _('Show its maps'), onclick: () => {
        part('choice').value = session.choice;
        change('choice', session.choice);
        part('screens').scrollIntoView();
      }}), session.began.text, duration(session.durationMs), whole.format(session.totals.begun),
      session.ending, foreign(Object.entries(session.tags).map(([key, value]) => `${key}=${value}`).join(' '))]),
    {class: 'wide'}));
}

/**
 * Shows a report in an element of the class `touchgrid-report`, in place of its content. Shows one report at a time.
 * `data`: as `touchgrid report --json` prints it. `asFile`: whether the page is the report's own file.
 */
export function showReport(data, page, asFile = false) {
  for (const each of [...sections, ...cards]) each.remove();
  load(data);
  container = page;
  isFile = asFile;
  Object.assign(settings, {choice: firstChoice, layer: 'taps', value: 'mean', scale: 'log', showsUntouched: false,
    showsControls: true, isSmooth: true});
  order = 'touches';
  sections = report.screens.map((screen, number) => new ScreenSection(screen, number + 1, settings));
  cards = report.screens.map((screen, number) => new Card(screen, number + 1));
  page.replaceChildren();
  page.append(head(), findings() ?? '');
  if (report.screens.length) {
    page.append(toolbar(),
      element('p', {class: 'printed'}, ...pieces(_('The maps show: $0'), element('span', {id: 'chosen'}))), overview(),
      element('p', {id: 'map-keys', class: 'unseen',
        text: _('Arrow keys move from block to block, with Shift by five blocks; Escape leaves the map.')}),
      element('section', {class: 'part', 'aria-label': _('Each screen')},
        ...sections.map((section) => section.element)));
  } else {
    page.append(element('p', {class: 'notice', text: _('No session began in this time.')}));
  }
  page.append(flows() ?? '', comparison() ?? '');
  const times = [sessionsOverTime(), hoursOfTheDay(), lengthsOfSessions(), weekHours()].filter((chart) => chart);
  if (times.length) {
    page.append(element('section', {class: 'part', 'aria-labelledby': 'use'},
      element('h2', {id: 'use', text: _('Use')}), element('div', {class: 'charts'}, ...times),
      shownTimes() ?? '', sessionTable() ?? ''));
  }
  if (report.days.length) page.append(books());
  page.append(touchscreens() ?? '', foot());
  if (report.screens.length) change('choice', firstChoice);
  say('');
}
