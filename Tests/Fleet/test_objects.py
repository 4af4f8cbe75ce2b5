"""Each kind of bad object is refused with its reason, a lower valid revision counts in its place, and all
others are summed."""

import datetime
import gzip
import json
import subprocess
import sys
import unittest

from support import GEOMETRIES, FleetTest, add_up, count_line, day_line, encode, grid_line, panel_line, view_line
from touchgrid_fleet.checker import check
from touchgrid_fleet.objects import ObjectName, Refused, last_day, shown
from touchgrid_fleet.reader import read_object

DAY = "2026-11-21"
NAME = ObjectName("lobby-3", "a" * 16, DAY, 1)


def lines():
    return add_up([day_line(), view_line(), grid_line({3: [1, 2], 5: [4]})])


def changed(number, change):
    """The lines of a good object after `change` of one of them: a function, or members to set."""
    found = lines()
    change(found[number]) if callable(change) else found[number].update(change)
    return found


def bad_day(change):
    return encode(changed(0, change))


def bad_view(change):
    return encode(changed(1, change))


def bad_grid(change):
    return encode(changed(2, change))


PANEL = panel_line({0: 3, 3071: 1, 3072: 9, 3184: 9, 3424: 1 << 40, 3425: 1 << 53, 3567: 1 << 48})


def bad_count(change):
    return encode([*lines(), PANEL | change])


def raw(number, text):
    """The lines with one of them in other words."""
    found = [json.dumps(line) for line in lines()]
    found[number] = text if isinstance(text, str) else text(found[number])
    return gzip.compress(("\n".join(found) + "\n").encode("utf-8", "surrogatepass"))


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return {"device": value}


