"""What may leave the owner's house: the rule, attacks on it, and the objects of a release."""

import datetime
import gzip
import itertools
import json
import random
import shutil
import unittest
from pathlib import Path
from unittest import mock

from support import DISPLAY, FleetTest, control_set, count_line, flow_lines, key, panel_line, write_day
from touchgrid_fleet import FleetError, disclosure, release
from touchgrid_fleet.disclosure import Rule
from touchgrid_fleet.objects import ObjectName
from touchgrid_fleet.reader import read_object
from touchgrid_fleet.release import Release

MONDAY = datetime.date(2026, 11, 2)
VIEW = ("menu", "HDMI-A-1", 1024, 768, 1.0, 0, 16)


def week(number, kiosks=None):
    first = MONDAY + datetime.timedelta(7 * number)
    return Release(kiosks and frozenset(kiosks), "week", first, first + datetime.timedelta(6))


def month(kiosks=None):
    first, last = datetime.date(2026, 11, 1), datetime.date(2026, 11, 30)
    return Release(kiosks and frozenset(kiosks), "month", first, last)


def day(number, kiosks):
    date = MONDAY + datetime.timedelta(number)
    return Release(frozenset(kiosks), "day", date, date)


class Fleet:
    """Kiosk-days in memory and a ledger. `counted` is a dictionary of kiosk-day to dictionary of item
    to dictionary of layer to (sum, square, touched)."""

    def __init__(self):
        self.counted, self.issues = {}, []

    def count(self, kiosk, number, blocks, sessions=None, masks=(), units=None):
        """Adds a day of a kiosk. `blocks`: sum, square and touched of the layer taps by block. `units`: the
        figures of each part by unit."""
        sessions = sessions or max([touched for _, _, touched in blocks.values()] + [1])
        one = {"sessions": (0, 0, sessions)}
        self.counted[kiosk, MONDAY + datetime.timedelta(number)] = {
            ("view", *VIEW): {"sessions": (sessions * 1000, 0, sessions)},
            **{("mask", *VIEW, mask): one for mask in masks},
            **{("block", *VIEW, block): {"taps": figures} for block, figures in blocks.items()}, **(units or {})}

    def counts_of(self, inside, first, last):
        fleet = self

        class Counts:
            def days(self):
                return {key for key in fleet.counted if inside(*key)}

            def read(self, classes, kinds, known, rule):
                names = sorted({kiosk for kiosk, _ in classes})
                items = {}
                for key in self.days():
                    for item, layers in fleet.counted[key].items():
                        if item[0] == "unit" and item[8] not in kinds:
                            continue
                        for layer, figures in layers.items():
                            release.gather(items, item, classes[key], layer,
                                           (*figures, 1 << names.index(key[0]) % disclosure.KIOSK_BITS))
                return items

        return Counts()

    def release(self, chosen, label=None, rule=Rule(), kind="block"):
        """The values that are released; the ledger grows."""
        issue, decision = release.make(chosen, label or name_of(chosen), self.issues, self.counts_of, rule, kind=kind)
        if issue.items:
            # As the ledger's object says it.
            self.issues.append(release.read_issue(issue.number, release.write_issue(issue)))
        return decision.values


def name_of(chosen):
    return "all" if chosen.kiosks is None else "-".join(sorted(chosen.kiosks))


def block(values, number=0, layer="taps"):
    return values.get(("block", *VIEW, number), {}).get(layer)


def control(number=0, key="set", view=VIEW):
    return ("unit", *view, "controls", key, number)


def octant(number=0):
    return ("unit", *disclosure.EVERYWHERE, "octants", "glass", number)


def kinds(values):
    """The kinds of the blocks and units of a release."""
    return {disclosure.kind_of(item) for item in values if item[0] in ("block", "unit")}


