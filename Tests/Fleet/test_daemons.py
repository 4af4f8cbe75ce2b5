"""The fleet's store equals the union of three kiosks' stores, cell for cell: with DuckDB, with Spark, and
without either.

Three daemons in a guest live three days (Tests/Guest/kiosks.py), and export every day. One is killed, one
gets a backup back, and one forgets a day. What they exported arrives in random order, late, twice, and old
revisions after newer ones. The union is computed from the sessions in the kiosks' stores, with SQLite and
zlib alone.

The test needs root, qemu, `Tests/Guest/guest build`, and TOUCHGRID_GUEST=1. The programs are those in
TOUCHGRID_BINARIES. TOUCHGRID_KIOSKS: a folder that keeps what the guest made, and from which a later run
takes it.
"""

import array
import collections
import csv
import datetime
import itertools
import json
import math
import os
import pathlib
import random
import re
import shutil
import sqlite3
import sys
import tempfile
import unittest
import zlib
import zoneinfo

from guest_programs import BINARIES, GUEST, ROOT, run, share_files
from support import PACKAGE, Fleet, SparkCluster, read_day

DAYS = ("2026-11-20", "2026-11-21", "2026-11-22")
ZONE = "Europe/Berlin"
# The clock of each kiosk.
CLOCKS = {"a": zoneinfo.ZoneInfo(ZONE), "b": zoneinfo.ZoneInfo(ZONE),
          "c": datetime.timezone(datetime.timedelta(hours=2))}
VISITS = 3
TOTALS = ("begun", "counted", "masked", "palms", "ghosts", "still_down", "preexisting", "cancelled",
          "clamped", "drops")
GUEST_SECONDS = 1800


def touchgrid(*words):
    return run(BINARIES / "touchgrid", *words)


def fleet(*words):
    """Runs touchgrid-fleet, which must not refuse an object."""
    output = run(sys.executable, "-m", "touchgrid_fleet", *words, PYTHONPATH=str(PACKAGE))
    if re.search("[1-9][0-9]* refused", output):
        raise AssertionError(output)


# ---- The kiosks

def live(folder):
    """Lets the kiosks live in a guest, and leaves the stores and the objects in folder/result."""
    (folder / "recordings").mkdir()
    for seed, (name, (number, day)) in enumerate(itertools.product(CLOCKS, enumerate(DAYS, 1))):
        until = datetime.datetime.fromisoformat(f"{day}T23:00").replace(tzinfo=zoneinfo.ZoneInfo(ZONE))
        (folder / f"recordings/{name}-{number}.evemu").write_text(run(
            sys.executable, ROOT / "Recordings/make-kiosk-month.py", "--days", 1, "--visits", VISITS,
            "--seed", seed, "--until", int(until.timestamp()), TZ=ZONE))
    # The guest has no time zones.
    commands = share_files(folder, {f"/usr/share/zoneinfo/{ZONE}": pathlib.Path("/usr/share/zoneinfo", ZONE)})
    shutil.copy(ROOT / "Tests/Guest/kiosks.py", folder)
    # Idle time is skipped, even that of waiting for the host: so nothing but the last copy uses /host.
    commands += ["cp -r recordings kiosks.py /run", "cd /run",
                 "python3 kiosks.py /run/kiosks /run/recordings /run/result", "cp -r /run/result /host"]
    try:
        run(GUEST, "start", folder, "--icount", "--with-parent", os.getpid())
        run(GUEST, "run", folder, "--timeout", GUEST_SECONDS, "\n".join(commands))
    finally:
        run(GUEST, "cut", folder)


def exported(result):
    """All objects that were ever in the folder of an export: (name below `in`, bytes), by kiosk, generation
    (in the order of their beginning), day and revision."""
    objects, generations = {}, {}
    for state in sorted(result.glob("[0-9][0-9]-*")):
        for path in sorted(state.glob("in/*/*/*/*.gz")):
            generations.setdefault(path.parts[-3], len(generations))
            objects[path.relative_to(state / "in")] = path.read_bytes()

    def order(path):
        kiosk, generation, day, file = path.parts
        return kiosk, generations[generation], day, file
    return sorted(objects.items(), key=lambda entry: order(entry[0]))


# ---- The union. All figures are in one dictionary, by a tuple that begins with what the figure is.

