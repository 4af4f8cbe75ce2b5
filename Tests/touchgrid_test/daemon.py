"""The daemon in a folder of its own, and the touches that it shows."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

from touchgrid import Client

from .fingers import Fingers
from .waiting import BINARIES, PATIENCE, memory, processor_seconds, until


def panels(displays):
    """Returns the configuration of panels, by name, that lie on these displays: the keys of their tables."""
    lines = []
    for panel, display in displays.items():
        lines.append(f'[[device]]\nmatch = "{panel}"\ndisplay = "{display["name"]}"')
        lines += ["[[display]]", *(f"{key} = {json.dumps(value)}" for key, value in display.items())]
    return "\n".join(lines) + "\n"


class Daemon:
    """touchgridd with its configuration, its store and its socket in a folder."""

    def __init__(self, configuration=None, folder=None, rights=None, name="touchgrid-test"):
        """`configuration`: the text of the file; without one, the daemon is not set up. If no folder is given, the
        daemon uses a temporary one with this name in its own, which everybody can read and `close` deletes. `rights`:
        the user and groups that the daemon runs as, as options of Popen."""
        self.is_own_folder = folder is None
        self.folder = str(folder or tempfile.mkdtemp(prefix=name + "."))
        self.socket, self.store, self.config, self.log = (
            f"{self.folder}/{name}" for name in ("socket", "touchgrid.db", "touchgridd.toml", "touchgridd.log"))
        self.program, self.rights, self.is_set_up = BINARIES / "touchgridd", rights or {}, configuration is not None
        self.process = self.recording = self.touches = None
        if self.is_own_folder:
            os.chmod(self.folder, 0o755)
        if self.rights:
            # This user may be unable to read the build folder.
            self.program = shutil.copy(self.program, self.folder)
            self.own(self.folder)
        if self.is_set_up:
            self.write("touchgridd.toml", configuration)

    def own(self, path):
        """Gives a file to the user that the daemon runs as."""
        if self.rights:
            shutil.chown(path, self.rights["user"], self.rights["group"])
        return path

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        pathlib.Path(path).write_text(text, encoding="utf-8")
        return self.own(path)

    @property
    def command(self):
        return [self.program, *(["--config", self.config] if self.is_set_up else []), "--store", self.store,
                "--socket", self.socket, *(["--replay", self.recording, "--pace", "recorded"] if self.recording else [])]

    def start(self, play=None, stays=600, pause=0.02, clock=None, **options):
        """Starts the daemon and waits until it answers. `play` is what it plays at the pace of the recording: fingers,
        after which their panels stay for `stays` seconds, or the path of a recording. Without it, the daemon plays the
        same as before; at first it reads the machine's devices. `pause` is that of `until`, and `options` are those of
        Popen. With `clock`, in seconds since 1970, its clocks stand still until `passes` (debug builds only)."""
        if isinstance(play, Fingers):
            play = self.write("fingers.recording", play.rests(stays).text())
        self.recording = play or self.recording
        command, pipe = self.command, subprocess.PIPE
        with open(self.log, "a", encoding="utf-8") as log:
            stdin, stdout = subprocess.DEVNULL, log
            if clock is not None:
                command, stdin, stdout = [*command, "--test-clock", str(round(1000 * clock))], pipe, pipe
            self.process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=log, **self.rights, **options)
        if clock is not None:
            assert self.process.stdout.readline(), f"the daemon ended: {self.said}"
        until(self.answers, lambda: f"the daemon is ready: {self.said}", pause=pause)
        return self

    def passes(self, seconds):
        """Lets time pass for a daemon with a clock, and returns when it has done all that became due."""
        self.process.stdin.write(b"%d\n" % (1_000_000 * seconds))
        self.process.stdin.flush()
        self.process.stdout.readline()

    def answers(self):
        assert self.process.poll() is None, f"the daemon ended with {self.process.returncode}: {self.said}"
        with contextlib.suppress(OSError):
            return self.call("GetStatus")

    @property
    def said(self):
        return pathlib.Path(self.log).read_text(encoding="utf-8", errors="replace")

    def stop(self, number=signal.SIGTERM):
        """Ends the daemon. Unless it is killed, it must end well."""
        self.process.send_signal(signal.SIGCONT)
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.close_pipes()
        assert status == (-9 if number == signal.SIGKILL else 0), f"the daemon ended with {status}: {self.said}"
        self.process = None
        self.unwatch()

    def kill(self):
        self.stop(signal.SIGKILL)

    def close_pipes(self):
        for pipe in filter(None, (self.process.stdin, self.process.stdout)):
            pipe.close()

    def unwatch(self):
        if self.touches:
            self.touches.close()
        self.touches = None

    def close(self):
        self.unwatch()
        if self.process:
            self.process.kill()
            self.process.wait()
            self.close_pipes()
            self.process = None
        if self.is_own_folder:
            shutil.rmtree(self.folder)

    def freeze(self):
        """Suspends the daemon, so that what is shown stays the same while a test examines it."""
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self):
        os.kill(self.process.pid, signal.SIGCONT)

    # ---- Calls

    def connect(self):
        return Client(self.socket, PATIENCE)

    def call(self, method, **parameters):
        """Calls a method on a connection of its own, and returns the members of the reply."""
        with self.connect() as client:
            return client.call(method, **parameters)

    def shows(self, screen):
        """Waits until this screen is named."""
        def shown():
            return self.call("GetScreen")["screen"]

        until(lambda: shown() == screen, lambda: f"the daemon shows {screen}: it shows {shown()}")

    def has_counted(self, touches):
        """Waits until so many touches are over and counted."""
        until(lambda: self.call("GetStatus")["tally"]["touches"] >= touches, f"{touches} touches")

    def is_touched(self):
        """Waits until the current screen has been touched again and all fingers are up."""
        before = self.call("GetStatus")["tally"]["touches"]

        def touched():
            status = self.call("GetStatus")
            return status["tally"]["touches"] > before and status["touchesDown"] == 0

        until(touched, "a touch")

    def rows(self, question):
        """Asks the store."""
        with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as store:
            return store.execute(question).fetchall()

    # ---- Live touches

    def play(self, fingers, **options):
        """Starts the daemon and watches it."""
        self.start(fingers, **options)
        self.watch()
        return self

    def watch(self):
        self.touches = Touches(self.socket)
        return self.touches

    def is_watched(self):
        """Waits until another client watches, besides this test's own one."""
        until(lambda: self.call("GetStatus")["watchers"] >= 2, "a second client that watches")

    def holds(self, count, moves=0):
        """Waits until `count` fingers are down and there were at least `moves` moves, then
        freezes the daemon."""
        until(lambda: len(self.touches.down) == count and self.touches.moves >= moves,
              lambda: f"{count} fingers: {self.touches.down}")
        # The daemon may not have sent this frame to the overlay yet. Once it answers a call, it
        # has.
        self.is_watched()
        self.freeze()
        assert len(self.touches.down) == count, "the machine was too slow for these fingers"

    # ---- Costs

    def processor_seconds(self):
        return processor_seconds(self.process.pid)

    def memory(self, field="VmHWM"):
        return memory(self.process.pid, field)


class Touches:
    """Live touches, read by a thread: those that are down by their ID; the number of moves; the time of the last
    touch-up in seconds, and of each touch-down in µs, with the touch (CLOCK_MONOTONIC)."""

    def __init__(self, path):
        self.down, self.moves, self.last_end, self.began = {}, 0, None, []
        self.client = Client(path, PATIENCE)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        # The connection ends with the daemon, or with the test.
        with contextlib.suppress(OSError, ValueError):
            for frame in self.client.stream("WatchTouches"):
                self.take(frame)

    def take(self, frame):
        down = dict(self.down)
        for touch in frame["touches"]:
            if touch["phase"] in ("ended", "cancelled"):
                down.pop(touch["id"], None)
                self.last_end = time.monotonic()
            else:
                down[touch["id"]] = touch
                self.moves += touch["phase"] == "moved"
            if touch["phase"] == "began":
                self.began.append((frame["atUs"], touch))
        self.down = down

    def all_lifted(self):
        """Waits until no finger is down, and returns the time of the last touch-up."""
        until(lambda: not self.down and self.last_end, lambda: f"fingers lift: {self.down}")
        return self.last_end

    def close(self):
        self.client.close()
        self.thread.join()
