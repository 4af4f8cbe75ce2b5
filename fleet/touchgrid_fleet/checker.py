"""Asks `touchgrid import --check` whether objects are valid, and what a release may show of a subject of counts: it
alone knows the rules. Each process that asks has a program of its own."""

import contextlib
import os
import subprocess
import threading

import orjson

from . import FleetError
from .objects import COMPRESSED_LIMIT, Refused, shown

# The environment variable with the path of the program, if it is not in PATH.
PROGRAM = "TOUCHGRID_PROGRAM"

# The time limit for an answer, in s: a hundred times the time for the largest one.
TIMEOUT = 120

# Not a valid name of an object, so the answer must be no.
PROBE = "-"

_running = None


def check_size(size):
    if size > COMPRESSED_LIMIT:
        raise Refused(f"it is larger than {COMPRESSED_LIMIT >> 20} MiB")


def check(path, data):
    """Returns, for each subject of the object called `path`, whether a fleet adds up its counts, in the
    order of the lines.

    Raises Refused if the object is not valid, and FleetError if that cannot be known."""
    check_size(len(data))
    answer = ask(path, data)
    if "areOfFleets" not in answer:
        raise FleetError(f"{shown(os.environ.get(PROGRAM, 'touchgrid'))} is older than touchgrid-fleet: install both "
                         "of one version")
    return answer["areOfFleets"]


def disclosed(kind, key=""):
    """What a release may show of the subject of counts with this key: `key`, `view` and `units` as `DisclosedCounts`
    in TouchModel. Without a key, None.

    Raises Refused if it may show nothing, and FleetError if that cannot be known."""
    return ask(f"release/{kind}", key.encode()).get("release")


def ask(name, data):
    """Returns the answer to a request. Raises Refused if it is no, and FleetError if there is none."""
    global _running
    program = os.environ.get(PROGRAM, "touchgrid")
    for attempt in range(2):
        try:
            if _running is None or _running.poll() is not None:
                _running = subprocess.Popen([program, "import", "--check", "-"], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE)
            with killed_after(TIMEOUT, _running):
                _running.stdin.write(b"%s %d\n" % (name.encode(), len(data)))
                _running.stdin.write(data)
                _running.stdin.flush()
                answer = orjson.loads(_running.stdout.readline())
            break
        except (FileNotFoundError, PermissionError):
            raise FleetError(f"{shown(program)} is missing, which checks objects: install the package touchgrid "
                             f"here, or set {PROGRAM}") from None
        except RuntimeError:
            raise FleetError("a thread cannot be started: raise this user's limit of processes (ulimit -u)") from None
        except (OSError, ValueError):
            # The program was killed, perhaps for lack of memory. Try once more. If it fails twice, check
            # PROBE: if that gets an answer, the object is at fault, otherwise the program.
            stop()
            if attempt and name is not PROBE:
                with contextlib.suppress(Refused):
                    ask(PROBE, b"")
                raise Refused(f"{shown(program)} import --check ended without a result for it") from None
            if attempt:
                raise FleetError(f"{shown(program)} import --check does not answer; it must be as new as "
                                 "touchgrid-fleet") from None
    if not answer["valid"]:
        raise Refused(shown(answer["reason"], 1000))
    return answer


@contextlib.contextmanager
def killed_after(seconds, process):
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def stop():
    global _running
    if _running:
        with contextlib.suppress(OSError):
            _running.kill()
        with contextlib.suppress(OSError):
            _running.stdin.close()
        _running.stdout.close()
        _running.wait()
        _running = None