def rows(store, query, *values):
    store.row_factory = sqlite3.Row
    return store.execute(query, values).fetchall()


def geometries(store):
    columns = ("pixel_width", "pixel_height", "scale", "rotation", "block_size")
    return {row["id"]: tuple(row[column] for column in columns)
            for row in rows(store, "SELECT * FROM geometry")}


def lists(store, table):
    """The lists of a table as sets of their objects, each as JSON with sorted keys."""
    found = {row["id"]: frozenset(json.dumps(each, sort_keys=True) for each in json.loads(row["list"]))
             for row in rows(store, f"SELECT * FROM {table}")}
    return found | {None: frozenset()}


def cells(blob, width):
    """(block, value) of the cells that are not 0; `width` is in bytes."""
    data = zlib.decompress(blob)
    if width <= 8:
        values = array.array({1: "B", 2: "H", 4: "I", 8: "Q"}[width], data)
    else:
        values = [int.from_bytes(data[at:at + width], "little") for at in range(0, len(data), width)]
    return [(block, value) for block, value in enumerate(values) if value]


def add(figures, key, *values):
    figures[key] = tuple(a + b for a, b in zip(figures.get(key, (0,) * len(values)), values))


class Union:
    """The sum of sessions, as `figures`. `sources`: the kiosks that touched a block, or showed a view."""

    def __init__(self):
        self.figures, self.sources = {}, collections.defaultdict(set)

    def add_kiosk(self, name, path, after=0, until=DAYS[-1]):
        """Adds the suspected ghosts of a store, and its sessions with numbers above `after`, up to a day."""
        store = sqlite3.connect(path)
        shapes, placements, masks = geometries(store), lists(store, "placement"), lists(store, "mask")
        figures = self.figures
        for row in rows(store, "SELECT * FROM session WHERE id > ? AND day <= ?", after, until):
            day = row["day"]
            first, last = figures.get(("began", day), (math.inf, -math.inf))
            figures["began", day] = min(first, row["began"]), max(last, row["began"])
            add(figures, ("sessions", day), 1)
            for total in TOTALS:
                add(figures, ("total", day, total), row[total])
            hour = datetime.datetime.fromtimestamp(row["began"] / 1000, CLOCKS[name]).hour
            add(figures, ("hours", day), *(int(hour == each) for each in range(24)))
            for view in rows(store, "SELECT * FROM screen_view WHERE session = ?", row["id"]):
                key = day, view["screen"], view["display"], shapes[view["geometry"]]
                self.sources[key].add(name)
                add(figures, ("view", *key), 1, view["shown_ms"], view["touches"])
                for what, found in (("masks", masks[view["mask"]]),
                                    ("placements", placements[view["placement"]])):
                    figures[what, *key] = figures.get((what, *key), frozenset()) | found
            for grid in rows(store, "SELECT * FROM grid WHERE session = ?", row["id"]):
                key = day, grid["screen"], grid["display"], shapes[grid["geometry"]], grid["layer"]
                for block, count in cells(grid["cells"], grid["bytes_per_cell"]):
                    self.sources[*key, block].add(name)
                    add(figures, ("cell", *key, block), count, count * count, 1)
        add_ghosts(figures, store, until)
        store.close()


def add_ghosts(figures, store, until=DAYS[-1]):
    for row in rows(store, "SELECT * FROM ghost WHERE day <= ?", until):
        key = tuple(row[column] for column in ("day", "device", "x", "y", "period_ms"))
        add(figures, ("ghost", *key), row["touches"])


def read_store(path):
    """The figures of a store that `touchgrid import` made."""
    store, figures = sqlite3.connect(path), {}
    shapes, placements, masks = geometries(store), lists(store, "placement"), lists(store, "mask")
    for row in rows(store, "SELECT * FROM day"):
        day = row["day"]
        figures["began", day] = row["first_began"], row["last_began"]
        figures["sessions", day] = (row["sessions"],)
        figures["hours", day] = tuple(json.loads(row["hours"]))
        figures.update({("total", day, total): (row[total],) for total in TOTALS})
    for row in rows(store, "SELECT * FROM daily_view"):
        key = row["day"], row["screen"], row["display"], shapes[row["geometry"]]
        figures["view", *key] = row["sessions"], row["shown_ms"], row["touches"]
        figures["masks", *key], figures["placements", *key] = masks[row["mask"]], placements[row["placement"]]
    for row in rows(store, "SELECT * FROM daily"):
        key = "cell", row["day"], row["screen"], row["display"], shapes[row["geometry"]], row["layer"]
        sums, squares, touched = (dict(cells(row[name], row[f"{name}_bytes"]))
                                  for name in ("sum", "square", "touched"))
        for block in sums.keys() | squares.keys() | touched.keys():
            figures[*key, block] = sums.get(block, 0), squares.get(block, 0), touched.get(block, 0)
    add_ghosts(figures, store)
    store.close()
    return figures


