// The touchscreens: the state of each, its picture, and its touches.

import {decoded, report} from './data.js';
import {element, folded, foreign, isolated, table} from './elements.js';
import {range, touchCount, whole} from './numbers.js';
import {regionTable} from './regions.js';
import {colourAt, colourRamp, Scale} from './scale.js';
import {_, filled, plural} from './text.js';

/** The text of each kind of finding that is not about lines. */
const faultSays = {
  line: _('A part of the panel is probably dead.'),
  drift: _('Touches are reported beside where people touch.'),
  distortion: _('Touches are reported as if the panel had been stretched or turned.'),
  jitter: _('Fingers that rest are reported with more jitter than before.'),
  rate: _('The panel reports moving fingers less often than before.'),
  ghosts: _('The panel reports touches that nobody made.'),
  silence: _('Nobody touches the panel at times when people used to.'),
};

/** The faults that each kind of finding looks for. */
const soughtFaults = {
  drift: _('drift of the calibration'),
  distortion: _('distortion of the calibration'),
  jitter: _('jitter'),
  rate: _('the report rate'),
  ghosts: _('touches that nobody made'),
  silence: _('silence'),
};

const likelyCauses = {
  splitLine: _('An electrode or its connection is broken.'),
  deadLine: _('An electrode or its connection is broken.'),
  deadBand: _('Several electrodes beside each other are broken, or something covers them.'),
  calibration: _('The panel or its mounting has moved, or its calibration is wrong.'),
  power: _('Electrical noise: a charger, a power supply, or bad earthing.'),
  sun: _('Something that happens at the same hours every day, such as sunlight on the panel.'),
  water: _('Water, cleaning, or something that lies on the panel for a while.'),
  controller: _('The controller or its cable.'),
  surface: _('A part of the panel is damaged, wet or under pressure.'),
  absent: _('The panel, its cable or its driver has failed, or the place is closed.'),
};

/** The remedy for each cause, worded as by `touchgrid panel`. */
const faultRemedies = {
  splitLine: _('Clean the glass there and look for a crack. Restart the kiosk: many controllers calibrate themselves then. If it '
    + 'stays, replace the panel; until then, put no button there.'),
  deadLine: _('Clean the glass there and look for a crack. Restart the kiosk: many controllers calibrate themselves then. If it '
    + 'stays, replace the panel; until then, put no button there.'),
  deadBand: _('Remove what covers the glass there, look for a crack, and plug in the panel\'s cable again. If it stays, replace '
    + 'the panel.'),
  calibration: _('Look whether the panel or the display has moved in its frame. Then run \'sudo touchgrid calibrate\' in front of '
    + 'it.'),
  power: _('Try another power supply, earth the kiosk\'s frame, and keep chargers away from the panel.'),
  sun: _('Shade the panel in these hours, or find what is switched on then.'),
  water: _('Dry the panel and its edge. Who cleans it can run \'touchgrid pause\' meanwhile.'),
  controller: _('Plug in the panel\'s cable again, without a hub. Switch off the power saving of its USB port, and update its '
    + 'firmware. If it stays, replace the controller.'),
  surface: _('Clean and dry that part of the glass, look for a crack, and whether the frame presses on it.'),
  absent: _('Touch the panel while \'touchgrid doctor --touch\' runs. If no touch arrives, check its cable and its power. If the '
    + 'place was closed, there is nothing to do.'),
};

/** Returns the subject of a finding as a sentence. */
function faultWords({kind, cause, place}) {
  if (!place) return faultSays[kind];
  const count = place.lines[1] - place.lines[0] + 1, isVertical = place.direction === 'vertical';
  switch (cause) {
    case 'splitLine':
      return isVertical ? plural('A vertical line probably makes two touches of one finger.',
        '$0 vertical lines probably make two touches of one finger.', count)
        : plural('A horizontal line probably makes two touches of one finger.',
          '$0 horizontal lines probably make two touches of one finger.', count);
    case 'deadBand':
      return isVertical ? plural('A vertical line is probably dead or covered.',
        '$0 vertical lines are probably dead or covered.', count)
        : plural('A horizontal line is probably dead or covered.',
          '$0 horizontal lines are probably dead or covered.', count);
    default:
      return isVertical ? plural('A vertical line is probably dead.', '$0 vertical lines are probably dead.', count)
        : plural('A horizontal line is probably dead.', '$0 horizontal lines are probably dead.', count);
  }
}

