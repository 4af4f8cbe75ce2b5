// Rectangles on a display, in whole points. Pure functions.

/** The least width and height that a hand draws, in points. */
const least = 8;

const within = (value, low, high) => Math.max(low, Math.min(high, value));

/** Returns the rectangle between two points, on the display and at least `least` points wide and high. */
export function between([x0, y0], [x1, y1], size) {
  const side = (from, to, limit) => {
    const start = within(Math.round(Math.min(from, to)), 0, limit);
    const end = within(Math.round(Math.max(from, to)), 0, limit);
    const length = Math.min(limit, Math.max(least, end - start));
    return [Math.min(start, limit - length), length];
  };
  const [x, width] = side(x0, x1, Math.floor(size.width)), [y, height] = side(y0, y1, Math.floor(size.height));
  return {x, y, width, height};
}

/** Returns the rectangle moved by `[x, y]` points, but not off the display. */
export function moved(rectangle, [x, y], size) {
  return {...rectangle, x: within(rectangle.x + x, 0, Math.floor(size.width) - rectangle.width),
    y: within(rectangle.y + y, 0, Math.floor(size.height) - rectangle.height)};
}

/** Returns the rectangle with its lower right corner moved by `[x, y]` points. */
export function resized(rectangle, [x, y], size) {
  return {...rectangle, width: within(rectangle.width + x, 1, Math.floor(size.width) - rectangle.x),
    height: within(rectangle.height + y, 1, Math.floor(size.height) - rectangle.y)};
}

/** Returns what is wrong with a typed rectangle: `null` if nothing is, else the name of the first wrong member. */
export function wrongMember(rectangle, size) {
  for (const [start, length, limit] of [['x', 'width', size.width], ['y', 'height', size.height]]) {
    if (!(rectangle[start] >= 0 && rectangle[start] < limit)) return start;
    if (!(rectangle[length] > 0 && rectangle[start] + rectangle[length] <= limit)) return length;
  }
  return null;
}

/** Returns the rectangle as the command takes it. */
export const asArgument = ({x, y, width, height}) => [x, y, width, height].join(',');
