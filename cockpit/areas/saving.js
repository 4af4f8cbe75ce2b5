// Saves masks and controls with the command `touchgrid`, which checks the configuration before it replaces it.

import {touchgrid} from '../command.js';
import {_, filled} from '../text.js';
import {asArgument} from './rectangle.js';

const {cockpit} = window;

/** The configuration to change, if it is not the daemon's standard one. */
const configuration = cockpit.manifests?.touchgrid?.config?.configuration;
const place = configuration ? [`--config=${configuration}`] : [];

/**
 * Options of an area: `{kind: 'mask' | 'control', screen, display, rectangle, name, rage}`, with null for every display and
 * for the whole screen. Foreign names follow `--`, so that none of them is an option.
 */
function words(verb, {kind, screen, display, rectangle, name, rage}, lasts) {
  const options = [...display === null ? [] : [`--display=${display}`], ...lasts ? ['--save', ...place] : []];
  if (kind === 'mask') {
    return ['mask', verb, ...options, ...rectangle ? [`--rectangle=${asArgument(rectangle)}`] : [], '--', screen];
  }
  if (verb === 'remove') return ['control', verb, ...options, '--', screen, name];
  return ['control', verb, ...options, ...rage === false ? ['--no-rage'] : [], '--', screen, name, asArgument(rectangle)];
}

/** Runs the command, and returns its output. `lasts`: changes the configuration, which needs administrator's rights. */
const run = (verb, area, lasts, socket) => touchgrid(words(verb, area, lasts), {isAdministrator: lasts, socket, withNotes: true});

/**
 * Adds an area: to the configuration if `lasts`, otherwise until the daemon stops. Returns the output of the command.
 */
export const add = (area, lasts, socket) => run('add', area, lasts, socket);

/** Removes an area that `add` has added. Returns the output of the command. */
export const remove = (area, lasts, socket) => run('remove', area, lasts, socket);

/**
 * Replaces an area of the screen with another. Returns the output of the commands. A mask is removed only after the new
 * one is in force, so that nothing is recorded between the two.
 */
export async function replace(old, oldLasts, area, lasts, socket) {
  const isNamesake = old.kind === 'control' && area.kind === 'control' && old.name === area.name;
  const isSame = old.kind === area.kind && old.display === area.display
    && (isNamesake || (area.kind === 'mask' && isEqual(old.rectangle, area.rectangle)));
  // The command itself replaces the area, or removes the client's copy once the configuration is in force.
  if (isSame && (lasts || !oldLasts)) return add(area, lasts, socket);
  if (isNamesake && oldLasts && !lasts) {
    // Remove the old control first: the daemon refuses a control with a name of the configuration.
    const said = await remove(old, oldLasts, socket);
    try { return said + await add(area, lasts, socket); } catch (error) {
      throw new Error(`${_('The former control is removed, but the new one was refused.')} ${error.message}`);
    }
  }
  const said = await add(area, lasts, socket);
  try { return said + await remove(old, oldLasts, socket); } catch (error) {
    return said + filled(_('The former one is still there: $0'), error.message);
  }
}

const isEqual = (one, other) => JSON.stringify(one && asArgument(one)) === JSON.stringify(other && asArgument(other));

/**
 * Writes the first configuration with these masks, which starts the recording. Returns the output of the command. The
 * command does not accept a display with a comma in its name, so such a mask is for all displays.
 */
export function begin(masks, socket) {
  const options = masks.map(({screen, display, rectangle}) => rectangle
    ? `--mask-rectangle=${asArgument(rectangle)}${display === null || display.includes(',') ? '' : `@${display}`},${screen}` : `--mask=${screen}`);
  return touchgrid(['setup', '--no-questions', ...place, ...options.length ? options : ['--no-masks']],
    {isAdministrator: true, socket, withNotes: true});
}
