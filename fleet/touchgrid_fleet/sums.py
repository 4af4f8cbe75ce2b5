"""`touchgrid-fleet sum`: writes the sum of kiosks as days in the format that kiosks upload, so that
`touchgrid import` makes a store of them."""

import collections
import dataclasses
import functools
import zlib

import numpy as np
import orjson
import pyarrow
import pyarrow.compute
import pyarrow.parquet

from . import FleetError, __version__
from .checker import check
from .choices import add_choice, choose
from .days import no_result, read_results, warn, warn_of_gaps
from .engines import add_engine_options, open_engine
from .objects import (COUNT_LIMIT, FORMAT, KIOSK, TOTALS, ObjectName, Refused, counted, masks_json,
                      placements_json, shown)
from .options import add_parser, add_span
from .parts import KEY_COLUMNS, SUMS, TOTAL_COLUMNS, squares
from .places import open_place

GEOMETRY_MEMBERS = ("pixelWidth", "pixelHeight", "scale", "rotation", "blockSize")


def add_verb(verbs):
    parser = add_parser(verbs, "sum", "write the sum of kiosks as days for touchgrid import")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder for the days")
    parser.add_argument("--name", default="fleet", help="the kiosk that the sum is called (default: fleet)")
    add_choice(parser)
    add_span(parser)
    add_engine_options(parser)
    parser.set_defaults(run=run)


def run(arguments, place):
    if not KIOSK.fullmatch(arguments.name):
        raise FleetError(f"'{shown(arguments.name)}' cannot be a kiosk's name: use 1 to 63 of a-z, 0-9 and -")
    choice, output = choose(place, arguments), open_place(arguments.output, arguments.endpoint)
    if output.is_same(place):
        raise FleetError(f"{shown(str(output))} is the fleet itself, which would count the sum as a kiosk; "
                         "choose another folder")
    with open_engine(arguments) as engine:
        written = write_sums(place, output, engine, choice, arguments.name, arguments.since, arguments.until)
    print(f"{counted(written, 'day')} in {shown(str(output))}")


def write_sums(place, output, engine, choice, name, since, until):
    """Writes the days of a span that have chosen kiosks, and removes others of the same choice.
    Returns the number of days."""
    # The inputs of many days are too large to keep.
    results = [dataclasses.replace(result, inputs=dict.fromkeys(list(result.inputs)[:1]))
               for result in read_results(place, since, until)]
    warn_of_gaps(place, results, since, until)
    results = [dataclasses.replace(result, inputs={}, refused=[]) for result in results]
    if not results:
        raise no_result(place, since, until)
    prefix = f"in/{name}/{choice.generation}"
    present = {file.path for file in output.list(f"in/{name}")}
    if any(not path.startswith(prefix + "/") for path in present):
        raise FleetError(
            f"{shown(str(output))} has the sum of other kiosks; use an empty folder or another --name")
    paths = {object_name(result, choice, name).path: result for result in results}
    wanted = paths.keys() & present
    missing = [result for path, result in paths.items() if path not in present]
    write = functools.partial(write_day, place, output, choice, name)
    wanted.update(path for path in engine.map(write, missing) if path)
    if not wanted:
        raise FleetError("no chosen kiosk has an object in these days")
    for path in present - wanted:
        day = path.split("/")[3]
        if (since or "") <= day <= (until or "9999-99-99"):
            output.delete(path)
    return len(wanted)


def object_name(result, choice, name):
    return ObjectName(name, choice.generation, result.day, result.revision)


def write_day(place, output, choice, name, engine, result):
    """Writes the object of one day. Returns its path; None if no chosen kiosk has an object of the day."""
    data = day_object(place, engine, result, choice, name)
    if data is None:
        return None
    path = object_name(result, choice, name).path
    output.write(path, data)
    return path


def read_table(place, path, columns=None):
    return pyarrow.parquet.read_table(place.full(path), columns=columns, filesystem=place.filesystem)


def day_object(place, engine, result, choice, name):
    """Returns the bytes of the object of one day; None if no chosen kiosk has an object of it.
    Raises FleetError."""
    try:
        kiosks = [row for path in result.paths("kiosks") for row in read_table(place, path).to_pylist()
                  if choice.includes(row["name"])]
        if not kiosks:
            return None
        is_whole = choice.names is None
        while True:
            numbers = None if is_whole else sorted({row["kiosk"] for row in kiosks})
            try:
                return packed_day(place, engine, result, choice, name, kiosks, numbers)
            except TooLarge as error:
                worst = error.kiosk
                if worst is None:
                    worst = largest_kiosk(place, result, {row["kiosk"] for row in kiosks})
                left = [row for row in kiosks if row["kiosk"] != worst]
                if not left:
                    raise FleetError(f"{result.day}: the sum of these kiosks is not a valid object: "
                                     f"{error}") from None
                kiosk = next(row["name"] for row in kiosks if row["kiosk"] == worst)
                warn(f"{result.day}: kiosk {kiosk} has the largest numbers and is left out: {error}")
                kiosks, is_whole = left, False
    except FileNotFoundError:
        raise FleetError(
            f"{result.day} was rolled up anew while it was read; run the command again") from None


