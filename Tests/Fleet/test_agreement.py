"""Of the same objects, a roll-up and `touchgrid import` make the same store."""

import dataclasses
import datetime
import gzip
import json
import os
import pathlib
import random
import shutil
import sqlite3

from support import Fleet, FleetTest, day_line, panel_line, random_fleet, random_lines
from test_objects import DAY, GOODS, NAME
from touchgrid_fleet.objects import Refused
from touchgrid_fleet.reader import read_object

DAMAGES = int(os.environ.get("TOUCHGRID_FLEET_DAMAGES", 300))
# What damage makes of a value.
VALUES = (-1, 0, 1, 2, 23, 1000, 2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -2**63, 0.0,
          1.0, 1.5, 2.0**53, 1e300, -0.0, True, False, None, "", "x", "taps", "\0", "x" * 1024, "ä" * 513,
          "2026-11-20", [], [0], {}, {"x": 1})


def is_valid(name, data):
    """Whether an object is valid. Fails if only one of the two programs can read it."""
    try:
        read_object(name, data)
    except Refused as refused:
        if "touchgrid-fleet cannot" in str(refused):
            raise AssertionError(data.hex()) from refused
        return False
    return True


def places(value, path=()):
    """The paths of all values in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def damage(chance, lines):
    """The text of an object, in which one thing was changed."""
    lines = json.loads(json.dumps(lines))
    way = chance.randrange(8)
    if way == 0:
        at = chance.randrange(len(lines))
        lines = chance.choice((lines[:at] + lines[at + 1:], lines[:at + 1] + lines[at:],
                               lines[:at] + lines[at:][::-1]))
    elif way < 6:
        # Every type has its share, though most lines are grids.
        kind = chance.choice(sorted({line["type"] for line in lines}))
        line = chance.choice([line for line in lines if line["type"] == kind])
        # Lists have many numbers; every depth has its share.
        found = list(places(line))
        length = len(chance.choice(found))
        *path, last = chance.choice([path for path in found if len(path) == length])
        inner = line
        for key in path:
            inner = inner[key]
        change(chance, inner, last)
    text = "".join(json.dumps(line, ensure_ascii=chance.random() < 0.5) + "\n" for line in lines).encode()
    if way >= 6:
        text = bytearray(text)
        at = chance.randrange(len(text))
        text[at:at + chance.choice((0, 1, 1, 1, 9))] = chance.choice(
            [b"", *(bytes([byte]) for byte in b'0123456789.-+eE,:"[]{}\\ntu \n\t\r\0\xff\xc3')])
    return bytes(text)


def change(chance, inner, key):
    value, kind = inner[key], chance.randrange(5)
    if kind == 0:
        del inner[key]
    elif kind == 1 and isinstance(inner, list):
        inner.insert(key, value)
    elif kind < 3 and type(value) in (int, float):
        inner[key] = value + chance.choice((-1, 1, 0.5, 0.0))
    else:
        inner[key] = chance.choice(VALUES)


class Stores(FleetTest):
    def store(self, root, name):
        """Imports a folder. Returns all that the store has: its tables, and the files of an export."""
        path, output = self.imported(root, name)
        # A sum has no panels.
        with sqlite3.connect(path) as database:
            database.execute("DELETE FROM day_count WHERE subject IN (SELECT id FROM subject WHERE kind = 'panel')")
            database.execute("DELETE FROM day_kind WHERE kind = 'panel'")
            database.execute("DELETE FROM subject WHERE kind = 'panel'")
            tables = sorted(database.iterdump())
        database.close()
        files = {str(file.relative_to(output)): file.read_bytes().splitlines()[:1 if file.stem == "panels" else None]
                 for file in output.rglob("*.csv")}
        return tables, files

    def check(self, fleet, name):
        """Rolls a fleet up, and compares the store of the sum with that of all objects. Returns the names of
        the files of an export."""
        status, _, log = fleet.roll_up()
        self.assertEqual((status, "refused: " in log), (0, False), log)
        status, _, log = fleet.run("sum", "-o", self.folder / name)
        self.assertEqual(status, 0, log)
        tables, files = self.store(fleet.root, f"direct-{name}")
        summed = self.store(self.folder / name, name)
        self.assertEqual(summed[1], files)
        self.assertEqual(summed[0], tables)
        return sorted(files)

    def test_same_store(self):
        """Of random fleets, a sum gives the store that all objects give."""
        for seed in range(2):
            with self.subTest(seed=seed):
                fleet = Fleet(self.folder / f"fleet-{seed}")
                for lines in random_fleet(random.Random(seed), kiosks=5):
                    fleet.put(lines)
                files = self.check(fleet, f"sum-{seed}")
                self.assertEqual(files, [f"day={day}/{table}.csv" for day in ("2026-11-21", "2026-11-22")
                                         for table in ("controls", "counts", "days", "funnels", "grids", "panels",
                                                       "sessions", "steps", "views", "visits")])

    def test_what_a_sum_knows(self):
        """Verbs answer from the store of a sum, or say what it does not know."""
        for lines in random_fleet(random.Random(3), kiosks=5):
            self.fleet.put(lines)
        self.fleet.roll_up()
        self.sum("sum")
        store = self.folder / "store.db"
        self.touchgrid("import", self.folder / "sum", "-o", store)
        for words, status, answer in (
                (("controls",), 0, "pay "), (("flows",), 0, "FUNNEL order"), (("screens",), 0, "menu"),
                (("report", "--json"), 0, '"flows":{"sessions"'),
                (("sessions",), 0, "only the sums of days (2026-11-21 to 2026-11-22)"),
                (("panel",), 3, "import the objects of one kiosk")):
            self.assertIn(answer, self.touchgrid(*words, "--store", store, status=status))

    def test_panels(self):
        """An import keeps the panels of kiosks apart. Those of one kiosk keep their names."""
        fleet = Fleet(self.folder / "fleet")
        for kiosk, generation in (("a", "g" * 16), ("a", "h" * 16), ("b", "g" * 16)):
            fleet.put([day_line(kiosk, generation), panel_line({5: 2, 3424: 7})])
        for kiosks, expected in (("a", [("usb-1", 2, 14)]), ("ab", [("a/usb-1", 2, 14), ("b/usb-1", 1, 7)])):
            root = self.folder / kiosks
            for kiosk in kiosks:
                shutil.copytree(pathlib.Path(fleet.root, "in", kiosk), root / "in" / kiosk)
            _, output = self.imported(root, kiosks, "ndjson")
            lines = map(json.loads, (output / f"day={DAY}" / "panels.ndjson").read_text().splitlines())
            found = [(line["device"], line["sessions"], line["resting_reports"][0]) for line in lines]
            self.assertEqual(found, expected)

    def test_odd_objects(self):
        """The same of objects that were damaged, but not so that a reader can see it, and of the good ones of
        test_objects. Each has a day of its own, because some have the largest numbers."""
        chance, fleet, days = random.Random(5), Fleet(self.folder / "fleet"), 0
        damaged = [gzip.compress(damage(chance, random_lines(chance, kiosk=NAME.kiosk))) for _ in range(DAMAGES)]
        odd = [data for data in damaged if is_valid(NAME, data)]
        self.assertGreater(len(odd), DAMAGES / 20)
        for data in (*GOODS.values(), *odd):
            day = str(datetime.date(2026, 1, 1) + datetime.timedelta(days))
            fleet.put_bytes(dataclasses.replace(NAME, day=day).path,
                            gzip.compress(gzip.decompress(data).replace(DAY.encode(), day.encode())))
            days += 1
        self.check(fleet, "sum")
