"""Where the programs are, and waiting for conditions."""

import contextlib
import os
import pathlib
import random
import socket
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("TOUCHGRID_BINARIES", ROOT / ".build/debug")).absolute()
# How long a test waits for anything, in seconds. A busy machine is no failure, so this is generous.
PATIENCE = 60


def until(condition, what, patience=PATIENCE, pause=0.02):
    """Waits until the condition holds and returns its result. Raises AssertionError with `what` after `patience`
    seconds. `what` is a text, or a function that returns one; `pause` is in seconds."""
    deadline = time.monotonic() + patience
    while True:
        # If the machine did not run this process for long, the condition may have become true meanwhile.
        is_over = time.monotonic() > deadline
        if result := condition():
            return result
        if is_over:
            raise AssertionError(f"waited {patience} s in vain: {what() if callable(what) else what}")
        time.sleep(pause)


def free_port():
    """Returns a port of the loopback interface that is free, and that the kernel gives to no connection."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def listens(place):
    """Returns whether a program accepts connections on this port of the loopback, or on the Unix socket with this path."""
    is_path = isinstance(place, str)
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX if is_path else socket.AF_INET) as connection:
        connection.connect(place if is_path else ("127.0.0.1", place))
        return True
    return False


def processor_seconds(pid):
    """Returns the processor time of a process, user and system."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid, field="VmHWM"):
    """Returns the resident memory of a process in KiB: the most so far, or that of now (VmRSS)."""
    return int(pathlib.Path(f"/proc/{pid}/status").read_text().split(f"{field}:")[1].split()[0])


def switches(pid):
    """Returns the number of context switches of all threads of a process."""
    return sum(int(line.split()[1]) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()
               for line in (task / "status").read_text().splitlines() if "ctxt_switches" in line)


def sleeps(pid, seconds=4):
    """Waits until a process has not run for some seconds."""
    def has_slept():
        before = switches(pid)
        time.sleep(seconds)
        return switches(pid) == before

    until(has_slept, f"the process does not run for {seconds} s")
