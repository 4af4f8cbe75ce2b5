// A pause of recording that the page holds. It ends with the page, because it ends with its connection.

export class Pause extends EventTarget {
  /** It dispatches `change` when `isOn` changes. */
  constructor(daemon) {
    super();
    this.daemon = daemon;
    this.isOn = false;
    this.error = null;
  }

  begin() {
    if (this.stream) return;
    this.error = null;
    this.stream = this.daemon.stream('Pause', {}, ({isPaused}) => this.become(isPaused && this.stream !== null), (error) => {
      this.stream = null;
      this.error = error;
      this.become(false);
    });
  }

  end() {
    const {stream} = this;
    this.stream = null;
    stream?.close();
  }

  become(isOn) {
    this.isOn = isOn;
    this.dispatchEvent(new Event('change'));
  }
}
