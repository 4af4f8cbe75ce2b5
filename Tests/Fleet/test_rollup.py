"""The roll-up is exact, incremental, and never wraps; a kill at any moment leaves the old day or the new."""

import contextlib
import os
import pathlib
import random
import signal

from support import FleetTest, day_line, grid_line, random_fleet, view_line
from touchgrid_fleet import days, parts, rollup

DAY = "2026-11-21"
NOBODY = 65534
KILLS = 30


def lines(counts, sessions=9, layer="taps", **names):
    return [day_line(sessions=sessions, **names), view_line(sessions), grid_line(counts, layer)]


class Exactness(FleetTest):
    def test_random_fleet(self):
        """Random objects arrive in random order, and are rolled up after every few."""
        chance = random.Random(1)
        writes = random_fleet(chance)
        for at in range(0, len(writes), 20):
            for lines in writes[at:at + 20]:
                self.fleet.put(lines)
            self.assertEqual(self.fleet.roll_up()[0], 0)
        for day in ("2026-11-21", "2026-11-22"):
            self.check_day(self.fleet, day)
            grids = self.fleet.rows(day, "grids")
            rows = [(row["grid"], row["kiosk"], row["block"]) for row in grids]
            self.assertEqual(rows, sorted(rows))
            self.assertEqual(len(rows), len(set(rows)))
            self.assertEqual({row["grid"] for row in grids},
                             {row["grid"] for row in self.fleet.rows(day, "keys")})
            order = ("screen", "display", "layer", "pixel_width", "pixel_height", "scale", "rotation",
                     "block_size", "block")
            sums = [tuple(row[name].encode() if isinstance(row[name], str) else row[name] for name in order)
                    for row in self.fleet.rows(day, "sums")]
            self.assertEqual(sums, sorted(sums))
        self.assertEqual(self.fleet.data_files(), self.fleet.named_files())

    def test_small_parts(self):
        """Parts of two kiosks, and files of few rows, give the same sums."""
        for lines in random_fleet(random.Random(4), kiosks=7, days=(DAY,)):
            self.fleet.put(lines)
        self.addCleanup(setattr, rollup, "PART_KIOSKS", rollup.PART_KIOSKS)
        rollup.PART_KIOSKS = 2
        self.fleet.roll_up()
        self.assertGreater(len(self.fleet.result(DAY).paths("grids")), 2)
        self.check_day(self.fleet, DAY)


