"""Reads the objects of some hundred kiosks of one day, and writes their counts as Parquet.

The processes of a roll-up and the executors of Spark run `read_part`, each with its own kiosks, so
memory is bounded by the size of a part.
"""

import contextlib
import dataclasses
import hashlib

import numpy as np
import pyarrow
import pyarrow.parquet

from . import FleetError
from .checker import check_size
from .objects import COMPRESSED_LIMIT, COUNT_LIMIT, Counts, Grid, ObjectName, Refused, shown
from .reader import read_object

UNREADABLE = "this user may not read it"
# The maximum number of rows of a file of grids or counts. The last object may exceed it.
ROWS_LIMIT = 8_000_000
# The maximum number of characters of the subjects in a file. The last object may exceed it.
TEXT_LIMIT = 64 << 20

SQUARE = pyarrow.decimal128(38, 0)
GEOMETRY = [("screen", pyarrow.string()), ("display", pyarrow.string()), ("pixel_width", pyarrow.int32()),
            ("pixel_height", pyarrow.int32()), ("scale", pyarrow.float64()), ("rotation", pyarrow.int32()),
            ("block_size", pyarrow.int32())]
KEY_COLUMNS = [name for name, _ in GEOMETRY]
TOTAL_COLUMNS = [
    "begun", "counted", "masked", "palms", "ghosts", "swallowed", "still_down", "preexisting",
    "cancelled", "clamped", "drops"
]
GRIDS = pyarrow.schema([("grid", pyarrow.int64()), ("kiosk", pyarrow.int32()), ("block", pyarrow.int32()),
                        ("sum", pyarrow.int64()), ("square", SQUARE), ("touched", pyarrow.int64())])
KEYS = pyarrow.schema([("grid", pyarrow.int64()), *GEOMETRY, ("layer", pyarrow.string())])
VIEWS = pyarrow.schema([("kiosk", pyarrow.int32()), *GEOMETRY, ("sessions", pyarrow.int64()),
                        ("shown_ms", pyarrow.int64()), ("touches", pyarrow.int64()),
                        ("masks", pyarrow.string()), ("placements", pyarrow.string())])
KIOSKS = pyarrow.schema([("kiosk", pyarrow.int32()), ("name", pyarrow.string()),
                         ("generation", pyarrow.string()), ("revision", pyarrow.int64()),
                         ("sessions", pyarrow.int64()), ("first_began_ms", pyarrow.int64()),
                         ("last_began_ms", pyarrow.int64()),
                         *[(name, pyarrow.int64()) for name in TOTAL_COLUMNS],
                         ("hours", pyarrow.list_(pyarrow.int64())), ("time_zone", pyarrow.string()),
                         ("version", pyarrow.string())])
GHOSTS = pyarrow.schema([("kiosk", pyarrow.int32()), ("device", pyarrow.string()), ("x", pyarrow.int32()),
                         ("y", pyarrow.int32()), ("period_ms", pyarrow.int64()),
                         ("touches", pyarrow.int64())])
# The counts of other kinds. The place -1 holds the number of sessions.
COUNTS = pyarrow.schema([("subject", pyarrow.string()), ("kiosk", pyarrow.int32()), ("place", pyarrow.int32()),
                         ("count", pyarrow.int64())])
SUBJECTS = pyarrow.schema([("subject", pyarrow.string()), ("kind", pyarrow.string()), ("key", pyarrow.string())])
SUMS = pyarrow.schema([
    *GEOMETRY, ("layer", pyarrow.string()), ("block", pyarrow.int32()), ("sum", pyarrow.int64()),
    ("square", SQUARE), ("touched", pyarrow.int64()), ("kiosks", pyarrow.int32())
])


@dataclasses.dataclass
class Kiosk:
    """A kiosk's objects of a day. `generations`: for each generation (revision, size in bytes), the
    highest revision first. `number`: its number in the tables of the day."""
    number: int
    name: str
    generations: dict


