"""A fleet in a bucket of SeaweedFS, which is a real S3 server."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

from support import (PACKAGE, Fleet, FleetTest, Weed, bucket_environment, day_line, grid_line, random_fleet,
                     view_line)
from touchgrid_fleet import places

DAYS = ("2026-11-21", "2026-11-22")


class Bucket(FleetTest):
    @classmethod
    def setUpClass(cls):
        bucket_environment(cls)
        folder = tempfile.mkdtemp(prefix="touchgrid-fleet-weed.")
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.weed = Weed(folder)
        cls.addClassCleanup(cls.weed.close)

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
        self.check_sum(None)
        self.check_sum({"k1", "k4"}, "--kiosk", "k1", "--kiosk", "k4")
        self.assertEqual(self.fleet.run("kiosks", "--since", DAYS[0], "--until", DAYS[1])[0], 3)
        # The output may be in a bucket of the same server.
        output = f"{self.fleet.root}/sums"
        status, _, log = self.fleet.run("sum", "-o", output)
        self.assertEqual(status, 0, log)
        written = {path.removeprefix("sums/"): self.fleet.place.read(path)
                   for path in (file.path for file in self.fleet.place.list("sums"))}
        self.assertEqual(written, {str(path.relative_to(self.folder / "sum0")): path.read_bytes()
                                   for path in (self.folder / "sum0").rglob("*.gz")})

    def check_sum(self, kiosks, *words):
        output = self.folder / f"sum{len(words)}"
        status, _, log = self.fleet.run("sum", "-o", output, *words)
        self.assertEqual(status, 0, log)
        for path in output.rglob("*.gz"):
            self.check_object(path.read_bytes(), self.fleet.expected(path.parent.name, kiosks))

    def test_kills(self):
        """A roll-up that is killed leaves the day as it was; its files are removed once they are old."""
        for number in range(20):
            self.fleet.put([day_line(kiosk=f"k{number}"), view_line(), grid_line({number % 12: [1, 2]})])
        self.fleet.roll_up()
        before, chance = self.fleet.sums(DAYS[0]), random.Random(6)
        for revision in range(2, 7):
            self.fleet.put([day_line(kiosk="k0", revision=revision), view_line(), grid_line({3: [revision]})])
            process = subprocess.Popen([
                sys.executable, "-m", "touchgrid_fleet", "rollup", self.fleet.root, "--endpoint",
                self.weed.endpoint
            ], env=os.environ | {"PYTHONPATH": str(PACKAGE)}, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.5, 2))
            process.kill()
            process.wait()
            found, new = self.fleet.sums(DAYS[0]), self.fleet.expected(DAYS[0]).grids
            self.assertIn(found, (before, new))
            before = found
        self.addCleanup(setattr, places, "BUCKET_GRACE", places.BUCKET_GRACE)
        places.BUCKET_GRACE = -3600
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.check_day(self.fleet, DAYS[0])
        self.assertEqual(self.fleet.data_files(), self.fleet.named_files())

    def test_young_leftovers_stay(self):
        """Another machine may be writing them."""
        self.fleet.put([day_line(), view_line()])
        self.fleet.put_bytes(f"out/{DAYS[0]}/0123456789abcdef/grids-0.parquet", b"x")
        self.fleet.roll_up()
        self.assertEqual(len(self.fleet.data_files() - self.fleet.named_files()), 1)

    def test_wrong_key(self):
        self.addCleanup(os.environ.__setitem__, "AWS_SECRET_ACCESS_KEY", os.environ["AWS_SECRET_ACCESS_KEY"])
        os.environ["AWS_SECRET_ACCESS_KEY"] = "another"
        status, _, log = Fleet(self.fleet.root, self.weed.endpoint).roll_up()
        self.assertEqual((status, log.count("\n")), (1, 1))
        self.assertIn("touchgrid-fleet: ", log)

    def test_no_server(self):
        status, _, log = Fleet(self.fleet.root, "http://127.0.0.1:9").roll_up()
        self.assertEqual((status, log.count("\n")), (1, 1), log)
