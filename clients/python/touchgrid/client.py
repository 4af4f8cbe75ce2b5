"""A blocking connection to the daemon."""

import socket
import struct
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from .interface import Methods
from .protocol import PATH, Messages, answer, message


class Client(Methods):
    """A connection with all methods of the interface. It ends when the daemon stops.

        with Client() as client:
            print(client.GetScreen()["screen"])
            for frame in client.WatchTouches():
                print(frame["touches"])

    All methods raise CallError for an error reply of the daemon, and OSError if the connection fails:
    TimeoutError if the complete reply takes longer than the timeout, ProtocolError if it is invalid. After
    an OSError the connection is unusable.
    """

    def __init__(self, path: str = PATH, timeout: float = 10):
        """`timeout`: the time limit for the connection and for each reply, in seconds. Raises OSError
        if no daemon listens at the path."""
        self.timeout = timeout
        self.messages = Messages()
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            # If the kernel's queue is full, connect waits up to this timeout. With Python's own timeout it
            # would fail immediately.
            seconds, microseconds = divmod(max(1, int(timeout * 1_000_000)), 1_000_000)
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", seconds, microseconds))
            self.socket.connect(str(path))
        except BlockingIOError:
            self.socket.close()
            raise TimeoutError(f"the daemon does not accept the connection within {timeout} s") from None
        except OSError as error:
            self.socket.close()
            error.filename = str(path)
            raise

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection, also for a thread that waits for a reply on it."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    def call(self, method: str, **parameters: Any) -> Any:
        """Calls a method and returns the members of its reply."""
        end = time.monotonic() + self.timeout
        self.send(message(method, parameters), end)
        return self.reply(method, end)[0]

    def stream(self, method: str, **parameters: Any) -> Iterator[Any]:
        """Calls a method with `more`. Yields the members of each reply as it arrives, without a time limit.
        Leaving the loop before its end closes the connection."""
        self.send(message(method, parameters, more=True), time.monotonic() + self.timeout)
        continues = True
        while continues:
            members, continues = self.reply(method, None)
            try:
                yield members
            except GeneratorExit:
                # The next call would mistake the remaining replies for its own.
                if continues:
                    self.close()
                raise

    def send(self, text: bytes, end: float | None) -> None:
        self.set_timeout(end)
        self.socket.sendall(text)

    def reply(self, method: str, end: float | None) -> tuple[dict[str, Any], bool]:
        """Waits for the next reply until a time. Returns its members and whether more replies follow."""
        text = self.read(end)
        if text is None:
            raise ConnectionError("the daemon has closed the connection")
        return answer(text, method)

    def read(self, end: float | None) -> bytes | None:
        """Waits for the next message until a time. Returns None if the connection has ended."""
        while (text := self.messages.next()) is None:
            self.set_timeout(end)
            part = self.socket.recv(1 << 18)
            if not part:
                return None
            self.messages.add(part)
        return text

    def set_timeout(self, end: float | None) -> None:
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError(f"the daemon has not answered within {self.timeout} s")
        self.socket.settimeout(left)
