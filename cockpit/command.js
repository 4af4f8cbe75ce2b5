// Runs the command `touchgrid` on the kiosk.

import {_} from './text.js';

const {cockpit} = window;

/** An error of the command, with what it wrote to standard error. `isDenied`: Cockpit has no administrator's rights. */
export class CommandError extends Error {
  constructor({message, problem, exit_status: status}, output) {
    const lines = output.trim().split('\n').map((line) => line.replace(/^(touchgrid|Error): /, ''));
    super(problem === 'access-denied' ? _('This needs administrative access. Click "Limited access" at the top of Cockpit.')
      : problem === 'not-found' ? _('The command touchgrid is not installed on this machine.')
        : lines.join('\n').trim() || message || problem);
    this.isDenied = problem === 'access-denied';
    this.status = status ?? null;
  }
}

/**
 * Runs `touchgrid` with these arguments as the user who is logged in. Returns its standard output. Throws
 * `CommandError`. Options: `isAdministrator` runs it as root, `isBinary` returns bytes, `input` is passed as standard
 * input (text or bytes), `socket` is the daemon's if it is not the standard one, `started` gets the process.
 */
export async function touchgrid(words, {isAdministrator = false, isBinary = false, input = null, socket = null,
  started = () => {}} = {}) {
  const environ = socket ? [`TOUCHGRID_SOCKET=${socket}`] : [];
  let errors = '';
  const process = cockpit.spawn(['touchgrid', ...words], {
    ...(isAdministrator ? {superuser: 'require'} : {}), ...(isBinary ? {binary: true} : {}), environ, err: 'message'});
  started(process);
  if (input !== null) process.input(input);
  try {
    return await process;
  } catch (error) {
    errors = error.message ?? '';
    throw new CommandError(error, errors);
  }
}
