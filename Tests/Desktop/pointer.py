"""A pointing device for a Wayland compositor. It speaks zwlr_virtual_pointer_v1 without a
library."""

import socket
import struct
import time

LEFT = 0x110


class Pointer:
    def __init__(self, path):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(path)
        self.globals = {}
        self.send(1, 1, struct.pack("=I", 2))  # wl_display.get_registry
        self.answered(3)
        self.bind("wl_seat", 1, 4)
        self.bind("zwlr_virtual_pointer_manager_v1", 1, 5)
        self.send(5, 0, struct.pack("=II", 4, 6))  # create_virtual_pointer
        self.answered(7)

    def send(self, thing, request, data=b""):
        self.connection.sendall(struct.pack("=IHH", thing, request, 8 + len(data)) + data)

    def answered(self, callback):
        """Waits until the compositor has handled all requests. `callback` is an unused object
        ID."""
        self.send(1, 0, struct.pack("=I", callback))  # wl_display.sync
        buffer = b""
        while True:
            while len(buffer) < 8 or len(buffer) < struct.unpack_from("=H", buffer, 6)[0]:
                part = self.connection.recv(65536)
                assert part, "the compositor has gone"
                buffer += part
            thing, event, size = struct.unpack_from("=IHH", buffer)
            data, buffer = buffer[8:size], buffer[size:]
            assert (thing, event) != (1, 0), data  # wl_display.error
            if (thing, event) == (2, 0):
                number, length = struct.unpack_from("=II", data)
                self.globals[data[8 : 8 + length - 1].decode()] = number
            if thing == callback:
                return

    def bind(self, interface, version, new):
        name = interface.encode() + b"\0"
        text = struct.pack("=I", len(name)) + name + b"\0" * (-len(name) % 4)
        self.send(2, 0, struct.pack("=I", self.globals[interface]) + text + struct.pack("=II", version, new))

    def move(self, x, y, width, height):
        """Moves the pointer to a position on the area of all outputs together, which has this
        width and height."""
        now = int(time.monotonic() * 1000) & 0xFFFFFFFF
        self.send(6, 1, struct.pack("=IIIII", now, x, y, width, height))
        self.send(6, 4)
        self.answered(7)

    def click(self):
        for state in (1, 0):
            now = int(time.monotonic() * 1000) & 0xFFFFFFFF
            self.send(6, 2, struct.pack("=III", now, LEFT, state))
            self.send(6, 4)
        self.answered(7)

    def close(self):
        self.connection.close()
