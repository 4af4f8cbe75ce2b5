"""Each frame of an X11 film shows each finger exactly once. When a compositing manager is killed,
no bubbles stay behind."""

import math
import signal

import numpy

from case import DesktopCase
from pictures import changed, extent
from touchgrid_test.waiting import until
from xvfb import Xvfb

SECONDS = 2.5
BANDS = 3


class Films(DesktopCase):
    def desk(self):
        return Xvfb(self.person)

    def moving(self):
        """Returns fingers that move to and fro, each in its own horizontal band of the picture."""
        def places(part):
            return [(0.5 + 0.4 * math.sin(3 * part + finger), (finger + 0.5) / BANDS) for finger in range(BANDS)]

        fingers = self.fingers(lead=0.5).down(self.panel, places(0))
        for step in range(1, 60 * 120):
            fingers.wait(1 / 120).move(self.panel, places(step / 120))
        return fingers

    def film(self):
        """Returns the picture without fingers, and a film with moving fingers."""
        self.desktop.window()
        (before,) = self.desktop.settled()
        daemon = self.daemon()
        overlay = self.desktop.overlay(daemon)
        daemon.play(self.moving())
        overlay.is_ready()
        until(lambda: changed(before, self.desktop.picture()).any(), "bubbles")
        return before, self.desktop.film(SECONDS)

    def wrong(self, before, frames, least=42):
        """Returns the number of frames that do not show exactly one bubble in each band, and the
        number of frames in which something moves. The sides of a bubble's bounding box must have
        `least` to 46 pixels."""
        most, wrong, last, moves = 46, 0, None, 0
        for number, frame in enumerate(frames):
            different = changed(before, frame)
            boxes = []
            for band in numpy.split(different, BANDS):
                left, top, right, bottom = extent(band) or (0, 0, 0, 0)
                boxes.append((left, top, right - left, bottom - top))
            moves += last is not None and boxes != last
            last = boxes
            if not all(least <= side <= most for box in boxes for side in box[2:]):
                wrong += 1
                self.seen[f"wrong-{number}"] = frame
        return wrong, moves

    def test_every_frame_shows_each_finger_exactly_once(self):
        before, frames = self.film()
        wrong, moves = self.wrong(before, frames)
        self.assertGreater(moves, 20, f"{len(frames)} frames")
        self.assertEqual(wrong, 0, f"of {len(frames)} frames")

    def test_no_frame_shows_a_finger_twice_with_picom(self):
        """A slow compositing manager may show only a part of a bubble, or show it late."""
        self.desktop.picom()
        before, frames = self.film()
        wrong, moves = self.wrong(before, frames, least=0)
        self.assertGreater(moves, 20, f"{len(frames)} frames")
        self.assertEqual(wrong, 0, f"of {len(frames)} frames")


class Crashes(DesktopCase):
    """After a compositing manager is killed, the X server shows the windows themselves."""

    def desk(self):
        return Xvfb(self.person)

    def crash(self, fingers, after):
        """Plays the fingers, calls `after`, and kills picom. Returns the largest number of pixels
        that differ from the picture without bubbles in any frame from then on."""
        picom = self.desktop.picom()
        self.desktop.window()
        (before,) = self.desktop.settled()
        daemon = self.daemon()
        overlay = self.desktop.overlay(daemon)
        daemon.play(fingers)
        overlay.is_ready()
        after(daemon, before)
        picom.process.send_signal(signal.SIGKILL)
        frames = self.desktop.film(1.5)
        worst = max(frames, key=lambda frame: changed(before, frame).sum())
        self.seen["worst"] = worst
        self.assertEqual(overlay.process.poll(), None, overlay.said)
        return changed(before, worst).sum()

    def test_a_killed_picom_leaves_no_trace_without_touches(self):
        def lifted(daemon, before):
            daemon.touches.all_lifted()
            self.desktop.settled(lambda pictures: not changed(before, pictures[0]).any(), "no bubble", still=0.5)

        fingers = self.fingers().down(self.panel, [(0.3, 0.4)]).wait(0.5).up(self.panel)
        self.assertEqual(self.crash(fingers, lifted), 0)

    def test_a_killed_picom_leaves_at_most_a_box_around_a_finger(self):
        def seen(daemon, before):
            self.desktop.settled(lambda pictures: changed(before, pictures[0]).any(), "a bubble", still=0.5)

        # The window covers a box around the bubble, which is larger so that the bubble can move.
        most = 192 * 192
        self.assertLessEqual(self.crash(self.fingers().down(self.panel, [(0.3, 0.4)]), seen), most)
