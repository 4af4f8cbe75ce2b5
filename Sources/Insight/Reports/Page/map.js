// Draws a grid.

import {divisors, gridOf, valuesOf} from './data.js';
import {amount, exactSum, per, points, share, whole} from './numbers.js';
import {colourAt, Scale} from './scale.js';
import {_, filled, plural} from './text.js';

const untouchedColour = 'rgb(56 189 248 / 45%)';

/**
 * Returns the canvas pixels per CSS pixel, at least 3. The same pixels are printed, because a canvas that was redrawn
 * for printing would have another size on paper.
 */
export function dotsOfPixel() { return Math.max(3, window.devicePixelRatio || 1); }

/** Returns a pattern of slanted lines, for masked blocks. */
function hatching(context, ratio) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(7 * ratio);
  const side = tile.width, lines = tile.getContext('2d');
  lines.fillStyle = 'rgb(126 121 140 / 28%)';
  lines.fillRect(0, 0, side, side);
  lines.strokeStyle = 'rgb(214 209 226 / 75%)';
  lines.lineWidth = Math.max(1, ratio);
  lines.beginPath();
  // Also draw the lines of the neighbouring tiles, so that the tiles join.
  for (const offset of [-side, 0, side]) {
    lines.moveTo(offset - 1, side + 1);
    lines.lineTo(offset + side + 1, -1);
  }
  lines.stroke();
  return context.createPattern(tile, 'repeat');
}

/**
 * Returns the grid that the settings select, its displayed values and their scale; null if there is none. The settings
 * are `choice`, `layer` (taps, trail or dwell), `value` (mean, sum or rate), `scale` (log or linear), `isSmooth` and
 * `showsUntouched`. A grid that does not come from a report is put into `screen.decoded` (see `gridOf`).
 */
export function viewOf(screen, settings) {
  const grid = gridOf(screen, settings.choice, settings.layer);
  if (!grid) return null;
  const values = valuesOf(grid, settings.value), one = 1 / divisors[settings.value](grid.map);
  const shown = settings.isSmooth ? smoothed(values, screen.geometry) : values;
  return {grid, values, shown, one, scale: new Scale(shown, one, settings.scale === 'linear')};
}

/** The highest value after smoothing of a single block that has the value 1. */
const smoothPeak = 0.1592;

/**
 * Returns the values smoothed by a Gaussian whose standard deviation is one block. Values are reflected at the edges,
 * so their sum does not change.
 */
function smoothed(values, {columns, rows}) {
  const radius = 4, weights = Array.from({length: 2 * radius + 1}, (none, index) => Math.exp(-((index - radius) ** 2) / 2));
  const sum = weights.reduce((one, other) => one + other, 0);
  const inside = (place, count) => {
    while (place < 0 || place >= count) place = place < 0 ? -1 - place : 2 * count - 1 - place;
    return place;
  };
  const spread = (from, step, count, others, otherStep) => {
    const to = new Float64Array(from.length);
    for (let other = 0; other < others; other++) {
      for (let place = 0; place < count; place++) {
        const value = from[other * otherStep + place * step];
        if (!value) continue;
        for (let index = -radius; index <= radius; index++) {
          to[other * otherStep + inside(place + index, count) * step] += value * weights[index + radius] / sum;
        }
      }
    }
    return to;
  };
  return spread(spread(values, 1, columns, rows, columns), columns, rows, columns, 1);
}

/**
 * Draws smoothed values. Small values fade out, so that a single touch remains visible and there are no hard edges.
 */
function drawSmooth(context, view, geometry, width, height) {
  const {columns, rows, blockSize} = geometry;
  const picture = document.createElement('canvas');
  picture.width = columns;
  picture.height = rows;
  const small = picture.getContext('2d'), fade = Math.min(view.one * smoothPeak, view.scale.limit) / 2;
  view.shown.forEach((value, block) => {
    if (!(value > fade / 20) || view.grid.masked[block]) return;
    small.globalAlpha = Math.min(1, value / fade);
    small.fillStyle = colourAt(view.scale.position(value));
    small.fillRect(block % columns, Math.floor(block / columns), 1, 1);
  });
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'high';
  // The last blocks may reach beyond the display.
  context.drawImage(picture, 0, 0, width * columns * blockSize / geometry.width, height * rows * blockSize / geometry.height);
}

