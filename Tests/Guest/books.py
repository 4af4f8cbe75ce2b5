#!/usr/bin/python3
"""Looks at a store as SQLite alone sees it, at one moment, and says what is in it as JSON.

books.py STORE [--digest ID]    may be one that a daemon has open; --digest: only that of all that is stored of
                                the sessions up to this one

integrity: what `PRAGMA integrity_check` says. wrong: what does not agree. begun, counted: of all sessions there
ever were, by the days' sums and the sessions that are in none. last: the newest session.
"""

import array
import hashlib
import json
import sqlite3
import sys
import zlib


def cells(blob, width):
    return sum(array.array({1: "B", 2: "H", 4: "I", 8: "Q"}[width], zlib.decompress(blob)))


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
        # The power went before the transaction that makes a store: then there is nothing in it.
        found["wrong"] = [row[0] for row in store.execute("SELECT name FROM sqlite_schema")]
        found.update(sessions=0, begun=0, counted=0, last=None)
        return found
    wrong = [f"foreign key in {row[0]}" for row in store.execute("PRAGMA foreign_key_check")]
    for row in store.execute("SELECT * FROM session"):
        if row["begun"] != (row["counted"] + row["masked"] + row["palms"] + row["ghosts"]
                            + row["still_down"]):
            wrong.append(f"session {row['id']} does not balance")
        taps = sum(cells(grid["cells"], grid["bytes_per_cell"]) for grid in store.execute(
            "SELECT * FROM grid WHERE session = ? AND layer = 'taps'", (row["id"],)))
        views = one("SELECT sum(touches) FROM screen_view WHERE session = ?", row["id"])
        if not taps == views == row["counted"]:
            wrong.append(f"session {row['id']} counted {row['counted']}, views {views}, taps {taps}")
    sums = {"begun": 0, "counted": 0}
    if version >= 2:
        for day in store.execute("SELECT * FROM day"):
            taps = sum(cells(row["sum"], row["sum_bytes"]) for row in store.execute(
                "SELECT * FROM daily WHERE day = ? AND layer = 'taps'", (day["day"],)))
            rolled = one("SELECT count(*) FROM session WHERE rolled_up = 1 AND day = ?", day["day"])
            if taps != day["counted"] or rolled > day["sessions"]:
                wrong.append(f"{day['day']}: {day['counted']} counted, taps {taps}, "
                             f"{rolled} sessions of {day['sessions']}")
            for name in sums:
                sums[name] += day[name]
    # Days of version 1 keep no books.
    missing = "rolled_up = 0" if version >= 2 else "true"
    for name in sums:
        sums[name] += one(f"SELECT sum({name}) FROM session WHERE {missing}")
    last = store.execute("SELECT * FROM session ORDER BY id DESC LIMIT 1").fetchone()
    found.update(sums, wrong=wrong, sessions=one("SELECT count(*) FROM session"),
                 days=one("SELECT count(*) FROM day"), last=dict(last) if last else None)
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
