"""The engines that add up: DuckDB in this process, or Spark. Both read the SQL of `sql`.

An engine is a context manager with three functions:
- read_parts(place, day, folder, chunks): yields the Part of each list of Kiosks;
- map(work, jobs): yields work(engine, job) for each of the jobs, in their order. It may run them
  side by side, in other processes, so arguments and results must be picklable;
- query(place, name, relations, kiosks): yields the record batches of sql/NAME.sql. `relations` are the
  Parquet files of each table by its name, which must not be empty. `kiosks`: if given, only rows of
  these numbers are read, from tables with a column `kiosk`.
"""

import importlib.resources
import os

from .. import FleetError


def add_engine_options(parser):
    parser.add_argument("--engine", choices=("duckdb", "spark"), default="duckdb",
                        help="duckdb in this process, or spark for more kiosks than one machine can add up")
    parser.add_argument("--master", metavar="URL", help="Spark's cluster, such as spark://HOST:7077")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), metavar="N",
                        help="how many processors duckdb may use (default: all)")


def open_engine(arguments):
    if arguments.engine == "spark":
        try:
            from .spark import Spark
        except ImportError:
            raise FleetError("pyspark is not installed; install touchgrid-fleet[spark]") from None
        return Spark(arguments.master or "local[*]")
    from .duckdb import DuckDB
    return DuckDB(max(1, arguments.processes))


def read_sql(name):
    return (importlib.resources.files("touchgrid_fleet") / "sql" / f"{name}.sql").read_text()
