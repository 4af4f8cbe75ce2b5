#!/usr/bin/env python3
"""Measures touchgrid-fleet.

measure.py rollup ROOT [OPTION...]   rolls up all days anew, with the options of touchgrid-fleet rollup
measure.py year ROOT FOLDER          makes a year of a fleet's one day in FOLDER, by links; measures one
                                     map of it, and sum

Prints the time, the processors' time, the peak memory of all processes together (their PSS), and the load of
the machine, which shares the processors.
"""

import dataclasses
import datetime
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import threading
import time

import duckdb

from touchgrid_fleet.days import read_results
from touchgrid_fleet.places import open_place

MAP = """
SELECT block, sum(sum), sum(square), sum(touched) FROM read_parquet(?) WHERE screen = ? AND layer = ?
GROUP BY block ORDER BY block
"""


def descendants(process):
    """The process and all that descend from it."""
    children = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(entry.name))
    found = [process]
    for parent in found:
        found += children.get(parent, [])
    return found


def memory(process):
    """The PSS of a process and its descendants, in bytes."""
    total = 0
    for number in descendants(process):
        try:
            lines = pathlib.Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
            total += next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
        except (OSError, StopIteration):
            continue
    return total


def measure(what, *words):
    """Runs touchgrid-fleet, and prints what it took."""
    before, began, peak = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0
    process = subprocess.Popen([sys.executable, "-m", "touchgrid_fleet", *words], stdout=subprocess.DEVNULL)
    ended = threading.Event()

    def watch():
        nonlocal peak
        while not ended.wait(0.3):
            peak = max(peak, memory(process.pid))
    watcher = threading.Thread(target=watch)
    watcher.start()
    status = process.wait()
    took = time.monotonic() - began
    ended.set()
    watcher.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what}: {took:.1f} s, {spent:.1f} s of processors, {peak / 2**30:.2f} GiB, "
          f"load {os.getloadavg()[0]:.1f}", flush=True)
    if status:
        sys.exit(f"touchgrid-fleet ended with status {status}")


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
    sums = [str(path) for path in pathlib.Path(folder).glob("out/*/*/sums.parquet")]
    print(f"sums.parquet: {os.path.getsize(sums[0]) / 1e6:.2f} MB a day")
    for layer in ("taps", "trail", "dwell"):
        began, cpu = time.monotonic(), time.process_time()
        blocks = len(duckdb.execute(MAP, [sums, "screen-3", layer]).fetchall())
        print(
            f"one map over {len(sums)} days, {layer}: {time.monotonic() - began:.2f} s, "
            f"{time.process_time() - cpu:.2f} s of processors, {blocks} blocks, load {os.getloadavg()[0]:.1f}"
        )
    shutil.rmtree(f"{folder}/sum", ignore_errors=True)
    measure("sum of a year", "sum", folder, "-o", f"{folder}/sum")
    sizes = [file.stat().st_size for file in pathlib.Path(folder, "sum").glob("in/*/*/*/*.gz")]
    print(f"{len(sizes)} days, {sum(sizes) / 1e6:.0f} MB")


if __name__ == "__main__":
    verbs = {"rollup": roll_up, "year": year}
    if len(sys.argv) < 3 or sys.argv[1] not in verbs:
        sys.exit(__doc__)
    verbs[sys.argv[1]](*sys.argv[2:])
