#!/usr/bin/python3
"""Finds the highest rate of frames of ten fingers at which the daemon loses no events. It runs in a
guest that counts instructions as time (1 GHz). The guest has one processor, and the player has
priority on it.

rate.py RESULT    needs touchgridd.service
"""

import json
import os
import sys

from panel import ask, daemon, panel, play, strokes

SECONDS = 5
RATES = [1000, 2000, 3000, 4000, 6000, 8000, 12000, 16000]


def main():
    device = panel()
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    rows = []
    for rate in RATES:
        daemon()
        frames = list(strokes(10, rate, SECONDS))
        try:
            play(device, frames, rate)
        except SystemExit:
            rows.append({"rate": rate, "drops": None})
            break
        drops = ask("GetStatus")["tally"]["drops"]
        rows.append({"rate": rate, "drops": drops})
        if drops:
            break
    with open(sys.argv[1], "w", encoding="ascii") as file:
        json.dump(rows, file, indent=1)


main()
