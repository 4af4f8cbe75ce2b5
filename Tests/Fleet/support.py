"""What the fleet's tests share: kiosks with random days, an independent sum of them, and servers."""

import contextlib
import gzip
import io
import itertools
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock
from collections import Counter, defaultdict

import pyarrow.parquet

from touchgrid_fleet import cli
from touchgrid_fleet.checker import PROGRAM
from touchgrid_fleet.days import read_result
from touchgrid_fleet.engines.duckdb import DuckDB
from touchgrid_fleet.places import open_place
from touchgrid_test.browser import Chromium
from touchgrid_test.waiting import BINARIES, PATIENCE, ROOT, until
from upload_targets import WAIT, Processes, SeaweedFS

# The program that checks objects.
os.environ.setdefault(PROGRAM, str(BINARIES / "touchgrid"))
PACKAGE = ROOT / "fleet"
TOTALS = ("counted", "masked", "palms", "ghosts", "swallowed", "stillDown", "preexisting", "cancelled", "clamped",
          "drops")
LAYERS = ("taps", "trail", "dwell")
GEOMETRIES = (
    {"pixelWidth": 64, "pixelHeight": 48, "scale": 1.0, "rotation": 0, "blockSize": 16},
    {"pixelWidth": 64, "pixelHeight": 48, "scale": 1.0, "rotation": 90, "blockSize": 16},
    {"pixelWidth": 100, "pixelHeight": 50, "scale": 1.25, "rotation": 0, "blockSize": 8})
DISPLAY = {"pixelWidth": 1024, "pixelHeight": 768, "scale": 1.0, "rotation": 0, "blockSize": 16}
# Names are any text: control characters, quotes, other scripts, what looks like a number or a word of JSON.
SCREENS = ("menu", "pay\u001b[31m", 'a "quoted" \\ name', "größe/😀", "true", "", "' OR 1=1 --",
           "x" * 1024)


def day_line(kiosk="lobby-3", generation="a" * 16, revision=1, day="2026-11-21", sessions=2, **changed):
    """The first line of an object, as a dictionary."""
    line = {
        "type": "day", "format": 1, "kiosk": kiosk, "generation": generation, "revision": revision,
        "day": day, "timeZone": "Europe/Berlin", "version": "0.4.0", "sessions": sessions,
        "totals": dict.fromkeys(("begun", *TOTALS), 0), "hours": [0] * 24
    }
    if sessions:
        line |= {"firstBeganAtMs": 1_795_000_000_000, "lastBeganAtMs": 1_795_000_500_000}
        line["hours"][9] = sessions
    return line | changed


def key(screen="menu", display="HDMI-A-1", geometry=GEOMETRIES[0]):
    return {"screen": screen, "display": display, "geometry": geometry}


def view_line(sessions=2, masks=(), placements=({"device": "usb-1"},), **names):
    return {
        "type": "view", **key(**names), "sessions": sessions, "shownMs": 5000, "touches": 4,
        "masks": list(masks), "placements": list(placements)
    }


def count_line(counts, subject='["step","HDMI-A-1","menu","pay"]', kind="flow", sessions=1):
    """`counts`: numbers by place."""
    return {
        "type": "count", "kind": kind, "subject": subject, "sessions": sessions,
        "places": sorted(counts), "counts": [counts[place] for place in sorted(counts)]
    }


def panel_line(counts, sessions=1, device="usb-1"):
    subject = f'{{"device":"{device}","x":[-7,4095,12],"y":[0,2147483647,0]}}'
    return count_line(counts, subject, "panel", sessions)


