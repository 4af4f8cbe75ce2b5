"""A Spark cluster of a master and two workers gives the same as DuckDB, with the same SQL."""

import os
import random
import shutil
import tempfile
from unittest import mock

from pyspark.sql import SparkSession
from support import Fleet, FleetTest, SparkCluster, random_fleet, start_bucket
from test_rollup import Overflows
from touchgrid_fleet import rollup
from touchgrid_fleet.engines import spark

DAY = "2026-11-21"


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
        # All runs have one session, because its executors start slowly. A file is sent to them once.
        cls.addClassCleanup(lambda: SparkSession.builder.getOrCreate().stop())
        cls.enterClassContext(mock.patch.object(SparkSession, "stop"))
        cls.enterClassContext(mock.patch.object(spark, "package_archive", return_value=spark.package_archive(folder)))
        cls.enterClassContext(mock.patch.object(rollup, "PART_KIOSKS", 3))

    def setUp(self):
        super().setUp()
        self.fleet.engine = ["--engine", "spark", "--master", self.cluster.url]

    def test_random_fleet(self):
        """Of a random fleet in a bucket, sums and all tables are those of plain Python and of DuckDB. OwnKind has one
        in a folder."""
        fleet = Fleet("s3://fleet/spark", self.weed.endpoint)
        fleet.engine, words, kiosks = self.fleet.engine, ("--kiosk", "k2", "--kiosk", "k5"), {"k2", "k5"}
        for lines in random_fleet(random.Random(31), kiosks=8, days=[DAY]):
            fleet.put(lines)
        bad = fleet.put_bytes(f"in/k1/{'a' * 16}/{DAY}/r{2**53}.ndjson.gz", b"x")
        status, _, log = fleet.roll_up()
        self.assertEqual(status, 0, log)
        self.assertIn(f"refused: {bad}", log)
        self.check_day(fleet, DAY)
        self.assertGreater(len(fleet.result(DAY).paths("grids")), 2)
        (data,) = (objects := self.sum("sum", *words, fleet=fleet)).values()
        self.check_object(data, fleet.expected(DAY, kiosks))
        self.assertEqual(self.sum("sum-duckdb", *words, fleet=Fleet(fleet.root, self.weed.endpoint)), objects)
        other = Fleet(self.folder / "other")
        for file in fleet.place.list("in"):
            other.put_bytes(file.path, fleet.place.read(file.path))
        other.roll_up()
        for kind in ("grids", "keys", "views", "kiosks", "ghosts", "sums", "counts", "subjects"):
            self.assertEqual(fleet.rows(DAY, kind), other.rows(DAY, kind), kind)


class NoCluster(FleetTest):
    def test_no_cluster(self):
        status, _, log = self.fleet.run("rollup", "--engine", "spark", "--master", "nonsense://x")
        self.assertEqual(status, 1)
        self.assertRegex(log, "Spark at nonsense://x does not start")


del Overflows