class TooLarge(Exception):
    """A sum exceeds a limit. `kiosk`: the number of the kiosk to leave out, or None if unknown."""

    def __init__(self, reason, kiosk=None):
        super().__init__(reason)
        self.kiosk = kiosk


def packed_day(place, engine, result, choice, name, kiosks, numbers):
    """Returns the bytes of the object of one day. Raises TooLarge."""
    lines = [day_line(result, choice, name, kiosks), *ghost_lines(place, result, numbers),
             *view_lines(place, engine, result, numbers), *grid_lines(place, engine, result, numbers),
             *count_lines(place, engine, result, numbers)]
    compressor = zlib.compressobj(6, wbits=31)
    data = b"".join([*(compressor.compress(line + b"\n") for line in lines), compressor.flush()])
    # Even if all objects keep the limits, their sum may exceed one. `touchgrid import` would refuse
    # it.
    try:
        check(object_name(result, choice, name).path, data)
    except Refused as reason:
        raise TooLarge(str(reason)) from None
    return data


def largest_kiosk(place, result, chosen):
    """Returns the number of the kiosk with the most screens, ghosts and subjects."""
    rows = collections.Counter(dict.fromkeys(chosen, 0))
    for kind in ("views", "ghosts", "counts"):
        for path in result.paths(kind):
            table = read_table(place, path, ["kiosk", "place"] if kind == "counts" else ["kiosk"])
            if kind == "counts":
                # Keep one row for each subject.
                table = table.filter(pyarrow.compute.less(table.column("place"), 0))
            found = table.column("kiosk").value_counts().to_pylist()
            rows.update({row["values"]: row["counts"] for row in found if row["values"] in chosen})
    return max(sorted(rows), key=rows.get)


def fits(what, value, kiosk=None):
    if value > COUNT_LIMIT:
        raise TooLarge(f"the {what} of all kiosks are over 2^63-1", kiosk)
    return value


def total(what, values, kiosks):
    """Returns the sum of the kiosks' Python integers; None if one is unknown."""
    values = list(values)
    if None in values:
        return None
    return fits(what, sum(values), kiosks[values.index(max(values))]["kiosk"])


def day_line(result, choice, name, kiosks):
    sessions = total("sessions", (row["sessions"] for row in kiosks), kiosks)
    totals = {member: total("totals", (row[column] for row in kiosks), kiosks)
              for member, column in zip(TOTALS, TOTAL_COLUMNS)}
    hours = [row["hours"] for row in kiosks]
    zones = collections.Counter(row["time_zone"] for row in kiosks if row["time_zone"] is not None)
    record = {
        "type": "day",
        "format": FORMAT,
        "kiosk": name,
        "generation": choice.generation,
        "revision": result.revision,
        "day": result.day,
        "version": __version__,
        "sessions": sessions
    }
    if zones:
        # Use the time zone of most kiosks. Hours are those of each kiosk's own clock.
        record["timeZone"] = min(zones, key=lambda zone: (-zones[zone], zone))
    if sessions:
        record["firstBeganAtMs"] = min(row["first_began_ms"] for row in kiosks if row["sessions"])
        record["lastBeganAtMs"] = max(row["last_began_ms"] for row in kiosks if row["sessions"])
    known = None not in hours
    record["totals"] = totals if known else None
    record["hours"] = [total("hours", hour, kiosks) for hour in zip(*hours)] if known else None
    return orjson.dumps(record)


def ghost_lines(place, result, numbers):
    touches, largest = collections.Counter(), {}
    for path in result.paths("ghosts"):
        for row in read_table(place, path).to_pylist():
            if numbers is None or row["kiosk"] in numbers:
                ghost = row["device"], row["x"], row["y"], row["period_ms"]
                touches[ghost] += row["touches"]
                largest[ghost] = max(largest.get(ghost, (0, 0)), (row["touches"], row["kiosk"]))
    for (device, x, y, period), count in sorted(touches.items()):
        yield orjson.dumps({"type": "ghost", "device": device, "x": x, "y": y, "periodMs": period,
                            "touches": fits("ghosts", count, largest[device, x, y, period][1])})


