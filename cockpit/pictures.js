// The kiosk's pictures of the app's screens, which are shown below maps.

import {touchgrid} from './command.js';

const {cockpit} = window;

/** The first bytes of each format. In a WebP file, the name of the format follows the length of the file. */
const kinds = [['image/png', 0, [0x89, 0x50, 0x4e, 0x47]], ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]]];

/**
 * Returns the picture in a file as an image, and as `{type, data}`; null if the file is not a picture. Throws if it
 * cannot be drawn.
 */
export async function decoded(bytes) {
  const kind = kinds.find(([, at, start]) => start.every((byte, index) => bytes[at + index] === byte));
  if (!kind) return null;
  const picture = {type: kind[0], data: cockpit.base64_encode(bytes)}, image = new Image();
  image.src = `data:${picture.type};base64,${picture.data}`;
  await image.decode();
  return {picture, image};
}

/** Whether an image has the shape of a display. */
export function fits({naturalWidth, naturalHeight}, {width, height}) {
  // The picture may be scaled, but not stretched: touches would lie in the wrong place.
  return Math.abs(naturalHeight - height * naturalWidth / width) <= 1;
}

/**
 * Returns the kiosk's picture of a screen with the shape of the geometry, as `{type, data}` with the data in base64;
 * null if there is none, or the user may not read it.
 */
export async function pictureOf(screen, geometry, socket = null) {
  const size = `--size=${Math.round(geometry.width)}x${Math.round(geometry.height)}`;
  for (const options of [[size], []]) {
    try {
      const bytes = await touchgrid(['picture', 'show', ...options, '--', screen], {isBinary: true, socket});
      const found = await decoded(bytes);
      if (found && fits(found.image, geometry)) return found.picture;
    } catch { /* There is none, or it is none that a browser shows. */ }
  }
  return null;
}

/** Returns the kiosk's pictures, as `picture list --json` lists them; empty if the user may not see them. */
export async function keptPictures(socket = null) {
  try { return JSON.parse(await touchgrid(['picture', 'list', '--json'], {socket})).pictures; } catch { return []; }
}
