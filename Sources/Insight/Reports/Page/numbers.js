// Formats numbers for people.

import {_, filled, plural} from './text.js';

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

/** Formats numbers of things: `1 day`, `2,143 days`. */
export const sessionCount = (count) => plural('$0 session', '$0 sessions', count);
export const touchCount = (count) => plural('$0 touch', '$0 touches', count);
export const dayCount = (count) => plural('$0 day', '$0 days', count);

/** Formats a number of percent. */
export const percents = (number) => filled(_('$0 %'), number);

/** Formats a part of a whole in percent: `0.4 %`, `12 %`. */
export function share(part, all) {
  if (!all) return percents(0);
  const percent = 100 * part / all;
  if (percent === 0 || percent === 100) return percents(percent);
  if (percent < 0.1) return percents('< 0.1');
  if (percent > 99.9) return percents('> 99.9');
  return percents(percent < 10 || percent > 99 ? percent.toFixed(1) : Math.round(percent));
}

/** Formats a duration given in ms: `850 ms`, `4.2 s`, `3 min 20 s`, `35 min`, `5 h 12 min`. */
export function duration(ms) {
  if (ms < 1000) return filled(_('$0 ms'), rounded(ms));
  const seconds = ms / 1000;
  if (seconds < 60) return filled(_('$0 s'), rounded(seconds));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10 && seconds % 60 >= 1) return filled(_('$0 min $1 s'), minutes, Math.floor(seconds % 60));
  if (minutes < 60) return filled(_('$0 min'), minutes);
  const hours = Math.floor(minutes / 60);
  return minutes % 60 ? filled(_('$0 h $1 min'), whole.format(hours), minutes % 60) : filled(_('$0 h'), whole.format(hours));
}

/** Formats a duration exactly: `200,000 ms`. */
export const milliseconds = (ms) => filled(_('$0 ms'), whole.format(ms));

/** Formats a range of numbers, durations or days: `10 s to 30 s`. */
export const range = (from, to) => filled(_('$0 to $1'), from, to);

/** Formats a coordinate with at most two decimals, without a separator between the thousands. */
export const points = (value) => String(Math.round(100 * value) / 100);

/** The names of the layers, of their quantities, and of the kinds of value: by themselves and in a list. */
export const layerNames = {taps: _('Taps'), trail: _('Trail'), dwell: _('Dwell')};
export const layerSays = {
  taps: _('where touches began'),
  trail: _('blocks that touches entered'),
  dwell: _('time of contact'),
};
export const valueNames = {mean: _('Mean'), sum: _('Sum'), rate: _('Per minute shown')};

/**
 * Returns for how many sessions a mean is given. Means of touches are small, so they are given for 100 sessions, unless
 * there is only one. `sessions`: how many sessions it is the mean of.
 */
const sessionsOfMean = (layer, sessions) => layer === 'dwell' || sessions === 1 ? 1 : 100;

export function listedValueName(value, layer, sessions) {
  if (value === 'sum') return _('sum');
  return value === 'rate' ? _('per minute shown') : sessionsOfMean(layer, sessions) === 1 ? _('per session') : _('per 100 sessions');
}

/** Adds the kind of value to an amount or to the name of a layer, unless it is the sum. */
export function per(value, layer, sessions, text) {
  // Translators: $0 is an amount, such as "21 taps", or what is counted, such as "Taps".
  if (value === 'rate') return filled(_('$0 per minute shown'), text);
  return filled(sessionsOfMean(layer, sessions) === 1 ? _('$0 per session') : _('$0 per 100 sessions'), text);
}

/** Formats a value with its unit: `21 taps`, `1 entry`, `340 ms`. */
export function amount(value, layer, kind, sessions) {
  const shown = kind === 'mean' ? sessionsOfMean(layer, sessions) * value : value;
  switch (layer) {
    case 'taps': return plural('$0 tap', '$0 taps', shown, rounded(shown));
    case 'trail': return plural('$0 entry', '$0 entries', shown, rounded(shown));
    default: return duration(shown);
  }
}

/** Formats the exact sum of a block with its unit: `1,204 taps`. */
export function exactSum(grid, block) {
  const sum = grid.exact.get(block) ?? grid.sums[block], number = sum.toLocaleString('en');
  switch (grid.layer) {
    case 'taps': return plural('$0 tap', '$0 taps', Number(sum), number);
    case 'trail': return plural('$0 entry', '$0 entries', Number(sum), number);
    default: return filled(_('$0 ms'), number);
  }
}

/** Formats a geometry: `48 × 32 points`. The scale and the rotation follow if they are not 1 and 0. */
export function geometryWords(geometry) {
  const words = [filled(_('$0 × $1 points'), points(geometry.width), points(geometry.height))];
  if (geometry.scale !== 1) words.push(filled(_('scale $0'), geometry.scale));
  if (geometry.rotation) words.push(filled(_('turned $0°'), geometry.rotation));
  return words.join(' · ');
}