/** Returns the distance of lines from an edge: `200 to 205 mm from the left edge`. */
function lineDistance({place: {lines: [first, last], of, edge}, distanceMm}) {
  // Translators: $0 is a distance, such as "200 to 205 mm".
  const edges = {left: _('$0 from the left edge'), top: _('$0 from the top edge'),
    x: _('$0 from where the panel’s x axis begins'), y: _('$0 from where the panel’s y axis begins')};
  const distance = distanceMm ? filled(_('$0 to $1 mm'), ...distanceMm.map((end) => Math.round(end)))
    : filled(_('$0 to $1 %'), Math.round(100 * (first - 1) / of), Math.round(100 * last / of));
  return filled(edges[edge], distance);
}

/**
 * Returns the distance of lines and their numbers: `200 to 205 mm from the left edge · line 41 of
 * 64`.
 */
function linePlace(finding) {
  const {lines: [first, last], of} = finding.place;
  return [lineDistance(finding), first === last ? filled(_('line $0 of $1'), first, of)
    : filled(_('lines $0 of $1'), range(first, last), of)].join(' · ');
}

/** Formats hours of the day: `9–10, 12–16 o’clock`. */
function hourWords(hours) {
  const spans = [];
  for (const hour of hours) {
    if (spans.at(-1)?.[1] === hour) spans.at(-1)[1] = hour + 1;
    else spans.push([hour, hour + 1]);
  }
  // Translators: $0 is a list of hours of the day, such as "9–10, 12–16".
  return filled(_('$0 o’clock'), spans.map(([from, until]) => range(from, until)).join(', '));
}

const panelParts = [_('top left'), _('top'), _('top right'), _('left'), _('middle'), _('right'), _('bottom left'), _('bottom'),
  _('bottom right')];

/** Returns the parts of the panel in which the frames of a finding lie. */
function framedParts(frames, {columns, rows}) {
  const third = (start, size, count) => Math.floor((start + size / 2) / count * 3);
  const parts = frames.map((frame) =>
    3 * third(frame.row, frame.rows, rows) + third(frame.column, frame.columns, columns));
  return panelParts.filter((name, index) => parts.includes(index)).join(', ');
}

/** Returns the state of a touchscreen as a sentence. */
function stateWords({state, days, neededDays, findings, isRecent, lastDay, neededSwipes}) {
  if (state === 'faulty') return plural('$0 fault found', '$0 faults found', findings.length);
  if (state === 'untouched') return _('Nothing is known of its state: no touch was counted yet');
  const found = days === 0 ? _('Too little was counted')
    : plural('No fault found in $0 day', 'No fault found in $0 days', days);
  const needs = days < neededDays ? plural('To find each kind takes $0 more day with touches',
    'To find each kind takes $0 more days with touches', neededDays - days)
    : !isRecent ? filled(_('Little was counted since $0'), lastDay)
    : neededSwipes ? plural('Dead lines need at least $0 more swipe', 'Dead lines need at least $0 more swipes', neededSwipes)
    : null;
  return needs ? `${found}. ${needs}` : found;
}

/** Returns the things that are unknown about a touchscreen, as sentences. */
function unknownWords({state, days, neededDays, unknown, unusedLines, picture}) {
  if (days < neededDays && state !== 'faulty') return [];
  const kinds = unknown.filter((kind) => kind !== 'line').map((kind) => soughtFaults[kind]);
  const words = [];
  if (unknown.includes('line')) {
    words.push(_('Dead lines: too few fingers swipe across them. Test the panel by hand (\'sudo touchgrid panel test\'), or let '
      + 'the app tag each session with its build: then touches tell, after 25 days.'));
  }
  // Translators: $0 is a list, such as "jitter, silence".
  if (kinds.length) words.push(filled(_('Too little was counted for: $0.'), kinds.join(', ')));
  if (!picture) return words;
  // The lines are counted along the axes of the panel, which may lie turned.
  const counts = [unusedLines.vertical.length, unusedLines.horizontal.length];
  const [vertical, horizontal] = picture.columns < picture.rows ? counts.reverse() : counts;
  if (vertical) words.push(filled(_('$0 of $1 vertical lines: people hardly touch or cross these, so a fault there would not show.'),
    vertical, picture.columns));
  if (horizontal) words.push(filled(_('$0 of $1 horizontal lines: people hardly touch or cross these, so a fault there would not show.'),
    horizontal, picture.rows));
  return words;
}

