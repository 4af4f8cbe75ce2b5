#!/usr/bin/env python3
"""Measures touchgrid-fleet.

measure.py rollup ROOT [OPTION...]   rolls up all days anew, with the options of touchgrid-fleet rollup
measure.py spark ROOT                the same on a Spark cluster on loopback: a master and two workers
                                     with one core each
measure.py map ROOT                  one map over all days that were rolled up
measure.py year ROOT FOLDER          makes a year of a fleet's one day in FOLDER, by links; measures one
                                     map of it, and sum

Prints the time, the processors' time and the peak memory of all processes together (their PSS), and the load
of the machine, which shares the processors.
"""

import contextlib
import dataclasses
import datetime
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import duckdb

from touchgrid_fleet.days import read_results
from touchgrid_fleet.places import open_place

MAP = """
SELECT block, sum(sum), sum(square), sum(touched) FROM read_parquet(?) WHERE screen = ? AND layer = ?
GROUP BY block ORDER BY block
"""


def stat(entry):
    """Returns the parent of a process in /proc, its processor time in ticks, and its start time."""
    fields = (entry / "stat").read_text().rpartition(")")[2].split()
    return int(fields[1]), int(fields[11]) + int(fields[12]), int(fields[19])


class Descendants:
    """Watches all descendants of this process until they have ended."""

    def __init__(self):
        self.ticks, self.peak, self.ended = {}, 0, threading.Event()
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()

    def watch(self):
        while not self.ended.wait(0.1):
            self.look()

    def look(self):
        children, times, memory = {}, {}, 0
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                parent, *times[entry.name] = stat(entry)
                children.setdefault(parent, []).append(entry.name)
        found = list(children.get(os.getpid(), []))
        for process in found:
            found += children.get(int(process), [])
            ticks, began = times[process]
            self.ticks[process, began] = ticks
            with contextlib.suppress(OSError, StopIteration):
                lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
                memory += next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
        self.peak = max(self.peak, memory)

    def end(self):
        """Returns the processor time in s and the peak memory in bytes."""
        self.ended.set()
        self.watcher.join()
        return sum(self.ticks.values()) / os.sysconf("SC_CLK_TCK"), self.peak


def measure(what, *words):
    """Runs touchgrid-fleet, and prints the time and memory that it used."""
    began, descendants = time.monotonic(), Descendants()
    command = [sys.executable, "-m", "touchgrid_fleet", *words]
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    took = time.monotonic() - began
    spent, peak = descendants.end()
    print(f"{what}: {took:.1f} s, {spent:.1f} s of processors, {peak / 2**30:.2f} GiB, "
          f"load {os.getloadavg()[0]:.1f}", flush=True)
    if status:
        sys.exit(f"touchgrid-fleet ended with status {status}")


def spark(root):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Fleet"))
    from support import SparkCluster
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(SparkCluster(folder)) as cluster:
        roll_up(root, "--engine", "spark", "--master", cluster.url)


def roll_up(root, *options):
    folder = pathlib.Path(root)
    shutil.rmtree(folder / "out", ignore_errors=True)
    sizes = [file.stat().st_size for file in folder.glob("in/*/*/*/*.gz")]
    print(f"{len(sizes)} objects, {sum(sizes) / len(sizes) / 1000:.1f} kB each")
    measure(f"rollup {' '.join(options)}".strip(), "rollup", root, *options)
    written = sum(file.stat().st_size for file in folder.glob("out/**/*.parquet"))
    print(f"results: {written / 1e6:.1f} MB")


def year(root, folder):
    target = open_place(folder)
    result = next(read_results(open_place(root)))
    for offset in range(365):
        day = str(datetime.date(2025, 11, 1) + datetime.timedelta(offset))
        copy = dataclasses.replace(result, day=day)
        target.full(copy.folder).mkdir(parents=True, exist_ok=True)
        for name in result.files:
            path = target.full(f"{copy.folder}/{name}")
            path.unlink(missing_ok=True)
            os.link(pathlib.Path(root, result.folder, name), path)
        copy.write(target)
    one_map(folder)
    shutil.rmtree(f"{folder}/sum", ignore_errors=True)
    measure("sum of a year", "sum", folder, "-o", f"{folder}/sum")
    sizes = [file.stat().st_size for file in pathlib.Path(folder, "sum").glob("in/*/*/*/*.gz")]
    print(f"{len(sizes)} days, {sum(sizes) / 1e6:.0f} MB")


def one_map(folder):
    sums = [str(path) for path in pathlib.Path(folder).glob("out/*/*/sums.parquet")]
    print(f"sums.parquet: {os.path.getsize(sums[0]) / 1e6:.2f} MB a day")
    for layer in ("taps", "trail", "dwell"):
        began, cpu = time.monotonic(), time.process_time()
        blocks = len(duckdb.execute(MAP, [sums, "screen-3", layer]).fetchall())
        print(
            f"one map over {len(sums)} days, {layer}: {time.monotonic() - began:.2f} s, "
            f"{time.process_time() - cpu:.2f} s of processors, {blocks} blocks, load {os.getloadavg()[0]:.1f}"
        )


if __name__ == "__main__":
    verbs = {"rollup": roll_up, "spark": spark, "map": one_map, "year": year}
    if len(sys.argv) < 3 or sys.argv[1] not in verbs:
        sys.exit(__doc__)
    verbs[sys.argv[1]](*sys.argv[2:])
