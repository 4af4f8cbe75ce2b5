#!/usr/bin/env python3
"""Writes the objects of synthetic kiosks.

kiosks.py [--kiosks N] [--days N] [--first DAY] ROOT

Each kiosk has 200 sessions a day, on 10 screens of 1024 x 768 pixels with 16-point blocks. A screen has
a dozen buttons of different size and popularity, the same on all kiosks. People tap mostly on buttons,
each kiosk with a shift and preferences of its own, sometimes elsewhere; fingers slide over some blocks.
Touchscreens report every 8 ms, so contacts last a multiple of that. The buttons are controls, and the
screens follow each other in 30 ways.
"""

import argparse
import datetime
import json
import multiprocessing
import os
import pathlib
import zlib

import numpy as np
import orjson

SCREENS, SESSIONS, BUTTONS = 10, 200, 12
COLUMNS, ROWS = 64, 48
# The mean number of taps of a session on a screen.
TAPS = 6.5
# The share of taps that miss the buttons, and of touches that slide.
ELSEWHERE, SLIDES = 0.22, 0.3
GEOMETRY = {"pixelWidth": 1024, "pixelHeight": 768, "scale": 1.0, "rotation": 0, "blockSize": 16}
DISPLAY = "HDMI-A-1"
# The size of a point, in mm.
POINT = 0.25
# The number of counters of a control, and the indexes of some of them (docs/controls.md).
NUMBERS, NEAR, BESIDE, RETRIED, RESPONSES, OWN_SESSIONS = 47, 6, 12, 32, 36, 46
# The numbers of counters of a screen, and of a change from one screen to another (docs/flows.md).
FLOW_NUMBERS, WAYS = 58, 3


def layouts():
    """The buttons of each screen: column, row, width and height in blocks, and popularity."""
    random = np.random.default_rng(1)
    for _ in range(SCREENS):
        width, height = random.integers(4, 11, BUTTONS), random.integers(2, 5, BUTTONS)
        yield np.column_stack([
            random.integers(0, COLUMNS - width),
            random.integers(0, ROWS - height), width, height,
            random.gamma(1, 100, BUTTONS) + 5
        ])


LAYOUTS = list(layouts())


def touches(random, layout, sessions):
    """Returns the columns, rows and durations in ms of the taps of `sessions`, and for each tap
    its session and its button, or -1."""
    each = random.poisson(TAPS * random.gamma(2, 0.5, sessions))
    session = np.repeat(np.arange(sessions), each)
    count = len(session)
    popularity = layout[:, 4] * random.gamma(5, 0.2, len(layout))
    aim = random.choice(len(layout), count, p=popularity / popularity.sum())
    button = layout[aim]
    # People aim at the middle of a button.
    x = button[:, 0] + button[:, 2] * random.beta(3, 3, count)
    y = button[:, 1] + button[:, 3] * random.beta(3, 3, count)
    elsewhere = random.random(count) < ELSEWHERE
    x[elsewhere], y[elsewhere] = random.random(elsewhere.sum()) * COLUMNS, random.random(
        elsewhere.sum()) * ROWS
    return session, x, y, 8 * random.integers(5, 16, count), np.where(elsewhere, -1, aim)


def controls(random, layout, touched):
    """The counts of the buttons of a screen."""
    session, x, y, _, aim = touched
    lists = np.zeros((len(layout), NUMBERS), np.int64)
    # A fifth of the taps elsewhere are near a button.
    near = (aim < 0) & (random.random(len(aim)) < 0.2)
    aim = np.where(near, random.integers(0, len(layout), len(aim)), aim)
    for number, (column, row, width, height, _) in enumerate(layout):
        numbers = lists[number]
        for first, mine in ((0, (aim == number) & ~near), (NEAR, (aim == number) & near)):
            right, down = (np.rint(16 * (at[mine] - middle)).astype(np.int64)
                           for at, middle in ((x, column + width / 2), (y, row + height / 2)))
            if first:
                right, down = right % 40, down % 40
            numbers[first:first + 6] = (mine.sum(), right.sum(), down.sum(), (right ** 2).sum(), (down ** 2).sum(),
                                        (right * down).sum())
        ring = 5 * random.integers(0, 4, numbers[NEAR]) + random.integers(0, 4, numbers[NEAR])
        numbers[BESIDE:BESIDE + 20] = np.bincount(ring, minlength=20)
        numbers[RETRIED] = numbers[NEAR] // 2
        numbers[RESPONSES:RESPONSES + 10] = np.bincount(random.integers(2, 8, numbers[0]), minlength=10)
        numbers[OWN_SESSIONS] = len(np.unique(session[(aim == number) & ~near]))
    return lists.ravel()


