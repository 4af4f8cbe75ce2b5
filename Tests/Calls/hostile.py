"""Lets an app name its screens, one of them masked, while fingers tap and users without a role try to disturb it.

Only root can run it, because its clients change to other users. The daemon's configuration must give the roles to
GROUPS, mask the screen MASKED, and use automatic sessions.
"""

import collections
import contextlib
import grp
import json
import multiprocessing
import os
import threading
import time

from touchgrid import CallError, Client
from touchgrid.protocol import message

GROUPS = {"app": "daemon", "read": "bin", "watch": "sys"}
MASKED, OTHER = "pin", "menu"
ADDED = {"screen": "elsewhere"}
CONFIGURATION = (
    '[[display]]\nname = "kiosk"\nwidth = 128\nheight = 128\n[[device]]\nmatch = "*"\ndisplay = "kiosk"\n'
    "[roles]\n" + "".join(f'{role} = "{group}"\n' for role, group in GROUPS.items())
    + f'[[mask]]\nscreen = "{MASKED}"\n')
# IDs that belong to no existing user.
FIRST_HOSTILE, APP, WATCHER = 62_000, 63_000, 63_001
# How long the app shows one screen before it shows the other.
SHOWN_SECONDS = 0.3
# The pause between two calls of the app.
CALL_SECONDS = 0.02
# The pause before a refused client tries again.
REFUSED_SECONDS = 0.02
PATIENCE = 60

fork = multiprocessing.get_context("fork")


# ---- Messages

