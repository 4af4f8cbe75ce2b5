// Shows the changes between screens.

import {report} from './data.js';
import {element, foreign, isolated, table} from './elements.js';
import {duration, share, whole} from './numbers.js';
import {_, filled, plural} from './text.js';

/**
 * The XML namespace of SVG. It comes from a parser, because the report must not contain any address, even this
 * one.
 */
const svgSpace = new DOMParser().parseFromString('<svg></svg>', 'text/html').body.firstChild.namespaceURI;

/** Returns an SVG element with these attributes; `text` is its text. */
function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'text') made.textContent = value; else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The maximum number of screens in a drawing. The table lists all. */
const mostNodes = 14;

/**
 * Returns the screens of a display in columns. The first column has the screen with which most sessions begin.
 * Every other screen is in the column after the first one from which people often come to it.
 */
function flowColumns(screens, steps) {
  const nodes = new Map(screens.map((screen) => [screen.screen, {...screen, seen: screen.entries + screen.visits}]));
  const first = screens.reduce((best, screen) => screen.entries > best.entries ? screen : best, screens[0]);
  const columns = [[nodes.get(first.screen)]];
  const placed = new Set([first.screen]);
  while (placed.size < nodes.size) {
    const last = new Set(columns[columns.length - 1].map((node) => node.screen));
    const often = steps.filter((step) => last.has(step.from) && !placed.has(step.to) && nodes.has(step.to)
      && step.times >= 0.05 * nodes.get(step.from).seen);
    const names = new Set(often.map((step) => step.to));
    const next = [...nodes.values()].filter((node) => names.has(node.screen));
    // The last column has the screens to which people rarely come from the other columns.
    columns.push(next.length ? next : [...nodes.values()].filter((node) => !placed.has(node.screen)));
    for (const node of columns[columns.length - 1]) placed.add(node.screen);
  }
  return columns;
}

