#!/usr/bin/python3
"""Types a PIN in a mask, and searches the memory of the process that reads the touchscreen for the
positions and times of the PIN's touches.

memory.py PID SOCKET KIND

KIND is one of the kinds below. In the daemon's configuration late_names must be 250ms, and
block_size must be 2, so that block numbers are large: memory often holds small numbers beside a 1.
slots, single, anonymous: how the panel numbers its contacts. The screen `pin` must be masked.
added: slots, and a client masks the screen.
resting: anonymous, and a finger lies where there is no mask.
rectangle: slots, and the finger slides into every key. The right half of the screen `pin` must be
masked.
paused: slots, and recording is paused.
fresh: slots, and there is no configuration yet, so everything is masked, and blocks have 16 points.

Before that, a finger touches down outside the masks. The search must find this touch, or it proves
nothing. Prints what it finds of the PIN and where, and exits with 1 if it finds anything except

- the raw numbers of the last position: the daemon needs them, because the kernel does not report
them again if the next finger touches the same place
- the time of the last touch-up, which the daemon keeps as the time of the session's last touch
"""

import fcntl
import random
import select
import struct
import subprocess
import sys
import time

from evdev import AbsInfo, InputDevice, UInput, ecodes as e

process, socket, case = int(sys.argv[1]), sys.argv[2], sys.argv[3]
kind = {"resting": "anonymous", "rectangle": "slots", "paused": "slots", "added": "slots",
        "fresh": "slots"}.get(case, case)
# The raw positions are so large that their bytes are unlikely to occur in memory by chance.
RANGE = 1 << 30
WIDTH, HEIGHT, BLOCK = 1024, 768, 2
DIGITS = 6


def panel():
    position = AbsInfo(0, 0, RANGE - 1, 0, 0, 0)
    axes = []
    if kind != "anonymous":
        axes += [(e.ABS_X, position), (e.ABS_Y, position)]
    if kind == "slots":
        axes += [(e.ABS_MT_SLOT, AbsInfo(0, 0, 9, 0, 0, 0)),
                 (e.ABS_MT_TRACKING_ID, AbsInfo(0, 0, 65535, 0, 0, 0))]
    if kind != "single":
        axes += [(e.ABS_MT_POSITION_X, position), (e.ABS_MT_POSITION_Y, position)]
    return UInput({e.EV_KEY: [e.BTN_TOUCH], e.EV_ABS: axes}, name=f"Memory {case}", bustype=e.BUS_USB,
                  input_props=[e.INPUT_PROP_DIRECT])


class Finger:
    def __init__(self, device):
        self.device, self.landings, self.rests = device, 0, None
        self.node = InputDevice(device.device.path)
        # EVIOCSCLOCKID: get event times on the clock that the daemon uses.
        fcntl.ioctl(self.node.fd, 0x400445a0, struct.pack("i", time.CLOCK_MONOTONIC))
        self.times = []

    def end(self):
        """Ends a frame and records its time."""
        self.device.syn()
        while True:
            if not select.select([self.node.fd], [], [], 5)[0]:
                sys.exit("memory.py: the panel's own events do not come back")
            for event in self.node.read():
                if (event.type, event.code) == (e.EV_SYN, e.SYN_REPORT):
                    self.times.append((event.sec, event.usec))
                    return

    def frame(self, place, is_new=False):
        write = self.device.write
        if self.rests:
            write(e.EV_ABS, e.ABS_MT_POSITION_X, self.rests[0])
            write(e.EV_ABS, e.ABS_MT_POSITION_Y, self.rests[1])
            write(e.EV_SYN, e.SYN_MT_REPORT, 0)
        if kind == "slots" and is_new:
            write(e.EV_ABS, e.ABS_MT_TRACKING_ID, self.landings)
        if kind != "single" and place:
            write(e.EV_ABS, e.ABS_MT_POSITION_X, place[0])
            write(e.EV_ABS, e.ABS_MT_POSITION_Y, place[1])
        if kind == "slots" and not place:
            write(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1)
        if kind == "anonymous" and (place or not self.rests):
            write(e.EV_SYN, e.SYN_MT_REPORT, 0)
        if kind != "anonymous" and place:
            write(e.EV_ABS, e.ABS_X, place[0])
            write(e.EV_ABS, e.ABS_Y, place[1])
        write(e.EV_KEY, e.BTN_TOUCH, 1 if place or self.rests else 0)
        self.end()
        time.sleep(0.03)

    def down(self, place):
        self.landings += 1
        self.frame(place, is_new=True)

    def tap(self, places):
        self.down(places[0])
        for place in places[1:]:
            self.frame(place)
        self.frame(None)


