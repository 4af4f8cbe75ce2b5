#!/usr/bin/python3
"""A virtual touchscreen: for Python programs, and one that follows commands from a named pipe.

panel.py PIPE WIDTH HEIGHT [NAME]

    down SLOT X Y     a touch-down; X and Y are in the panel's units, 0 to WIDTH - 1 and HEIGHT - 1
    move SLOT X Y     a move to this place, in ten frames
    up SLOT           a touch-up
    end               the panel is unplugged, even with fingers down

Each command takes one frame or ten, 10 ms apart. The writer to the pipe need not wait.
"""

import os
import struct
import sys
import time

from evdev import AbsInfo, UInput, ecodes as e

SLOTS = 10


class Panel:
    """`fingers` has the place of each finger that is down, by its slot, and `landings` is the number of touch-downs
    so far."""

    def __init__(self, name, width, height, resolution=4, beat=0.01, **identity):
        """Each frame takes `beat` seconds. `resolution` is in units per mm."""
        def axis(maximum, resolution=0):
            return AbsInfo(0, 0, maximum, 0, 0, resolution)

        x, y = axis(width - 1, resolution), axis(height - 1, resolution)
        self.device = UInput(
            {e.EV_KEY: [e.BTN_TOUCH],
             e.EV_ABS: [(e.ABS_X, x), (e.ABS_Y, y), (e.ABS_MT_SLOT, axis(SLOTS - 1)),
                        (e.ABS_MT_TOOL_TYPE, axis(2)), (e.ABS_MT_TRACKING_ID, axis(65535)),
                        (e.ABS_MT_POSITION_X, x), (e.ABS_MT_POSITION_Y, y)]},
            name=name, bustype=e.BUS_USB, input_props=[e.INPUT_PROP_DIRECT], **identity)
        self.name, self.node, self.beat = name, self.device.device.path, beat
        self.fingers, self.landings = {}, 0

    def wait_until_read(self):
        for _ in range(300):
            if self.name in os.popen("touchgrid devices").read():
                return
            time.sleep(0.2)
        sys.exit(f"{sys.argv[0]}: the panel is not read")

    def show(self, fingers):
        """Sends a frame after which these fingers are down, each at its place."""
        changes = {slot: [(e.ABS_MT_TRACKING_ID, -1)] for slot in self.fingers if slot not in fingers}
        for slot, (x, y) in fingers.items():
            changes[slot] = []
            if slot not in self.fingers:
                self.landings += 1
                changes[slot] += [(e.ABS_MT_TRACKING_ID, self.landings & 0xffff), (e.ABS_MT_TOOL_TYPE, 0)]
            changes[slot] += [(e.ABS_MT_POSITION_X, x), (e.ABS_MT_POSITION_Y, y)]
        self.fingers = dict(fingers)
        self.send(changes)

    def palms(self):
        """Says that all fingers that are down are palms."""
        self.send({slot: [(e.ABS_MT_TOOL_TYPE, 2)] for slot in self.fingers})

    def send(self, changes):
        """Sends a frame: the axes of each slot that change."""
        events = []
        for slot, axes in changes.items():
            events += [(e.EV_ABS, e.ABS_MT_SLOT, slot), *((e.EV_ABS, code, value) for code, value in axes)]
        events.append((e.EV_KEY, e.BTN_TOUCH, int(bool(self.fingers))))
        # The single-touch axes of one finger, as the kernel's drivers send them.
        if self.fingers:
            x, y = self.fingers[min(self.fingers)]
            events += [(e.EV_ABS, e.ABS_X, x), (e.EV_ABS, e.ABS_Y, y)]
        events.append((e.EV_SYN, e.SYN_REPORT, 0))
        os.write(self.device.fd, b"".join(struct.pack("llHHi", 0, 0, *each) for each in events))
        time.sleep(self.beat)

    def close(self):
        self.device.close()


def obey(panel, verb, slot=0, x=0, y=0):
    if verb == "down":
        panel.show({**panel.fingers, slot: (x, y)})
    elif verb == "move":
        (x0, y0) = panel.fingers[slot]
        for step in range(1, 11):
            panel.show({**panel.fingers, slot: (x0 + (x - x0) * step // 10, y0 + (y - y0) * step // 10)})
    elif verb == "up":
        panel.show({each: place for each, place in panel.fingers.items() if each != slot})
    else:
        sys.exit(f"panel.py: what is {verb}?")


def main():
    pipe, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    # The screen has the size of a hand, regardless of its resolution.
    panel = Panel(sys.argv[4] if len(sys.argv) > 4 else "Guest panel", width, height)
    if not os.path.exists(pipe):
        os.mkfifo(pipe)
    # Open for reading and writing, so that there is no end of file when a writer closes the pipe.
    with os.fdopen(os.open(pipe, os.O_RDWR), buffering=1) as orders:
        for line in orders:
            verb, *numbers = line.split()
            if verb == "end":
                break
            obey(panel, verb, *map(int, numbers))
    panel.close()


if __name__ == "__main__":
    main()
