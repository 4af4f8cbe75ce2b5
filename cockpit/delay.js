// Shows the age of the touches on the page.

import {filled, _} from './text.js';

/** The age in ms from which the page shows it. */
const noticeable = 500;
/**
 * The time in ms without a frame, while a finger is down, after which the page checks whether the kiosk still
 * answers.
 */
const probeDelay = 1500;
/** The time in ms for which the age is shown after the last touch-up. */
const lingering = 1000;
/**
 * The period in ms after which the fastest frame is determined again, because the clocks of the kiosk and the
 * browser drift.
 */
const memory = 120_000;

/** Computes the delay of frames. It sets timers only while a finger is down or the age is shown. */
export class Delay {
  /** `show` is called with the text to show, or null. */
  constructor(daemon, show) {
    this.daemon = daemon;
    this.show = show;
    this.reset();
  }

  reset() {
    this.isFirst = true;
    this.former = this.least = Infinity;
    this.since = 0;
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.show(null);
  }

  received(atUs, isDown) {
    clearTimeout(this.timer);
    this.timer = null;
    // The first reply has the current state, without the delay that frames have while there are masks.
    if (this.isFirst) {
      this.isFirst = false;
    } else {
      const now = performance.now(), offset = now - atUs / 1000;
      if (now - this.since > memory) {
        this.former = this.least;
        this.least = Infinity;
        this.since = now;
      }
      // The clocks differ, so the time from the kernel's timestamp to the arrival is not the age. The delay is its
      // excess over that of the fastest frame.
      this.least = Math.min(this.least, offset);
      this.tell(offset - Math.min(this.least, this.former));
    }
    if (isDown) this.timer = setTimeout(() => this.probe(), probeDelay);
    else this.timer = setTimeout(() => this.stop(), lingering);
  }

  tell(age) {
    this.show(age < noticeable ? null : filled(_('$0 s ago'), (age / 1000).toFixed(1)));
  }

  /** A resting finger sends no frames. Calls the daemon, and counts the seconds until it answers. */
  async probe() {
    const began = performance.now();
    let timer;
    const count = () => {
      if (this.timer !== timer) return;
      this.tell(performance.now() - began);
      timer = this.timer = setTimeout(count, noticeable);
    };
    timer = this.timer = setTimeout(count, noticeable);
    await this.daemon.call('org.varlink.service.GetInfo').catch(() => {});
    if (this.timer !== timer) return;
    clearTimeout(timer);
    this.show(null);
    this.timer = setTimeout(() => this.probe(), probeDelay);
  }
}
