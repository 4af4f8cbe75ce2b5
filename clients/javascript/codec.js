// Messages of Varlink (https://varlink.org): JSON, each ended by a zero byte. This module uses no sockets, because the
// page in Cockpit imports it too.

/** The longest message that is read, in bytes. Twice the daemon's limit. */
const longest = 64 << 20;

/** An error reply of the daemon. */
export class CallError extends Error {
  /** `name`: without the name of the interface, such as `TooLate`. `parameters`: the members of the error. */
  constructor(name, parameters = {}) {
    super(typeof parameters?.message === 'string' ? parameters.message : name);
    this.name = name;
    this.parameters = parameters;
  }
}

/** The connection has ended, or the data is not a valid reply. */
export class ConnectionError extends Error {
  name = 'ConnectionError';
}

/** Returns a call in its encoded form. A method without a dot belongs to io.touchgrid. */
export function encoded(method, parameters = {}, flags = {}) {
  const name = method.includes('.') ? method : `io.touchgrid.${method}`;
  return new TextEncoder().encode(JSON.stringify({method: name, parameters, ...flags}) + '\0');
}

/** Joins the parts in which messages arrive. */
export class Messages {
  parts = [];
  length = 0;

  /**
   * Accepts received data, a Uint8Array, and yields each reply that is now complete: `{parameters, continues}`, or
   * `{error}` with a CallError. Throws ConnectionError if a message is not a reply.
   */
  *take(data) {
    let start = 0;
    for (let end; (end = data.indexOf(0, start)) >= 0; start = end + 1) {
      this.parts.push(data.subarray(start, end));
      const text = this.text();
      yield reply(text);
    }
    if (start === data.length) return;
    this.parts.push(data.slice(start));
    this.length += data.length - start;
    if (this.length > longest) throw new ConnectionError(`a message has more than ${longest} bytes`);
  }

  text() {
    const decoder = new TextDecoder();
    const text = this.parts.map((part) => decoder.decode(part, {stream: true})).join('') + decoder.decode();
    this.parts = [];
    this.length = 0;
    return text;
  }
}

function reply(text) {
  let value;
  try { value = JSON.parse(text); } catch { throw new ConnectionError('the reply is not JSON'); }
  const parameters = value?.parameters ?? {};
  const {error, continues = false} = value ?? {};
  if (!isObject(value) || !isObject(parameters) || typeof continues !== 'boolean') throw new ConnectionError('the reply is malformed');
  if (error === undefined) return {parameters, continues};
  if (typeof error !== 'string') throw new ConnectionError('the name of the error is not a string');
  return {error: new CallError(error.slice(error.lastIndexOf('.') + 1), parameters)};
}

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
