"""The daemon with recorded fingers, and a client that watches it."""

import json
import os
import signal
import socket
import threading
import time

from support import PATIENCE, until


class Daemon:
    """`displays` maps the name of each panel to a table of the configuration: name, width,
    height and the like."""

    def __init__(self, person, displays, masks=(), late_names="250ms"):
        self.person = person
        self.socket = person.folder + "/socket"
        lines = [f'[store]\npath = "{person.folder}/touchgrid.db"\n[session]\nlate_names = "{late_names}"\n[log]\nlevel = "debug"']
        for panel, display in displays.items():
            lines.append(f'[[device]]\nmatch = "{panel}"\ndisplay = "{display["name"]}"')
        for kind, tables in (("display", displays.values()), ("mask", masks)):
            for table in tables:
                lines += [f"[[{kind}]]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
        self.config = person.write("touchgridd.toml", "\n".join(lines) + "\n")
        # The rights that the process runs with; None: those of the person.
        self.program = self.rights = None
        self.touches = None
        self.starts = 0

    def play(self, fingers):
        """Starts the daemon and watches it. `fingers` may also be the text of a recording."""
        self.starts += 1
        text = fingers if isinstance(fingers, str) else fingers.text()
        recording = self.person.write(f"fingers{self.starts}.recording", text)
        self.program = self.person.program(
            self.person.ours("touchgridd"), "--config", self.config, "--replay", recording, "--pace", "recorded",
            "--socket", self.socket, name=f"touchgridd{self.starts}", rights=self.rights)
        until(self.answers, lambda: f"the daemon answers: {self.program.said}")
        self.touches = Touches(self.socket)
        return self

    def answers(self):
        assert self.program.process.poll() is None, self.program.said
        try:
            return self.ask("GetStatus")
        except OSError:
            return None

    def connect(self, method, **call):
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(PATIENCE)
            connection.connect(self.socket)
            send(connection, method, **call)
        except OSError:
            connection.close()
            raise
        return connection

    def ask(self, method, **parameters):
        with self.connect(method, parameters=parameters) as connection:
            return reply(connection)

    def is_watched(self):
        """Waits until the overlay is connected beside this test's own client."""
        until(lambda: self.ask("GetStatus")["watchers"] >= 2, "a second client that watches")

    def freeze(self):
        """Stops the daemon, so that the pictures stay the same however long the test looks at
        them."""
        os.kill(self.program.pid, signal.SIGSTOP)

    def thaw(self):
        os.kill(self.program.pid, signal.SIGCONT)

    def holds(self, count, moves=0):
        """Waits until `count` fingers are down and have moved `moves` times, and freezes the
        daemon."""
        until(lambda: len(self.touches.down) == count and self.touches.moves >= moves,
              lambda: f"{count} fingers: {self.touches.down}")
        # The daemon may not yet have sent this update to the overlay. Once a call is answered, it
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


def send(connection, method, **call):
    connection.sendall(json.dumps({"method": "io.touchgrid." + method, **call}).encode() + b"\0")


def reply(connection):
    text = b""
    while not text.endswith(b"\0"):
        part = connection.recv(65536)
        if not part:
            raise ConnectionError("closed")
        text += part
    answer = json.loads(text[:-1])
    assert "error" not in answer, answer
    return answer.get("parameters", {})


class Touches:
    """Live touches, read by a thread of its own: the contacts that are down, and the arrival
    times of frames (CLOCK_MONOTONIC)."""

    def __init__(self, path):
        self.down, self.moves, self.last_end = {}, 0, None
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(path)
        send(self.connection, "WatchTouches", parameters={}, more=True)
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
