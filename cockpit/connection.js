// Calls the daemon by Varlink over a Unix socket.

import {CallError, ConnectionError, Messages, encoded} from './codec.js';

const {cockpit} = window;

/** The time without an answer to the first call, in ms, after which the page reports that the daemon is silent. */
const silenceTimeout = 4000;
/** Pauses between attempts to connect, in ms. The last one repeats. */
const pauses = [250, 500, 1000, 2000, 5000];

/** One connection. Replies come in the order of the calls. */
class Connection {
  /** `ended` is called once when the connection has ended, with Cockpit's name of the problem or null. */
  constructor(socket, ended) {
    this.waiting = [];
    this.messages = new Messages();
    // Use binary mode: in text mode, Cockpit refuses the zero byte.
    this.channel = cockpit.channel({payload: 'stream', unix: socket, binary: true});
    this.channel.addEventListener('message', (_, data) => this.receive(data));
    this.channel.addEventListener('close', (_, {problem}) => {
      for (const {reject} of this.waiting.splice(0)) reject(new CallError('Disconnected', {problem}));
      ended(problem ?? null);
    });
  }

  /** Sends a call. `receive` is called with each reply's parameters, and whether more follow. */
  send(method, parameters, more, receive, reject) {
    this.waiting.push({receive, reject});
    this.channel.send(encoded(method, parameters, more ? {more} : {}));
  }

  receive(data) {
    try {
      for (const {parameters, continues, error} of this.messages.take(data)) {
        const call = continues ? this.waiting[0] : this.waiting.shift();
        if (error) call?.reject(error);
        else call?.receive(parameters, continues);
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.close('protocol-error');
    }
  }

  close(problem = 'cancelled') {
    // Name a problem: without one, Cockpit 287 closes only its own direction, and the daemon would continue to send.
    this.channel.close({problem});
  }
}

/**
 * Makes the browser acknowledge received data at once. Cockpit's server uses Nagle's algorithm: it delays a message
 * until earlier ones are acknowledged. Browsers do that up to 40 ms late, unless they have something to send. Without
 * this, 120 frames a second arrive in 25 groups.
 */
class Acknowledgement {
  constructor() { this.channel = cockpit.channel({payload: 'null'}); }

  /** Sends a byte that the bridge ignores, once for all messages that arrived together. */
  send() {
    if (this.isWaiting || !this.channel.valid) return;
    this.isWaiting = true;
    queueMicrotask(() => {
      this.isWaiting = false;
      if (this.channel.valid) this.channel.send('.');
    });
  }

  close() { this.channel.close(); }
}

/**
 * The daemon. It dispatches `change` when `state` changes:
 * `connecting`: the state is unknown;
 * `connected`: it answers;
 * `denied`: it answers, but the user may not read from it: `denial` is its error `NotPermitted`;
 * `silent`: it accepts calls but does not answer;
 * `full`: it has no room for another connection of the user;
 * `stopped`: nothing answers at the socket;
 * `missing`: as `stopped`, and there is no service.
 * While the page is hidden it does not try to connect again.
 */
export class Daemon extends EventTarget {
  constructor(socket = cockpit.manifests?.touchgrid?.config?.socket ?? '/run/touchgrid/io.touchgrid') {
    super();
    this.socket = socket;
    this.state = 'connecting';
    this.denial = null;
    this.attempts = 0;
    cockpit.addEventListener('visibilitychange', () => { if (!cockpit.hidden) this.connect(); });
  }

  /**
   * Connects if there is no connection, and finds out the user's rights. Returns early if another view has connected
   * meanwhile.
   */
  async connect() {
    if (this.isConnecting || (this.connection && this.state === 'connected')) return;
    this.isConnecting = true;
    clearTimeout(this.timer);
    const silence = setTimeout(() => this.become('silent'), silenceTimeout);
    try {
      const status = await this.call('GetStatus');
      this.version = status.version;
      this.become('connected');
    } catch (error) {
      if (error.name === 'NotPermitted') {
        this.denial = error.parameters;
        this.become('denied');
      } else if (error.name === 'TooManyClients') {
        this.isFull = true;
        this.become('full');
      } else if (this.connection && error.name !== 'Disconnected') {
        this.become('connected');
      }
    } finally {
      clearTimeout(silence);
      this.isConnecting = false;
    }
  }

  become(state) {
    if (state === 'connected' || state === 'denied') this.attempts = 0;
    if (state !== 'denied') this.denial = null;
    if (this.state === state) return;
    this.state = state;
    this.dispatchEvent(new Event('change'));
  }

  /** Returns the parameters of the reply. Throws `CallError`. */
  call(method, parameters = {}) {
    return new Promise((resolve, reject) => this.opened().send(method, parameters, false, resolve, reject));
  }

  /** Returns the parameters of all replies of a call with "more". Throws `CallError`. */
  callMore(method, parameters = {}) {
    const replies = [];
    return new Promise((resolve, reject) => this.opened().send(method, parameters, true, (reply, continues) => {
      replies.push(reply);
      if (!continues) resolve(replies);
    }, reject));
  }

  opened() {
    this.connection ??= new Connection(this.socket, (problem) => this.lost(problem));
    return this.connection;
  }

  async lost(problem) {
    this.connection = null;
    // The daemon closes connections of users without a role after some seconds.
    if (this.state === 'denied' && problem === null) return;
    let state = this.isFull ? 'full' : 'stopped';
    this.isFull = false;
    if (problem === 'not-found') {
      const load = await cockpit.spawn(['systemctl', 'show', '--property=LoadState', '--value', 'touchgridd.service'],
        {err: 'ignore'}).catch(() => '');
      if (load.trim() === 'not-found') state = 'missing';
    }
    if (!this.connection) this.become(state);
    const pause = pauses[Math.min(this.attempts++, pauses.length - 1)];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { if (!cockpit.hidden) this.connect(); }, pause);
  }

  /**
   * Opens a separate connection for a call with "more". `receive` is called with each reply's parameters; `ended` with
   * a CallError, or with null after `close` and after the last reply. Returns an object with `close()`.
   */
  stream(method, parameters, receive, ended = () => {}) {
    let isOver = false;
    const end = (error) => {
      if (isOver) return;
      isOver = true;
      connection.close();
      acknowledgement.close();
      ended(error);
    };
    const acknowledgement = new Acknowledgement();
    const connection = new Connection(this.socket, () => end(new CallError('Disconnected')));
    connection.send(method, parameters, true, (reply, continues) => {
      if (isOver) return;
      acknowledgement.send();
      receive(reply);
      if (!continues) end(null);
    }, end);
    return {close: () => end(null)};
  }
}