@dataclasses.dataclass
class Part:
    """The result of a part. `files`: sizes of the grid files by name. `grids`: the Grids in it. `largest`:
    the largest sum of a block. `inputs`, `refused`: as in a day's result."""
    files: dict
    views: pyarrow.Table
    kiosks: pyarrow.Table
    ghosts: pyarrow.Table
    grids: set
    largest: int
    inputs: dict
    refused: list


class Overflow(FleetError):
    """The sum of a block exceeds 2^63-1. Only sums are checked: in a valid object the number of sessions
    is at most the sum, and the square at most the sum's square, which is below 10^38."""


def overflow(screen, display, layer, block):
    """Returns the reason why the objects of a kiosk are left out."""
    return (f"with it, the sum of screen '{shown(screen, 80)}', display '{shown(display, 80)}', "
            f"layer {layer}, block {block} is over 2^63-1, and no kiosk has counted more there")


def left_out(day, kiosk, reason):
    """Returns the entries of a result's `refused` for all objects of a Kiosk."""
    return [{"object": ObjectName(kiosk.name, generation, day, revision).path, "size": size, "reason": reason}
            for generation, revisions in kiosk.generations.items() for revision, size in revisions]


def read_part(place, day, folder, number, kiosks):
    """Reads the objects of `kiosks`, and writes the files grids-NUMBER….parquet into `folder`. Returns a
    Part. Leaves out a kiosk whose generations cannot be added up."""
    part = Collector(place, folder, number)
    for kiosk in kiosks:
        grids, read, refused = {}, [], []
        try:
            for generation, revisions in kiosk.generations.items():
                found = read_highest(place, day, kiosk.name, generation, revisions, refused)
                if found:
                    read.append(found)
                    for key, view in found[1].views.items():
                        for layer, counts in view.layers.items():
                            grid = (*key, layer)
                            grids[grid] = add(grids[grid], counts, grid) if grid in grids else counts
        except Overflow as reason:
            part.refused.extend(left_out(day, kiosk, str(reason)))
            continue
        part.refused.extend(refused)
        for size, found in read:
            part.inputs.setdefault(kiosk.name, {})[found.name.generation] = [found.name.revision, size]
            part.add_rows(kiosk.number, found)
            part.add_counts(kiosk.number, found.subjects)
        part.add_grids(kiosk.number, grids)
    return part.finish()


def read_highest(place, day, kiosk, generation, revisions, refused):
    """Returns the size and the DayObject of the highest valid revision, or None. Adds the refused ones to
    `refused`."""
    for attempt in range(3):
        if attempt:
            revisions = list_revisions(place, day, kiosk, generation)
        reasons = []
        # After the objects were listed, the uploader may have written a higher revision and removed this one.
        with contextlib.suppress(FileNotFoundError):
            found = first_valid(
                place, [(ObjectName(kiosk, generation, day, revision), size) for revision, size in revisions],
                reasons)
            refused.extend(reasons)
            return found
    raise FleetError(f"the objects in/{kiosk}/{generation}/{day} change while they are read; roll up again")


def first_valid(place, listed, refused):
    for name, size in listed:
        try:
            check_size(size)
            # The object may have been replaced since it was listed.
            data = place.read_untrusted(name.path, COMPRESSED_LIMIT + 1)
            size = len(data)
            return size, read_object(name, data)
        except Refused as reason:
            refused.append({"object": name.path, "size": size, "reason": str(reason)})
        except PermissionError:
            # Use no lower revision: it may contain data that this one forgets.
            refused.append({"object": name.path, "size": size, "reason": UNREADABLE})
            return None
    return None


def list_revisions(place, day, kiosk, generation):
    """Returns (revision, size) of the objects of a kiosk's day, the highest revision first."""
    found = []
    for file in place.list(f"in/{kiosk}/{generation}/{day}", lists_unreadable=True):
        with contextlib.suppress(Refused):
            found.append((ObjectName.parse(file.path, day).revision, file.size))
    return sorted(found, reverse=True)


