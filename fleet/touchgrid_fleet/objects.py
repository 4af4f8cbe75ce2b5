"""The object of a kiosk's day: its name, its limits, and the function that reads and checks one.

docs/fleet.md describes the format. `read_object` is the only reader: the processes of a roll-up and
the executors of Spark call it, so both refuse the same objects for the same reasons.
"""

import dataclasses
import datetime
import hashlib
import math
import re
import zlib
from array import array

import numpy as np
import orjson

FORMAT = 1
# Sizes of an object, in bytes.
COMPRESSED_LIMIT = 16 << 20
EXPANDED_LIMIT = 256 << 20
REVISION_LIMIT = 1 << 53
# All counts are signed 64-bit integers.
COUNT_LIMIT = (1 << 63) - 1
# Lengths of names, in bytes of UTF-8.
NAME_LIMIT = 128
DEVICE_LIMIT = 1024
MASK_LIMIT = 512
PLACEMENT_DEPTH = 16
PIXEL_LIMIT = 16_384
BLOCK_LIMIT = 1 << 20
LAYERS = ("taps", "trail", "dwell")
TOTALS = ("begun", "counted", "masked", "palms", "ghosts", "stillDown", "preexisting", "cancelled", "clamped",
          "drops")
# What becomes of a touch; these five add up to `begun`.
RESULTS = TOTALS[1:6]

KIOSK = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
GENERATION = re.compile(r"[a-z0-9]{16,32}")
NAME = re.compile(r"in/([^/]+)/([^/]+)/([^/]+)/r([1-9][0-9]{0,15})\.ndjson\.gz")


class Refused(Exception):
    """An object is not valid. The text is the reason, for the roll-up's log."""


def shown(text, limit=200):
    """The text as it may be written to a terminal or a log: what is not printable is escaped, and at
    most `limit` characters are kept."""
    escaped = "".join(
        c if c.isprintable() and c != "\\" else c.encode("unicode_escape", "surrogatepass").decode()
        for c in text[:limit])
    return escaped + "…" if len(text) > limit else escaped


def counted(count, thing):
    return f"{count} {thing}{'' if count == 1 else 's'}"


