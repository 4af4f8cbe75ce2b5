"""On sway, the window below the overlay keeps its input."""


from case import DesktopCase
from pictures import changed
from pointer import Pointer
from sway import Output, Sway
from touchgrid_test.waiting import until


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
        fingers = self.fingers().down(self.panel, [(0.5, 0.5), (0.2, 0.3)])
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