def text(value):
    """A subject as kiosks write it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def control_set(view, controls):
    """A set of controls of a view, as a subject. `controls`: (name, x, y, width, height)."""
    geometry = view["geometry"]
    scale = geometry["scale"]
    return text({
        "display": view["display"], "screen": view["screen"],
        "pixels": [geometry["pixelWidth"], geometry["pixelHeight"]],
        "scale": int(scale) if scale == int(scale) else scale, "rotation": geometry["rotation"],
        "block_size": geometry["blockSize"], "point_mm": 0.25, "controls": [
            dict(zip(("name", "x", "y", "width", "height"), control), rage=True) for control in controls]})


def controls_line(chance, view):
    """Counts of two controls of a view, of at most four touches."""
    subject = control_set(view, [("pay", 0, 0, 9.5, 4), ("ü", 0, 8, 9.5, 4)])
    hits, others = chance.randint(1, 3), chance.randint(0, 1)
    counts = {0: hits, 1: chance.randint(-9, 9), 2: chance.randint(-9, 9), 3: 90, 4: 81, 5: chance.randint(-9, 9),
              37: chance.randint(0, hits), 46: 1, 47 + 16: others}
    return count_line({place: count for place, count in counts.items() if count}, subject, "controls",
                      chance.randint(1, view["sessions"]))


def flow_lines(chance, sessions):
    """How people moved between screens in some sessions."""
    sessions = chance.randint(1, sessions)
    yield count_line({0: sessions}, text(["sessions"]), sessions=sessions)
    for screen in ("menu", "größe/😀"):
        some = chance.randint(1, sessions)
        yield count_line({0: some, 1: 9, 14: 7, 52 + chance.randrange(5): 1}, text(["screen", "HDMI-A-1", screen]),
                         sessions=some)
        yield count_line({0: some + chance.randrange(5)}, text(["step", "HDMI-A-1", screen, "pay\u001b"]), sessions=some)
    yield count_line({0: sessions}, text(["funnel", "order", "menu", "pay"]), sessions=sessions)


def grid_line(counts, layer="taps", **names):
    """`counts`: for each block the counts of the sessions that touched it."""
    return summed_line({block: (sum(each), sum(count * count for count in each), len(each))
                        for block, each in counts.items()}, layer, **names)


def summed_line(counts, layer="taps", **names):
    """`counts`: for each block the sum, the sum of squares, and how many sessions touched it."""
    blocks = sorted(counts)
    sums, squares, touched = map(list, zip(*(counts[block] for block in blocks)))
    line = {
        "type": "grid", **key(**names), "layer": layer, "blocks": blocks, "sums": sums,
        "squares": [square % 2**63 for square in squares], "touched": touched
    }
    if any(square >= 2**63 for square in squares):
        line["squaresHigh"] = [square >> 63 for square in squares]
    return line


def placement(device):
    """How a touchscreen lies on a display, as kiosks write it."""
    return {
        "device": device, "x": [0, 4095], "y": [-5, 4095], "range_from": "kernel",
        "matrix": [1.0, 0.0, 0.25, 1e-05, 1.0, 0.0], "matrix_from": "udev", "display": "HDMI-A-1",
        "pixels": [64, 48], "scale": 1.25, "rotation": 0, "block_size": 16, "display_from": "drm",
        "geometry_from": "drm"
    }


def add_up(lines):
    """Sets the touches of views to at least their taps, and the totals of the day to these. Returns the
    lines."""
    views = {Sum.key(line): line for line in lines if line["type"] == "view"}
    for line in lines:
        if line["type"] == "grid" and line["layer"] == "taps":
            view = views[Sum.key(line)]
            view["touches"] = max(view["touches"], sum(line["sums"]))
    if totals := lines[0]["totals"]:
        totals["counted"] = sum(view["touches"] for view in views.values())
        totals["begun"] = sum(totals[name] for name in TOTALS[:6])
    return lines


def encode(lines):
    return gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode())


def random_lines(chance, **names):
    """The lines of a random day."""
    sessions = chance.randint(1, 30)
    totals = {name: chance.randrange(1000) for name in TOTALS}
    totals["begun"] = sum(totals[name] for name in TOTALS[:6])
    hours = Counter(chance.choices(range(24), k=sessions))
    first = day_line(sessions=sessions, totals=totals, hours=[hours[hour] for hour in range(24)],
                     version=chance.choice(("0.4.0", "0.5.0")), **names)
    if chance.random() < 0.05:
        first |= {"totals": None, "hours": None}
    if chance.random() < 0.2:
        del first["timeZone"]
    ghosts = [{
        "type": "ghost", "device": f"usb-{number}", "x": chance.randint(-9, 9), "y": 7, "periodMs": 1000,
        "touches": chance.randint(1, 50)
    } for number in range(chance.randrange(3))]
    views, grids = [], []
    keys = {(chance.choice(SCREENS), chance.choice(("HDMI-A-1", "DP-2")), chance.randrange(len(GEOMETRIES)))
            for _ in range(chance.randint(1, 6))}
    for screen, display, geometry in sorted(keys):
        place = dict(screen=screen, display=display, geometry=GEOMETRIES[geometry])
        shown = chance.randint(1, sessions)
        views.append(
            view_line(
                shown,
                masks=[{"x": 0, "y": chance.randrange(8), "width": 3.5, "height": 4.0}] * chance.randrange(2),
                placements=[
                    chance.choice((placement, dict))(device=f"usb-{chance.randrange(3)}")
                    for _ in range(chance.randrange(3))
                ], **place))
        for layer in LAYERS:
            # Of the dwell of a finger that never leaves, the squares need more than 64 bits.
            most = chance.choice((3, 100_000, 2**40)) if layer == "dwell" else 3
            counts = {block: [chance.randint(1, most) for _ in range(chance.randint(1, shown))]
                      for block in range(12) if chance.random() < 0.4}
            if counts:
                grids.append(grid_line(counts, layer, **place))
    counts = [controls_line(chance, view) for view in views if chance.random() < 0.3]
    counts += flow_lines(chance, sessions) if chance.random() < 0.5 else ()
    return add_up([first, *ghosts, *views, *grids, *counts])


# Its processes are copies of one that has loaded all modules.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["support"])


def run_steps(environment, words, step, steps):
    os.environ.update(environment)
    sys.stdout = sys.stderr = open(os.devnull, "w")

    def count(*_):
        steps.value += 1
        if steps.value == step:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)
    sys.exit(cli.main(words))


def run_here(engine, function, calls, run=DuckDB.run):
    """Starting a process takes longer than what most tests do with it. So only those start any that ask for
    several."""
    return itertools.starmap(function, calls) if engine.processes == 1 else run(engine, function, calls)


DuckDB.run = run_here


class Fleet:
    """A fleet in a folder or bucket, and the same objects in memory."""

    def __init__(self, root, endpoint=None):
        self.root, self.place = str(root), open_place(str(root), endpoint)
        # The engine of roll-ups and sums.
        self.engine = ["--processes", "1"]
        # The lines of each object by (kiosk, generation, day), then by revision.
        self.objects = defaultdict(dict)

    def put(self, lines):
        first = add_up(lines)[0]
        self.objects[first["kiosk"], first["generation"], first["day"]][first["revision"]] = lines
        return self.put_bytes(self.path(first), encode(lines))

    @staticmethod
    def path(first):
        return f"in/{first['kiosk']}/{first['generation']}/{first['day']}/r{first['revision']}.ndjson.gz"

    def put_bytes(self, path, data):
        self.place.write(path, data)
        return path

    def run(self, verb, *words):
        """Runs a verb in this process. Returns its exit status, and what it wrote to stdout and stderr."""
        with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(
                io.StringIO()) as log:
            try:
                status = cli.main(self.words(verb, *words))
            except SystemExit as end:
                status = end.code
        return status, output.getvalue(), log.getvalue()

    def words(self, verb, *words):
        endpoint = getattr(self.place, "endpoint", None)
        words = [verb, self.root, *map(str, words), *(["--endpoint", endpoint] if endpoint else [])]
        return words + self.engine if verb in ("rollup", "sum") and "--processes" not in words else words

    def run_killed(self, step, verb, *words):
        """Runs a verb in a process that SIGKILL ends after `step` calls of functions; 0: never. Returns its exit
        code, and how many functions it called."""
        steps = FORKS.Value("q", 0, lock=False)
        process = FORKS.Process(target=run_steps, args=(dict(os.environ), self.words(verb, *words), step, steps))
        process.start()
        process.join()
        return process.exitcode, steps.value

    def roll_up(self, *words):
        return self.run("rollup", *words)

    def expected(self, day, kiosks=None):
        """The Sum of the highest revisions of a day, of all kiosks or those in `kiosks`."""
        total = Sum()
        for (kiosk, _, of), revisions in self.objects.items():
            if of == day and (kiosks is None or kiosk in kiosks):
                total.add(revisions[max(revisions)])
        return total

    def result(self, day):
        return read_result(self.place, day)

    def rows(self, day, kind):
        """The rows of a day's files of a kind, as dictionaries."""
        rows = []
        for path in self.result(day).paths(kind):
            with self.place.filesystem.open_input_file(str(self.place.full(path))) as file:
                rows += pyarrow.parquet.read_table(file).to_pylist()
        return rows

    def sums(self, day):
        """sums.parquet in the form of Sum.grids."""
        columns = ("screen", "display", "pixel_width", "pixel_height", "scale", "rotation", "block_size",
                   "layer")
        return {(*(row[column] for column in columns), row["block"]): [
                    row["sum"], int(row["square"]), row["touched"], row["kiosks"]
                ] for row in self.rows(day, "sums")}

    def data_files(self):
        """All paths in out/ but the results and the lists."""
        return {file.path for file in self.place.list("out") if file.path.endswith(".parquet")}

    def named_files(self):
        return {f"{result.folder}/{name}" for file in self.place.list("out/days")
                if (result := self.result(pathlib.Path(file.path).stem)) for name in result.files}


