"""Connects the daemon with the broker, in both directions."""

import asyncio
import contextlib
import datetime
import json
import math
import os
import pathlib
import random
import sys
import time
from collections.abc import Awaitable, Callable

import counts
import entities
from broker import TICK, Broker
from settings import Settings, printable
from touchgrid import AsyncClient, CallError

# The shortest and longest time, in s, before something that has failed is tried again. The daemon is near, and a pause
# must hold again soon after its restart.
BROKER_WAITS, DAEMON_WAITS = (1, 120), (0.5, 10)
# The shortest time between two changes of a switch, in s, however many commands come.
COMMAND_REST = 1
# The shortest time between two cleanings, in s: whoever controls the broker must not keep the glass closed.
CLEANING_REST = 300
# A file of counts that is older, in s, is not sent.
OLDEST = 600


class Hold:
    """A call of the daemon that lasts as long as its connection, while the switch `name` is off. `mark`: the file that
    is there meanwhile, so that the call outlasts a restart of this program."""

    def __init__(self, bridge: "Bridge", name: str, method: str, mark: pathlib.Path):
        self.bridge, self.name, self.method, self.mark = bridge, name, method, mark
        self.is_wanted = mark.exists()
        self.has_command = asyncio.Event()

    def want(self, is_wanted: bool) -> None:
        self.is_wanted = is_wanted
        self.has_command.set()

    async def obey(self) -> None:
        """Makes the call while it is wanted. The newest command counts."""
        call: asyncio.Task[None] | None = None
        while True:
            if self.is_wanted and (call is None or call.done()):
                with contextlib.suppress(OSError):
                    self.mark.touch()
                call = asyncio.create_task(self.bridge.again(self.name, DAEMON_WAITS, self.make))
            elif not self.is_wanted:
                if call is not None:
                    # What was called ends with the connection.
                    call.cancel()
                    await asyncio.wait([call])
                    call = None
                with contextlib.suppress(OSError):
                    self.mark.unlink(missing_ok=True)
                self.bridge.set(self.name, "ON")
            await asyncio.sleep(COMMAND_REST)
            await self.has_command.wait()
            self.has_command.clear()

    async def make(self) -> None:
        async with await AsyncClient.connect(self.bridge.socket) as client:
            async for reply in client.stream(self.method):
                if reply.get("isPaused", True) and self.bridge.states[self.name] != "OFF":
                    self.bridge.complaints.pop(self.name, None)
                    self.bridge.set(self.name, "OFF")
        # Another client has ended all pauses, such as 'touchgrid resume'.
        self.want(False)