/** Draws the changes between the screens of a display. The table beside it has the same numbers. */
function flowDrawing(screens, steps) {
  const shown = [...screens].sort((a, b) => b.entries + b.visits - a.entries - a.visits).slice(0, mostNodes);
  const columns = flowColumns(shown, steps);
  const gap = 46, bar = 12, top = 26, tallest = 300;
  const columnWidth = columns.length > 1 ? Math.max(215, 840 / (columns.length - 1)) : 0;
  const scale = Math.min(...columns.map((column) =>
    Math.max(60, tallest - gap * (column.length - 1)) / Math.max(1, column.reduce((sum, node) => sum + node.seen, 0))));
  const byName = new Map();
  let height = 0;
  columns.forEach((column, index) => {
    let y = top;
    for (const node of column) {
      Object.assign(node, {column: index, x: index * columnWidth, y, tall: Math.max(3, node.seen * scale), out: 0, in: 0});
      byName.set(node.screen, node);
      y += node.tall + gap;
    }
    // The lines that lead back need some room below.
    height = Math.max(height, y - gap + 26);
  });
  const width = (columns.length - 1) * columnWidth + 240;
  const paths = [...steps].sort((a, b) => b.times - a.times).flatMap((step) => {
    const from = byName.get(step.from), to = byName.get(step.to);
    if (!from || !to || step.times < 0.02 * from.seen) return [];
    const wide = Math.max(1, Math.min(step.times * scale, from.tall, to.tall)), isBack = to.column <= from.column;
    const title = drawn('title', {text: plural('$0 to $1: $2 time, $3 of its appearances',
      '$0 to $1: $2 times, $3 of its appearances', step.times, step.from, step.to, whole.format(step.times),
      share(step.times, from.seen))});
    if (isBack) {
      const [x1, y1, x2, y2] = [from.x + bar, from.y + from.tall, to.x, to.y + to.tall];
      const low = Math.max(y1, y2) + 26;
      return [drawn('path', {class: 'back', 'stroke-width': Math.min(wide, 6),
        d: `M ${x1} ${y1 - 2} C ${x1 + 44} ${low}, ${x2 - 44} ${low}, ${x2} ${y2 - 2}`}, title)];
    }
    const y1 = from.y + Math.min(from.out, from.tall - wide) + wide / 2;
    const y2 = to.y + Math.min(to.in, to.tall - wide) + wide / 2;
    from.out += wide;
    to.in += wide;
    const [x1, x2] = [from.x + bar, to.x], middle = (x1 + x2) / 2;
    return [drawn('path', {'stroke-width': wide, d: `M ${x1} ${y1} C ${middle} ${y1}, ${middle} ${y2}, ${x2} ${y2}`}, title)];
  });
  const labels = [...byName.values()].flatMap((node) => {
    const left = node.exits ? Object.values(node.exits).reduce((sum, count) => sum + count, 0) : 0;
    const words = [plural('seen $0 time', 'seen $0 times', node.seen), ...(left ? [lastScreenWords(left, node.sessions)] : [])];
    return [drawn('rect', {x: node.x, y: node.y, width: bar, height: node.tall, rx: 2}),
      drawn('text', {x: node.x, y: node.y - 8, text: shortName(node.screen)}),
      ...words.map((text, line) => drawn('text',
        {class: 'quiet', x: node.x + bar + 6, y: node.y + Math.min(14, node.tall / 2 + 4) + 14 * line, text}))];
  });
  const picture = drawn('svg', {class: 'flow', viewBox: `-2 0 ${width} ${height + 10}`, 'aria-hidden': 'true'},
    ...paths, ...labels);
  return element('div', {class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': _('Drawing of the changes')}, picture);
}

const shortName = (name) => name.length > 24 ? `${name.slice(0, 23)}…` : name;

/** Returns a text with the number of the sessions that ended on a screen. */
// Translators: $1 sessions ended on a screen, of $0 that saw it.
const lastScreenWords = (left, sessions) => plural('last screen of $1 of $0 session', 'last screen of $1 of $0 sessions', sessions,
  whole.format(sessions), whole.format(left));

const seconds = (ms) => ms === null ? '–' : duration(ms);

/** Returns the table of all screens. */
function flowTable(screens, steps, hasDisplays) {
  const made = table(_('What people did on each screen'),
    [{title: _('Screen')}, {title: _('Seen'), isNumber: true}, {title: _('First touch after'), isNumber: true},
      {title: _('Next touch after'), isNumber: true}, {title: _('Not touched'), isNumber: true},
      // Translators: "85 of 390" sessions is below this title.
      {title: _('Last screen of'), isNumber: true}, {title: _('Then')}],
    screens.map((screen) => {
      const seen = screen.entries + screen.visits;
      const left = Object.values(screen.exits).reduce((sum, count) => sum + count, 0);
      const next = steps.filter((step) => step.display === screen.display && step.from === screen.screen)
        .sort((a, b) => b.times - a.times).slice(0, 3);
      return [
        element('span', {}, foreign(screen.screen),
          hasDisplays ? element('small', {class: 'quiet'}, ' ', foreign(screen.display)) : null),
        whole.format(seen), seconds(screen.firstTouchMs), seconds(screen.nextTouchMs),
        screen.untouchedShare === null ? '–' : share(screen.untouchedShare, 1),
        {text: filled(_('$0 of $1'), whole.format(left), whole.format(screen.sessions)), title: screen.oneTouchSessions
          ? plural('$0 session of a single touch', '$0 sessions of a single touch', screen.oneTouchSessions) : ''},
        next.length ? element('span', {}, ...next.flatMap((step, index) =>
          [index ? ', ' : '', foreign(step.to), ` ${share(step.times, seen)}`])) : '',
      ];
    }), {class: 'wide'});
  made.id = 'flow-table';
  return made;
}

function funnelTable({name, screens, reached}, number) {
  const made = table(filled(_('Funnel “$0”'), isolated(name)),
    [{title: _('Screen')}, {title: ''}, {title: _('Sessions'), isNumber: true}, {title: _('Of all'), isNumber: true},
      {title: _('Of those before'), isNumber: true}],
    screens.map((screen, index) => {
      const rod = element('span', {class: 'lying', 'aria-hidden': 'true'});
      rod.style.setProperty('--part', reached[index] / Math.max(1, reached[0]));
      // Translators: people have reached the last screen of a funnel.
      const place = index === screens.length - 1
        ? element('span', {}, foreign(screen), element('small', {class: 'quiet', text: ` ${_('done')}`})) : foreign(screen);
      return [place, rod, whole.format(reached[index]), share(reached[index], reached[0]),
        index ? share(reached[index], reached[index - 1]) : ''];
    }), {class: 'wide'});
  made.id = `funnel-${number}`;
  return made;
}

/** Returns the section about changes between screens; null if nothing was counted. */
export function flows() {
  const counts = report.flows;
  if (!counts) return null;
  const displays = [...new Set(counts.screens.map((screen) => screen.display))];
  const drawings = displays.flatMap((display) => {
    const [screens, steps] = [counts.screens, counts.steps].map((list) => list.filter((one) => one.display === display));
    if (!steps.length) return [];
    return [...(displays.length > 1 ? [foreign(display, 'h3')] : []), flowDrawing(screens, steps)];
  });
  const notes = [_('Times are medians. A line is as thick as the change is frequent; grey lines lead back.'),
    plural('The drawing leaves out changes of less than 2 %, and all but $0 screen.',
      'The drawing leaves out changes of less than 2 %, and all but $0 screens.', mostNodes)];
  if (counts.hiddenSteps) {
    notes.push(plural('$0 change that fewer than 5 sessions made is not shown.',
      '$0 changes that fewer than 5 sessions made are not shown.', counts.hiddenSteps));
  }
  return element('section', {class: 'part flows', 'aria-labelledby': 'flows'},
    element('h2', {id: 'flows', text: _('How people move')}), ...drawings,
    flowTable(counts.screens, counts.steps, displays.length > 1),
    ...counts.funnels.map(funnelTable), element('p', {class: 'quiet', text: notes.join(' ')}));
}
