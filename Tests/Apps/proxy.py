"""Programs between a client and a server, which see what they send."""

import contextlib
import json
import socket
import threading
import time

from touchgrid_test.server import Server


class Proxy(Server):
    """Passes everything on. Subclasses define `passes`: given the bytes that are held back and the socket that they go
    to, it returns the bytes to send now and those to hold; with None to send, the connection ends."""

    def __init__(self, connect, path=None):
        """`connect` returns a new connection to the server."""
        self.connect = connect
        super().__init__(self.pass_on, path)

    def pass_on(self, client):
        with self.connect() as server:
            self.ends.append(server)
            replies = threading.Thread(target=self.pump, args=(server, client, True), daemon=True)
            replies.start()
            self.pump(client, server, False)
            replies.join()

    def pump(self, source, target, is_reply):
        held = b""
        with contextlib.suppress(OSError):
            while part := source.recv(1 << 16):
                sent, held = self.passes(held + part, target, is_reply)
                if sent is None:
                    source.shutdown(socket.SHUT_RDWR)
                    break
                target.sendall(sent)
            target.shutdown(socket.SHUT_WR)


class Tap(Proxy):
    """Between an app and the daemon: records the app's calls. `delay` is the time, in seconds, by which the calls to
    the daemon are delayed."""

    def __init__(self, path, daemon, delay=0):
        self.delay, self.calls = delay, []

        def connect():
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(daemon)
            return connection

        super().__init__(connect, path)

    def passes(self, held, target, is_reply):
        if is_reply:
            return held, b""
        *messages, rest = held.split(b"\0")
        now = time.monotonic_ns() // 1000
        self.calls += [(now, json.loads(message)) for message in messages]
        time.sleep(self.delay)
        return held[:len(held) - len(rest)], rest

    def ages(self):
        """Returns how long before the arrival of each name the screen had changed, in
        microseconds. Leaves out names without the time of the change."""
        names = [(now, call["parameters"]) for now, call in self.calls
                 if call["method"] == "io.touchgrid.SetScreen"]
        return [now - parameters["changedAtUs"] for now, parameters in names
                if parameters.get("changedAtUs") is not None]


class Between(Proxy):
    """Between a DevTools client and a browser: when the browser sends a picture, calls `hook` with the bytes and the
    client's socket. The hook returns the bytes to send instead; with None the connection ends."""

    START = b'"data":"iVBOR'

    def __init__(self, port, hook):
        self.hook = hook
        super().__init__(lambda: socket.create_connection(("127.0.0.1", port)))

    def passes(self, held, target, is_reply):
        if is_reply and self.START in held:
            return self.hook(held, target), b""
        # The start of a picture may be cut in two.
        if is_reply and any(held.endswith(self.START[:size]) for size in range(1, len(self.START))):
            return b"", held
        return held, b""
