"""The object of a kiosk's day: its name, its limits, and the function that reads and checks one.

docs/fleet.md describes the format. `read_object` is the only reader: the processes of a roll-up and
the executors of Spark call it, so both refuse the same objects for the same reasons. `touchgrid import`
has a reader of its own; Tests/Fleet/test_agreement.py compares them.
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
# The length of a name, in bytes of UTF-8.
NAME_LIMIT = 1024
# The length of a line that is not a grid's, in bytes.
LINE_LIMIT = 4 << 20
# The number of views of an object, and that of its ghosts.
VIEW_LIMIT = 10_000
GHOST_LIMIT = 100_000
# The subjects of other counts, and the length of one's text, in bytes of UTF-8.
SUBJECT_LIMIT = 200_000
SUBJECT_LENGTH = 1 << 20
# Of the years 0 to 9999, in ms since 1970-01-01.
TIMES = (-62_167_219_200_000, 253_402_300_799_999)
# A view with more masks is masked as a whole.
MASK_LIMIT = 512
# How deep lists and objects are nested in a line.
DEPTH_LIMIT = 64
# The day, the ghosts, each view with its grids, and the subjects.
LINES_LIMIT = 1 + GHOST_LIMIT + 4 * VIEW_LIMIT + SUBJECT_LIMIT
PIXEL_LIMIT = 16_384
# The blocks of one grid, and of all grids of an object.
BLOCK_LIMIT = 1 << 20
BLOCKS_LIMIT = 64 << 20
LAYERS = ("taps", "trail", "dwell")
# The first is the sum of the next five.
TOTALS = ("begun", "counted", "masked", "palms", "ghosts", "stillDown", "preexisting", "cancelled", "clamped",
          "drops")

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
    by device, x, y and period_ms. `views`: Views by the members of Grid without the layer. `blocks`: the size
    of all grids. `subjects`: sessions, places and counts by kind and subject."""
    name: ObjectName
    format: int
    time_zone: str | None
    version: str
    sessions: int
    first_began_ms: int | None
    last_began_ms: int | None
    totals: list | None
    hours: list | None
    ghosts: dict = dataclasses.field(default_factory=dict)
    views: dict = dataclasses.field(default_factory=dict)
    blocks: int = 0
    subjects: dict = dataclasses.field(default_factory=dict)


def read_object(name, data):
    """The DayObject in `data`, the bytes of the object called `name`. Raises Refused."""
    expanded = expand(data)
    # Many short lines would take far more memory than their text.
    if expanded.count(b"\n") > LINES_LIMIT:
        raise Refused("it has too many lines")
    lines = expanded.split(b"\n")
    del expanded
    if lines.pop():
        raise Refused("it does not end with a line feed")
    if not lines:
        raise Refused("it is empty")
    result, stage = None, "day"
    for number, line in enumerate(lines, 1):
        try:
            record = parse_line(line)
            kind = record.get("type")
            if kind != "grid" and len(line) > LINE_LIMIT:
                raise Refused("it is longer than 4 MiB")
            if number == 1:
                result = read_day(name, record)
                check_twice(record, line)
                continue
            if type(kind) is not str or kind not in READERS:
                raise Refused("the type is not ghost, view, grid or count")
            if STAGES[kind] < STAGES[stage]:
                raise Refused(f"a {kind} line after a {stage} line")
            stage = kind
            READERS[kind](result, record, line)
            check_twice(record, line)
        except Refused as refused:
            raise Refused(f"line {number}: {refused}") from None
    check_sums(result)
    return result


def check_size(size):
    """Raises Refused if an object has more bytes than any may have."""
    if size > COMPRESSED_LIMIT:
        raise Refused("it is larger than 16 MiB")


def expand(data):
    """Expands one gzip member. Raises Refused if anything is missing, wrong, left over or too large."""
    check_size(len(data))
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
    # No grid has more numbers and longer names, or more lists than its own and its geometry. This bounds
    # the memory that a hostile line takes.
    if len(line) > BLOCK_LIMIT and line.count(b",") > 5 * BLOCK_LIMIT + 3 * NAME_LIMIT:
        raise Refused("it has too many values")
    if len(line) > LINE_LIMIT and line.count(b"[") + line.count(b"{") > 7 + 3 * NAME_LIMIT:
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
    # The lists of a grid hold numbers only. Each text has two quotation marks.
    texts = len(record) + sum(count_texts(value) for key, value in record.items() if key not in COLUMNS)
    plain = line.replace(rb"\\", b"").replace(rb"\"", b"") if b"\\" in line else line
    if plain.count(b'"') != 2 * texts:
        raise Refused("a member occurs twice")