/**
 * Draws the blocks on whole pixels of the canvas, so that their edges are sharp. A block smaller than a pixel takes a
 * whole one. If several share a pixel, the one with the highest value is on top.
 */
export function draw(canvas, screen, view, settings, ratio) {
  const {geometry} = screen, {columns, rows, blockSize: size} = geometry;
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  // Setting the size also clears the canvas. A canvas cleared with clearRect is printed as opaque white.
  canvas.width = width;
  canvas.height = height;
  if (!view) return;
  const context = canvas.getContext('2d');
  const edge = (place, points, pixels) => Math.round(Math.min(place * size, points) / points * pixels);
  const stretch = (place, points, pixels) => {
    const start = Math.min(pixels - 1, edge(place, points, pixels));
    return [start, Math.max(1, edge(place + 1, points, pixels) - start)];
  };
  const across = Array.from({length: columns}, (none, column) => stretch(column, geometry.width, width));
  const down = Array.from({length: rows}, (none, row) => stretch(row, geometry.height, height));
  const {values, grid: {masked}} = view;
  const all = Array.from(values.keys());
  const touched = all.filter((block) => values[block] > 0).sort((a, b) => values[a] - values[b]);
  // One path for all blocks: a pixel that two of them share is painted once.
  const fill = (blocks, style) => {
    context.beginPath();
    for (const block of blocks) {
      const [x, wide] = across[block % columns], [y, high] = down[Math.floor(block / columns)];
      context.rect(x, y, wide, high);
    }
    context.fillStyle = style;
    context.fill();
  };
  if (settings.showsUntouched) fill(all.filter((block) => !values[block] && !masked[block]), untouchedColour);
  const hatch = masked.includes(1) ? hatching(context, ratio) : null;
  if (settings.isSmooth) drawSmooth(context, view, geometry, width, height);
  if (hatch) fill(all.filter((block) => masked[block]), hatch);
  if (settings.isSmooth) return;
  for (const block of touched) {
    fill([block], colourAt(view.scale.position(values[block])));
    if (masked[block]) fill([block], hatch);
  }
}

/** Returns the block at a position in an element that shows the whole display. */
export function blockAt(geometry, box, x, y) {
  const limit = (part, count) => Math.max(0, Math.min(count - 1, part));
  return {
    column: limit(Math.floor((x - box.left) / box.width * geometry.width / geometry.blockSize),
      geometry.columns),
    row: limit(Math.floor((y - box.top) / box.height * geometry.height / geometry.blockSize),
      geometry.rows),
  };
}

/** Returns the texts about one block: `value`, `lines` with details, and `place`. */
export function blockWords(view, settings, {column, row}) {
  const {grid} = view, {geometry} = grid.screen, block = row * geometry.columns + column;
  const size = geometry.blockSize;
  const right = Math.min((column + 1) * size, geometry.width);
  const bottom = Math.min((row + 1) * size, geometry.height);
  const place = filled(_('Block $0, $1 · points $2–$3 × $4–$5'), column, row,
    column * size, points(right), row * size, points(bottom));
  const mask = grid.masked[block] ? _('Masked: positions are not recorded here') : null;
  if (!grid.sums[block]) {
    const nothing = {taps: _('No taps'), trail: _('Never entered'), dwell: _('No contact')}[grid.layer];
    return {value: mask ?? nothing, lines: [], place};
  }
  const value = settings.value === 'sum'
    ? exactSum(grid, block) : per(settings.value, grid.layer, grid.map.sessions,
      amount(view.values[block], grid.layer, settings.value, grid.map.sessions));
  const lines = [
    settings.value === 'sum' ? null : filled(_('$0 in all'), exactSum(grid, block)),
    plural('$0 of $1 session touched it ($2)', '$0 of $1 sessions touched it ($2)', grid.map.sessions,
      whole.format(grid.touched[block]), whole.format(grid.map.sessions), share(grid.touched[block], grid.map.sessions)),
    mask,
  ];
  return {value, lines: lines.filter((line) => line), place};
}