def bombs(size):
    """Yields messages of about `size` bytes that are expensive to parse as text: unordered combining marks of several
    classes, escapes, brackets, numbers, many members."""
    mark = "\u0316\u0301\u0334\u035c\u0345"
    escaped = "\\u0316\\u0301\\u0334\\u035c\\u0345"
    members = [
        '"' + mark * (size // 10) + '":1',
        ",".join(f'"{number}{mark * 25}":1' for number in range(size // 260)),
        ",".join(f'"{number}{escaped * 10}":1' for number in range(size // 310)),
        ",".join(f'"{number:x}":0' for number in range(size // 9)),
        '"a":' + "[" * 60 + ",".join(["9" * 399] * (size // 402)) + "]" * 60,
    ]
    for text in members:
        yield f'{{"method":"io.touchgrid.SetScreen","parameters":{{{text}}}}}'.encode() + b"\0"
    yield f'{{"method":"io.touchgrid.{mark * (size // 11)}"}}'.encode() + b"\0"
    yield f'{{"x.{mark * (size // 11)}":1,"method":"io.touchgrid.SetScreen"}}'.encode() + b"\0"


LARGE, SMALL = list(bombs(65_000)), list(bombs(4000))


def reply_to(client):
    """Returns the next reply, or None if the connection has ended."""
    text = client.read(time.monotonic() + client.timeout)
    return text and json.loads(text)


def become(user, *groups):
    """Makes this process run as a user, with only these supplementary groups."""
    os.setgroups([grp.getgrnam(group).gr_gid for group in groups])
    os.setgid(user)
    os.setuid(user)


# ---- Users without a role

class Hostile:
    """A client without a role that opens connections of one kind, one after another."""

    def __init__(self, path, kind, counts, ended):
        self.path, self.kind, self.counts, self.ended = path, kind, counts, ended

    def run(self):
        while not self.ended.is_set():
            try:
                connection = Client(self.path, timeout=1)
            except OSError:
                # The kernel's queue of connections is full.
                self.counts[self.kind, "not connected"] += 1
                time.sleep(REFUSED_SECONDS)
                continue
            self.counts[self.kind, "connected"] += 1
            try:
                getattr(self, self.kind)(connection)
            except (OSError, ValueError):
                self.counts[self.kind, "closed"] += 1
            connection.close()
            time.sleep(REFUSED_SECONDS)

    def large(self, connection):
        """Sends messages of a length that only callers with a role may send."""
        self.send(connection, LARGE)

    def small(self, connection):
        self.send(connection, SMALL)

    def send(self, connection, messages):
        while not self.ended.is_set():
            for text in messages:
                connection.socket.sendall(text)
                reply = reply_to(connection)
                if reply is None:
                    self.counts[self.kind, "closed"] += 1
                    return
                self.counts[self.kind, reply.get("error", "answered").rpartition(".")[2]] += 1

    def idle(self, connection):
        while not self.ended.is_set():
            try:
                reply = reply_to(connection)
            except TimeoutError:
                continue
            if reply is None:
                self.counts[self.kind, "closed"] += 1
                return
            self.counts[self.kind, reply["error"].rpartition(".")[2]] += 1

    def slow(self, connection):
        """Requests long replies and reads none of them."""
        text = message("org.varlink.service.GetInterfaceDescription", {"interface": "io.touchgrid"})
        while not self.ended.is_set():
            try:
                connection.socket.sendall(text)
                self.counts[self.kind, "sent"] += 1
            except TimeoutError:
                continue


KINDS = ("large", "idle", "small", "slow")


def hostile_user(pipe, path, user, kinds):
    """Runs one client for each of `kinds` as `user`, until a message arrives on the pipe."""
    become(user)
    counts, ended = collections.Counter(), threading.Event()
    threads = [threading.Thread(target=Hostile(path, kind, counts, ended).run, daemon=True) for kind in kinds]
    for thread in threads:
        thread.start()
    pipe.recv()
    ended.set()
    pipe.send(dict(counts))


# ---- Users with a role
def app(pipe, path, seconds):
    """Alternates between the two screens, and reports each change with its time to the daemon."""
    become(APP, GROUPS["app"])
    connection = Client(path, PATIENCE)
    connection.call("SetScreen", name=OTHER)
    connection.call("AddMask", mask=ADDED)
    pipe.send("ready")
    pipe.recv()
    # The calls with their durations in seconds; the errors and the screens with their times in µs.
    calls, errors, screens = [], [], []

    def call(over, method, **parameters):
        begun, error = time.monotonic(), None
        try:
            over().call(method, **parameters)
        except (CallError, OSError) as failure:
            error = failure
        calls.append((method, time.monotonic() - begun))
        if error:
            errors.append((time.monotonic_ns() // 1000, method, getattr(error, "name", str(error)).rpartition(".")[2]))

    # Opens a connection for a single call. At most two calls a second use one.
    def anew():
        anew.connection = Client(path, PATIENCE)
        return anew.connection

    end = time.monotonic() + seconds
    screen, changes, number = OTHER, time.monotonic(), 0
    while time.monotonic() < end:
        if time.monotonic() >= changes:
            changes += SHOWN_SECONDS
            screen = MASKED if screen == OTHER else OTHER
            now = time.monotonic_ns() // 1000
            screens.append((now, screen))
            call(lambda: connection, "SetScreen", name=screen, changedAtUs=now)
        elif number % 25 == 0:
            call(anew, "SetScreen", name=screen)
            anew.connection.close()
        else:
            # This mask exists already. Adding a new mask or removing one would cut off live touches.
            method, parameters = (("AddMask", {"mask": ADDED}), ("GetScreen", {}), ("GetMasks", {}))[number % 3]
            call(lambda: connection, method, **parameters)
        number += 1
        time.sleep(CALL_SECONDS)
    screens.append((time.monotonic_ns() // 1000, OTHER))
    connection.call("SetScreen", name=OTHER)
    pipe.send((calls, errors, screens))
    # Keep the connection until the end, as an app does.
    pipe.recv()


def watcher(pipe, path):
    """Watches the touches. Sends the time of each touch-down, in µs, and its screen."""
    become(WATCHER, GROUPS["watch"])
    connection = Client(path, PATIENCE)
    connection.socket.sendall(message("WatchTouches", more=True))
    reply_to(connection)
    pipe.send("ready")
    connection.timeout = 0.2
    touch_downs = []
    while True:
        # After the end, messages that the daemon sent before it may still be unread.
        is_over = pipe.poll()
        try:
            reply = reply_to(connection)
        except TimeoutError:
            if is_over:
                break
            continue
        if reply is None or "error" in reply:
            pipe.send(f"the watcher was cut off: {reply}")
            return
        frame = reply["parameters"]
        touch_downs += [(frame["atUs"], touch["screen"]) for touch in frame["touches"] if touch["phase"] == "began"]
    pipe.send(touch_downs)


# ---- All clients together

def start(target, *arguments):
    mine, theirs = fork.Pipe()
    process = fork.Process(target=target, args=(theirs, *arguments), daemon=True)
    process.start()
    theirs.close()
    return process, mine


def share(values, part):
    return values[min(len(values) - 1, int(part * len(values)))] if values else 0


def wait(condition):
    """Waits until the condition holds, or gives up: the results then show it."""
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)


def besiege(path, touches, seconds):
    """Runs all clients and returns the results as a dictionary. `touches`: how many will be played from now on."""
    owner = Client(path, PATIENCE)
    watching, watched = start(watcher, path)
    naming, named = start(app, path, seconds)
    assert watched.recv() == "ready" and named.recv() == "ready"
    if owner.call("GetStatus")["tally"]["touches"]:
        raise RuntimeError("touches were played before the app and the watcher were connected")
    # The hostile users cost much, so they begin with the touches.
    wait(lambda: owner.call("GetStatus")["tally"]["touches"])
    hostile = [start(hostile_user, path, FIRST_HOSTILE + number, [KINDS[number % len(KINDS)]] * 8) for number in range(8)]
    named.send("go")
    calls, errors, screens = named.recv()
    counts = collections.Counter()
    for process, pipe in hostile:
        pipe.send("end")
        counts.update(pipe.recv())
        process.kill()
        process.join()

    def is_over():
        """The last touch is committed and shown only when a late name can no longer affect it."""
        status = owner.call("GetStatus")
        totals = (status.get("session") or {}).get("totals")
        return status["tally"]["touches"] >= touches and (
            not totals or totals["stillDown"] == 0)

    wait(is_over)
    tally = owner.call("GetStatus")["tally"]
    # If the daemon was slow, the session may have ended already.
    with contextlib.suppress(CallError):
        owner.call("EndSession")

    def all_totals():
        totals = collections.Counter()
        for session in owner.call("ListSessions")["sessions"]:
            totals.update(session["totals"])
        return totals

    # An ended session goes on until its last touch no longer waits for the name of its screen.
    wait(lambda: not all_totals()["stillDown"])
    totals = all_totals()
    begun, counted = totals["begun"], totals["counted"]
    watched.send("end")
    touch_downs = watched.recv()
    if isinstance(touch_downs, str):
        raise RuntimeError(touch_downs)
    named.send("end")
    for process in (watching, naming):
        process.join()

    masked = [(begin, end) for (begin, screen), (end, _) in zip(screens, screens[1:]) if screen == MASKED]
    seen = [(at, screen) for at, screen in touch_downs
            if screen == MASKED or any(begin <= at < end for begin, end in masked)]
    times = sorted(1000 * took for _, took in calls)
    return {
        "calls": len(times), "p50_ms": round(share(times, 0.5), 2), "p99_ms": round(share(times, 0.99), 2),
        "longest_ms": round(share(times, 1), 2), "too_late": sum(error == "TooLate" for _, _, error in errors),
        "errors": errors, "touches": touches, "begun": begun, "counted": counted,
        "masked": totals["masked"], "shown": len(touch_downs), "masked_shown": len(seen), "drops": tally["drops"],
        # Touches that were counted but not shown on an unmasked screen. They must have been on the masked screen, so
        # this should be 0.
        "masked_counted": max(0, counted - (len(touch_downs) - len(seen))),
        "lost": touches - begun,
        "hostile": {f"{kind}, {what}": count for (kind, what), count in sorted(counts.items())},
    }