def count_texts(value):
    if type(value) is str:
        return 1
    if type(value) is dict:
        return len(value) + sum(map(count_texts, value.values()))
    return sum(map(count_texts, value)) if type(value) is list else 0


def members(record, required, optional=()):
    """Raises Refused if a required member is missing or another is there. An optional one may be null."""
    if record.keys() == set(required):
        return
    for key in required:
        if key not in record:
            raise Refused(f"'{key}' is missing")
    for key in record:
        if key not in required and key not in optional:
            raise Refused(f"unknown member '{shown(key, 40)}'")


def whole(value):
    """The value, as an int if it is a whole number that was written with a point or an exponent."""
    return int(value) if type(value) is float and value.is_integer() and abs(value) < 1 << 53 else value


def count(record, key, least=0, most=COUNT_LIMIT):
    value = whole(record[key])
    if type(value) is not int or not least <= value <= most:
        names = {COUNT_LIMIT: "2^63-1", -COUNT_LIMIT - 1: "-2^63"}
        least, most = names.get(least, least), names.get(most, most)
        raise Refused(f"'{key}' is not a whole number from {least} to {most}")
    return value


def text(record, key):
    value = record[key]
    if type(value) is not str or len(value.encode()) > NAME_LIMIT or "\0" in value:
        raise Refused(f"'{key}' is not a text of at most {NAME_LIMIT} bytes without a zero byte")
    return value


DAY_MEMBERS = ("type", "format", "kiosk", "generation", "revision", "day", "version", "sessions")
OPTIONAL_DAY_MEMBERS = ("timeZone", "totals", "hours", "firstBeganAtMs", "lastBeganAtMs")


def read_day(name, record):
    if record.get("type") != "day":
        raise Refused("the type is not day")
    version = whole(record.get("format"))
    if type(version) is not int or version != FORMAT:
        raise Refused(f"the format is not {FORMAT}, which this version reads")
    members(record, DAY_MEMBERS, OPTIONAL_DAY_MEMBERS)
    for key in ("kiosk", "generation", "day", "revision"):
        value, expected = whole(record[key]), getattr(name, key)
        if type(value) is not type(expected):
            raise Refused(f"'{key}' is not a {'text' if type(expected) is str else 'whole number'}")
        if value != expected:
            raise Refused(f"'{key}' is {shown(str(value), 80)}, which contradicts the object's name")
    zone, totals, hours, *began = map(record.get, OPTIONAL_DAY_MEMBERS)
    sessions = count(record, "sessions")
    if sessions:
        if None in began:
            raise Refused("'firstBeganAtMs' or 'lastBeganAtMs' is missing")
        began = [count(record, key, *TIMES) for key in ("firstBeganAtMs", "lastBeganAtMs")]
        if began[0] > began[1]:
            raise Refused("'firstBeganAtMs' is after 'lastBeganAtMs'")
    elif began != [None, None]:
        raise Refused("'firstBeganAtMs' or 'lastBeganAtMs' is there though there are no sessions")
    if (totals is None) != (hours is None):
        raise Refused("only one of 'totals' and 'hours' is null")
    if totals is not None:
        totals, hours = read_totals(totals), read_hours(hours, sessions)
    if not sessions and (totals is None or any(totals)):
        raise Refused("'totals' are not zeros though there are no sessions")
    if zone is not None:
        zone = text(record, "timeZone")
    return DayObject(name, version, zone, text(record, "version"), sessions, *began, totals, hours)


def read_totals(record):
    if type(record) is not dict:
        raise Refused("'totals' is not an object")
    members(record, TOTALS)
    totals = [count(record, key) for key in TOTALS]
    if totals[0] != sum(totals[1:6]):
        raise Refused("'totals' do not add up: begun is not counted + masked + palms + ghosts + stillDown")
    return totals


def read_hours(hours, sessions):
    hours = list(map(whole, hours)) if type(hours) is list else []
    if len(hours) != 24 or any(type(hour) is not int or hour < 0 for hour in hours) or sum(hours) != sessions:
        raise Refused("'hours' is not a list of 24 whole numbers that add up to 'sessions'")
    return hours