class TheRule(unittest.TestCase):
    def fleet(self, *touched):
        fleet = Fleet()
        for number, sessions in enumerate(touched):
            fleet.count(f"k{number}", 0, {0: (sessions, sessions, sessions)} if sessions else {}, 500)
        return fleet

    def test_fewer_than_ten_sessions_are_hidden(self):
        self.assertIsNone(block(self.fleet(3, 3, 3).release(week(0))))
        self.assertEqual(block(self.fleet(3, 3, 4).release(week(0))), (10, 10, 10))

    def test_a_weaker_rule_does_not_weaken_later_releases(self):
        """A block that few sessions touched stays hidden, though an internal release has shown it: in the
        same week, in the month around it, and with a stricter rule."""
        fleet = self.fleet(2, 2, 1)
        self.assertEqual(block(fleet.release(week(0), rule=Rule(2))), (5, 5, 5))
        self.assertIsNone(block(fleet.release(week(0), rule=Rule(6))))
        self.assertIsNone(block(fleet.release(week(0))))
        self.assertIsNone(block(fleet.release(month())))
        fleet = self.fleet(5, 5, 5)
        self.assertEqual(block(fleet.release(week(0))), (15, 15, 15))
        self.assertIsNone(block(fleet.release(week(0), rule=Rule(20))))
        self.assertEqual(block(fleet.release(week(0))), (15, 15, 15))

    def test_fewer_than_three_kiosks_are_hidden(self):
        self.assertIsNone(block(self.fleet(500, 500, 0).release(week(0))))
        self.assertEqual(block(self.fleet(500, 500, 1).release(week(0))), (1001, 1001, 1001))

    def test_kiosks_that_share_a_bit_are_never_counted_twice(self):
        fleet = Fleet()
        for number in range(4 * disclosure.KIOSK_BITS):
            touched = 100 if number % disclosure.KIOSK_BITS == 0 else 0
            fleet.count(f"k{number:03}", 0, {0: (touched, touched, touched)} if touched else {}, 100)
        self.assertIsNone(block(fleet.release(week(0))))

    def test_all_layers_of_a_block_are_hidden_together(self):
        fleet = self.fleet(5, 5, 5)
        for number, (taps, trail) in enumerate([(1, 5), (1, 5), (1, 5)]):
            layers = fleet.counted[f"k{number}", MONDAY]["block", *VIEW, 0]
            layers["taps"], layers["trail"] = (taps,) * 3, (trail,) * 3
        self.assertIsNone(block(fleet.release(week(0)), layer="trail"))

    def test_no_block_is_hidden_alone(self):
        fleet = Fleet()
        for number in range(3):
            fleet.count(f"k{number}", 0, {0: (9, 9, 9), 1: (8, 8, 8), 2: (1, 1, 1)}, 100)
        values = fleet.release(week(0))
        self.assertEqual([block(values, n) for n in range(3)], [(27, 27, 27), None, None])

    def test_a_mask_is_shown_if_enough_kiosks_have_it(self):
        fleet = Fleet()
        for number in range(4):
            masks = ['{"x":1}'] + ['{"x":2}'] * (number < 2)
            fleet.count(f"k{number}", 0, {0: (9, 9, 9)}, 100, masks=masks)
        masks = [item[-1] for item in fleet.release(week(0)) if item[0] == "mask"]
        self.assertEqual(masks, ['{"x":1}'])


class Units(unittest.TestCase):
    """Units of other kinds of counts."""

    def fleet(self, *units, days=1):
        """Five kiosks, each of which counts these units on each day."""
        fleet = Fleet()
        for kiosk, number in itertools.product(range(5), range(0, 7 * days, 7)):
            self.count(fleet, kiosk, number, *units)
        return fleet

    @staticmethod
    def count(fleet, kiosk, number, *units):
        fleet.count(f"k{kiosk}", number, {0: (50,) * 3, 1: (50,) * 3}, 100, units={
            item: {"0": (touched, 7, touched), **({"1": (1, 1)} if misses else {})} for item, touched, misses in units})

    def test_parts_of_a_unit_are_hidden_together(self):
        """Of five kiosks, a week has five days with a near miss, and two weeks have ten."""
        units = [(control(0), 50, False), (control(1), 50, True), (control(2), 50, True)]
        fleet = self.fleet(*units, days=2)
        self.assertEqual({item: value for item, value in fleet.release(week(0), kind="controls").items()
                          if item[0] == "unit"}, {control(0): {"0": (250, 35, 250)}})
        values = fleet.release(month(), kind="controls")
        self.assertEqual(values[control(1)], {"0": (500, 70, 500), "1": (10, 10)})

    def test_no_unit_is_hidden_alone(self):
        for units in ([(control(0), 9, False), (control(1), 8, False), (control(2), 1, False)],
                      [(control(0), 9, False), (control(1), 8, False), (control(0, "other"), 1, False)],
                      # In a set of its own, and among others of the view.
                      [(control(0), 9, False), (control(1), 8, False), (control(2), 1, False),
                       (control(0, "other"), 1, False)]):
            with self.subTest(units=len(units)):
                values = self.fleet(*units).release(week(0), kind="controls")
                self.assertEqual([item for item in values if item[0] == "unit"], [control(0)])

    def test_a_view_shows_one_kind_in_all_releases_that_overlap(self):
        units = [(control(0), 10, False), (octant(), 90, False)]
        for first, second in itertools.permutations(("block", "controls", "octants"), 2):
            for releases in ((week(0), month()), (month(), week(0)), (week(0), week(0))):
                with self.subTest(first=first, second=second, releases=[each.kind for each in releases]):
                    fleet = self.fleet(*units, days=2)
                    for chosen, kind in zip(releases, (first, second)):
                        self.assertEqual(kinds(fleet.release(chosen, kind=kind)), {first})
            fleet = self.fleet(*units, days=2)
            self.assertEqual(kinds(fleet.release(week(0), kind=first)), {first})
            self.assertEqual(kinds(fleet.release(week(1), kind=second)), {second})
            # The month would have days of both.
            self.assertEqual(kinds(fleet.release(month(), kind=first)), set())
            self.assertEqual(kinds(fleet.release(week(0), kind=second)), {first})

    def test_late_days_that_a_part_shows_in_another_way_are_not_added(self):
        fleet = self.fleet((control(0), 10, False))
        whole = fleet.release(month(), kind="controls")
        for kiosk in range(5):
            self.count(fleet, kiosk, 7, (control(0), 10, False))
        self.assertEqual(kinds(fleet.release(week(1))), {"block"})
        self.assertEqual(fleet.release(month(), kind="controls")[control(0)], whole[control(0)])

    def test_a_screen_without_the_kind_shows_blocks(self):
        fleet = self.fleet((control(0, view=("other", *VIEW[1:])), 9, False))
        for items in fleet.counted.values():
            items["view", "other", *VIEW[1:]] = {"sessions": (9, 0, 9)}
        values = fleet.release(week(0), kind="controls")
        self.assertEqual(sorted(kinds(values)), ["block", "controls"])
        self.assertEqual({disclosure.view_of(item)[1] for item in values if item[0] == "block"}, {"menu"})

    def test_a_unit_is_hidden_with_its_screen(self):
        values = self.fleet((control(0, view=("other", *VIEW[1:])), 90, False)).release(week(0), kind="controls")
        self.assertEqual(kinds(values), {"block"})

    def test_a_unit_that_two_kiosks_know_is_hidden(self):
        fleet = Fleet()
        for kiosk in range(3):
            self.count(fleet, kiosk, 0, *[(control(0, "secret"), 50, False)] * (kiosk < 2))
        self.assertEqual(kinds(fleet.release(week(0), kind="controls")), {"block"})


