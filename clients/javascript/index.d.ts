import type { Mask, Methods } from './interface.js';

export * from './interface.js';

/** The daemon's socket. */
export const path: string;

/** An error reply of the daemon. */
export class CallError extends Error {
  /** Without the name of the interface, such as `TooLate`. */
  name: string;
  parameters: Record<string, unknown>;
}

/** The connection has ended, or the data is not a valid reply. */
export class ConnectionError extends Error {}

/**
 * A connection with all methods of the interface. It ends when the daemon stops. Calls reject with a CallError for an
 * error reply of the daemon, or with a ConnectionError, after which the connection is closed.
 */
export class Client {
  private constructor();
  /** `timeout`: the time limit for the connection and for each reply, in ms. */
  static connect(socket?: string, options?: { timeout?: number }): Promise<Client>;
  /** Calls a method. `timeout`: in ms. */
  call(method: string, parameters?: object, options?: { timeout?: number }): Promise<Record<string, unknown>>;
  /** Calls a method with `more`, and yields each reply as it arrives. Leaving the loop early closes the connection. */
  stream(method: string, parameters?: object): AsyncGenerator<Record<string, unknown>>;
  /** Ends the connection. */
  close(): void;
}
export interface Client extends Methods {}

/**
 * Reports the screens of an app to Touchgrid. Its functions never reject: if the daemon is missing, refuses a call or
 * hangs, the reason is logged once, and the app continues. The next call connects again.
 *
 * Each connection gets the masks before anything else, and the screens last. If the daemon has no room for a mask, recording
 * pauses. Calls are made one after another.
 */
export class Touchgrid {
  constructor(options?: {
    socket?: string;
    /** All masks of the app. */
    masks?: Mask[];
    /** Whether the names of screens end with the connection. */
    follows?: boolean;
    /** The total time limit of a call, including connecting, in ms. */
    timeout?: number;
    /** Writes one line about an error. */
    log?: (text: string) => void;
  });
  /** Names the screen. Call it just before the screen appears. */
  show(screen: string, display?: string): Promise<unknown>;
  /** Calls a method, and resolves to its reply; undefined if it failed. */
  call<Name extends keyof Methods>(
    method: Name, ...parameters: Parameters<Methods[Name]>
  ): Promise<Awaited<ReturnType<Methods[Name]>> | undefined>;
  /** Ends the connection. The next call opens another. */
  close(): void;
}