class Collector:
    def __init__(self, place, folder, number):
        self.place, self.folder, self.number = place, folder, number
        self.views, self.kiosks, self.ghosts = [], [], []
        self.pending, self.rows = {}, 0
        self.counts, self.subjects, self.known, self.count_rows, self.text = [], [], set(), 0, 0
        self.files, self.grids, self.largest = {}, {}, 0
        self.inputs, self.refused = {}, []

    def add_rows(self, kiosk, found):
        totals = found.totals or [None] * len(TOTAL_COLUMNS)
        self.kiosks.append(
            (kiosk, found.name.kiosk, found.name.generation, found.name.revision, found.sessions,
             found.first_began_ms, found.last_began_ms, *totals, found.hours, found.time_zone, found.version))
        self.views.extend(
            (kiosk, *key, view.sessions, view.shown_ms, view.touches, view.masks, view.placements)
            for key, view in found.views.items())
        self.ghosts.extend((kiosk, *ghost, touches) for ghost, touches in found.ghosts.items())

    def add_grids(self, kiosk, grids):
        """Adds a kiosk's Counts by grid. Call it for kiosks in rising order."""
        for grid, counts in grids.items():
            self.pending.setdefault(grid, []).append((kiosk, counts))
            self.rows += len(counts.blocks)
        if self.rows > ROWS_LIMIT:
            self.write_grids()

    def add_counts(self, kiosk, subjects):
        for (kind, key), (sessions, places, counts) in subjects.items():
            subject = hashlib.blake2b(f"{kind} {key}".encode(), digest_size=16).hexdigest()
            if subject not in self.known:
                self.known.add(subject)
                self.subjects.append((subject, kind, key))
                self.text += len(key)
            self.counts.append((subject, kiosk, np.concatenate([[-1], places]), np.concatenate([[sessions], counts])))
            self.count_rows += 1 + len(places)
        if self.count_rows > ROWS_LIMIT or self.text > TEXT_LIMIT:
            self.write_counts()

    def write_counts(self):
        """Writes the counts, sorted by subject, because that makes the file smaller."""
        counts = sorted(self.counts, key=lambda each: each[0])
        lengths = [len(each[2]) for each in counts]
        table = COUNTS.empty_table()
        if counts:
            names = pyarrow.array([each[0] for each in counts])
            table = pyarrow.table([
                names.take(pyarrow.array(np.repeat(np.arange(len(counts)), lengths))),
                pyarrow.array(np.repeat(np.array([each[1] for each in counts], np.int32), lengths)),
                pyarrow.array(np.concatenate([each[2] for each in counts]).astype(np.int32)),
                pyarrow.array(np.concatenate([each[3] for each in counts]).astype(np.int64))], schema=COUNTS)
        number = sum(name.startswith("counts-") for name in self.files)
        for kind, rows in (("counts", table), ("subjects", rows_table(self.subjects, SUBJECTS))):
            name = f"{kind}-{self.number}{f'-{number}' if number else ''}.parquet"
            self.files[name] = write_table(self.place, f"{self.folder}/{name}", rows)
        self.counts, self.subjects, self.count_rows, self.text = [], [], 0, 0

    def write_grids(self):
        for grid in self.pending:
            if grid not in self.grids:
                self.grids[grid] = Grid(*grid).number
        runs = [(self.grids[grid], kiosk, counts) for grid in sorted(self.pending, key=self.grids.get)
                for kiosk, counts in self.pending[grid]]
        table = self.table(runs)
        number = sum(name.startswith("grids-") for name in self.files)
        name = f"grids-{self.number}{f'-{number}' if number else ''}.parquet"
        self.files[name] = write_table(self.place, f"{self.folder}/{name}", table)
        self.pending, self.rows = {}, 0

    def table(self, runs):
        """Returns the rows of (number of the grid, kiosk, Counts), in this order."""
        if not runs:
            return GRIDS.empty_table()
        numbers, kiosks, counts = zip(*runs)
        lengths = np.fromiter((len(c.blocks) for c in counts), np.int64, len(counts))
        sums, touched = np.concatenate([c.sums for c in counts]), np.concatenate([c.touched for c in counts])
        low, high = np.concatenate([c.low for c in counts]), None
        if any(c.high is not None for c in counts):
            high = np.concatenate([
                np.zeros(len(c.blocks), np.uint64) if c.high is None else c.high.view(np.uint64)
                for c in counts
            ])
        self.largest = max(self.largest, int(sums.max()))
        return pyarrow.table([
            pyarrow.array(np.repeat(np.array(numbers, np.int64), lengths)),
            pyarrow.array(np.repeat(np.array(kiosks, np.int32), lengths)),
            pyarrow.array(np.concatenate([c.blocks for c in counts]).astype(np.int32)), pyarrow.array(sums),
            decimals(low, high), pyarrow.array(touched)], schema=GRIDS)

    def finish(self):
        for kind, pending, write in (("grids-", self.pending, self.write_grids),
                                     ("counts-", self.counts, self.write_counts)):
            if pending or not any(name.startswith(kind) for name in self.files):
                write()
        return Part(self.files, rows_table(self.views, VIEWS), rows_table(self.kiosks, KIOSKS),
                    rows_table(self.ghosts, GHOSTS), set(self.grids), self.largest, self.inputs, self.refused)


