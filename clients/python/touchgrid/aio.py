"""The same as `client` and `app`, for asyncio."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from .app import Calls, State, complain, now
from .interface import AsyncMethods, Mask
from .protocol import PATH, TIMEOUT, CallError, Messages, answer, message


class AsyncClient(AsyncMethods):
    """A connection with all methods of the interface. One call at a time.

        async with await AsyncClient.connect() as client:
            async for frame in client.WatchTouches():
                print(frame["touches"])
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, timeout: float):
        self.reader, self.writer, self.timeout = reader, writer, timeout
        self.messages = Messages()

    @classmethod
    async def connect(cls, path: str = PATH, timeout: float = 10) -> "AsyncClient":
        """Raises OSError if no daemon listens at the path. `timeout`: as of `Client`."""
        async with asyncio.timeout(timeout):
            return cls(*await asyncio.open_unix_connection(path), timeout)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.writer.close()

    async def call(self, method: str, **parameters: Any) -> Any:
        """Calls a method and returns the members of its reply."""
        async with asyncio.timeout(self.timeout):
            await self.send(message(method, parameters))
            return (await self.reply(method))[0]

    async def stream(self, method: str, **parameters: Any) -> AsyncIterator[Any]:
        """Calls a method with `more`. Yields the members of each reply as it arrives, however long that takes."""
        async with asyncio.timeout(self.timeout):
            await self.send(message(method, parameters, more=True))
        continues = True
        while continues:
            members, continues = await self.reply(method)
            yield members

    async def send(self, text: bytes) -> None:
        self.writer.write(text)
        await self.writer.drain()

    async def reply(self, method: str) -> tuple[dict[str, Any], bool]:
        while (text := self.messages.next()) is None:
            part = await self.reader.read(1 << 18)
            if not part:
                raise ConnectionError("the daemon has closed the connection")
            self.messages.add(part)
        return answer(text, method)


class AsyncTouchgrid:
    """As `Touchgrid`. Calls of several tasks are made one after another."""

    def __init__(self, path: str = PATH, *, masks: Iterable[Mask] = (), follows: bool = False, timeout: float = TIMEOUT,
                 log: Callable[[str], None] = complain):
        self.path, self.timeout = path, timeout
        self.state = State(masks, follows, log)
        self.client: AsyncClient | None = None
        self.turn = asyncio.Lock()

    async def show(self, screen: str, display: str | None = None) -> None:
        """Names the screen. Call it just before the screen appears."""
        await self.call("SetScreen", name=screen, display=display, changedAtUs=now())

    async def call(self, method: str, **parameters: Any) -> Any:
        """Calls a method. Returns its reply; None if it failed."""
        async with self.turn:
            self.state.note(method, parameters)
            end = time.monotonic() + self.timeout
            is_new = False
            while True:
                try:
                    if self.client is None:
                        is_new = True
                        self.client = await AsyncClient.connect(self.path, self.timeout)
                        await self.run(self.state.open(method, parameters), end)
                    reply = await self.run(self.state.call(method, parameters), end)
                    self.state.complaint = ""
                    return reply
                except (OSError, CallError) as error:
                    if isinstance(error, OSError) or is_new:
                        self.close()
                    if is_new or not isinstance(error, OSError) or isinstance(error, TimeoutError):
                        self.state.complain(error)
                        return None

    async def run(self, calls: Calls, end: float) -> Any:
        assert self.client is not None
        try:
            call = next(calls)
            while True:
                self.client.timeout = end - time.monotonic()
                try:
                    reply = await self.client.call(call[0], **call[1])
                except CallError as error:
                    call = calls.throw(error)
                else:
                    call = calls.send(reply)
        except StopIteration as stop:
            return stop.value

    def close(self) -> None:
        """Ends the connection. The next call opens another."""
        if self.client is not None:
            self.client.close()
            self.client = None
