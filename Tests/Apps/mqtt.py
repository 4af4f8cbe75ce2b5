"""touchgrid-mqtt in a folder, for the tests of docs/home-assistant.md."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from touchgrid_test.daemon import Daemon, panels
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import BINARIES, PATIENCE, ROOT, until

sys.path.insert(0, str(ROOT / "mqtt"))
import counts  # noqa: E402

# Every system has the group. The program runs as nobody, so that it has no other role.
GROUP = "tty"
DISPLAY = {"name": "HEADLESS-1", "width": 800, "height": 600}
CONFIGURATION = f'[roles]\noperate = "{GROUP}"\n' + panels({"Panel 0": DISPLAY})
PASSWORD = "a b\"c"


def noon():
    """Returns the time zone in which it is noon now, so that no test goes over midnight."""
    return f"TST{int(time.time() // 3600 % 24) - 12:+d}"


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Bridge:
    """touchgrid-mqtt as nobody in a group, with its modules, configuration and state in a folder."""

    def __init__(self, folder, socket, port=8883, paho=None, password=PASSWORD, **changes):
        self.folder, self.socket, self.process = pathlib.Path(folder), socket, None
        self.log, self.counts = self.folder / "log", self.folder / "counts.json"
        keys = {"host": "localhost", "port": port, "ca": f"{folder}/ca.pem", "username": "hall", **changes}
        kiosk = {"name": "hall", "screen": keys.pop("screen", False)}
        self.configuration = self.folder / "mqtt.toml"
        self.configuration.write_text("".join(
            f"[{table}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in content.items())
            for table, content in (("broker", keys), ("kiosk", kiosk))))
        for name in ("credentials", "state"):
            (self.folder / name).mkdir(exist_ok=True)
        (self.folder / "credentials/password").write_text(password + "\n")
        # Nobody may be unable to read the folder of the project.
        if not (self.folder / "program").exists():
            shutil.copytree(ROOT / "mqtt", self.folder / "program")
            shutil.copytree(ROOT / "clients/python/touchgrid", self.folder / "packages/touchgrid")
            if paho:
                shutil.copytree(paho, self.folder / "packages/paho")
        self.rights = {}
        if os.geteuid() == 0:
            self.rights = {"user": "nobody", "group": GROUP, "extra_groups": []}
            shutil.chown(self.folder / "state", "nobody")
        self.environment = {
            "PATH": f"{BINARIES}:/usr/bin:/bin", "PYTHONPATH": str(self.folder / "packages"), "TZ": noon(),
            "STATE_DIRECTORY": str(self.folder / "state"), "CREDENTIALS_DIRECTORY": str(self.folder / "credentials")}

    @property
    def command(self):
        return ["/usr/bin/python3", self.folder / "program/touchgrid-mqtt", "--config", self.configuration,
                "--socket", self.socket, "--counts", self.counts, "--clean", self.folder / "clean"]

    def collect(self):
        """Writes the counts as the daemon's user, now, although the former ones are not five minutes old."""
        if self.counts.exists():
            os.utime(self.counts, (time.time() - counts.STEP,) * 2)
        run(*self.command, "--collect", env=self.environment)

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env=self.environment, **self.rights)
        return self

    @property
    def said(self):
        return self.log.read_text()

    def says(self, words):
        until(lambda: words in self.said, lambda: f"touchgrid-mqtt says {words!r}: {self.said}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        if self.process and self.process.poll() is None:
            self.kill()


class Case(unittest.TestCase):
    # The folder of another paho than that of Debian; None for that.
    PAHO = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="touchgrid-mqtt.")
        os.chmod(self.folder, 0o755)
        self.addCleanup(shutil.rmtree, self.folder)

    def daemon(self, play, configuration=CONFIGURATION):
        """Starts a daemon whose clock stands still."""
        daemon = Daemon(configuration)
        self.addCleanup(daemon.close)
        self.began = int(time.time())
        return daemon.start(play, clock=self.began, env={**os.environ, "TZ": noon()})

    def bridge(self, socket, port=8883, **changes):
        bridge = Bridge(self.folder, socket, port, self.PAHO, **changes)
        self.addCleanup(bridge.close)
        return bridge


def taps():
    return Fingers("Panel 0").wait(10).tap("Panel 0", (0.5, 0.5)).wait(1).tap("Panel 0", (0.2, 0.2))
