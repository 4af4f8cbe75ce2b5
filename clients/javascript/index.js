// Reports the screens of an app to Touchgrid, and reads its data. For Node 18 and later, and Electron's main process.

import {connect as open} from 'node:net';
import {CallError, ConnectionError, Messages, encoded, isObject} from './codec.js';
import {methods, types} from './interface.js';

export {CallError, ConnectionError};

/** The number of waiting replies above which a loop's connection is not read. */
const mostWaiting = 64;
/** The maximum number of lists of controls that are restored: as many as the daemon accepts. */
const mostLists = 256;

/** The daemon's socket. */
export const path = '/run/touchgrid/io.touchgrid';

/**
 * A connection with all methods of the interface. It ends when the daemon stops. Calls reject with a CallError for an
 * error reply of the daemon, or with a ConnectionError, after which the connection is closed.
 */
export class Client {
  /** `timeout`: the time limit for the connection and for each reply, in ms. */
  static connect(socket = path, {timeout = 10_000} = {}) {
    return new Promise((resolve, reject) => {
      const client = new Client(open(socket), timeout);
      const timer = setTimeout(() => client.end(new ConnectionError('the daemon does not accept the connection in time')), timeout);
      client.failed = (error) => { clearTimeout(timer); reject(error); };
      client.socket.once('connect', () => { clearTimeout(timer); client.failed = null; resolve(client); });
    });
  }

  constructor(socket, timeout) {
    this.socket = socket;
    this.timeout = timeout;
    this.waiting = [];
    this.messages = new Messages();
    socket.on('data', (data) => this.receive(data));
    socket.on('error', (error) => this.end(new ConnectionError(
      error.syscall === 'connect' ? `no daemon answers at ${error.address} (${error.code})` : error.message, {cause: error})));
    socket.on('close', () => this.end(new ConnectionError('the daemon has closed the connection')));
  }

  /** Calls a method and resolves to the members of its reply. `timeout`: in ms. */
  call(method, parameters = {}, {timeout = this.timeout} = {}) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.end(new ConnectionError(`the daemon has not answered within ${timeout} ms`)), timeout);
      this.send(method, parameters, {}, {
        take: (reply) => { clearTimeout(timer); resolve(reply); },
        fail: (error) => { clearTimeout(timer); reject(error); },
      });
    });
  }

  /**
   * Calls a method with `more`, and yields the members of each reply as it arrives, without a time limit. Leaving the
   * loop before its end closes the connection.
   */
  async *stream(method, parameters = {}) {
    const replies = [];
    let isOver = false, failure = null, wake = () => {};
    this.send(method, parameters, {more: true}, {
      take: (reply, continues) => {
        isOver = !continues;
        if (replies.push(reply) > mostWaiting) this.socket.pause();
        wake();
      },
      fail: (error) => { failure = error; wake(); },
    });
    try {
      for (;;) {
        while (replies.length > 0) {
          if (replies.length < mostWaiting / 2) this.socket.resume();
          yield replies.shift();
        }
        if (failure) throw failure;
        if (isOver) return;
        await new Promise((resolve) => { wake = resolve; });
      }
    } finally {
      // The loop was left early, so the remaining replies will not be read.
      if (!isOver && !failure) this.close();
    }
  }

  /** Ends the connection. */
  close() { this.end(new ConnectionError('the connection was closed')); }

  send(method, parameters, flags, {take, fail}) {
    if (this.ended) return fail(this.ended);
    this.waiting.push({method, take, fail});
    this.socket.write(encoded(method, parameters, flags));
  }

  receive(data) {
    try {
      for (const {parameters, continues, error} of this.messages.take(data)) {
        const call = continues ? this.waiting[0] : this.waiting.shift();
        // An error outside of a call: the daemon is about to close the connection.
        if (!call) return this.end(error ?? new ConnectionError('a reply came without a call'));
        if (error) {
          call.fail(error);
        } else {
          const members = methods[call.method];
          try {
            if (members) checkMembers(parameters, members, call.method);
          } catch (wrong) {
            call.fail(wrong);
            throw wrong;
          }
          call.take(parameters, continues);
        }
      }
    } catch (error) {
      this.end(error);
    }
  }

  end(error) {
    if (this.ended) return;
    this.ended = error;
    this.socket.destroy();
    this.failed?.(error);
    for (const {fail} of this.waiting.splice(0)) fail(error);
  }
}

