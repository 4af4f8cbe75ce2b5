"""A Spark cluster of a master and two workers gives the same as DuckDB, with the same SQL."""

import os
import random
import shutil
import tempfile

from support import Fleet, SparkCluster, random_fleet, start_bucket
from test_rollup import Overflows
from touchgrid_fleet import rollup

DAYS = ("2026-11-21", "2026-11-22")


class Spark(Overflows):
    """Numbers that do not fit are refused as by DuckDB, too."""

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

    def setUp(self):
        super().setUp()
        self.fleet.engine = ["--engine", "spark", "--master", self.cluster.url]

    def check_fleet(self, fleet, days=DAYS):
        """Rolls up a random fleet, and compares it and its sums with plain Python and DuckDB."""
        fleet.engine, words, kiosks = self.fleet.engine, ("--kiosk", "k2", "--kiosk", "k5"), {"k2", "k5"}
        for lines in random_fleet(random.Random(31), kiosks=8, days=days):
            fleet.put(lines)
        bad = fleet.put_bytes(f"in/k1/{'a' * 16}/{DAYS[0]}/r{2**53}.ndjson.gz", b"x")
        status, _, log = fleet.roll_up()
        self.assertEqual(status, 0, log)
        self.assertIn(f"refused: {bad}", log)
        for day in days:
            self.check_day(fleet, day)
        self.assertGreater(len(fleet.result(DAYS[0]).paths("grids")), 2)
        objects = self.sum("sum", *words, fleet=fleet)
        self.assertEqual(len(objects), len(days))
        for path, data in objects.items():
            self.check_object(data, fleet.expected(path.split("/")[3], kiosks))
        duckdb = Fleet(fleet.root, getattr(fleet.place, "endpoint", None))
        self.assertEqual(self.sum("sum-duckdb", *words, fleet=duckdb), objects)

    def test_folder(self):
        self.check_fleet(self.fleet)
        # DuckDB writes the same tables.
        other = Fleet(self.folder / "other")
        shutil.copytree(self.fleet.root + "/in", other.root + "/in")
        other.roll_up()
        for kind in ("grids", "keys", "views", "kiosks", "ghosts", "sums", "counts", "subjects"):
            self.assertEqual(self.fleet.rows(DAYS[0], kind), other.rows(DAYS[0], kind), kind)

    def test_bucket(self):
        self.check_fleet(Fleet("s3://fleet/spark", self.weed.endpoint), DAYS[:1])

    def test_no_cluster(self):
        status, _, log = Fleet(self.fleet.root).run("rollup", "--engine", "spark", "--master", "nonsense://x")
        self.assertEqual(status, 1)
        self.assertRegex(log, "Spark at nonsense://x does not start")


del Overflows