GHOST = {"type": "ghost", "device": "usb", "x": 1, "y": 1, "periodMs": 1, "touches": 1}
GOOD = encode(lines())
TOTALS = lines()[0]["totals"]
# For each reason, objects that are refused for it.
BAD = {
    "not one whole gzip file": {
        "empty": b"",
        "not gzip": b'{"type":"day"}\n',
        "cut off": GOOD[:-20],
        "cut off in the trailer": GOOD[:-1],
        "damaged": GOOD[:40] + bytes([GOOD[40] ^ 255]) + GOOD[41:],
        "wrong checksum": GOOD[:-8] + bytes(4) + GOOD[-4:],
        "bytes behind the end": GOOD + b"\0",
        "a second gzip member": GOOD + GOOD,
        "large expanded": gzip.compress(bytes(257 << 20), 1),
    },
    "it does not end with a line feed": {
        "gzip of nothing": gzip.compress(b""),
        "no line feed at the end": gzip.compress(gzip.decompress(GOOD)[:-1]),
    },
    "larger than 16 MiB": {"large compressed": GOOD + bytes(17 << 20)},
    "it is not a JSON object": {
        "no JSON": raw(0, "hello"),
        "no object": raw(0, "[]"),
        "an empty line": raw(1, ""),
    },
    "it is not valid UTF-8": {"not UTF-8": gzip.compress(b'{"type":"\xff"}\n')},
    "a string contains an unpaired surrogate": {"a lone surrogate": raw(
        1, lambda text: text.replace("menu", "\\ud800"))},
    "the first line, and no other": {
        "no day line": encode(lines()[1:]),
        "two day lines": encode([day_line(), day_line()]),
    },
    "'colour' has an invalid value": {
        "a member of another format": bad_day({"colour": 1}),
        "one of a grid": bad_grid({"colour": []}),
        "one of counts": bad_count({"colour": 1}),
    },
    "'geometry.colour' has an invalid value": {
        "one of a geometry": bad_view({"geometry": GEOMETRIES[0] | {"colour": 1}}),
    },
    "'masks.0.colour' has an invalid value": {
        "one of a mask": bad_view({"masks": [{"x": 0, "y": 0, "width": 1, "height": 1, "colour": 1}]}),
    },
    "'totals' has an unknown member": {"one of totals": bad_day({"totals": TOTALS | {"colour": 1}})},
    "a string contains more than 64 combining marks": {
        "marks in a row": raw(1, lambda text: text.replace("menu", "e" + "\u0301\u0316" * 33)),
        "escaped marks in the name of a member": raw(0, lambda text: '{"' + r"\u0301\u0316" * 20_000 + '": 1, ' + text[1:]),
    },
    "'placements' is missing or is not a list": {"placements that are no list": bad_view({"placements": {}})},
    "'placements' has a number that is too large": {
        "a number that no double holds": raw(1, lambda text: text.replace('"device": "usb-1"', '"device": 1e400')),
        "one in digits": raw(1, lambda text: text.replace('"device": "usb-1"', '"device": 1' + "0" * 320)),
    },
    "'subject' is not a subject of the kind flow": {
        "marks in a subject": encode([*lines(), count_line({0: 1}, '["' + r"\u0301\u0316" * 20_000 + '"]')]),
    },
    "the wrong type": {
        "a kind that is a list": bad_count({"kind": ["panel"]}),
        "a subject that is a list": bad_count({"subject": ["a"]}),
        "type of another kind": encode([day_line(), {"type": ["view"]}]),
        "no geometry": bad_view({"geometry": None}),
        "a mask of text": bad_view({"masks": [{"x": "0", "y": 0, "width": 1, "height": 1}]}),
    },
    "it has the format 2, but only 1 is known": {"another format": bad_day({"format": 2})},
    "the subject occurs twice": {"a subject twice": encode([*lines(), PANEL, PANEL])},
    "counts have more sessions than the day": {"counts of too many sessions": bad_count({"sessions": 3})},
    "is less than": {
        "counts of no session": bad_count({"sessions": 0}),
        "a view of no session": bad_view({"sessions": 0}),
        "sessions negative": bad_day({"sessions": -1}),
    },
    "'places' is not a rising list": {
        "places and counts of unequal length": bad_count({"places": [1]}),
        "unsorted places": bad_count({"places": [3, 2], "counts": [1, 1]}),
        "places far apart": bad_count({"places": [2**63 - 1, -2**63], "counts": [1, 1]}),
    },
    "'places' or 'counts' has a number out of its range": {
        "a place below 0": bad_count({"places": [-1], "counts": [1]}),
        "a place above all": bad_count({"places": [3568], "counts": [1]}),
        "a count of 0": bad_count({"places": [1], "counts": [0]}),
    },
    "its content names it": {
        "another kiosk": bad_day({"kiosk": "lobby-4"}),
        "another revision": bad_day({"revision": 2}),
    },
    "its kiosk, generation, revision or day is invalid": {"hostile kiosk": bad_day({"kiosk": "\x1b[2J\n"})},
    "'version' is missing": {"a member is missing": bad_day(lambda line: line.pop("version"))},
    "two members with the same name": {
        "a member twice": raw(0, lambda text: text.replace('"sessions": 2', '"sessions": 9, "sessions": 2')),
    },
    "an invalid value": {
        "a ghost far away": encode([day_line(), GHOST | {"x": 2**31}]),
    },
    "'firstBeganAtMs' and 'lastBeganAtMs' are": {
        "began after the last": bad_day({"lastBeganAtMs": 1}),
        "no times": bad_day(lambda line: line.pop("firstBeganAtMs")),
        "before the year 0": bad_day({"firstBeganAtMs": -62_167_219_200_001}),
        "after the year 9999": bad_day({"lastBeganAtMs": 253_402_300_800_000}),
    },
    "a day without sessions has no 'firstBegan": {"times without sessions": encode([
        day_line(sessions=0, firstBeganAtMs=1, lastBeganAtMs=2)])},
    "no touches and no screens": {
        "unknown totals without sessions": encode([day_line(sessions=0, totals=None, hours=None)]),
        "totals without sessions": encode([day_line(sessions=0, totals=TOTALS | {"begun": 1, "counted": 1})]),
    },
    "'hours' must have 24 numbers": {
        "hours without sessions": encode([day_line(sessions=0, hours=[1] + [0] * 23)]),
        "hours that do not add up": bad_day({"hours": [0] * 24}),
        "23 hours": bad_day({"hours": [0] * 23}),
    },
    "it has 'totals' without 'hours', or 'hours' without 'totals'": {"totals null alone": bad_day({"totals": None})},
    "its totals do not add up": {
        "totals that do not add up": bad_day({"totals": TOTALS | {"begun": 1}}),
        "totals over 64 bits": bad_day({"totals": TOTALS | dict.fromkeys(("counted", "masked", "palms"), 2**63 - 1)}),
    },
    "do not add up to the counted": {"touches of views that do not add up": bad_view({"touches": 8})},
    "the taps of a screen exceed its touches": {
        "more taps than touches": encode([
            day_line(totals=None, hours=None), view_line(), grid_line({3: [1, 2], 5: [4]})]),
        "more taps than 64 bits": encode([
            day_line(totals=None, hours=None), view_line(), grid_line({3: [2**63 - 1], 5: [2**63 - 1], 7: [9]})]),
        "too many touches": encode([
            day_line(totals=None, hours=None),
            *(view_line(screen=screen) | {"touches": 2**63 - 1} for screen in "abc")]),
    },
    "the suspected ghosts are too many": {"too many suspected ghosts": encode([
        day_line(), *(GHOST | {"x": x, "touches": 2**63 - 1} for x in range(3))])},
    "is longer than 1024 bytes, or has a zero byte": {
        "a long time zone": bad_day({"timeZone": "x" * 1025}),
        "a zero byte": bad_view({"screen": "a\0"}),
        "a long name": bad_view({"screen": "ä" * 513}),
    },
    "the suspected ghost occurs twice": {"a ghost twice": encode([day_line(), GHOST, GHOST])},
    "the view occurs twice": {"a view twice": encode([day_line(), view_line(), view_line()])},
    "a screen was shown by more sessions than the day has": {"a view of too many sessions": bad_view({"sessions": 3})},
    "a number has more than 400 digits": {"an infinite scale": bad_view({
        "geometry": GEOMETRIES[0] | {"scale": 10**400}})},
    "'geometry' is out of its range": {
        "a tiny scale": bad_view({"geometry": GEOMETRIES[0] | {"scale": 0.1}}),
        "a slant": bad_view({"geometry": GEOMETRIES[0] | {"rotation": 45}}),
        "a block of 3": bad_view({"geometry": GEOMETRIES[0] | {"blockSize": 3}}),
        "a huge display": bad_view({"geometry": GEOMETRIES[0] | {"pixelWidth": 16385}}),
        "too many blocks": bad_view({
            "geometry": GEOMETRIES[0] | {"pixelWidth": 16384, "pixelHeight": 16384, "blockSize": 8}}),
    },
    "'masks' has an invalid rectangle": {
        "a mask too far away": bad_view({"masks": [{"x": 1e308, "y": 0, "width": 1e308, "height": 1}]}),
        "an empty mask": bad_view({"masks": [{"x": 0, "y": 0, "width": 0, "height": 1}]}),
    },
    "it is nested more than 64 levels deep": {
        "deep placements": bad_view({"placements": [nested(61)]}),
    },
    "the grid has no view before it": {"a grid without a view": encode([day_line(), *lines()[2:]])},
    "the grid occurs twice": {"a grid twice": encode([*lines(), lines()[2]])},
    "the layer 'swipes' is unknown": {"another layer": bad_grid({"layer": "swipes"})},
    "empty or have different lengths": {
        "no blocks": bad_grid(dict.fromkeys(("blocks", "sums", "squares", "touched"), [])),
        "lists of unequal length": bad_grid({"sums": [3, 4, 5]}),
    },
    "'blocks' is not a rising list": {
        "a block twice": bad_grid({"blocks": [3, 3]}),
        "a block below 0": bad_grid({"blocks": [-1, 3]}),
        "a block off the display": bad_grid({"blocks": [3, 12]}),
    },
    "a number of the grid": {
        "a sum of 0": bad_grid({"sums": [3, 0]}),
        "a negative square": bad_grid({"squares": [5, -16]}),
        "squaresHigh negative": bad_grid({"squaresHigh": [1, -1]}),
        "touched by nobody": bad_grid({"touched": [2, 0]}),
        "touched by too many": bad_grid({"touched": [3, 1]}),
    },
    "contradict each other": {
        "a square below the sum": bad_grid({"squares": [2, 16]}),
        "a square too small": bad_grid({"squares": [4, 16]}),
        "a square too large": bad_grid({"squares": [10, 16]}),
        "a large square too small": bad_grid({
            "layer": "dwell", "sums": [2**32 + 1, 4], "squares": [2**32, 16], "squaresHigh": [1, 0],
            "touched": [2, 1]}),
        "a large square too large": bad_grid({
            "layer": "dwell", "sums": [2**31, 4], "squares": [2**62 + 1, 16], "touched": [1, 1]}),
        "more sessions than touches": bad_grid({"sums": [3, 1], "squares": [5, 1], "touched": [2, 2]}),
    },
}

