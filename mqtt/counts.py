"""The counts: what the daemon's user takes from the daemon every five minutes, in a file for the part with a network.

The step is what keeps a PIN's length and the times of its keys from a network: docs/metrics.md has the same one. The
part with a network cannot make it shorter, because another user, which a timer of systemd starts, writes the file.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import time
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from settings import Failure, Settings
from touchgrid import CallError, Client

PATH = "/run/touchgrid-mqtt-counts/counts.json"
# The file has the same content for so long, in s, whoever asks for another and however often. The timer's step is 300.
STEP = 290
# The longest file that is read, in bytes; the most faults, and how long the text of each may be.
LONGEST, MOST_FAULTS, LONGEST_TEXT = 65_536, 16, 200
# How long what was found about the touchscreens stays, in s: to look at all days takes a while.
PANELS_LAST = 3600
# A write of the store that takes longer, in ms, means that the disk hangs.
SLOW_MS = 30_000


@dataclass
class Counts:
    """What may be told. None: unknown; `screen` is None too while it, or a mask, is not to be told."""

    sessions: int = 0
    touches: int | None = 0
    # good, slow, failing or damaged.
    store: str = "good"
    faulty: bool | None = None
    faults: list[str] = field(default_factory=list)
    # When the touchscreens were looked at, in s since 1970.
    panels_at: float = 0
    screen: str | None = None


def read(path: str) -> Counts | None:
    """Returns the counts of a file; None if there are none, or they make no sense."""
    try:
        with open(path, "rb") as file:
            values = json.loads(file.read(LONGEST))
    except (OSError, ValueError, RecursionError):
        return None
    types: dict[str, tuple[type, ...]] = {
        "sessions": (int,), "touches": (int, type(None)), "store": (str,), "faulty": (bool, type(None)),
        "faults": (list,), "panels_at": (int, float), "screen": (str, type(None))}
    if not isinstance(values, dict) or values.keys() != {each.name for each in fields(Counts)}:
        return None
    fits = all(type(values[name]) in kinds for name, kinds in types.items())
    return Counts(**values) if fits and all(isinstance(each, str) for each in values["faults"]) else None


def collect(settings: Settings, socket: str, path: str) -> None:
    """Writes the file anew, unless it is too new. Raises Failure if the daemon does not answer."""
    counts, now = Counts(), time.time()
    with contextlib.suppress(OSError):
        if 0 <= now - os.stat(path).st_mtime < STEP:
            return
    try:
        with Client(socket) as client:
            status = client.GetStatus()
            counts.store = store_state(status["store"])
            counts.sessions, counts.touches = today(client, now)
            if settings.screen:
                counts.screen = unmasked_screen(client)
    except (OSError, CallError) as error:
        raise Failure(f"the daemon at {socket} does not answer: {error}") from None
    former = read(path)
    if former and former.faulty is not None and 0 <= now - former.panels_at < PANELS_LAST:
        counts.faulty, counts.faults, counts.panels_at = former.faulty, former.faults, former.panels_at
    else:
        counts.faulty, counts.faults = panels(socket)
        counts.panels_at = now
    if status["devices"] == 0:
        # For this once: the next time, the touchscreens are looked at again.
        counts.faulty, counts.faults, counts.panels_at = True, ["no touchscreen is read"], 0
    write(path, json.dumps(asdict(counts)), now)


def write(path: str, text: str, now: float) -> None:
    """Replaces a file as a whole, so that a reader never finds half of it. `now`: the time of its content."""
    new = pathlib.Path(path + ".new")
    try:
        new.write_text(text, encoding="utf-8")
        os.utime(new, (now, now))
        new.rename(path)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from None


def store_state(store: Any) -> str:
    if store.get("error") is not None:
        return "failing"
    if store.get("movedAside") is not None:
        return "damaged"
    return "slow" if (store.get("busyForMs") or 0) > SLOW_MS else "good"


def today(client: Client, now: float) -> tuple[int, int | None]:
    """Returns the sessions that began on this day of the kiosk's calendar, and their touches, None if unknown."""
    # A day has at most 25 hours, and the clock may have been set back a little.
    days = client.ListDays(span={"sinceAtMs": int(1000 * (now - 26 * 3600))})["days"]
    for day in days:
        if day["day"] == time.strftime("%Y-%m-%d", time.localtime(now)):
            totals = day.get("totals")
            return day["sessions"], totals and sum(totals[name] for name in ("counted", "masked", "stillDown"))
    return 0, 0


def unmasked_screen(client: Client) -> str | None:
    """Returns the screen that is shown; None while any display shows one with a mask, or that is in doubt."""
    masks, shown = client.GetMasks(), client.GetScreen()
    screens = {shown["screen"], *(display["screen"] for display in client.GetDisplays()["displays"])}
    masked = {mask["screen"] for kind in ("configured", "added", "widened") for mask in masks[kind]}
    is_the_same = (client.GetMasks()["revision"], client.GetScreen()) == (masks["revision"], shown)
    return None if masks["everything"] or screens & masked or not is_the_same else shown["screen"]


def panels(socket: str) -> tuple[bool | None, list[str]]:
    """Returns whether a touchscreen is faulty, None if that is unknown, and the faults in words."""
    try:
        done = subprocess.run(["touchgrid", "panel", "--json", "--socket", socket], capture_output=True, timeout=240,
                              stdin=subprocess.DEVNULL)
        found = json.loads(done.stdout)["panels"]
        states = {panel["state"] for panel in found}
        faults = [finding["headline"] for panel in found for finding in panel["findings"]]
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
        return None, []
    is_faulty = True if "faulty" in states else False if "good" in states else None
    return is_faulty, [fault[:LONGEST_TEXT] for fault in faults[:MOST_FAULTS]]
