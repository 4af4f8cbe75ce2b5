#!/usr/bin/python3
"""A virtual touchscreen that follows commands from a named pipe.

panel.py PIPE WIDTH HEIGHT [NAME]

    down SLOT X Y     a touch-down; X and Y are in the panel's units, 0 to WIDTH - 1 and HEIGHT - 1
    move SLOT X Y     a move to this place, in ten frames
    up SLOT           a touch-up
    end               the panel is unplugged, even with fingers down

Each command takes one frame or ten, 10 ms apart. The writer to the pipe need not wait.
"""

import os
import sys
import time

from evdev import AbsInfo, UInput, ecodes as e

pipe, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SLOTS = 10


def axis(maximum):
    # 4 units per mm: the screen has the size of a hand, regardless of its resolution.
    return AbsInfo(value=0, min=0, max=maximum, fuzz=0, flat=0, resolution=4)


panel = UInput(
    {
        e.EV_KEY: [e.BTN_TOUCH],
        e.EV_ABS: [
            (e.ABS_X, axis(width - 1)), (e.ABS_Y, axis(height - 1)),
            (e.ABS_MT_SLOT, AbsInfo(0, 0, SLOTS - 1, 0, 0, 0)),
            (e.ABS_MT_TRACKING_ID, AbsInfo(0, 0, 65535, 0, 0, 0)),
            (e.ABS_MT_POSITION_X, axis(width - 1)), (e.ABS_MT_POSITION_Y, axis(height - 1)),
        ],
    },
    name=sys.argv[4] if len(sys.argv) > 4 else "Guest panel", bustype=e.BUS_USB,
    input_props=[e.INPUT_PROP_DIRECT])
fingers = {}
landings = 0


def frame(slot, *events):
    panel.write(e.EV_ABS, e.ABS_MT_SLOT, slot)
    for code, value in events:
        panel.write(e.EV_ABS, code, value)
    panel.write(e.EV_KEY, e.BTN_TOUCH, 1 if fingers else 0)
    # Also send the single-touch axes of one finger, as the kernel's drivers do.
    if fingers:
        x, y = fingers[min(fingers)]
        panel.write(e.EV_ABS, e.ABS_X, x)
        panel.write(e.EV_ABS, e.ABS_Y, y)
    panel.syn()
    time.sleep(0.01)


def obey(verb, slot=0, x=0, y=0):
    global landings
    if verb == "down":
        landings += 1
        fingers[slot] = (x, y)
        frame(slot, (e.ABS_MT_TRACKING_ID, landings), (e.ABS_MT_POSITION_X, x),
              (e.ABS_MT_POSITION_Y, y))
    elif verb == "move":
        (x0, y0) = fingers[slot]
        for step in range(1, 11):
            here = (x0 + (x - x0) * step // 10, y0 + (y - y0) * step // 10)
            fingers[slot] = here
            frame(slot, (e.ABS_MT_POSITION_X, here[0]), (e.ABS_MT_POSITION_Y, here[1]))
    elif verb == "up":
        del fingers[slot]
        frame(slot, (e.ABS_MT_TRACKING_ID, -1))
    else:
        sys.exit(f"panel.py: what is {verb}?")


if not os.path.exists(pipe):
    os.mkfifo(pipe)
# Open for reading and writing, so that there is no end of file when a writer closes the pipe.
with os.fdopen(os.open(pipe, os.O_RDWR), buffering=1) as orders:
    for line in orders:
        verb, *numbers = line.split()
        if verb == "end":
            break
        obey(verb, *map(int, numbers))
panel.close()
