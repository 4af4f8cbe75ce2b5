#!/usr/bin/env python3
"""A kiosk app that tells Touchgrid what it shows, in Python without any package."""

import json
import os
import socket
import sys
import time


class Touchgrid:
    """Tells Touchgrid what the app shows. If Touchgrid is missing or stops, the app goes on."""

    def __init__(self, path="/run/touchgrid/io.touchgrid", masks=(), controls=None):
        self.path, self.masks, self.controls = path, masks, controls or {}
        self.socket, self.complaint = None, None

    def show(self, screen):
        """Reports the next screen. Call this just before the screen appears."""
        # time.monotonic uses CLOCK_MONOTONIC, the clock for the times of touches.
        self.call("SetScreen", name=screen, changedAtUs=time.monotonic_ns() // 1000)

    def call(self, method, **parameters):
        """Returns the reply; None if it failed. The reason is printed on standard error."""
        for is_last_try in (False, True):
            try:
                if not self.socket:
                    self.connect()
                reply = self.ask(method, parameters)
                self.complaint = None
                return reply
            except RuntimeError as refusal:
                return self.complain(refusal)
            except OSError as error:
                # The connection is lost: the daemon may have been restarted, or may hang.
                self.socket = None
                if is_last_try or isinstance(error, TimeoutError):
                    return self.complain(f"{self.path}: {error}")

    def complain(self, complaint):
        # The same complaint is not printed twice in a row.
        if str(complaint) != self.complaint:
            print(f"touchgrid: {complaint}", file=sys.stderr)
        self.complaint = str(complaint)

    def connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(1)
        self.socket.connect(self.path)
        # On each connection, because a restarted daemon knows only the masks of its configuration.
        for mask in self.masks:
            self.ask("AddMask", {"mask": mask})
        # Where the buttons of each screen are. Call SetControls again if a layout changes.
        for screen, controls in self.controls.items():
            self.ask("SetControls", {"screen": screen, "controls": controls})

    def ask(self, method, parameters):
        # Each message is JSON, followed by a NUL.
        call = {"method": "io.touchgrid." + method, "parameters": parameters}
        self.socket.sendall(json.dumps(call).encode() + b"\0")
        reply = b""
        while not reply.endswith(b"\0"):
            part = self.socket.recv(65536)
            if not part:
                raise ConnectionError("the connection was closed")
            reply += part
        reply = json.loads(reply[:-1])
        parameters = reply.get("parameters", {})
        if "error" in reply:
            raise RuntimeError(parameters.get("message", reply["error"]))
        return parameters


if __name__ == "__main__":
    # Your app goes here. In this example, each line that you type is the name of the next screen.
    keypad = {"x": 0, "y": 300, "width": 480, "height": 500}
    pay = {"x": 640, "y": 600, "width": 300, "height": 80}
    touchgrid = Touchgrid(
        os.environ.get("TOUCHGRID_SOCKET", "/run/touchgrid/io.touchgrid"),
        masks=[{"screen": "checkout/pin", "rectangle": keypad}],
        controls={"checkout": [{"name": "pay", "rectangle": pay}]},
    )
    touchgrid.call("BeginSession", tags={"build": "1.4"})
    for line in sys.stdin:
        screen = line.strip()
        # Do not record the staff.
        touchgrid.call("Pause" if screen == "service" else "Resume")
        touchgrid.show(screen)
    touchgrid.call("TagSession", tags={"outcome": "paid"})
    touchgrid.call("EndSession")