class Increments(FleetTest):
    @contextlib.contextmanager
    def unprivileged(self):
        """Gives the test's folder to a user who is not root, and becomes that user. Another user stays."""
        if os.geteuid():
            yield
            return
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, NOBODY, -1)
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    def test_only_changed_days(self):
        for day in ("2026-11-20", DAY):
            for kiosk in ("a", "b"):
                self.fleet.put(lines({1: [2]}, kiosk=kiosk, day=day, revision=5))
        self.fleet.roll_up()
        before = self.fleet.result("2026-11-20"), self.fleet.result(DAY)
        self.fleet.put(lines({1: [7]}, kiosk="a", day=DAY, revision=6))
        # A late object of a lower revision changes nothing.
        self.fleet.put(lines({1: [8]}, kiosk="b", day="2026-11-20", revision=4))
        self.fleet.roll_up()
        self.assertEqual(self.fleet.result("2026-11-20"), before[0])
        self.assertGreater(self.fleet.result(DAY).revision, before[1].revision)
        self.check_day(self.fleet, DAY)
        # The uploader deletes what was replaced; that changes nothing either.
        after = self.fleet.result(DAY)
        self.fleet.place.delete(f"in/a/{'a' * 16}/{DAY}/r5.ndjson.gz")
        self.fleet.roll_up()
        self.assertEqual(self.fleet.result(DAY), after)

    def test_span(self):
        for day in ("2026-11-19", "2026-11-20", DAY):
            self.fleet.put(lines({1: [2]}, day=day))
        self.fleet.roll_up("--since", "2026-11-20", "--until", "2026-11-20")
        self.assertEqual([self.fleet.result(day) is None for day in ("2026-11-19", "2026-11-20", DAY)],
                         [True, False, True])

    def test_same_name_with_another_size(self):
        path = self.fleet.put(lines({1: [2]}))
        self.fleet.roll_up()
        self.fleet.put(lines({1: [2], 5: [3]}))
        self.fleet.roll_up()
        self.check_day(self.fleet, DAY)
        # It is replaced by something bad: then the kiosk has no day.
        self.fleet.put_bytes(path, b"x")
        self.fleet.roll_up()
        self.assertEqual((self.fleet.sums(DAY), self.fleet.result(DAY).inputs), ({}, {}))

    def test_larger_than_memory(self):
        """A kiosk's object of any size is refused unread, and the others are summed."""
        self.fleet.put(lines({3: [2]}, kiosk="k0"))
        name = self.fleet.put_bytes(f"in/k1/{'a' * 16}/{DAY}/r1.ndjson.gz", b"")
        os.truncate(pathlib.Path(self.fleet.root, name), 1 << 40)
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.check_day(self.fleet, DAY)
        result = self.fleet.result(DAY)
        self.assertEqual(result.refused, [
            {"object": name, "size": 1 << 40, "reason": "it is larger than 16 MiB"}])
        self.fleet.roll_up()
        self.assertEqual(self.fleet.result(DAY).id, result.id)
        # What another version refused is looked at again, as this one may accept it.
        result.version = "0.0.1"
        result.write(self.fleet.place)
        self.fleet.roll_up()
        self.assertNotEqual(self.fleet.result(DAY).id, result.id)

    def test_swapped_objects(self):
        """What a kiosk puts in the place of an object after it was listed is neither followed nor waited for,
        and is read up to a limit."""
        name = self.fleet.put(lines({3: [2]}))
        path = pathlib.Path(self.fleet.root, name)
        secret = self.folder / "secret"
        secret.write_bytes(b"secret")
        for make in (lambda: path.symlink_to(secret), lambda: os.mkfifo(path), path.mkdir):
            path.unlink()
            make()
            with self.assertRaises(FileNotFoundError):
                self.fleet.place.read_untrusted(name, 10)
            if path.is_dir():
                path.rmdir()
                path.write_bytes(bytes(20))
        self.assertEqual(self.fleet.place.read_untrusted(name, 10), bytes(10))

    def test_highest_revision(self):
        """A kiosk may use the highest revision that there is; the sums of its day still rise."""
        self.fleet.put(lines({3: [2]}, kiosk="k0", revision=2**53))
        for kiosk in ("k1", "k2"):
            self.fleet.roll_up()
            revision = self.fleet.result(DAY).revision
            self.fleet.put(lines({3: [2]}, kiosk=kiosk))
        self.fleet.roll_up()
        self.check_day(self.fleet, DAY)
        self.assertEqual(self.fleet.result(DAY).revision, revision + 1)
        self.assertLess(revision, 2**53 - 2**50)

    def test_nothing_readable(self):
        """If this user may read none of a day's objects, its old result stays."""
        self.fleet.put(lines({3: [2]}, kiosk="k0"))
        self.fleet.roll_up()
        before = self.fleet.result(DAY)
        name = self.fleet.put_bytes(f"in/k0/{'a' * 16}/{DAY}/r2.ndjson.gz", b"x")
        pathlib.Path(self.fleet.root, name).chmod(0)
        with self.unprivileged():
            status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 1)
        self.assertIn("its old result stays: this user may read none of its objects", log)
        self.assertEqual(self.fleet.result(DAY), before)
        # `sum` and `release` say so until the day is rolled up.
        self.fleet.roll_up("--until", "2026-11-20")
        self.assertEqual(list(days.read_failed(self.fleet.place)), [DAY])
        pathlib.Path(self.fleet.root, name).unlink()
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.assertEqual(days.read_failed(self.fleet.place), {})

    def test_readable_again(self):
        """What could not be read is read as soon as it can be."""
        self.fleet.put(lines({3: [2]}, kiosk="k0"))
        self.fleet.put(lines({3: [2]}, kiosk="k1"))
        self.fleet.roll_up()
        result = self.fleet.result(DAY)
        revision, size = result.inputs.pop("k1")["a" * 16]
        result.refused.append({"object": f"in/k1/{'a' * 16}/{DAY}/r{revision}.ndjson.gz", "size": size,
                               "reason": parts.UNREADABLE})
        result.write(self.fleet.place)
        self.fleet.roll_up()
        self.check_day(self.fleet, DAY)
        self.assertEqual(sorted(self.fleet.result(DAY).inputs), ["k0", "k1"])

    def test_deep_folders(self):
        """Folders that lie too deep for a path are refused, and the others are summed."""
        self.fleet.put(lines({3: [2]}, kiosk="k0"))
        here = os.getcwd()
        os.chdir(pathlib.Path(self.fleet.root, "in"))
        for _ in range(25):
            os.mkdir("x" * 200)
            os.chdir("x" * 200)
        os.chdir(here)
        status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 0, log)
        self.assertIn("refused: in/xxx", log)
        self.check_day(self.fleet, DAY)

    def test_unreadable(self):
        """An object or a folder that this user may not read is refused, and the others are summed. No lower
        revision takes the place of one that cannot be read."""
        for kiosk in ("k0", "k1", "k2"):
            self.fleet.put(lines({3: [2]}, kiosk=kiosk))
        lower = self.fleet.put(lines({3: [2]}, kiosk="k3"))
        self.fleet.put(lines({3: [2]}, kiosk="k3", revision=7))
        folder = pathlib.Path(self.fleet.root)
        closed = next(folder.glob("in/k1/*/*/*")), folder / "in/k2", folder / lower.replace("/r1.", "/r7.")
        for path in closed:
            path.chmod(0)
        with self.unprivileged():
            with self.assertRaises(PermissionError):
                list(self.fleet.place.list("in"))
            days, refused = rollup.list_objects(self.fleet.place)
            read = [parts.read_highest(self.fleet.place, DAY, kiosk.name, "a" * 16,
                                       kiosk.generations["a" * 16], refused)
                    for kiosk in rollup.group(days[DAY])]
        self.assertEqual([found and found[1].name.kiosk for found in read], ["k0", None, None])
        self.assertEqual([(entry["object"], entry["reason"]) for entry in refused], [
            ("in/k2", "this user may not read it"),
            (str(closed[0].relative_to(folder)), "this user may not read it"),
            (str(closed[2].relative_to(folder)), "this user may not read it")])

    def test_removed_objects(self):
        for kiosk in ("a", "b"):
            self.fleet.put(lines({1: [2]}, kiosk=kiosk))
            self.fleet.put(lines({1: [2]}, kiosk=kiosk, day="2026-11-20"))
        self.fleet.roll_up()
        self.fleet.place.delete(f"in/a/{'a' * 16}/{DAY}/r1.ndjson.gz")
        self.fleet.roll_up()
        self.assertEqual(set(self.fleet.result(DAY).inputs), {"b"})
        self.fleet.place.delete(f"in/b/{'a' * 16}/{DAY}/r1.ndjson.gz")
        self.fleet.roll_up()
        self.assertIsNone(self.fleet.result(DAY))
        # If everything is gone, a disk is more probably missing than the fleet.
        for kiosk in ("a", "b"):
            self.fleet.place.delete(f"in/{kiosk}/{'a' * 16}/2026-11-20/r1.ndjson.gz")
        status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 1)
        self.assertIn("has no objects", log)
        self.assertIsNotNone(self.fleet.result("2026-11-20"))

    def test_empty_folder(self):
        self.assertEqual(self.fleet.roll_up()[0], 0)

    def test_wrong_usage(self):
        status, _, log = self.fleet.run("rollup", "--since", "yesterday")
        self.assertEqual(status, 2)
        self.assertIn("YYYY-MM-DD", log)

    def test_damaged_result(self):
        self.fleet.put(lines({1: [2]}))
        self.fleet.roll_up()
        self.fleet.put_bytes(f"out/days/{DAY}.json", b"{")
        status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 1)
        self.assertIn(f"{DAY}.json is damaged; delete it and roll up again", log)

    def test_foreign_file_among_the_results(self):
        """A copy of a result, as an editor makes it, is not read as a result."""
        self.fleet.put(lines({1: [2]}))
        self.fleet.roll_up()
        for name in (f"{DAY}.json.bak", "0000-notes.json"):
            self.fleet.put_bytes(f"out/days/{name}", b"{}")
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.assertEqual({file.path for file in self.fleet.place.list("out/days")}, {f"out/days/{DAY}.json"})

    def test_second_roll_up(self):
        with self.fleet.place.lock():
            status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 1)
        self.assertIn("another roll-up", log)


