"""Ten fingers at 120 Hz, and the cost of following them."""

import math
import time

from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import processor_seconds, until

RATE = 120


def ten_fingers(panel, seconds, lead=1.0):
    """Returns ten fingers, each of which draws a circle every two seconds. All touch down and
    lift together."""
    def places(part):
        angle = math.pi * part
        return [(0.1 + 0.2 * (finger % 5) + 0.07 * math.cos(angle + finger),
                 0.3 + 0.4 * (finger // 5) + 0.11 * math.sin(angle + finger)) for finger in range(10)]

    fingers = Fingers(panel).wait(lead).down(panel, places(0))
    start = fingers.now
    for step in range(1, int(RATE * seconds)):
        fingers.now = start + step * 1_000_000 // RATE
        fingers.move(panel, places(step / RATE))
    return fingers.wait(1 / RATE).up(panel, 10)


def shares(daemon, overlay, seconds):
    """Returns the processor time that the overlay and the daemon use while ten fingers are down, in
    percent of one core. Ends this test's own watching, so that only the overlay watches."""
    daemon.unwatch()
    until(lambda: daemon.call("GetStatus")["touchesDown"] == 10, "ten fingers")
    pids, start = (overlay.pid, daemon.process.pid), time.monotonic()
    before = [processor_seconds(pid) for pid in pids]
    time.sleep(seconds)
    after, passed = [processor_seconds(pid) for pid in pids], time.monotonic() - start
    assert daemon.call("GetStatus")["touchesDown"] == 10, "the fingers have gone too early"
    return [100 * (late - early) / passed for early, late in zip(before, after)]
