#!/usr/bin/python3
"""What a frame of touches costs whoever reads the panel: counted in a guest whose clock counts instructions.

frames.py RESULT [--seconds S] [--beside READER...] [--plays N]    needs touchgridd.service

All readers have the same virtual panel open at once, and the same is played to them: strokes of one finger, of ten, and
of ten at 1000 frames a second; the first N of these. The floors need their program beside this file. Of each reader RESULT has instructions, wake-ups and system calls a frame, all of its
threads and the kernel's part included, and its memory, as JSON.
"""

import argparse
import collections
import json
import os
import signal
import struct
import subprocess
import sys
import time

from evdev import AbsInfo, UInput, ecodes as e

SLOTS = 10
# Full HD, of ten inches.
WIDTH, HEIGHT = 1920, 1080
PLAYS = [(1, 120), (10, 120), (10, 1000)]
# Of a stroke and the pause after it, in seconds.
STROKE, PAUSE = 0.9, 0.1
HERE = os.path.dirname(os.path.abspath(__file__))
TRACING = "/sys/kernel/tracing"
PYTHON = "import evdev, sys\nfor event in evdev.InputDevice(sys.argv[1]).read_loop(): pass"


def axis(largest):
    return AbsInfo(value=0, min=0, max=largest, fuzz=0, flat=0, resolution=10)


def panel():
    """One that also reports pressure and the position of its first finger, as most do."""
    return UInput(
        {
            e.EV_KEY: [e.BTN_TOUCH],
            e.EV_ABS: [
                (e.ABS_X, axis(WIDTH - 1)), (e.ABS_Y, axis(HEIGHT - 1)),
                (e.ABS_MT_SLOT, axis(SLOTS - 1)), (e.ABS_MT_TRACKING_ID, axis(65535)),
                (e.ABS_MT_POSITION_X, axis(WIDTH - 1)), (e.ABS_MT_POSITION_Y, axis(HEIGHT - 1)),
                (e.ABS_MT_PRESSURE, axis(255)),
            ],
        },
        name="Counted panel", bustype=e.BUS_USB, vendor=0x1209, product=1,
        input_props=[e.INPUT_PROP_DIRECT])


def strokes(fingers, rate, seconds):
    """The bytes of each frame."""
    length, down = round((STROKE + PAUSE) * rate), round(STROKE * rate)
    for number in range(round(seconds * rate)):
        phase = number % length
        events = []

        def say(code, value, kind=e.EV_ABS):
            events.append(struct.pack("llHHi", 0, 0, kind, code, value))

        for finger in range(fingers):
            say(e.ABS_MT_SLOT, finger)
            if phase == 0:
                say(e.ABS_MT_TRACKING_ID, number + finger)
            elif phase == down:
                say(e.ABS_MT_TRACKING_ID, -1)
            if phase < down:
                say(e.ABS_MT_POSITION_X, (number * 7 + finger * 190) % WIDTH)
                say(e.ABS_MT_POSITION_Y, (number * 5 + finger * 100) % HEIGHT)
                say(e.ABS_MT_PRESSURE, 1 + (number + finger) % 255)
        if phase in (0, down):
            say(e.BTN_TOUCH, int(phase == 0), e.EV_KEY)
        if phase <= down:
            if phase < down:
                say(e.ABS_X, number * 7 % WIDTH)
                say(e.ABS_Y, number * 5 % HEIGHT)
            say(e.SYN_REPORT, 0, e.EV_SYN)
        yield b"".join(events) if phase <= down else b""


def play(device, frames, rate):
    """Returns how many frames there were; fails where they came late."""
    count = 0
    begun = time.monotonic()
    for number, frame in enumerate(frames):
        pause = begun + number / rate - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        if frame:
            os.write(device.fd, frame)
            count += 1
    late = time.monotonic() - begun - (number + 1) / rate
    if late > 0.05:
        sys.exit(f"frames: {late:.3f} s late")
    # What the last lift brings about belongs to it.
    time.sleep(1)
    return count


def tasks(process):
    return [f"/proc/{process}/task/{task}" for task in os.listdir(f"/proc/{process}/task")]


def text(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def instructions(process):
    """Of the first thread, and of the others. A nanosecond of this guest's time is an instruction."""
    own = {task: int(text(task + "/schedstat").split()[0]) for task in tasks(process)}
    first = own.pop(f"/proc/{process}/task/{process}")
    return first, sum(own.values())


def wake_ups(process):
    return sum(
        int(line.split()[1]) for task in tasks(process) for line in text(task + "/status").splitlines()
        if line.startswith("voluntary_ctxt_switches"))


def memory(process):
    """In KiB."""
    found = dict(line.split(":") for line in text(f"/proc/{process}/smaps_rollup").splitlines()[1:])
    numbers = {name: int(value.split()[0]) for name, value in found.items()}
    return {"resident": numbers["Rss"], "private": numbers["Private_Dirty"] + numbers["Private_Clean"],
            "dirty": numbers["Private_Dirty"]}


def calls(process, work):
    """How often each system call was made while something was done."""
    out = "/run/frames.strace"
    tracer = subprocess.Popen(["strace", "-f", "-qq", "-p", str(process), "-o", out])
    time.sleep(1)
    count = work()
    tracer.terminate()
    tracer.wait()
    names = collections.Counter(
        line.split()[1].split("(")[0] for line in text(out).splitlines() if "(" in line)
    return {name: round(number / count, 3) for name, number in names.most_common(8)}


def daemon():
    subprocess.run(["systemctl", "restart", "touchgridd.service"], check=True)
    found = subprocess.run(
        ["systemctl", "show", "--property=MainPID", "--value", "touchgridd.service"], check=True,
        capture_output=True, text=True)
    return int(found.stdout)


def start(node, names):
    """The processes of the daemon and of readers of these names, all for none, by name."""
    commands = {
        "floor": [HERE + "/floor", node], "floor with mask": [HERE + "/floor", "--mask", node],
        "libinput": ["libinput", "debug-events", "--device", node], "evtest": ["evtest", node],
        "python3-evdev": ["python3", "-c", PYTHON, node],
    }
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
    options = parser.parse_args()
    device = panel()
    time.sleep(2)
    readers = start(device.device.path, options.beside)
    result = {"plays": []}
    for fingers, rate in PLAYS[: options.plays]:
        # What is done once only is not a frame's.
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


main()
