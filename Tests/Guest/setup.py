#!/usr/bin/python3
"""Sets a freshly installed Touchgrid up as a person does: answers the questions of `touchgrid setup`
on a terminal, and touches the corners of the picture.

setup.py

The picture is turned by 90 degrees on a panel of 720 x 1280 pixels, as on a display that is higher
than wide. Prints the dialogue, and exits with 1 if a question does not come.
"""

import subprocess
import sys
import time

from panel import Panel
from terminal import Terminal

WIDTH, HEIGHT = 720, 1280


def touch(device, x, y):
    """Touches a place of the picture, given as shares of its width and height."""
    # The top of a picture that is turned by 90 degrees lies along the right edge of the panel.
    raw_x, raw_y = int((1 - y) * (WIDTH - 1)), int(x * (HEIGHT - 1))
    device.show({0: (raw_x, raw_y)})
    time.sleep(0.1)
    device.show({})
    time.sleep(0.1)


device = Panel("Panel for setup", WIDTH, HEIGHT, resolution=0)
device.wait_until_read()
terminal = Terminal("touchgrid", "setup")
terminal.answer("Secrets", "")
terminal.answer("Name the screens, or answer none", "pin, checkout/pay")
terminal.answer('Mask "default" too', "maybe")
terminal.answer("Answer yes or no", "")
for corner, place in (("top left", (0.02, 0.03)), ("top right", (0.97, 0.02)),
                      ("bottom right", (0.98, 0.97))):
    terminal.wait_for(f"Touch the {corner} corner")
    # Discard what was sent before the question.
    time.sleep(1)
    touch(device, *place)
terminal.answer("What is the resolution", f"{WIDTH}x{HEIGHT}")
terminal.answer("wider than high", "yes")
terminal.answer("How long is each session kept", "two weeks")
terminal.answer("It must be 1d to 36500d", "14d")
terminal.answer("Who may see status", "nosuchuser")
terminal.answer("there is no user", "anna")
terminal.answer("Which user runs your app", "kiosk")
terminal.answer("Do you want touchgrid-follow", "")
terminal.answer("Do you want the overlay", "no")
terminal.answer("go dark while nobody touches it", "")
terminal.answer("Write it to /etc/touchgrid/touchgridd.toml", "")
terminal.wait_for("the service has loaded it")
terminal.wait_for("Touch the screen")
time.sleep(1)
touch(device, 0.9, 0.1)
terminal.wait_for(r"\n\|[^\n@]*@ *\|")
status = terminal.finish()
print(terminal.seen)
subprocess.run(["touchgrid", "set-screen", "menu"], check=True)
touch(device, 0.9, 0.1)
time.sleep(1)
device.close()
sys.exit(status)