def patterns(what):
    """Returns the byte patterns that would reveal a place or a time, by name."""
    kind_of, place = what
    if kind_of == "time":
        return {"time": struct.pack("<q", place[0] * 1_000_000 + place[1]), "timeval": struct.pack("<qq", *place)}
    found = {}
    for name, raw, size in (("x", place[0], WIDTH), ("y", place[1], HEIGHT)):
        share = raw / RANGE
        found[f"raw {name}"] = struct.pack("<i", raw)
        found[f"point {name}"] = struct.pack("<d", share * size)
        found[f"text {name}"] = str(raw).encode()
    if case == "fresh":
        # The numbers of large blocks are small, so they are often in memory beside a 1.
        return found
    column, row = (int(place[0] / RANGE * WIDTH) // BLOCK, int(place[1] / RANGE * HEIGHT) // BLOCK)
    block = row * (WIDTH // BLOCK) + column
    found["stay"], found["visit"] = struct.pack("<i", block), struct.pack("<qq", block, 1)
    return found


def memory():
    """Yields the writable mappings of the process: start address, name and content."""
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as bytes_of:
        for line in maps:
            span, rights, *rest = line.split(None, 5)
            name = rest[3].strip() if len(rest) > 3 else ""
            if "w" not in rights or name.startswith("[vv"):
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            try:
                bytes_of.seek(start)
                held = bytes_of.read(end - start)
            except OSError:
                continue
            yield start, name or "heap of its own", held


def at(places):
    return [("place", place) for place in places]


def when(times):
    return [("time", each) for each in times]


def is_record(name, held, place):
    """Whether a match of a block's pattern is the daemon's record of a stay or of visits, in which the
    milliseconds of contact follow. Other patterns need no more."""
    if name not in ("stay", "visit"):
        return True
    size, at_ms = (4, place + 4) if name == "stay" else (8, place + 16)
    return place % 8 == 0 and int.from_bytes(held[at_ms:at_ms + size], "little") < 10_000


def search(things):
    """Returns a line for each pattern of these places and times that is found, and where."""
    pages, names = [], []
    for start, mapping, held in memory():
        for offset in range(0, len(held), 4096):
            page = held[offset:offset + 4096]
            if page.count(0) < len(page):
                pages.append(page)
                names.append(f"{start + offset:#x} {mapping}")
    whole = b"".join(pages)
    lines = []
    for number, thing in enumerate(things):
        for name, pattern in patterns(thing).items():
            found = whole.find(pattern)
            while found >= 0:
                if is_record(name, whole, found):
                    lines.append(f"{name} of {number}: {names[found // 4096]}+{found % 4096:#x}")
                found = whole.find(pattern, found + 1)
    return lines


def show(screen):
    subprocess.run(["touchgrid", "set-screen", screen, "--socket", socket], check=True)


def some_places(count, left=1 << 24):
    """Returns random places whose patterns are not in memory already."""
    while True:
        places = [(random.randrange(left, RANGE), random.randrange(1 << 24, RANGE)) for _ in range(count)]
        if not search(at(places)):
            return places


device = panel()
for attempt in range(100):
    listed = subprocess.run(["touchgrid", "devices", "--socket", socket], capture_output=True, text=True)
    if f"Memory {case}" in listed.stdout:
        break
    time.sleep(0.2)
else:
    sys.exit(f"memory.py: the panel is not read: {listed}")
finger = Finger(device)
control, beside, rest = some_places(3)
show("menu")
finger.down(control)
# The stay in a block is kept once the finger has left it.
finger.frame(beside)
seen = {line.split(" of ")[0] for line in search(at([control]) + when(finger.times))}
finger.frame(None)
print("found while it is down:", ", ".join(sorted(seen)))
if case == "resting":
    finger.frame(rest)
    finger.rests = rest
if case == "added":
    subprocess.run(["touchgrid", "mask", "add", "pin", "--socket", socket], check=True)
show("pin")
if case == "paused":
    pause = subprocess.Popen(["touchgrid", "pause", "--socket", socket], stdout=subprocess.PIPE, text=True)
    print(pause.stdout.readline().strip())
time.sleep(0.5)


def digits(count):
    places = some_places(3 * count, RANGE // 2 + (1 << 24))
    return [places[3 * digit:3 * digit + 3] for digit in range(count)]


def press(digit):
    finger.tap(([(1 << 25, 1 << 25)] if case == "rectangle" else []) + digit)


# Type one digit as a rehearsal. The numbers that it leaves in memory are then there before `digits`
# chooses the PIN's places, which must not be in memory already.
for places in digits(1):
    press(places)
time.sleep(1.5)
pin = digits(DIGITS)
finger.times = []
for places in pin:
    press(places)
    time.sleep(0.05)
time.sleep(1.5)
*others, last = [place for digit in pin for place in digit]
left = search(at(others) + when(finger.times[:-1]))
left += [line for line in search(at([last])) if line.split(" of ")[0] not in ("raw x", "raw y")]
print("\n".join(["left:"] + left))
print("left of the last position:", ", ".join(search(at([last]))))
print("left of the last time:", ", ".join(search(when(finger.times[-1:]))))
if case == "paused":
    pause.terminate()
    pause.wait()
device.close()
wanted = {"raw x", "point x", "time"} | (set() if case == "fresh" else {"stay"})
sys.exit(0 if wanted <= seen and not left else 1)