def write_day(root, kiosk, day, sessions, views, generation="a" * 16, revision=1, counts=()):
    """Writes the object of a kiosk's day below the folder `root`.

    views: of each (screen, display) a dictionary of `sessions`, perhaps `masks` and `geometry`, and the
    layers: of each block (sum, square, touched). counts: lines of other counts."""
    first = day_line(kiosk, generation, revision, str(day), sessions, totals=None, hours=None)
    lines, grids = [first], []
    for (screen, display), view in sorted(views.items()):
        names = dict(screen=screen, display=display, geometry=view.get("geometry", DISPLAY))
        sums = {"shownMs": view["sessions"] * 1000,
                "touches": sum(figures[0] for figures in view.get("taps", {}).values())}
        lines.append(view_line(view["sessions"], view.get("masks", []),
                               [{"device": f"secret-device-of-{kiosk}"}], **names) | sums)
        grids += [summed_line(view[layer], layer, **names) for layer in LAYERS if view.get(layer)]
    path = pathlib.Path(root, Fleet.path(first))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode([*lines, *grids, *counts]))


class Sum:
    """The sum of days in plain Python. `grids`: sum, square, touched and kiosks by the key and block."""

    def __init__(self):
        self.grids, self.views, self.ghosts = {}, {}, Counter()
        self.totals, self.hours, self.sessions, self.began = Counter(), [0] * 24, 0, []
        self.kiosks = defaultdict(set)
        # Sessions at place -1.
        self.counts = Counter()

    def add(self, lines):
        first = lines[0]
        self.sessions += first["sessions"]
        if first["sessions"]:
            self.began += [first["firstBeganAtMs"], first["lastBeganAtMs"]]
        if first["totals"] is None or self.totals is None:
            self.totals = self.hours = None
        else:
            self.totals.update(first["totals"])
            self.hours = [a + b for a, b in zip(self.hours, first["hours"])]
        for line in lines[1:]:
            getattr(self, "add_" + line["type"])(line, first["kiosk"])

    def add_ghost(self, line, _):
        self.ghosts[line["device"], line["x"], line["y"], line["periodMs"]] += line["touches"]

    @staticmethod
    def key(line):
        return (line["screen"], line["display"], *(line["geometry"][name] for name in (
            "pixelWidth", "pixelHeight", "scale", "rotation", "blockSize")))

    def add_view(self, line, _):
        view = self.views.setdefault(self.key(line), [0, 0, 0, set(), set()])
        for at, name in enumerate(("sessions", "shownMs", "touches")):
            view[at] += line[name]
        view[3].update(tuple(sorted(mask.items())) for mask in line["masks"])
        view[4].update(json.dumps(placement, sort_keys=True) for placement in line["placements"])

    def add_count(self, line, _):
        if line["kind"] != "panel":
            subject = line["kind"], line["subject"]
            self.counts.update({(*subject, -1): line["sessions"]})
            self.counts.update({(*subject, place): count for place, count in zip(line["places"], line["counts"])})

    def add_grid(self, line, kiosk):
        high = line.get("squaresHigh", [0] * len(line["blocks"]))
        for block, *counts, top in zip(line["blocks"], line["sums"], line["squares"], line["touched"], high):
            at = (*self.key(line), line["layer"], block)
            self.kiosks[at].add(kiosk)
            cell = self.grids.setdefault(at, [0, 0, 0, 0])
            for number, count in enumerate((counts[0], counts[1] + top * 2**63, counts[2])):
                cell[number] += count
            cell[3] = len(self.kiosks[at])


