"""The daemon of the demonstration's kiosk, and apps that take commands on standard input."""

import os
import subprocess

from touchgrid_test.daemon import Daemon
from touchgrid_test.waiting import BINARIES, PATIENCE, ROOT

APPS = ROOT / "examples/apps"


def demonstration(configuration=""):
    """Returns a daemon that will play the recording of a person at the demonstration's kiosk. `configuration` adds to
    that of the kiosk."""
    daemon = Daemon((ROOT / "Recordings/kiosk-demo.toml").read_text() + configuration)
    # In these tests the apps name the screens, so the recording must not.
    lines = (ROOT / "Recordings/kiosk-demo.evemu").read_text().splitlines(keepends=True)
    daemon.recording = daemon.write(
        "person.evemu", "".join(line for line in lines if not line.startswith("# touchgrid-screen")))
    return daemon


class App:
    """A program that reads the names of the screens to show from its standard input."""

    def __init__(self, command, socket, folder):
        self.errors = open(folder + "/errors", "w+")
        path = f"{BINARIES}:{os.environ['PATH']}"
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self.errors,
            text=True, env={**os.environ, "TOUCHGRID_SOCKET": socket, "PATH": path})

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def finish(self):
        """Closes the program's input; returns its exit status and its error output."""
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self.errors.seek(0)
        return status, self.errors.read()

    def close(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.errors.close()
