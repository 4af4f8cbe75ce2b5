"""Reads the object of a kiosk's day. docs/fleet.md describes the format."""

import io
import zlib
from array import array

import numpy as np
import orjson

from .checker import check
from .objects import TOTALS, Counts, DayObject, Refused, View, masks_json, placements_json, shown


def read_object(name, data):
    """Returns the DayObject in `data`, the bytes of the object called `name`, with the counts that a
    fleet adds up. Raises Refused if `touchgrid import --check` refuses it."""
    are_of_fleets = iter(check(name.path, data))
    result = None
    try:
        for line in io.BytesIO(zlib.decompress(data, wbits=31)):
            record = orjson.loads(line)
            if record["type"] == "day":
                result = read_day(name, record)
            elif record["type"] == "count":
                read_count(result, record, next(are_of_fleets))
            else:
                READERS[record["type"]](result, record)
        if next(are_of_fleets, None) is not None:
            raise ValueError("fewer counts than touchgrid found")
    except (KeyError, TypeError, ValueError, OverflowError, StopIteration, zlib.error) as error:
        # touchgrid and touchgrid-fleet may have different versions.
        raise Refused(f"touchgrid accepts it, but touchgrid-fleet cannot read it ({shown(repr(error))}): install both "
                      "of one version") from None
    return result


def whole(value):
    """Returns the value. Converts it to int if it was written with a point or an exponent."""
    return int(value) if type(value) is float else value


def read_day(name, record):
    totals, hours = record.get("totals"), record.get("hours")
    return DayObject(
        name, record.get("timeZone"), record["version"], whole(record["sessions"]),
        whole(record.get("firstBeganAtMs")), whole(record.get("lastBeganAtMs")),
        totals and [whole(totals[key]) for key in TOTALS], hours and list(map(whole, hours)))


def read_ghost(result, record):
    *place, touches = (whole(record[key]) for key in ("x", "y", "periodMs", "touches"))
    result.ghosts[record["device"], *place] = touches


def read_key(record):
    geometry = record["geometry"]
    width, height, rotation, block_size = (
        whole(geometry[key]) for key in ("pixelWidth", "pixelHeight", "rotation", "blockSize"))
    return record["screen"], record["display"], width, height, float(geometry["scale"]), rotation, block_size


def read_view(result, record):
    key = read_key(record)
    masks = {tuple(float(mask[member]) for member in ("x", "y", "width", "height")) for mask in record["masks"]}
    placements = (orjson.dumps(placement, option=orjson.OPT_SORT_KEYS) for placement in record["placements"]
                  if type(placement) is dict)
    result.views[key] = View(
        *(whole(record[member]) for member in ("sessions", "shownMs", "touches")), masks_json(masks, key),
        placements_json(placements))


def read_grid(result, record):
    blocks, sums, low, touched = (numbers(record[key]) for key in ("blocks", "sums", "squares", "touched"))
    high = record.get("squaresHigh")
    high = None if high is None or not any(high) else numbers(high)
    key = read_key(record)
    result.views[key].layers[record["layer"]] = Counts(blocks, sums, low, high, touched)


def read_count(result, record, is_of_fleets):
    if is_of_fleets:
        result.subjects[record["kind"], record["subject"]] = (
            whole(record["sessions"]), numbers(record["places"]), numbers(record["counts"]))


def numbers(values):
    """Returns a list of signed 64-bit integers as an array."""
    try:
        return np.frombuffer(array("q", values), dtype=np.int64)
    except TypeError:
        return np.frombuffer(array("q", map(whole, values)), dtype=np.int64)


READERS = {"ghost": read_ghost, "view": read_view, "grid": read_grid}
