"""`touchgrid-overlay --covers`: clicks in a cover reach no app, and all others do. SwallowedTests tell how the touches
are counted."""

import itertools
import random

from case import DesktopCase
from pointer import Pointer
from support import Overlay
from sway import Output, Sway
from touchgrid_test.waiting import until
from xvfb import Xvfb

# In points of the display: left, top, width and height.
COVERS = [(700, 0, 100, 80), (200, 200, 41, 23)]
TABLES = "".join(f"[[cover]]\nx = {x}\ny = {y}\nwidth = {width}\nheight = {height}\n" for x, y, width, height in COVERS)


def is_covered(x, y):
    return any(left <= x < left + width and top <= y < top + height for left, top, width, height in COVERS)


class Covered(DesktopCase):
    """The base class: an app that logs its clicks, and an overlay over a part of it."""

    def overlay(self, daemon):
        return Overlay(self.person, ["--covers", "--socket", daemon.socket], {})

    def places(self):
        """The edges of the covers, inside and outside, and random places."""
        for left, top, width, height in COVERS:
            yield from itertools.product((left - 1, left, left + width - 1, left + width),
                                         (top, top + height // 2, top + height - 1, top + height))
        for _ in range(20):
            yield random.randrange(800), random.randrange(480)

    def clicks_pass(self, is_covered):
        """Clicks at many places. The app gets the clicks outside of covers, and no others."""
        places = [(x, y) for x, y in self.places() if x < 800]
        random.shuffle(places)
        before, expected = self.clicks(), []
        for x, y in places:
            self.click(x, y)
            if not is_covered(x, y):
                expected.append((x, y))
        self.click(400, 400)
        expected.append((400, 400))
        until(lambda: len(self.clicks()) >= len(before) + len(expected), lambda: f"{expected}: {self.clicks()}")
        self.assertEqual(self.clicks()[len(before):], expected)

    def takes_clicks(self):
        daemon = self.daemon(TABLES).start(self.fingers().tap(self.panel, (0.5, 0.5)))
        self.clicks_pass(lambda x, y: False)
        overlay = self.overlay(daemon).is_ready()
        self.clicks_pass(is_covered)
        # The daemon's end uncovers nothing, the overlay's end everything.
        daemon.kill()
        self.clicks_pass(is_covered)
        overlay.process.kill()
        overlay.process.wait()
        self.clicks_pass(lambda x, y: False)


class OnWayland(Covered):
    def show(self):
        self.app = self.person.program("stdbuf", "-oL", "wev", name="wev")
        until(lambda: self.desktop.windows("wev"), "wev's window")
        self.desktop.settled()
        self.pointer = Pointer(f"{self.person.runtime}/{self.desktop.display}")
        self.addCleanup(self.pointer.close)

    def click(self, x, y):
        self.pointer.move(x, y, 800, 480)
        self.pointer.click()

    def clicks(self):
        """The places of the clicks that the app got."""
        place, found = None, []
        for line in self.app.said.splitlines():
            if "x, y: " in line:
                place = tuple(int(float(part)) for part in line.split("x, y: ")[1].split(", "))
            if "button: 272 (left), state: 1" in line:
                found.append(place)
        return found


class OnSway(OnWayland):
    def desk(self):
        return Sway(self.person, [Output("HEADLESS-1")])

    def test_an_app_gets_no_click_in_a_cover_and_all_others(self):
        self.show()
        self.takes_clicks()


class OnX11(Covered):
    def desk(self):
        return Xvfb(self.person)

    def click(self, x, y):
        self.desktop.xdotool("mousemove", x, y, "click", 1)

    def clicks(self):
        lines = self.app.said.splitlines()
        found = [following for line, following in zip(lines, lines[1:]) if line.startswith("ButtonPress event")]
        return [tuple(int(part) for part in line.split(", (")[1].split(")")[0].split(",")) for line in found]

    def test_an_app_gets_no_click_in_a_cover_and_all_others(self):
        self.app = self.person.program("stdbuf", "-oL", "xev", "-geometry", "800x480+0+0", "-bw", "0", name="xev")
        until(lambda: "Expose event" in self.app.said, "xev's window")
        self.takes_clicks()
