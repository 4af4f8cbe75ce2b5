"""What Wayland compositors without a screen have in common."""

import os

from desktop import Desktop
from pictures import from_ppm
from support import until


class WaylandDesktop(Desktop):
    def start(self, *command, **environment):
        """The compositor, one of wlroots; whatever the person starts from now on finds it."""
        before = set(os.listdir(self.person.runtime))
        self.program = self.person.program(
            *command, WLR_BACKENDS="headless", WLR_RENDERER="pixman", WLR_LIBINPUT_NO_DEVICES="1",
            WLR_HEADLESS_OUTPUTS=str(len(self.outputs)), **environment)

        def made():
            assert self.program.process.poll() is None, self.program.said
            return next((name for name in set(os.listdir(self.person.runtime)) - before
                         if name.startswith("wayland-") and name.endswith(".lock")), None)

        display = until(made, lambda: f"the compositor's display: {self.program.said}")
        self.display = self.person.environment["WAYLAND_DISPLAY"] = display.removesuffix(".lock")

    def picture(self, output=None):
        return from_ppm(self.person.run("grim", "-t", "ppm", "-o", (output or self.outputs[0]).name, "-"))
