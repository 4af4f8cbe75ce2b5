"""A finger that taps each block of a display once, the screens that were shown, and a check that
each tap was counted on the right screen."""

import statistics
import time

from .daemon import panels
from .fingers import Fingers
from .report_store import from_csv

COLUMNS, ROWS, BLOCK = 80, 50, 16
WIDTH, HEIGHT = COLUMNS * BLOCK, ROWS * BLOCK
PANEL = "Tapped panel"
# The time between two taps, and from touch-down to touch-up, in seconds.
PAUSE, TOUCH = 0.02, 0.01
# If the machine is busy, names come late.
CONFIGURATION = '[session]\nlate_names = "1s"\n' + panels(
    {PANEL: {"name": "kiosk", "width": WIDTH, "height": HEIGHT}})
# How long after a browser or a desktop has told of a change a touch may still count on the screen
# before, in µs. Half of the changes must keep this.
WINDOW = 100_000


def taps():
    """Returns a finger that taps one block after another, until each has been tapped once."""
    fingers = Fingers(PANEL).wait(1)
    for number in range(COLUMNS * ROWS):
        row, column = divmod(number, COLUMNS)
        fingers.tap(PANEL, ((column + 0.5) / COLUMNS, (row + 0.5) / ROWS), TOUCH).wait(PAUSE - TOUCH)
    return fingers


def touch_downs(touches):
    """Returns the time of each tap by block, in µs, according to the live touches."""
    return {touch["block"]["row"] * COLUMNS + touch["block"]["column"]: at for at, touch in touches.began}


def with_masked(seen):
    """Returns the times of all taps between the first and the last that were seen. The live touches lack masked ones, so
    their times are computed from the regular pause between taps."""
    first, at = min(seen.items())
    return {block: seen.get(block, at + int((block - first) * PAUSE * 1_000_000)) for block in range(first, max(seen) + 1)}


def counted_screens(store):
    """Returns the screen on which the tap of each block was counted, by block."""
    screens = {}
    for (screen, *_), (counts, _) in from_csv(store, "taps").items():
        for block, count in enumerate(counts):
            if count:
                assert count == 1 and block not in screens, (screen, block, count)
                screens[block] = screen
    return screens


def now():
    return time.monotonic_ns() // 1000


class Changes:
    """The screens that were shown. Of each change are known: when it began, when the browser or the desktop told that it
    was over, and when the daemon knew it, in µs on CLOCK_MONOTONIC."""

    def __init__(self):
        self.made = []

    def make(self, screen, change=lambda: None, is_known=lambda: None):
        """Runs `change`, and `is_known`, which waits until the daemon knows the screen."""
        began = now()
        change()
        told = now()
        is_known()
        self.made.append((began, told, now(), screen))

    def judge(self, way, touch_downs, screens, masked=()):
        """Checks that each tap is on the screen that was shown. During a change that is the one before or the new one.
        However busy the machine is, a tap is on the former before the change began, and on the latter once the daemon
        knew it. The delay of a change is the time from when it was told to the last tap on the screen before.
        A tap on a masked screen is right if it is on no screen. Returns the number of taps that are right."""
        right, wrong, delays = 0, [], []
        for (_, _, begin, shown), (began, told, known, following) in zip(self.made, self.made[1:]):
            former, latter = (None if screen in masked else screen for screen in (shown, following))
            within = {block: at for block, at in touch_downs.items() if begin <= at < known}
            for block, at in within.items():
                if screens.get(block) == former or (at >= began and screens.get(block) == latter):
                    right += 1
                else:
                    wrong.append((block, at - began, screens.get(block), shown, following))
            delays.append(max((at - told for block, at in within.items() if screens.get(block) == former), default=0))
        delay = statistics.median(delays)
        print(f"{way}: {right} touches on their screen, {len(wrong)} wrong; half of {len(delays)} names within "
              f"{max(0, delay) / 1000:.0f} ms", flush=True)
        assert not wrong, f"{way}: blocks with µs since the change, counted screen, and screens before and after: {wrong}"
        assert delay < WINDOW, f"{way}: half of the changes are known after {delay} µs, not {WINDOW}"
        return right
