"""The command touchgrid-fleet. Each verb is a module with `add_verb`, which names its function `run`."""

import argparse
import os
import sys

import duckdb
import pyarrow

from . import FleetError, __version__, comparison, kiosks, release, rollup, sums
from .objects import shown
from .places import open_place

MODULES = (rollup, sums, kiosks, release, comparison)


def main(words=None):
    arguments = parser().parse_args(words)
    try:
        status = arguments.run(arguments, open_place(arguments.root, arguments.endpoint)) or 0
        sys.stdout.flush()
        return status
    except FleetError as error:
        message = str(error)
    except BrokenPipeError:
        # The reader of the output has closed it. Discard whatever Python still writes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        message = shown(str(error), 1000)
    except (duckdb.Error, pyarrow.ArrowException) as error:
        message = (f"the fleet's data files cannot be read: {shown(str(error), 1000)}; run the command "
                   "again, and if that does not help, delete out/ and roll up again")
    except KeyboardInterrupt:
        message = "interrupted"
    print(f"touchgrid-fleet: {message}", file=sys.stderr)
    return 1


def parser():
    parser = argparse.ArgumentParser(
        prog="touchgrid-fleet",
        description="Sums what many Touchgrid kiosks count. docs/fleet.md is the manual.")
    parser.add_argument("--version", action="version", version=__version__)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    for module in MODULES:
        module.add_verb(verbs)
    return parser
