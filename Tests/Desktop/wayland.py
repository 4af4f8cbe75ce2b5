"""The parts that Wayland compositors without a screen share."""

import os

from desktop import Desktop
from pictures import from_ppm
from touchgrid_test.waiting import listens, until


class WaylandDesktop(Desktop):
    def start(self, *command, name=None):
        """Starts a compositor that is based on wlroots. Programs that the person starts later use
        it."""
        self.before = set(os.listdir(self.person.runtime))
        self.program = self.person.program(
            *command, name=name, WLR_BACKENDS="headless", WLR_RENDERER="pixman", WLR_LIBINPUT_NO_DEVICES="1",
            WLR_HEADLESS_OUTPUTS=str(len(self.outputs)))
        self.display = os.path.basename(self.listening("wayland-"))
        self.person.environment["WAYLAND_DISPLAY"] = self.display

    def listening(self, start):
        """Waits until the compositor accepts clients on a socket whose name begins with `start`,
        and returns the path of the socket."""
        def found():
            assert self.program.process.poll() is None, self.program.said
            names = set(os.listdir(self.person.runtime)) - self.before
            paths = [f"{self.person.runtime}/{name}" for name in names if name.startswith(start)]
            return next(filter(listens, paths), None)

        return until(found, lambda: f"a socket {start}*: {self.program.said}")

    def picture(self, output=None):
        return from_ppm(self.person.run("grim", "-t", "ppm", "-o", (output or self.outputs[0]).name, "-"))
