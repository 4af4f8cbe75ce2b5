#!/usr/bin/env python3
"""A kiosk app that tells Touchgrid what it shows, with the package varlink (pip install varlink)."""

import os
import sys
import time

import varlink


class Touchgrid:
    """Tells Touchgrid what the app shows. If Touchgrid is missing or stops, the app goes on."""

    def __init__(self, path="/run/touchgrid/io.touchgrid", masks=()):
        self.path, self.masks, self.connection = path, masks, None

    def show(self, screen):
        """Reports the next screen. Call this just before the screen appears."""
        # time.monotonic uses CLOCK_MONOTONIC, the clock for the times of touches.
        self.call("SetScreen", name=screen, changedAtUs=time.monotonic_ns() // 1000)

    def call(self, method, **parameters):
        """Returns the reply; None if it failed. The reason is printed on standard error."""
        for is_last_try in (False, True):
            try:
                if not self.connection:
                    self.connect()
                return getattr(self.connection, method)(**parameters)
            except varlink.VarlinkError as refusal:
                message = refusal.parameters().get("message", refusal.error())
                return print(f"touchgrid: {message}", file=sys.stderr)
            except OSError as error:
                # The connection is lost: the daemon may have been restarted.
                self.connection = None
                if is_last_try:
                    return print(f"touchgrid: {self.path}: {error}", file=sys.stderr)

    def connect(self):
        # Every method of the interface becomes a method of this connection.
        self.connection = varlink.Client("unix:" + self.path).open("io.touchgrid")
        # On each connection, because a restarted daemon knows only the masks of its configuration.
        for mask in self.masks:
            self.connection.AddMask(mask)


if __name__ == "__main__":
    # Your app goes here. In this example, each line that you type is the name of the next screen.
    keypad = {"x": 0, "y": 300, "width": 480, "height": 500}
    touchgrid = Touchgrid(
        os.environ.get("TOUCHGRID_SOCKET", "/run/touchgrid/io.touchgrid"),
        masks=[{"screen": "checkout/pin", "rectangle": keypad}],
    )
    touchgrid.call("BeginSession", tags={"build": "1.4"})
    for line in sys.stdin:
        screen = line.strip()
        # Do not record the staff.
        touchgrid.call("Pause" if screen == "service" else "Resume")
        touchgrid.show(screen)
    touchgrid.call("TagSession", tags={"outcome": "paid"})
    touchgrid.call("EndSession")
