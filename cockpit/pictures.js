// Pictures of the app's screens, which lie below maps.

import {touchgrid} from './command.js';

const {cockpit} = window;

/** The first bytes of each kind of picture. A WebP has its name behind the length of the file. */
const kinds = [['image/png', 0, [0x89, 0x50, 0x4e, 0x47]], ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]]];

/**
 * Returns the picture that the kiosk keeps of a screen in the shape of the geometry, as `{type, data}` with the data in
 * base64; null if there is none, or the user may not read it.
 */
export async function pictureOf(screen, {width, height}, socket = null) {
  try {
    const bytes = await touchgrid(['picture', 'show', `--size=${Math.round(width)}x${Math.round(height)}`, '--', screen],
      {isBinary: true, socket});
    const kind = kinds.find(([, at, start]) => start.every((byte, index) => bytes[at + index] === byte));
    return kind ? {type: kind[0], data: cockpit.base64_encode(bytes)} : null;
  } catch {
    return null;
  }
}

/** Returns the pictures that the kiosk keeps, as `picture list --json` lists them; none if the user may not see them. */
export async function keptPictures(socket = null) {
  try { return JSON.parse(await touchgrid(['picture', 'list', '--json'], {socket})).pictures; } catch { return []; }
}