def read_export(folder):
    """The figures in the CSV files of `touchgrid export`: all but placements, times and places of ghosts."""
    figures = {}

    def lines(name):
        for path in sorted(folder.glob(f"day=*/{name}.csv")):
            with open(path, newline="") as file:
                yield from csv.DictReader(file)

    def key(line):
        shape = (int(line["pixel_width"]), int(line["pixel_height"]), float(line["scale"]),
                 int(line["rotation"]), int(line["block_size"]))
        return line["day"], line["screen"], line["display"], shape

    for line in lines("days"):
        figures["sessions", line["day"]] = (int(line["sessions"]),)
        figures["hours", line["day"]] = tuple(json.loads(line["hours"]))
        for total in TOTALS:
            name = {"ghosts": "suspected_ghosts", "clamped": "clamped_samples"}.get(total, total)
            figures["total", line["day"], total] = (int(line[name]),)
        figures["ghosts outside", line["day"]] = int(line["ghosts_outside_sessions"])
    for line in lines("views"):
        figures["view", *key(line)] = tuple(int(line[name]) for name in ("sessions", "shown_ms", "touches"))
        figures["masks", *key(line)] = frozenset(
            json.dumps({name: float(value) for name, value in mask.items()}, sort_keys=True)
            for mask in json.loads(line["masks"]))
    for line in lines("grids"):
        day, screen, display, shape = key(line)
        width, height, scale, rotation, size = shape
        columns = math.ceil((height if rotation in (90, 270) else width) / scale / size)
        block = int(line["row"]) * columns + int(line["column"])
        figures["cell", day, screen, display, shape, line["layer"], block] = tuple(
            int(line[name]) for name in ("count", "count_sq", "touched_sessions"))
    return figures


def of_export(figures):
    """The figures that `read_export` has."""
    found = {key: value for key, value in figures.items() if key[0] not in ("began", "placements", "ghost")}
    for key in figures:
        if key[0] == "sessions":
            found["ghosts outside", key[1]] = sum(
                value[0] for other, value in figures.items() if other[:2] == ("ghost", key[1]))
    return found


def differences(expected, found):
    return [f"{key}: {expected.get(key)} expected, {found.get(key)} found"
            for key in sorted(expected.keys() | found.keys(), key=str) if expected.get(key) != found.get(key)]


# ---- The tests

