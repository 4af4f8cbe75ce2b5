"""A client of the daemon. This file needs no other: it may be copied to where only Python is.

    with Client("/run/touchgrid/io.touchgrid") as client:
        print(client.call("GetScreen")["screen"])
        for frame in client.stream("WatchTouches"):
            print(frame["touches"])

Methods, parameters and members have the names that they have in io.touchgrid.varlink, so that a method for each of them
can be generated from that file: `return self.call("GetScreen", display=display)`.
"""

import json
import socket
import struct

INTERFACE = "io.touchgrid"


class CallError(Exception):
    """An error that the daemon answered: its name, such as io.touchgrid.TooLate, and its parameters."""

    def __init__(self, name, parameters):
        super().__init__(f"{name}: {parameters.get('message', parameters)}")
        self.name, self.parameters = name, parameters


def message(method, parameters=None, **flags):
    """Returns a call as it is sent. A method without a dot is one of io.touchgrid."""
    name = method if "." in method else f"{INTERFACE}.{method}"
    return json.dumps({"method": name, "parameters": parameters or {}, **flags}).encode() + b"\0"


class Client:
    def __init__(self, path, timeout=60):
        """`timeout` is how long to wait for the daemon, in seconds. Raises OSError if none answers at the path."""
        self.received = b""
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            # If the kernel's queue is full, connect waits for this timeout. With Python's timeout it would fail
            # immediately.
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", timeout, 0))
            self.socket.connect(str(path))
            self.socket.settimeout(timeout)
        except OSError:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the connection, also for a thread that waits for a reply on it."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    def call(self, method, **parameters):
        """Calls a method and returns the members of its reply. Raises CallError, or OSError if the connection ends."""
        self.socket.sendall(message(method, parameters))
        return self.reply()[0]

    def stream(self, method, **parameters):
        """Calls a method with `more`. Yields the members of each reply as it arrives, however long that takes."""
        self.socket.sendall(message(method, parameters, more=True))
        self.socket.settimeout(None)
        continues = True
        while continues:
            members, continues = self.reply()
            yield members

    def reply(self):
        """Waits for the next reply. Returns its members and whether more replies follow."""
        text = self.read()
        if text is None:
            raise ConnectionError("the daemon has closed the connection")
        reply = json.loads(text)
        if "error" in reply:
            raise CallError(reply["error"], reply.get("parameters", {}))
        return reply.get("parameters", {}), reply.get("continues", False)

    def read(self):
        """Returns the text of the next message, or None if the connection has ended."""
        parts = [self.received]
        while b"\0" not in parts[-1]:
            part = self.socket.recv(1 << 18)
            if not part:
                self.received = b"".join(parts)
                return None
            parts.append(part)
        text, _, self.received = b"".join(parts).partition(b"\0")
        return text