def read_ghost(result, record, _):
    members(record, ("type", "device", "x", "y", "periodMs", "touches"))
    edge = 1 << 31
    ghost = (text(record, "device"), count(record, "x", -edge, edge - 1), count(record, "y", -edge, edge - 1),
             count(record, "periodMs", -COUNT_LIMIT - 1))
    if len(result.ghosts) == GHOST_LIMIT:
        raise Refused(f"there are more than {GHOST_LIMIT} ghosts")
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
    rotation = whole(record["rotation"])
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
    return text(record, "screen"), text(record, "display"), *read_geometry(record["geometry"])


VIEW_MEMBERS = ("type", "screen", "display", "geometry", "sessions", "shownMs", "touches", "masks",
                "placements")


def read_view(result, record, _):
    members(record, VIEW_MEMBERS)
    key = read_key(record)
    if key in result.views:
        raise Refused("a second view of the same screen, display and geometry")
    if len(result.views) == VIEW_LIMIT:
        raise Refused(f"there are more than {VIEW_LIMIT} views")
    sessions = count(record, "sessions", 1)
    if sessions > result.sessions:
        raise Refused("'sessions' is more than the day's")
    masks = read_masks(record["masks"], key)
    placements = read_placements(record["placements"])
    view = View(sessions, count(record, "shownMs"), count(record, "touches"), masks, placements)
    result.views[key] = view


def read_masks(masks, key):
    if type(masks) is not list:
        raise Refused("'masks' is not a list of rectangles")
    rectangles = set()
    for mask in masks:
        if type(mask) is not dict:
            raise Refused("a mask is not an object")
        members(mask, ("x", "y", "width", "height"))
        if any(type(value) not in (int, float) for value in mask.values()):
            raise Refused("a mask has a value that is not a number")
        x, y, width, height = rectangle = tuple(float(mask[key]) for key in ("x", "y", "width", "height"))
        if width <= 0 or height <= 0 or not math.isfinite(x + width) or not math.isfinite(y + height):
            raise Refused("a mask is empty or too far away")
        rectangles.add(rectangle)
    return masks_json(rectangles, key)


def masks_json(rectangles, key):
    """A set of (x, y, width, height) as the JSON of `masks`, sorted. It is the whole display if that is among
    them, or if there are more than MASK_LIMIT. `key`: screen, display and geometry."""
    display = (0.0, 0.0, *size_in_points(*key[2:6]))
    if display in rectangles or len(rectangles) > MASK_LIMIT:
        rectangles = [display]
    return orjson.dumps([dict(zip(("x", "y", "width", "height"), r)) for r in sorted(rectangles)]).decode()


def read_placements(placements):
    if type(placements) is not list or any(type(placement) is not dict for placement in placements):
        raise Refused("'placements' is not a list of objects")
    # The line itself is one level.
    if depth(placements) >= DEPTH_LIMIT:
        raise Refused(f"it is nested more than {DEPTH_LIMIT} levels deep")
    return placements_json(orjson.dumps(placement, option=orjson.OPT_SORT_KEYS) for placement in placements)


def placements_json(placements):
    """Placements as canonical JSON, sorted, each once; the result is a JSON list."""
    return (b"[" + b",".join(sorted(set(placements))) + b"]").decode()


def depth(value):
    """How deep lists and objects are nested; at most DEPTH_LIMIT."""
    level, here = 0, [value]
    while here and level < DEPTH_LIMIT:
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
    size = block_count(key[2:])
    result.blocks += size
    if result.blocks > BLOCKS_LIMIT:
        raise Refused("the grids have too many blocks")
    # `array` takes a bool for a number. The bytes of a line without bools are looked at only.
    has_words = b"true" in line or b"false" in line
    columns = [numbers(record, column, has_words) for column in ("blocks", "sums", "squares", "touched")]
    high = None
    if record.get("squaresHigh") is not None:
        high = numbers(record, "squaresHigh", has_words)
        columns.append(high)
    blocks, sums, low, touched = columns[:4]
    if not len(blocks) or any(len(column) != len(blocks) for column in columns):
        raise Refused("the lists are empty or differ in length")
    if blocks[0] < 0 or blocks[-1] >= size or (np.diff(blocks) <= 0).any():
        raise Refused("'blocks' does not rise strictly, or has one outside the display")
    if sums.min() < 1:
        raise Refused("'sums' has a number below 1")
    if touched.min() < 1 or touched.max() > view.sessions:
        raise Refused("'touched' has a number that is not from 1 to the view's sessions")
    if low.min() < 0:
        raise Refused("'squares' has a negative number")
    if high is not None:
        if high.min() < 0:
            raise Refused("'squaresHigh' has a negative number")
        high = high if high.any() else None
    check_plausible(sums, low, high, touched)
    view.layers[layer] = Counts(blocks, sums, low, high, touched)


