"""`client` and `app` for asyncio."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from .app import Calls, State, complain, now
from .interface import AsyncMethods, Mask
from .protocol import PATH, TIMEOUT, CallError, Messages, ProtocolError, answer, message

# The replies to a call: the members of a reply and whether more follow, or an error.
Replies = asyncio.Queue[tuple[dict[str, Any], bool] | Exception]


class AsyncClient(AsyncMethods, asyncio.Protocol):
    """A connection with all methods of the interface. It ends when the daemon stops, which sets `ended`.

        async with await AsyncClient.connect() as client:
            async for frame in client.WatchTouches():
                print(frame["touches"])
    """

    # The number of waiting replies above which a loop's connection is not read.
    MOST_WAITING = 64

    def __init__(self, timeout: float):
        self.timeout = timeout
        self.messages = Messages()
        # The calls without a last reply, in order: the method, and the queue for its replies.
        self.waiting: deque[tuple[str, Replies]] = deque()
        self.error: Exception | None = None
        self.ended = asyncio.Event()

    @classmethod
    async def connect(cls, path: str = PATH, timeout: float = 10) -> "AsyncClient":
        """Raises OSError if no daemon listens at the path. `timeout`: see `Client`."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout):
                return (await loop.create_unix_connection(lambda: cls(timeout), str(path)))[1]
        except TimeoutError:
            raise TimeoutError(f"the daemon does not accept the connection within {timeout:.3g} s") from None

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.end(ConnectionError("the connection was closed"))

    async def call(self, method: str, **parameters: Any) -> Any:
        """Calls a method and returns the members of its reply."""
        replies = self.send(method, parameters)
        try:
            async with asyncio.timeout(self.timeout):
                return (await self.next(replies))[0]
        except TimeoutError:
            error = TimeoutError(f"the daemon has not answered within {self.timeout:.3g} s")
            self.end(error)
            raise error from None

    async def stream(self, method: str, **parameters: Any) -> AsyncIterator[Any]:
        """Calls a method with `more`. Yields the members of each reply as it arrives, without a time limit.
        Leaving the loop before its end closes the connection."""
        replies = self.send(method, parameters, more=True)
        continues = True
        while continues:
            members, continues = await self.next(replies)
            try:
                yield members
            except GeneratorExit:
                # The loop was left early. The unread replies would block the replies to later calls.
                if continues:
                    self.close()
                raise

    def send(self, method: str, parameters: dict[str, Any], **flags: bool) -> Replies:
        if self.error is not None:
            raise self.error
        replies: Replies = asyncio.Queue()
        self.waiting.append((method, replies))
        self.transport.write(message(method, parameters, **flags))
        return replies

    async def next(self, replies: Replies) -> tuple[dict[str, Any], bool]:
        reply = await replies.get()
        if self.error is None and replies.qsize() < self.MOST_WAITING // 2:
            self.transport.resume_reading()
        if isinstance(reply, Exception):
            raise reply
        return reply

    def end(self, error: Exception) -> None:
        if self.error is None:
            self.error = error
            self.transport.abort()
            for _, replies in self.waiting:
                replies.put_nowait(error)
            self.ended.set()

    # ---- Called by asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.messages.add(data)
        try:
            while (text := self.messages.next()) is not None:
                self.take(text)
        except ProtocolError as error:
            self.end(error)

    def take(self, text: bytes) -> None:
        method, replies = self.waiting[0] if self.waiting else ("", Replies())
        reply: tuple[dict[str, Any], bool] | Exception
        try:
            reply = answer(text, method)
        except CallError as error:
            reply = error
            if not self.waiting:
                # The daemon is about to close the connection.
                return self.end(error)
        if isinstance(reply, Exception) or not reply[1]:
            self.waiting.popleft()
        replies.put_nowait(reply)
        if replies.qsize() > self.MOST_WAITING:
            self.transport.pause_reading()

    def connection_lost(self, error: Exception | None) -> None:
        self.end(error or ConnectionError("the daemon has closed the connection"))


class AsyncTouchgrid:
    """The same as `Touchgrid`. Calls of several tasks are made one after another."""

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
        try:
            return await self.ask(method, **parameters)
        except (OSError, CallError) as error:
            self.state.complain(error)
            return None

    async def ask(self, method: str, **parameters: Any) -> Any:
        """Like `call`, but raises CallError and OSError."""
        async with self.turn:
            self.state.note(method, parameters)
            end = time.monotonic() + self.timeout
            is_new = False
            while True:
                try:
                    if self.client is None or self.client.error is not None:
                        is_new = True
                        self.client = await AsyncClient.connect(self.path, max(0.001, end - time.monotonic()))
                        await self.run(self.state.open(method, parameters), end)
                    reply = await self.run(self.state.call(method, parameters), end)
                    self.state.complaint = ""
                    return reply
                except (OSError, CallError) as error:
                    if self.state.is_over(error, is_new, self.close):
                        raise

    async def keep(self, pause: float = 1) -> None:
        """Stays connected, so that after a restart the daemon knows the screen before the next call. Runs until it
        is cancelled. `pause`: the time between two attempts, in seconds."""
        while True:
            await self.call("GetScreen")
            if self.client is not None:
                await self.client.ended.wait()
            await asyncio.sleep(pause)

    async def run(self, calls: Calls, end: float) -> Any:
        assert self.client is not None
        try:
            call = next(calls)
            while True:
                self.client.timeout = max(0, end - time.monotonic())
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