def without(*members):
    return bad_day(lambda line: [line.pop(name) for name in members])


# What is easily refused by mistake.
GOODS = {
    "good": GOOD,
    "no sessions": encode([day_line(sessions=0)]),
    "a panel": encode([*lines(), PANEL]),
    "two panels": encode([*lines(), PANEL, panel_line({}, device="ä")]),
    "a change of screens": encode([
        *lines(), count_line({0: 2}, '["sessions"]', sessions=2), count_line({0: 2}, sessions=2)]),
    "placements of another version": bad_view({"placements": ["x"]}),
    "lines in another order": encode([day_line(), PANEL, view_line() | {"touches": 0}, GHOST]),
    "no time zone": without("timeZone"),
    "null for what may be missing": encode([day_line(sessions=0, timeZone=None, firstBeganAtMs=None,
                                                     lastBeganAtMs=None)]),
    "no totals and hours": without("totals", "hours"),
    "empty names": encode([
        day_line(timeZone="", version=""), GHOST | {"device": ""},
        view_line(screen="", display="") | {"touches": 0}]),
    "long names": encode([
        day_line(timeZone="x" * 1024, version="x" * 1024), GHOST | {"device": "x" * 1024},
        view_line(screen="," * 1024, display="ä" * 512) | {"touches": 0}]),
    "the first and the last time": bad_day({"firstBeganAtMs": -62_167_219_200_000,
                                            "lastBeganAtMs": 253_402_300_799_999}),
    "numbers with a point": encode([
        day_line(sessions=2.0, revision=1.0, format=1.0), view_line(2e0) | {"touches": 0.0},
        grid_line({3: [1]}, layer="trail") | {"blocks": [3.0], "squares": [1e0]}]),
    "a negative zero": raw(1, lambda text: text.replace('"shownMs": 5000', '"shownMs": -0')),
    "space": raw(1, lambda text: "\r\t " + text + " \r"),
    "a negative period": encode([day_line(), GHOST | {"periodMs": -2**63}]),
    "masks off the display": bad_view({"masks": [{"x": -9, "y": 1000, "width": 1e300, "height": 5e-324}]}),
    "513 masks": bad_view({"masks": [{"x": 0, "y": 0, "width": 1, "height": y} for y in range(1, 514)]}),
    "placements as deep as can be": bad_view({"placements": [nested(60)]}),
    "placements with names of lists": bad_view({"placements": [{"sums": ["a"], "blocks": {"b": "c"}}]}),
    "squaresHigh of zeros": bad_grid({"squaresHigh": [0, 0]}),
    "squaresHigh null": bad_grid({"squaresHigh": None}),
    "large squares that are just right": encode([
        day_line(sessions=3), view_line(3) | {"touches": 0},
        grid_line({3: [2**40, 2**40, 2**40], 4: [2**31], 5: [2**63 - 1]}, layer="dwell")]),
    "many touches and ghosts": encode([
        day_line(totals=None, hours=None), *(GHOST | {"x": x, "touches": 2**63 - 1} for x in range(2)),
        *(view_line(screen=screen) | {"touches": 2**63 - 1} for screen in "ab")]),
}


