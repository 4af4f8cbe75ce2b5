"""The parts that all desktops share: outputs, pictures of them, and the overlay."""

import time

from pictures import misplaced, same
from support import Overlay
from touchgrid_test.fingers import on_picture
from touchgrid_test.waiting import until

BACKGROUND = "#5577aa"


class Output:
    """An output. `width` and `height` are those of the panel; `rotation`, in degrees, turns its
    picture."""

    def __init__(self, name, width=800, height=480, scale=1, rotation=0):
        self.name, self.width, self.height, self.scale, self.rotation = name, width, height, scale, rotation

    @property
    def display(self):
        """The display's table in the daemon's configuration."""
        return {"name": self.name, "width": self.width, "height": self.height, "scale": float(self.scale),
                "rotation": self.rotation}

    def at(self, raw):
        """Returns the position on the picture, in pixels, of a raw position on the panel."""
        return on_picture(raw, self.width, self.height, self.rotation)


class Desktop:
    """The base class of the desktops. Subclasses define `picture(output)`."""

    def __init__(self, person, outputs):
        self.person, self.outputs = person, outputs

    def pictures(self):
        return [self.picture(output) for output in self.outputs]

    def settled(self, wanted=lambda pictures: True, what="pictures that stay", still=0.15):
        """Returns the pictures of all outputs once they are as wanted and have not changed for
        `still` seconds."""
        last, since = None, 0

        def have_stayed():
            nonlocal last, since
            pictures = self.pictures()
            if last is None or not all(map(same, last, pictures)) or not wanted(pictures):
                last, since = pictures, time.monotonic()
            return time.monotonic() - since >= still and pictures

        return until(have_stayed, what)

    def overlay(self, daemon, *arguments, **environment):
        return Overlay(self.person, ["--socket", daemon.socket, *arguments], environment)

    def misplaced(self, before, after, fingers, panels):
        """Returns descriptions of what is wrong with the bubbles; empty if they are right. There
        must be one for each finger in `fingers`. `panels` maps outputs to panels, by name."""
        complaints = []
        for output, was, now in zip(self.outputs, before, after):
            centres = [output.at(raw) for (panel, _), raw in fingers.raw.items() if panel == panels.get(output.name)]
            complaints += [f"{output.name}: {words}"
                           for words in misplaced(was, now, centres, 22 * output.scale)]
        return complaints
