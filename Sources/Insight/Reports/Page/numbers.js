// Formats numbers for people.

/** Formats integers: `2,143`. */
export const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});

/** Formats a number of at least 0: with three significant digits below 100 (`0.214`), else as an integer (`2,143`). */
export function rounded(value) {
  if (!value) return '0';
  if (value >= 100) return whole.format(value);
  const decimals = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(value))));
  const text = new Intl.NumberFormat('en', {maximumFractionDigits: decimals}).format(value);
  return text === '0' ? '< 0.000001' : text;
}

/** Formats a number of things: `1 day`, `2,143 days`. */
export function counted(count, one, many = one + 's') {
  return `${whole.format(count)} ${count === 1 ? one : many}`;
}

/** Formats a part of a whole in percent: `0.4 %`, `12 %`. */
export function share(part, all) {
  if (!all) return '0 %';
  const percent = 100 * part / all;
  if (percent === 0 || percent === 100) return `${percent} %`;
  if (percent < 0.1) return '< 0.1 %';
  if (percent > 99.9) return '> 99.9 %';
  return `${percent < 10 || percent > 99 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** Formats a duration given in ms: `850 ms`, `4.2 s`, `3 min 20 s`, `35 min`, `5 h 12 min`. */
export function duration(ms) {
  if (ms < 1000) return `${rounded(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${rounded(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes} min` + (seconds % 60 >= 1 ? ` ${Math.floor(seconds % 60)} s` : '');
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return `${whole.format(hours)} h` + (minutes % 60 ? ` ${minutes % 60} min` : '');
}

/** Formats a coordinate with at most two decimals, without a separator between the thousands. */
export const points = (value) => String(Math.round(100 * value) / 100);

/** The names of the layers, what they count, the names of the kinds of value, and these after an amount. */
export const layerNames = {taps: 'Taps', trail: 'Trail', dwell: 'Dwell'};
export const layerSays = {
  taps: 'where touches began',
  trail: 'blocks that touches entered',
  dwell: 'time of contact',
};
export const valueNames = {mean: 'Mean per session', sum: 'Sum', rate: 'Per minute shown'};
export const per = {mean: 'per session', sum: 'in total', rate: 'per minute shown'};

/** Formats a value with its unit: `0.21 taps`, `1 entry`, `340 ms`. */
export function amount(value, layer) {
  switch (layer) {
    case 'taps': return `${rounded(value)} ${value === 1 ? 'tap' : 'taps'}`;
    case 'trail': return `${rounded(value)} ${value === 1 ? 'entry' : 'entries'}`;
    default: return duration(value);
  }
}

/** Formats the exact sum of a block with its unit: `1,204 taps`. */
export function exactSum(grid, block) {
  const sum = grid.exact.get(block) ?? grid.sums[block];
  const units = {taps: ['tap', 'taps'], trail: ['entry', 'entries'], dwell: ['ms', 'ms']};
  return `${sum.toLocaleString('en')} ${units[grid.layer][Number(sum) === 1 ? 0 : 1]}`;
}

/** Formats a geometry: `48 × 32 points · 3 × 2 blocks of 16`, then the scale unless 1, and the rotation unless 0. */
export function geometryWords(geometry) {
  const words = [`${points(geometry.width)} × ${points(geometry.height)} points`,
    `${geometry.columns} × ${geometry.rows} blocks of ${geometry.blockSize}`];
  if (geometry.scale !== 1) words.push(`scale ${geometry.scale}`);
  if (geometry.rotation) words.push(`turned ${geometry.rotation}°`);
  return words.join(' · ');
}
