#!/usr/bin/python3
"""Stands in front of a panel that is bent in known ways, and calibrates or tests it.

bent.py calibrate ROTATION NUMBER...   the six numbers of the matrix that is right for the panel
bent.py crosses NUMBER...              the same with crosses that the overlay draws, and writes nothing
bent.py test BOW GAP                   mm by which lines are bent, and where no touch is sensed
bent.py wipe LINE                      `touchgrid clean`, with a wipe of the whole panel, one of whose 64 vertical
                                       lines senses nothing, or none with 0; ended by holding two corners

The panel has 320 x 180 mm. `calibrate` finds the crosses in what the program draws on a terminal.
`test` does each step that it is asked for, `wipe` prints what the program has said. Exits with the status of the
program.
"""

import os
import subprocess
import sys
import time

from panel import Panel
from terminal import Terminal

WIDTH, HEIGHT, UNITS = 320.0, 180.0, 50
ROWS, COLUMNS = 40, 120


device = Panel("Bent panel", int(WIDTH * UNITS) + 1, int(HEIGHT * UNITS) + 1, UNITS, beat=0, vendor=0x1234,
               product=0xbe27)


def tap(x, y):
    """Touches a raw place."""
    device.show({0: (x, y)})
    time.sleep(0.1)
    device.show({})
    time.sleep(0.1)


CROSSES = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9), (0.6, 0.35)]


def interrupt():
    """Presses Ctrl-C at the first cross. The terminal must be as before."""
    terminal = Terminal("touchgrid", "calibrate", "--in-terminal", rows=ROWS, columns=COLUMNS)
    terminal.wait_for("Cross 1 of 5")
    os.write(terminal.end, b"\x03")
    terminal.wait_for(r"\x1b\[\?25h\x1b\[\?1049l")
    terminal.finish()


def calibrate(rotation, matrix, is_on_overlay=False):
    a, b, c, d, f, g = matrix
    turned = {0: lambda x, y: (x, y), 90: lambda x, y: (1 - y, x), 180: lambda x, y: (1 - x, 1 - y),
              270: lambda x, y: (y, 1 - x)}[rotation]

    def touch(x, y):
        """Touches a place of the picture, given as shares of its width and height."""
        x, y = turned(x, y)
        determinant = a * f - b * d
        raw = ((f * (x - c) - b * (y - g)) / determinant, (a * (y - g) - d * (x - c)) / determinant)
        tap(int(raw[0] * (WIDTH * UNITS + 1)), int(raw[1] * (HEIGHT * UNITS + 1)))

    if not is_on_overlay:
        interrupt()
    options = ["--dry-run"] if is_on_overlay else []
    terminal = Terminal("touchgrid", "calibrate", *options, rows=ROWS, columns=COLUMNS)
    for number, cross in enumerate(CROSSES, 1):
        terminal.wait_for(f"Cross {number} of 5")
        if not is_on_overlay:
            found = terminal.wait_for(r"\x1b\[(\d+);(\d+)H\+")
            cross = (int(found[2]) - 0.5) / COLUMNS, (int(found[1]) - 0.5) / ROWS
        time.sleep(0.5)
        touch(*cross)
    if is_on_overlay:
        status = terminal.finish()
        print(terminal.seen)
        return status
    terminal.answer("Write it to /etc/touchgrid/touchgridd.toml", "yes")
    terminal.wait_for("the service has loaded it")
    status = terminal.finish()
    print(terminal.seen.split("\x1b[?1049l")[-1])
    os.system("touchgrid set-screen calibrated")
    time.sleep(1)
    touch(0.305, 0.705)
    time.sleep(1)
    return status