class Overflows(FleetTest):
    MOST = 2**63 - 1

    def check_overflow(self, objects, largest, rest):
        """Rolls up objects: the kiosk with the largest number is left out and named, and the rest added up."""
        for found in objects:
            self.fleet.put(found)
        status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 0, log)
        self.assertRegex(log, f"refused: in/{largest}/.*the sum of screen 'menu', display 'HDMI-A-1', "
                              "layer taps, block 1 is over")
        result = self.fleet.result(DAY)
        self.assertEqual(sorted(result.inputs), rest)
        self.assertEqual({entry["object"].split("/")[1] for entry in result.refused}, {largest})
        self.assertEqual(sum(row["sum"] for row in self.fleet.rows(DAY, "sums")), len(rest) * 5)
        self.assertEqual(self.fleet.data_files(), self.fleet.named_files())
        self.assertEqual(self.fleet.roll_up()[0], 0)
        self.assertEqual(self.fleet.result(DAY), result)

    def test_impossible_number(self):
        """One kiosk takes nothing from the others, also if it has an older revision."""
        self.check_overflow([
            *(lines({1: [5]}, kiosk=kiosk) for kiosk in "abd"), lines({1: [7]}, kiosk="c"),
            lines({1: [self.MOST]}, kiosk="c", revision=2)], "c", ["a", "b", "d"])

    def test_square_at_the_limit(self):
        """The largest sum is that of two kiosks, or of one session, which has the largest square."""
        self.fleet.put(lines({1: [self.MOST - 1]}, kiosk="a", layer="dwell"))
        self.fleet.put(lines({1: [1], 2: [self.MOST]}, kiosk="b", layer="dwell"))
        status, _, log = self.fleet.roll_up()
        self.assertEqual(status, 0, log)
        self.check_day(self.fleet, DAY)
        self.assertEqual(self.fleet.rows(DAY, "sums")[1]["square"], self.MOST**2)

    def test_generations(self):
        """Two generations of one kiosk are added before the kiosks are."""
        objects = [lines({1: [2**62]}, generation=letter * 16) for letter in "ab"]
        self.check_overflow([*objects, lines({1: [5]}, kiosk="b")], "lobby-3", ["b"])