@unittest.skipUnless(os.environ.get("TOUCHGRID_GUEST") == "1", "set TOUCHGRID_GUEST=1 to run it in a guest")
class Daemons(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="touchgrid-daemons."))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        kept = os.environ.get("TOUCHGRID_KIOSKS")
        if kept and pathlib.Path(kept, "result").exists():
            cls.result = pathlib.Path(kept, "result")
        else:
            live(cls.folder)
            cls.result = cls.folder / "result"
            if kept:
                shutil.copytree(cls.result, pathlib.Path(kept, "result"))
        cls.objects = exported(cls.result)
        # The lines of each object by kiosk, generation, day and revision.
        cls.lines = {(*path.parts[:3], int(path.name[1:].split(".")[0])): read_day(data)
                     for path, data in cls.objects}
        with sqlite3.connect(cls.result / "b-backup.db") as backup:
            cls.backed_up = backup.execute("SELECT max(id) FROM session").fetchone()[0]
        cls.union = Union()
        cls.union.add_kiosk("a", cls.result / "a.db")
        # No ghosts came to b before the backup: so none is in both stores.
        cls.union.add_kiosk("b", cls.result / "b-replaced.db")
        cls.union.add_kiosk("b", cls.result / "b.db", cls.backed_up)
        cls.union.add_kiosk("c", cls.result / "c.db")
        cls.expected = cls.union.figures

    def setUp(self):
        self.root = self.folder / self._testMethodName
        self.root.mkdir()

    def check(self, found, expected=None):
        wrong = differences(self.expected if expected is None else expected, found)
        self.assertEqual(wrong[:5], [], f"{len(wrong)} differences")

    def check_import(self, objects):
        """Makes a store of objects, and compares it and its export with the union."""
        store = self.root / "fleet.db"
        touchgrid("import", objects, "-o", store)
        self.check(read_store(store))
        touchgrid("store", "check", "--store", store)
        touchgrid("export", "--store", store, "-o", self.root / "export", "--format", "csv")
        self.check(read_export(self.root / "export"), of_export(self.expected))

    def upload(self, paths):
        objects = dict(self.objects)
        for path in paths:
            to = self.root / "fleet/in" / path
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(objects[path])

    def uploads(self, seed):
        """All objects in random order, then a third of them and all old revisions once more."""
        chance, paths = random.Random(seed), [path for path, _ in self.objects]
        order = chance.sample(paths, len(paths))
        arrived = [paths.index(path) for path in order]
        old = [path for path, after in zip(paths, paths[1:]) if path.parent == after.parent]
        # Old revisions arrive after newer ones, and a day's generations in the wrong order.
        self.assertLess(arrived, sorted(arrived, reverse=True))
        return order + chance.sample(paths, len(paths) // 3) + old

    def check_engine(self, seed, times, *options):
        """Uploads all objects and rolls them up, in several steps; then compares all that comes of it."""
        uploads = self.uploads(seed)
        size = math.ceil(len(uploads) / times)
        for at in range(0, len(uploads), size):
            self.upload(uploads[at:at + size])
            fleet("rollup", self.root / "fleet", *options)
        self.check_sums()
        fleet("sum", self.root / "fleet", "-o", self.root / "sum", *options)
        self.check_import(self.root / "sum")

    def check_sums(self):
        """Compares the roll-up's sums, which say how many kiosks touched a block, with the union."""
        found, expected = {}, {}
        for day in DAYS:
            for (screen, display, *shape, layer, block), cell in Fleet(self.root / "fleet").sums(day).items():
                found["cell", day, screen, display, tuple(shape), layer, block] = tuple(cell)
        for key, cell in self.expected.items():
            if key[0] == "cell":
                expected[key] = *cell, len(self.union.sources[key[1:]])
        self.check(found, expected)

    # ---- What was played

    def test_played(self):
        """The kiosks lived as they should: otherwise the other tests prove little."""
        def total(name):
            return sum(value[0] for key, value in self.expected.items() if key[::2] == ("total", name))

        played = json.loads((self.result / "played.json").read_text())
        self.assertGreater(total("counted"), 800)
        for name in ("masked", "palms", "ghosts", "still_down", "preexisting", "cancelled", "clamped"):
            self.assertGreater(total(name), 0, name)
        self.assertEqual({key[1] for key in self.expected if key[0] == "ghost"}, {DAYS[0], DAYS[2]})
        self.assertEqual({key[1] for key in self.expected}, set(DAYS))
        self.assertEqual({key[5] for key in self.expected if key[0] == "cell"}, {"taps", "trail", "dwell"})
        self.assertGreater(len({key[3:5] for key in self.expected if key[0] == "view"}), 2)
        self.assertTrue(any(value for key, value in self.expected.items() if key[0] == "masks"))
        # Sums really add up: blocks and views of several kiosks.
        shared = [key for key, kiosks in self.union.sources.items() if len(kiosks) > 1]
        self.assertGreater(sum(len(key) == 4 for key in shared), 3)
        self.assertGreater(sum(len(key) == 6 for key in shared), 20)
        # Each touch of b is in one of its two stores.
        b = Union()
        b.add_kiosk("b", self.result / "b-replaced.db", until="9999-12-31")
        b.add_kiosk("b", self.result / "b.db", self.backed_up, until="9999-12-31")
        self.assertEqual(sum(value[0] for key, value in b.figures.items()
                             if key[0] == "ghost" or key[::2] == ("total", "begun")), played["b"])

    def test_exported(self):
        """Revisions, generations, a forgotten day, and a late kiosk are among the objects."""
        days = collections.Counter(key[:3] for key in self.lines)
        self.assertGreater(sum(count > 1 for count in days.values()), 2)
        generations = collections.Counter(kiosk for kiosk, _ in {key[:2] for key in days})
        self.assertEqual(generations, {"kiosk-a": 1, "kiosk-b": 2, "kiosk-c": 1})
        # A day of b is in both generations.
        self.assertEqual(sorted(collections.Counter((key[0], key[2]) for key in days).values())[-1], 2)
        last = {key[:3]: self.lines[key] for key in sorted(self.lines, key=lambda key: key[3])}
        self.assertEqual([key[::2] for key, lines in last.items() if lines[0]["sessions"] == 0],
                         [("kiosk-c", DAYS[0])])
        self.assertFalse(any(path.name.startswith("00-a") for path in self.result.iterdir()))

    def test_stores(self):
        """The daemons rolled up their days, a was killed twice, and the backup of b lacks sessions."""
        def sessions(store, condition):
            with sqlite3.connect(self.result / f"{store}.db") as database:
                return database.execute(f"SELECT count(*) FROM session WHERE {condition}").fetchone()[0]

        for store in "abc":
            self.assertEqual(sessions(store, f"rolled_up = 0 AND day <= '{DAYS[-1]}'"), 0)
        self.assertEqual(sessions("a", f"end_reason = 'recovered' AND day = '{DAYS[1]}'"), 2)
        self.assertEqual(sessions("b-backup", "ended IS NULL"), 1)
        self.assertGreater(sessions("b-replaced", f"id > {self.backed_up}"), 3)
        self.assertGreater(sessions("b", f"id > {self.backed_up}"), 3)
        self.assertEqual(sessions("c", f"day = '{DAYS[0]}'"), 0)

    # ---- The union

    def test_import(self):
        """`touchgrid import` of all objects, old revisions included."""
        self.upload([path for path, _ in self.objects])
        self.check_import(self.root / "fleet")

    def test_duckdb(self):
        self.check_engine(1, 4, "--processes", "2")

    def test_spark(self):
        (self.root / "cluster").mkdir()
        cluster = SparkCluster(self.root / "cluster")
        self.addCleanup(cluster.close)
        self.check_engine(2, 2, "--engine", "spark", "--master", cluster.url)

    # ---- The test itself

    def test_changes_are_found(self):
        """If one figure of any kind were wrong, this test would notice it."""
        for kind in sorted({key[0] for key in self.expected}):
            keys = sorted((key for key in self.expected if key[0] == kind), key=str)
            for key in (keys[0], keys[len(keys) // 2], keys[-1]):
                value = self.expected[key]
                changes = ([value | {"{}"}] if isinstance(value, frozenset) else
                           [value[:at] + (value[at] + 1,) + value[at + 1:] for at in range(len(value))])
                for changed in changes:
                    self.assertEqual(len(differences(self.expected | {key: changed}, self.expected)), 1)
                without = {other: value for other, value in self.expected.items() if other != key}
                self.assertEqual(len(differences(without, self.expected)), 1)
                self.assertEqual(len(differences(self.expected, without)), 1)

    def test_each_object_counts(self):
        """If a day of a kiosk were missing, or an old revision taken, the sums would differ."""
        for kiosk, generation, day in sorted({key[:3] for key in self.lines}):
            kept = [path for path, _ in self.objects if path.parts[:3] != (kiosk, generation, day)]
            old = [path for path, _ in self.objects if path.parts[:3] == (kiosk, generation, day)][:-1]
            for number, paths in enumerate((kept, kept + old) if old else (kept,)):
                with self.subTest(kiosk=kiosk, day=day, old=number):
                    shutil.rmtree(self.root / "fleet", ignore_errors=True)
                    self.upload(paths)
                    store = self.root / "fleet.db"
                    touchgrid("import", self.root / "fleet", "-o", store, "--force")
                    wrong = differences(self.expected, read_store(store))
                    # A forgotten day is as good as none.
                    self.assertEqual(bool(wrong), number == 1 or self.lines_of(kiosk, generation, day) > 0)

    def lines_of(self, kiosk, generation, day):
        """How many sessions the highest revision of a day has."""
        return max((key[3], lines[0]["sessions"]) for key, lines in self.lines.items()
                   if key[:3] == (kiosk, generation, day))[1]


if __name__ == "__main__":
    unittest.main()