class Overlaps(unittest.TestCase):
    def test_the_remainder_of_a_larger_release_is_checked(self):
        fleet = Fleet()
        for number, touched in enumerate([10, 10, 10, 9]):
            fleet.count(f"k{number}", 0, {0: (touched,) * 3, 1: (50,) * 3, 2: (50,) * 3}, 100)
        fleet.count("k4", 0, {1: (50,) * 3, 2: (50,) * 3}, 100)
        fleet.count("k5", 0, {1: (50,) * 3, 2: (50,) * 3}, 100)
        part = fleet.release(week(0, ["k0", "k1", "k2"]))
        self.assertEqual(block(part), (30, 30, 30))
        whole = fleet.release(week(0))
        # 39 sessions, but the difference would show 9 of k3. A second block is hidden, too.
        self.assertIsNone(block(whole, 0))
        self.assertIsNone(block(whole, 1))
        self.assertEqual(block(whole, 2), (300, 300, 300))

    def test_partial_overlaps_are_refused(self):
        fleet = Fleet()
        for number, kiosk in itertools.product(range(28), range(6)):
            fleet.count(f"k{kiosk}", number, {0: (10,) * 3}, 100)
        fleet.release(week(0, ["k0", "k1", "k2"]))
        with self.assertRaisesRegex(FleetError, "other kiosks of the same days"):
            fleet.release(week(0, ["k2", "k3", "k4"]))
        fleet.release(week(0))
        with self.assertRaisesRegex(FleetError, "a period that overlaps"):
            fleet.release(month(["k0", "k1", "k2"]))
        fleet.release(month())
        fleet.release(week(1, ["k2", "k3", "k4"]), "other")

    def test_a_label_stands_for_the_same_kiosks_in_a_period_and_on_all_days(self):
        fleet = Fleet()
        for number, kiosk in itertools.product(range(0, 14, 7), range(7)):
            fleet.count(f"k{kiosk}", number, {0: (10,) * 3}, 100)
        few, more = ["k0", "k1", "k2"], ["k0", "k1", "k2", "k3", "k4", "k5"]
        fleet.release(week(0, few), "north")
        fleet.release(week(1, more), "north")
        with self.assertRaisesRegex(FleetError, "another name"):
            fleet.release(week(0, more), "north")
        with mock.patch.object(release, "LEAST_KIOSKS_OF_A_DAY", 3):
            fleet.release(day(0, few), "hall")
            with self.assertRaisesRegex(FleetError, "another name"):
                fleet.release(day(7, more), "hall")

    def test_a_day_needs_a_fixed_group_of_200_kiosks_that_have_sent_it(self):
        fleet = Fleet()
        names = [f"k{number:03}" for number in range(200)]
        for kiosk in names[:199]:
            fleet.count(kiosk, 0, {0: (10,) * 3}, 100)
        with self.assertRaisesRegex(FleetError, "only 199 kiosks"):
            fleet.release(day(0, names), "hall")
        with self.assertRaisesRegex(FleetError, "--group"):
            fleet.release(Release(None, "day", MONDAY, MONDAY))
        fleet.count(names[199], 0, {0: (10,) * 3}, 100)
        self.assertEqual(block(fleet.release(day(0, names), "hall")), (2000,) * 3)


