"""Each kind of bad object is refused with its reason, a lower valid revision counts in its place, and all
others are summed."""

import datetime
import gzip
import json
import subprocess
import sys
import unittest

from support import GEOMETRIES, FleetTest, add_up, count_line, day_line, encode, grid_line, panel_line, view_line
from touchgrid_fleet.objects import ObjectName, Refused, last_day, read_object, shown

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
# For each bad object a part of its reason.
BAD = {
    "empty": (b"", "cut off"),
    "not gzip": (b'{"type":"day"}\n', "not gzip"),
    "gzip of nothing": (gzip.compress(b""), "empty"),
    "cut off": (GOOD[:-20], "cut off"),
    "cut off in the trailer": (GOOD[:-1], "cut off"),
    "damaged": (GOOD[:40] + bytes([GOOD[40] ^ 255]) + GOOD[41:], "damaged|cut off|JSON"),
    "wrong checksum": (GOOD[:-8] + bytes(4) + GOOD[-4:], "damaged"),
    "bytes behind the end": (GOOD + b"\0", "more bytes"),
    "a second gzip member": (GOOD + GOOD, "more bytes"),
    "large compressed": (GOOD + bytes(17 << 20), "16 MiB"),
    "large expanded": (gzip.compress(bytes(257 << 20), 1), "256 MiB"),
    "no JSON": (raw(0, "hello"), "line 1: not valid JSON"),
    "no object": (raw(0, "[]"), "line 1: not a JSON object"),
    "an empty line": (raw(1, ""), "line 2: not valid JSON"),
    "not UTF-8": (gzip.compress(b'{"type":"\xff"}\n'), "not valid JSON"),
    "a lone surrogate": (raw(1, lambda text: text.replace("menu", "\\ud800")), "not valid JSON"),
    "no day line": (encode(lines()[1:]), "line 1: the type is not day"),
    "two day lines": (encode([day_line(), day_line()]), "line 2: the type"),
    "type of another kind": (encode([day_line(), {"type": ["view"]}]), "line 2: the type"),
    "another format": (bad_day({"format": 2}), "format"),
    "a subject twice": (encode([*lines(), PANEL, PANEL]), "a second count"),
    "a kind that is a list": (bad_count({"kind": ["panel"]}), "'kind' is not a text"),
    "a subject that is a list": (bad_count({"subject": ["a"]}), "'subject' is not a text"),
    "counts of too many sessions": (bad_count({"sessions": 3}), "more than the day's"),
    "counts of no session": (bad_count({"sessions": 0}), "'sessions' is not a whole number"),
    "places and counts of unequal length": (bad_count({"places": [1]}), "another length"),
    "unsorted places": (bad_count({"places": [3, 2], "counts": [1, 1]}), "rise strictly"),
    "places far apart": (bad_count({"places": [2**63 - 1, -2**63], "counts": [1, 1]}), "rise strictly"),
    "a place below 0": (bad_count({"places": [-1], "counts": [1]}), "rise strictly"),
    "a count of 0": (bad_count({"places": [1], "counts": [0]}), "'counts' has a 0"),
    "a bool in counts": (bad_count({"places": [1], "counts": [True]}), "'counts' is not a list of whole"),
    "a view after a count": (encode([day_line(), PANEL, *lines()[1:]]), "a view line after a count"),
    "format true": (bad_day({"format": True}), "format"),
    "another kiosk": (bad_day({"kiosk": "lobby-4"}), "'kiosk' is lobby-4, which contradicts"),
    "another revision": (bad_day({"revision": 2}), "'revision' is .* contradicts"),
    "revision true": (bad_day({"revision": True}), "'revision' is not a whole number"),
    "hostile kiosk": (bad_day({"kiosk": "\x1b[2J\n"}), r"'kiosk' is \\x1b\[2J\\n,"),
    "no line feed at the end": (gzip.compress(gzip.decompress(GOOD)[:-1]), "line feed"),
    "a member is missing": (bad_day(lambda line: line.pop("version")), "'version' is missing"),
    "an unknown member": (bad_day({"colour": 1}), "unknown member 'colour'"),
    "a member twice": (raw(
        0, lambda text: text.replace('"sessions": 2', '"sessions": 9, "sessions": 2')), "twice"),
    "a total twice": (raw(0, lambda text: text.replace('"palms": 0', '"palms": 0, "palms": 0')), "twice"),
    "a second type": (raw(2, lambda text: text[:-1] + ', "type": "view"}'), "'sessions' is missing"),
    "blocks twice": (raw(2, lambda text: text[:-1] + ', "blocks": [3, 5]}'), "twice"),
    "a placement's member twice": (raw(
        1, lambda text: text.replace('{"device"', '{"device": "\\"", "device"')), "twice"),
    "sessions negative": (bad_day({"sessions": -1}), "'sessions' is not a whole number"),
    "sessions a fraction": (bad_day({"sessions": 2.5}), "'sessions' is not a whole number"),
    "sessions a float over 2^53": (bad_day({"sessions": 2.0**53}), "'sessions' is not a whole number"),
    "sessions true": (bad_day({"sessions": True}), "'sessions' is not a whole number"),
    "sessions over the limit": (bad_day({"sessions": 2**63}), "'sessions' is not a whole number"),
    "sessions NaN": (raw(0, lambda text: text.replace('"sessions": 2', '"sessions": NaN')), "not valid JSON"),
    "began after the last": (bad_day({"lastBeganAtMs": 1}), "after 'lastBeganAtMs'"),
    "no times": (bad_day(lambda line: line.pop("firstBeganAtMs")), "'firstBeganAtMs' or"),
    "before the year 0": (bad_day({"firstBeganAtMs": -62_167_219_200_001}), "'firstBeganAtMs' is not"),
    "after the year 9999": (bad_day({"lastBeganAtMs": 253_402_300_800_000}), "'lastBeganAtMs' is not"),
    "times without sessions": (encode([day_line(sessions=0, firstBeganAtMs=1,
                                                lastBeganAtMs=2)]), "though there are no sessions"),
    "unknown totals without sessions": (encode([day_line(sessions=0, totals=None, hours=None)]), "zeros"),
    "totals without sessions": (encode([day_line(sessions=0,
                                                 totals=TOTALS | {"begun": 1, "counted": 1})]), "zeros"),
    "hours without sessions": (encode([day_line(sessions=0, hours=[1] + [0] * 23)]), "'hours'"),
    "totals null alone": (bad_day({"totals": None}), "only one of"),
    "totals that do not add up": (bad_day({"totals": TOTALS | {"begun": 1}}), "begun is not"),
    "touches of views that do not add up": (bad_view({"touches": 8}), "add up to 'counted'"),
    "more taps than touches": (encode([
        day_line(totals=None, hours=None), view_line(), grid_line({3: [1, 2], 5: [4]})]), "exceed its"),
    "more taps than 64 bits": (encode([
        day_line(totals=None, hours=None), view_line(), grid_line({3: [2**63 - 1], 5: [2**63 - 1], 7: [9]})
    ]), "exceed its touches"),
    "hours that do not add up": (bad_day({"hours": [0] * 24}), "'hours' is not"),
    "too many touches": (encode([
        day_line(totals=None, hours=None),
        *(view_line(screen=screen) | {"touches": 2**63 - 1} for screen in "abc")]), "too many"),
    "too many suspected ghosts": (encode([
        day_line(), *(GHOST | {"x": x, "touches": 2**63 - 1} for x in range(3))]), "too many"),
    "a total over the limit": (bad_day({"totals": TOTALS | {"drops": 2**63}}), "'drops' is not"),
    "23 hours": (bad_day({"hours": [0] * 23}), "'hours'"),
    "an hour a bool": (bad_day({"hours": [False] * 24}), "'hours'"),
    "a long time zone": (bad_day({"timeZone": "x" * 1025}), "'timeZone'"),
    "a ghost after a view": (encode([*lines()[:2], {"type": "ghost"}]), "a ghost line after a view line"),
    "a view after a grid": (encode([*lines(), view_line(screen="pay")]), "a view line after a grid line"),
    "a ghost twice": (encode([day_line(), GHOST, GHOST]), "a second ghost"),
    "a ghost far away": (encode([day_line(), GHOST | {"x": 2**31}]), "'x' is not a whole number"),
    "a view twice": (encode([day_line(), view_line(), view_line()]), "a second view"),
    "a view of too many sessions": (bad_view({"sessions": 3}), "more than the day's"),
    "a view of no session": (bad_view({"sessions": 0}), "'sessions' is not a whole number"),
    "a zero byte": (bad_view({"screen": "a\0"}), "'screen' is not a text of at most 1024 bytes"),
    "a long name": (bad_view({"screen": "ä" * 513}), "'screen' is not a text of at most 1024 bytes"),
    "a name of another kind": (bad_view({"display": 7}), "'display' is not a text"),
    "no geometry": (bad_view({"geometry": None}), "'geometry' is not an object"),
    "an infinite scale": (bad_view({"geometry": GEOMETRIES[0] | {"scale": 10**400}}), "JSON|'scale'"),
    "a tiny scale": (bad_view({"geometry": GEOMETRIES[0] | {"scale": 0.1}}), "'scale'"),
    "scale true": (bad_view({"geometry": GEOMETRIES[0] | {"scale": True}}), "'scale'"),
    "a slant": (bad_view({"geometry": GEOMETRIES[0] | {"rotation": 45}}), "'rotation'"),
    "a block of 3": (bad_view({"geometry": GEOMETRIES[0] | {"blockSize": 3}}), "power of two"),
    "a huge display": (bad_view({"geometry": GEOMETRIES[0] | {"pixelWidth": 16385}}), "'pixelWidth'"),
    "too many blocks": (bad_view({
        "geometry": GEOMETRIES[0] | {"pixelWidth": 16384, "pixelHeight": 16384, "blockSize": 8}
    }), r"2\^20 blocks"),
    "a mask too far away": (bad_view({"masks": [{"x": 1e308, "y": 0, "width": 1e308, "height": 1}]}), "far"),
    "an empty mask": (bad_view({"masks": [{"x": 0, "y": 0, "width": 0, "height": 1}]}), "mask"),
    "a mask of text": (bad_view({"masks": [{"x": "0", "y": 0, "width": 1, "height": 1}]}), "mask"),
    "placements of text": (bad_view({"placements": ["x"]}), "'placements'"),
    "deep placements": (bad_view({"placements": [nested(61)]}), "nested more"),
    "placements deeper than the parser": (raw(1, '{"a":' * 5000 + "1" + "}" * 5000), "not valid JSON"),
    "placements at the parser's depth": (raw(
        1, lambda text: text.replace('{"device": "usb-1"}', '{"a":' * 1000 + "1" + "}" * 1000)),
                                         "nested more"),
    "a grid without a view": (encode([day_line(), *lines()[2:]]), "no view line"),
    "a grid twice": (encode([*lines(), lines()[2]]), "a second grid"),
    "another layer": (bad_grid({"layer": "swipes"}), "'layer'"),
    "no blocks": (bad_grid(dict.fromkeys(("blocks", "sums", "squares", "touched"), [])), "empty or differ"),
    "lists of unequal length": (bad_grid({"sums": [3, 4, 5]}), "empty or differ"),
    "a block twice": (bad_grid({"blocks": [3, 3]}), "rise strictly"),
    "a block below 0": (bad_grid({"blocks": [-1, 3]}), "rise strictly"),
    "a block off the display": (bad_grid({"blocks": [3, 12]}), "rise strictly"),
    "a float in a list": (bad_grid({"sums": [3, 4.5]}), "'sums' has a value that is not"),
    "a bool in a list": (bad_grid({"touched": [2, True]}), "'touched' is not a list of whole"),
    "null in a list": (bad_grid({"sums": [3, None]}), "'sums' has a value that is not"),
    "a list in a list": (bad_grid({"sums": [3, [4]]}), "'sums' has a value that is not"),
    "no list": (bad_grid({"sums": 3}), "'sums' is not a list"),
    "a sum of 0": (bad_grid({"sums": [3, 0]}), "'sums' has a number below 1"),
    "a sum over 64 bits": (bad_grid({"sums": [3, 2**63]}), "'sums' has a value that is not"),
    "a negative square": (bad_grid({"squares": [5, -16]}), "'squares' has a negative number"),
    "squaresHigh negative": (bad_grid({"squaresHigh": [1, -1]}), "'squaresHigh' has a negative"),
    "touched by nobody": (bad_grid({"touched": [2, 0]}), "'touched' has a number"),
    "touched by too many": (bad_grid({"touched": [3, 1]}), "'touched' has a number"),
    "a square below the sum": (bad_grid({"squares": [2, 16]}), "contradict"),
    "a square too small": (bad_grid({"squares": [4, 16]}), "contradict"),
    "a square too large": (bad_grid({"squares": [10, 16]}), "contradict"),
    "a large square too small": (bad_grid({
        "layer": "dwell", "sums": [2**32 + 1, 4], "squares": [2**32, 16], "squaresHigh": [1, 0],
        "touched": [2, 1]
    }), "contradict"),
    "a large square too large": (bad_grid({
        "layer": "dwell", "sums": [2**31, 4], "squares": [2**62 + 1, 16], "touched": [1, 1]}), "contradict"),
    "more sessions than touches": (bad_grid({"sums": [3, 1], "squares": [5, 1],
                                             "touched": [2, 2]}), "less than the sessions"),
}

