#!/usr/bin/python3
"""Prints when a process wakes up, as every user can see it: a line with each time in ms, to 1 ms.

wakes.py PID SECONDS
"""

import sys
import time


def wakes(process):
    with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
        return next(line for line in file if line.startswith("voluntary_ctxt_switches"))


process, end = sys.argv[1], time.monotonic() + float(sys.argv[2])
before = wakes(process)
while time.monotonic() < end:
    time.sleep(0.0005)
    now = wakes(process)
    if now != before:
        print(round(1000 * time.monotonic()))
    before = now