class Reissues(unittest.TestCase):
    def setUp(self):
        self.fleet = Fleet()
        for number in range(3):
            self.fleet.count(f"k{number}", 0, {0: (10,) * 3, 1: (50,) * 3}, 100)
        self.first = self.fleet.release(week(0))

    def late(self, *touched, number=1):
        for kiosk, count in enumerate(touched):
            self.fleet.count(f"k{kiosk}", number, {0: (count,) * 3}, 100)

    def test_few_late_sessions_change_nothing(self):
        self.late(3, 3, 3)
        self.assertEqual(block(self.fleet.release(week(0))), (30,) * 3)
        self.late(1, 1, 1, number=2)    # now there are twelve
        self.assertEqual(block(self.fleet.release(week(0))), (42,) * 3)

    def test_replaced_days_change_nothing(self):
        for number in range(3):
            self.fleet.count(f"k{number}", 0, {0: (9,) * 3, 1: (90,) * 3}, 100)
        self.assertEqual(self.fleet.release(week(0)), self.first)

    def test_a_larger_release_takes_the_values_of_its_parts(self):
        self.fleet.count("k0", 0, {0: (9,) * 3, 1: (50,) * 3}, 100)      # one session was forgotten
        for number in range(3):
            self.fleet.count(f"k{number}", 7, {0: (20,) * 3, 1: (50,) * 3}, 100)
        self.assertEqual(block(self.fleet.release(month())), (90,) * 3)

    def test_a_part_keeps_its_values_after_a_larger_release(self):
        for number in range(3, 6):
            self.fleet.count(f"k{number}", 7, {0: (10,) * 3, 1: (50,) * 3}, 100)
        self.fleet.release(month())
        self.assertEqual(self.fleet.release(week(0)), self.first)
        self.assertEqual(len(self.fleet.issues), 2)
        self.late(1, 1, 1)
        self.assertEqual(block(self.fleet.release(week(0))), (30,) * 3)

    def test_a_block_of_replaced_days_never_has_more_sessions_than_its_view(self):
        fleet = Fleet()
        blocks = {1: (10,) * 3, 2: (10,) * 3}
        for number in range(3):
            fleet.count(f"k{number}", 0, {0: (1,) * 3, 3: (1,) * 3, 4: (1,) * 3, **blocks}, 10)
        first = fleet.release(week(0))
        for number in range(3):
            fleet.count(f"k{number}", 0, {0: (100,) * 3, 3: (1,) * 3, 4: (1,) * 3, **blocks}, 100)
        self.assertIsNone(block(first, 0))
        self.assertEqual(fleet.release(week(0)), first)

    def test_a_vanished_day_changes_nothing(self):
        self.fleet.counted.clear()
        self.assertEqual(self.fleet.release(week(0)), self.first)


