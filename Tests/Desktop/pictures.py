"""Pictures as arrays of height x width x 3 bytes, and the differences between two of them."""

import subprocess

import numpy

from support import KEPT

# The largest difference, of 0 to 255, that the rounding of a compositor may cause.
VISIBLE = 6


def from_ppm(data):
    """`data`: a PPM with a head as grim writes it."""
    kind, size, depth, pixels = data.split(b"\n", 3)
    assert (kind, depth) == (b"P6", b"255"), data[:20]
    width, height = map(int, size.split())
    return numpy.frombuffer(pixels, numpy.uint8).reshape(height, width, 3)


def save(picture, name):
    """Saves a picture as PNG for inspection, and returns its path."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{name}.png"
    height, width, _ = picture.shape
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
                    f"{width}x{height}", "-i", "-", path], input=picture.tobytes(), check=True)
    return path


def changed(before, after):
    """Returns an array that is true for the pixels that visibly differ."""
    assert before.shape == after.shape, (before.shape, after.shape)
    return (numpy.abs(before.astype(int) - after).max(axis=2) > VISIBLE)


def same(before, after):
    return numpy.array_equal(before, after)


def disc(shape, centre, radius):
    """Returns an array that is true for the pixels whose centre is in a disc."""
    rows, columns = numpy.ogrid[: shape[0], : shape[1]]
    return (columns + 0.5 - centre[0]) ** 2 + (rows + 0.5 - centre[1]) ** 2 <= radius**2


def middle(pixels):
    """Returns the centroid of the pixels as x, y, or None if there are no pixels."""
    rows, columns = numpy.nonzero(pixels)
    if not len(rows):
        return None
    return columns.mean() + 0.5, rows.mean() + 0.5


def extent(pixels):
    """Returns the bounding box of the pixels as left, top, right, bottom, or None if there are no
    pixels."""
    rows, columns = numpy.nonzero(pixels)
    return (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1) if len(rows) else None


def misplaced(before, after, centres, radius):
    """Returns descriptions of what is wrong with the bubbles of a picture; empty if they are right.
    Each must be a disc around its centre, cut off only by the edges of the picture, and no other
    pixel may have changed."""
    different = changed(before, after)
    complaints, rest = [], different.copy()
    for centre in centres:
        ideal = disc(different.shape, centre, radius)
        near = disc(different.shape, centre, radius + 4)
        rest &= ~near
        # Some bubbles are rings around a translucent or unchanged middle: the test measures the
        # enclosed area.
        seen = filled(different & near, centre[0] < 0.5 * radius, centre[0] > different.shape[1] - 0.5 * radius)
        if (found := middle(seen)) is None:
            complaints.append(f"nothing at {centre}")
            continue
        wanted = middle(ideal)
        off = [abs(a - b) for a, b in zip(found, wanted)]
        if max(off) > 1:
            complaints.append(f"at {found} in place of {wanted}")
        if not 0.9 < seen.sum() / ideal.sum() < 1.1:
            complaints.append(f"at {centre}: {seen.sum()} pixels in place of {ideal.sum()}")
    if rest.any():
        complaints.append(f"{rest.sum()} pixels elsewhere, within {extent(rest)}")
    return complaints


def filled(pixels, open_left=False, open_right=False):
    """Fills gaps between the pixels of each row. An open side counts as a pixel outside the
    picture."""
    from_left = numpy.logical_or.accumulate(pixels, axis=1)
    from_right = numpy.logical_or.accumulate(pixels[:, ::-1], axis=1)[:, ::-1]
    some = pixels.any(axis=1, keepdims=True)
    return (from_left | (some & open_left)) & (from_right | (some & open_right))