def many_ghosts(more):
    return [day_line(), *(GHOST | {"x": x} for x in range(100_000 + more))]


def many_views(more):
    return [day_line(), *(view_line(screen=str(number)) | {"touches": 0} for number in range(10_000 + more))]


def many_blocks(more):
    """Of 64 grids of 2^20 blocks, and of one that is as small as can be."""
    geometry = {"pixelWidth": 1024, "pixelHeight": 1024, "scale": 1, "rotation": 0, "blockSize": 1}
    views = [dict(screen=str(number), geometry=geometry) for number in range(64)]
    views += [dict(geometry=geometry | {"blockSize": 256, "pixelWidth": 1, "pixelHeight": 1})] * more
    return add_up([day_line(), *(view_line(**view) for view in views), *(
        grid_line({0: [1]}, **view) for view in views)])


def many_subjects(more):
    step = count_line({0: 1}, "")
    return [day_line(), count_line({0: 1}, '["sessions"]'), *(
        step | {"subject": f'["step","HDMI-A-1","menu","{number}"]'} for number in range(199_999 + more))]


def long_line(more):
    line = view_line(placements=({"device": ""},)) | {"touches": 0}
    line["placements"][0]["device"] = "x" * ((4 << 20) + more - len(json.dumps(line)))
    return [day_line(), line]


