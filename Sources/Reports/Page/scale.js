// Which colour a count gets. The rules are those of the pictures that `touchgrid heatmap` draws.

/** Where the colours of counts begin, so that the least differs from none. */
const floorPosition = 0.25;
/** Where they end: what is nearly white is no colour over a white screenshot. */
const lastPosition = 0.95;

/** The value below which so many of 100 lie, interpolated between neighbours (NumPy's `linear`). */
function percentile(sorted, percent) {
  if (!sorted.length) return 0;
  const place = percent / 100 * (sorted.length - 1), index = Math.floor(place);
  const low = sorted[index], high = sorted[Math.min(index + 1, sorted.length - 1)];
  return low + (high - low) * (place - index);
}

class Scale {
  /** `one`: the value of a single count. Below it a logarithm would tell apart what is no difference. */
  constructor(values, one, isLinear) {
    this.one = one;
    const counts = values.filter((value) => value > 0).sort();
    this.isLinear = isLinear;
    this.most = counts.length ? counts[counts.length - 1] : 0;
    this.limit = percentile(counts, 99);
  }

  /** From `floorPosition` to `lastPosition`; null for nothing. */
  position(value) {
    if (!(value > 0)) return null;
    return colourPosition(value >= this.limit ? 1 : this.isLinear ? value / this.limit
      : Math.log1p(value / this.one) / Math.log1p(this.limit / this.one));
  }

  /** The value that has its colour at a part of the way from nothing to the limit. */
  valueAt(part) {
    return this.isLinear ? part * this.limit : this.one * Math.expm1(part * Math.log1p(this.limit / this.one));
  }
}

const colourPosition = (part) => floorPosition + (lastPosition - floorPosition) * part;

function colourAt(position) {
  const stops = report.colours.inferno;
  const scaled = Math.min(1, Math.max(0, position)) * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(scaled)), part = scaled - index;
  const channels = stops[index].map((from, channel) =>
    Math.round(from + (stops[index + 1][channel] - from) * part));
  return `rgb(${channels.join(' ')})`;
}

/** The colours of counts as a CSS gradient. */
function colourRamp() {
  const steps = Array.from({length: 17}, (_, step) =>
    colourAt(colourPosition(step / 16)));
  return `linear-gradient(to right, ${steps.join(', ')})`;
}
