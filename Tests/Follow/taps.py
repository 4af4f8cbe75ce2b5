"""A finger that taps each block of a display once, the screens that were shown, and a check that
each tap was counted on the right screen."""

import contextlib
import csv
import io
import json
import socket
import subprocess
import threading
import time

COLUMNS, ROWS, BLOCK = 80, 50, 16
WIDTH, HEIGHT = COLUMNS * BLOCK, ROWS * BLOCK

HEAD = f"""# EVEMU 1.3
N: Tapped panel
I: 0006 1209 0001 0001
P: 02 00 00 00 00 00 00 00
B: 00 0b 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 04 00 00 00 00 00 00
B: 03 03 00 00 00 00 80 60 02
A: 00 0 {WIDTH - 1} 0 0 0
A: 01 0 {HEIGHT - 1} 0 0 0
A: 2f 0 9 0 0 0
A: 35 0 {WIDTH - 1} 0 0 0
A: 36 0 {HEIGHT - 1} 0 0 0
A: 39 0 65535 0 0 0
"""
PANEL = "Tapped panel"
# The time between two taps, and from touch-down to touch-up, in seconds.
PAUSE, TOUCH = 0.02, 0.01


def taps(seconds):
    """Returns the text of a recording in which a finger taps one block after another, for at most
    `seconds` and until each block has been tapped once. The first tap is after 1 s."""
    lines = [HEAD]

    def frame(at, *events):
        lines.extend(f"E: {at:.6f} {kind:04x} {code:04x} {value:04d}\n"
                     for kind, code, value in (*events, (0, 0, 0)))

    for number in range(min(int(seconds / PAUSE), COLUMNS * ROWS)):
        row, column = divmod(number, COLUMNS)
        x, y, at = column * BLOCK + 8, row * BLOCK + 8, 1 + number * PAUSE
        frame(at, (3, 0x39, number + 1), (3, 0x35, x), (3, 0x36, y), (1, 0x14A, 1), (3, 0, x), (3, 1, y))
        frame(at + TOUCH, (3, 0x39, -1), (1, 0x14A, 0))
    return "".join(lines)


class TouchDowns:
    """The time at which each block was tapped, according to the daemon's live touches, on
    CLOCK_MONOTONIC in microseconds."""

    def __init__(self, path):
        self.seen = {}
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(path)
        self.connection.sendall(json.dumps({"method": "io.touchgrid.WatchTouches", "more": True}).encode() + b"\0")
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        rest = b""
        with contextlib.suppress(OSError):
            while part := self.connection.recv(65536):
                *messages, rest = (rest + part).split(b"\0")
                for message in messages:
                    frame = json.loads(message).get("parameters", {})
                    for touch in frame.get("touches", []):
                        if touch["phase"] == "began":
                            block = touch["block"]
                            self.seen[block["row"] * COLUMNS + block["column"]] = frame["atUs"]

    def all(self, last):
        """Returns the times of the taps up to block `last`, including masked taps. The live
        touches lack those, so their times are computed from the regular pause between taps."""
        first, at = min(self.seen.items())
        return {block: self.seen.get(block, at + int((block - first) * PAUSE * 1_000_000))
                for block in range(first, last + 1)}

    def close(self):
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.connection.close()


def counted_screens(touchgrid, store):
    """Returns the screen on which the tap of each block was counted, by block."""
    text = subprocess.run(
        [touchgrid, "heatmap", "--layer", "taps", "-o", "-", "--format", "csv", "--store", store],
        check=True, capture_output=True, text=True).stdout
    screens = {}
    for row in csv.DictReader(io.StringIO(text)):
        if int(row["count"]):
            block = int(row["row"]) * COLUMNS + int(row["column"])
            assert row["count"] == "1" and block not in screens, row
            screens[block] = row["screen"]
    return screens


class Changes:
    """The screens that were shown. Each change happened between two known times, on
    CLOCK_MONOTONIC in microseconds."""

    def __init__(self):
        self.made = []

    def make(self, screen, body=lambda: None):
        before = time.monotonic_ns() // 1000
        body()
        self.made.append((before, time.monotonic_ns() // 1000, screen))

    def shown(self, at, window):
        """Returns the screens that may have been shown at a time, the newest first: two if a change
        happened at most `window` microseconds before it. Empty before the first change, and more
        than 0.5 s after the last."""
        past = [change for change in self.made if change[0] <= at]
        if not past or at > self.made[-1][1] + 500_000:
            return []
        before = [past[-2][2]] if at <= past[-1][1] + window and len(past) > 1 else []
        return [past[-1][2], *before]

    def judge(self, touch_downs, screens, window, masked=()):
        """Returns how many taps are on the screen that was shown, how many are on the previous one
        within the window, and the wrong ones. Skips taps at times without a known screen.

        A tap on a masked screen is right if it is on no screen."""
        right, near, wrong = 0, 0, []
        for block, at in touch_downs.items():
            shown = self.shown(at, window)
            told = screens.get(block)
            wanted = [None if screen in masked else screen for screen in shown]
            if not shown:
                continue
            if told == wanted[0]:
                right += 1
            elif told in wanted:
                near += 1
            else:
                wrong.append((block, at, told, shown))
        return right, near, wrong