def count_line(kind, subject, sessions, numbers):
    places = np.flatnonzero(numbers)
    return {"type": "count", "kind": kind, "subject": json.dumps(subject, separators=(",", ":")),
            "sessions": int(sessions), "places": places, "counts": np.asarray(numbers)[places]}


def flows(random):
    """Yields the lines of changes between screens."""
    yield count_line("flow", ["sessions"], SESSIONS, [SESSIONS])
    for number in range(SCREENS):
        sessions = int(random.integers(SESSIONS // 2, SESSIONS))
        numbers = random.integers(0, 40, FLOW_NUMBERS)
        yield count_line("flow", ["screen", DISPLAY, f"screen-{number}"], sessions, numbers)
        for way in range(1, WAYS + 1):
            steps = ["step", DISPLAY, f"screen-{number}", f"screen-{(number + way) % SCREENS}"]
            yield count_line("flow", steps, sessions // 2, [sessions])
    yield count_line("flow", ["funnel", "order", *(f"screen-{number}" for number in range(4))], SESSIONS,
                     [180, 150, 120, 90])


def grids(random, touched):
    """Yields (layer, sessions of each count, blocks, counts) of a screen."""
    session, x, y, duration, _ = touched
    yield "taps", session, block(x, y), np.ones(len(session), np.int64)
    slides = np.flatnonzero(random.random(len(session)) < SLIDES)
    steps = random.integers(1, 5, len(slides))
    path = np.repeat(slides, steps)
    step = np.arange(len(path)) - np.repeat(np.cumsum(steps) - steps, steps) + 1
    angle = np.repeat(random.random(len(slides)) * 2 * np.pi, steps)
    trail = block(x[path] + step * np.cos(angle), y[path] + step * np.sin(angle))
    blocks, who = np.concatenate([block(x, y), trail]), np.concatenate([session, session[path]])
    yield "trail", who, blocks, np.ones(len(who), np.int64)
    yield "dwell", who, blocks, np.concatenate([duration, 8 * random.integers(1, 4, len(path))])


def block(x, y):
    return np.clip(y.astype(np.int64), 0, ROWS - 1) * COLUMNS + np.clip(x.astype(np.int64), 0, COLUMNS - 1)


def columns(session, blocks, counts):
    """Returns the blocks, sums, squares and touched sessions of one grid."""
    cells, inverse = np.unique(session * (COLUMNS * ROWS) + blocks, return_inverse=True)
    values = np.bincount(inverse, counts).astype(np.int64)
    found, inverse = np.unique(cells % (COLUMNS * ROWS), return_inverse=True)
    return {"blocks": found, "sums": np.bincount(inverse, values).astype(np.int64),
            "squares": np.bincount(inverse, values * values).astype(np.int64),
            "touched": np.bincount(inverse).astype(np.int64)}


def day_lines(kiosk, generation, revision, day, random):
    began = int(datetime.datetime.fromisoformat(f"{day}T08:00:00+00:00").timestamp() * 1000)
    views, maps, counts, counted = [], [], [], 0
    for number, layout in enumerate(LAYOUTS):
        key = {"screen": f"screen-{number}", "display": DISPLAY, "geometry": GEOMETRY}
        sessions = int(random.integers(SESSIONS * 3 // 4, SESSIONS + 1))
        touched = touches(random, layout, sessions)
        for layer, *found in grids(random, touched):
            lists = columns(*found)
            maps.append({"type": "grid", **key, "layer": layer, **lists})
            if layer == "taps":
                taps = int(lists["sums"].sum())
        counted += taps
        subject = {"display": DISPLAY, "screen": key["screen"], "pixels": [1024, 768], "scale": 1, "rotation": 0,
                   "block_size": 16, "point_mm": POINT, "controls": [
                       {"name": f"button-{at}", "x": 16 * int(column), "y": 16 * int(row), "width": 16 * int(width),
                        "height": 16 * int(height), "rage": True}
                       for at, (column, row, width, height, _) in enumerate(layout)]}
        counts.append(count_line("controls", subject, sessions, controls(random, layout, touched)))
        masks = [{"x": 320.0, "y": 400.0, "width": 384.0, "height": 300.0}] if number == 9 else []
        views.append({"type": "view", **key, "sessions": sessions, "shownMs": int(random.integers(2e6, 4e6)),
                      "touches": taps, "masks": masks, "placements": [placement()]})
    masked, palms = (int(value) for value in random.integers(0, 50, 2))
    hours = np.bincount(random.integers(8, 20, SESSIONS), minlength=24).tolist()
    yield {
        "type": "day", "format": 1, "kiosk": kiosk, "generation": generation, "revision": revision,
        "day": day, "timeZone": "Europe/Berlin", "version": "0.4.0", "sessions": SESSIONS,
        "firstBeganAtMs": began, "lastBeganAtMs": began + 43_000_000, "totals": {
            "begun": counted + masked + palms, "counted": counted, "masked": masked, "palms": palms,
            "ghosts": 0, "swallowed": 0, "stillDown": 0, "preexisting": 0, "cancelled": 1, "clamped": 2, "drops": 0
        }, "hours": hours
    }
    yield from views
    yield from maps
    yield from sorted([*counts, *flows(random)], key=lambda line: (line["kind"], line["subject"]))


def placement():
    return {"device": "pci-0000:00:14.0-usb-0:2:1.0", "x": [0, 4095], "y": [0, 4095], "range_from": "kernel",
            "matrix": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "matrix_from": "udev", "display": DISPLAY,
            "pixels": [1024, 768], "scale": 1.0, "rotation": 0, "block_size": 16, "display_from": "drm",
            "geometry_from": "drm"}


def write_day(root, number, offset, day):
    """Writes one object. Returns its size in bytes and its number of touched blocks."""
    random = np.random.default_rng([number, offset])
    kiosk, generation, revision = f"kiosk-{number:06d}", f"{number:016x}", 1_732_500_000_000 + offset
    lines = list(day_lines(kiosk, generation, revision, day, random))
    data = b"".join(orjson.dumps(line, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n" for line in lines)
    compressor = zlib.compressobj(9, wbits=31)
    data = compressor.compress(data) + compressor.flush()
    folder = pathlib.Path(root, "in", kiosk, generation, day)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"r{revision}.ndjson.gz").write_bytes(data)
    return len(data), sum(len(line["blocks"]) for line in lines if line["type"] == "grid")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kiosks", type=int, default=10_000)
    parser.add_argument("--first-kiosk", type=int, default=0)
    parser.add_argument("--days", type=int, default=1)
    parser.add_argument("--first", type=datetime.date.fromisoformat, default=datetime.date(2026, 11, 1))
    parser.add_argument("root")
    arguments = parser.parse_args()
    jobs = [(arguments.root, number, offset, str(arguments.first + datetime.timedelta(offset)))
            for number in range(arguments.first_kiosk, arguments.first_kiosk + arguments.kiosks)
            for offset in range(arguments.days)]
    with multiprocessing.Pool(os.cpu_count()) as pool:
        written = pool.starmap(write_day, jobs, 16)
    size, blocks = map(sum, zip(*written))
    print(f"{len(jobs)} objects, {size / len(jobs) / 1000:.1f} kB each, {blocks} touched blocks")


if __name__ == "__main__":
    main()
