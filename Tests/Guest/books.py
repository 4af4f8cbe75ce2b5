#!/usr/bin/python3
"""Reads a store with SQLite alone, as of one moment, and prints its content as JSON.

books.py STORE [--digest ID]    a daemon may have the store open; --digest: print only a digest of
all that is stored of the sessions up to this one

integrity: the result of `PRAGMA integrity_check`. wrong: contradictions in the data. begun,
counted: the totals of all sessions ever stored, even of dropped ones, from the days and from the
sessions that are not rolled up yet. last: the newest session.
"""

import array
import hashlib
import json
import sqlite3
import struct
import sys
import zlib

TOTALS = ["begun", "counted", "masked", "palms", "ghosts", "swallowed", "still_down", "preexisting",
          "cancelled", "clamped", "drops"]


def cells(blob, width):
    return array.array({1: "B", 2: "H", 4: "I", 8: "Q"}[width], zlib.decompress(blob))


class Session:
    """A session with its screens and taps, from its rows and its checkpoint (see docs/store-format.md)."""

    def __init__(self, store, row):
        self.row = dict(row)
        shapes = {each["id"]: tuple(each)[1:6] for each in store.execute("SELECT * FROM geometry")}
        # Touches and taps by display, screen and geometry.
        self.touches, self.taps = {}, {}
        for view in store.execute("SELECT * FROM screen_view WHERE session = ?", (row["id"],)):
            key = (view["display"], view["screen"], shapes[view["geometry"]])
            self.touches[key], self.taps[key] = view["touches"], {}
        for grid in store.execute(
                "SELECT * FROM grid WHERE session = ? AND layer = 'taps'", (row["id"],)):
            key = (grid["display"], grid["screen"], shapes[grid["geometry"]])
            self.taps[key] = {block: count for block, count in enumerate(
                cells(grid["cells"], grid["bytes_per_cell"])) if count}
        if row["ended"] is None and store.execute(
                "SELECT 1 FROM sqlite_schema WHERE name = 'checkpoint'").fetchone():
            for place, (changes,) in enumerate(store.execute(
                    "SELECT changes FROM checkpoint WHERE session = ? ORDER BY number",
                    (row["id"],)), 1):
                self.apply(changes, place)

    def apply(self, changes, place):
        assert zlib.crc32(changes[:-4]) == int.from_bytes(changes[-4:], "little")
        rest = iter(changes[:-4])

        def number():
            value = shift = 0
            while True:
                byte = next(rest)
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value

        def text():
            return bytes(next(rest) for _ in range(number())).decode()

        form = next(rest)
        assert form == 1 and number() == place
        self.row["last_active"] = self.row["began"] + number()
        self.row.update((name, number()) for name in TOTALS)
        # Counts of subjects are skipped.
        for _ in range(number()):
            number()
            if text():
                text()
            while number():
                number()
        while rest.__length_hint__() > 0:
            display, screen, width, height = text(), text(), number(), number()
            scale = struct.unpack("<d", struct.pack("<Q", number()))[0]
            key = (display, screen, (width, height, scale, number(), number()))
            # Placement, masks and the time shown are skipped.
            text(), text(), number()
            self.touches[key] = number()
            taps = self.taps.setdefault(key, {})
            for _ in range(number()):
                layer, block = number(), -1
                while step := number():
                    block += step
                    value = number()
                    if layer == 0:
                        taps[block] = value

    def wrong(self):
        row = self.row
        if row["begun"] != sum(row[name] for name in TOTALS[1:7]):
            yield f"session {row['id']} does not balance"
        taps = sum(sum(grid.values()) for grid in self.taps.values())
        views = sum(self.touches.values())
        if not taps == views == row["counted"]:
            yield f"session {row['id']} counted {row['counted']}, views {views}, taps {taps}"


def look(path):
    store = sqlite3.connect(path, isolation_level=None, timeout=60)
    store.row_factory = sqlite3.Row
    store.execute("BEGIN")

    def one(query, *values):
        return store.execute(query, values).fetchone()[0] or 0

    version = one("PRAGMA user_version")
    found = {"version": version,
             "integrity": ", ".join(row[0] for row in store.execute("PRAGMA integrity_check"))}
    if version == 0:
        # The power failed before the transaction that creates the store, so the file must be empty.
        found["wrong"] = [row[0] for row in store.execute("SELECT name FROM sqlite_schema")]
        found.update(sessions=0, begun=0, counted=0, last=None)
        return found
    wrong = [f"foreign key in {row[0]}" for row in store.execute("PRAGMA foreign_key_check")]
    sums = {"begun": 0, "counted": 0}
    last = None
    for row in store.execute("SELECT * FROM session ORDER BY id").fetchall():
        session = Session(store, row)
        wrong += session.wrong()
        last = session.row
        if not row["rolled_up"]:
            for name in sums:
                sums[name] += session.row[name]
    for day in store.execute("SELECT * FROM day"):
        taps = sum(sum(cells(row["sum"], row["sum_bytes"])) for row in store.execute(
            "SELECT * FROM daily WHERE day = ? AND layer = 'taps'", (day["day"],)))
        rolled = one("SELECT count(*) FROM session WHERE rolled_up = 1 AND day = ?", day["day"])
        if taps != day["counted"] or rolled > day["sessions"]:
            wrong.append(f"{day['day']}: {day['counted']} counted, taps {taps}, "
                         f"{rolled} sessions of {day['sessions']}")
        for name in sums:
            sums[name] += day[name]
    found.update(sums, wrong=wrong, sessions=one("SELECT count(*) FROM session"),
                 days=one("SELECT count(*) FROM day"), last=last)
    return found


def digest(path, last):
    store = sqlite3.connect(path, timeout=60)
    rows = hashlib.sha256()
    for table, column in (("session", "id"), ("screen_view", "session"), ("grid", "session")):
        for row in store.execute(f"SELECT * FROM {table} WHERE {column} <= ?"
                                 " ORDER BY 1, 2, 3, 4", (last,)):
            rows.update(repr(row).encode())
    return rows.hexdigest()


if __name__ == "__main__":
    if sys.argv[2:3] == ["--digest"]:
        print(digest(sys.argv[1], int(sys.argv[3])))
    else:
        print(json.dumps(look(sys.argv[1])))
