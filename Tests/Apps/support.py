"""The daemon with the recording of a person, a client that queries it, and apps that take
commands on standard input."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
APPS = ROOT / "examples/apps"
BINARIES = pathlib.Path(os.environ.get("TOUCHGRID_BINARIES", ROOT / ".build/debug"))
PATIENCE = 60


def until(condition, what):
    """Waits until the condition holds and returns its result."""
    deadline = time.monotonic() + PATIENCE
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {PATIENCE} s in vain: {what}")
        time.sleep(0.03)
    return result


class Daemon:
    """touchgridd with its store and its socket in a folder of their own."""

    def __init__(self, recording=None):
        self.folder = tempfile.mkdtemp(prefix="touchgrid-apps.")
        self.socket, self.store = self.folder + "/socket", self.folder + "/touchgrid.db"
        self.recording = recording or self.person()
        self.process = None
        self.log = open(self.folder + "/log", "w+")

    def person(self):
        # In these tests the apps name the screens, so the recording must not.
        lines = (ROOT / "Recordings/kiosk-demo.evemu").read_text().splitlines(keepends=True)
        path = self.folder + "/person.evemu"
        with open(path, "w") as file:
            file.writelines(line for line in lines if not line.startswith("# touchgrid-screen"))
        return path

    def start(self):
        self.process = subprocess.Popen(
            [BINARIES / "touchgridd", "--replay", self.recording, "--pace", "recorded",
             "--config", ROOT / "Recordings/kiosk-demo.toml", "--store", self.store,
             "--socket", self.socket],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        until(self.answers, "the daemon answers")

    def stop(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, self.said
        self.process = None

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder)

    @property
    def said(self):
        self.log.seek(0)
        return self.log.read()

    def answers(self):
        with contextlib.suppress(OSError):
            return self.ask("GetStatus")

    def ask(self, method, **parameters):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(self.socket)
            call = {"method": "io.touchgrid." + method, "parameters": parameters}
            connection.sendall(json.dumps(call).encode() + b"\0")
            reply = b""
            while not reply.endswith(b"\0"):
                part = connection.recv(65536)
                if not part:
                    raise ConnectionError("closed")
                reply += part
        reply = json.loads(reply[:-1])
        assert "error" not in reply, reply
        return reply.get("parameters", {})

    def shows(self, screen):
        until(lambda: self.ask("GetScreen")["screen"] == screen, f"the daemon shows {screen}")

    def is_touched(self):
        """Waits until the current screen has been touched and all fingers are up."""
        before = self.ask("GetStatus")["tally"]["touches"]

        def touched():
            status = self.ask("GetStatus")
            return status["tally"]["touches"] > before and status["touchesDown"] == 0

        until(touched, "a touch")

    def rows(self, question):
        with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as store:
            return store.execute(question).fetchall()


class App:
    """A program that reads from its standard input which screen to show."""

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