def without(*members):
    return bad_day(lambda line: [line.pop(name) for name in members])


# What is easily refused by mistake.
GOODS = {
    "good": GOOD,
    "no sessions": encode([day_line(sessions=0)]),
    "a panel": encode([*lines(), PANEL]),
    "two panels": encode([*lines(), PANEL, panel_line({}, device="ä")]),
    "a change of screens": encode([*lines(), count_line({0: 2}, '["sessions"]', sessions=2), count_line({0: 2}, sessions=2)]),
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
        for what, (data, reason) in BAD.items():
            with self.subTest(what), self.assertRaisesRegex(Refused, reason):
                read_object(NAME, data)

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

    def test_every_cut(self):
        """An object that ends early, at any byte, is refused."""
        for end in range(len(GOOD)):
            with self.assertRaises(Refused):
                read_object(NAME, GOOD[:end])

    def test_many_values(self):
        """A line with more numbers than any grid is refused before it is parsed."""
        text = b'{"type":"day","x":[' + b"1," * (200 << 20 >> 1) + b"1]}\n"
        data = gzip.compress(text, 1)
        del text
        with self.assertRaisesRegex(Refused, "too many values"):
            read_object(NAME, data)

    def test_many_lines(self):
        """Many short lines are refused before they become as many Python objects."""
        data = gzip.compress(b"ab\n" * (60 << 20), 1)
        self.check_memory(data, "too many lines")

    def test_many_lists(self):
        """So are many nested lists with few commas."""
        lists = (b"[" * 25 + b"]" * 25 + b",") * (4 << 20)
        data = gzip.compress(b'{"type":"grid","x":[' + lists + b"1]}\n", 1)
        self.check_memory(data, "too many values")

    def check_memory(self, data, reason):
        """Checks that an object is refused by a process with 2 GB of memory."""
        script = ("import resource, sys\n"
                  "resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000,) * 2)\n"
                  "from touchgrid_fleet.objects import ObjectName, Refused, read_object\n"
                  f"name = {NAME!r}\n"
                  "try:\n    read_object(name, sys.stdin.buffer.read())\n"
                  "except Refused as refused:\n    print(refused)\n")
        ran = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True)
        self.assertIn(reason, ran.stdout.decode(), ran.stderr.decode())

    def test_nested_deeply(self):
        """A member that is nested as deeply as the parser allows is no error of another kind."""
        for member in ("kiosk", "generation", "revision", "timeZone", "totals", "hours", "sessions"):
            text = gzip.decompress(bad_day({member: "HERE"})).replace(b'"HERE"', b"[" * 1022 + b"]" * 1022)
            with self.subTest(member), self.assertRaises(Refused):
                read_object(NAME, gzip.compress(text))

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
        bad = [BAD[what][0] for what in ("not gzip", "cut off", "hostile kiosk", "lists of unequal length")]
        for number, data in enumerate(bad):
            good = changed(0, {"kiosk": f"k{number}"})
            self.fleet.put(good)
            # The bad object says another revision, too; what counts is that it is refused.
            self.fleet.put_bytes(self.fleet.path(good[0]).replace("r1.", "r2."), data)
        for path in BAD_NAMES:
            self.fleet.put_bytes(path, GOOD)
        status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 0, log)
        self.check_day(self.fleet, DAY)
        result = self.fleet.result(DAY)
        self.assertEqual({refused["object"] for refused in result.refused},
                         {f"in/k{number}/{'a' * 16}/{DAY}/r2.ndjson.gz" for number in range(len(bad))})
        for path in (*(refused["object"] for refused in result.refused), *map(shown, BAD_NAMES)):
            self.assertIn(f"refused: {path}: ", log)
        self.assertNotIn("\x1b", log)
        # Nothing has changed, so nothing is rolled up again.
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.assertEqual(self.fleet.result(DAY), result)

    def test_undecodable_file_name(self):
        self.fleet.put(lines())
        folder = self.fleet.place.full("in").as_posix().encode()
        with open(folder + b"/\xff\x1b.gz", "wb"):
            pass
        status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 0)
        self.assertIn(r"refused: in/\udcff\x1b.gz", log)
        self.check_day(self.fleet, DAY)
