"""DuckDB in this process. Other processes, one for each processor, read the objects and run jobs."""

import collections
import concurrent.futures
import ctypes
import functools
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

# The limits of memory in MB: of all processes together, and the least for each.
MEMORY_LIMIT, LEAST_MEMORY = 6000, 500
BATCH_ROWS = 100_000


def end_with(parent):
    """Makes the kernel end this process when its parent ends for any reason."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pyarrow.set_cpu_count(1)


def run_alone(work, memory, job):
    return work(DuckDB(1, memory), job)


class DuckDB:
    def __init__(self, processes, memory=MEMORY_LIMIT):
        self.processes, self.memory = processes, memory
        self.pool = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pool:
            self.pool.shutdown(cancel_futures=True)

    def read_parts(self, place, day, folder, chunks):
        return self.run(functools.partial(read_part, place, day, folder), enumerate(chunks))

    def map(self, work, jobs):
        if self.processes == 1 or len(jobs) == 1:
            return (work(self, job) for job in jobs)
        alone = functools.partial(run_alone, work, max(LEAST_MEMORY, self.memory // self.processes))
        return self.run(alone, ((job,) for job in jobs))

    def run(self, function, calls):
        """Yields the results of a function in other processes, in the order of `calls`, which
        are tuples of arguments."""
        if not self.pool:
            self.pool = concurrent.futures.ProcessPoolExecutor(
                self.processes, multiprocessing.get_context("spawn"), end_with, [os.getpid()])
        jobs = (self.pool.submit(function, *call) for call in calls)
        # Keep two jobs for each process in progress, so that few results are in memory.
        running = collections.deque()
        try:
            running.extend(itertools.islice(jobs, 3 * self.processes))
            while running:
                yield running.popleft().result()
                running.extend(itertools.islice(jobs, 1))
        except BrokenProcessPool:
            self.pool = None
            raise FleetError("a process of touchgrid-fleet was killed, perhaps because memory was short; "
                             "free memory, or use --processes 1") from None
        finally:
            for job in running:
                job.cancel()
            concurrent.futures.wait(running)

    def query(self, place, name, relations, kiosks=None):
        with tempfile.TemporaryDirectory(prefix="touchgrid-fleet-") as spill, duckdb.connect(
                config={"threads": self.processes, "memory_limit": f"{self.memory}MB",
                        "temp_directory": spill}) as database:
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