def parse_day(text):
    """The date that YYYY-MM-DD names, or None."""
    if isinstance(text, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
        try:
            return datetime.date.fromisoformat(text)
        except ValueError:
            pass
    return None


def last_day():
    """The last day that is not in the future anywhere, and the day after it: tomorrow in UTC+14."""
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
        """The parts of a path below the fleet's folder. Raises Refused if it is not the name of an
        object, or of a day after `last_day`."""
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
    """What a grid counts, and where. Grids are added up if all of this is equal."""
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
        """The same number of 63 bits for the same grid on every day and every machine."""
        key = orjson.dumps(dataclasses.astuple(self))
        return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big") >> 1


def size_in_points(pixel_width, pixel_height, scale, rotation):
    """The width and height of the picture, in points."""
    if rotation in (90, 270):
        pixel_width, pixel_height = pixel_height, pixel_width
    return pixel_width / scale, pixel_height / scale


@dataclasses.dataclass
class Counts:
    """The counts of one grid, as arrays of one length, of int64. A square is low + high * 2^63;
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
    """One valid object. `totals` and `hours` are lists of 10 and 24 numbers, or None. `ghosts`: touches
    by device, x, y and period_ms. `views`: Views by the members of Grid without the layer."""
    name: ObjectName
    time_zone: str
    version: str
    sessions: int
    first_began_ms: int | None
    last_began_ms: int | None
    totals: list | None
    hours: list | None
    ghosts: dict = dataclasses.field(default_factory=dict)
    views: dict = dataclasses.field(default_factory=dict)


def read_object(name, data):
    """The DayObject in `data`, the bytes of the object called `name`. Raises Refused."""
    lines = expand(data).split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if not lines:
        raise Refused("it is empty")
    result, stage = None, "day"
    for number, line in enumerate(lines, 1):
        try:
            record = parse_line(line)
            kind = record.get("type")
            if number == 1:
                result = read_day(name, record)
                check_twice(record, line)
                continue
            if type(kind) is not str or kind not in READERS:
                raise Refused("the type is not ghost, view or grid")
            if STAGES[kind] < STAGES[stage]:
                raise Refused(f"a {kind} line after a {stage} line")
            stage = kind
            READERS[kind](result, record, line)
            check_twice(record, line)
        except Refused as refused:
            raise Refused(f"line {number}: {refused}") from None
    return result


def expand(data):
    """Expands one gzip member. Raises Refused if anything is missing, wrong, left over or too large."""
    if len(data) > COMPRESSED_LIMIT:
        raise Refused("it is larger than 16 MiB")
    expander = zlib.decompressobj(wbits=31)
    try:
        expanded = expander.decompress(data, EXPANDED_LIMIT + 1)
    except zlib.error:
        raise Refused("it is not gzip, or damaged") from None
    if len(expanded) > EXPANDED_LIMIT:
        raise Refused("it is larger than 256 MiB when expanded")
    if not expander.eof:
        raise Refused("it is cut off")
    if expander.unused_data:
        raise Refused("there are more bytes after the end of the gzip data")
    return expanded


def parse_line(line):
    """The object that one line holds. Raises Refused if it is not one."""
    # No grid has more numbers. This bounds the memory that a hostile line takes.
    if len(line) > BLOCK_LIMIT and line.count(b",") > 5 * BLOCK_LIMIT + 100:
        raise Refused("it has too many values")
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise Refused("not valid JSON") from None
    if type(record) is not dict:
        raise Refused("not a JSON object")
    return record


def check_twice(record, line):
    """Raises Refused if the line has a member twice, of which the parser has kept one. The record was
    checked by its reader."""
    # Each text has two quotation marks.
    plain = line.replace(rb"\\", b"").replace(rb"\"", b"") if b"\\" in line else line
    if plain.count(b'"') != 2 * count_texts(record):
        raise Refused("a member occurs twice")


def count_texts(value):
    if type(value) is str:
        return 1
    if type(value) is dict:
        # The lists of a grid hold numbers only.
        return len(value) + sum(count_texts(inner) for key, inner in value.items() if key not in COLUMNS)
    return sum(map(count_texts, value)) if type(value) is list else 0


def members(record, required, optional=()):
    """Raises Refused if a required member is missing or another is there."""
    if record.keys() == set(required):
        return
    for key in required:
        if key not in record:
            raise Refused(f"'{key}' is missing")
    for key in record:
        if key not in required and key not in optional:
            raise Refused(f"unknown member '{shown(key, 40)}'")


def count(record, key, least=0, most=COUNT_LIMIT):
    value = record[key]
    if type(value) is not int or not least <= value <= most:
        limit = {COUNT_LIMIT: "2^63-1", REVISION_LIMIT: "2^53"}.get(most, most)
        raise Refused(f"'{key}' is not a whole number from {least} to {limit}")
    return value


def text(record, key, most, least=1):
    value = record[key]
    if type(value) is not str or not least <= len(value.encode()) <= most:
        raise Refused(f"'{key}' is not a text of {least} to {most} bytes")
    return value


DAY_MEMBERS = ("type", "format", "kiosk", "generation", "revision", "day", "timeZone", "version", "sessions",
               "totals", "hours")
BEGAN_MEMBERS = ("firstBeganAtMs", "lastBeganAtMs")


def read_day(name, record):
    if record.get("type") != "day":
        raise Refused("the type is not day")
    if type(record.get("format")) is not int or record["format"] != FORMAT:
        raise Refused(f"the format is not {FORMAT}, the only one that this version reads")
    members(record, DAY_MEMBERS, BEGAN_MEMBERS)
    for key in ("kiosk", "generation", "day", "revision"):
        if type(record[key]) is not type(getattr(name, key)) or record[key] != getattr(name, key):
            raise Refused(f"'{key}' is {shown(str(record[key]), 80)}, which contradicts the object's name")
    sessions = count(record, "sessions")
    first = last = None
    if sessions:
        members(record, DAY_MEMBERS + BEGAN_MEMBERS)
        first, last = count(record, "firstBeganAtMs"), count(record, "lastBeganAtMs")
        if first > last:
            raise Refused("'firstBeganAtMs' is after 'lastBeganAtMs'")
    else:
        members(record, DAY_MEMBERS)
    totals, hours = record["totals"], record["hours"]
    if (totals is None) != (hours is None):
        raise Refused("only one of 'totals' and 'hours' is null")
    if totals is not None:
        totals, hours = read_totals(totals), read_hours(hours)
        if not sessions and (any(totals) or any(hours)):
            raise Refused("'totals' or 'hours' are not zeros though there are no sessions")
    return DayObject(name, text(record, "timeZone", NAME_LIMIT), text(record, "version", NAME_LIMIT),
                     sessions, first, last, totals, hours)


def read_totals(record):
    if type(record) is not dict:
        raise Refused("'totals' is not an object")
    members(record, TOTALS)
    totals = [count(record, key) for key in TOTALS]
    if record["begun"] != sum(record[key] for key in RESULTS):
        raise Refused("'totals' do not add up: begun is not counted + masked + palms + ghosts + stillDown")
    return totals


def read_hours(hours):
    if type(hours) is not list or len(hours) != 24 or any(
            type(hour) is not int or not 0 <= hour <= COUNT_LIMIT for hour in hours):
        raise Refused("'hours' is not a list of 24 whole numbers")
    return hours


def read_ghost(result, record, _):
    members(record, ("type", "device", "x", "y", "periodMs", "touches"))
    edge = 1 << 31
    ghost = (text(record, "device", DEVICE_LIMIT), count(record, "x", -edge, edge - 1),
             count(record, "y", -edge, edge - 1), count(record, "periodMs", 1))
    if ghost in result.ghosts:
        raise Refused("a second ghost of the same device, position and period")
    result.ghosts[ghost] = count(record, "touches")


def read_geometry(record):
    """pixel_width, pixel_height, scale, rotation, block_size. The limits are those of DisplayGeometry."""
    if type(record) is not dict:
        raise Refused("'geometry' is not an object")
    members(record, ("pixelWidth", "pixelHeight", "scale", "rotation", "blockSize"))
    width, height = count(record, "pixelWidth", 1, PIXEL_LIMIT), count(record, "pixelHeight", 1, PIXEL_LIMIT)
    scale = record["scale"]
    if type(scale) not in (int, float) or not 0.25 <= scale <= 16:
        raise Refused("'scale' is not a number from 0.25 to 16")
    rotation = record["rotation"]
    if type(rotation) is not int or rotation not in (0, 90, 180, 270):
        raise Refused("'rotation' is not 0, 90, 180 or 270")
    block_size = count(record, "blockSize", 1, 256)
    if block_size & (block_size - 1):
        raise Refused("'blockSize' is not a power of two")
    geometry = (width, height, float(scale), rotation, block_size)
    if block_count(geometry) > BLOCK_LIMIT:
        raise Refused("the geometry has more than 2^20 blocks")
    return geometry


def block_count(geometry):
    width, height = size_in_points(*geometry[:4])
    return math.ceil(width / geometry[4]) * math.ceil(height / geometry[4])


def read_key(record):
    return (text(record, "screen", NAME_LIMIT), text(record, "display", NAME_LIMIT),
            *read_geometry(record["geometry"]))


VIEW_MEMBERS = ("type", "screen", "display", "geometry", "sessions", "shownMs", "touches", "masks",
                "placements")


def read_view(result, record, _):
    members(record, VIEW_MEMBERS)
    key = read_key(record)
    if key in result.views:
        raise Refused("a second view of the same screen, display and geometry")
    sessions = count(record, "sessions", 1)
    if sessions > result.sessions:
        raise Refused("'sessions' is more than the day's")
    masks = read_masks(record["masks"], size_in_points(*key[2:6]))
    placements = read_placements(record["placements"])
    view = View(sessions, count(record, "shownMs"), count(record, "touches"), masks, placements)
    result.views[key] = view


def read_masks(masks, size):
    if type(masks) is not list or len(masks) > MASK_LIMIT:
        raise Refused(f"'masks' is not a list of at most {MASK_LIMIT} rectangles")
    rectangles = set()
    for mask in masks:
        if type(mask) is not dict:
            raise Refused("a mask is not an object")
        members(mask, ("x", "y", "width", "height"))
        if any(type(value) not in (int, float) for value in mask.values()):
            raise Refused("a mask has a value that is not a number")
        rectangle = tuple(float(mask[key]) for key in ("x", "y", "width", "height"))
        for axis in (0, 1):
            # Half a point more: the far edge may be rounded.
            if rectangle[axis] < 0 or rectangle[axis + 2] <= 0 \
                    or rectangle[axis] + rectangle[axis + 2] > size[axis] + 0.5:
                raise Refused("a mask is empty or not on the display")
        rectangles.add(rectangle)
    return rectangles_json(rectangles)


def rectangles_json(rectangles):
    """A set of (x, y, width, height) as the JSON of `masks`, sorted."""
    return orjson.dumps([dict(zip(("x", "y", "width", "height"), r)) for r in sorted(rectangles)]).decode()


def read_placements(placements):
    if type(placements) is not list or any(type(placement) is not dict for placement in placements):
        raise Refused("'placements' is not a list of objects")
    if depth(placements) > PLACEMENT_DEPTH:
        raise Refused(f"'placements' is nested deeper than {PLACEMENT_DEPTH}")
    return placements_json(orjson.dumps(placement, option=orjson.OPT_SORT_KEYS) for placement in placements)


def placements_json(placements):
    """Placements as canonical JSON, sorted, each once; the result is a JSON list."""
    return (b"[" + b",".join(sorted(set(placements))) + b"]").decode()


def depth(value):
    """How deep lists and objects are nested, looking no deeper than one over the limit."""
    level, here = 0, [value]
    while here and level <= PLACEMENT_DEPTH:
        level += 1
        here = [
            inner for outer in here if type(outer) in (list, dict)
            for inner in (outer.values() if type(outer) is dict else outer) if type(inner) in (list, dict)
        ]
    return level


GRID_MEMBERS = ("type", "screen", "display", "geometry", "layer", "blocks", "sums", "squares", "touched")
COLUMNS = GRID_MEMBERS[5:] + ("squaresHigh",)


def read_grid(result, record, line):
    members(record, GRID_MEMBERS, ("squaresHigh",))
    key = read_key(record)
    layer = record["layer"]
    if type(layer) is not str or layer not in LAYERS:
        raise Refused("'layer' is not taps, trail or dwell")
    view = result.views.get(key)
    if view is None:
        raise Refused("there is no view line of this screen, display and geometry")
    if layer in view.layers:
        raise Refused("a second grid of the same screen, display, geometry and layer")
    # `array` takes a bool for a number. The bytes of a line without bools are looked at only.
    has_words = b"true" in line or b"false" in line
    columns = [numbers(record, column, has_words) for column in ("blocks", "sums", "squares", "touched")]
    high = None
    if "squaresHigh" in record:
        high = numbers(record, "squaresHigh", has_words)
        columns.append(high)
    blocks, sums, low, touched = columns[:4]
    if not len(blocks) or any(len(column) != len(blocks) for column in columns):
        raise Refused("the lists are empty or differ in length")
    if blocks[0] < 0 or blocks[-1] >= block_count(key[2:]) or (np.diff(blocks) <= 0).any():
        raise Refused("'blocks' does not rise strictly, or has one outside the display")
    if sums.min() < 1:
        raise Refused("'sums' has a number below 1")
    if touched.min() < 1 or touched.max() > view.sessions:
        raise Refused("'touched' has a number that is not from 1 to the view's sessions")
    if low.min() < 0:
        raise Refused("'squares' has a negative number")
    if high is not None and (high.min() < 0 or not high.any()):
        raise Refused("'squaresHigh' has a negative number, or only zeros")
    check_plausible(sums, low, high, touched)
    view.layers[layer] = Counts(blocks, sums, low, high, touched)


def numbers(record, key, has_words):
    """A list of signed 64-bit integers as an array."""
    values = record[key]
    if type(values) is not list or has_words and not all(type(value) is int for value in values):
        raise Refused(f"'{key}' is not a list of whole numbers")
    try:
        return np.frombuffer(array("q", values), dtype=np.int64)
    except (TypeError, OverflowError):
        raise Refused(f"'{key}' has a value that is not a whole number of 64 bits") from None


def check_plausible(sums, low, high, touched):
    """Raises Refused for squares that no counts have: with n sessions that touched a block, sum <= square,
    n <= sum, and sum^2 / n <= square <= sum^2."""
    if (touched > sums).any():
        raise Refused("a sum is less than the sessions that touched the block")
    if ((low < sums) if high is None else (low < sums) & (high == 0)).any():
        raise Refused("a square is less than the sum")
    square = low.astype(np.float64)
    if high is not None:
        square += high * 2.0**63
    sum_squared = np.square(sums, dtype=np.float64)
    # A double has 53 bits; the factor is far above their rounding.
    if (sum_squared > square * touched * (1 + 1e-9)).any() or (square > sum_squared * (1 + 1e-9)).any():
        raise Refused("a sum and its square contradict each other")


STAGES = {"day": 0, "ghost": 1, "view": 2, "grid": 3}
READERS = {"ghost": read_ghost, "view": read_view, "grid": read_grid}
