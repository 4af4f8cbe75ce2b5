// Shows the changes since the previous period.

import {report} from './data.js';
import {element, foreign, isolated, table} from './elements.js';
import {percents, points, range, rounded, share} from './numbers.js';
import {_, filled, plural} from './text.js';

const chance = (q) => q < 0.0001 ? '< 0.0001' : q.toPrecision(2);

function changedControls({controls, before}) {
  const found = controls.filter((control) => control.isDifferent);
  if (!found.length) return null;
  const percent = ({value}) => share(value, 1);
  const names = {used: _('sessions that used it'), hit: _('touches that hit it')};
  return table(filled(_('Controls and gestures, the report against $0'), before),
    [{title: _('Screen')}, {title: _('Control')}, {title: _('What')}, {title: _('Before'), isNumber: true},
      {title: _('Now'), isNumber: true}, {title: _('q'), isNumber: true}],
    found.slice(0, 20).map((control) => [foreign(control.screen), foreign(control.control ?? '–'),
      names[control.measure] ?? foreign(control.what),
      percent(control.a), percent(control.b), chance(control.q)]), {class: 'wide'});
}

function changedCells(screen) {
  if (!screen.cells.length) return null;
  const rest = screen.differences - screen.cells.length;
  const place = ({x, y, blocks}) => blocks > 1
    ? plural('$0, $1 ($2 block)', '$0, $1 ($2 blocks)', blocks, points(x), points(y), blocks) : `${points(x)}, ${points(y)}`;
  const signed = (value) => (value > 0 ? '+' : value < 0 ? '−' : '') + rounded(Math.abs(value));
  return table(rest ? filled(_('Taps a session on $0, the $1 surest of $2'), isolated(screen.screen), screen.cells.length,
    screen.differences) : filled(_('Taps a session on $0'), isolated(screen.screen)),
    [{title: _('At point')}, {title: _('Before'), isNumber: true}, {title: _('Now'), isNumber: true},
      {title: _('Difference, 95 %'), isNumber: true}, {title: _('q'), isNumber: true}],
    screen.cells.map((cell) => [place(cell), rounded(cell.before), rounded(cell.now), range(signed(cell.low), signed(cell.high)),
      chance(cell.q)]), {class: 'wide'});
}

/** Returns the section with the comparison with the previous period; null if there is none. */
export function comparison() {
  const found = report.comparison;
  if (!found) return null;
  const tables = [changedControls(found), ...found.screens.map(changedCells)].filter((made) => made);
  const judged = found.screens.filter((screen) => screen.compared > 0).length;
  const lines = [tables.length
    ? filled(_('In each table, up to $0 of the differences may be due to chance. q tells how sure each is.'),
      percents(Math.round(100 * found.level)))
    : judged ? _('All differences may be due to chance.') : _('There are too few sessions to compare.')];
  for (const [names, text] of [[found.onlyNow, _('Shown only now: $0.')], [found.onlyBefore, _('Shown only before: $0.')]]) {
    if (names.length) lines.push(filled(text, [...new Set(names)].map(isolated).join(', ')));
  }
  return element('section', {class: 'part flows', 'aria-labelledby': 'changes'},
    element('h2', {id: 'changes', text: filled(_('Compared with $0'), found.before)}), ...tables,
    ...lines.map((text) => element('p', {class: 'quiet', dir: 'auto', text})));
}
