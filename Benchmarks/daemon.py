"""What the benchmarks share: building the tools of this package, and running the release build of the daemon on a store,
without devices."""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
os.environ.setdefault("TOUCHGRID_BINARIES", f"{HERE}/../.build/release")
sys.path += [f"{HERE}/../Tests", f"{HERE}/../clients/python"]

# pylint: disable=wrong-import-position
from touchgrid_test.daemon import Daemon  # noqa: E402
from touchgrid_test.waiting import BINARIES  # noqa: E402


def tool(name):
    """Builds a program of this package and returns its path."""
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path", HERE]
    subprocess.run([*command, "--product", name], check=True, stdout=sys.stderr)
    return subprocess.check_output([*command, "--show-bin-path"], text=True).strip() + f"/{name}"


def service_environment():
    """Returns the environment that the systemd unit sets."""
    with open(f"{HERE}/../systemd/touchgridd.service", encoding="utf-8") as file:
        tunables = re.search(r"GLIBC_TUNABLES=([^\s\"]*)", file.read())[1]
    return {**os.environ, "GLIBC_TUNABLES": tunables}


def folder(name):
    """Returns a temporary folder, in memory if possible."""
    base = os.environ.get("TOUCHGRID_BENCH_FOLDER", "/dev/shm")
    base = base if os.access(base, os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix=f"touchgrid-{name}.", dir=base)


@contextlib.contextmanager
def serving(here, store):
    """Yields the daemon on a store, without devices. Its `milliseconds` are the time that it took to answer."""
    daemon = Daemon('[store]\nmax_size = "64 GiB"\nkeep_sessions = "400d"\n[devices]\nseat = "none"\n', here)
    daemon.store = store
    begun = time.monotonic()
    try:
        daemon.start(pause=0.001, env=service_environment())
        daemon.milliseconds = 1000 * (time.monotonic() - begun)
        yield daemon
        daemon.stop()
    finally:
        daemon.close()


def command(daemon, *words):
    subprocess.run([f"{BINARIES}/touchgrid", *words, "--socket", daemon.socket], check=True, stdout=subprocess.DEVNULL)
