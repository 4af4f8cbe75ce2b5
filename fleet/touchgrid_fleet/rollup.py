"""`touchgrid-fleet rollup`: adds up each day whose objects have changed."""

import contextlib
import secrets
import sys
import time
from collections import defaultdict

import orjson
import pyarrow
import pyarrow.parquet

from . import FleetError, __version__
from .days import FAILED, FOLDER, Result, read_failed, read_result, rolled_up_days
from .engines import add_engine_options, open_engine
from .objects import COUNT_LIMIT, REVISION_LIMIT, Grid, ObjectName, Refused, counted, last_day, shown
from .options import add_parser, add_span
from .parts import GHOSTS, KEYS, KIOSKS, SUMS, UNREADABLE, VIEWS, Kiosk, left_out, overflow, rows_table

# The number of kiosks in a part. More take more memory, fewer make more files.
PART_KIOSKS = 250
# The highest revision of a day's first result. Later results need higher ones, and kiosks may use any
# revision.
FIRST_REVISION_LIMIT = REVISION_LIMIT // 2
# The list of objects whose names do not contain a past day, for the verb `kiosks`.
MISNAMED = "out/refused.json"


def add_verb(verbs):
    parser = add_parser(verbs, "rollup", "add up the days whose objects have changed")
    add_span(parser)
    add_engine_options(parser)
    parser.set_defaults(run=run)


def run(arguments, place):
    with open_engine(arguments) as engine:
        return roll_up(place, engine, arguments.since, arguments.until)


def log(text):
    print(text, file=sys.stderr, flush=True)


def roll_up(place, engine, since=None, until=None):
    """Rolls up the days that changed. Returns the exit status: 1 if a day failed and kept its old result."""
    with place.lock():
        remove_leftovers(place)
        listed, misnamed = list_objects(place)
        results = rolled_up_days(place)
        if results and not listed:
            raise FleetError(
                f"{shown(str(place))}/in has no objects, but days that were rolled up; if you mean to "
                f"remove these, delete {FOLDER}")
        write_misnamed(place, misnamed)
        failed = read_failed(place)
        found = False
        for day in sorted({*listed, *results}):
            if (since or "") <= day <= (until or "9999-99-99"):
                failed.pop(day, None)
                try:
                    roll_up_day(place, engine, day, listed.get(day, []))
                except FleetError as error:
                    log(f"{day}: not rolled up, its old result stays: {error}")
                    failed[day], found = str(error), True
        failed = {day: reason for day, reason in failed.items() if day in listed}
        if failed != read_failed(place):
            place.write(FAILED, orjson.dumps(failed))
        return 1 if found else 0


def list_objects(place):
    """Returns the names and sizes of all objects by day, and the refused ones as dictionaries."""
    days, misnamed, last = defaultdict(list), [], last_day()
    for file in place.list("in", lists_unreadable=True):
        try:
            if not file.is_readable:
                raise Refused(UNREADABLE)
            name = ObjectName.parse(file.path, last)
            days[name.day].append((sys.intern(name.kiosk), sys.intern(
                name.generation), name.revision, file.size))
        except Refused as reason:
            misnamed.append({"object": shown(file.path, 1000), "size": file.size, "reason": str(reason)})
    return days, misnamed


def write_misnamed(place, misnamed):
    misnamed.sort(key=lambda refused: refused["object"])
    for refused in misnamed:
        log_refused(refused)
    if misnamed != read_misnamed(place):
        place.write(MISNAMED, orjson.dumps(misnamed))


def read_misnamed(place):
    """Returns the objects that the last roll-up refused because of their names."""
    try:
        return orjson.loads(place.read(MISNAMED))
    except (FileNotFoundError, ValueError):
        return []


def log_refused(refused):
    log(f"refused: {refused['object']}: {refused['reason']}")


def remove_leftovers(place):
    """Removes the files of results that were replaced or never completed."""
    named = {MISNAMED, FAILED, "out/.lock"}
    for day in rolled_up_days(place):
        result = read_result(place, day)
        named.add(result.path)
        named.update(f"{result.folder}/{name}" for name in result.files)
    for path in list(place.leftovers("out")):
        if path not in named:
            place.delete(path)


def group(listed):
    """Returns the Kiosks of a day's (kiosk, generation, revision, size)."""
    kiosks = {}
    for kiosk, generation, revision, size in sorted(listed):
        kiosks.setdefault(kiosk, {}).setdefault(generation, []).insert(0, (revision, size))
    return [Kiosk(number, name, generations) for number, (name, generations) in enumerate(kiosks.items())]