def test(bow, gap):
    def place(x, y):
        """The raw place of a touch, given in mm; None if the panel does not sense it."""
        if abs(x - gap) < 3:
            return None
        y += bow * (1 - (2 * x / WIDTH - 1) ** 2)
        return round(x * UNITS), round(min(HEIGHT, max(0, y)) * UNITS)

    def draw(lines):
        """Draws lines at the same time, one with each finger."""
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 for (x0, y0), (x1, y1) in lines)
        steps = int(length / 2)
        start = time.monotonic()
        for step in range(steps + 1):
            part = step / steps
            places = {}
            for slot, ((x0, y0), (x1, y1)) in enumerate(lines):
                here = place(x0 + part * (x1 - x0), y0 + part * (y1 - y0))
                if here:
                    places[slot] = here
            device.show(places)
            # A step is over after half a second without a finger, so a gap must not take long.
            if places:
                time.sleep(max(0, start + step * 0.012 - time.monotonic()))
        device.show({})

    w, h = WIDTH, HEIGHT
    requests = [
        ("left edge to the right edge, a quarter", [((0, h / 4), (w, h / 4))]),
        ("left edge to the right edge, in the middle", [((0, h / 2), (w, h / 2))]),
        ("left edge to the right edge, three", [((0, h * .75), (w, h * .75))]),
        ("top edge to the bottom edge, a quarter", [((w / 4, 0), (w / 4, h))]),
        ("top edge to the bottom edge, in the middle", [((w / 2, 0), (w / 2, h))]),
        ("top edge to the bottom edge, three", [((w * .75, 0), (w * .75, h))]),
        ("top left corner to the bottom right", [((0, 0), (w, h))]),
        ("bottom left corner to the top right", [((0, h), (w, 0))]),
        ("along the top edge", [((0, 0), (w, 0))]), ("along the right edge", [((w, 0), (w, h))]),
        ("along the bottom edge", [((w, h), (0, h))]), ("along the left edge", [((0, h), (0, 0))]),
        ("Hold one finger", (w / 2, h / 2)), ("top left corner, then", (w * .1, h * .1)),
        ("top right corner, then", (w * .9, h * .1)), ("bottom right corner, then", (w * .9, h * .9)),
        ("bottom left corner, then", (w * .1, h * .9)),
        ("two fingers", [((w * .2, h / 2), (w * .45, h / 2)), ((w * .7, h / 2), (w * .45 + 12, h / 2))]),
    ]
    terminal = Terminal("sh", "-c", "touchgrid panel test -o bent.json; echo status $?; "
                        "touchgrid status", columns=100)
    for number, (request, what) in enumerate(requests, 1):
        terminal.wait_for(rf"(?m)^{number} of {len(requests)}\.")
        terminal.wait_for(request)
        if isinstance(what, list):
            draw(what)
        else:
            x, y = place(*what)
            device.show({0: (x, y)})
            time.sleep(0.5)
            # 0.6 mm to the side and back.
            device.show({0: (x + 30, y)})
            time.sleep(1.5)
            device.show({0: (x, y)})
            time.sleep(0.5)
            device.show({})
    terminal.wait_for("status [01]", limit=120)
    terminal.finish()
    print(terminal.seen)
    return 0


def wipe(line):
    cleaning = subprocess.Popen(["touchgrid", "clean", "5m", "--json"], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, text=True)
    while os.system("pgrep -f '[t]ouchgrid-overlay --scenes' >/dev/null"):
        assert cleaning.poll() is None
        time.sleep(0.1)
    time.sleep(3)
    width = WIDTH / 64

    def stroke(places):
        for x, y in places:
            if int(x / width) != line - 1:
                device.show({0: (int(x * UNITS), int(y * UNITS))})
                time.sleep(0.005)
        device.show({})
        time.sleep(0.4)

    # No place lies on the edge of a line, and enough strokes cross each line for it to be judged.
    for lane in range(30):
        stroke((along, (lane + 0.5) * HEIGHT / 30) for along in range(1, int(WIDTH), 3))
    for lane in range(20):
        stroke(((lane + 0.5) * WIDTH / 20, along) for along in range(0, int(HEIGHT), 3))
    device.show({0: (100, 100), 1: (int(WIDTH * UNITS) - 100, 100)})
    start = time.monotonic()
    print(cleaning.communicate()[0], end="")
    assert 2 < time.monotonic() - start < 60
    device.show({})
    return cleaning.returncode


device.wait_until_read()
verb, numbers = sys.argv[1], sys.argv[2:]
if verb == "calibrate":
    status = calibrate(int(numbers[0]), [float(number) for number in numbers[1:]])
elif verb == "crosses":
    status = calibrate(0, [float(number) for number in numbers], is_on_overlay=True)
elif verb == "wipe":
    status = wipe(int(numbers[0]))
else:
    status = test(float(numbers[0]), float(numbers[1]))
device.close()
sys.exit(status)
