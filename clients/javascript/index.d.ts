import type { Mask, Methods } from './interface.js';

export * from './interface.js';

/** The daemon's socket. */
export const path: string;

/** An error that the daemon answered. */
export class CallError extends Error {
  /** Without the name of the interface, such as `TooLate`. */
  name: string;
  parameters: Record<string, unknown>;
}

/** The connection has ended, or what came is no answer of a daemon. */
export class ConnectionError extends Error {}

/**
 * A connection with all methods of the interface. It ends when the daemon stops. Calls reject with a CallError that the
 * daemon answered, or with a ConnectionError; after the latter the connection is closed.
 */
export class Client {
  private constructor();
  /** `timeout`: how long the daemon may take to accept the connection, or to answer a call, in ms. */
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
 * Tells Touchgrid what an app shows. Its functions reject nothing: if the daemon is missing, refuses a call or hangs, the
 * reason is written once, and the app goes on. The next call connects again.
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
    /** How long a call may take as a whole, with connecting, in ms. */
    timeout?: number;
    /** Writes one line about what went wrong. */
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
