// A map as a table of its nine regions, which screen readers can read.

import {element, table} from './elements.js';
import {share} from './numbers.js';
import {_} from './text.js';

/**
 * Returns a table of the shares of 3 x 3 regions. `sums` has a number for each block, row by row. `label`:
 * see `table`.
 */
export function regionTable(caption, sums, {columns, rows}, label) {
  const shares = new Float64Array(9);
  const third = (place, count) => Math.min(2, Math.floor((place + 0.5) / count * 3));
  let all = 0;
  sums.forEach((sum, block) => {
    shares[3 * third(Math.floor(block / columns), rows) + third(block % columns, columns)] += sum;
    all += sum;
  });
  const cells = [_('top'), _('middle'), _('bottom')].map((name, row) => [name, ...[0, 1, 2].map((column) => {
    const cell = element('span', {class: 'tint', text: share(shares[3 * row + column], all)});
    cell.style.setProperty('--part', shares[3 * row + column] / all);
    return cell;
  })]);
  return element('div', {class: 'regions'}, table(caption,
    // Translators: this and the next ones are parts of a screen.
    [{title: ''}, {title: _('left'), isNumber: true}, {title: _('centre'), isNumber: true}, {title: _('right'), isNumber: true}],
    cells, {}, label));
}
