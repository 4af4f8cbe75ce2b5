#!/usr/bin/python3
"""Measures what a frame of touches costs each reader of a panel, in a guest whose clock counts instructions.

frames.py RESULT [--seconds S] [--beside READER...] [--plays N] [--watched]    needs touchgridd.service

All readers have the same virtual panel open: touchgridd and the READERs (default: all). Three plays follow each other, or
the first N of them: strokes of one finger, of ten fingers, and of ten fingers at 1000 frames a second, each for S seconds
(default 30); with --watched while `touchgrid watch` runs. The program `floor`, and readers for which the guest has no
package, must be beside this file. RESULT gets as JSON, for each reader, the instructions and wake-ups per frame and the
memory, and for touchgridd the system calls per frame. Instructions include those of all threads and of the kernel.
"""

import argparse
import collections
import json
import os
import re
import signal
import subprocess
import sys
import time

from panel import HEIGHT, WIDTH, daemon, panel, play, strokes, text

PLAYS = [(1, 120), (10, 120), (10, 1000)]
HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "import evdev, sys\nfor event in evdev.InputDevice(sys.argv[1]).read_loop(): pass"


def tasks(process):
    return [f"/proc/{process}/task/{task}" for task in os.listdir(f"/proc/{process}/task")]


def instructions(process):
    """Returns the CPU time, in ns, of the first thread and of the other threads. In this guest
    one nanosecond is one instruction."""
    own = {task: int(text(task + "/schedstat").split()[0]) for task in tasks(process)}
    first = own.pop(f"/proc/{process}/task/{process}")
    return first, sum(own.values())


def wake_ups(process):
    return sum(
        int(line.split()[1]) for task in tasks(process) for line in text(task + "/status").splitlines()
        if line.startswith("voluntary_ctxt_switches"))


def memory(process):
    """Returns the resident, private and dirty memory of the process, in KiB."""
    found = dict(line.split(":") for line in text(f"/proc/{process}/smaps_rollup").splitlines()[1:])
    numbers = {name: int(value.split()[0]) for name, value in found.items()}
    return {"resident": numbers["Rss"], "private": numbers["Private_Dirty"] + numbers["Private_Clean"],
            "dirty": numbers["Private_Dirty"]}


def calls(process, work):
    """Does `work`, which returns the number of frames played, and returns how often the process
    made each system call per frame."""
    out = "/run/frames.strace"
    tracer = subprocess.Popen(["strace", "-f", "-qq", "-p", str(process), "-o", out])
    time.sleep(1)
    count = work()
    tracer.terminate()
    tracer.wait()
    # strace continues an interrupted call on a line of its own, which this pattern skips.
    found = (re.match(r"\d+ +(\w+)\(", line) for line in text(out).splitlines())
    names = collections.Counter(match[1] for match in found if match)
    return {name: round(number / count, 3) for name, number in names.most_common()}


def start(node, names):
    """Returns the process of the daemon and of each reader in `names` (all readers if empty), by
    name."""
    commands = {
        "floor": [HERE + "/floor", node], "floor with mask": [HERE + "/floor", "--mask", node],
        "floor in batches": [HERE + "/floor", "--batch", "25", node],
        "libinput": ["libinput", "debug-events", "--device", node], "evtest": ["evtest", node],
        "python3-evdev": ["python3", "-c", PYTHON, node],
    }
    if os.path.exists(HERE + "/lisgd"):
        # lisgd runs with one gesture that does nothing, instead of its built-in ones.
        commands["lisgd"] = [
            "env", f"LD_LIBRARY_PATH={HERE}/libraries", HERE + "/lisgd", "-d", node, "-w", str(WIDTH), "-h", str(HEIGHT),
            "-g", "9,LR,*,*,R,true"]
    null = subprocess.DEVNULL
    processes = {
        name: subprocess.Popen(commands[name], stdout=null) for name in names or commands}
    readers = {"touchgridd": daemon()}
    readers.update({name: process.pid for name, process in processes.items()})
    time.sleep(3)
    for name, process in processes.items():
        if process.poll() is not None:
            sys.exit(f"frames: {name} does not run")
    return readers


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("result")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--beside", nargs="+", metavar="READER")
    parser.add_argument("--plays", type=int, default=len(PLAYS))
    parser.add_argument("--watched", action="store_true")
    options = parser.parse_args()
    device = panel()
    time.sleep(2)
    readers = start(device.device.path, options.beside)
    watcher = options.watched and subprocess.Popen(["touchgrid", "watch"], stdout=subprocess.DEVNULL)
    result = {"plays": []}
    for fingers, rate in PLAYS[: options.plays]:
        # Play once before measuring, so that one-time work is not counted.
        play(device, strokes(fingers, rate, 6), rate)
        before = {name: (instructions(pid), wake_ups(pid)) for name, pid in readers.items()}
        count = play(device, strokes(fingers, rate, options.seconds), rate)
        found = {}
        for name, pid in readers.items():
            first, others = ((now - then) / count for now, then in zip(instructions(pid), before[name][0]))
            found[name] = {
                "instructions": round(first + others), "other_threads": round(others),
                "wake_ups": round((wake_ups(pid) - before[name][1]) / count, 3), "memory": memory(pid)}
        result["plays"].append({"fingers": fingers, "rate": rate, "frames": count, "readers": found})
    result["calls"] = calls(
        readers["touchgridd"], lambda: play(device, strokes(1, 120, 5), 120))
    status = subprocess.run(
        ["touchgrid", "status", "--json"], check=True, capture_output=True, text=True)
    result["status"] = json.loads(status.stdout)
    with open(options.result, "w", encoding="ascii") as file:
        json.dump(result, file, indent=1)
    for name in readers.keys() - {"touchgridd"}:
        os.kill(readers[name], signal.SIGKILL)
    if watcher:
        watcher.kill()


main()
