#!/usr/bin/python3
"""Measures how much an hour of use writes to disk, in a guest that skips idle time.

hour.py RESULT [--minutes M]    needs touchgridd.service; M: 60

An hour of use is 200 touches a minute on ten screens, in sessions of two minutes. Other programs write to the disk too,
so an idle hour is measured first, for comparison.
"""

import argparse
import json
import os
import random
import struct
import subprocess
import time

from evdev import ecodes as e

from panel import HEIGHT, WIDTH, ask, daemon, panel, text

TOUCHES, SCREENS = 200, 10
# How long each screen and each session lasts, in seconds.
SCREEN, SESSION = 6, 120
RATE = 120


def written(process):
    """Returns how much has been written, in KiB: by the process, and to the whole disk that holds
    the store."""
    own = dict(line.split(": ") for line in text(f"/proc/{process}/io").splitlines())
    device = os.stat("/var/lib/touchgrid").st_dev
    disk = text(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat").split()
    return int(own["write_bytes"]) // 1024, int(disk[6]) // 2


def touch(device, number, dice):
    """Plays a tap or, for every third number, a swipe. Most touches begin near one of eight
    buttons."""
    button = dice.randrange(8)
    x, y = dice.gauss(200 + 200 * button, 25), dice.gauss(250 + 90 * button, 25)
    step = dice.choice([-9, 9]) if number % 3 == 0 else 0
    frames = 30 if step else 12

    def say(*events):
        device_events = [*events, (e.EV_SYN, e.SYN_REPORT, 0)]
        os.write(device.fd, b"".join(struct.pack("llHHi", 0, 0, *event) for event in device_events))

    def at(value, end):
        return min(max(int(value), 0), end - 1)

    for frame in range(frames):
        first = [(e.EV_ABS, e.ABS_MT_TRACKING_ID, number), (e.EV_KEY, e.BTN_TOUCH, 1)] if frame == 0 else []
        say((e.EV_ABS, e.ABS_MT_SLOT, 0), *first, (e.EV_ABS, e.ABS_MT_POSITION_X, at(x, WIDTH)),
            (e.EV_ABS, e.ABS_MT_POSITION_Y, at(y, HEIGHT)), (e.EV_ABS, e.ABS_MT_PRESSURE, 1 + frame % 250))
        y += step
        time.sleep(1 / RATE)
    say((e.EV_ABS, e.ABS_MT_TRACKING_ID, -1), (e.EV_KEY, e.BTN_TOUCH, 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("result")
    parser.add_argument("--minutes", type=int, default=60)
    options = parser.parse_args()
    device = panel()
    time.sleep(2)
    process = daemon()
    dice = random.Random(1)
    subprocess.run(["sync"], check=True)
    idle = written(process)
    time.sleep(60 * options.minutes)
    subprocess.run(["sync"], check=True)
    before = written(process)
    begun = time.monotonic()
    screens = sessions = 0
    for number in range(options.minutes * TOUCHES):
        pause = begun + number * 60 / TOUCHES - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        passed = time.monotonic() - begun
        if passed >= screens * SCREEN:
            ask("SetScreen", name=f"screen {dice.randrange(SCREENS)}")
            screens += 1
        if passed >= (sessions + 1) * SESSION:
            ask("EndSession")
            sessions += 1
        touch(device, number, dice)
    # Wait for the last checkpoint.
    time.sleep(6)
    subprocess.run(["sync"], check=True)
    own, disk = (now - then for now, then in zip(written(process), before))
    count = len(ask("ListSessions")["sessions"])
    # Stop the service, so that SQLite copies the WAL into the database.
    subprocess.run(["systemctl", "stop", "touchgridd.socket", "touchgridd.service"], check=True)
    used = os.stat("/var/lib/touchgrid/touchgrid.db").st_size
    with open(options.result, "w", encoding="ascii") as file:
        json.dump({
            "minutes": options.minutes, "touches": options.minutes * TOUCHES, "own_KiB": own, "disk_KiB": disk,
            "idle_own_KiB": before[0] - idle[0], "idle_disk_KiB": before[1] - idle[1],
            "sessions": count, "store_KiB": used // 1024}, file, indent=1)


main()
