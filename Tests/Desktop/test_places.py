"""Bubbles are exactly where the fingers are, on every output of sway and on labwc."""


import numpy

from case import DesktopCase
from labwc import Labwc
from pictures import changed, disc, filled, middle
from sway import Output, Sway
from touchgrid_test.waiting import until

# The corners of the glass, and two places that no rotation maps to each other.
PLACES = [(0, 0), (1, 1), (0.3, 0.35), (0.62, 0.7)]


class Places(DesktopCase):
    def desk(self):
        turns = [(scale, rotation) for scale in (1, 2) for rotation in (0, 90, 180, 270)]
        outputs = [Output(f"HEADLESS-{number}", scale=scale, rotation=rotation)
                   for number, (scale, rotation) in enumerate([*turns, (1.5, 90)], 1)]
        # This width is a whole number of points at a scale of 1.5, so that the desktop rounds
        # nothing.
        outputs[-1].width = 960
        return Sway(self.person, outputs)

    def test_bubbles_lie_under_the_fingers_at_every_scale_and_rotation(self):
        before = self.desktop.settled()
        fingers = self.fingers(lead=1)
        for number, panel in enumerate(self.panels.values()):
            fingers.down(panel, [(0.5, 0.5), *PLACES[1:]])
            # Each panel has a different number of fingers, so that a mix-up of panels shows.
            if number % 2:
                fingers.up(panel)
                del fingers.raw[panel, 0]
        fingers.wait(0.2)
        for number, panel in enumerate(self.panels.values()):
            if number % 2 == 0:
                fingers.move(panel, [PLACES[0]])
        fingers.wait(5)
        for number, panel in enumerate(self.panels.values()):
            fingers.up(panel, 4 - number % 2, first=number % 2)
        self.comes_and_goes(before, fingers, moves=5)


class OnLabwc(DesktopCase):
    def desk(self):
        return Labwc(self.person)

    def test_bubbles_lie_under_the_fingers(self):
        before = self.desktop.settled()
        self.comes_and_goes(
            before, self.fingers(lead=0.5).down(self.panel, PLACES).wait(5).up(self.panel, 4))


class OneOutput(DesktopCase):
    def desk(self):
        return Sway(self.person, [Output("HEADLESS-1", scale=2, rotation=90)])

    def test_bubbles_follow_a_display_that_is_rotated(self):
        before = self.desktop.settled()
        (output,) = self.desktop.outputs
        fingers = self.fingers(lead=0.5).down(self.panel, PLACES).wait(5).up(self.panel, 4)
        fingers.wait(5).down(self.panel, PLACES)
        daemon = self.daemon()
        overlay = self.desktop.overlay(daemon)
        daemon.play(fingers)
        overlay.is_ready()
        daemon.holds(4)
        self.shown(before, fingers)
        daemon.thaw()
        daemon.touches.all_lifted()
        daemon.call("SetDisplay", name=output.name, rotation=0, scale=1)
        daemon.freeze()
        output.scale, output.rotation = 1, 0
        self.desktop.message("output", output.name, "scale", "1", "transform", "normal")
        before = self.desktop.settled(lambda pictures: pictures[0].shape == (480, 800, 3) and pictures[0].all())
        daemon.thaw()
        daemon.holds(4)
        self.shown(before, fingers)

    def test_bubbles_are_not_drawn_in_masks(self):
        before = self.desktop.settled()
        (output,) = self.desktop.outputs
        # Two masks, in points of the display as the person sees it (240 x 400): the keypad, and one
        # that is added later.
        keypad, more = (100, 210, 90, 110), (60, 100, 80, 90)
        masks = [{"screen": "stage", "rectangle": dict(zip(("x", "y", "width", "height"), box))}
                 for box in (keypad, more)]
        # One finger lies between the masks, so that its bubble reaches into both. Another finger
        # lies in the keypad.
        fingers = self.fingers().down(self.panel, [(0.5, 0.65), (0.34, 0.6)])
        beside, within = (output.at(raw) for raw in fingers.raw.values())
        daemon = self.daemon('[[mask]]\nscreen = "stage"\n' + "".join(
            f"{key} = {value}\n" for key, value in masks[0]["rectangle"].items()))
        overlay = self.desktop.overlay(daemon)
        daemon.play(fingers)
        overlay.is_ready()
        # The live touches do not include the masked one. Only the number of touches shows it.
        until(lambda: daemon.call("GetStatus")["tally"]["touches"] == 2, "two fingers")
        ideal, said = disc(before[0].shape, beside, 44), []

        def drawn(pictures, *boxes):
            inside = numpy.zeros(ideal.shape, bool)
            for left, top, width, height in boxes:
                inside[2 * top : 2 * (top + height), 2 * left : 2 * (left + width)] = True
            self.assertGreater((ideal & inside).sum(), 300 * len(boxes))
            self.assertTrue(all(inside[int(y), int(x)] == hidden for (x, y), hidden in ((beside, 0), (within, 1))))
            seen = filled(changed(before[0], self.keep("masked", pictures)[0]))
            found, wanted = middle(seen), middle(ideal & ~inside)
            said[:] = [f"{seen.sum()} pixels in place of {(ideal & ~inside).sum()}, around {found} in place of "
                       f"{wanted}, {(seen & inside).sum()} in masks"]
            return (found and max(abs(a - b) for a, b in zip(found, wanted)) < 1 and not (seen & inside).any()
                    and 0.9 < seen.sum() / (ideal & ~inside).sum() < 1.1)

        def words():
            return f"a bubble cut off by masks: {said}"

        self.desktop.settled(lambda pictures: drawn(pictures, keypad), words)
        daemon.call("AddMask", mask=masks[1])
        self.desktop.settled(lambda pictures: drawn(pictures, keypad, more), words)
