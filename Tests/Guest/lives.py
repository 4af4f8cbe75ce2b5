#!/usr/bin/python3
"""Starts daemons and kills them at random moments, again and again. Each has a store of its own; all
read the same panel.

lives.py FOLDER KILLS DAEMONS    FOLDER is made; waits for the panel of fingers.py

A run lasts 1 to 15 s. The lengths are spread evenly, so that there are both short and long runs.

Prints a line of JSON for each kill, with times on CLOCK_MONOTONIC in microseconds: the output of
books.py for the store, and the part of it that belongs to this run.
"""

import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import books


class Life:
    """One run of a daemon, from its start to its kill."""

    def __init__(self, folder, last=0):
        self.store = f"{folder}/touchgrid.db"
        self.folder = folder
        # The id of the last session of the previous run; 0 if there was none.
        self.last = last
        with open(f"{folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                ["touchgridd", "--config", f"{folder}/touchgridd.toml", "--store", self.store],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, user="nobody", group="nogroup",
                extra_groups=["input"])
        self.end = None

    def look(self):
        """Reads a copy of the store, so that the next daemon finds the files as the killed one
        left them."""
        look = f"{self.folder}/look"
        shutil.rmtree(look, ignore_errors=True)
        os.mkdir(look)
        for ending in ("", "-wal", "-journal"):
            if os.path.exists(self.store + ending):
                shutil.copy(self.store + ending, look)
        return books.look(f"{look}/touchgrid.db")

    def opened(self, node):
        for link in glob.glob(f"/proc/{self.process.pid}/fd/*"):
            try:
                if os.readlink(link) == node:
                    return True
            except OSError:
                pass
        return False

    def kill(self):
        at = time.monotonic()
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        found = self.look()
        last = found["last"]
        # Each run has a single session: only the kill ends it.
        own = last if last and last["id"] != self.last else None
        self.last = last["id"] if last else 0
        life = {"since": self.since, "killed": int(at * 1e6), "begun": 0, "counted": 0, "drops": 0,
                "open": True, "wrong": found["wrong"],
                "integrity": found["integrity"]}
        if own:
            # Sessions have wall-clock times. One offset converts them all, because this test never sets
            # the clock.
            shift = int((time.time() - time.monotonic()) * 1e6)
            life.update(since=own["began"] * 1000 - shift, begun=own["begun"] - own["preexisting"], counted=own["counted"],
                        drops=own["drops"], open=own["end_reason"] is None)
        return life


def panel():
    """Returns the node of the virtual touchscreen once it exists."""
    while True:
        for path in glob.glob("/sys/devices/virtual/input/input*/event*"):
            with open(f"{path}/../name", encoding="utf-8") as name:
                if name.read().strip() == "Ten fingers":
                    return "/dev/input/" + os.path.basename(path)
        time.sleep(0.05)


def main():
    base, kills, daemons = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.mkdir(base)
    lengths = [1 + 14 * (number + random.random()) / kills for number in range(kills)]
    random.shuffle(lengths)
    lives = []
    for number in range(min(daemons, kills)):
        folder = f"{base}/{number}"
        os.mkdir(folder)
        with open(f"{folder}/touchgridd.toml", "w", encoding="utf-8") as configuration:
            configuration.write(f'[socket]\npath = "{folder}/socket"\n')
        shutil.chown(folder, "nobody")
        lives.append(Life(folder))
    node = panel()
    while lives:
        time.sleep(0.02)
        now = time.monotonic()
        for life in list(lives):
            if life.process.poll() is not None:
                sys.exit(f"a daemon ended: see {life.folder}/log")
            if life.end is None and life.opened(node):
                life.since = int(time.monotonic() * 1e6)
                life.end = now + lengths.pop()
            elif life.end is not None and life.end <= now:
                print(json.dumps(life.kill()), flush=True)
                lives.remove(life)
                kills -= 1
                if kills > len(lives):
                    lives.append(Life(life.folder, life.last))


main()
