"""The examples of docs/signals.md: Home Assistant is told. DesktopGuestTests dim a screen and start an attract loop."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from support import Person
from touchgrid_test.daemon import panels
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import PATIENCE, ROOT, free_port, listens, until

EXAMPLES = ROOT / "examples/signals"


def install(person):
    """Copies the scripts to where the units look for them."""
    folder = pathlib.Path(person.home, ".local/bin")
    folder.mkdir(parents=True)
    for script in EXAMPLES.iterdir():
        if os.access(script, os.X_OK):
            shutil.copy(script, folder)
    person.own()


def start(person, daemon, unit, key="ExecStart", **environment):
    """Runs what the unit says, but with 5 s instead of its time."""
    words = re.search(rf"^{key}=(.*)$", (EXAMPLES / unit).read_text(), re.MULTILINE)[1]
    words = words.replace("%h", person.home).replace("/usr/bin/touchgrid", person.ours("touchgrid"))
    words, changes = re.subn(r"--idle \w+", "--idle 5s", words)
    assert changes == (key == "ExecStart"), words
    return person.program(*shlex.split(words), name=unit, TOUCHGRID_SOCKET=daemon.socket, **environment)


def comes_twice(fingers, panel):
    """A person touches, stays away for 17 s, and touches again: idleness of 5 s is noticed up to 5 s late."""
    return fingers.tap(panel, (0.5, 0.5)).wait(17).tap(panel, (0.5, 0.5))


class HomeAssistant(unittest.TestCase):
    def setUp(self):
        self.person = Person()
        self.addCleanup(self.person.close)
        install(self.person)
        self.port = free_port()
        # Debian has brokers in sbin.
        self.person.environment["PATH"] += ":/usr/sbin"
        config = self.person.write("mosquitto.conf", f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.broker = self.person.program("mosquitto", "-c", config)
        self.person.write("home/.config/mosquitto_pub", f"--host 127.0.0.1\n--port {self.port}\n")

    def messages(self):
        return [line.split(" ", 1) for line in self.subscriber.said.splitlines()]

    def test_it_is_told_who_the_kiosk_is_and_whether_somebody_uses_it(self):
        until(lambda: listens(self.port), lambda: f"a broker: {self.broker.said}")
        self.subscriber = self.person.program("mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.port), "-v",
                                              "-t", "touchgrid/#")
        display = {"name": "HEADLESS-1", "width": 800, "height": 600}
        daemon = self.person.daemon(panels({"Panel 0": display}))
        self.addCleanup(daemon.close)
        unit = "touchgrid-home-assistant.service"
        first = start(self.person, daemon, unit, key="ExecStartPre", KIOSK="hall")
        self.assertEqual(first.process.wait(PATIENCE), 0, first.said)
        # The program must be there before it is too late to see the first touch.
        daemon.start(comes_twice(Fingers("Panel 0").wait(10), "Panel 0"))
        program = start(self.person, daemon, unit, KIOSK="hall")
        wanted = [["touchgrid/hall/active", state] for state in ("ON", "OFF", "ON", "OFF")]
        # The first touch may come after 5 s, which are idleness already.
        until(lambda: self.messages()[-4:] == wanted, lambda: f"{wanted}: {self.messages()}, {program.said}", 120)
        # What is retained reaches a subscriber that comes later.
        kept = self.person.run("mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.port), "-v", "-C", "2", "-t", "#")
        kept = dict(line.split(" ", 1) for line in kept.decode().splitlines())
        self.assertEqual(kept["touchgrid/hall/active"], "OFF")
        described = json.loads(kept["homeassistant/binary_sensor/touchgrid_hall/config"])
        self.assertEqual(described["state_topic"], "touchgrid/hall/active")
        self.assertEqual(described["device_class"], "occupancy")


class Units(unittest.TestCase):
    def test_systemd_understands_every_line(self):
        with tempfile.TemporaryDirectory(prefix="touchgrid-units-") as folder:
            names = [path.name for path in EXAMPLES.glob("*.service")]
            self.assertEqual(len(names), 4)
            for name in names:
                text = (EXAMPLES / name).read_text()
                # Only programs of this project and the scripts are here for certain.
                text = text.replace("/usr/bin/touchgrid", "/usr/bin/true").replace("/usr/bin/mpv", "/usr/bin/true")
                pathlib.Path(folder, name).write_text(text)
            done = subprocess.run(["systemd-analyze", "--user", "verify", "--man=no",
                                   *(f"{folder}/{name}" for name in names)], capture_output=True, text=True,
                                  env={**os.environ, "XDG_RUNTIME_DIR": folder, "HOME": folder})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
