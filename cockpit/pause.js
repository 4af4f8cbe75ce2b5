// A pause of recording by this page. It ends with the page, because it ends with its connection.

export class Pause extends EventTarget {
  /**
   * It dispatches `change` when its properties change. `error`: the reason why recording was not paused. `isBroken`:
   * the pause was not ended by `end`: the daemon was gone, or another program resumed recording.
   */
  constructor(daemon) {
    super();
    this.daemon = daemon;
    this.isOn = this.isBroken = false;
    this.error = null;
  }

  begin() {
    if (this.stream) return;
    // The first reply comes when recording is paused, the second when the pause has ended.
    this.stream = this.daemon.stream('Pause', {}, () => this.become({isOn: true}), (error) => {
      const isBroken = this.isOn && this.stream !== null;
      this.stream = null;
      this.become({isOn: false, isBroken, error: isBroken ? null : error});
    });
  }

  end() {
    const {stream} = this;
    this.stream = null;
    stream?.close();
  }

  /** Forgets that the pause was broken. */
  forget() { this.become({}); }

  become({isOn = false, isBroken = false, error = null}) {
    Object.assign(this, {isOn, isBroken, error});
    this.dispatchEvent(new Event('change'));
  }
}
