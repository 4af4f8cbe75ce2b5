// Pictures of the app's screens, which lie below maps.

import {touchgrid} from './command.js';

const {cockpit} = window;

/** The first bytes of each kind of picture. A WebP has its name behind the length of the file. */
const kinds = [['image/png', 0, [0x89, 0x50, 0x4e, 0x47]], ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]]];

/** Returns the picture as `{type, data}` if it has the shape of a display; null otherwise. */
async function fitting(bytes, {width, height}) {
  const kind = kinds.find(([, at, start]) => start.every((byte, index) => bytes[at + index] === byte));
  if (!kind) return null;
  const picture = {type: kind[0], data: cockpit.base64_encode(bytes)}, image = new Image();
  image.src = `data:${picture.type};base64,${picture.data}`;
  await image.decode();
  // It may be scaled, by one factor. Over another shape, touches would lie where nobody touched.
  return Math.abs(image.naturalHeight - height * image.naturalWidth / width) <= 1 ? picture : null;
}

/**
 * Returns the picture that the kiosk keeps of a screen in the shape of the geometry, as `{type, data}` with the data in
 * base64; null if there is none, or the user may not read it.
 */
export async function pictureOf(screen, geometry, socket = null) {
  const size = `--size=${Math.round(geometry.width)}x${Math.round(geometry.height)}`;
  for (const options of [[size], []]) {
    try {
      const bytes = await touchgrid(['picture', 'show', ...options, '--', screen], {isBinary: true, socket});
      const picture = await fitting(bytes, geometry);
      if (picture) return picture;
    } catch { /* There is none, or it is none that a browser shows. */ }
  }
  return null;
}