def read_day(data):
    """The lines of an object, by the plainest reader there is."""
    return [json.loads(line) for line in gzip.decompress(data).decode().splitlines()]


def random_fleet(chance, kiosks=12, days=("2026-11-21", "2026-11-22")):
    """Random objects in random order, as lists of lines: replays, several revisions and generations of a
    kiosk, and forgotten days."""
    writes = []
    for number in range(kiosks):
        for generation in ["a" * 16, "b" * 32][:chance.choice((1, 1, 2))]:
            for day in days:
                for revision in sorted(chance.sample(range(1, 2**53), chance.choice((1, 1, 3)))):
                    names = dict(kiosk=f"k{number}", generation=generation, revision=revision, day=day)
                    is_forgotten = chance.random() < 0.1
                    writes.append(
                        [day_line(sessions=0, **names)] if is_forgotten else random_lines(chance, **names))
    writes += chance.sample(writes, len(writes) // 3)
    chance.shuffle(writes)
    return writes


def start_bucket(test, identities=()):
    """Starts SeaweedFS with a bucket `fleet` for a class of tests, and sets the credentials of the owner.
    `identities`: the names of others, who may do nothing yet."""
    folder = tempfile.mkdtemp(prefix="touchgrid-fleet-weed.")
    test.addClassCleanup(shutil.rmtree, folder)
    server = SeaweedFS(folder, dict.fromkeys(identities, ()))
    server.start()
    test.addClassCleanup(server.stop)
    server.make_bucket("fleet")
    values = {"AWS_ACCESS_KEY_ID": "admin-key", "AWS_SECRET_ACCESS_KEY": "admin-secret", "AWS_REGION": "us-east-1"}
    test.enterClassContext(mock.patch.dict(os.environ, values))
    return server


class SparkCluster:
    """A standalone cluster on loopback: a master and two workers with one core and 1 GiB each."""

    def __init__(self, folder):
        import pyspark
        home = pathlib.Path(pyspark.__file__).parent
        self.processes = Processes(folder)
        program = str(home / "bin/spark-class")
        environment = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(home), "SPARK_DAEMON_MEMORY": "256m"}
        master = self.processes.start("master", [
            program, "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0",
            "--webui-port", "0"], **environment)
        until(lambda: "New state: ALIVE" in master.read_text(),
              lambda: f"Spark's master runs\n{master.read_text()[-3000:]}", WAIT)
        self.url = re.search(r"Starting Spark master at (spark://127\.0\.0\.1:\d+)", master.read_text())[1]
        for number in range(2):
            worker = self.processes.start(f"worker-{number}", [
                program, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1",
                "--memory", "1g", "--webui-port", "0", "--work-dir", f"{folder}/work-{number}", self.url
            ], **environment)
            until(lambda: "Successfully registered" in worker.read_text(),
                  lambda: f"a worker of Spark runs\n{worker.read_text()[-3000:]}", WAIT)

    def close(self):
        self.processes.close()