for (const method of Object.keys(methods)) {
  const streams = method === 'WatchTouches' || method === 'WatchActivity';
  Client.prototype[method] = function (parameters = {}) { return streams ? this.stream(method, parameters) : this.call(method, parameters); };
}

/**
 * Throws ConnectionError unless a value is an object with these members. Ignores further members, which may be from a
 * later version.
 */
function checkMembers(value, members, place) {
  if (!isObject(value)) throw new ConnectionError(`${place} is not an object`);
  for (const [name, type] of Object.entries(members)) check(value[name], type, `${place}.${name}`);
}

function check(value, type, place) {
  const fits = (is) => { if (!is) throw new ConnectionError(`${place} is not of the type ${type}`); };
  if (type[0] === '?') {
    if (value !== undefined && value !== null) check(value, type.slice(1), place);
  } else if (type.startsWith('[]')) {
    fits(Array.isArray(value));
    for (const element of value) check(element, type.slice(2), place);
  } else if (type.startsWith('[string]')) {
    fits(isObject(value));
    for (const element of Object.values(value)) check(element, type.slice(8), place);
  } else if (type === 'int') {
    fits(Number.isInteger(value));
  } else if (type === 'float') {
    fits(typeof value === 'number');
  } else if (type === 'bool') {
    fits(typeof value === 'boolean');
  } else if (type === 'string' || Array.isArray(types[type])) {
    // A later version may have further values of an enumeration.
    fits(typeof value === 'string');
  } else {
    checkMembers(value, types[type], place);
  }
}

/** The clock of touches, CLOCK_MONOTONIC, in microseconds. */
const now = () => Number(process.hrtime.bigint() / 1000n);

/**
 * Reports the screens of an app to Touchgrid. Its functions never reject: if the daemon is missing, refuses a call or
 * hangs, the reason is logged once, and the app continues. The next call connects again.
 *
 * Each connection gets the masks before anything else, and the screens last. If the daemon has no room for a mask, recording
 * pauses. Calls are made one after another.
 */
export class Touchgrid {
  /**
   * `masks`: all masks of the app. `follows`: whether the names of screens end with the connection. `timeout`: the
   * total time limit of a call, including connecting, in ms. `log`: writes one line about an error.
   */
  constructor({socket = path, masks = [], follows = false, timeout = 1000, log = (text) => console.error(`touchgrid: ${text}`)} = {}) {
    Object.assign(this, {socket, follows, timeout, log, client: null, missing: [], pause: null, complaint: ''});
    this.masks = [...masks];
    // The masks of AddMask calls that the daemon has not yet accepted.
    this.untried = [];
    // The lists by screen and display, and the screens by display.
    this.controls = new Map();
    this.screens = new Map();
    this.turn = Promise.resolve();
  }

  /** Names the screen. Call it just before the screen appears. */
  show(screen, display = undefined) { return this.call('SetScreen', {name: screen, display, changedAtUs: now()}); }

  /**
   * Calls a method, and resolves to its reply; undefined if it failed. Masks, controls, screens and a pause are restored on
   * later connections.
   */
  call(method, parameters = {}) {
    this.note(method, parameters);
    const result = this.turn.then(() => this.attempt(method, parameters));
    // A function `log` that throws must not stop later calls.
    this.turn = result.catch(() => {});
    return result;
  }

  /** Ends the connection. The next call opens another. */
  close() {
    this.client?.close();
    this.client = null;
  }

  note(method, {screen, display, ...rest}) {
    if (method === 'SetScreen') {
      if (display == null) this.screens.clear();
      this.screens.set(display ?? null, rest.name);
    } else if (method === 'SetControls') {
      const place = JSON.stringify([screen, display ?? null]);
      // The newest list is last, so that the oldest is removed if there are too many.
      this.controls.delete(place);
      this.controls.set(place, {screen, display, ...rest});
      if (this.controls.size > mostLists) this.controls.delete(this.controls.keys().next().value);
    } else if (method === 'AddMask') {
      if (!has(this.masks, rest.mask)) {
        this.masks.push(rest.mask);
        this.untried.push(rest.mask);
      }
    } else if (method === 'RemoveMask') {
      for (const list of ['masks', 'untried', 'missing']) this[list] = without(this[list], rest.mask);
    } else if (method === 'Pause') {
      this.pause = rest;
    } else if (method === 'Resume') {
      this.pause = null;
    }
  }