class Attacks(unittest.TestCase):
    """Random families of releases, with late and replaced days. Each count has a bit of its own in its
    sum (a view's in the time shown), so a released sum tells which counts are in it, whatever the
    program believes."""

    ITEMS = 3

    def play(self, seed, make):
        """Returns the sets of counts that were published, by item, and for each bit the sessions, the
        kiosk and the day."""
        chance = random.Random(seed)
        fleet, counted, published = Fleet(), [], {}
        names = [f"k{number:02}" for number in range(chance.choice([4, 8, 14]))]
        groups = self.groups(names, chance)

        def count(kiosk, number):
            blocks = {}
            for item in range(self.ITEMS):
                if chance.random() < 0.7:
                    touched = chance.choice([1, 2, 3, 5, 9])
                    blocks[item] = (1 << len(counted), touched + chance.randrange(50), touched)
                    counted.append((touched, kiosk, number))
            units = {}
            for item in (control(0), control(1), control(0, "other"), octant()):
                if chance.random() < 0.7:
                    touched = chance.choice([1, 2, 3, 5, 9])
                    units[item] = {"0": (1 << len(counted), touched), "1": (2 << len(counted), 1)}
                    counted.extend([(touched, kiosk, number), (1, kiosk, number)])
            touched = [figures[2] for figures in blocks.values()] + [unit["0"][1] for unit in units.values()]
            sessions = max([*touched, 1]) + chance.randrange(3)
            fleet.count(kiosk, number, blocks, sessions, units=units)
            view = fleet.counted[kiosk, MONDAY + datetime.timedelta(number)]["view", *VIEW]
            view["sessions"] = (1 << len(counted), 0, sessions)
            counted.append((sessions, kiosk, number))

        for kiosk, number in itertools.product(names, range(0, 21, 3)):
            if chance.random() < 0.8:
                count(kiosk, number)
        for _ in range(25):
            if chance.random() < 0.4:
                count(chance.choice(names), chance.randrange(0, 21, 3))
            kiosks = chance.choice(groups)
            chosen = chance.choice([week(chance.randrange(3), kiosks), month(kiosks),
                                    day(chance.randrange(0, 21, 3), kiosks or names)])
            try:
                values = make(fleet, chosen, kind=chance.choice(["block", "controls", "octants"]))
            except FleetError:
                continue
            for item in range(self.ITEMS):
                if value := block(values, item):
                    published.setdefault(item, set()).add(value[0])
            for item in values:
                if item[0] == "unit":
                    for part, figures in values[item].items():
                        published.setdefault((*item, part), set()).add(figures[0])
            published.setdefault("view", set()).add(values["view", *VIEW]["sessions"][0])
        return published, counted

    @staticmethod
    def groups(names, chance):
        """A tree of groups, None for all."""
        shuffled = chance.sample(names, len(names))
        half = len(names) // 2
        return [None, shuffled[:half], shuffled[half:], shuffled[:half // 2], shuffled[:-1], names]

    @staticmethod
    def leaks(published, counted):
        """How much can be derived that breaks the rule: by the difference of two values, by that of one
        value and several disjoint ones, and by any sum of multiples of values. Such a sum cannot
        divide the counts that all published sets contain as a whole or not at all."""
        def allowed(bits):
            members = [counted[n] for n in range(bits.bit_length()) if bits >> n & 1]
            return not members or (sum(touched for touched, *_ in members) >= 10
                                   and len({kiosk for _, kiosk, _ in members}) >= 3)

        # Values of several kinds of one kiosk's day could be subtracted.
        days = {}
        for item, values in published.items():
            kind = item[8] if isinstance(item, tuple) else "view" if item == "view" else "block"
            days.setdefault(kind, set()).update(
                counted[n][1:] for whole in values for n in range(whole.bit_length()) if whole >> n & 1)
        days.pop("view", None)
        found = sum(len(one & other) for one, other in itertools.combinations(days.values(), 2))
        for values in published.values():
            pieces = set()      # what all published sets together divide the counts into
            for whole in values:
                rests = {whole}
                for part in values:
                    rests |= {rest & ~part for rest in rests if part & ~rest == 0}
                found += sum(not allowed(rest) for rest in rests)
                new = whole
                for piece in pieces:
                    new &= ~piece
                pieces = {cut for piece in pieces for cut in (piece & whole, piece & ~whole)} | {new}
            found += sum(not allowed(piece) for piece in pieces)
        return found

    def test_nothing_below_the_rule_can_be_derived(self):
        overlaps, shown = 0, set()
        with mock.patch.object(release, "LEAST_KIOSKS_OF_A_DAY", 3):
            for seed in range(300):
                with self.subTest(seed=seed):
                    published, counted = self.play(seed, Fleet.release)
                    self.assertEqual(self.leaks(published, counted), 0)
                    overlaps += sum(len(values) > 1 for values in published.values())
                    shown.update(published)
        self.assertGreater(overlaps, 100)
        self.assertTrue({0, (*control(0), "0"), (*control(0), "1"), (*octant(), "0")} < shown)

    def test_the_attack_finds_leaks_if_each_release_is_decided_by_itself(self):
        def alone(fleet, chosen, kind):
            release.family(fleet.issues, chosen)
            other = Fleet()
            other.counted = fleet.counted
            values = other.release(chosen, kind=kind)
            fleet.issues += other.issues
            return values

        with mock.patch.object(release, "LEAST_KIOSKS_OF_A_DAY", 3):
            self.assertGreater(sum(self.leaks(*self.play(seed, alone)) > 0 for seed in range(20)), 10)


class Files(FleetTest):
    """From the objects of kiosks through the roll-up to the object of a release."""

    KIOSKS = 5

    def setUp(self):
        super().setUp()
        self.root, self.out = self.folder / "fleet", self.folder / "out"
        self.chance = random.Random(1)
        self.days = {}
        for number, kiosk in itertools.product(range(7), range(self.KIOSKS)):
            self.count(f"k{kiosk}", number)

    def count(self, kiosk, number, **options):
        views = {}
        for screen in ("menu", "<b>&'"):
            sessions = self.chance.randint(3, 6)
            views[screen, "HDMI-A-1"] = view = {"sessions": sessions, "masks": [
                {"x": 0.0, "y": 0.0, "width": 16.0, "height": 16.0}] if kiosk < "k3" else []}
            for layer in ("taps", "trail", "dwell"):
                view[layer] = counts = {}
                for place in self.chance.sample(range(40), 12):
                    touched = self.chance.randint(1, sessions)
                    # The squares of dwell need more than 63 bits.
                    each = 2 ** 30 if layer == "dwell" else self.chance.randint(1, 3)
                    counts[place * 70] = (each * touched, each ** 2 * touched, touched)
        views["seldom", "HDMI-A-1"] = {"sessions": 1, "taps": {5: (1, 1, 1)} if kiosk == "k0" else {}}
        self.days[kiosk, number] = views
        write_day(self.root, kiosk, MONDAY + datetime.timedelta(number), 8, views, **options)

    def release(self, *words, out=None, status=0):
        self.fleet.roll_up()
        ended, said, log = self.fleet.run("release", "-o", out or self.out, *words)
        self.assertEqual(ended, status, log)
        return said + log

    def objects(self, folder=None):
        """The released objects by their path."""
        folder = folder or self.out
        return {str(path.relative_to(folder)): path.read_bytes()
                for path in sorted(folder.glob("in/*/*/*/*.gz"))}

    def newest(self):
        path, data = list(self.objects().items())[-1]
        return read_object(ObjectName.parse(path, "9999-12-31"), data)

    def expected(self):
        """By screen, layer and block the sum, square, touched and kiosks of the week."""
        sums = {}
        for (kiosk, _), views in self.days.items():
            for (screen, _), view in views.items():
                for layer in ("taps", "trail", "dwell"):
                    for place, figures in view.get(layer, {}).items():
                        entry = sums.setdefault((screen, place), {}).setdefault(layer, [0, 0, 0, set()])
                        for number in range(3):
                            entry[number] += figures[number]
                        entry[3].add(kiosk)
        return sums

    def test_a_week_has_all_that_the_rule_allows_and_nothing_else(self):
        said = self.release("--week", "2026-W45")
        found = self.newest()
        shown = {}
        for key, view in found.views.items():
            for layer, counts in view.layers.items():
                high = counts.high if counts.high is not None else [0] * len(counts.blocks)
                for place, total, low, top, touched in zip(
                        counts.blocks, counts.sums, counts.low, high, counts.touched):
                    shown.setdefault((key[0], int(place)), {})[layer] = (
                        int(total), int(low) + (int(top) << 63), int(touched))
        allowed = {place: {layer: tuple(figures[:3]) for layer, figures in layers.items()}
                   for place, layers in self.expected().items() if place[0] != "seldom" and all(
                       figures[2] >= 10 and len(figures[3]) >= 3 for figures in layers.values())}
        self.assertEqual(shown, allowed)
        self.assertGreater(len(shown), 40)
        self.assertLess(len(shown), len(self.expected()))
        self.assertIn(f"with {len(shown)} blocks", said)
        self.assertEqual((found.totals, found.hours, found.ghosts), (None, None, {}))
        self.assertEqual(found.sessions, max(view.sessions for view in found.views.values()))
        for key, view in found.views.items():
            mine = [views[key[:2]] for views in self.days.values()]
            self.assertEqual(view.sessions, sum(each["sessions"] for each in mine))
            self.assertEqual(view.shown_ms, 1000 * view.sessions)
            self.assertEqual(view.touches, sum(
                layers["taps"][0] for place, layers in allowed.items()
                if place[0] == key[0] and "taps" in layers))
            self.assertEqual(json.loads(view.masks) != [], key[0] != "seldom")
            self.assertEqual(view.placements, "[]")
        data = gzip.decompress(next(iter(self.objects().values())))
        for secret in (b"secret", b"k1", b"Berlin", b"1795000000000"):
            self.assertNotIn(secret, data)

    def test_the_same_data_give_the_same_bytes(self):
        self.release("--week", "2026-W45")
        first, ledger = self.objects(), self.ledger()
        self.release("--week", "2026-W45")
        self.release("--week", "2026-W45", out=self.folder / "other")
        self.assertEqual(self.objects(), first)
        self.assertEqual(self.objects(self.folder / "other"), first)
        self.assertEqual(self.ledger(), ledger)
        shutil.rmtree(self.root / "releases")
        shutil.rmtree(self.root / "out")
        self.release("--week", "2026-W45")
        self.assertEqual((self.objects(), self.ledger()), (first, ledger))

    def ledger(self):
        return {path.name: path.read_bytes() for path in self.root.glob("releases/*")}

    def test_late_kiosks_make_a_second_issue(self):
        self.release("--week", "2026-W45")
        for kiosk in ("late-1", "late-2", "late-3"):
            for number in range(7):
                self.count(kiosk, number)
        self.release("--week", "2026-W45")
        self.assertEqual([Path(path).name for path in self.objects()], ["r1.ndjson.gz", "r2.ndjson.gz"])
        menus = [views["menu", "HDMI-A-1"]["sessions"] for views in self.days.values()]
        self.assertEqual(next(view.sessions for key, view in self.newest().views.items() if key[0] == "menu"),
                         sum(menus))
        self.assertEqual(len(self.ledger()), 2)

    def test_groups(self):
        (self.root / "fleet.toml").write_text("".join(
            f'[[kiosk]]\nname = "k{number}"\ngroup = "{group}"\n'
            for number, group in enumerate(["north", "north", "north", "south", "../evil"])))
        self.release("--month", "2026-10", status=1)
        for group, message in (("south", "nothing may be released"), ("../evil", "cannot be released under"),
                               ("east", "no kiosk in the group")):
            self.assertIn(message, self.release("--week", "2026-W45", "--group", group, status=1))
        self.assertIn("in/north/", self.release("--week", "2026-W45", "--group", "north"))
        self.assertIn("another release", self.release("--week", "2026-W45", status=1))
        # The others are two kiosks.
        self.assertIn("nothing may be", self.release("--week", "2026-W45", out=self.folder / "all", status=1))

    def test_wrong_words(self):
        for words, message in ((("--week", "2026-45"), "is not a week"), (("--month", "2026-13"), "is not a month"),
                               (("--day", "2026-11-31"), "is not a day"),
                               (("--week", "2999-W01"), "is not over"),
                               (("--week", "2026-W45", "--k", "1"), "2 or more"),
                               (("--day", "2026-11-02"), "--group")):
            with self.subTest(words=words):
                self.assertIn(message, self.release(*words, status=1))
        self.assertIn("warning", self.release("--week", "2026-W45", "--k", "2"))
        # It is never in a folder with what others get.
        self.assertIn("another release", self.release("--week", "2026-W45", status=1))

    def test_numbers_that_do_not_fit_are_refused(self):
        for kiosk in range(self.KIOSKS):
            views = {("menu", "HDMI-A-1"): {"sessions": 10, "taps": {1: (2 ** 62, 2 ** 124 // 10 + 1, 10)}}}
            write_day(self.root, f"k{kiosk}", MONDAY + datetime.timedelta(kiosk), 10, views, revision=2)
        self.assertIn("too large", self.release("--week", "2026-W45", status=1))
        self.assertEqual((self.ledger(), self.objects()), ({}, {}))

    def test_a_damaged_ledger_is_refused(self):
        self.release("--week", "2026-W45")
        path = self.root / "releases/000001.ndjson.gz"
        whole = path.read_bytes()
        for data in (whole[:-20], whole[:50], b"", b"x", gzip.compress(b"{}\n"), gzip.compress(b"[]\n")):
            path.write_bytes(data)
            self.assertIn("damaged", self.release("--week", "2026-W45", status=1))
        path.rename(path.with_name("000002.ndjson.gz"))
        self.assertIn("is missing", self.release("--week", "2026-W45", status=1))


class Controls(FleetTest):
    """Controls from the objects of kiosks to the store of a release."""

    KIOSKS, DAYS = 5, 7
    CONTROLS = [("pay", 0, 0, 160, 40), ("help", 0, 80, 160, 40), ("legal", 0, 160, 160, 40),
                ("unused", 0, 240, 160, 40)]
    SET, OTHER = (control_set(key(geometry=DISPLAY), controls) for controls in (
        CONTROLS, [("secret-offer", 400, 0, 160, 40)]))
    # The places of a control's numbers, and how many it has.
    HITS, MISSES, BESIDE, RETRIED, RAGE, RESPONSES, SESSIONS, NUMBERS = 0, 6, 12, 32, 33, 36, 46, 47

    def setUp(self):
        super().setUp()
        self.root, self.out = self.folder / "fleet", self.folder / "out"
        self.chance = random.Random(2)
        self.sums = [[0] * self.NUMBERS for _ in self.CONTROLS]
        self.taps = {0: (1000, 200_000, 5), 3: (10, 20, 5), 4: (10, 20, 5)}
        for number, kiosk in itertools.product(range(self.DAYS), range(self.KIOSKS)):
            self.count(f"k{kiosk}", number)

    def control(self, hits, misses):
        """The numbers of a control, with rage taps and responses."""
        numbers = [0] * self.NUMBERS
        for place, touches in ((self.HITS, hits), (self.MISSES, misses)):
            numbers[place:place + 6] = [touches, *(touches * self.chance.randint(1, 9) for _ in range(5))]
        numbers[self.BESIDE] = numbers[self.BESIDE + 4] = misses
        numbers[self.RETRIED] = misses
        numbers[self.RESPONSES + 2] = hits
        if hits >= 3:
            numbers[self.RAGE:self.RAGE + 3] = [1, 3, 1]
        numbers[self.SESSIONS] = min(hits, 4)
        return numbers

    def count(self, kiosk, number):
        controls = [self.control(20, 2), self.control(9, int(kiosk == "k0")), self.control(int(kiosk == "k1"), 0),
                    self.control(0, 0)]
        for sums, numbers in zip(self.sums, controls):
            sums[:] = map(sum, zip(sums, numbers))
        numbers = dict(enumerate(itertools.chain(*controls)))
        subject = {place: count for place, count in numbers.items() if count}
        counts = [count_line(subject, self.SET, "controls", 5), *flow_lines(self.chance, 8), panel_line({0: 3})]
        if kiosk == "k0":
            counts.append(count_line({self.HITS: 90, self.SESSIONS: 6}, self.OTHER, "controls", 6))
        views = {("menu", "HDMI-A-1"): {"sessions": 6, "taps": self.taps},
                 ("plain", "HDMI-A-1"): {"sessions": 6, "taps": self.taps}}
        write_day(self.root, kiosk, MONDAY + datetime.timedelta(number), 8, views, counts=counts)

    def release(self, *words, status=0, out=None):
        self.fleet.roll_up()
        ended, said, log = self.fleet.run("release", "-o", out or self.out, *words)
        self.assertEqual(ended, status, log)
        return said + log

    def lines(self, out=None):
        path, = (out or self.out).glob("in/*/*/*/*.gz")
        return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]

    def test_a_release_shows_hits_and_misses_of_whole_controls(self):
        """`help` has near misses of too few kiosks, `legal` too few hits, and one kiosk alone has another set."""
        said = self.release("--week", "2026-W45", "--counts", "controls")
        self.assertIn("2 screens with 3 blocks and 1 unit of controls; 2 are hidden", said)
        lines = self.lines()
        counts, = (line for line in lines if line["type"] == "count")
        places = [*range(self.BESIDE), self.SESSIONS]
        self.assertEqual(dict(zip(counts["places"], counts["counts"])), {
            place: self.sums[0][place] for place in places})
        self.assertEqual((counts["kind"], counts["subject"], counts["sessions"]), (
            "controls", self.SET.replace('"rage":true', '"rage":false'), self.sums[0][self.SESSIONS]))
        views = {line["screen"]: line for line in lines if line["type"] == "view"}
        self.assertEqual(views["menu"]["touches"], self.sums[0][self.HITS] + self.sums[0][self.MISSES])
        self.assertEqual([mask["y"] for mask in views["menu"]["masks"]], [160, 240, 80])
        self.assertEqual([line["screen"] for line in lines if line["type"] == "grid"], ["plain"])
        self.assertNotIn("secret-offer", json.dumps(lines))

    def test_controls_of_a_store_of_a_release(self):
        """What is hidden is not taken for zero."""
        self.release("--week", "2026-W45", "--counts", "controls")
        store = self.folder / "release.db"
        self.touchgrid("import", "--check", self.out)
        self.touchgrid("import", self.out, "-o", store)
        self.touchgrid("store", "check", "--store", store)
        self.touchgrid("report", "--store", store, "-o", self.folder / "report.html")
        screen, = json.loads(self.touchgrid("controls", "--store", store, "--json"))["screens"]
        found = {control["name"]: control for control in screen["controls"]}
        self.assertEqual({name: control["verdict"] for name, control in found.items()}, {
            "pay": "missed", "help": "covered", "legal": "covered", "unused": "covered"})
        pay = found["pay"]
        self.assertEqual([pay[name] for name in ("hits", "nearMisses", "sessions", "missed")], [
            self.sums[0][place] for place in (self.HITS, self.MISSES, self.SESSIONS, self.MISSES)])
        for name in ("retried", "beside", "rageRuns", "rageTaps", "rageSessions", "responses", "remedy",
                     "hitShareTwoMmLarger"):
            self.assertIsNone(pay[name], name)
        self.assertEqual(screen["sessions"], self.sums[0][self.SESSIONS])
        self.assertEqual(screen["notes"],
                         ["Where the misses lie is not known. Touches that aim at nothing are among them."])
        table = self.touchgrid("controls", "--store", store)
        self.assertIn("masked, or under others: not judged", table)

    def test_blocks_and_controls_of_the_same_touches_are_never_both_released(self):
        blocks, both = self.folder / "blocks", self.folder / "both"
        self.release("--week", "2026-W45", out=blocks)
        self.assertEqual({line["type"] for line in self.lines(blocks)}, {"day", "view", "grid"})
        said = self.release("--week", "2026-W45", "--counts", "controls", out=both)
        self.assertIn("controls of 1 screen are left out", said)
        self.assertEqual(self.lines(both), self.lines(blocks))

    def test_kinds_that_are_in_no_release(self):
        for kind, reason in (("flow", "they are in no release: changes to and from a screen"),
                             ("panel", "they are in no release: each is of one device"),
                             ("control", "there are no counts of this kind"),
                             ("a b", "there are no counts of this kind")):
            with self.subTest(kind=kind):
                self.assertIn(f"--counts {kind}: {reason}",
                              self.release("--week", "2026-W45", "--counts", kind, status=1))
        self.assertFalse((self.root / "releases").exists())
