#!/usr/bin/python3
"""Sets a freshly installed Touchgrid up as a person does: answers the questions of `touchgrid setup`
on a terminal, and touches the corners of the picture.

setup.py

The picture is turned by 90 degrees on a panel of 720 x 1280 pixels, as on a display that is higher
than wide. Prints the dialogue, and exits with 1 if a question does not come.
"""

import os
import subprocess
import sys
import time

from evdev import AbsInfo, UInput, ecodes as e
from terminal import Terminal

WIDTH, HEIGHT = 720, 1280


def panel():
    def axis(maximum):
        return AbsInfo(0, 0, maximum, 0, 0, 0)

    return UInput(
        {e.EV_KEY: [e.BTN_TOUCH],
         e.EV_ABS: [(e.ABS_X, axis(WIDTH - 1)), (e.ABS_Y, axis(HEIGHT - 1)),
                    (e.ABS_MT_SLOT, axis(9)), (e.ABS_MT_TRACKING_ID, axis(65535)),
                    (e.ABS_MT_POSITION_X, axis(WIDTH - 1)), (e.ABS_MT_POSITION_Y, axis(HEIGHT - 1))]},
        name="Panel for setup", bustype=e.BUS_USB, input_props=[e.INPUT_PROP_DIRECT])


count = 0


def touch(device, x, y):
    """Touches a place of the picture, given as shares of its width and height."""
    global count
    count += 1
    # The top of a picture that is turned by 90 degrees lies along the right edge of the panel.
    raw_x, raw_y = int((1 - y) * (WIDTH - 1)), int(x * (HEIGHT - 1))
    for code, value in ((e.ABS_MT_TRACKING_ID, count), (e.ABS_MT_POSITION_X, raw_x),
                        (e.ABS_MT_POSITION_Y, raw_y), (e.ABS_X, raw_x), (e.ABS_Y, raw_y)):
        device.write(e.EV_ABS, code, value)
    device.write(e.EV_KEY, e.BTN_TOUCH, 1)
    device.syn()
    time.sleep(0.1)
    device.write(e.EV_ABS, e.ABS_MT_TRACKING_ID, -1)
    device.write(e.EV_KEY, e.BTN_TOUCH, 0)
    device.syn()
    time.sleep(0.1)


device = panel()
for attempt in range(100):
    if "Panel for setup" in os.popen("touchgrid devices").read():
        break
    time.sleep(0.2)
else:
    sys.exit("setup.py: the panel is not read")
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
