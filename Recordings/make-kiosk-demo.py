#!/usr/bin/env python3
"""Makes kiosk-demo.evemu: one person, ninety seconds, a kiosk app of four screens.

The panel, the app and the person are made up; nothing here was recorded. The output depends on
nothing but this file, so running it again gives the same bytes.

    make-kiosk-demo.py            writes kiosk-demo.evemu beside this file
    make-kiosk-demo.py -          writes to standard output
"""

import math
import pathlib
import random
import sys

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
SYN_REPORT, BTN_TOUCH, ABS_X, ABS_Y = 0, 0x14A, 0x00, 0x01
SLOT, X, Y, TRACKING_ID = 0x2F, 0x35, 0x36, 0x39

SLOTS = 10
MAXIMUM = 4095
# Units per millimetre: a glass of 204.8 mm x 128 mm, 16:10.
RESOLUTION_X, RESOLUTION_Y = 20, 32

BEAT = 0.010
START = 1.0

# Buttons: centre and half size as parts of the glass. The app shows 1280 x 800 points.
BUTTONS = {
    "menu": {
        "food": (0.27, 0.42, 0.17, 0.14),
        "drinks": (0.73, 0.42, 0.17, 0.14),
        "offers": (0.27, 0.76, 0.17, 0.12),
        "language": (0.94, 0.06, 0.04, 0.04),
    },
    "catalogue": {
        "first": (0.18, 0.40, 0.10, 0.12),
        "second": (0.42, 0.40, 0.10, 0.12),
        "third": (0.66, 0.40, 0.10, 0.12),
        "fourth": (0.18, 0.72, 0.10, 0.12),
        "sixth": (0.66, 0.72, 0.10, 0.12),
        "home": (0.06, 0.94, 0.05, 0.05),
        "basket": (0.92, 0.94, 0.07, 0.05),
    },
    "product": {
        "larger": (0.62, 0.58, 0.04, 0.05),
        "smaller": (0.50, 0.58, 0.04, 0.05),
        "add": (0.78, 0.86, 0.16, 0.07),
        "back": (0.06, 0.06, 0.05, 0.05),
    },
    "checkout": {
        "remove": (0.90, 0.30, 0.03, 0.04),
        "pay": (0.78, 0.88, 0.18, 0.08),
        "home": (0.06, 0.94, 0.05, 0.05),
        # In the dialogue that asks how to pay.
        "card": (0.32, 0.50, 0.18, 0.18),
        "done": (0.50, 0.86, 0.16, 0.07),
    },
}


class Panel:
    """Writes events as the kernel lets them through: sticky slots, and changes only."""

    def __init__(self):
        self.lines = []
        self.now = START
        self.slot = 0
        self.values = {}
        self.axes = {ABS_X: 0, ABS_Y: 0}
        self.down = {}
        self.touching = False
        self.next_id = 0
        self.pending = []

    def slot_value(self, slot, code, value):
        if self.values.get((slot, code), -1 if code == TRACKING_ID else 0) == value:
            return
        if slot != self.slot:
            self.slot = slot
            self.pending.append((EV_ABS, SLOT, slot))
        self.values[(slot, code)] = value
        self.pending.append((EV_ABS, code, value))

    def land(self, slot, point):
        self.down[slot] = point
        self.slot_value(slot, TRACKING_ID, self.next_id)
        self.next_id += 1
        self.move(slot, point)

    def move(self, slot, point):
        self.down[slot] = point
        self.slot_value(slot, X, point[0])
        self.slot_value(slot, Y, point[1])

    def lift(self, slot):
        del self.down[slot]
        self.slot_value(slot, TRACKING_ID, -1)

    def single_touch(self):
        """The oldest finger, for programs that know only one."""
        if self.touching != bool(self.down):
            self.touching = bool(self.down)
            self.pending.append((EV_KEY, BTN_TOUCH, int(self.touching)))
        if self.down:
            oldest = min(self.down, key=lambda slot: self.values[(slot, TRACKING_ID)])
            for code, value in zip((ABS_X, ABS_Y), self.down[oldest]):
                if self.axes[code] != value:
                    self.axes[code] = value
                    self.pending.append((EV_ABS, code, value))

    def frame(self):
        self.single_touch()
        if self.pending:
            self.pending.append((EV_SYN, SYN_REPORT, 0))
        for kind, code, value in self.pending:
            self.lines.append(f"E: {self.now:.6f} {kind:04x} {code:04x} {value:04d}")
        self.pending = []

    def wait(self, seconds):
        self.now = round(self.now + seconds, 6)

    def screen(self, name):
        self.lines.append(f"# touchgrid-screen {self.now:.6f} {name}")


