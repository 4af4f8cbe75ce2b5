#!/usr/bin/env python3
"""Mirrors a touchscreen on a virtual one, "Mirror", as programs for handhelds do.

mirror.py NODE [grab]    grab: takes exclusive access to the touchscreen

Prints "ready" when it starts to mirror. When the touchscreen is removed, it prints the longest delay
of a touch-down. It ends with 75 (EX_TEMPFAIL) if this was too long to count as a duplicate.
"""
import os
import struct
import sys
import time

import evdev

# The same as EchoFilter.window, in seconds.
WINDOW = 0.05
EVENT = "llHHi"


def landings(data):
    """Yields the times of the frames that contain a touch-down."""
    landed = False
    for seconds, microseconds, kind, code, value in struct.iter_unpack(EVENT, data):
        if kind == evdev.ecodes.EV_SYN and code == evdev.ecodes.SYN_REPORT:
            if landed:
                yield seconds + microseconds / 1e6
            landed = False
        elif kind == evdev.ecodes.EV_ABS and code == evdev.ecodes.ABS_MT_TRACKING_ID:
            landed = landed or value >= 0


def main():
    real = evdev.InputDevice(sys.argv[1])
    twin = evdev.UInput.from_device(real, name="Mirror")
    if sys.argv[2:] == ["grab"]:
        real.grab()
    os.set_blocking(real.fd, True)
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    print("ready", flush=True)
    latest = 0
    while True:
        try:
            data = os.read(real.fd, 64 * struct.calcsize(EVENT))
        except OSError:
            break
        os.write(twin.fd, data)
        # The kernel has stamped the written events by now, so this is an upper bound of their
        # delay.
        latest = max([latest] + [time.time() - at for at in landings(data)])
    twin.close()
    if latest > WINDOW:
        print(f"late: a landing was repeated after {latest * 1000:.0f} ms", flush=True)
        sys.exit(os.EX_TEMPFAIL)
    print(f"repeated within {latest * 1000:.0f} ms", flush=True)


main()
