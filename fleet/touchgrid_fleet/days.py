"""The result object of a day, `out/days/DAY.json`: which data files the day has, and which input
objects are in them. Readers use only the files that it names, so writing it commits the roll-up
of the day."""

import dataclasses
import sys

import orjson

from . import FleetError
from .objects import parse_day, shown

FORMAT = 2
FOLDER = "out/days/"
# The days that the last roll-up could not add up, with the reasons.
FAILED = "out/failed.json"


@dataclasses.dataclass
class Result:
    """`revision` rises whenever the day is rolled up anew. `files`: sizes by name. `inputs`: for each
    kiosk and generation the revision and the size of the object that is in the sums. `refused`: the
    objects that are not, as dictionaries of `object`, `size` and `reason`."""
    day: str
    id: str
    revision: int
    rolledUpAtMs: int
    version: str
    files: dict
    inputs: dict
    refused: list

    @property
    def path(self):
        return f"{FOLDER}{self.day}.json"

    @property
    def folder(self):
        return f"out/{self.day}/{self.id}"

    def paths(self, kind):
        """Returns the paths of the day's files of a kind: grids, keys, views, kiosks, ghosts,
        sums, counts or subjects."""
        return [
            f"{self.folder}/{name}" for name in self.files if name.partition(".")[0].partition("-")[0] == kind
        ]

    def write(self, place):
        place.write(self.path, orjson.dumps({"format": FORMAT, **dataclasses.asdict(self)}))


def read_result(place, day):
    """Returns the result of a day; None if the day was not rolled up."""
    path = f"{FOLDER}{day}.json"
    try:
        record = orjson.loads(place.read(path))
        if record.pop("format") != FORMAT:
            raise FleetError(f"{place}/{path} is of another version of touchgrid-fleet; use that one, "
                             f"or delete {FOLDER} and roll up again")
        return Result(**record)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise FleetError(f"{place}/{path} is damaged; delete it and roll up again") from None


def rolled_up_days(place, since=None, until=None):
    """Returns the days that have a result, sorted, from `since` to `until`. None sets no limit."""
    names = (file.path[len(FOLDER):].removesuffix(".json") for file in place.list(FOLDER))
    # Skip other files, such as backup copies of an editor.
    return sorted(day for day in names
                  if parse_day(day) and (since or "") <= day <= (until or "9999-99-99"))


def read_results(place, since=None, until=None):
    for day in rolled_up_days(place, since, until):
        if result := read_result(place, day):
            yield result


def read_failed(place):
    try:
        return {str(day): str(reason) for day, reason in orjson.loads(place.read(FAILED)).items()}
    except (FileNotFoundError, ValueError, AttributeError):
        return {}


def warn_of_gaps(place, results, since, until):
    """Reports on standard error the days of a span that are missing, outdated, or lack objects."""
    known = {result.day for result in results}
    for day, reason in sorted(read_failed(place).items()):
        if (since or "") <= day <= (until or "9999-99-99"):
            what = "is as it was before its last roll-up failed" if day in known else "is missing"
            warn(f"{day} {what}: {shown(reason, 1000)}")
    for result in results:
        kiosks = sorted({entry["object"].split("/")[1] for entry in result.refused})
        if kiosks:
            some = ", ".join(shown(kiosk, 63) for kiosk in kiosks[:5]) + (", …" if len(kiosks) > 5 else "")
            what = "lacks objects that were refused"
            if not result.inputs:
                what = "is missing: all its objects were refused"
            warn(f"{result.day} {what}, of {some}; 'touchgrid-fleet kiosks' says why")


def warn(text):
    print(f"touchgrid-fleet: warning: {text}", file=sys.stderr, flush=True)


def no_result(place, since, until):
    span = f" from {since or 'the first day'} to {until or 'the last'}" if since or until else ""
    return FleetError(
        f"{shown(str(place))} has no day that was rolled up{span}; run touchgrid-fleet rollup first")
