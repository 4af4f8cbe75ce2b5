// How old the touches are that the page shows.

import {filled, _} from './text.js';

/** From this age on, in ms, the page says how old the touches are. */
const noticeable = 500;
/** How long nothing may come while a finger is down before the page asks whether the kiosk still answers, in ms. */
const patience = 1500;

/** Works out how late frames arrive. It sets timers only while a finger is down. */
export class Delay {
  /** `show` gets the text to show, or null. */
  constructor(daemon, show) {
    this.daemon = daemon;
    this.show = show;
    this.reset();
  }

  reset() {
    this.stop();
    // The least time from the kernel's time of a frame to its arrival here. The clocks differ, so this is no age; what a
    // frame takes longer than this one is.
    this.least = Infinity;
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.show(null);
  }

  received(atUs, isDown) {
    const offset = performance.now() - atUs / 1000;
    this.least = Math.min(this.least, offset);
    this.tell(offset - this.least);
    clearTimeout(this.timer);
    this.timer = isDown ? setTimeout(() => this.probe(), patience) : null;
  }

  tell(age) {
    this.show(age < noticeable ? null
      : filled(_('Slow connection: you see touches of $0 s ago.'), (age / 1000).toFixed(1)));
  }

  /** A finger that rests sends nothing. So asks the daemon something, and counts the seconds until it answers. */
  async probe() {
    const began = performance.now();
    const count = () => {
      this.tell(performance.now() - began);
      this.timer = setTimeout(count, noticeable);
    };
    this.timer = setTimeout(count, noticeable);
    const counting = () => this.timer !== null;
    await this.daemon.call('org.varlink.service.GetInfo').catch(() => {});
    if (!counting()) return;
    clearTimeout(this.timer);
    this.show(null);
    this.timer = setTimeout(() => this.probe(), patience);
  }
}
