// Saves masks and controls by the command `touchgrid`, which checks the configuration before it replaces it.

import {touchgrid} from '../command.js';
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

/** Adds an area. `lasts`: in the configuration, which needs administrator's rights; else until the daemon stops. */
export function add(area, lasts, socket) {
  return touchgrid(words('add', area, lasts), {isAdministrator: lasts, socket});
}

/** Removes an area that `add` has added. */
export function remove(area, lasts, socket) {
  return touchgrid(words('remove', area, lasts), {isAdministrator: lasts, socket});
}

/** Writes the first configuration, with these masks, and so begins to record. */
export function begin(masks, socket) {
  const options = masks.map(({screen, display, rectangle}) => rectangle
    ? `--mask-rectangle=${asArgument(rectangle)}${display === null ? '' : `@${display}`},${screen}` : `--mask=${screen}`);
  return touchgrid(['setup', '--no-questions', ...place, ...options.length ? options : ['--no-masks']],
    {isAdministrator: true, socket});
}
