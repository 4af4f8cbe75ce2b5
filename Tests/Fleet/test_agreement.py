"""The roll-up and `touchgrid import` accept and refuse the same objects, and make the same store of them.

The roll-up also refuses what Swift's reader passes over: see STRICTER.
"""

import dataclasses
import datetime
import gzip
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess

from support import (Fleet, FleetTest, add_up, count_line, day_line, encode, grid_line, panel_line, random_fleet,
                     random_lines, view_line)
from test_objects import BAD, DAY, GOODS, NAME
from touchgrid_fleet.objects import ObjectName, Refused, read_object
from touchgrid_fleet.parts import read_checked

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("TOUCHGRID_BINARIES", ROOT / ".build/debug"), "touchgrid").resolve()
# The import names that many refused objects.
FAULTS = 20
ROUNDS = int(os.environ.get("TOUCHGRID_FLEET_DAMAGES", 30))
# Reasons for which only the roll-up refuses an object: members of another format, lines out of order, and
# placements that no kiosk has.
STRICTER = re.compile("unknown member|a [a-z]+ line after a|'placements' is not a list of objects")
COUNTS = "the kind '.*' is unknown|'subject' is no subject|'counts' has a number|'places' is not a rising|counts have no view|counts of the kind [a-z]+ contradict"
# What damage makes of a value.
VALUES = (-1, 0, 1, 2, 23, 1000, 2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -2**63, 0.0,
          1.0, 1.5, 2.0**53, 1e300, -0.0, True, False, None, "", "x", "taps", "\0", "x" * 1024, "ä" * 513,
          "2026-11-20", [], [0], {}, {"x": 1})


def many_ghosts(more):
    return [day_line(), *({"type": "ghost", "device": "usb", "x": x, "y": 0, "periodMs": 1, "touches": 1}
                          for x in range(100_000 + more))]


def many_views(more):
    return [day_line(), *(view_line(screen=str(number)) | {"touches": 0} for number in range(10_000 + more))]


def many_blocks(more):
    """Of 64 grids of 2^20 blocks, and of one that is as small as can be."""
    geometry = {"pixelWidth": 1024, "pixelHeight": 1024, "scale": 1, "rotation": 0, "blockSize": 1}
    views = [dict(screen=str(number), geometry=geometry) for number in range(64)]
    views += [dict(geometry=geometry | {"blockSize": 256, "pixelWidth": 1, "pixelHeight": 1})] * more
    return add_up([day_line(), *(view_line(**view) for view in views), *(
        grid_line({0: [1]}, **view) for view in views)])


def many_subjects(more):
    subjects = (json.dumps(["step", "HDMI-A-1", "menu", str(number)], separators=(",", ":"))
                for number in range(199_999 + more))
    return [day_line(), count_line({0: 1}, '["sessions"]'), *(count_line({0: 1}, subject) for subject in subjects)]


def long_line(more):
    line = view_line(placements=({"device": ""},)) | {"touches": 0}
    line["placements"][0]["device"] = "x" * ((4 << 20) + more - len(json.dumps(line)))
    return [day_line(), line]


LIMITS = {"ghosts": many_ghosts, "subjects": many_subjects, "views": many_views, "blocks": many_blocks, "bytes of a line": long_line}


def touchgrid(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=60)


def refusal(name, data, read=read_checked):
    """The reason why the roll-up refuses an object; None if it does not."""
    try:
        read(name, data)
    except Refused as reason:
        return str(reason)
    return None


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


class Reading(FleetTest):
    def refused(self, objects):
        """Imports objects by their names. Returns the names of those that are refused, with the reasons."""
        self.assertLessEqual(len(objects), FAULTS)
        fleet = Fleet(self.folder / f"in-{len(list(self.folder.iterdir()))}")
        for name, data in objects.items():
            fleet.put_bytes(name.path, data)
        done = touchgrid("import", fleet.root, "-o", self.folder / "store.db", "--force")
        faults = done.stderr.removeprefix("touchgrid: ").splitlines()
        found = dict(fault.split(" is refused: ", 1) for fault in faults if " is refused: " in fault)
        self.assertEqual(done.returncode, bool(found), done.stderr)
        self.assertLessEqual(set(found), {name.path for name in objects}, done.stderr)
        return {name: found.get(name.path) for name in objects}

    def compare(self, objects):
        """Gives objects to both readers. Returns how many both accepted, both refused, and only the roll-up
        refused."""
        counts = [0, 0, 0]
        for name, theirs in self.refused(objects).items():
            ours = refusal(name, objects[name])
            is_stricter = theirs is None and ours is not None and STRICTER.search(ours)
            # What only the import knows concerns counts.
            is_of_counts = refusal(name, objects[name], read_object) is None and re.search(COUNTS, theirs or "")
            if (ours is None) != (theirs is None) and not is_stricter or (
                    theirs and refusal(name, objects[name], read_object) is None and not is_of_counts):
                self.fail(f"{name.path}\nroll-up: {ours}\nimport: {theirs}\n{objects[name][:20_000].hex()}")
            counts[2 if is_stricter else ours is not None] += 1
        return counts

    def test_known(self):
        """All objects of test_objects."""
        for what, data in (GOODS | {what: data for what, (data, _) in BAD.items()}).items():
            with self.subTest(what):
                accepted, refused, stricter = self.compare({NAME: data})
                self.assertEqual(accepted, what in GOODS)

    def test_damaged(self):
        """Random objects with one change of a number, list, member, line or byte."""
        chance, counts = random.Random(23), [0, 0, 0]
        for number in range(ROUNDS):
            objects = {}
            for kiosk in range(FAULTS):
                name = ObjectName(f"k{kiosk}", "a" * 16, DAY, 1)
                lines = random_lines(chance, kiosk=name.kiosk)
                if kiosk % 2:
                    numbers = {chance.randrange(3184): chance.randint(1, 9) for _ in range(chance.randrange(9))}
                    lines.append(panel_line(numbers))
                # Every tenth is not damaged.
                objects[name] = gzip.compress(damage(chance, lines), 1) if kiosk % 10 else encode(lines)
            found = self.compare(objects)
            counts = [sum(pair) for pair in zip(counts, found)]
        self.assertGreater(counts[0], 3 * ROUNDS)
        self.assertGreater(counts[1], 5 * ROUNDS)
        self.assertLess(counts[2], 3 * ROUNDS)

    def test_limits(self):
        """The largest number of views, ghosts, blocks and bytes, and one more."""
        # It keeps the import from writing the large objects, which takes long.
        empty = {ObjectName("empty", "a" * 16, DAY, 1): b""}
        for what, make in LIMITS.items():
            for more in (0, 1):
                with self.subTest(what, more=more):
                    objects = {NAME: encode(make(more))} | empty
                    self.assertEqual(self.compare(objects), [1 - more, 1 + more, 0])