class Person:
    """Moves fingers the way people do: not quite where they mean to, and never quite still."""

    def __init__(self, panel, seed):
        self.panel = panel
        self.random = random.Random(seed)
        self.screen = None

    def uniform(self, low, high):
        # random() alone is promised to give the same numbers in every version of Python.
        return low + (high - low) * self.random.random()

    def gauss(self, width):
        return width * (sum(self.random.random() for _ in range(12)) - 6)

    def raw(self, x, y):
        def clamp(part):
            return max(0, min(MAXIMUM, int(part * (MAXIMUM + 1))))

        return clamp(x), clamp(y)

    def tremble(self, point):
        return tuple(max(0, min(MAXIMUM, value + int(self.gauss(1.4)))) for value in point)

    def beat(self):
        self.panel.wait(BEAT + self.uniform(-0.0004, 0.0004))

    def think(self, low, high):
        self.panel.wait(self.uniform(low, high))

    def shows(self, screen):
        """The app has answered a tap: the next screen is there."""
        self.panel.wait(self.uniform(0.12, 0.25))
        self.panel.screen(screen)
        self.screen = screen

    def tap(self, button):
        x, y, half_width, half_height = BUTTONS[self.screen][button]
        # Right hands land a little low and to the right of the middle.
        aim = x + half_width * (0.10 + self.gauss(0.30)), y + half_height * (0.15 + self.gauss(0.28))
        self.press(self.raw(*aim))

    def miss(self, x, y):
        """A tap on what looks like a button and is none."""
        self.press(self.raw(x + self.gauss(0.012), y + self.gauss(0.012)))

    def press(self, point):
        self.panel.land(0, point)
        self.panel.frame()
        for _ in range(round(self.uniform(0.060, 0.140) / BEAT) - 1):
            self.beat()
            point = self.tremble(point)
            self.panel.move(0, point)
            self.panel.frame()
        self.beat()
        self.panel.lift(0)
        self.panel.frame()

    def drag(self, start, end, seconds, bow=0.02):
        """From rest to rest, a little curved."""
        steps = round(seconds / BEAT)
        bend = self.gauss(bow)
        start = start[0] + self.gauss(0.012), start[1] + self.gauss(0.012)
        end = end[0] + self.gauss(0.015), end[1] + self.gauss(0.015)
        for step in range(steps + 1):
            part = step / steps
            eased = part * part * (3 - 2 * part)
            swing = bend * math.sin(math.pi * eased)
            point = self.raw(
                start[0] + (end[0] - start[0]) * eased + swing * (end[1] - start[1]),
                start[1] + (end[1] - start[1]) * eased + swing,
            )
            if step == 0:
                self.panel.land(0, point)
            else:
                self.beat()
                self.panel.move(0, self.tremble(point))
            self.panel.frame()
        self.beat()
        self.panel.lift(0)
        self.panel.frame()

    def scroll(self, times, up=True):
        for _ in range(times):
            x = self.uniform(0.55, 0.80)
            bottom, top = (x, 0.80), (x - 0.03, 0.34)
            start, end = (bottom, top) if up else (top, bottom)
            self.drag(start, end, self.uniform(0.28, 0.60))
            self.think(0.5, 1.1)

    def pinch(self, centre, near, far, seconds, opens):
        """Two fingers of one hand, the second landing a frame later."""
        steps = round(seconds / BEAT)
        angle = -0.7 + self.gauss(0.1)
        for step in range(steps + 1):
            part = step / steps
            eased = part * part * (3 - 2 * part)
            width = near + (far - near) * (eased if opens else 1 - eased)
            for slot, side in ((0, 1), (1, -1)):
                point = self.raw(
                    centre[0] + side * width * math.cos(angle),
                    centre[1] + side * width * 1.6 * math.sin(angle),
                )
                if step == slot:
                    self.panel.land(slot, point)
                elif step > slot:
                    self.panel.move(slot, self.tremble(point))
            self.panel.frame()
            self.beat()
        self.panel.lift(1)
        self.panel.frame()
        self.beat()
        self.panel.lift(0)
        self.panel.frame()

    def both_hands(self):
        """All ten fingers on the glass, landing one after the other within a blink."""
        fingers = []
        for hand, (x, y) in enumerate(((0.28, 0.55), (0.70, 0.55))):
            for finger in range(5):
                side = finger - 2 if hand else 2 - finger
                arch = (0.10, 0.02, 0.0, 0.03, 0.24)[finger]
                fingers.append(self.raw(x + side * 0.055 + self.gauss(0.006), y + arch))
        landing = sorted(range(10), key=lambda finger: self.uniform(0, 1))
        for first in range(0, 10, 3):
            for finger in landing[first : first + 3]:
                self.panel.land(finger, fingers[finger])
            self.panel.frame()
            self.beat()
        for _ in range(30):
            for finger in range(10):
                if self.uniform(0, 1) < 0.5:
                    self.panel.move(finger, self.tremble(fingers[finger]))
            self.panel.frame()
            self.beat()
        for first in range(0, 10, 4):
            for finger in landing[first : first + 4]:
                self.panel.lift(finger)
            self.panel.frame()
            self.beat()