/** Returns the picture of the touch-downs of the last days, with a frame around each fault. */
function panelPicture({device, picture, findings}) {
  const {columns, rows, frames} = picture, {sums} = decoded(picture.touches, columns * rows);
  const scale = new Scale(sums, 1, false);
  // A pixel for each cell; the style enlarges it.
  const canvas = element('canvas', {width: columns, height: rows}), context = canvas.getContext('2d');
  sums.forEach((sum, cell) => {
    if (!sum) return;
    context.fillStyle = colourAt(scale.position(sum));
    context.fillRect(cell % columns, Math.floor(cell / columns), 1, 1);
  });
  const plate = element('div', {class: 'plate', 'aria-hidden': 'true'}, canvas, ...frames.map((frame, index) => {
    const isFirst = frames.findIndex(({finding}) => finding === frame.finding) === index;
    const made = element('div', {class: 'fault'},
      findings.length > 1 && isFirst ? element('span', {text: `${frame.finding + 1}`}) : null);
    Object.assign(made.style, {left: `${100 * frame.column / columns}%`, top: `${100 * frame.row / rows}%`,
      width: `${100 * frame.columns / columns}%`, height: `${100 * frame.rows / rows}%`});
    return made;
  }));
  plate.style.setProperty('--shape', picture.shape ?? columns / rows);
  const bar = element('div', {class: 'bar', 'aria-hidden': 'true'});
  bar.style.backgroundImage = colourRamp();
  const most = touchCount(Math.round(scale.limit));
  const caption = picture.isSeen
    ? plural('Where touches began in the last $0 day', 'Where touches began in the last $0 days', picture.days)
    : plural('Where touches began in the last $0 day, along the axes of the panel',
      'Where touches began in the last $0 days, along the axes of the panel', picture.days);
  const legend = scale.most ? [bar, element('div', {class: 'ticks'}, element('span', {text: touchCount(1)}),
    element('span', {text: scale.limit < scale.most ? filled(_('$0 and more'), most) : most}))] : [];
  return element('figure', {}, plate, element('figcaption', {class: 'quiet', text: caption}), ...legend,
    frames.length ? element('ul', {class: 'keys'}, element('li', {}, element('span', {class: 'swatch fault'}),
      _('where a fault was found'))) : null,
    scale.most ? folded(_('As a table'), () => regionTable(_('Share of touches by part of the panel'), sums, picture,
      // Translators: the name of a table, and the touchscreen that it is about.
      filled(_('$0: $1'), _('Share of touches by part of the panel'), isolated(device)))) : null);
}

/** Returns names and their values. A value is a text, or a list of texts. */
function namedWords(...all) {
  const list = (value) => element('ul', {}, ...value.map((text) => element('li', {text})));
  return element('dl', {class: 'named'}, ...all.filter(([, value]) => value?.length).flatMap(([name, value]) =>
    [element('dt', {text: name}), element('dd', {}, Array.isArray(value) ? list(value) : value)]));
}

function faultItem(finding, index, {picture}) {
  const {kind, place, since, hours, cause, falseAlarmsPerYear, text} = finding;
  const years = Math.round(1 / falseAlarmsPerYear);
  const frames = picture?.frames.filter((frame) => frame.finding === index) ?? [];
  return element('li', {}, element('h4', {text: faultWords(finding)}),
    namedWords([_('Since'), since],
      [_('Where'), place ? linePlace(finding) : framedParts(frames, picture ?? {})],
      [_('When'), hours?.length ? hourWords(hours) : null],
      [_('How sure'), plural('A healthy panel has such a finding less than once in $0 year.',
        'A healthy panel has such a finding less than once in $0 years.', years)],
      [_('Likely cause'), likelyCauses[cause]], [_('What to do'), faultRemedies[cause]],
      [_('In this report'), kind === 'ghosts' ? _('These touches are in the numbers and the maps, except those that repeat in a '
        + 'rhythm: only these are counted as suspected ghosts.') : null]),
    // This text comes from the command, and counts lines along the axes of the panel.
    folded(_('What was counted'), () => element('p', {lang: 'en', dir: 'auto', text})));
}