def check_in_browser(test, file):
    """Shows the page of a comparison at two widths, in both colour schemes."""
    chromium = Chromium("--hide-scrollbars")
    test.addCleanup(chromium.close)
    chromium.watch()
    # The style is applied, so the policy allows it.
    for width, scheme, background in ((1280, "light", "rgb(250, 249, 247)"), (390, "dark", "rgb(20, 18, 25)")):
        with test.subTest(width=width):
            chromium.said.clear()
            chromium.sized(width, 900, scheme=scheme)
            chromium.load(file)
            test.assertLessEqual(chromium.run("document.documentElement.scrollWidth"), width)
            test.assertEqual(chromium.run("getComputedStyle(document.body).backgroundColor"), background)
            test.assertEqual((chromium.run("typeof hacked"), chromium.errors()), ("undefined", []))
            test.assertEqual(len(chromium.fetched()), 1)


class FleetTest(unittest.TestCase):
    """A test with an empty fleet in a temporary folder."""

    maxDiff = 2000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="touchgrid-fleet-test."))
        self.addCleanup(shutil.rmtree, self.folder)
        self.fleet = Fleet(self.folder / "fleet")

    def touchgrid(self, *words, status=0):
        """Runs the program that checks objects. Returns what it wrote to stdout and stderr."""
        done = subprocess.run([os.environ[PROGRAM], *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def imported(self, root, name, form="csv"):
        """Makes a store of a folder of objects, and exports it. Returns the paths of both."""
        store, output = self.folder / f"{name}.db", self.folder / f"{name}-export"
        for words in (("import", root, "-o", store), ("store", "check", "--store", store),
                      ("export", "--store", store, "--format", form, "-o", output)):
            self.touchgrid(*words)
        return store, output

    def check_day(self, fleet, day):
        """Compares all that a roll-up wrote with the sum in plain Python."""
        expected = fleet.expected(day)
        self.assertEqual(fleet.sums(day), expected.grids)
        self.assertEqual(sum(row["sessions"] for row in fleet.rows(day, "kiosks")), expected.sessions)

    def sum(self, output, *words, fleet=None):
        """Writes a sum into a folder of the test. Returns the bytes of its objects by their names."""
        status, _, log = (fleet or self.fleet).run("sum", "-o", self.folder / output, *words)
        self.assertEqual(status, 0, log)
        return self.summed(output)

    def summed(self, output):
        return {str(path.relative_to(self.folder / output)): path.read_bytes()
                for path in (self.folder / output).rglob("*.gz")}

    def check_object(self, data, expected):
        """Compares an object that `sum` wrote with the sum in plain Python."""
        lines = read_day(data)
        found = Sum()
        found.add(lines)
        for cells in (found.grids, expected.grids):
            # How many kiosks touched a block is not in an object.
            for cell in cells.values():
                cell[3] = None
        for counts in (found, expected):
            counts.counts = {place: count for place, count in counts.counts.items() if count}
        for name in ("grids", "views", "ghosts", "totals", "hours", "sessions", "counts"):
            self.assertEqual(getattr(found, name), getattr(expected, name), name)
        if expected.began:
            self.assertEqual(found.began, [min(expected.began), max(expected.began)])
        return lines
