#!/usr/bin/python3
"""Adds old sessions to a store that no daemon has open.

past.py STORE add COUNT DAYS       adds COUNT copies of its newest session, on the five days that
begin DAYS days ago
"""

import sqlite3
import sys
import time

DAY = 86_400_000
# How far the ids of existing sessions are raised: more than the number of added sessions.
ROOM = 100_000


def add(path, count, days):
    """Adds sessions with lower ids than the existing ones, because ids rise with time."""
    store = sqlite3.connect(path)
    names = [row[1] for row in store.execute("PRAGMA table_info(session)")]
    model = store.execute("SELECT * FROM session ORDER BY id DESC LIMIT 1").fetchone()
    if model is None:
        return
    model = dict(zip(names, model))
    lowest = store.execute("SELECT min(id) FROM session").fetchone()[0]
    parts = ("screen_view", "grid", "session_count")
    for table, column in (("session", "id"), *((table, "session") for table in parts)):
        store.execute(f"UPDATE {table} SET {column} = {column} + {ROOM}")
    first = int(time.time() * 1000) - days * DAY
    for number in range(count):
        shift = first + number * 5 // count * DAY + number * 1000 - model["began"]
        row = dict(model, id=lowest + ROOM - count + number, rolled_up=0,
                   began=model["began"] + shift, last_active=model["last_active"] + shift,
                   ended=model["last_active"] + shift, end_reason="idle")
        row["day"] = time.strftime("%Y-%m-%d", time.localtime(row["began"] / 1000))
        store.execute(f"INSERT INTO session VALUES ({', '.join('?' * len(names))})",
                      list(row.values()))
        for table in parts:
            columns = [column[1] for column in store.execute(f"PRAGMA table_info({table})")][1:]
            store.execute(f"INSERT INTO {table} SELECT {row['id']}, {', '.join(columns)}"
                          f" FROM {table} WHERE session = {model['id'] + ROOM}")
    store.execute("UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM session)"
                  " WHERE name = 'session'")
    # Fill the clock history: an entry after the added sessions, then three entries with the current
    # time. The daemon deletes no sessions for their age unless the history has three entries.
    store.execute("DELETE FROM clock")
    store.executemany("INSERT INTO clock (run, time, session) VALUES (0, ?, ?)", [
        (first + 5 * DAY, lowest + ROOM - 1)] + 3 * [(int(time.time() * 1000), lowest + ROOM)])
    store.commit()
    store.close()


if __name__ == "__main__":
    add(sys.argv[1], int(sys.argv[3]), int(sys.argv[4]))
