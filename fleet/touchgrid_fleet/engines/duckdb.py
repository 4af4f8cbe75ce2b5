"""DuckDB in this process. Other processes, one for each processor, read the objects."""

import collections
import concurrent.futures
import ctypes
import itertools
import multiprocessing
import os
import signal
import tempfile
from concurrent.futures.process import BrokenProcessPool

import duckdb
import pyarrow
import pyarrow.dataset

from .. import FleetError
from ..parts import read_part
from ..places import Folder
from . import read_sql

MEMORY_LIMIT = "6GB"
BATCH_ROWS = 100_000


def end_with(parent):
    """The kernel ends this process when its parent ends, however that happens."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pyarrow.set_cpu_count(1)


class DuckDB:
    def __init__(self, processes):
        self.processes = processes
        self.pool = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pool:
            self.pool.shutdown(cancel_futures=True)

    def read_parts(self, place, day, folder, chunks):
        if not self.pool:
            self.pool = concurrent.futures.ProcessPoolExecutor(
                self.processes, multiprocessing.get_context("spawn"), end_with, [os.getpid()])
        jobs = (self.pool.submit(read_part, place, day, folder, number, chunk)
                for number, chunk in enumerate(chunks))
        # Two jobs wait for each process, so that the results of few parts are in memory.
        running = collections.deque(itertools.islice(jobs, 3 * self.processes))
        try:
            while running:
                yield running.popleft().result()
                running.extend(itertools.islice(jobs, 1))
        except BrokenProcessPool:
            self.pool = None
            raise FleetError("a process that read objects was killed, perhaps as memory was short; "
                             "free memory, or use --processes 1") from None
        finally:
            for job in running:
                job.cancel()
            concurrent.futures.wait(running)

    def query(self, place, name, relations, kiosks=None):
        with duckdb.connect(
                config={
                    "threads": self.processes, "memory_limit": MEMORY_LIMIT, "temp_directory": os.path.join(
                        tempfile.gettempdir(), f"touchgrid-fleet-{os.getpid()}")
                }) as database:
            if kiosks is not None:
                database.register("chosen", pyarrow.table({"kiosk": pyarrow.array(kiosks, pyarrow.int32())}))
            for table, paths in relations.items():
                if isinstance(place, Folder):
                    found = database.read_parquet([str(place.full(path)) for path in paths])
                else:
                    database.register(f"all_{table}", pyarrow.dataset.dataset(
                        [place.full(path) for path in paths], filesystem=place.filesystem, format="parquet"))
                    found = database.table(f"all_{table}")
                if kiosks is not None and "kiosk" in found.columns:
                    found = found.filter("kiosk IN (SELECT kiosk FROM chosen)")
                found.create_view(table)
            yield from database.execute(read_sql(name)).fetch_record_batch(BATCH_ROWS)