# Makes an object that is as large as can be, or has one thing more; and the reason why that one is refused.
LIMITS = {
    "ghosts": (many_ghosts, "there are more than 100000 suspected ghosts"),
    "subjects": (many_subjects, "counts of more than 200000 subjects"),
    "views": (many_views, "there are more than 10000 views"),
    "blocks": (many_blocks, "the grids have too many blocks"),
    "bytes of a line": (long_line, "longer than 4 MiB"),
}


BAD_NAMES = {
    "in/lobby-4": "the name is not",
    f"in/lobby-3/{'a' * 16}/{DAY}/r1.ndjson": "the name is not",
    f"in/lobby-3/{'a' * 16}/{DAY}/r01.ndjson.gz": "the name is not",
    f"in/lobby-3/{'a' * 16}/{DAY}/r0.ndjson.gz": "the name is not",
    f"in/lobby-3/{'a' * 16}/{DAY}/r{2**53 + 1}.ndjson.gz": "the revision",
    f"in/lobby-3/{'a' * 16}/{DAY}/more/r1.ndjson.gz": "the name is not",
    f"in/Lobby/{'a' * 16}/{DAY}/r1.ndjson.gz": "the kiosk's identifier",
    f"in/{'x' * 64}/{'a' * 16}/{DAY}/r1.ndjson.gz": "the kiosk's identifier",
    f"in/lobby\n3/{'a' * 16}/{DAY}/r1.ndjson.gz": "the kiosk's identifier",
    f"in/lobby-3/{'a' * 15}/{DAY}/r1.ndjson.gz": "the generation",
    f"in/lobby-3/{'a' * 16}/2026-02-30/r1.ndjson.gz": "the day is not a date",
    f"in/lobby-3/{'a' * 16}/2026-1-01/r1.ndjson.gz": "the day is not a date",
    f"in/lobby-3/{'a' * 16}/9999-12-31/r1.ndjson.gz": "the future",
}


