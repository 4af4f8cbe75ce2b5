// Shows what has changed since the time before.

import {report} from './data.js';
import {element, foreign, table} from './elements.js';
import {points, rounded, share} from './numbers.js';

const chance = (q) => q < 0.0001 ? '< 0.0001' : q.toPrecision(2);

function changedControls({controls, before}) {
  const found = controls.filter((control) => control.isDifferent);
  if (!found.length) return null;
  const percent = ({value}) => share(value, 1);
  return table(`Controls, the report against ${before}`,
    [{title: 'Screen'}, {title: 'Control'}, {title: 'What'}, {title: 'Before', isNumber: true},
      {title: 'Now', isNumber: true}, {title: 'q', isNumber: true}],
    found.slice(0, 20).map((control) => [foreign(control.screen), foreign(control.control),
      control.measure === 'used' ? 'sessions that used it' : 'touches that hit it',
      percent(control.a), percent(control.b), chance(control.q)]), {class: 'wide'});
}

function changedCells(screen) {
  if (!screen.cells.length) return null;
  const rest = screen.differences - screen.cells.length;
  return table(`Taps a session on \u2068${screen.screen}\u2069${rest ? `, the ${screen.cells.length} surest of ${screen.differences}` : ''}`,
    [{title: 'At point'}, {title: 'Before', isNumber: true}, {title: 'Now', isNumber: true},
      {title: 'Difference, 95 %', isNumber: true}, {title: 'q', isNumber: true}],
    screen.cells.map((cell) => [
      `${points(cell.x)}, ${points(cell.y)}${cell.blocks > 1 ? ` (${cell.blocks} blocks)` : ''}`,
      rounded(cell.before), rounded(cell.now),
      [cell.low, cell.high].map((value) => (value > 0 ? '+' : value < 0 ? '−' : '') + rounded(Math.abs(value))).join(' to '),
      chance(cell.q)]), {class: 'wide'});
}

/** Returns the comparison of the report with the time before; null if there was none. */
export function comparison() {
  const found = report.comparison;
  if (!found) return null;
  const tables = [changedControls(found), ...found.screens.map(changedCells)].filter((made) => made);
  const judged = found.screens.filter((screen) => screen.compared > 0).length;
  const lines = [tables.length
    ? `In each table, up to ${Math.round(100 * found.level)} % of the differences may be due to chance. q tells how sure each is.`
    : judged ? 'All differences may be due to chance.' : 'There are too few sessions to compare.'];
  for (const [names, when] of [[found.onlyNow, 'only now'], [found.onlyBefore, 'only before']]) {
    if (names.length) lines.push(`Shown ${when}: ${[...new Set(names)].map((name) => `\u2068${name}\u2069`).join(', ')}.`);
  }
  return element('section', {class: 'part flows', 'aria-labelledby': 'changes'},
    element('h2', {id: 'changes', text: `Compared with ${found.before}`}), ...tables,
    ...lines.map((text) => element('p', {class: 'quiet', dir: 'auto', text})));
}
