// The data of the report. docs/report.md of Touchgrid documents the members.

/** The data of the report that is shown. The most touched screen comes first; `index` is a screen's place in the data. */
export let report = {choices: [], screens: [], days: [], findings: []};
/** The id of the choice of sessions that the report shows first. */
export let firstChoice = null;
/** The names of all choices, by id. */
export let choiceNames = {};

/** Loads the data of a report, as `touchgrid report --json` prints it. Does not change `data`. */
export function load(data) {
  firstChoice = data.choices[0]?.id;
  choiceNames = Object.fromEntries(data.choices.map((choice) => [choice.id, choice.name]));
  const touches = ({maps}) => maps[firstChoice]?.touches ?? 0;
  const screens = data.screens.map((screen, index) => ({...screen, index})).sort((a, b) => touches(b) - touches(a));
  report = {...data, screens};
}

/** Yields the numbers of a sparse grid. They are LEB128 varints: 7 bits per byte, the high bit set if more follow. */
function* numbers(text) {
  let number = 0n, shift = 0n;
  for (const byte of atob(text)) {
    const code = byte.charCodeAt(0);
    number |= BigInt(code & 0x7f) << shift;
    shift += 7n;
    if (code < 0x80) {
      yield number;
      number = shift = 0n;
    }
  }
}

/**
 * Decodes a sparse grid. Returns `sums`, the sum of each block; `touched`, the number of sessions that touched it; and
 * `exact`, the sums that `sums` may have rounded.
 */
export function decoded(text, blocks) {
  const sums = new Float64Array(blocks), touched = new Float64Array(blocks);
  // The sums above 2^53 - 1, by block, as BigInt.
  const exact = new Map();
  const all = text ? numbers(text) : [][Symbol.iterator]();
  for (let block = 0, gap = all.next(); !gap.done && block < blocks; gap = all.next(), block++) {
    block += Number(gap.value);
    const sum = all.next().value;
    sums[block] = Number(sum);
    touched[block] = Number(all.next().value);
    if (sum > BigInt(Number.MAX_SAFE_INTEGER)) exact.set(block, sum);
  }
  return {sums, touched, exact};
}

/**
 * Returns a layer of a screen, summed over the sessions of a choice; null if these did not show the screen.
 *
 * A grid is `{sums, touched, exact, masked, map, layer, screen}`: by block, row by row from the top left, the sum (taps,
 * entries, or ms of contact), the number of sessions that touched it, and 1 if a mask reaches into it. `exact` has the
 * sums that `sums` rounds, as BigInt. `map` has `sessions`, `days`, `shownMs` and `touches`.
 */
export function gridOf(screen, choice, layer) {
  const map = screen.maps[choice];
  if (!map) return null;
  const key = choice + ' ' + layer;
  screen.decoded ??= new Map();
  let grid = screen.decoded.get(key);
  if (!grid) {
    const {columns, rows} = screen.geometry;
    grid = {...decoded(map.layers[layer], columns * rows), map, layer, screen,
            masked: maskedBlocks(screen.geometry, map.masks)};
    screen.decoded.set(key, grid);
  }
  return grid;
}

/**
 * Returns 1 for each block that a mask reaches into, 0 for the others. `geometry` has `columns`, `rows` and `blockSize`;
 * masks are `[x, y, width, height]`. Lengths are in points.
 */
export function maskedBlocks(geometry, masks) {
  const {columns, rows, blockSize: size} = geometry;
  const masked = new Uint8Array(columns * rows);
  for (const [x, y, width, height] of masks) {
    for (let row = Math.max(0, Math.floor(y / size)); row < rows && row * size < y + height; row++) {
      for (let column = Math.max(0, Math.floor(x / size));
        column < columns && column * size < x + width; column++) {
        // A mask that only touches the block's edge does not reach into it.
        if ((column + 1) * size > x && (row + 1) * size > y) masked[row * columns + column] = 1;
      }
    }
  }
  return masked;
}

/** The divisor of the sum, for each kind of displayed value. */
export const divisors = {
  mean: (map) => map.sessions,
  sum: () => 1,
  rate: (map) => map.shownMs / 60000,
};

/**
 * Returns the displayed value of each block; 0 for means without sessions and rates without a time shown. `value`: mean
 * (per session), sum or rate (per minute shown).
 */
export function valuesOf(grid, value) {
  const divisor = divisors[value](grid.map);
  return divisor > 0 ? grid.sums.map((sum) => sum / divisor) : new Float64Array(grid.sums.length);
}