def read_count(result, record, line):
    """Checks the form only: `touchgrid import --check` knows the kinds, their subjects and their numbers."""
    members(record, ("type", "kind", "subject", "sessions", "places", "counts"))
    kind, subject = record["kind"], record["subject"]
    if type(kind) is not str or not kind:
        raise Refused("'kind' is not a text")
    if type(subject) is not str or len(subject.encode()) > SUBJECT_LENGTH:
        raise Refused("'subject' is not a text of at most 1 MiB")
    if len(result.subjects) == SUBJECT_LIMIT:
        raise Refused(f"there are counts of more than {SUBJECT_LIMIT} subjects")
    if (kind, subject) in result.subjects:
        raise Refused("a second count of the same kind and subject")
    sessions = count(record, "sessions", 1)
    if sessions > result.sessions:
        raise Refused("'sessions' is more than the day's")
    has_words = b"true" in line or b"false" in line
    places, counts = (numbers(record, key, has_words) for key in ("places", "counts"))
    if len(places) != len(counts):
        raise Refused("'places' has another length than 'counts'")
    if (places < 0).any() or (places >= 1 << 31).any() or (np.diff(places) <= 0).any():
        raise Refused("'places' does not rise strictly, or has a number out of its range")
    if (counts == 0).any():
        raise Refused("'counts' has a 0")
    result.subjects[kind, subject] = sessions, places, counts


def numbers(record, key, has_words):
    """A list of signed 64-bit integers as an array."""
    values = record[key]
    if type(values) is not list or has_words and any(type(value) is bool for value in values):
        raise Refused(f"'{key}' is not a list of whole numbers")
    try:
        try:
            return np.frombuffer(array("q", values), dtype=np.int64)
        except TypeError:
            return np.frombuffer(array("q", map(whole, values)), dtype=np.int64)
    except (TypeError, OverflowError):
        raise Refused(f"'{key}' has a value that is not a whole number of 64 bits") from None


def check_plausible(sums, low, high, touched):
    """Raises Refused for squares that no counts have: with n sessions that touched a block,
    n <= sum <= square <= sum^2 <= n * square."""
    if (touched > sums).any():
        raise Refused("a sum is less than the sessions that touched the block")
    square = low.astype(np.float64)
    if high is not None:
        square += high * 2.0**63
    sum_squared, most = np.square(sums, dtype=np.float64), square * touched
    wrong = (square < sums) | (square > sum_squared) | (sum_squared > most)
    # Up to 2^53 a double is exact. Above, it has 53 bits; the factor is far above their rounding.
    large = np.maximum(sum_squared, most) >= 2.0**53
    near = np.abs(square - sums) <= 1e-9 * square
    near |= np.abs(square - sum_squared) <= 1e-9 * square
    near |= np.abs(sum_squared - most) <= 1e-9 * most
    for at in np.flatnonzero(large & near):
        total, n = int(sums[at]), int(touched[at])
        exact = int(low[at]) + (0 if high is None else int(high[at]) << 63)
        wrong[at] = not total <= exact <= total * total <= n * exact
    if wrong.any():
        raise Refused("a sum, its square and the sessions that touched the block contradict each other")


def check_sums(result):
    """Raises Refused if the counts of the lines do not add up."""
    touches = 0
    for view in result.views.values():
        touches += view.touches
        if "taps" in view.layers and total_of(view.layers["taps"].sums) > view.touches:
            raise Refused("the taps of a screen exceed its touches")
    # As unsigned numbers of 64 bits.
    if max(touches, sum(result.ghosts.values())) > 2 * COUNT_LIMIT + 1:
        raise Refused("the touches of the screens or the ghosts are too many")
    if result.totals and touches != result.totals[1]:
        raise Refused("the touches of the screens do not add up to 'counted'")


def total_of(values):
    """The exact sum of an array of int64, which may exceed 64 bits."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xffffffff).sum())


STAGES = {"day": 0, "ghost": 1, "view": 2, "grid": 3, "count": 4}
READERS = {"ghost": read_ghost, "view": read_view, "grid": read_grid, "count": read_count}
