"""The object of a kiosk's day: its name and its content. docs/fleet.md describes the format."""

import dataclasses
import datetime
import hashlib
import re

import numpy as np
import orjson

FORMAT = 1
# The maximum size of an object, in bytes, and its highest revision.
COMPRESSED_LIMIT = 16 << 20
REVISION_LIMIT = 1 << 53
# All counts are signed 64-bit integers.
COUNT_LIMIT = (1 << 63) - 1
# A view with more masks counts as masked completely.
MASK_LIMIT = 512
LAYERS = ("taps", "trail", "dwell")
# The first total is the sum of the next six.
TOTALS = ("begun", "counted", "masked", "palms", "ghosts", "swallowed", "stillDown", "preexisting",
          "cancelled", "clamped", "drops")

KIOSK = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
GENERATION = re.compile(r"[a-z0-9]{16,32}")
NAME = re.compile(r"in/([^/]+)/([^/]+)/([^/]+)/r([1-9][0-9]{0,15})\.ndjson\.gz")


class Refused(Exception):
    """An object is invalid. The text is the reason, for the log of the roll-up."""


def shown(text, limit=200):
    """Returns the text in a form that is safe for a terminal or a log: non-printable characters
    are escaped, and at most `limit` characters are kept."""
    escaped = "".join(
        c if c.isprintable() and c != "\\" else c.encode("unicode_escape", "surrogatepass").decode()
        for c in text[:limit])
    return escaped + "…" if len(text) > limit else escaped


def counted(count, thing):
    return f"{count} {thing}{'' if count == 1 else 's'}"


def parse_day(text):
    """Returns the date of a text YYYY-MM-DD; None for other texts."""
    if isinstance(text, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
        try:
            return datetime.date.fromisoformat(text)
        except ValueError:
            pass
    return None


def last_day():
    """Returns the day after the latest local date on Earth (UTC+14)."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return str((now + datetime.timedelta(hours=14, days=1)).date())


@dataclasses.dataclass(frozen=True, order=True)
class ObjectName:
    kiosk: str
    generation: str
    day: str
    revision: int

    @property
    def path(self):
        return f"in/{self.kiosk}/{self.generation}/{self.day}/r{self.revision}.ndjson.gz"

    @classmethod
    def parse(cls, path, last_day):
        """Returns the parts of a path below the fleet's folder. Raises Refused if it is not the
        name of an object, or of a day after `last_day`."""
        match = NAME.fullmatch(path)
        if not match:
            raise Refused("the name is not in/KIOSK/GENERATION/DAY/rREVISION.ndjson.gz")
        kiosk, generation, day, revision = match.groups()
        if not KIOSK.fullmatch(kiosk):
            raise Refused("the kiosk's identifier is not 1 to 63 of a-z, 0-9 and -")
        if not GENERATION.fullmatch(generation):
            raise Refused("the generation is not 16 to 32 of a-z and 0-9")
        if not parse_day(day):
            raise Refused("the day is not a date YYYY-MM-DD")
        if int(revision) > REVISION_LIMIT:
            raise Refused("the revision is over 2^53")
        if day > last_day:
            raise Refused("the day is in the future")
        return cls(kiosk, generation, day, int(revision))


@dataclasses.dataclass(frozen=True, order=True)
class Grid:
    """The identity of a grid. Grids are added up if all members are equal."""
    screen: str
    display: str
    pixel_width: int
    pixel_height: int
    scale: float
    rotation: int
    block_size: int
    layer: str

    @property
    def number(self):
        """A number of 63 bits: the same for the same grid on every day and every machine."""
        key = orjson.dumps(dataclasses.astuple(self))
        return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big") >> 1


def size_in_points(pixel_width, pixel_height, scale, rotation):
    """Returns the width and height of the picture, in points."""
    if rotation in (90, 270):
        pixel_width, pixel_height = pixel_height, pixel_width
    return pixel_width / scale, pixel_height / scale


@dataclasses.dataclass
class Counts:
    """The counts of one grid: int64 arrays of the same length. A square is low + high * 2^63;
    `high` is None if all squares are below 2^63."""
    blocks: np.ndarray
    sums: np.ndarray
    low: np.ndarray
    high: np.ndarray | None
    touched: np.ndarray


@dataclasses.dataclass
class View:
    """`masks` and `placements`: canonical JSON. `layers`: the Counts of each layer."""
    sessions: int
    shown_ms: int
    touches: int
    masks: str
    placements: str
    layers: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class DayObject:
    """One valid object. `totals` and `hours` are lists of 11 and 24 numbers, or None. `ghosts`: touches
    by device, x, y and period_ms. `views`: Views by the members of Grid without the layer. `subjects`:
    sessions, places and counts by kind and subject, of those that a fleet adds up."""
    name: ObjectName
    time_zone: str | None
    version: str
    sessions: int
    first_began_ms: int | None
    last_began_ms: int | None
    totals: list | None
    hours: list | None
    ghosts: dict = dataclasses.field(default_factory=dict)
    views: dict = dataclasses.field(default_factory=dict)
    subjects: dict = dataclasses.field(default_factory=dict)


def masks_json(rectangles, key):
    """Returns a set of (x, y, width, height) as sorted JSON, for `masks`. The result is the
    whole display if the set contains it or has more than MASK_LIMIT elements. `key`: screen,
    display and geometry."""
    display = (0.0, 0.0, *size_in_points(*key[2:6]))
    if display in rectangles or len(rectangles) > MASK_LIMIT:
        rectangles = [display]
    return orjson.dumps([dict(zip(("x", "y", "width", "height"), r)) for r in sorted(rectangles)]).decode()


def placements_json(placements):
    """Returns a JSON list of placements, which are canonical JSON, sorted and without
    duplicates."""
    return (b"[" + b",".join(sorted(set(placements))) + b"]").decode()
