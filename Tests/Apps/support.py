"""The daemon, which plays the recording of a person and can be queried, and apps that take
commands on standard input."""

import contextlib
import os
import sqlite3
import subprocess

import touchgridd
from touchgridd import BINARIES, ROOT

APPS = ROOT / "examples/apps"
PATIENCE = 60


def until(condition, what):
    """Waits until the condition holds and returns its result."""
    return touchgridd.until(condition, what, PATIENCE)


class Daemon(touchgridd.Daemon):
    """touchgridd with the configuration of the demonstration's kiosk."""

    PATIENCE = PATIENCE

    def __init__(self, recording=None):
        super().__init__(name="touchgrid-apps")
        self.recording = recording or self.person()

    def person(self):
        # In these tests the apps name the screens, so the recording must not.
        lines = (ROOT / "Recordings/kiosk-demo.evemu").read_text().splitlines(keepends=True)
        path = self.folder + "/person.evemu"
        with open(path, "w") as file:
            file.writelines(line for line in lines if not line.startswith("# touchgrid-screen"))
        return path

    def start(self):
        super().start(ROOT / "Recordings/kiosk-demo.toml", self.recording)

    def shows(self, screen):
        def shown():
            return self.ask("GetScreen")["screen"]

        until(lambda: shown() == screen, lambda: f"the daemon shows {screen}: it shows {shown()}")

    def is_touched(self):
        """Waits until the current screen has been touched again and all fingers are up."""
        before = self.ask("GetStatus")["tally"]["touches"]

        def touched():
            status = self.ask("GetStatus")
            return status["tally"]["touches"] > before and status["touchesDown"] == 0

        until(touched, "a touch")

    def rows(self, question):
        with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as store:
            return store.execute(question).fetchall()


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
