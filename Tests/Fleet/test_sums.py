"""`sum` writes the sum of any kiosks as days in the format that kiosks upload."""

import random
import shutil
import signal

from support import FleetTest, Fleet, day_line, grid_line, key, random_fleet, read_day, view_line
from touchgrid_fleet.objects import ObjectName
from touchgrid_fleet.reader import read_object

DAYS = ("2026-11-21", "2026-11-22")
FLEET_FILE = """
[[kiosk]]
name = "k0"
group = "north"
tags = ["airport", "portrait"]
[[kiosk]]
name = "k1"
group = "north"
[[kiosk]]
name = "k2"
group = "south"
tags = ["airport"]
"""


class Sums(FleetTest):
    def setUp(self):
        super().setUp()
        for lines in random_fleet(random.Random(11), kiosks=5, days=DAYS):
            self.fleet.put(lines)
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.fleet.put_bytes("fleet.toml", FLEET_FILE.encode())

    def check(self, objects, kiosks=None, days=DAYS):
        names = [ObjectName.parse(path, "9999-01-01") for path in sorted(objects)]
        self.assertEqual([name.day for name in names], list(days))
        self.assertEqual(len({name.generation for name in names}), 1)
        for name in names:
            # The roll-up's own reader takes it, so it is a valid object.
            read_object(name, objects[name.path])
            lines = self.check_object(objects[name.path], self.fleet.expected(name.day, kiosks))
            kinds = [line["type"] for line in lines]
            self.assertEqual(kinds, sorted(kinds, key=["day", "ghost", "view", "grid", "count"].index))
        return names[0].generation

    def test_choices(self):
        """Each choice gives its own sum and its own generation."""
        choices = (((), None), (("--kiosk", "k3"), {"k3"}), (("--kiosk", "k3", "--kiosk", "k4"), {"k3",
                                                                                                  "k4"}),
                   (("--group", "north"), {"k0", "k1"}), (("--group", "north", "--kiosk", "k3"), {
                       "k0", "k1", "k3"
                   }), (("--tag", "airport"), {"k0", "k2"}), (("--tag", "airport", "--tag", "portrait"), {
                       "k0"
                   }), (("--group", "south", "--tag", "airport"), {"k2"}))
        generations = {self.check(self.sum(f"sum{number}", *words), kiosks)
                       for number, (words, kiosks) in enumerate(choices)}
        self.assertEqual(len(generations), len(choices))
        named = self.sum("named", "--name", "north-pole")
        self.check(named)
        self.assertEqual({path.split("/")[1] for path in named}, {"north-pole"})

    def test_span(self):
        self.check(self.sum("sum", "--since", DAYS[1]), days=DAYS[1:])
        # A later span adds its days.
        self.check(self.sum("sum", "--until", DAYS[0]))

    def test_same_bytes(self):
        first, second = self.sum("first", "--processes", 3), self.sum("second")
        self.assertEqual(first, second)
        other = Fleet(self.folder / "other")
        for revisions in reversed(self.fleet.objects.values()):
            for lines in revisions.values():
                other.put(lines)
        other.roll_up("--processes", 2)
        other.run("sum", "-o", self.folder / "third")
        self.assertEqual(first, self.summed("third"))

    def test_killed(self):
        """A sum that is killed after any step leaves whole objects, and the next one completes it."""
        words, left = ("sum", "-o", self.folder / "killed"), []
        status, steps = self.fleet.run_killed(0, *words)
        self.assertEqual(status, 0)
        whole = self.summed("killed")
        for kill in range(1, 10):
            shutil.rmtree(self.folder / "killed", ignore_errors=True)
            self.assertEqual(self.fleet.run_killed(steps * kill // 10, *words)[0], -signal.SIGKILL)
            found = self.summed("killed")
            self.assertEqual(found, {path: whole[path] for path in found})
            left.append(len(found))
        self.assertLessEqual({0, 1}, set(left))
        self.assertEqual(self.sum("killed"), whole)

    def test_changed_day(self):
        """A day that changed replaces its object; the revision rises."""
        before = self.sum("sum")
        self.fleet.put([day_line(kiosk="k0", day=DAYS[0], revision=2**53, generation="a" * 16, sessions=0)])
        self.fleet.roll_up()
        after = self.sum("sum")
        self.check(after)
        self.assertEqual(len(after), 2)
        self.assertEqual(len(set(before) & set(after)), 1)

    def test_removed_day(self):
        self.sum("sum")
        for kiosk, generation, day in list(self.fleet.objects):
            if day == DAYS[0]:
                for revision in self.fleet.objects.pop((kiosk, generation, day)):
                    self.fleet.place.delete(f"in/{kiosk}/{generation}/{day}/r{revision}.ndjson.gz")
        self.fleet.roll_up()
        self.check(self.sum("sum"), days=DAYS[1:])

    def test_errors(self):
        self.sum("sum")
        for words, reason in ((("--kiosk", "k1"), "has the sum of other kiosks"),
                              (("--kiosk", "\x1b"), r"'\x1b' is not a kiosk's identifier"),
                              (("--kiosk", "nobody", "--name", "n"), "no chosen kiosk has an object"),
                              (("--group", "west"), "no kiosk in group 'west'"), (("--tag", "x"),
                                                                                  "no kiosk with these tags"),
                              (("--since", "2027-01-01"),
                               "no day that was rolled up from 2027-01-01 to the last"),
                              (("--name", "A"),
                               "cannot be a kiosk's name"), (("--group", "north", "--fleet-file",
                                                              "/nowhere.toml"),
                                                             "/nowhere.toml does not exist")):
            with self.subTest(words):
                status, _, log = self.fleet.run("sum", "-o", self.folder / "sum", *words)
                self.assertEqual(status, 1)
                self.assertIn(reason, log)
                self.assertEqual(log.count("\n"), 1)

    def test_into_the_fleet_itself(self):
        """The next roll-up would add the sum to its own kiosks."""
        link = self.folder / "link"
        link.symlink_to(self.fleet.root)
        before = {file.path for file in self.fleet.place.list("in")}
        for output in (self.fleet.root, self.fleet.root + "/", link):
            status, _, log = self.fleet.run("sum", "-o", output)
            self.assertEqual(status, 1)
            self.assertIn("is the fleet itself", log)
        self.assertEqual({file.path for file in self.fleet.place.list("in")}, before)

    def test_damaged_files(self):
        """Every verb that reads a damaged data file says so, without a traceback."""
        verbs = {"sums": [("sum", "-o", self.folder / "s"), ("compare", "--json")],
                 "kiosks": [("sum", "-o", self.folder / "s"), ("kiosks", "--until", DAYS[1]),
                            ("compare", "--json")],
                 "views": [("sum", "-o", self.folder / "s"), ("compare", "--json")],
                 "grids": [("compare", "--json")]}
        for kind, commands in verbs.items():
            for words in commands:
                for damaged in (b"PAR1 is not enough", None):
                    for path in self.fleet.result(DAYS[1]).paths(kind):
                        path = self.fleet.place.full(path)
                        good = path.read_bytes()
                        path.unlink()
                        if damaged:
                            path.write_bytes(damaged)
                        with self.subTest(kind=kind, verb=words[0], damaged=damaged):
                            status, _, log = self.fleet.run(*words)
                            self.assertEqual((status, log.count("\n")), (1, 1), log)
                        path.write_bytes(good)

    def test_fleet_file(self):
        for text, reason in (("[[kiosk]]\n", "'name' is not"), ("[[kiosk", "is not TOML"), ("kiosk = 1",
                                                                                            "not a table"),
                             ('[[kiosk]]\nname = "a"\ntags = "x"',
                              "'tags' is not"), ('[[kiosk]]\nname = "a"\ngrup = "x"', "unknown key 'grup'"),
                             ('[[kiosk]]\nname = "a"\n[[kiosk]]\nname = "a"', "'a' occurs twice")):
            with self.subTest(text):
                self.fleet.put_bytes("fleet.toml", text.encode())
                status, _, log = self.fleet.run("sum", "-o", self.folder / "sum", "--group", "north")
                self.assertEqual(status, 1)
                self.assertIn(reason, log)


class Limits(FleetTest):
    def sum(self, *warnings):
        self.assertEqual(self.fleet.roll_up()[0], 0)
        status, _, log = self.fleet.run("sum", "-o", self.folder / "sum")
        self.assertEqual(log.count("warning"), len(warnings), log)
        for warning in warnings:
            self.assertRegex(log, warning)
        return log if status else read_day(next((self.folder / "sum").rglob("*.gz")).read_bytes())

    def test_many_masks(self):
        """More than 512 rectangles of a screen become one as large as the display."""
        for kiosk in range(2):
            masks = [{"x": 0.125 * (number % 16), "y": number // 16 + 20 * kiosk, "width": 1, "height": 0.5}
                     for number in range(257)]
            self.fleet.put([
                day_line(kiosk=f"k{kiosk}"),
                view_line(masks=masks),
                view_line(screen="pay", masks=masks[1:])
            ])
        masks = {line["screen"]: line["masks"] for line in self.sum()[1:]}
        self.assertEqual(masks["menu"], [{"x": 0, "y": 0, "width": 64, "height": 48}])
        self.assertEqual(len(masks["pay"]), 512)

    def test_unknown_totals(self):
        self.fleet.put([day_line(kiosk="a")])
        self.fleet.put([day_line(kiosk="b", totals=None, hours=None)])
        first = self.sum()[0]
        self.assertEqual((first["sessions"], first["totals"], first["hours"]), (4, None, None))

    def test_forgotten_everywhere(self):
        self.fleet.put([day_line(kiosk="a", sessions=0, timeZone=None)])
        self.fleet.put([day_line(kiosk="b", sessions=0, timeZone=None), {
            "type": "ghost", "device": "usb", "x": 1, "y": 2, "periodMs": 3, "touches": 4}])
        lines = self.sum()
        self.assertEqual([line["type"] for line in lines], ["day", "ghost"])
        self.assertEqual({"firstBeganAtMs", "timeZone"} & set(lines[0]), set())

    def test_overflow(self):
        """The kiosk with the largest number is left out, and named."""
        most, ghost = 2**63 - 1, {"type": "ghost", "device": "usb", "x": 1, "y": 2, "periodMs": 3}
        self.fleet.put([day_line(kiosk="a"), ghost | {"touches": 4}, view_line()])
        self.fleet.put([day_line(kiosk="b", sessions=most), view_line(most)])
        self.fleet.put([day_line(kiosk="c"), view_line() | {"shownMs": most}])
        self.fleet.put([day_line(kiosk="d"), ghost | {"touches": most}, view_line()])
        lines = self.sum("kiosk b has .* left out: the sessions", "kiosk c has .*: the view's shown_ms",
                         "kiosk d has .*: the ghosts")
        self.assertEqual([line.get("sessions", line.get("touches")) for line in lines], [2, 4, 2])

    def test_too_many_ghosts(self):
        """A sum that `touchgrid import` would refuse is not written."""
        ghosts = [{"type": "ghost", "device": "usb", "x": x, "y": 2, "periodMs": 3, "touches": 4}
                  for x in range(100_001)]
        self.fleet.put([day_line(kiosk="a"), *ghosts[:50_000]])
        self.fleet.put([day_line(kiosk="b"), *ghosts[50_000:]])
        lines = self.sum("kiosk b has .*line 100002: there are more than 100000 suspected ghosts")
        self.assertEqual(len(lines), 50_001)

    def test_invented_screens(self):
        """A kiosk with as many screens as an object may have takes nothing from the others."""
        self.fleet.put([day_line(kiosk="a"), view_line()])
        self.fleet.put([day_line(kiosk="b"), *(view_line(screen=str(number)) for number in range(10_000))])
        lines = self.sum("kiosk b has .*there are more than 10000 views")
        self.assertEqual([line.get("screen") for line in lines], [None, "menu"])

    def test_missing_days(self):
        """A day that is missing or not whole is named."""
        self.fleet.put([day_line(), view_line()])
        for day, kiosk in (("2026-11-20", "z"), ("2026-11-21", "y")):
            path = self.fleet.place.full(f"in/{kiosk}/{'a' * 16}/{day}/r1.ndjson.gz")
            path.parent.mkdir(parents=True)
            path.write_bytes(b"no gzip")
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.fleet.place.write("out/failed.json", b'{"2026-11-19": "it fell"}')
        for words in (("sum",), ("sum", "--since", "2026-11-20"), ("release", "--week", "2026-W47")):
            log = self.fleet.run(*words, "-o", self.folder / "-".join(words))[2]
            self.assertRegex(log, "2026-11-20 is missing: .* of z;")
            self.assertRegex(log, "2026-11-21 lacks objects .* of y;")
            self.assertEqual("2026-11-19 is missing: it fell" in log, "--since" not in words)

    def test_unknown_time_zones(self):
        """The time zone of a sum is the one that most kiosks have, of those whose zone is known."""
        for kiosk, zone in (("a", None), ("b", None), ("c", "Asia/Tokyo")):
            self.fleet.put([day_line(kiosk=kiosk, timeZone=zone)])
        self.assertEqual(self.sum()[0]["timeZone"], "Asia/Tokyo")
        self.assertEqual({row["time_zone"] for row in self.fleet.rows("2026-11-21", "kiosks")},
                         {None, "Asia/Tokyo"})

    def test_distinct_keys(self):
        """Screens, displays and geometries that look alike stay apart."""
        names = [
            key(screen=screen, display=display)
            for screen, display in (("a", "b"), ("", "b"), ("b", "a"), ("A", "b"), ("é", "b"), ("e\u0301",
                                                                                                   "b"))
        ]
        self.fleet.put([day_line(), *({"type": "view", **view_line(), **name} for name in names),
                        *({**grid_line({number: [2]}), **name} for number, name in enumerate(names))])
        grids = [line for line in self.sum() if line["type"] == "grid"]
        self.assertEqual({(line["screen"], line["display"]): line["blocks"] for line in grids},
                         {(name["screen"], name["display"]): [number] for number, name in enumerate(names)})
