"""What the benchmarks share: building the tools of this package, and running the release build of the daemon on a store,
without devices."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
BINARIES = os.environ.get("TOUCHGRID_BINARIES", f"{HERE}/../.build/release")


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


class Daemon(contextlib.AbstractContextManager):
    def __init__(self, here, store):
        """Starts the daemon and waits until it answers. `milliseconds` is the time that this took."""
        self.socket = f"{here}/socket"
        with open(f"{here}/touchgridd.toml", "w", encoding="ascii") as file:
            file.write(
                f'[store]\npath = "{store}"\nmax_size = "64 GiB"\nkeep_sessions = "400d"\n[socket]\npath = "{self.socket}"\n'
                '[devices]\nseat = "none"\n')
        with open(f"{here}/log", "w", encoding="utf-8") as log:
            begun = time.monotonic()
            # pylint: disable-next=consider-using-with
            self.process = subprocess.Popen(
                [f"{BINARIES}/touchgridd", "--config", f"{here}/touchgridd.toml"], stderr=log,
                env=service_environment())
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > begun + 60:
                with open(f"{here}/log", encoding="utf-8") as log:
                    sys.exit(f"the daemon does not start:\n{log.read()}")
            time.sleep(0.001)
        self.milliseconds = 1000 * (time.monotonic() - begun)

    def answers(self):
        with socket.socket(socket.AF_UNIX) as stream:
            stream.settimeout(10)
            try:
                stream.connect(self.socket)
            except OSError:
                return False
            stream.sendall(b'{"method":"io.touchgrid.GetStatus"}\0')
            return stream.recv(1 << 16).startswith(b'{"parameters"')

    def resident(self):
        """Returns the resident memory in KiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def command(self, *words):
        subprocess.run(
            [f"{BINARIES}/touchgrid", *words, "--socket", self.socket], check=True, stdout=subprocess.DEVNULL)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