def is_current(result, kiosks):
    """Whether the result has the same objects as a new roll-up would: for each generation the highest
    revision that was not refused. If objects were refused, they may be readable now, or valid for another
    version."""
    if result.refused and result.version != __version__:
        return False
    refused = {(entry["object"], entry["size"]) for entry in result.refused if entry["reason"] != UNREADABLE}
    inputs = {(kiosk, generation): tuple(chosen)
              for kiosk, generations in result.inputs.items() for generation, chosen in generations.items()}
    for kiosk in kiosks:
        for generation, revisions in kiosk.generations.items():
            names = ((ObjectName(kiosk.name, generation, result.day, revision).path, size)
                     for revision, size in revisions)
            chosen = next((entry for name, entry in zip(names, revisions) if name not in refused), None)
            if inputs.pop((kiosk.name, generation), None) != chosen:
                return False
    return not inputs


def roll_up_day(place, engine, day, listed):
    """Writes the result of a day if its objects have changed. Raises FleetError, which leaves the old
    result in place."""
    began, old, kiosks = time.monotonic(), read_result(place, day), group(listed)
    if old and not kiosks:
        place.delete(old.path)
        remove(place, old)
        log(f"{day}: removed, as it has no objects any more")
        return
    if old and is_current(old, kiosks):
        return
    revision = max([old.revision + 1 if old else 1,
                    *(min(revision, FIRST_REVISION_LIMIT) for _, _, revision, _ in listed)])
    refused = []
    while True:
        result = Result(day, secrets.token_hex(8), revision, int(time.time() * 1000), __version__, {}, {}, [])
        try:
            write_files(place, engine, result, kiosks)
        except TooLarge as found:
            remove(place, result)
            for kiosk in kiosks:
                if kiosk.number in found.kiosks:
                    refused += left_out(day, kiosk, found.kiosks[kiosk.number])
            kiosks = [kiosk for kiosk in kiosks if kiosk.number not in found.kiosks]
        except BaseException:
            remove(place, result)
            raise
        else:
            break
    result.refused.extend(refused)
    result.write(place)
    if old:
        remove(place, old)
    for refused in result.refused:
        log_refused(refused)
    log(f"{day}: {counted(len(result.inputs), 'kiosk')}, {len(result.refused)} refused, "
        f"{time.monotonic() - began:.1f} s")


def remove(place, result):
    for path in list(place.list(result.folder)):
        place.delete(path.path)


class TooLarge(Exception):
    """Sums do not fit. `kiosks`: the kiosks with the largest numbers, each with the reason for leaving it
    out."""

    def __init__(self, kiosks):
        super().__init__(kiosks)
        self.kiosks = kiosks


def write_files(place, engine, result, kiosks):
    """Writes the data files of a result, and completes it. Raises TooLarge if a sum does not fit."""
    chunks = [kiosks[at:at + PART_KIOSKS] for at in range(0, len(kiosks), PART_KIOSKS)]
    grids, largest = set(), 0
    with contextlib.ExitStack() as stack:
        small = {name: stack.enter_context(Output(place, result, name, schema))
                 for name, schema in (("views", VIEWS), ("kiosks", KIOSKS), ("ghosts", GHOSTS))}
        for part in engine.read_parts(place, result.day, result.folder, chunks):
            for name, output in small.items():
                output.write(getattr(part, name))
            result.files.update(part.files)
            result.inputs.update(part.inputs)
            result.refused.extend(part.refused)
            grids |= part.grids
            largest = max(largest, part.largest)
    if not result.inputs and any(refused["reason"] == UNREADABLE for refused in result.refused):
        raise FleetError("this user may read none of its objects; allow it, and roll up again")
    with Output(place, result, "keys", KEYS) as output:
        output.write(rows_table(sorted((Grid(*grid).number, *grid) for grid in grids), KEYS))
    if len({Grid(*grid).number for grid in grids}) != len(grids):
        raise FleetError(
            "two grids have the same number; report this as a defect, with the names of the screens")
    relations = {"grids": result.paths("grids"), "keys": result.paths("keys")}
    # A kiosk has each block at most once.
    if largest * len(kiosks) > COUNT_LIMIT:
        largest = {}
        for batch in engine.query(place, "overflow", relations):
            for row in batch.to_pylist():
                largest[row["kiosk"]] = overflow(row["screen"], row["display"], row["layer"], row["block"])
        if largest:
            raise TooLarge(largest)
    with Output(place, result, "sums", SUMS) as output:
        for batch in engine.query(place, "sums", relations):
            output.write(pyarrow.table(batch.columns, schema=SUMS))


class Output:
    """One Parquet file of a result, written table by table."""

    def __init__(self, place, result, name, schema):
        self.result, self.name, self.schema = result, f"{name}.parquet", schema
        self.opened = place.output(f"{result.folder}/{self.name}")

    def __enter__(self):
        self.file = self.opened.__enter__()
        self.writer = pyarrow.parquet.ParquetWriter(self.file, self.schema, compression="zstd")
        return self

    def write(self, table):
        self.writer.write_table(table)

    def __exit__(self, *error):
        self.writer.close()
        self.result.files[self.name] = self.file.tell()
        return self.opened.__exit__(*error)
