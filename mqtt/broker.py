"""One connection to the MQTT broker at a time, by paho (1.6 of Debian 12, 2 of Debian 13), in asyncio's event loop.

The broker is not trusted. Of what it sends, only short messages on the topics of commands are looked at.
"""

import asyncio
import contextlib
import ssl
import threading
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as mqtt
from settings import Settings

# After how long without a message a ping is sent, in s; and how often paho looks whether that is due. The broker gives
# the kiosk up after one and a half times the first.
KEEPALIVE, TICK = 60, 10
# The longest command, in bytes, that is looked at.
LONGEST_COMMAND = 3
# Version 2 of paho must be told how it calls back.
VERSION = {"callback_api_version": mqtt.CallbackAPIVersion.VERSION2} if hasattr(mqtt, "CallbackAPIVersion") else {}


async def in_thread(work: Callable[[], Any]) -> Any:
    """Runs what may wait for the network. At the end of the program nobody waits for the thread."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if not done.cancelled():
            done.set_exception(error) if error else done.set_result(result)

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except Exception as error:
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, daemon=True).start()
    return await done


class Broker:
    """`will`: the topic and the text of the message that the broker sends when the connection breaks. `commands`: the
    topic of all commands, each of which `take` gets with its own topic."""

    def __init__(self, settings: Settings, password: str | None, will: tuple[str, str], commands: str,
                 take: Callable[[str, bytes], None], came_up: Callable[[], None]):
        self.settings, self.password, self.will, self.commands = settings, password, will, commands
        self.take, self.came_up = take, came_up
        self.client: mqtt.Client | None = None
        self.is_up = False

    @property
    def place(self) -> str:
        return f"the broker {self.settings.host}, port {self.settings.port}"

    def make(self) -> mqtt.Client:
        client = mqtt.Client(client_id=f"touchgrid-{self.settings.name}", clean_session=True, **VERSION)
        client.max_queued_messages_set(1000)
        client.will_set(*self.will, qos=1, retain=True)
        if self.settings.username:
            client.username_pw_set(self.settings.username, self.password)
        if self.settings.tls:
            client.tls_set_context(ssl.create_default_context(cafile=self.settings.ca or None))
        client.on_connect, client.on_subscribe, client.on_message = self.connected, self.subscribed, self.arrived
        return client

    async def talk(self) -> None:
        """Connects, and serves the connection until it breaks. Raises ConnectionError, which says why.

        The client is a new one each time: the former one would first repeat what its broker has not confirmed."""
        loop = asyncio.get_running_loop()
        self.broken: asyncio.Future[None] = loop.create_future()
        try:
            self.client = client = self.make()
        except OSError as error:
            raise ConnectionError(f"the certificates in {self.settings.ca} cannot be read: {error}") from None
        try:
            await in_thread(lambda: client.connect(self.settings.host, self.settings.port, KEEPALIVE))
        except (OSError, ValueError) as error:
            raise ConnectionError(f"{self.place} cannot be reached: {error}") from None
        self.socket = client.socket()
        if self.socket is None:
            raise ConnectionError(f"{self.place} has closed the connection")
        self.descriptor = self.socket.fileno()
        loop.add_reader(self.descriptor, self.read)
        self.flush()
        try:
            while not (await asyncio.wait([self.broken], timeout=TICK))[0]:
                self.run(client.loop_misc)
            self.broken.result()
        finally:
            self.detach()
            self.socket.close()

    def run(self, step: Callable[[], int]) -> None:
        """Runs a step of paho. Whatever a broker provokes in it ends the connection."""
        assert self.client is not None
        try:
            code = step()
            # paho does not say so if it gives a silent broker up.
            error = mqtt.error_string(code) if code else "" if self.client.socket() else "the broker does not answer"
        except Exception as problem:
            error = f"{type(problem).__name__}: {problem}"
        if error:
            self.breaks(f"the connection to {self.place} broke: {error}")

    def breaks(self, reason: str) -> None:
        if not self.broken.done():
            # Now: the next socket may have the number of one that paho has closed.
            self.detach()
            self.broken.set_exception(ConnectionError(reason))

    def detach(self) -> None:
        self.is_up = False
        if not self.broken.done():
            loop = asyncio.get_running_loop()
            for remove in (loop.remove_reader, loop.remove_writer):
                # If paho has closed the socket, the kernel does not know it any more.
                with contextlib.suppress(OSError):
                    remove(self.descriptor)

    def read(self) -> None:
        assert self.client is not None
        self.run(self.client.loop_read)
        # What TLS has decoded already makes the socket readable no more.
        if not self.broken.done() and self.settings.tls and self.socket.pending():
            asyncio.get_running_loop().call_soon(self.read)
        self.flush()

    def flush(self) -> None:
        """Sends what waits, now or when the socket can take it."""
        assert self.client is not None
        loop = asyncio.get_running_loop()
        if not self.broken.done() and self.client.want_write():
            self.run(self.client.loop_write)
        if self.broken.done():
            return
        if self.client.want_write():
            loop.add_writer(self.descriptor, self.flush)
        else:
            loop.remove_writer(self.descriptor)

    def publish(self, topic: str, text: str) -> None:
        """Sends a message that the broker keeps. While there is no connection nothing is sent: `came_up` sends all."""
        if self.is_up and (client := self.client) is not None:
            self.run(lambda: client.publish(topic, text, qos=1, retain=True).rc)
            self.flush()

    # ---- What paho calls. Version 2 has more arguments at the end.

    def connected(self, client: mqtt.Client, _data: Any, _flags: Any, code: Any, *_: Any) -> None:
        if code == 0:
            client.subscribe(self.commands, qos=1)
        else:
            text = (mqtt.connack_string(code) if isinstance(code, int) else str(code)).rstrip(".")
            self.breaks(f"{self.place} refuses the kiosk: {text}. See username, password and the broker's log")

    def subscribed(self, _client: mqtt.Client, _data: Any, _number: int, codes: Any, *_: Any) -> None:
        if any(getattr(code, "value", code) >= 128 for code in codes):
            return self.breaks(f"{self.place} refuses commands: let the user read the topic {self.commands}")
        self.is_up = True
        self.came_up()

    def arrived(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        # A retained command is an old one, which the broker repeats at each connection.
        if not message.retain and len(message.payload) <= LONGEST_COMMAND:
            self.take(message.topic, bytes(message.payload))