def rows_table(rows, schema):
    columns = list(zip(*rows)) or [()] * len(schema)
    return pyarrow.table([pyarrow.array(column, field.type) for column, field in zip(columns, schema)],
                         schema=schema)


def write_table(place, path, table):
    """Writes a table as Parquet. Returns its size in bytes."""
    with place.output(path) as file:
        pyarrow.parquet.write_table(table, file, compression="zstd", compression_level=1)
        return file.tell()


def add(a, b, grid):
    """Returns the sum of two Counts of one grid. Raises Overflow if a sum does not fit."""
    blocks = np.union1d(a.blocks, b.blocks)
    sums, touched = np.zeros((2, len(blocks)), np.int64)
    low, high = np.zeros((2, len(blocks)), np.uint64)
    for counts in (a, b):
        at = np.searchsorted(blocks, counts.blocks)
        sums[at] += counts.sums
        touched[at] += counts.touched
        # The sum of two 63-bit numbers fits 64 bits. Carry the highest bit over.
        low[at] += counts.low.view(np.uint64)
        if counts.high is not None:
            high[at] += counts.high.view(np.uint64)
        high += low >> np.uint64(63)
        low &= np.uint64(COUNT_LIMIT)
    if sums.min() < 0:
        raise Overflow(overflow(grid[0], grid[1], grid[-1], blocks[sums.argmin()]))
    return Counts(blocks, sums, low.view(np.int64), high.view(np.int64) if high.any() else None, touched)


def decimals(low, high):
    """Returns low + high * 2^63 as DECIMAL(38,0), whose values are little-endian 128-bit integers."""
    words = np.zeros((len(low), 2), np.uint64)
    words[:, 0] = low.view(np.uint64)
    if high is not None:
        words[:, 0] |= high << np.uint64(63)
        words[:, 1] = high >> np.uint64(1)
    return pyarrow.Array.from_buffers(SQUARE, len(low), [None, pyarrow.py_buffer(words)])


def squares(column):
    """Returns (low, high) of a column of squares, which are below 2^126: the reverse of `decimals`."""
    array = column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column
    words = np.frombuffer(array.buffers()[1], np.uint64).reshape(-1,
                                                                 2)[array.offset:array.offset + len(array)]
    low = words[:, 0] & np.uint64(COUNT_LIMIT)
    return low.view(np.int64), (words[:, 1] << np.uint64(1) | words[:, 0] >> np.uint64(63)).view(np.int64)
