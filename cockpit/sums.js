// The grid of a screen over a span of time, up to this moment.
//
// The daemon answers queries for a span from its store, which has the running session as of its last checkpoint, up to
// 5 s ago. So the grid is the sum of two queries: the span without the running session, once; and the running session
// as it is now, repeatedly, which costs the daemon no access to its store.

import {CallError} from './codec.js';
import {maskedBlocks} from './report/data.js';
import {_} from './text.js';

/** Whether two geometries have the same grid at the same place. */
export function isSame(one, other) {
  return ['pixelWidth', 'pixelHeight', 'scale', 'rotation', 'blockSize'].every((name) => one[name] === other[name]);
}

/** Returns the grid with the geometry from replies to GetGrids; null if there is none. */
function chosen(replies, geometry) {
  return replies.flatMap(({grids}) => grids).find((grid) => isSame(grid.geometry, geometry)) ?? null;
}

const nothing = {sessions: 0, days: 0, shownMs: 0, touches: 0, masks: [], sum: [], touchedSessions: []};

/** One layer of a screen on a display with a geometry, over a span. */
export class Sums {
  /** `span`: the value of a span's `resolve`. */
  constructor(daemon, {screen, display, geometry, layer, span}) {
    Object.assign(this, {daemon, screen, display, geometry, layer, span});
    this.session = undefined;
  }

  /** Whether the span still stands for the same time. */
  get isCurrent() { return this.span.endsAtMs === null || Date.now() < this.span.endsAtMs; }

  ask(parameters) {
    const {screen, display, layer} = this;
    return this.daemon.callMore('GetGrids', {screen, display, layer, ...parameters})
      .then((replies) => chosen(replies, this.geometry) ?? nothing);
  }

  /** Returns the current grid of the running session; `nothing` if none runs. */
  live() {
    return this.ask({live: true}).catch((error) => {
      if (error.name === 'NoSession') return nothing;
      throw error;
    });
  }

  /**
   * Returns the grid of the span without the running session, and whether it may be reused. A session without a
   * checkpoint is not in the store yet, so its day may be missing.
   */
  async others(session) {
    const {parameters} = this.span;
    if (!parameters) return {rest: nothing, lasts: true};
    if (session === null) return {rest: await this.ask(parameters), lasts: true};
    let lasts = true;
    const stored = () => this.ask({session}).catch((error) => {
      if (error.name !== 'NoSuchSession') throw error;
      lasts = false;
      return nothing;
    });
    // If a checkpoint falls between the queries, the session would count twice or not at all, so it must be the same
    // before and after. Checkpoints are at least a second apart.
    for (let attempt = 0; attempt < 5; attempt++) {
      const [before, all, after] = await Promise.all([stored(), this.ask(parameters), stored()]);
      if (before.touches === after.touches && before.shownMs === after.shownMs) return {rest: difference(all, after), lasts};
    }
    throw new CallError('Busy', {message: _('The store changes faster than it answers.')});
  }

  /**
   * Returns `{grid, status}`: the grid in the form that the report's modules draw, and the daemon's status. Throws
   * CallError.
   */
  async now() {
    for (let attempt = 0; attempt < 5; attempt++) {
      const [before, live, status] = await Promise.all(
        [this.daemon.call('GetStatus'), this.live(), this.daemon.call('GetStatus')]);
      const session = status.session?.id ?? null;
      if ((before.session?.id ?? null) !== session) continue;
      // A session belongs to the span in which it began.
      const isIn = session !== null && (this.span.sinceAtMs === null || status.session.beganAtMs >= this.span.sinceAtMs);
      if (this.session !== session) {
        const {rest, lasts} = await this.others(isIn ? session : null);
        this.rest = rest;
        if (lasts) this.session = session;
      }
      return {status, grid: this.drawn(isIn || !this.span.parameters ? sum(this.rest, live) : this.rest)};
    }
    throw new CallError('Busy', {message: _('Sessions change faster than the daemon answers.')});
  }

  drawn(grid) {
    const {columns, rows} = this.geometry, blocks = columns * rows;
    const filled = (numbers) => Float64Array.from({length: blocks}, (_, block) => numbers[block] ?? 0);
    const masks = grid.masks.map(({x, y, width, height}) => [x, y, width, height]);
    return {sums: filled(grid.sum), touched: filled(grid.touchedSessions), exact: new Map(), layer: this.layer,
      masked: maskedBlocks(this.geometry, masks),
      map: {sessions: grid.sessions, days: grid.days, shownMs: grid.shownMs, touches: grid.touches, masks}};
  }
}

/** Returns `one` with `other` times `sign` added to all additive members. */
function combined(one, other, sign) {
  const numbers = (name) => {
    const [a, b] = [one[name], other[name]];
    return Array.from({length: Math.max(a.length, b.length)}, (_, block) => (a[block] ?? 0) + sign * (b[block] ?? 0));
  };
  return {
    sessions: one.sessions + sign * other.sessions, shownMs: one.shownMs + sign * other.shownMs,
    touches: one.touches + sign * other.touches, sum: numbers('sum'), touchedSessions: numbers('touchedSessions'),
  };
}

function difference(all, part) {
  // A day with only the running session counts as well, because it is in the span.
  return {...combined(all, part, -1), days: all.days, masks: all.masks};
}

function sum(rest, live) {
  return {...combined(rest, live, 1), days: Math.max(rest.days, live.days), masks: [...rest.masks, ...live.masks]};
}
