"""touchgridd while it plays a recording, and calls to it."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARIES = pathlib.Path(os.environ.get("TOUCHGRID_BINARIES", ROOT / ".build/debug"))


def until(condition, what, patience, pause=0.02):
    """Waits until the condition holds and returns its result. Raises AssertionError with `what` after `patience`
    seconds. `what` is a text, or a function that returns one; `pause` is in seconds."""
    deadline = time.monotonic() + patience
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {patience} s in vain: {what() if callable(what) else what}")
        time.sleep(pause)
    return result


class Daemon:
    """touchgridd with its store and its socket in a folder. It plays a recording at its original pace, and ends when
    the recording ends."""

    # How long to wait for the daemon, in seconds.
    PATIENCE = 60

    def __init__(self, folder=None, name="touchgrid-test"):
        """If no folder is given, the daemon uses a temporary one, which `close` deletes."""
        self.is_own_folder = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix=name + ".")
        self.socket, self.store = self.folder + "/socket", self.folder + "/touchgrid.db"
        self.process = self.log = None

    def command(self, program, configuration, recording):
        return [program, "--config", configuration, "--store", self.store, "--socket", self.socket,
                "--replay", recording, "--pace", "recorded"]

    def start(self, configuration, recording, program=BINARIES / "touchgridd", **options):
        """Starts the daemon and waits until it is ready. The options are those of Popen."""
        self.log = self.log or open(self.folder + "/log", "w+")
        self.process = subprocess.Popen(
            self.command(program, configuration, recording), stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log, **options)
        self.wait()

    def wait(self):
        until(self.is_ready, lambda: f"the daemon is ready: {self.said}", self.PATIENCE)

    def is_ready(self):
        assert self.process.poll() is None, self.said
        with contextlib.suppress(OSError):
            return self.ask("GetStatus")

    @property
    def said(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(self.PATIENCE) == 0, self.said
        self.process = None

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        if self.log:
            self.log.close()
        if self.is_own_folder:
            shutil.rmtree(self.folder)

    def connect(self, method, **call):
        """Returns a connection on which a call has been sent. `call` holds its other members."""
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(self.PATIENCE)
            connection.connect(self.socket)
            name = method if "." in method else "io.touchgrid." + method
            connection.sendall(json.dumps({"method": name, **call}).encode() + b"\0")
        except OSError:
            connection.close()
            raise
        return connection

    def ask(self, method, **parameters):
        """Calls a method and returns the reply's parameters."""
        with self.connect(method, parameters=parameters) as connection:
            reply = b""
            while not reply.endswith(b"\0"):
                part = connection.recv(1 << 18)
                if not part:
                    raise ConnectionError("closed")
                reply += part
        reply = json.loads(reply[:-1])
        assert "error" not in reply, reply
        return reply.get("parameters", {})
