// Runs the command `touchgrid` on the kiosk.

import {_} from './text.js';

const {cockpit} = window;

/** An error of the command, with its output on standard error. `isDenied`: Cockpit has no administrator's rights. */
export class CommandError extends Error {
  constructor({message, problem, exit_status: status}, output) {
    // If the arguments were wrong, the rest of the output is about the command line.
    const lines = plain(output).split(/\n(?:Help|Usage):/)[0];
    super(problem === 'access-denied' ? _('This needs administrative access. Click "Limited access" at the top of '
      + 'Cockpit; a narrow window does not show it.')
      : problem === 'not-found' ? _('The command touchgrid is not installed on this machine: sudo apt install touchgrid.')
        : lines || message || problem);
    this.isDenied = problem === 'access-denied';
    this.status = status ?? null;
  }
}

/** Returns the output of the command without its name at the start of each line. */
const plain = (text) => text.trim().split('\n').map((line) => line.replace(/^(touchgrid|Error): /, '')).join('\n');

/**
 * Runs `touchgrid` with these arguments as the logged-in user. Returns its standard output. Throws `CommandError`.
 * Options: `isAdministrator` runs it as root, `isBinary` returns bytes, `input` is passed as standard input (text or
 * bytes), `socket` is the daemon's socket if it is not the standard one, `started` is called with the process. With
 * `mayFail`, an exit status of 1 is accepted if the command has printed something. With `withNotes`, its standard error
 * is returned too; it has notes, such as that a mask was widened.
 */
export async function touchgrid(words, {isAdministrator = false, isBinary = false, input = null, socket = null,
  started = () => {}, mayFail = false, withNotes = false} = {}) {
  const environ = socket ? [`TOUCHGRID_SOCKET=${socket}`] : [];
  const process = cockpit.spawn(['touchgrid', ...words], {
    ...(isAdministrator ? {superuser: 'require'} : {}), ...(isBinary ? {binary: true} : {}), environ,
    err: withNotes ? 'out' : 'message'});
  started(process);
  if (input !== null) process.input(input);
  let output = '';
  if (mayFail || withNotes) process.stream((data) => { output += data; });
  try {
    return await process.then((data) => withNotes ? plain(output) : output || data);
  } catch (error) {
    if (mayFail && error.exit_status === 1 && output) return output;
    throw new CommandError(error, withNotes ? output : error.message ?? '');
  }
}
