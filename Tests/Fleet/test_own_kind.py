"""A kind of counts that no line of the project names is led through its whole life: from the finger to a fleet's sum."""

import datetime
import itertools
import json
import os
import shutil
from pathlib import Path

from support import Fleet, FleetTest, SparkCluster, encode, read_day
from touchgrid_fleet import checker
from touchgrid_test.daemon import Daemon
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import BINARIES

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
NOON = DAY.timestamp()


def fingers(taps):
    """Taps in these eighths, and a rhythm of suspected ghosts: the fourth tells what the first three were."""
    fingers = Fingers("panel")
    for octant in taps:
        fingers.wait(0.4).tap("panel", PLACES[octant])
    for _ in range(5):
        fingers.wait(1.98).tap("panel", PLACES[5], 0.02)
    return fingers


def octants(daemon, **parameters):
    """The numbers of each subject."""
    found = {}
    for counts in daemon.call("GetCounts", kind="octants", **parameters)["counts"]:
        assert counts["subject"] not in found
        numbers = dict(zip(counts["places"], counts["counts"]))
        found[counts["subject"]] = [numbers.get(place, 0) for place in range(8)]
    return found


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

    def daemon(self):
        """A daemon that knows the kind."""
        daemon = Daemon(CONFIGURATION)
        daemon.program = self.programs / "touchgridd"
        self.addCleanup(daemon.close)
        return daemon

    def record(self, name, taps):
        """A kiosk that is killed in its first session, and forgets its third. Two sessions remain."""
        kiosk, export = self.daemon(), self.folder / name
        kiosk.start(fingers(taps), clock=NOON)
        kiosk.call("BeginSession")
        kiosk.passes(30)
        # The first eighth is masked, and ghosts are taken back.
        session, = kiosk.call("ListSessions")["sessions"]
        self.assertEqual((session["totals"]["masked"], session["totals"]["suspectedGhosts"]), (taps.count(0), 5))
        once = [0, *(taps.count(octant) for octant in range(1, 8))]
        self.assertEqual(octants(kiosk), {'["glass"]': once})
        kiosk.kill()
        for number in (2, 3):
            kiosk.start(clock=NOON + 100 * number)
            session = kiosk.call("BeginSession")["session"]
            kiosk.passes(30)
            kiosk.call("EndSession")
            kiosk.passes(10)
            self.assertEqual(octants(kiosk, session=session), {'["glass"]': once})
            if number == 3:
                self.assertEqual(octants(kiosk), {'["glass"]': [3 * count for count in once]})
                kiosk.call("Forget", session=session)
            self.assertEqual(octants(kiosk, byDay=True), {'["glass"]': [2 * count for count in once]})
            kiosk.stop()
        self.touchgrid("store", "check", "--store", kiosk.store)
        self.touchgrid("export", "--fleet", "--kiosk", name, "--store", kiosk.store, "-o", export)
        shutil.copytree(export / "in", f"{self.fleet.root}/in", dirs_exist_ok=True)
        return [2 * count for count in once]

    def test_from_the_finger_to_the_fleet(self):
        taps = [0, 1, 1, 1, 3, 4, 7, 7, 0, 6], [0, 2, 2, 5]
        kiosks = [self.record(name, list(own)) for name, own in zip(("one", "two"), taps)]
        status, _, log = self.fleet.roll_up()
        self.assertEqual((status, ", 0 refused" in log), (0, True), log)
        self.sum("sum")
        total = [sum(pair) for pair in zip(*kiosks)]
        for name, root in (("objects", self.fleet.root), ("sums", self.folder / "sum")):
            store, output = self.imported(root, name, "ndjson")
            kiosk = self.daemon()
            kiosk.store = store
            kiosk.start(clock=NOON + 86_400)
            self.assertEqual(octants(kiosk), {'["glass"]': total})
            self.assertEqual(octants(kiosk, day=str(DAY.date())), {'["glass"]': total})
            self.assertEqual(octants(kiosk, day="2026-11-19"), {})
            kiosk.stop()
            lines = map(json.loads, (output / "day=2026-11-20/counts.ndjson").read_text().splitlines())
            line, = (line for line in lines if line["kind"] == "octants")
            places = [octant for octant, number in enumerate(total) if number]
            self.assertEqual(line, {
                "day": "2026-11-20", "kind": "octants", "subject": '["glass"]', "sessions": 4, "places": places,
                "counts": [total[octant] for octant in places]})
        self.check_release(kiosks[0])

    def check_release(self, total):
        """A release by the kind's rule: what four kiosks counted on two days, `two` and its copies, is hidden."""
        many, out = Fleet(self.folder / "many"), self.folder / "release"
        for file in Path(self.fleet.root, "in").rglob("*.gz"):
            lines = read_day(file.read_bytes())
            for number, day in itertools.product(range(4), range(3 if lines[0]["kiosk"] == "one" else 2)):
                lines[0] |= {"kiosk": f"{lines[0]['kiosk'][:3]}-{number}",
                             "day": str(DAY.date() - datetime.timedelta(day))}
                many.put_bytes(many.path(lines[0]), encode(lines))
        many.roll_up()
        status, said, log = many.run("release", "--week", "2026-W47", "--counts", "octants", "-o", out)
        self.assertEqual(status, 0, log)
        self.assertIn("with 0 blocks and 5 units of octants; 2 are hidden", said)
        kiosk = self.daemon()
        kiosk.store, _ = self.imported(out, "released")
        kiosk.start(clock=NOON + 86_400)
        self.assertEqual(octants(kiosk), {'["glass"]': [12 * number for number in total]})
        kiosk.stop()


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
