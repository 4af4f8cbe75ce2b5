"""On sway, the window below the overlay keeps its input, and a screen recorder sees the bubbles."""

import unittest

from case import DesktopCase
from pictures import changed, filled, middle
from pointer import Pointer
from run_cases import Pulse
from support import until
from sway import Output, Sway

# The shortest tap that hardware reports, in seconds.
SHORT = 0.003


class Below(DesktopCase):
    def desk(self):
        return Sway(self.person, [Output("HEADLESS-1", rotation=90)])

    def test_the_client_keeps_its_input(self):
        below = self.person.program("stdbuf", "-oL", "wev", name="wev")
        until(lambda: self.desktop.windows("wev"), "wev's window")
        before = self.desktop.settled()
        pointer = Pointer(f"{self.person.runtime}/{self.desktop.display}")
        self.addCleanup(pointer.close)
        height, width, _ = before[0].shape
        fingers = self.fingers().land(self.panel, [(0.5, 0.5), (0.2, 0.3)]).stays()
        daemon = self.daemon().play(fingers)
        focus = [window["focused"] for window in self.desktop.windows("wev")]
        self.desktop.overlay(daemon).is_ready()
        daemon.holds(2)
        self.desktop.settled(lambda pictures: changed(before[0], pictures[0]).any(), "bubbles")
        self.assertEqual([window["focused"] for window in self.desktop.windows("wev")], focus)
        for number, raw in enumerate(fingers.raw.values(), 1):
            # Move the pointer to a place without a bubble, then onto a bubble, and click.
            x, y = (int(value) for value in self.desktop.outputs[0].at(raw))
            pointer.move(width - 5, height // 2, width, height)
            pointer.move(x, y, width, height)
            pointer.click()
            until(lambda: below.said.count("button: 272 (left), state: 0") == number, lambda: below.said)
            self.assertIn(f"x, y: {x}.000000, {y}.000000", below.said)
        self.assertEqual(below.said.count("state: 1 (pressed)"), 2)
        # The pointer never left wev's surface.
        self.assertEqual(below.said.count("wl_pointer] enter"), 1, below.said)
        self.assertNotIn("wl_pointer] leave", below.said)

    def test_a_film_shows_the_bubble_of_a_short_tap(self):
        """A film shows the panel without its rotation, so the place of the bubble on the film is
        that of the finger on the panel."""
        (output,) = self.desktop.outputs
        self.desktop.settled()
        place = 0.3, 0.6
        # On a busy machine, it takes seconds until the overlay watches and the film runs.
        fingers = self.fingers(lead=8).land(self.panel, [place]).wait(SHORT).lift(self.panel).stays()
        daemon = self.daemon()
        overlay = self.desktop.overlay(daemon)
        daemon.play(fingers)
        overlay.is_ready()
        daemon.is_watched()
        film, pulse = self.desktop.film(), Pulse()
        self.addCleanup(pulse.close)
        self.assertIsNone(daemon.touches.last_end, "the machine was too slow for this finger")
        lifted = daemon.touches.all_lifted()
        self.desktop.settled(still=0.7)
        frames, times = film.finish()
        self.seen["film-first"] = frames[0]
        seen = [changed(frames[0], frame) for frame in frames]
        shown = [number for number, pixels in enumerate(seen) if pixels.any()]
        self.assertTrue(shown, f"nothing in {len(frames)} frames")
        self.seen["film"] = frames[shown[0]]
        found, wanted = middle(filled(seen[shown[0]])), (place[0] * output.width, place[1] * output.height)
        self.assertLess(max(abs(a - b) for a, b in zip(found, wanted)), 1, f"{found} in place of {wanted}")
        # The first frame with the bubble and the first frame without it may each be off by one
        # frame.
        visible = times[shown[-1] + 1] - times[shown[0]]
        self.assertEqual(shown, list(range(shown[0], shown[-1] + 1)), "it flickers")
        if not 0.15 - 2 / 60 < visible < 0.5:
            # Raises `Starved` if the machine stalled meanwhile, because the result is then void.
            pulse.check([(lifted + 0.5) * 1e6], 1_000_000)
        self.assertGreater(visible, 0.15 - 2 / 60)
        self.assertLess(visible, 0.5)


if __name__ == "__main__":
    unittest.main()
