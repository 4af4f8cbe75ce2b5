"""Spark, for more kiosks than one machine can add up. Its executors read the objects with the same
functions as the processes of DuckDB, and write the Parquet files themselves. A folder must
therefore be shared by all machines; a bucket always is."""

import os
import pathlib
import shutil
import sys
import tempfile
import zipfile

import pyarrow
import pyarrow.parquet
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from .. import FleetError
from ..objects import shown
from ..checker import PROGRAM
from ..parts import COUNTS, GHOSTS, GRIDS, KEYS, KIOSKS, SUBJECTS, SUMS, VIEWS, read_part
from ..places import Folder
from . import read_sql

# The least number of parts that are read before their tables are written. It bounds the memory of this
# process.
WAVE = 64
SCHEMAS = {"grids": GRIDS, "keys": KEYS, "views": VIEWS, "kiosks": KIOSKS, "ghosts": GHOSTS, "sums": SUMS,
           "counts": COUNTS, "subjects": SUBJECTS}


class Spark:
    def __init__(self, master):
        self.master = master

    def __enter__(self):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        self.folder = tempfile.mkdtemp(prefix="touchgrid-fleet-")
        try:
            self.session = (
                SparkSession.builder.master(self.master).appName("touchgrid-fleet")
                .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
                # Make an overflow an error instead of wrapping around.
                .config("spark.sql.ansi.enabled", "true").config("spark.log.level", "ERROR")
                .config(f"spark.executorEnv.{PROGRAM}", os.environ.get(PROGRAM, "touchgrid"))
                .config("spark.sql.warehouse.dir", self.folder).getOrCreate())
        except Exception as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise FleetError(
                f"Spark at {shown(self.master)} does not start; is Java 17 installed, and the cluster "
                f"running? {shown(str(error).splitlines()[0])}") from None
        self.context = self.session.sparkContext
        self.context.addPyFile(package_archive(self.folder))
        return self

    def __exit__(self, *_):
        self.session.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read_parts(self, place, day, folder, chunks):
        jobs = list(enumerate(chunks))
        size = max(WAVE, 2 * self.context.defaultParallelism)
        for start in range(0, len(jobs), size):
            wave = jobs[start:start + size]
            parts = self.context.parallelize(wave, len(wave)).map(lambda job: read(place, day, folder, *job))
            try:
                found = parts.collect()
            except Exception as error:
                raise FleetError(f"Spark: {shown(str(error), 1000)}") from None
            for part in found:
                if isinstance(part, FleetError):
                    raise part
                yield part

    def map(self, work, jobs):
        return (work(self, job) for job in jobs)

    def query(self, place, name, relations, kiosks=None):
        try:
            for table, paths in relations.items():
                frame = self.frame(place, table, paths)
                if kiosks is not None and "kiosk" in frame.columns:
                    chosen = self.session.createDataFrame([(kiosk,) for kiosk in kiosks], "kiosk INT")
                    frame = frame.join(chosen, "kiosk", "left_semi")
                frame.createOrReplaceTempView(table)
            yield from self.session.sql(read_sql(name)).toArrow().to_batches()
        except PySparkException as error:
            raise FleetError(f"Spark: {shown(str(error), 1000)}") from None

    def frame(self, place, table, paths):
        if isinstance(place, Folder):
            return self.session.read.parquet(*(place.full(path).as_uri() for path in paths))
        # Spark's own S3 reader is not on PyPI, so the executors read the files as they have read the
        # objects.
        schema = SCHEMAS[table]
        frame = self.session.createDataFrame([(path, ) for path in paths], "path STRING").repartition(
            len(paths))

        def read_files(batches):
            for batch in batches:
                for path in batch.column("path").to_pylist():
                    with place.filesystem.open_input_file(place.full(path)) as file:
                        for found in pyarrow.parquet.ParquetFile(file).iter_batches():
                            yield pyarrow.record_batch(found.columns, schema=schema)
        return frame.mapInArrow(read_files, spark_schema(schema))


def spark_schema(schema):
    types = {pyarrow.int32(): "INT", pyarrow.int64(): "BIGINT", pyarrow.float64(): "DOUBLE",
             pyarrow.string(): "STRING", pyarrow.list_(pyarrow.int64()): "ARRAY<BIGINT>"}
    return ", ".join(f"`{field.name}` {types.get(field.type, 'DECIMAL(38,0)')}" for field in schema)


def read(place, day, folder, number, kiosks):
    """Returns the Part or its error. An exception would make Spark repeat the job and wrap the error in
    Java's."""
    try:
        return read_part(place, day, folder, number, kiosks)
    except FleetError as error:
        return error


def package_archive(folder):
    """Returns this package as a zip file, which Spark sends to its executors."""
    package = pathlib.Path(__file__).parents[1]
    path = os.path.join(folder, "touchgrid_fleet.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in package.rglob("*.py"):
            archive.write(file, file.relative_to(package.parent))
    return path