def visit(panel):
    person = Person(panel, seed=20)
    panel.screen("menu")
    person.screen = "menu"
    person.think(1.2, 1.6)
    person.miss(0.50, 0.14)  # the headline, which looks like a button
    person.think(1.0, 1.5)
    person.tap("food")

    person.shows("catalogue")
    person.think(1.0, 1.6)
    person.scroll(3)
    person.scroll(1, up=False)
    person.think(0.6, 1.2)
    person.tap("second")

    person.shows("product")
    person.think(1.2, 1.8)
    person.pinch((0.30, 0.45), 0.05, 0.17, 0.7, opens=True)
    person.think(1.0, 1.5)
    person.drag((0.36, 0.45), (0.22, 0.50), 0.6)
    person.think(0.6, 1.0)
    person.pinch((0.30, 0.45), 0.05, 0.17, 0.6, opens=False)
    person.think(0.8, 1.2)
    for _ in range(3):
        person.tap("larger")
        person.think(0.18, 0.35)
    person.tap("smaller")
    person.think(0.8, 1.3)
    person.tap("add")
    person.think(0.7, 1.0)
    person.tap("back")

    person.shows("catalogue")
    person.think(0.8, 1.4)
    person.scroll(2)
    for product in ("third", "sixth"):
        person.tap(product)
        person.shows("product")
        person.think(1.4, 2.2)
        person.tap("add")
        person.think(0.7, 1.1)
        person.tap("back")
        person.shows("catalogue")
        person.think(0.9, 1.5)
    person.tap("home")

    person.shows("menu")
    person.think(1.0, 1.6)
    person.both_hands()  # somebody leans on the glass
    person.think(1.2, 1.8)
    person.tap("drinks")

    person.shows("catalogue")
    person.think(0.8, 1.4)
    person.scroll(2)
    person.tap("fourth")
    person.shows("product")
    person.think(1.0, 1.6)
    person.tap("larger")
    person.think(0.5, 0.8)
    person.tap("add")
    person.think(0.6, 1.0)
    person.tap("back")
    person.shows("catalogue")
    person.think(0.6, 1.0)
    person.tap("basket")

    person.shows("checkout")
    person.think(2.0, 3.0)
    person.tap("remove")
    person.think(0.5, 0.8)
    person.miss(0.87, 0.33)  # the small cross was missed, and is tried again
    person.think(0.4, 0.6)
    person.tap("remove")
    person.think(0.8, 1.2)
    person.drag((0.60, 0.62), (0.58, 0.38), 0.45)
    person.think(1.0, 1.4)
    person.tap("pay")
    person.think(1.4, 2.0)
    person.tap("card")
    person.think(9.0, 11.0)  # card in hand
    person.tap("done")

    person.shows("menu")
    person.think(1.5, 2.2)
    person.tap("offers")
    person.shows("catalogue")
    person.think(1.0, 1.5)
    person.scroll(1)
    person.tap("first")
    person.shows("product")
    person.think(1.2, 1.8)
    person.tap("back")
    person.shows("catalogue")
    person.think(0.8, 1.2)
    person.tap("home")
    person.shows("menu")
    person.think(1.0, 1.6)
    person.tap("language")
    person.think(1.0, 1.5)
    person.tap("language")
    person.think(1.4, 2.0)
    person.tap("food")

    person.shows("catalogue")
    person.think(1.0, 1.4)
    person.scroll(2)
    person.scroll(2, up=False)
    person.tap("third")
    person.shows("product")
    person.think(1.4, 2.0)
    person.drag((0.40, 0.44), (0.20, 0.46), 0.5)
    person.think(0.8, 1.2)
    person.tap("back")
    person.shows("catalogue")
    person.think(0.9, 1.3)
    person.tap("home")
    person.shows("menu")
    person.think(1.6, 2.2)
    person.miss(0.50, 0.14)