class Bridge:
    """`states`: what the broker is to know, by the name of the topic. `clean`: the socket that closes the glass."""

    def __init__(self, settings: Settings, password: str | None, socket: str, counts_path: str, folder: str,
                 clean: str):
        self.settings, self.socket, self.counts_path, self.clean = settings, socket, counts_path, clean
        self.states = {"status": "offline", "recording": "ON", "guard": "ON"}
        will = (f"{settings.base}/status", "offline")
        commands = entities.command_topic(settings, "+")
        self.broker = Broker(settings, password, will, commands, self.take_command, self.came_up)
        switches = ("recording", "Pause", "paused"), ("guard", "SuspendGuard", "unguarded")
        self.holds = {entities.command_topic(settings, name): Hold(self, name, method, pathlib.Path(folder, mark))
                      for name, method, mark in switches}
        self.cleaning: asyncio.Task[None] | None = None
        self.cleaned_at = -math.inf
        self.read_at = 0
        self.complaints: dict[str, str] = {}

    async def run(self) -> None:
        """Runs until it is cancelled. The broker then sends the will."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.again("broker", BROKER_WAITS, self.broker.talk))
            group.create_task(self.again("daemon", DAEMON_WAITS, self.watch))
            for hold in self.holds.values():
                group.create_task(hold.obey())
            group.create_task(self.read_counts())

    async def again(self, what: str, waits: tuple[float, float], work: Callable[[], Awaitable[None]]) -> None:
        """Does something, and again after each failure, at growing intervals."""
        shortest, longest = waits
        wait = shortest
        while True:
            began = time.monotonic()
            try:
                return await work()
            except (OSError, CallError) as error:
                self.complain(what, str(error))
            if time.monotonic() - began > longest:
                wait = shortest
            # So that all kiosks of a broker that comes back do not come at once.
            await asyncio.sleep(wait * random.uniform(0.75, 1.25))
            wait = min(2 * wait, longest)

    def complain(self, what: str, text: str) -> None:
        """Writes to the log, but nothing twice in a row."""
        if self.complaints.get(what) != text:
            print(f"touchgrid-mqtt: {printable(text)}", file=sys.stderr, flush=True)
        self.complaints[what] = text

    def set(self, name: str, text: str) -> None:
        self.states[name] = text
        self.broker.publish(f"{self.settings.base}/{name}", text)

    def came_up(self) -> None:
        """Tells the broker everything, after each connection."""
        self.complaints.pop("broker", None)
        print(f"touchgrid-mqtt: connected to {self.broker.place}", file=sys.stderr, flush=True)
        hidden = set() if self.settings.screen else {"screen"}
        if not os.path.exists(self.clean):
            hidden.add("clean")
        for topic, text in entities.discovery(self.settings, hidden):
            self.broker.publish(topic, text)
        if not self.settings.screen:
            # What was told while the owner still allowed it.
            self.broker.publish(f"{self.settings.base}/screen", "")
        for name, text in list(self.states.items()):
            self.set(name, text)

    # ---- From the daemon

    async def watch(self) -> None:
        """Tells whether somebody touches. The kiosk is online as long as the daemon tells it."""
        async with await AsyncClient.connect(self.socket) as client:
            try:
                async for reply in client.WatchActivity(idleAfterMs=1000 * self.settings.idle_seconds):
                    self.complaints.pop("daemon", None)
                    self.set("touched", "ON" if reply.get("state") == "active" else "OFF")
                    if reply.get("state") == "idle" and (since := reply.get("sinceAtMs")) is not None:
                        when = datetime.datetime.fromtimestamp(since // 1000, datetime.timezone.utc)
                        self.set("idle_since", when.isoformat())
                    if self.states["status"] != "online":
                        self.set("status", "online")
                raise ConnectionError("the daemon tells no more whether somebody touches")
            finally:
                self.set("status", "offline")

    async def read_counts(self) -> None:
        """Sends the counts each time that their file is new."""
        while True:
            with contextlib.suppress(OSError):
                written = os.stat(self.counts_path).st_mtime_ns
                if written != self.read_at and time.time() - written / 1e9 < OLDEST:
                    self.read_at = written
                    if (now := counts.read(self.counts_path)) is None:
                        self.complain("counts", f"{self.counts_path} is not what touchgrid-mqtt --collect writes")
                    else:
                        self.send_counts(now)
            await asyncio.sleep(TICK)

    def send_counts(self, now: counts.Counts) -> None:
        faulty = now.faulty if now.faulty is None else "ON" if now.faulty else "OFF"
        for name, value in (("sessions", now.sessions), ("touches", now.touches), ("store", now.store), ("faulty", faulty)):
            # Home Assistant takes the word None as unknown.
            self.set(name, str(value))
        self.set("faults", json.dumps({"faults": now.faults}))
        if self.settings.screen and now.screen is not None:
            self.set("screen", now.screen)

    # ---- From the broker

    def take_command(self, topic: str, payload: bytes) -> None:
        if topic in self.holds and payload in (b"ON", b"OFF"):
            self.holds[topic].want(payload == b"OFF")
        elif topic == entities.command_topic(self.settings, "clean") and payload == b"ON":
            if time.monotonic() - self.cleaned_at > CLEANING_REST:
                self.cleaned_at = time.monotonic()
                self.cleaning = asyncio.ensure_future(self.close_glass())

    async def close_glass(self) -> None:
        """Has touchgrid-clean.socket close the glass, and waits until it takes touches again."""
        try:
            reader, writer = await asyncio.open_unix_connection(self.clean)
            try:
                result = await reader.read()
            finally:
                writer.close()
        except OSError as error:
            self.cleaned_at = -math.inf
            return self.complain("clean", f"{self.clean} does not close the glass: {error}")
        self.complain("clean", f"the glass was cleaned: {result.decode(errors='replace').strip()}" if result
                      else "the glass was not closed: journalctl -u 'touchgrid-clean@*' has the reason")
