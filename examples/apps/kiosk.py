#!/usr/bin/env python3
"""A kiosk app that tells Touchgrid what it shows, with the package touchgrid."""

import os
import sys

from touchgrid import PATH, Touchgrid

# Your app goes here. In this example, each line that you type is the name of the next screen.
keypad = {"x": 0, "y": 300, "width": 480, "height": 500}
pay = {"x": 640, "y": 600, "width": 300, "height": 80}
touchgrid = Touchgrid(
    os.environ.get("TOUCHGRID_SOCKET", PATH), masks=[{"screen": "checkout/pin", "rectangle": keypad}])
# Where the buttons of each screen are. Call it again if a layout changes.
touchgrid.call("SetControls", screen="checkout", controls=[{"name": "pay", "rectangle": pay}])
touchgrid.call("BeginSession", tags={"build": "1.4"})
for line in sys.stdin:
    screen = line.strip()
    # Do not record the staff.
    touchgrid.call("Pause" if screen == "service" else "Resume")
    touchgrid.show(screen)
touchgrid.call("TagSession", tags={"outcome": "paid"})
touchgrid.call("EndSession")
