// How old the touches are that the page shows.

import {filled, _} from './text.js';

/** From this age on, in ms, the page says how old the touches are. */
const noticeable = 500;
/** How long nothing may come while a finger is down before the page asks whether the kiosk still answers, in ms. */
const patience = 1500;
/** How long the age stays after the last finger, in ms. */
const lingering = 1000;
/** The clocks of the kiosk and the browser drift, so the quickest frame is sought anew after this time, in ms. */
const memory = 120_000;

/** Works out how late frames arrive. It sets timers only while a finger is down or the age is shown. */
export class Delay {
  /** `show` gets the text to show, or null. */
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
    // The first reply tells what is, without the delay that frames have while there are masks.
    if (this.isFirst) {
      this.isFirst = false;
    } else {
      const now = performance.now(), offset = now - atUs / 1000;
      if (now - this.since > memory) {
        this.former = this.least;
        this.least = Infinity;
        this.since = now;
      }
      // The clocks differ, so the time from the kernel's time of a frame to its arrival is no age. What a frame takes
      // longer than the quickest one is.
      this.least = Math.min(this.least, offset);
      this.tell(offset - Math.min(this.least, this.former));
    }
    if (isDown) this.timer = setTimeout(() => this.probe(), patience);
    else this.timer = setTimeout(() => this.stop(), lingering);
  }

  tell(age) {
    this.show(age < noticeable ? null : filled(_('$0 s ago'), (age / 1000).toFixed(1)));
  }

  /** A finger that rests sends nothing. So asks the daemon something, and counts the seconds until it answers. */
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
    this.timer = setTimeout(() => this.probe(), patience);
  }
}
