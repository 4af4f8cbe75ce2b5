"""`touchgrid-overlay --scenes` shows what `touchgrid panel test` and `touchgrid calibrate` send, and
takes all input meanwhile."""

import json
import os

from case import DesktopCase
from pictures import same
from pointer import Pointer
from sway import Output, Sway
from touchgrid_test.waiting import PATIENCE, until
from xvfb import Xvfb

CROSS = (255, 204, 51)


class Scenes(DesktopCase):
    """The base class: an overlay with a pipe as its input."""

    def open(self, display):
        path = f"{self.person.folder}/scenes"
        os.mkfifo(path)
        os.chmod(path, 0o666)
        program = self.person.ours("touchgrid-overlay")
        self.overlay = self.person.program(
            "sh", "-c", f"exec {program} --scenes {display} <{path}", name="scenes")
        self.pipe = open(path, "w", encoding="utf-8")
        self.addCleanup(self.pipe.close)

    def send(self, **scene):
        answers = self.overlay.said.count("shown")
        self.pipe.write(json.dumps(scene) + "\n")
        self.pipe.flush()
        until(lambda: self.overlay.said.count("shown") > answers or self.overlay.process.poll() is not None,
              lambda: self.overlay.said)
        self.assertIsNone(self.overlay.process.poll(), self.overlay.said)

    def has_cross(self, picture, x, y):
        """Whether there is a cross exactly at a place, given as shares of the picture."""
        height, width, _ = picture.shape
        column, row = round(x * width), round(y * height)

        def is_mark(down, right):
            pixels = picture[row + down - 1:row + down + 1, column + right - 1:column + right + 1].reshape(-1, 3)
            return all(abs(int(value) - wanted) <= 3 for pixel in pixels for value, wanted in zip(pixel, CROSS))

        return (is_mark(0, 0) and is_mark(0, 15) and is_mark(0, -15) and is_mark(15, 0) and is_mark(-15, 0)
                and not is_mark(15, 15))

    def shows_and_ends(self, display):
        before = self.desktop.settled()
        self.open(display)
        for x, y in ((0.1, 0.1), (0.9, 0.9)):
            self.send(title="Cross", lines=[], crosses=[[x, y]])
            self.keep("scene", self.desktop.settled(lambda pictures: self.has_cross(pictures[0], x, y), "the cross"))
        self.send(title="A line", lines=[[0, 0.25, 1, 0.25]], crosses=[])
        self.desktop.settled(
            lambda pictures: (pictures[0][round(0.25 * pictures[0].shape[0]), ::10] > 250).all(), "the line")
        self.pipe.close()
        self.assertEqual(self.overlay.process.wait(PATIENCE), 0)
        self.desktop.settled(lambda pictures: same(before[0], pictures[0]), "the desktop as before")


class OnSway(Scenes):
    def desk(self):
        return Sway(self.person, [Output("HEADLESS-1", rotation=90)])

    def test_scenes_are_shown_where_they_belong(self):
        self.shows_and_ends("HEADLESS-1")

    def test_the_app_gets_no_input_meanwhile(self):
        below = self.person.program("stdbuf", "-oL", "wev", name="wev")
        until(lambda: self.desktop.windows("wev"), "wev's window")
        before = self.desktop.settled()
        height, width, _ = before[0].shape
        pointer = Pointer(f"{self.person.runtime}/{self.desktop.display}")
        self.addCleanup(pointer.close)
        self.open("HEADLESS-1")
        self.send(title="", lines=[], crosses=[[0.5, 0.5]])
        self.desktop.settled(lambda pictures: self.has_cross(pictures[0], 0.5, 0.5), "the cross")
        for x, y in ((5, 5), (width // 2, height // 2), (width - 5, height - 5)):
            pointer.move(x, y, width, height)
            pointer.click()
        self.pipe.close()
        self.assertEqual(self.overlay.process.wait(PATIENCE), 0)
        # sway may still have the window of a process that has ended. A click then would reach nobody.
        self.desktop.settled(lambda pictures: same(before[0], pictures[0]), "the desktop as before")
        pointer.move(50, 60, width, height)
        pointer.click()
        until(lambda: "button: 272 (left), state: 0" in below.said, lambda: below.said)
        self.assertEqual(below.said.count("button: 272 (left), state: 0"), 1, below.said)

    def test_what_is_no_scene_ends_the_overlay(self):
        self.open("HEADLESS-1")
        self.pipe.write('{"title": "", "lines": [[0, 0, 2, 0]], "crosses": []}\n')
        self.pipe.flush()
        self.overlay.process.wait(PATIENCE)
        self.assertIn("not valid", self.overlay.said)


class OtherDisplay(Scenes):
    def desk(self):
        return Sway(self.person, [Output("HEADLESS-1"), Output("HEADLESS-2")])

    def test_a_display_without_an_output_is_refused(self):
        self.open("DP-9")
        self.assertEqual(self.overlay.process.wait(PATIENCE), 69)
        self.assertIn("--monitor", self.overlay.said)


class OnX11(Scenes):
    def desk(self):
        return Xvfb(self.person)

    def test_scenes_are_shown_where_they_belong(self):
        self.app = self.desktop.window()
        self.shows_and_ends("HDMI-A-1")
