"""A kind of counts that no line of the project names is led through its whole life: from the finger to a fleet's sum."""

import datetime
import json
import os
import shutil
import signal
import subprocess

from support import FleetTest, SparkCluster
from touchgrid_fleet import checker
from touchgrid_test.client import Client
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import BINARIES, PATIENCE

# Of Tests/OwnKind: the eighths of the display, four in each of two rows.
PLACES = [(x / 8, y / 4) for y in (1, 3) for x in (1, 3, 5, 7)]
CONFIGURATION = """[store]
checkpoint = "1s"
[session]
mode = "manual"
[[display]]
name = "glass"
width = 1024
height = 768
[[mask]]
screen = "default"
x = 0
y = 0
width = 256
height = 384
"""
DAY = datetime.datetime(2026, 11, 20, 12, tzinfo=datetime.timezone.utc)


class Kiosk:
    """A daemon whose clocks a test moves (`--test-clock`)."""

    def __init__(self, test, name, store=None, taps=()):
        self.folder = test.folder / name
        self.folder.mkdir(exist_ok=True)
        self.store, self.socket = store or self.folder / "touchgrid.db", self.folder / "socket"
        fingers = Fingers("panel")
        for octant in taps:
            fingers.wait(0.4).tap("panel", PLACES[octant])
        # A rhythm of suspected ghosts: the fourth tells what the first three were.
        for _ in range(5 if taps else 0):
            fingers.wait(1.98).tap("panel", PLACES[5], 0.02)
        (self.folder / "fingers").write_text(fingers.rests(600).text())
        (self.folder / "touchgridd.toml").write_text(CONFIGURATION)
        self.command = [test.programs / "touchgridd", "--config", self.folder / "touchgridd.toml", "--store", self.store,
                        "--socket", self.socket, "--replay", self.folder / "fingers", "--pace", "recorded"]
        test.addCleanup(self.close)

    def start(self, after=0):
        """Starts the daemon, so many seconds after noon."""
        clock = int(1000 * (DAY.timestamp() + after))
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen([*self.command, "--test-clock", str(clock)], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=log)
        assert self.process.stdout.readline(), (self.folder / "log").read_text()
        return self

    def wait(self, seconds):
        self.process.stdin.write(b"%d\n" % (1_000_000 * seconds))
        self.process.stdin.flush()
        self.process.stdout.readline()

    def call(self, method, **parameters):
        with Client(str(self.socket)) as client:
            return client.call(method, **parameters)

    def octants(self, **parameters):
        """The numbers of each subject."""
        found = {}
        for counts in self.call("GetCounts", kind="octants", **parameters)["counts"]:
            assert counts["subject"] not in found
            numbers = dict(zip(counts["places"], counts["counts"]))
            found[counts["subject"]] = [numbers.get(place, 0) for place in range(8)]
        return found

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.communicate(timeout=PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)


class OwnKind(FleetTest):
    def setUp(self):
        super().setUp()
        self.programs = self.folder / "bin"
        self.programs.mkdir()
        for name in ("touchgrid", "touchgridd"):
            (self.programs / name).symlink_to(BINARIES / "OwnKind")
        former = os.environ[checker.PROGRAM]
        for change in (checker.stop, lambda: os.environ.update({checker.PROGRAM: former})):
            self.addCleanup(change)
        checker.stop()
        os.environ[checker.PROGRAM] = str(self.programs / "touchgrid")

    def touchgrid(self, *words):
        done = subprocess.run([self.programs / "touchgrid", *map(str, words)], capture_output=True, text=True,
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def record(self, name, taps):
        """A kiosk that is killed in its first session, and forgets its third. Two sessions remain."""
        kiosk = Kiosk(self, name, taps=taps).start()
        kiosk.call("BeginSession")
        kiosk.wait(30)
        # The first eighth is masked, and ghosts are taken back.
        session, = kiosk.call("ListSessions")["sessions"]
        self.assertEqual((session["totals"]["masked"], session["totals"]["suspectedGhosts"]), (taps.count(0), 5))
        once = [0, *(taps.count(octant) for octant in range(1, 8))]
        self.assertEqual(kiosk.octants(), {'["glass"]': once})
        kiosk.stop(signal.SIGKILL)
        for number in (2, 3):
            kiosk.start(100 * number)
            session = kiosk.call("BeginSession")["session"]
            kiosk.wait(30)
            kiosk.call("EndSession")
            kiosk.wait(10)
            self.assertEqual(kiosk.octants(session=session), {'["glass"]': once})
            if number == 3:
                self.assertEqual(kiosk.octants(), {'["glass"]': [3 * count for count in once]})
                kiosk.call("Forget", session=session)
            self.assertEqual(kiosk.octants(byDay=True), {'["glass"]': [2 * count for count in once]})
            kiosk.stop()
        self.touchgrid("store", "check", "--store", kiosk.store)
        self.touchgrid("export", "--fleet", "--kiosk", name, "--store", kiosk.store, "-o", kiosk.folder / "export")
        shutil.copytree(kiosk.folder / "export/in", f"{self.fleet.root}/in", dirs_exist_ok=True)
        return [2 * count for count in once]

    def test_from_the_finger_to_the_fleet(self):
        taps = [0, 1, 1, 1, 3, 4, 7, 7, 0, 6], [0, 2, 2, 5]
        kiosks = [self.record(name, list(own)) for name, own in zip(("one", "two"), taps)]
        status, _, log = self.fleet.roll_up()
        self.assertEqual((status, ", 0 refused" in log), (0, True), log)
        self.sum("sum")
        total = [sum(pair) for pair in zip(*kiosks)]
        for name, root in (("objects", self.fleet.root), ("sums", self.folder / "sum")):
            store = self.folder / f"{name}.db"
            self.touchgrid("import", root, "-o", store)
            self.touchgrid("store", "check", "--store", store)
            kiosk = Kiosk(self, name, store).start(86_400)
            self.assertEqual(kiosk.octants(), {'["glass"]': total})
            self.assertEqual(kiosk.octants(day=str(DAY.date())), {'["glass"]': total})
            self.assertEqual(kiosk.octants(day="2026-11-19"), {})
            kiosk.stop()
            self.touchgrid("export", "--store", store, "--format", "ndjson", "-o", self.folder / f"{name}-export")
            line, = (self.folder / f"{name}-export/day=2026-11-20/counts.ndjson").read_text().splitlines()
            places = [octant for octant, number in enumerate(total) if number]
            self.assertEqual(json.loads(line), {
                "day": "2026-11-20", "kind": "octants", "subject": '["glass"]', "sessions": 4, "places": places,
                "counts": [total[octant] for octant in places]})


class OnSpark(OwnKind):
    """The same, summed by Spark."""

    def setUp(self):
        super().setUp()
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        self.addCleanup(os.environ.pop, "SPARK_LOCAL_IP")
        # The executors get the program of this environment.
        cluster = SparkCluster(self.folder)
        self.addCleanup(cluster.close)
        self.fleet.engine = ["--engine", "spark", "--master", cluster.url]