  async attempt(method, parameters) {
    const end = performance.now() + this.timeout;
    for (let isNew = false; ;) {
      try {
        if (this.client?.ended) this.client = null;
        if (!this.client) {
          isNew = true;
          this.client = await Client.connect(this.socket, {timeout: left(end)});
          await this.open(method, parameters, end);
        }
        const reply = await this.answer(method, parameters, end);
        this.complaint = '';
        return reply;
      } catch (error) {
        const isLoss = !(error instanceof CallError);
        if (isLoss || isNew) this.close();
        // Try again if the connection may have been lost since the last call, because the daemon was restarted.
        if (isNew || !isLoss || performance.now() >= end) return this.complain(error);
      }
    }
  }

  /**
   * Restores everything on a new connection, masks first and names last, except state that the next call sets anyway.
   */
  async open(method, parameters, end) {
    this.missing = [];
    if (this.follows) await this.ask('Follow', {}, end);
    for (const mask of [...this.masks]) {
      await this.mask(mask, end).catch((error) => {
        // Never name a screen without the app's masks.
        if (has(this.masks, mask)) throw error;
        this.complain(error);
      });
    }
    if (this.pause && !this.missing.length && method !== 'Pause') await this.ask('Pause', this.pause, end);
    for (const controls of this.controls.values()) await this.ask('SetControls', controls, end).catch(this.tolerate);
    for (const [display, name] of this.screens) {
      if (method === 'SetScreen' && (parameters.display ?? null) === display) continue;
      await this.ask('SetScreen', {name, display}, end).catch(this.tolerate);
    }
  }

  async mask(mask, end) {
    try {
      await this.ask('AddMask', {mask}, end);
      this.untried = without(this.untried, mask);
    } catch (error) {
      if (isInvalid(error) && has(this.untried, mask)) {
        // The mask was never in force. If it were kept, every later connection would fail.
        for (const list of ['masks', 'untried']) this[list] = without(this[list], mask);
      }
      if (error.name !== 'LimitReached') throw error;
      // Pause, so that nothing is recorded that should be masked.
      if (!this.missing.length) await this.ask('Pause', {}, end);
      this.missing.push(mask);
      this.complain(error);
    }
  }

  /** Tries again to add the masks. When all are in place, ends the pause that replaced them. */
  async addMissing(end) {
    while (this.missing.length) {
      try {
        await this.ask('AddMask', {mask: this.missing[0]}, end);
      } catch (error) {
        if (error.name !== 'LimitReached') throw error;
        return;
      }
      this.missing.shift();
    }
    await (this.pause ? this.ask('Pause', this.pause, end) : this.ask('Resume', {}, end));
  }

  async answer(method, parameters, end) {
    if (this.missing.length) await this.addMissing(end);
    if (this.missing.length && (method === 'Pause' || method === 'Resume')) return undefined;
    if (method === 'AddMask') return this.mask(parameters.mask, end);
    try {
      return await this.ask(method, parameters, end);
    } catch (error) {
      // The daemon received the call too late for its time. Without a time, the screen changes now.
      if (method !== 'SetScreen' || error.name !== 'TooLate') throw error;
      return this.ask(method, {...parameters, changedAtUs: undefined}, end);
    }
  }

  ask(method, parameters, end) { return this.client.call(method, parameters, {timeout: left(end)}); }

  /** If the daemon refuses an old name or list, other calls must not fail. */
  tolerate = (error) => {
    if (!(error instanceof CallError)) throw error;
    this.complain(error);
  };

  complain(error) {
    // Do not write the same error twice in a row.
    if (error.message !== this.complaint) this.log(error.message);
    this.complaint = error.message;
  }
}

/** The time until `end`, at least 1 ms. */
const left = (end) => Math.max(1, end - performance.now());
/** Whether the parameters of a call are invalid, so that it can never succeed. */
const isInvalid = ({name}) => name === 'InvalidValue' || name === 'InvalidParameter';
const has = (masks, mask) => masks.some((other) => same(mask, other));
const without = (masks, mask) => masks.filter((other) => !same(mask, other));
const same = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
const sorted = (value) => !isObject(value) ? value
  : Object.fromEntries(Object.keys(value).filter((key) => value[key] != null).sort().map((key) => [key, sorted(value[key])]));
