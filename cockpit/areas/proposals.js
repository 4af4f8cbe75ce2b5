// Controls and masks that `touchgrid control --propose` proposes where people tap.

import {touchgrid} from '../command.js';
import {share} from '../report/numbers.js';
import {_, filled} from '../text.js';

/**
 * Returns the proposals for a screen on a display, as areas of the origin `proposed`; none if the command fails, as it
 * does without the role.
 */
export async function proposalsOf(screen, {name, geometry}, socket) {
  const output = await touchgrid(['control', '--propose', '--json', `--screen=${screen}`], {socket}).catch(() => null);
  if (!output) return [];
  const isHere = (each) => each.display === name && each.geometry.width === geometry.width && each.geometry.height === geometry.height;
  return JSON.parse(output).screens.filter(isHere).flatMap(({spots}) => spots.map((spot) => ({kind: spot.kind, screen,
    rectangle: spot.rectangle, display: null, rage: null, origin: 'proposed', name: null, mark: String(spot.number),
    // Translators: the number of a proposed control, and its share of all taps.
    label: filled(_('$0: $1 of taps'), spot.number, share(spot.share, 1))})));
}