/** Returns the name of a touchscreen. A state that was read from a file has none. */
const panelName = ({device, name}) => name ?? report.devices.find(({key}) => key === device)?.name ?? device;

function panelSection(panel, number) {
  const name = panelName(panel), {device, state, touches, findings, days, firstDay, lastDay} = panel;
  const id = `touchscreen-${number}`;
  const words = element('div', {class: 'words'},
    findings.length ? element('ol', {class: findings.length > 1 ? 'faults many' : 'faults'},
      ...findings.map((finding, index) => faultItem(finding, index, panel))) : null,
    touches ? namedWords(
      [_('Judged by'), [plural('$0 day with enough touches, from $1 to $2', '$0 days with enough touches, from $1 to $2', days,
        whole.format(days), firstDay, lastDay), touchCount(touches)].join(' · ')],
      [_('Not known'), unknownWords(panel)]) : null);
  return element('section', {class: `touchscreen ${state}`, id, tabindex: '-1', 'aria-labelledby': `${id}-name`},
    element('header', {}, foreign(name, 'h3', {id: `${id}-name`}),
      name === device ? null : foreign(device, 'small', {class: 'quiet'}),
      element('p', {class: 'state', text: stateWords(panel)})),
    touches && panel.picture ? element('div', {class: 'pictured'}, panelPicture(panel), words) : words);
}

/** Returns the fault, its place and its first day, in a few words. */
function faultSummary(finding) {
  const since = filled(_('Since $0.'), finding.since);
  // Translators: $0 is a place, such as "200 to 205 mm from the left edge".
  return [faultWords(finding), finding.place ? filled(_('It is $0.'), lineDistance(finding)) : null, since]
    .filter(Boolean).join(' ');
}

/** Returns the number of each faulty touchscreen, and its faults as text. */
export function faultyTouchscreens() {
  const panels = report.panels ?? [];
  return panels.map((panel, index) => ({panel, number: index + 1})).filter(({panel}) => panel.findings.length)
    .map(({panel, number}) => {
      const text = panel.findings.map(faultSummary).join(' ');
      // Translators: the name of a touchscreen, and what is wrong with it.
      return {number, text: panels.length > 1 ? filled(_('$0: $1'), isolated(panelName(panel)), text) : text};
    });
}

/** Returns the section about touchscreens; null if there are none. */
export function touchscreens() {
  const panels = report.panels ?? [];
  if (!report.devices.length && !panels.length && report.panels !== null) return null;
  return element('section', {class: 'part', 'aria-labelledby': 'devices'},
    element('h2', {id: 'devices', text: _('Touchscreens')}),
    report.panels === null
      ? element('p', {class: 'notice', text: _('Whether the touchscreens are still good could not be read.')}) : null,
    panels.length ? element('p', {class: 'quiet', text: _('Judged by all days until the end of this report, also those before it.')})
      : null,
    ...panels.map((panel, index) => panelSection(panel, index + 1)),
    report.devices.length ? touchTable() : null);
}

/** Returns a table of the totals of touches by touchscreen. */
function touchTable() {
  const hasTally = report.devices.some((device) => device.tally);
  const columns = [{title: _('Touchscreen')}, {title: _('Display')}];
  if (hasTally) {
    columns.push(...[_('Touches'), _('Losses of events'), _('Suspected ghosts'), _('Virtual duplicates'),
      _('Not recorded')].map((title) => ({title, isNumber: true})));
  }
  const number = (tally, name) => tally ? whole.format(tally[name]) : '–';
  return table(hasTally ? _('What became of their touches since the daemon opened them') : _('From the store'),
    columns, report.devices.map(({name, key, displays, tally}) => [
      element('span', {}, foreign(name ?? key), name ? element('br') : null,
        name ? foreign(key, 'small', {class: 'quiet'}) : null),
      displays.join(', '),
      ...(hasTally ? ['touches', 'drops', 'suspectedGhosts', 'echoes', 'unrecorded']
        .map((field) => number(tally, field)) : []),
    ]), {class: 'wide'});
}
