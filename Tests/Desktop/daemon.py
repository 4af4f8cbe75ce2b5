"""The daemon with recorded fingers, and a client that watches it."""

import json
import os
import signal
import threading
import time

import touchgridd
from support import PATIENCE, until


class Daemon(touchgridd.Daemon):
    """`displays` maps the name of each panel to the keys of its display's table in the
    configuration, such as name, width and height."""

    PATIENCE = PATIENCE

    def __init__(self, person, displays, masks=(), late_names="250ms"):
        super().__init__(person.folder)
        self.person = person
        lines = [f'[session]\nlate_names = "{late_names}"\n[log]\nlevel = "debug"']
        for panel, display in displays.items():
            lines.append(f'[[device]]\nmatch = "{panel}"\ndisplay = "{display["name"]}"')
        for kind, tables in (("display", displays.values()), ("mask", masks)):
            for table in tables:
                lines += [f"[[{kind}]]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
        self.config = person.write("touchgridd.toml", "\n".join(lines) + "\n")
        # The user and groups that the process runs as, as options of Popen; None: those of the
        # person.
        self.program = self.rights = None
        self.touches = None
        self.starts = 0

    def play(self, fingers):
        """Starts the daemon and watches it. `fingers` may also be the text of a recording."""
        self.starts += 1
        text = fingers if isinstance(fingers, str) else fingers.text()
        recording = self.person.write(f"fingers{self.starts}.recording", text)
        self.program = self.person.program(
            *self.command(self.person.ours("touchgridd"), self.config, recording),
            name=f"touchgridd{self.starts}", rights=self.rights)
        self.process = self.program.process
        self.wait()
        self.touches = Touches(self)
        return self

    @property
    def said(self):
        return self.program.said

    def is_watched(self):
        """Waits until the overlay watches too, besides this test's own client."""
        until(lambda: self.ask("GetStatus")["watchers"] >= 2, "a second client that watches")

    def freeze(self):
        """Suspends the daemon, so that the pictures stay the same while the test examines them."""
        os.kill(self.program.pid, signal.SIGSTOP)

    def thaw(self):
        os.kill(self.program.pid, signal.SIGCONT)

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

    def stop(self, number=signal.SIGTERM):
        self.thaw()
        status = self.program.end(number)
        self.touches.close()
        return status

    def close(self):
        if self.program:
            self.program.close()
        if self.touches:
            self.touches.close()


class Touches:
    """Live touches, read by a separate thread: the touches that are down by their ID, the number
    of moves, and the time of the last touch-up in seconds (CLOCK_MONOTONIC)."""

    def __init__(self, daemon):
        self.down, self.moves, self.last_end = {}, 0, None
        self.connection = daemon.connect("WatchTouches", parameters={}, more=True)
        self.connection.settimeout(None)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        rest = b""
        while True:
            try:
                part = self.connection.recv(65536)
            except OSError:
                return
            if not part:
                return
            *messages, rest = (rest + part).split(b"\0")
            for message in messages:
                self.take(json.loads(message)["parameters"])

    def take(self, frame):
        down = dict(self.down)
        for touch in frame["touches"]:
            if touch["phase"] in ("ended", "cancelled"):
                down.pop(touch["id"], None)
                self.last_end = time.monotonic()
            else:
                down[touch["id"]] = touch
                self.moves += touch["phase"] == "moved"
        self.down = down

    def all_lifted(self):
        """Waits until no finger is down, and returns the time of the last touch-up."""
        until(lambda: not self.down and self.last_end, lambda: f"fingers lift: {self.down}")
        return self.last_end

    def close(self):
        self.connection.close()
