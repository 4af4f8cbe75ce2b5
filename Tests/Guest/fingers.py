#!/usr/bin/python3
"""Draws with ten fingers on a virtual touchscreen and keeps an account of them. On /host it survives a power cut.

fingers.py ACCOUNT [--seconds S] [--rate HZ]

Waits until a daemon has opened the panel. Then draws for S seconds or until SIGTERM, and lifts all
fingers. ACCOUNT immediately gets a line for each frame: the time after the frame was written, on CLOCK_MONOTONIC in
microseconds, and the touch-downs and touch-ups so far. At the end it prints as JSON how punctual it was.
"""

import argparse
import glob
import json
import os
import signal
import struct
import time

from evdev import ecodes as e
from panel import Panel

FINGERS = 10
WIDTH, HEIGHT = 1024, 768
# The length of a stroke with its pause, and of the stroke alone, in seconds. Each finger touches
# down three times a second.
CYCLE, DOWN = 0.333, 0.233


def event(kind, code, value):
    return struct.pack("llHHi", 0, 0, kind, code, value)


def strokes(rate):
    """Returns the frames of eight cycles, to be repeated. Each has its bytes, and the fingers that
    touch down and lift in it."""
    length, down = round(CYCLE * rate), round(DOWN * rate)
    frames = []
    for row in range(8):
        for number in range(length):
            data, landings, lifts = b"", [], []
            for finger in range(FINGERS):
                phase = (number + finger * length // FINGERS) % length
                if phase > down:
                    continue
                data += event(e.EV_ABS, e.ABS_MT_SLOT, finger)
                if phase == down:
                    data += event(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1)
                    lifts.append(finger)
                    continue
                if phase == 0:
                    data += event(e.EV_ABS, e.ABS_MT_TRACKING_ID, finger + 1)
                    landings.append(finger)
                data += event(e.EV_ABS, e.ABS_MT_POSITION_X, finger * 100 + phase * 3)
                data += event(e.EV_ABS, e.ABS_MT_POSITION_Y, row * 90 + phase * 4)
            data += event(e.EV_KEY, e.BTN_TOUCH, 1) + event(e.EV_SYN, e.SYN_REPORT, 0)
            frames.append((data, landings, lifts))
    return frames


def is_read(node):
    """Returns whether a daemon has the node open."""
    for link in glob.glob("/proc/[0-9]*/fd/*"):
        try:
            if os.readlink(link) == node:
                with open(f"/proc/{link.split('/')[2]}/comm", encoding="ascii") as name:
                    if name.read().strip() == "touchgridd":
                        return True
        except OSError:
            pass
    return False


def be_punctual():
    """Gives this process real-time priority: emulation is slow enough without other processes
    ahead of it."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))


def draw(device, account, rate, seconds):
    """Draws until SIGTERM or the end. A late frame delays all later ones, because a burst would
    be faster than any finger."""
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(1))
    frames = strokes(rate)
    landed = lifted = number = longest = 0
    down = set()
    begun = last = due = time.monotonic()
    while not stopped and (seconds is None or due - begun < seconds):
        data, landings, lifts = frames[number % len(frames)]
        os.write(device.fd, data)
        now = time.monotonic()
        landed += len(landings)
        # The first cycle lifts some fingers that are not down; the kernel ignores that.
        lifted += len(down.intersection(lifts))
        down = down.difference(lifts).union(landings)
        longest = max(longest, now - last)
        last = now
        os.write(account, b"%d %d %d\n" % (now * 1e6, landed, lifted))
        number += 1
        due += 1 / rate
        pause = due - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        else:
            due -= pause
    for finger in range(FINGERS):
        os.write(device.fd, event(e.EV_ABS, e.ABS_MT_SLOT, finger)
                 + event(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1))
    os.write(device.fd, event(e.EV_KEY, e.BTN_TOUCH, 0) + event(e.EV_SYN, e.SYN_REPORT, 0))
    now = time.monotonic()
    os.write(account, b"%d %d %d\n" % (now * 1e6, landed, landed))
    return {"landed": landed, "frames": number, "seconds": round(now - begun, 3),
            "rate": round(number / max(now - begun, 1e-9), 1), "longest_ms": round(longest * 1000)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("account")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--rate", type=float, default=60)
    options = parser.parse_args()
    panel = Panel("Ten fingers", WIDTH, HEIGHT)
    account = os.open(options.account, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    while not is_read(panel.node):
        time.sleep(0.05)
    # Leave the readers time to query the panel's state.
    time.sleep(0.5)
    be_punctual()
    print(json.dumps(draw(panel.device, account, options.rate, options.seconds)), flush=True)
    # When a device is removed, its readers lose the events that they have not read.
    time.sleep(1)
    panel.close()


main()
