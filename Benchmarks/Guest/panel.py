"""A virtual panel, strokes on it, and the service that reads it, in a guest that counts instructions
as time."""

import json
import os
import socket
import struct
import subprocess
import sys
import time

from evdev import AbsInfo, UInput, ecodes as e

SOCKET = "/run/touchgrid/io.touchgrid"
SLOTS = 10
# A Full HD panel of ten inches.
WIDTH, HEIGHT = 1920, 1080
# The length of a stroke and of the pause after it, in seconds.
STROKE, PAUSE = 0.9, 0.1


def axis(largest):
    return AbsInfo(value=0, min=0, max=largest, fuzz=0, flat=0, resolution=10)


def panel():
    """Returns a virtual panel that also reports pressure, and its first finger on the single-touch
    axes, as most panels do."""
    return UInput(
        {
            e.EV_KEY: [e.BTN_TOUCH],
            e.EV_ABS: [
                (e.ABS_X, axis(WIDTH - 1)), (e.ABS_Y, axis(HEIGHT - 1)),
                (e.ABS_MT_SLOT, axis(SLOTS - 1)), (e.ABS_MT_TRACKING_ID, axis(65535)),
                (e.ABS_MT_POSITION_X, axis(WIDTH - 1)), (e.ABS_MT_POSITION_Y, axis(HEIGHT - 1)),
                (e.ABS_MT_PRESSURE, axis(255)),
            ],
        },
        name="Counted panel", bustype=e.BUS_USB, vendor=0x1209, product=1,
        input_props=[e.INPUT_PROP_DIRECT])


def strokes(fingers, rate, seconds):
    """Yields the bytes of each frame of strokes; empty bytes in the pauses between strokes."""
    length, down = round((STROKE + PAUSE) * rate), round(STROKE * rate)
    for number in range(round(seconds * rate)):
        phase = number % length
        events = []

        def say(code, value, kind=e.EV_ABS):
            events.append(struct.pack("llHHi", 0, 0, kind, code, value))

        for finger in range(fingers):
            say(e.ABS_MT_SLOT, finger)
            if phase == 0:
                say(e.ABS_MT_TRACKING_ID, number + finger)
            elif phase == down:
                say(e.ABS_MT_TRACKING_ID, -1)
            if phase < down:
                say(e.ABS_MT_POSITION_X, (number * 7 + finger * 190) % WIDTH)
                say(e.ABS_MT_POSITION_Y, (number * 5 + finger * 100) % HEIGHT)
                say(e.ABS_MT_PRESSURE, 1 + (number + finger) % 255)
        if phase in (0, down):
            say(e.BTN_TOUCH, int(phase == 0), e.EV_KEY)
        if phase <= down:
            if phase < down:
                say(e.ABS_X, number * 7 % WIDTH)
                say(e.ABS_Y, number * 5 % HEIGHT)
            say(e.SYN_REPORT, 0, e.EV_SYN)
        yield b"".join(events) if phase <= down else b""


def play(device, frames, rate):
    """Plays the frames and returns the number of those that are not empty. Exits if the last one
    was more than 50 ms late."""
    count = 0
    begun = time.monotonic()
    for number, frame in enumerate(frames):
        pause = begun + number / rate - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        if frame:
            os.write(device.fd, frame)
            count += 1
    late = time.monotonic() - begun - (number + 1) / rate
    if late > 0.05:
        sys.exit(f"{sys.argv[0]}: {late:.3f} s late")
    # Wait for the work that the last touch-up causes, so that it is measured too.
    time.sleep(1)
    return count


def text(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def daemon():
    subprocess.run(["systemctl", "restart", "touchgridd.service"], check=True)
    found = subprocess.run(
        ["systemctl", "show", "--property=MainPID", "--value", "touchgridd.service"], check=True,
        capture_output=True, text=True)
    return int(found.stdout)


def ask(method, **parameters):
    """Calls a method of the daemon and returns the reply. Exits if it is an error."""
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(SOCKET)
        stream.sendall(json.dumps({"method": f"io.touchgrid.{method}", "parameters": parameters}).encode() + b"\0")
        reply = b""
        while not reply.endswith(b"\0"):
            reply += stream.recv(1 << 16)
    message = json.loads(reply[:-1])
    if "error" in message:
        sys.exit(f"{method}: {message}")
    return message.get("parameters", {})
