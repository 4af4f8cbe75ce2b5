// Maps values to colours, by the same rules as the pictures of `touchgrid heatmap`.

/** The lowest position in the colour map for a count above 0, so that even the smallest count stands out. */
const floorPosition = 0.25;
/** The highest position that is used: nearly white colours would vanish on a white screenshot. */
const lastPosition = 0.95;

/** Returns a percentile of sorted values, interpolated between neighbours (NumPy's `linear`); 0 without values. */
export function percentile(sorted, percent) {
  if (!sorted.length) return 0;
  const place = percent / 100 * (sorted.length - 1), index = Math.floor(place);
  const low = sorted[index], high = sorted[Math.min(index + 1, sorted.length - 1)];
  return low + (high - low) * (place - index);
}

/**
 * The colours of inferno, as red, green and blue from 0 to 255: the stops of `touchgrid heatmap`, and three colours
 * between each pair of stops.
 */
export const inferno = (() => {
  const stops = ('000004 040312 0b0724 150b37 210c4a 2f0a5b 3d0965 4a0c6b 57106e 64156e 71196e '
    + '7d1e6d 8a226a 972766 a32c61 b0315b bc3754 c63d4d d04545 da4e3c e35933 eb6429 '
    + 'f1711f f67e14 f98c0a fb9b06 fcaa0f fbba1f f9c932 f5d949 f2e865 f3f586 fcffa4').split(' ')
    .map((stop) => [0, 2, 4].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  return Array.from({length: 4 * (stops.length - 1) + 1}, (none, step) => {
    const index = Math.min(stops.length - 2, Math.floor(step / 4)), part = step / 4 - index;
    return stops[index].map((from, channel) => Math.round(from + (stops[index + 1][channel] - from) * part));
  });
})();

/** Maps the values of a grid to the colour map, up to their 99th percentile, on a logarithmic or linear scale. */
export class Scale {
  /**
   * `values`: a typed array. `one`: the value of a single count. No values are lower, so the logarithmic scale is nearly
   * linear below it.
   */
  constructor(values, one, isLinear) {
    this.one = one;
    const counts = values.filter((value) => value > 0).sort();
    this.isLinear = isLinear;
    this.most = counts.length ? counts[counts.length - 1] : 0;
    this.limit = percentile(counts, 99);
  }

  /** Returns the position in the colour map, `floorPosition` to `lastPosition`; null for a value of 0. */
  position(value) {
    if (!(value > 0)) return null;
    return colourPosition(value >= this.limit ? 1 : this.isLinear ? value / this.limit
      : Math.log1p(value / this.one) / Math.log1p(this.limit / this.one));
  }

  /** Returns the value at a position along the scale, 0 to 1. */
  valueAt(part) {
    return this.isLinear ? part * this.limit : this.one * Math.expm1(part * Math.log1p(this.limit / this.one));
  }
}

const colourPosition = (part) => floorPosition + (lastPosition - floorPosition) * part;

/** Returns the colour at a position in the colour map, 0 to 1, as CSS. */
export function colourAt(position) {
  const stops = inferno;
  const scaled = Math.min(1, Math.max(0, position)) * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(scaled)), part = scaled - index;
  const channels = stops[index].map((from, channel) =>
    Math.round(from + (stops[index + 1][channel] - from) * part));
  return `rgb(${channels.join(' ')})`;
}

/** Returns the colours of counts above 0 as a CSS gradient. */
export function colourRamp() {
  const steps = Array.from({length: 17}, (none, step) =>
    colourAt(colourPosition(step / 16)));
  return `linear-gradient(to right, ${steps.join(', ')})`;
}