def mask(kind, codes):
    bits = sum(1 << code for code in codes)
    count = max(8, -(-bits.bit_length() // 64) * 8)
    data = bits.to_bytes(count, "little")
    return [
        f"{kind} " + " ".join(f"{byte:02x}" for byte in data[first : first + 8])
        for first in range(0, count, 8)
    ]


def header():
    lines = [
        "# EVEMU 1.3",
        '# Input device name: "Touchgrid demo panel"',
        "# Made by make-kiosk-demo.py: an invented person using an invented kiosk.",
        "# Comments 'touchgrid-screen SECONDS NAME' say what the app showed from then on.",
        "N: Touchgrid demo panel",
        "I: 0006 1209 0001 0001",
    ]
    axes = {
        ABS_X: (MAXIMUM, RESOLUTION_X),
        ABS_Y: (MAXIMUM, RESOLUTION_Y),
        SLOT: (SLOTS - 1, 0),
        X: (MAXIMUM, RESOLUTION_X),
        Y: (MAXIMUM, RESOLUTION_Y),
        TRACKING_ID: (65535, 0),
    }
    lines += mask("P:", [1])  # INPUT_PROP_DIRECT
    lines += mask("B: 00", [EV_SYN, EV_KEY, EV_ABS])
    lines += mask("B: 01", [BTN_TOUCH])
    lines += mask("B: 03", axes)
    for code, (maximum, resolution) in sorted(axes.items()):
        lines.append(f"A: {code:02x} 0 {maximum} 0 0 {resolution}")
    return lines


def main(arguments):
    panel = Panel()
    visit(panel)
    text = "\n".join(header() + panel.lines) + "\n"
    if arguments == ["-"]:
        sys.stdout.write(text)
    elif not arguments:
        path = pathlib.Path(__file__).resolve().with_name("kiosk-demo.evemu")
        path.write_text(text, encoding="utf-8", newline="\n")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