def key_members(key):
    return {"screen": key[0], "display": key[1], "geometry": dict(zip(GEOMETRY_MEMBERS, key[2:7]))}


def view_lines(place, engine, result, numbers):
    views = {"views": result.paths("views")}
    masks, placements = collections.defaultdict(set), collections.defaultdict(set)
    for batch in engine.query(place, "lists", views, numbers):
        for row in batch.to_pylist():
            key = tuple(row[column] for column in KEY_COLUMNS)
            masks[key].add(row["masks"])
            placements[key].add(row["placements"])
    for batch in engine.query(place, "views", views, numbers):
        for row in batch.to_pylist():
            key = tuple(row[column] for column in KEY_COLUMNS)
            counts = {}
            for member, column in (("sessions", "sessions"), ("shownMs", "shown_ms"), ("touches", "touches")):
                counts[member] = int(row[column])
                if counts[member] > COUNT_LIMIT:
                    largest = largest_view(place, result, key, column, numbers)
                    fits(f"view's {column}", counts[member], largest)
            yield orjson.dumps({"type": "view", **key_members(key), **counts,
                                "masks": orjson.Fragment(mask_union(masks[key], key)),
                                "placements": orjson.Fragment(placement_union(placements[key]))})


def largest_view(place, result, key, column, numbers):
    """Returns the number of the kiosk with the largest number in a column of a view."""
    largest = (-1, None)
    for path in result.paths("views"):
        for row in read_table(place, path, ["kiosk", *KEY_COLUMNS, column]).to_pylist():
            if tuple(map(row.get, KEY_COLUMNS)) == key and (numbers is None or row["kiosk"] in numbers):
                largest = max(largest, (row[column], row["kiosk"]))
    return largest[1]


def mask_union(lists, key):
    """Returns the rectangles of several lists as one list, in JSON."""
    rectangles = {(r["x"], r["y"], r["width"], r["height"]) for text in lists for r in orjson.loads(text)}
    return masks_json(rectangles, key)


def placement_union(lists):
    return placements_json(orjson.dumps(placement) for text in lists for placement in orjson.loads(text))


def grid_lines(place, engine, result, numbers):
    """Returns the lines of all grids, sorted. Sums of all kiosks are read; those of some kiosks
    are computed."""
    if numbers is None:
        table = pyarrow.concat_tables(read_table(place, path) for path in result.paths("sums"))
    else:
        relations = {"grids": result.paths("grids"), "keys": result.paths("keys")}
        batches = [pyarrow.table(batch.columns, schema=SUMS)
                   for batch in engine.query(place, "sums", relations, numbers)]
        table = pyarrow.concat_tables([SUMS.empty_table(), *batches])
    table = table.combine_chunks()
    for key, start, end in runs(table):
        blocks, sums, touched = (table.column(name)[start:end].to_numpy()
                                 for name in ("block", "sum", "touched"))
        low, high = squares(table.column("square")[start:end])
        lists = {"blocks": blocks, "sums": sums, "squares": low, "touched": touched}
        if high.any():
            lists["squaresHigh"] = high
        yield orjson.dumps({"type": "grid", **key_members(key), "layer": key[7],
                            **{name: np.ascontiguousarray(column) for name, column in lists.items()}},
                           option=orjson.OPT_SERIALIZE_NUMPY)


def count_lines(place, engine, result, numbers):
    """Returns the lines of all other counts, by their kinds."""
    relations = {kind: result.paths(kind) for kind in ("counts", "subjects")}
    line = None
    for batch in engine.query(place, "counts", relations, numbers):
        for row in batch.to_pylist():
            value = int(row["count"])
            fits("counts", abs(value), row["kiosk"])
            if row["place"] < 0:
                if line:
                    yield orjson.dumps(line)
                line = {"type": "count", "kind": row["kind"], "subject": row["key"], "sessions": value,
                        "places": [], "counts": []}
            elif value:
                line["places"].append(row["place"])
                line["counts"].append(value)
    if line:
        yield orjson.dumps(line)


def runs(table):
    """Yields (key, start, end) for the rows of each grid in a sorted table."""
    if not len(table):
        return
    columns = [*KEY_COLUMNS, "layer"]
    differs = np.zeros(len(table) - 1, bool)
    for name in columns:
        column = table.column(name)
        values = column.combine_chunks().dictionary_encode()
        values = values.chunk(0) if isinstance(values, pyarrow.ChunkedArray) else values
        differs |= np.diff(values.indices.to_numpy()) != 0
    starts = [0, *(np.flatnonzero(differs) + 1).tolist()]
    for start, end in zip(starts, [*starts[1:], len(table)]):
        yield tuple(table.column(name)[start].as_py() for name in columns), start, end
