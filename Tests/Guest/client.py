"""A client of the daemon. Methods, parameters and members have the names that they have in io.touchgrid.varlink."""

import json
import socket


class CallError(Exception):
    """An error that the daemon answered."""


class Client:
    def __init__(self, path, timeout=60):
        self.received = b""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def call(self, method, **parameters):
        """Calls a method and returns the members of its reply."""
        return next(self.stream(method, more=False, **parameters))

    def stream(self, method, more=True, **parameters):
        """Calls a method with `more`. Yields the members of each reply as it arrives."""
        call = {"method": f"io.touchgrid.{method}", "parameters": parameters, "more": more}
        self.socket.sendall(json.dumps(call).encode() + b"\0")
        continues = True
        while continues:
            members, continues = self.reply()
            yield members

    def reply(self):
        """Waits for the next reply. Returns its members and whether more replies follow."""
        while b"\0" not in self.received:
            part = self.socket.recv(1 << 16)
            if not part:
                raise ConnectionError("the daemon has closed the connection")
            self.received += part
        message, self.received = self.received.split(b"\0", 1)
        reply = json.loads(message)
        if "error" in reply:
            raise CallError(reply)
        return reply.get("parameters", {}), reply.get("continues", False)
