#!/usr/bin/python3
"""Measures how late a client receives a frame, in a guest whose clock counts instructions.

latency.py RESULT [--others N]    needs touchgridd.service, and the program `latency` beside this file

The delay counts from the kernel's timestamp of the frame. It is measured with one client, and with N (16) others that
watch too.
"""

import argparse
import json
import os
import subprocess
import sys
import time

from panel import SOCKET, daemon, panel, play, strokes

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 20
SHARES = {"half": 0.5, "99 %": 0.99, "99.9 %": 0.999}


def watch(device, watchers, fingers):
    """Returns the delays of all frames at all watchers, in milliseconds, sorted."""
    # Make the frames beforehand, because the guest has only one processor.
    frames = list(strokes(fingers, 120, SECONDS))
    processes = [
        subprocess.Popen([f"{HERE}/latency", SOCKET, str(SECONDS + 4)], stdout=subprocess.PIPE, text=True)
        for _ in range(watchers)]
    time.sleep(1)
    count = play(device, frames, 120)
    found = []
    for process in processes:
        late = [int(line) / 1e6 for line in process.communicate()[0].split()]
        if process.returncode or len(late) != count:
            sys.exit(f"latency: {len(late)} of {count} frames came")
        found += late
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("result")
    parser.add_argument("--others", type=int, default=16)
    options = parser.parse_args()
    device = panel()
    time.sleep(2)
    daemon()
    rows = []
    for fingers in (1, 10):
        for others in (0, options.others):
            late = watch(device, 1 + others, fingers)
            rows.append({"fingers": fingers, "others": others, "milliseconds": {
                name: round(late[min(len(late) - 1, int(share * len(late)))], 3)
                for name, share in SHARES.items()}})
    with open(options.result, "w", encoding="ascii") as file:
        json.dump(rows, file, indent=1)


main()
