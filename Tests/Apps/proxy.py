"""Programs between a client and a server, which see what they send."""

import contextlib
import json
import socket
import threading
import time


class Proxy:
    """Passes everything on. Subclasses define `passes`: given the bytes that are held back and the socket that they go
    to, it returns the bytes to send now and those to hold; with None to send, the connection ends."""

    def __init__(self, listener, connect):
        """`connect` returns a new connection to the server."""
        self.listener, self.connect = listener, connect
        self.open, self.threads = [listener], []
        self.start(self.accept)

    def start(self, target, *arguments):
        self.threads.append(threading.Thread(target=target, args=arguments, daemon=True))
        self.threads[-1].start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, server = self.listener.accept()[0], self.connect()
                self.open += [client, server]
                self.start(self.pump, client, server, False)
                self.start(self.pump, server, client, True)

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

    def close(self):
        for end in self.open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for end in self.open:
            end.close()


class Tap(Proxy):
    """Between an app and the daemon: records the app's calls. `delay` is the time, in seconds, by which the calls to
    the daemon are delayed."""

    def __init__(self, path, daemon, delay=0):
        self.delay, self.calls = delay, []
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()

        def connect():
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(daemon)
            return connection

        super().__init__(listener, connect)

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
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        super().__init__(listener, lambda: socket.create_connection(("127.0.0.1", port)))

    def passes(self, held, target, is_reply):
        if is_reply and self.START in held:
            return self.hook(held, target), b""
        # The start of a picture may be cut in two.
        if is_reply and any(held.endswith(self.START[:size]) for size in range(1, len(self.START))):
            return b"", held
        return held, b""