class Stores(FleetTest):
    def store(self, root, name):
        """Imports a folder. Returns all that the store has: its tables, and the files of an export."""
        path, output = self.folder / f"{name}.db", self.folder / f"{name}-csv"
        for words in (("import", root, "-o", path), ("store", "check", "--store", path),
                      ("export", "--store", path, "--format", "csv", "-o", output)):
            done = touchgrid(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
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
                                         for table in ("controls", "days", "funnels", "grids", "panels", "sessions",
                                                       "steps", "views", "visits")])

    def test_what_a_sum_knows(self):
        """Verbs answer from the store of a sum, or say what it does not know."""
        for lines in random_fleet(random.Random(3), kiosks=5):
            self.fleet.put(lines)
        self.fleet.roll_up()
        self.sum("sum")
        store = self.folder / "store.db"
        self.assertEqual(touchgrid("import", self.folder / "sum", "-o", store).returncode, 0)
        for words, status, answer in (
                (("controls",), 0, "pay "), (("flows",), 0, "FUNNEL order"), (("screens",), 0, "menu"),
                (("report", "--json"), 0, '"flows":{"sessions"'),
                (("sessions",), 0, "only the sums of days (2026-11-21 to 2026-11-22)"),
                (("panel",), 3, "import the objects of one kiosk")):
            done = touchgrid(*words, "--store", store)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(answer, done.stdout + done.stderr)

    def test_panels(self):
        """An import keeps the panels of kiosks apart. Those of one kiosk keep their names."""
        fleet = Fleet(self.folder / "fleet")
        for kiosk, generation in (("a", "g" * 16), ("a", "h" * 16), ("b", "g" * 16)):
            fleet.put([day_line(kiosk, generation), panel_line({5: 2, 3424: 7})])
        for kiosks, expected in (("a", [("usb-1", 2, 14)]), ("ab", [("a/usb-1", 2, 14), ("b/usb-1", 1, 7)])):
            root = self.folder / kiosks
            for kiosk in kiosks:
                shutil.copytree(pathlib.Path(fleet.root, "in", kiosk), root / "in" / kiosk)
            path, output = self.folder / f"{kiosks}.db", self.folder / f"{kiosks}-export"
            for words in (("import", root, "-o", path), ("store", "check", "--store", path),
                          ("export", "--store", path, "--format", "ndjson", "-o", output)):
                done = touchgrid(*words)
                self.assertEqual(done.returncode, 0, done.stderr)
            lines = map(json.loads, (output / f"day={DAY}" / "panels.ndjson").read_text().splitlines())
            found = [(line["device"], line["sessions"], line["resting_reports"][0]) for line in lines]
            self.assertEqual(found, expected)

    def test_odd_objects(self):
        """The same of objects that were damaged, but not so that a reader can see it, and of the good ones of
        test_objects. Each has a day of its own, because some have the largest numbers."""
        chance, fleet, days = random.Random(5), Fleet(self.folder / "fleet"), 0
        damaged = (gzip.compress(damage(chance, random_lines(chance, kiosk=NAME.kiosk))) for _ in range(100))
        for data in (*GOODS.values(), *(data for data in damaged if refusal(NAME, data) is None)):
            day = str(datetime.date(2026, 1, 1) + datetime.timedelta(days))
            fleet.put_bytes(dataclasses.replace(NAME, day=day).path,
                            gzip.compress(gzip.decompress(data).replace(DAY.encode(), day.encode())))
            days += 1
        self.assertGreater(days, 35)
        self.check(fleet, "sum")
