"""sway without a screen, with the outputs that a test wants, and pictures of them."""

import json
import os
import signal

from desktop import BACKGROUND, Output
from touchgrid_test.waiting import until
from wayland import WaylandDesktop


class Sway(WaylandDesktop):
    """sway with a background of one colour, or with none."""

    def __init__(self, person, outputs=None, background=BACKGROUND):
        super().__init__(person, outputs or [Output("HEADLESS-1")])
        # The tests compare pictures, so nothing but the overlay and the test may change them.
        config = ["default_border none", "xwayland disable", "focus_follows_mouse no",
                  f"output * bg {background} solid_color" if background else ""]
        left = 0
        for output in self.outputs:
            config.append(
                f"output {output.name} mode {output.width}x{output.height} position {left} 0 scale {output.scale} "
                f"transform {output.rotation or 'normal'}")
            left += 2 * max(output.width, output.height)
        path = person.write("sway.config", "\n".join(config) + "\n")
        self.start("sway", "--config", path)
        person.environment["SWAYSOCK"] = self.listening("sway-ipc")
        if background:
            colour = [int(background[place : place + 2], 16) for place in (1, 3, 5)]
            until(lambda: all((picture == colour).all() for picture in self.pictures()), "the background")

    def message(self, *words):
        return json.loads(self.person.run("swaymsg", "--raw", *words))

    def tree(self):
        return self.message("-t", "get_tree")

    def windows(self, app, node=None):
        """Returns the visible windows of a program."""
        node = node or self.tree()
        found = [node] if node.get("app_id") == app and node.get("visible") else []
        for child in node["nodes"] + node["floating_nodes"]:
            found += self.windows(app, child)
        return found


class Film:
    """A film of an output, frame by frame, made by wf-recorder."""

    def __init__(self, sway, output):
        self.path = f"{sway.person.folder}/film.mkv"
        # Record every refresh, even without changes. Otherwise wf-recorder would not exit while
        # nothing changes.
        self.program = sway.person.program("wf-recorder", "--no-damage", "-o", output.name, "-c", "ffv1", "-x", "bgr0",
                                           "-f", self.path)
        until(lambda: os.path.exists(self.path) or self.program.process.poll() is not None,
              lambda: f"wf-recorder records: {self.program.said}")

    def end(self):
        self.program.end(signal.SIGINT)