class Kills(FleetTest):
    def test_kills(self):
        """SIGKILL after any step: each day is the old or the new; the next roll-up removes leftovers."""
        chance, days = random.Random(5), ("2026-11-21", "2026-11-22")

        def put(kiosk, revision):
            for day in days:
                self.fleet.put(lines({block: [chance.randint(1, 9)] for block in range(12)}, kiosk=f"k{kiosk}",
                                     day=day, revision=revision))

        for number in range(9):
            put(number, 1)
        self.assertEqual(self.fleet.roll_up()[0], 0)
        # A roll-up that replaces results takes more steps than the first.
        put(0, 2)
        status, steps = self.fleet.run_killed(0, "rollup")
        self.assertEqual(status, 0)
        committed, states = {day: self.fleet.sums(day) for day in days}, []
        for attempt in range(KILLS):
            put(chance.randrange(9), attempt + 3)
            status, _ = self.fleet.run_killed(steps * (attempt + 1) // (KILLS + 1), "rollup")
            self.assertEqual(status, -signal.SIGKILL, f"kill {attempt}")
            for day in days:
                found, new = self.fleet.sums(day), self.fleet.expected(day).grids
                self.assertIn(found, (committed[day], new), f"kill {attempt}: {day} is neither old nor new")
                states.append((day, found == new))
                committed[day] = found
        # The first day is the new one early, the second never or late.
        self.assertLessEqual({(days[0], False), (days[0], True), (days[1], False)}, set(states))
        self.assertEqual(self.fleet.roll_up()[0], 0)
        for day in days:
            self.check_day(self.fleet, day)
        files = {
            str(path.relative_to(self.fleet.root)) for path in pathlib.Path(self.fleet.root, "out").rglob("*")
            if path.is_file()
        }
        self.assertEqual(files - self.fleet.named_files(),
                         {"out/.lock", *(f"out/days/{day}.json" for day in days)})
