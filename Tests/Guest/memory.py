#!/usr/bin/python3
"""Types a PIN on a masked screen, and looks for it in the memory of the process that reads the touchscreen.

memory.py PID SOCKET KIND

KIND is slots, single or anonymous. The screen `pin` must be masked, and late_names be 250ms. Before, one finger
lands where nothing is masked, and must be found: else the search is worth nothing. Prints each place of the PIN
that is found and where; ends with 1 where there is any, but for the last position of all, which the panel need not
say again when the next finger lands.
"""

import random
import struct
import subprocess
import sys
import time

from evdev import AbsInfo, UInput, ecodes as e

process, socket, kind = int(sys.argv[1]), sys.argv[2], sys.argv[3]
# Every value is a pattern of bytes that is found by chance nowhere.
RANGE = 1 << 30
WIDTH, HEIGHT = 1024, 768
DIGITS = 6


def panel():
    position = AbsInfo(0, 0, RANGE - 1, 0, 0, 0)
    axes = []
    if kind != "anonymous":
        axes += [(e.ABS_X, position), (e.ABS_Y, position)]
    if kind == "slots":
        axes += [(e.ABS_MT_SLOT, AbsInfo(0, 0, 9, 0, 0, 0)),
                 (e.ABS_MT_TRACKING_ID, AbsInfo(0, 0, 65535, 0, 0, 0))]
    if kind != "single":
        axes += [(e.ABS_MT_POSITION_X, position), (e.ABS_MT_POSITION_Y, position)]
    return UInput({e.EV_KEY: [e.BTN_TOUCH], e.EV_ABS: axes}, name=f"Memory {kind}", bustype=e.BUS_USB,
                  input_props=[e.INPUT_PROP_DIRECT])


class Finger:
    def __init__(self, device):
        self.device, self.landings = device, 0

    def frame(self, place, is_new=False):
        write = self.device.write
        if kind == "slots" and is_new:
            write(e.EV_ABS, e.ABS_MT_TRACKING_ID, self.landings)
        if kind != "single" and place:
            write(e.EV_ABS, e.ABS_MT_POSITION_X, place[0])
            write(e.EV_ABS, e.ABS_MT_POSITION_Y, place[1])
        if kind == "slots" and not place:
            write(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1)
        if kind == "anonymous":
            write(e.EV_SYN, e.SYN_MT_REPORT, 0)
        if kind != "anonymous" and place:
            write(e.EV_ABS, e.ABS_X, place[0])
            write(e.EV_ABS, e.ABS_Y, place[1])
        write(e.EV_KEY, e.BTN_TOUCH, 1 if place else 0)
        self.device.syn()
        time.sleep(0.03)

    def down(self, place):
        self.landings += 1
        self.frame(place, is_new=True)

    def tap(self, places):
        self.down(places[0])
        for place in places[1:]:
            self.frame(place)
        self.frame(None)


def patterns(place):
    """Everything by which a place could be told, by name."""
    found = {}
    for name, raw, size in (("x", place[0], WIDTH), ("y", place[1], HEIGHT)):
        share = raw / RANGE
        found[f"raw {name}"] = struct.pack("<i", raw)
        found[f"point {name}"] = struct.pack("<d", share * size)
        found[f"text {name}"] = str(raw).encode()
    column, row = (int(place[0] / RANGE * WIDTH) // 16, int(place[1] / RANGE * HEIGHT) // 16)
    found["visit"] = struct.pack("<qq", row * 64 + column, 1)
    return found


def memory():
    """The pages that the process may write to and that hold anything, by the name of their mapping."""
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as bytes_of:
        for line in maps:
            span, rights, *rest = line.split(None, 5)
            name = rest[3].strip() if len(rest) > 3 else ""
            if "w" not in rights or name.startswith("[vv"):
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            try:
                bytes_of.seek(start)
                held = bytes_of.read(end - start)
            except OSError:
                continue
            yield start, name or "heap of its own", held


def search(places):
    """Where each pattern of places is found: a list of lines."""
    pages, names = [], []
    for start, mapping, held in memory():
        for offset in range(0, len(held), 4096):
            page = held[offset:offset + 4096]
            if page.count(0) < len(page):
                pages.append(page)
                names.append(f"{start + offset:#x} {mapping}")
    whole = b"".join(pages)
    lines = []
    for number, place in enumerate(places):
        for name, pattern in patterns(place).items():
            at = whole.find(pattern)
            while at >= 0:
                lines.append(f"{name} of {number}: {names[at // 4096]}+{at % 4096:#x}")
                at = whole.find(pattern, at + 1)
    return lines


def show(screen):
    subprocess.run(["touchgrid", "screen", screen, "--socket", socket], check=True)


def some_places(count):
    """Places of numbers that are not there anyway."""
    while True:
        places = [(random.randrange(1 << 24, RANGE), random.randrange(1 << 24, RANGE))
                  for _ in range(count)]
        if not search(places):
            return places


device = panel()
for attempt in range(100):
    listed = subprocess.run(["touchgrid", "devices", "--socket", socket], capture_output=True, text=True)
    if f"Memory {kind}" in listed.stdout:
        break
    time.sleep(0.2)
else:
    sys.exit(f"memory.py: the panel is not read: {listed}")
finger = Finger(device)
control, *pin = some_places(1 + 3 * DIGITS)
pin = [pin[3 * digit:3 * digit + 3] for digit in range(DIGITS)]
show("menu")
finger.down(control)
seen = {line.split(" of ")[0] for line in search([control])}
finger.frame(None)
print("found while it is down:", ", ".join(sorted(seen)))
show("pin")
for places in pin:
    finger.tap(places)
    time.sleep(0.05)
time.sleep(1.5)
last = pin[-1][-1]
left = search([place for digit in pin for place in digit if place != last])
print("\n".join(["left:"] + left))
print("left of the last position:", ", ".join(search([last])))
device.close()
sys.exit(0 if {"raw x", "point x", "visit"} <= seen and not left else 1)
