// Rectangles on a display, in whole points. Pure functions.

import {_, filled} from '../text.js';

/** The smallest width and height of a drawn rectangle, in points. */
const least = 8;

const within = (value, low, high) => Math.max(low, Math.min(high, value));

/**
 * Returns the number of points of a side, rounded up: a rectangle at the edge must cover a last fraction of a point.
 */
const whole = (side) => Math.ceil(side);

/**
 * Returns the rectangle between two points, on the display and at least `least` points wide and high. It is rounded
 * outwards, since a mask must cover the drawn area.
 */
export function between([x0, y0], [x1, y1], size) {
  const side = (from, to, limit) => {
    const start = within(Math.floor(Math.min(from, to)), 0, limit);
    const end = within(Math.ceil(Math.max(from, to)), 0, limit);
    const length = Math.min(limit, Math.max(least, end - start));
    return [Math.min(start, limit - length), length];
  };
  const [x, width] = side(x0, x1, whole(size.width)), [y, height] = side(y0, y1, whole(size.height));
  return {x, y, width, height};
}

/** Returns the rectangle moved by `[x, y]` points, but not off the display. */
export function moved(rectangle, [x, y], size) {
  return {...rectangle, x: within(rectangle.x + x, 0, whole(size.width) - rectangle.width),
    y: within(rectangle.y + y, 0, whole(size.height) - rectangle.height)};
}

/** Returns the rectangle with its lower right corner moved by `[x, y]` points. */
export function resized(rectangle, [x, y], size) {
  return {...rectangle, width: within(rectangle.width + x, 1, whole(size.width) - rectangle.x),
    height: within(rectangle.height + y, 1, whole(size.height) - rectangle.y)};
}

/** Returns the name of the first wrong member of a typed rectangle; null if all are right. */
export function wrongMember(rectangle, size) {
  for (const [start, length, limit] of [['x', 'width', whole(size.width)], ['y', 'height', whole(size.height)]]) {
    if (!(rectangle[start] >= 0 && rectangle[start] < limit)) return start;
    if (!(rectangle[length] > 0 && rectangle[start] + rectangle[length] <= limit)) return length;
  }
  return null;
}

/** Whether the first rectangle covers the second one; null is the whole screen. */
export const covers = (one, other) => one === null || (other !== null && one.x <= other.x && one.y <= other.y
  && one.x + one.width >= other.x + other.width && one.y + one.height >= other.y + other.height);

/** Whether a point lies in the rectangle; null is the whole screen. */
export const contains = (rectangle, [x, y]) => rectangle === null || (rectangle.x <= x && x <= rectangle.x + rectangle.width
  && rectangle.y <= y && y <= rectangle.y + rectangle.height);

/** Returns the rectangle as an argument of the command. */
export const asArgument = ({x, y, width, height}) => [x, y, width, height].join(',');

/** Returns a rectangle as text; null is the whole screen. */
export const placeWords = (rectangle) => rectangle
  ? filled(_('$0, $1 · $2 × $3'), rectangle.x, rectangle.y, rectangle.width, rectangle.height) : _('the whole screen');
