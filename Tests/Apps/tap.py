"""A proxy between an app and the daemon that records the app's calls."""

import contextlib
import json
import socket
import threading
import time


class Tap:
    def __init__(self, path, daemon, delay=0):
        """`delay` is the time, in seconds, by which the calls to the daemon are delayed."""
        self.delay = delay
        self.daemon, self.calls, self.sockets, self.threads = daemon, [], [], []
        self.listener = self.keep(socket.socket(socket.AF_UNIX))
        self.listener.bind(path)
        self.listener.listen()
        self.start(self.accept)

    def close(self):
        for end in self.sockets:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        for end in self.sockets:
            end.close()

    def keep(self, end):
        self.sockets.append(end)
        return end

    def start(self, *what):
        self.threads.append(threading.Thread(target=what[0], args=what[1:]))
        self.threads[-1].start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                app = self.keep(self.listener.accept()[0])
                daemon = self.keep(socket.socket(socket.AF_UNIX))
                daemon.connect(self.daemon)
                self.start(self.pump, app, daemon, self.calls, self.delay)
                self.start(self.pump, daemon, app, [], 0)

    def pump(self, source, sink, kept, delay):
        said = b""
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                *messages, said = (said + part).split(b"\0")
                now = time.monotonic_ns() // 1000
                kept += [(now, json.loads(message)) for message in messages]
                time.sleep(delay)
                sink.sendall(part)
            sink.shutdown(socket.SHUT_WR)

    def ages(self):
        """Returns how long before the arrival of each name the screen had changed, in
        microseconds. Leaves out names without the time of the change."""
        names = [(now, call["parameters"]) for now, call in self.calls
                 if call["method"] == "io.touchgrid.SetScreen"]
        return [now - parameters["changedAtUs"] for now, parameters in names
                if parameters.get("changedAtUs") is not None]
