"""A Spark cluster of a master and two workers gives the same as DuckDB, with the same SQL."""

import os
import random
import shutil
import tempfile

from support import (Fleet, FleetTest, SparkCluster, day_line, grid_line, random_fleet, start_bucket,
                     view_line)
from touchgrid_fleet import rollup

DAYS = ("2026-11-21", "2026-11-22")


class Spark(FleetTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="touchgrid-fleet-spark.")
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        # The driver listens on loopback, too.
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        cls.addClassCleanup(os.environ.pop, "SPARK_LOCAL_IP")
        # Executors read a bucket with the credentials in the environment of their worker.
        cls.weed = start_bucket(cls)
        cls.cluster = SparkCluster(folder)
        cls.addClassCleanup(cls.cluster.close)
        cls.addClassCleanup(setattr, rollup, "PART_KIOSKS", rollup.PART_KIOSKS)
        rollup.PART_KIOSKS = 3

    def run_spark(self, fleet, verb, *words):
        return fleet.run(verb, "--engine", "spark", "--master", self.cluster.url, *words)

    def check_fleet(self, fleet, days=DAYS):
        """Rolls up a random fleet, and compares it and its sums with plain Python and DuckDB."""
        for lines in random_fleet(random.Random(31), kiosks=8, days=days):
            fleet.put(lines)
        bad = fleet.put_bytes(f"in/k1/{'a' * 16}/{DAYS[0]}/r{2**53}.ndjson.gz", b"x")
        status, _, log = self.run_spark(fleet, "rollup")
        self.assertEqual(status, 0, log)
        self.assertIn(f"refused: {bad}", log)
        for day in days:
            self.check_day(fleet, day)
        self.assertGreater(len(fleet.result(DAYS[0]).paths("grids")), 2)
        self.check_sum(fleet, days, {"k2", "k5"}, "--kiosk", "k2", "--kiosk", "k5")

    def check_sum(self, fleet, days, kiosks, *words):
        output = self.folder / "sum"
        status, _, log = self.run_spark(fleet, "sum", "-o", output, *words)
        self.assertEqual(status, 0, log)
        objects = sorted(output.rglob("*.gz"))
        self.assertEqual(len(objects), len(days))
        for path in objects:
            self.check_object(path.read_bytes(), fleet.expected(path.parent.name, kiosks))
        other = output.with_name(output.name + "-duckdb")
        fleet.run("sum", "-o", other, *words)
        for path in objects:
            self.assertEqual((other / path.relative_to(output)).read_bytes(), path.read_bytes())

    def test_folder(self):
        self.check_fleet(self.fleet)
        # DuckDB writes the same tables.
        other = Fleet(self.folder / "other")
        shutil.copytree(self.fleet.root + "/in", other.root + "/in")
        other.roll_up()
        for kind in ("grids", "keys", "views", "kiosks", "ghosts", "sums"):
            self.assertEqual(self.fleet.rows(DAYS[0], kind), other.rows(DAYS[0], kind), kind)

    def test_bucket(self):
        self.check_fleet(Fleet("s3://fleet/spark", self.weed.endpoint), DAYS[:1])

    def test_overflow(self):
        """Kiosks whose sum does not fit are left out and named, and so are generations of one."""
        for day, names in zip(DAYS, ({"kiosk": "a"}, {"generation": "b" * 16})):
            self.fleet.put([day_line(day=day), view_line(), grid_line({3: [2**62], 5: [1]})])
            self.fleet.put([day_line(day=day, **names), view_line(), grid_line({3: [2**62]})])
        self.fleet.put([day_line(day="2026-11-23"), view_line(), grid_line({3: [2]})])
        status, _, log = self.run_spark(self.fleet, "rollup")
        self.assertEqual(status, 0, log)
        for day, number in zip(DAYS, (1, 0)):
            self.assertRegex(log, f"refused: in/.*/{day}/.*the sum of screen 'menu', display 'HDMI-A-1', "
                                  r"layer taps, block 3 is over 2\^63-1")
            self.assertEqual(len(self.fleet.result(day).inputs), number)
        self.check_day(self.fleet, "2026-11-23")

    def test_no_cluster(self):
        status, _, log = self.fleet.run("rollup", "--engine", "spark", "--master", "nonsense://x")
        self.assertEqual(status, 1)
        self.assertRegex(log, "Spark at nonsense://x does not start")
