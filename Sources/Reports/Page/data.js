'use strict';
// What the report holds. docs/report.md of Touchgrid explains the members.

const report = JSON.parse(document.getElementById('touchgrid-data').textContent);

/** The numbers of a sparse grid: 7 bits a byte, the least first, the high bit set where more follow. */
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

/** For each block: the sum, and how many sessions touched it. */
function decoded(text, blocks) {
  const sums = new Float64Array(blocks), touched = new Float64Array(blocks);
  // Sums that floating point would round.
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

/** One layer of one screen over the sessions of one choice; null where these did not show it. */
function gridOf(screen, choice, layer) {
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

/** For each block whether a mask reaches into it. */
function maskedBlocks(geometry, masks) {
  const {columns, rows, blockSize: size} = geometry;
  const masked = new Uint8Array(columns * rows);
  for (const [x, y, width, height] of masks) {
    for (let row = Math.max(0, Math.floor(y / size)); row < rows && row * size < y + height; row++) {
      for (let column = Math.max(0, Math.floor(x / size));
        column < columns && column * size < x + width; column++) {
        // An edge that only touches the block is no part of it.
        if ((column + 1) * size > x && (row + 1) * size > y) masked[row * columns + column] = 1;
      }
    }
  }
  return masked;
}

/** What a sum is divided by for each of the values that can be shown. */
const divisors = {
  mean: (map) => map.sessions,
  sum: () => 1,
  rate: (map) => map.shownMs / 60000,
};

/** For each block what is shown of it; 0 where there is nothing to divide by. */
function valuesOf(grid, value) {
  const divisor = divisors[value](grid.map);
  return divisor > 0 ? grid.sums.map((sum) => sum / divisor) : new Float64Array(grid.sums.length);
}