class Reading(unittest.TestCase):
    def test_bad_objects(self):
        for reason, objects in BAD.items():
            for what, data in objects.items():
                with self.subTest(what), self.assertRaisesRegex(Refused, reason):
                    read_object(NAME, data)

    def test_good_objects(self):
        """Good objects, and those at a limit, are read; with one more they are refused."""
        for what, data in GOODS.items():
            with self.subTest(what):
                read_object(NAME, data)
        for what, (make, reason) in LIMITS.items():
            with self.subTest(what):
                read_object(NAME, encode(make(0)))
                with self.assertRaisesRegex(Refused, reason):
                    check(NAME.path, encode(make(1)))

    def test_limits(self):
        most = 2**63 - 1
        numbers = dict.fromkeys(("begun", "counted", "drops"), most)
        found = read_object(NAME, encode([
            day_line(sessions=most, totals=TOTALS | numbers),
            view_line(most) | {"shownMs": most, "touches": most},
            # One session of the largest sum that fits, whose square is 126 bits.
            grid_line({3: [most]})]))
        counts = next(iter(found.views.values())).layers["taps"]
        self.assertEqual(int(counts.low[0]) + (int(counts.high[0]) << 63), most * most)

    def test_largest_grid(self):
        """Every block of the largest grid was touched by one session, for the longest time."""
        size, most = 1 << 20, (1 << 63) - 1
        grid = {"blocks": list(range(size)), "sums": [most] * size, "squares": [1] * size,
                "squaresHigh": [most - 1] * size, "touched": [1] * size}
        view = dict(geometry={"pixelWidth": 1024, "pixelHeight": 1024, "scale": 1, "rotation": 0, "blockSize": 1})
        data = encode([day_line(), view_line(**view) | {"touches": 0}, grid_line({0: [1]}, layer="dwell", **view) | grid])
        counts = next(iter(read_object(NAME, data).views.values())).layers["dwell"]
        self.assertEqual((len(counts.blocks), int(counts.sums.min()), int(counts.high.min())), (size, most, most - 1))

    def test_many_values(self):
        """A member of another format that would take much memory does not."""
        values = (b"[" * 25 + b"]" * 25 + b",") * (2 << 20)
        text = gzip.decompress(GOOD).replace(b'"layer":', b'"colour":[' + values + b'1],"layer":', 1)
        # Processes with 2 GB of memory.
        script = ("import resource, sys\n"
                  "resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000,) * 2)\n"
                  "from touchgrid_fleet.objects import ObjectName, Refused\n"
                  "from touchgrid_fleet.reader import read_object\n"
                  f"name = {NAME!r}\n"
                  "try:\n    read_object(name, sys.stdin.buffer.read())\n"
                  "except Refused as refused:\n    print(refused)\n")
        ran = subprocess.run([sys.executable, "-c", script], input=gzip.compress(text, 1), capture_output=True)
        self.assertIn("'colour' has an invalid value", ran.stdout.decode(), ran.stderr.decode())

    def test_names(self):
        for path, reason in BAD_NAMES.items():
            with self.subTest(path), self.assertRaisesRegex(Refused, reason):
                ObjectName.parse(path, last_day())

    def test_future(self):
        """The last day that is accepted is tomorrow in the earliest time zone."""
        now = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=14)))
        path = f"in/lobby-3/{'a' * 16}/%s/r1.ndjson.gz"
        tomorrow, after = (str((now + datetime.timedelta(days)).date()) for days in (1, 2))
        self.assertEqual(ObjectName.parse(path % tomorrow, last_day()).day, tomorrow)
        with self.assertRaisesRegex(Refused, "future"):
            ObjectName.parse(path % after, last_day())

    def test_shown(self):
        self.assertEqual(shown("größe 😀\x1b\x9b\u202e\n\\"), "größe 😀\\x1b\\x9b\\u202e\\n\\\\")
        self.assertEqual(shown("\udcff"), "\\udcff")
        self.assertEqual(len(shown("x" * 10_000)), 201)


class Refusing(FleetTest):
    def test_others_are_summed(self):
        """Some kiosks have a bad object above a good one; one kiosk has only good ones."""
        self.fleet.put(lines())
        known = {what: data for objects in BAD.values() for what, data in objects.items()}
        bad = [known[what] for what in ("not gzip", "cut off", "hostile kiosk", "lists of unequal length")]
        for number, data in enumerate(bad):
            good = changed(0, {"kiosk": f"k{number}"})
            self.fleet.put(good)
            # The bad object says another revision, too; what counts is that it is refused.
            self.fleet.put_bytes(self.fleet.path(good[0]).replace("r1.", "r2."), data)
        for path in BAD_NAMES:
            self.fleet.put_bytes(path, GOOD)
        # A name that is no text.
        with open(self.fleet.place.full("in").as_posix().encode() + b"/\xff\x1b.gz", "wb"):
            pass
        status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 0, log)
        self.check_day(self.fleet, DAY)
        result = self.fleet.result(DAY)
        self.assertEqual({refused["object"] for refused in result.refused},
                         {f"in/k{number}/{'a' * 16}/{DAY}/r2.ndjson.gz" for number in range(len(bad))})
        for path in (*(refused["object"] for refused in result.refused), *map(shown, BAD_NAMES), r"in/\udcff\x1b.gz"):
            self.assertIn(f"refused: {path}: ", log)
        self.assertNotIn("\x1b", log)
        # Nothing has changed, so nothing is rolled up again.
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.assertEqual(self.fleet.result(DAY), result)
