"""A fleet in a bucket of SeaweedFS, which is a real S3 server."""

import datetime
import itertools
import os
import random
import signal

from support import (Fleet, FleetTest, day_line, grid_line, random_fleet, start_bucket, view_line,
                     write_day)
from touchgrid_fleet import places

DAYS = ("2026-11-21", "2026-11-22")


class Bucket(FleetTest):
    @classmethod
    def setUpClass(cls):
        cls.weed = start_bucket(cls)

    def setUp(self):
        super().setUp()
        self.fleet = Fleet(f"s3://fleet/{self.id().rpartition('.')[2]}/more", self.weed.endpoint)

    def test_random_fleet(self):
        writes = random_fleet(random.Random(21), kiosks=6, days=DAYS)
        for half in (writes[:len(writes) // 2], writes[len(writes) // 2:]):
            for lines in half:
                self.fleet.put(lines)
            status, _, log = self.fleet.roll_up()
            self.assertEqual(status, 0, log)
        self.fleet.put_bytes("in/wrong", b"x")
        self.assertIn("refused: in/wrong", self.fleet.roll_up()[2])
        for day in DAYS:
            self.check_day(self.fleet, day)
        self.assertEqual(self.fleet.data_files(), self.fleet.named_files())
        whole = self.sum("whole")
        for objects, kiosks in ((whole, None), (self.sum("part", "--kiosk", "k1", "--kiosk", "k4"), {"k1", "k4"})):
            for path, data in objects.items():
                self.check_object(data, self.fleet.expected(path.split("/")[3], kiosks))
        self.assertEqual(self.fleet.run("kiosks", "--since", DAYS[0], "--until", DAYS[1])[0], 3)
        # The output may be in a bucket of the same server.
        output = f"{self.fleet.root}/sums"
        status, _, log = self.fleet.run("sum", "-o", output)
        self.assertEqual(status, 0, log)
        written = {path.removeprefix("sums/"): self.fleet.place.read(path)
                   for path in (file.path for file in self.fleet.place.list("sums"))}
        self.assertEqual(written, whole)

    def test_releases_and_comparisons(self):
        """They are those of a folder."""
        folder, found = Fleet(self.folder / "fleet"), []
        for kiosk, number in itertools.product(range(4), range(7)):
            write_day(folder.root, f"k{kiosk}", datetime.date(2026, 11, 2 + number), 9, {("menu", "HDMI-A-1"): {
                "sessions": 9, "taps": {kiosk: (3, 5, 2), 9: (5, 9, 3), 10: (4, 4, 4)}}})
        for path in folder.place.list("in"):
            self.fleet.put_bytes(path.path, folder.place.read(path.path))
        for fleet in (self.fleet, folder):
            out = self.folder / f"out-{len(found)}"
            release = ("release", "--week", "2026-W45", "-o", out)
            for words in (("rollup",), release, release, ("compare", "--json")):
                status, page, log = fleet.run(*words)
                self.assertEqual(status, 0, log)
            ledger = [(file.path, fleet.place.read(file.path)) for file in fleet.place.list("releases")]
            found.append((page, ledger, [path.read_bytes() for path in out.glob("in/*/*/*/*")]))
        self.assertEqual(found[0], found[1])
        self.assertEqual([path for path, _ in found[0][1]], ["releases/000001.ndjson.gz"])
        self.assertEqual(len(found[0][2]), 1)

    def test_kills(self):
        """A roll-up that is killed leaves the day as it was."""
        for number in range(20):
            self.fleet.put([day_line(kiosk=f"k{number}"), view_line(), grid_line({number % 12: [1, 2]})])
        status, steps = self.fleet.run_killed(0, "rollup")
        self.assertEqual(status, 0)
        before = self.fleet.sums(DAYS[0])
        for kill in range(1, 6):
            self.fleet.put([day_line(kiosk="k0", revision=kill + 1), view_line(), grid_line({3: [kill]})])
            status, _ = self.fleet.run_killed(steps * kill // 6, "rollup")
            self.assertEqual(status, -signal.SIGKILL)
            found, new = self.fleet.sums(DAYS[0]), self.fleet.expected(DAYS[0]).grids
            self.assertIn(found, (before, new))
            before = found
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.check_day(self.fleet, DAYS[0])

    def test_young_leftovers_stay(self):
        """Another machine may be writing them. They are removed once they are old."""
        self.fleet.put([day_line(), view_line()])
        self.fleet.put_bytes(f"out/{DAYS[0]}/0123456789abcdef/grids-0.parquet", b"x")
        self.fleet.roll_up()
        self.assertEqual(len(self.fleet.data_files() - self.fleet.named_files()), 1)
        self.addCleanup(setattr, places, "BUCKET_GRACE", places.BUCKET_GRACE)
        places.BUCKET_GRACE = -3600
        self.fleet.roll_up()
        self.assertEqual(self.fleet.data_files(), self.fleet.named_files())

    def test_wrong_key(self):
        self.addCleanup(os.environ.__setitem__, "AWS_SECRET_ACCESS_KEY", os.environ["AWS_SECRET_ACCESS_KEY"])
        os.environ["AWS_SECRET_ACCESS_KEY"] = "another"
        status, _, log = Fleet(self.fleet.root, self.weed.endpoint).roll_up()
        self.assertEqual((status, log.count("\n")), (1, 1))
        self.assertIn("touchgrid-fleet: ", log)
