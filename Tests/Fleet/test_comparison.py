"""The comparison of kiosks: how often it finds chance, what it finds, and its page."""

import base64
import datetime
import hashlib
import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np
from support import DISPLAY, Fleet, check_in_browser, write_day
from touchgrid_fleet import comparison, page
from touchgrid_fleet.comparison import Counted, Totals, View

MONDAY = datetime.date(2026, 11, 2)
HOSTILE = '</title><script>hacked=1</script>"\'&\u202e\x07'


class Simulation:
    """Kiosks that are all alike, but for what is planted. People differ by a gamma distribution of
    `shape`, the taps of a session depend on each other, and some repeat a tap six times."""

    SCREENS, PARTS = 3, 4

    def __init__(self, seed, kiosks=20, days=7, daily=40, taps=8.0, shape=1.0, planted=None):
        chance = np.random.default_rng(seed)
        regions = self.PARTS ** 2
        weights = chance.dirichlet(np.full(regions, 0.5), self.SCREENS)
        shares = chance.uniform(0.2, 0.95, self.SCREENS)
        self.sessions = np.zeros((4, kiosks, 1))
        self.shares = np.zeros((self.SCREENS, 4, kiosks, 1))
        self.taps = np.zeros((self.SCREENS, 4, kiosks, regions))
        for kiosk in range(kiosks):
            for _ in range(days):
                count = chance.poisson(daily) + 1
                people = chance.gamma(shape, 1 / shape, count)
                self.add(self.sessions, kiosk, 1, count)
                for screen in range(self.SCREENS):
                    shown = chance.random(count) < shares[screen]
                    self.add(self.shares[screen], kiosk, count, shown.sum())
                    mean = weights[screen].copy()
                    if planted and planted[0] == kiosk:
                        # The region that is used most.
                        mean[mean.argmax()] *= planted[1]
                    counts = chance.poisson(people[shown, None] * taps * mean)
                    counts[chance.random(counts.shape) < 0.02] *= 6
                    self.add(self.taps[screen], kiosk, shown.sum(), counts.sum(0))
        self.most = weights.argmax(1)
        self.names = [f"k{number:02}" for number in range(kiosks)]

    @staticmethod
    def add(totals, kiosk, exposure, total):
        if exposure:
            total = np.atleast_1d(total)
            ones = np.ones_like(total)
            totals[:, kiosk] += [ones, exposure * ones, total, total ** 2 / exposure]

    def compare(self, groups=None):
        views = [(View((f"s{number}", "HDMI-A-1", 1024, 768, 1.0, 0, 16), self.PARTS),
                  Totals(*self.shares[number]), Totals(*self.taps[number])) for number in range(self.SCREENS)]
        counted = Counted(self.names, ("2026-11-02", "2026-11-08"), Totals(*self.sessions), views)
        if groups is None:
            groups = {f"g{at}": self.names[at:at + 5] for at in range(0, 15, 5)}
        return comparison.compare(counted, groups)


class Chance(unittest.TestCase):
    def share(self, pages=120, change=lambda simulation: None, **options):
        """The share of pages with a finding."""
        found = 0
        for seed in range(pages):
            simulation = Simulation(seed, **options)
            change(simulation)
            result = simulation.compare()
            self.assertGreater(result.tests, 50)
            found += bool(result.findings)
        return found / pages

    def test_kiosks_that_are_alike_seldom_differ(self):
        for options in ({}, {"days": 2}, {"kiosks": 3}, {"shape": 0.3}, {"daily": 8},
                        {"days": 1, "daily": 200}):
            with self.subTest(**options):
                # 5 % and two standard errors of 120 pages.
                self.assertLessEqual(self.share(**options), 0.09)

    def test_taken_for_independent_taps_would_often_seem_to_differ(self):
        def independent(simulation):
            # The variance of a Poisson distribution: the mean.
            for totals in simulation.taps:
                units, exposure, total, squares = totals
                np.divide(total ** 2, exposure, out=squares, where=exposure > 0)
                mean = np.divide(total, exposure, out=np.zeros_like(total), where=exposure > 0)
                squares += mean * (units - 1)

        self.assertGreater(self.share(pages=20, change=independent), 0.5)

    def test_a_difference_is_found(self):
        for factor in (0.5, 2):
            found = others = 0
            for seed in range(20):
                simulation = Simulation(seed, daily=100, planted=(4, factor))
                findings = simulation.compare({}).findings
                mine = [finding for finding in findings if finding.name == "k04" and finding.measure == "taps"
                        and finding.region == simulation.most[int(finding.view.key[0][1:])]]
                for finding in mine:
                    self.assertEqual(finding.mean > finding.elsewhere, factor > 1)
                    self.assertFalse(finding.low <= 0 <= finding.high)
                found += len(mine)
                others += len(findings) - len(mine)
            with self.subTest(factor=factor):
                self.assertGreater(found / (20 * Simulation.SCREENS), 0.6)
                self.assertLess(others / max(1, found), 0.1)

    def test_a_few_that_differ_much_do_not_make_the_others_differ(self):
        """Of some kiosks get many taps in a region. The others are alike, but fewer than the mean of all."""
        for kiosks, different, factor in ((20, 5, 6), (20, 9, 3), (6, 2, 4)):
            shares, found = [], 0
            for seed in range(40):
                simulation = Simulation(seed, kiosks=kiosks, daily=60)
                region, (_, _, total, squares) = simulation.most[0], simulation.taps[0]
                total[:different, region] *= factor
                squares[:different, region] *= factor ** 2
                findings = simulation.compare({}).findings
                right = sum(finding.region == region and finding.view.key[0] == "s0"
                            and finding.name in simulation.names[:different] for finding in findings)
                shares.append(1 - right / len(findings) if findings else 0)
                found += right
            with self.subTest(kiosks=kiosks, different=different, factor=factor):
                # 5 % and two standard errors.
                self.assertLessEqual(np.mean(shares), 0.05 + 2 * np.std(shares) / 40 ** 0.5)
                self.assertGreater(found, 10)

    def test_q_is_that_of_benjamini_and_hochberg(self):
        # The example of their paper of 1995: four of fifteen at 5 %.
        p = np.array([0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
                      0.5719, 0.6528, 0.7590, 1.0])
        q = comparison.adjust(p[::-1])[::-1]
        self.assertEqual((q <= 0.05).sum(), 4)
        self.assertAlmostEqual(q[3], 0.0095 * 15 / 4)


class Regions(unittest.TestCase):
    def test_masks_reach_into_regions(self):
        view = View(("menu", "d", 1024, 768, 1.0, 0, 16), 4)
        cases = [((0, 0, 1024, 768), set(range(16))), ((0, 0, 16, 16), {0}), ((255, 0, 2, 1), {0, 1}),
                 ((256, 192, 256, 192), {5}), ((1000, 760, 24, 8), {15}),
                 ((0, 700, 1024, 68), {12, 13, 14, 15})]
        for (x, y, width, height), regions in cases:
            with self.subTest(mask=(x, y)):
                mask = {"x": x, "y": y, "width": width, "height": height}
                self.assertEqual(comparison.regions_of([mask], view), regions)

    def test_more_taps_allow_smaller_regions(self):
        self.assertEqual([comparison.partition(taps, 10) for taps in (0, 4_800, 19_199, 19_200)],
                         [2, 4, 4, 8])


class Page(unittest.TestCase):
    """From the objects of kiosks to the page. On k3 the lower left of the menu is hardly tapped; the
    group north sees the screen of the hostile name more often; k5 masks the upper right."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="touchgrid-comparison."))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.root = cls.folder / "fleet"
        cls.fleet = Fleet(cls.root)
        chance = np.random.default_rng(5)
        cls.days = {}
        portrait = {**DISPLAY, "rotation": 90}
        for kiosk in range(10):
            for number in range(10):
                sessions, views = int(chance.poisson(80)) + 1, {}
                for screen, share in (("menu", 0.9), (HOSTILE, 0.5 if kiosk < 3 else 0.2)):
                    shown = max(1, int(chance.binomial(sessions, share)))
                    people = chance.gamma(1, 1, (shown, 1))
                    counts = chance.poisson(people * [0.4 if kiosk == 3 and screen == "menu" else 2, 2, 2, 2])
                    # In the middle of the quarters: lower left, lower right, upper left, upper right.
                    columns, rows = (48, 64) if kiosk > 7 else (64, 48)
                    blocks = [rows // 4 * down * columns + columns // 4 * across
                              for down, across in ((3, 1), (3, 3), (1, 1), (1, 3))]
                    view = {"sessions": shown, "geometry": portrait if kiosk > 7 else DISPLAY, "taps": {
                        block: (int(taps.sum()), int((taps ** 2).sum()), int((taps > 0).sum()))
                        for block, taps in zip(blocks, counts.T) if taps.any()}}
                    if kiosk == 5:
                        view["masks"] = [{"x": 600.0, "y": 0.0, "width": 424.0, "height": 300.0}]
                        view["taps"].pop(blocks[3], None)
                    view["trail"] = {block: (9 * taps, 99 * squares, touched)
                                     for block, (taps, squares, touched) in view["taps"].items()}
                    views[screen, "HDMI-A-1"] = view
                cls.days[kiosk, number] = sessions, views
                write_day(cls.root, f"k{kiosk}", MONDAY + datetime.timedelta(number), sessions, views)
        (cls.root / "fleet.toml").write_text("".join(
            f'[[kiosk]]\nname = "k{number}"\ngroup = "{"north" if number < 3 else "south <&>"}"\n'
            for number in range(8)))
        cls.fleet.roll_up()
        cls.file = cls.folder / "page.html"
        cls.json = json.loads(cls.compare("-o", cls.file, "--json"))
        cls.html = cls.file.read_text()

    @classmethod
    def compare(cls, *words, fleet=None, status=0):
        ended, said, log = (fleet or cls.fleet).run("compare", *words)
        if ended != status:
            raise AssertionError(f"{words}: status {status} expected, {ended} came: {log}")
        return log if status else said

    def test_the_planted_differences_are_found_and_nothing_else(self):
        found = {(f["kind"], f["name"], f["measure"], f.get("screen")) for f in self.json["findings"]}
        self.assertLessEqual({("kiosk", "k3", "taps", "menu"), ("group", "north", "share", HOSTILE)}, found)
        others = {entry for entry in found if entry[2:] != ("share", HOSTILE)}
        self.assertEqual(others, {("kiosk", "k3", "taps", "menu")})
        regions = [f["region"] for f in self.json["findings"] if f["measure"] == "taps"]
        for region in regions:
            self.assertLess(region["column"] * 2, region["columns"])
            self.assertGreaterEqual(region["row"] * 2, region["rows"])

    def test_the_numbers_are_those_of_the_objects(self):
        finding = next(f for f in self.json["findings"] if f["measure"] == "taps")
        taps = {True: [0, 0], False: [0, 0]}
        for (kiosk, _), (_, views) in self.days.items():
            view = views["menu", "HDMI-A-1"]
            if kiosk <= 7:      # the others have another geometry
                taps[kiosk == 3][0] += view["taps"].get(36 * 64 + 16, (0,))[0]
                taps[kiosk == 3][1] += view["sessions"]
        self.assertEqual((finding["total"], finding["exposure"]), tuple(taps[True]))
        self.assertAlmostEqual(finding["mean"], taps[True][0] / taps[True][1])
        self.assertAlmostEqual(finding["elsewhere"], taps[False][0] / taps[False][1])
        for entry in self.json["kiosks"]:
            days = [day for (kiosk, _), day in self.days.items() if f"k{kiosk}" == entry["kiosk"]]
            self.assertEqual(entry["sessions"], sum(sessions for sessions, _ in days))
            self.assertEqual(entry["taps"], sum(figures[0] for _, views in days for view in views.values()
                                                for figures in view["taps"].values()))

    def test_a_sentence_says_what_differs(self):
        self.assertRegex(self.html, r"On k3, ‘menu’ gets \d\d\u202f% fewer taps per session at the lower "
                                    r"left than elsewhere \(0\.\d+ against [12]\.\d\)\.")
        self.assertIn("In the group north, ‘&lt;/title&gt;", self.html)

    def test_the_page_is_closed_to_foreign_text(self):
        self.assertNotIn("<script", self.html)
        self.assertNotIn("\u202e", self.html)
        self.assertNotIn("\x07", self.html)
        self.assertIn("south &lt;&amp;&gt;", self.html)
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', self.html)[1]
        style = re.search(r"<style>(.*?)</style>", self.html, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        self.assertEqual(policy, f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
                                 "form-action 'none'")
        self.assertNotRegex(self.html, r"https?:|style=|\son\w+=|src=")

    def test_the_same_data_give_the_same_page(self):
        self.compare("-o", self.folder / "again.html")
        self.assertEqual((self.folder / "again.html").read_bytes(), self.file.read_bytes())

    def test_a_span(self):
        spans = [(("--days", 3), 3), (("--days", 99), 10),
                 (("--since", "2026-11-04", "--until", "2026-11-05"), 2)]
        for words, days in spans:
            found = json.loads(self.compare("--json", *words))
            self.assertEqual({entry["days"] for entry in found["kiosks"]}, {days})
        self.assertIn("1 or more", self.compare("--json", "--days", 0, status=1))

    def test_what_cannot_be_compared_is_said(self):
        self.assertIn("-o FILE", self.compare(status=1))
        self.assertIn("no day that was rolled up", self.compare(
            "--since", "2027-01-01", "--json", status=1))
        one = self.folder / "one"
        write_day(one, "k0", MONDAY, *self.days[0, 0])
        fleet = Fleet(one)
        fleet.roll_up()
        self.compare("-o", self.folder / "one.html", fleet=fleet)
        self.assertIn("Nothing could be compared", (self.folder / "one.html").read_text())

    def test_a_browser_shows_it_without_complaint_at_both_widths(self):
        check_in_browser(self, self.file)


class Words(unittest.TestCase):
    def test_comparisons(self):
        for mean, elsewhere, words in ((0.8, 1.4, "43\u202f% fewer taps"), (1.5, 1.0, "50\u202f% more taps"),
                                       (2.9, 1.0, "2.9 times as many taps"), (20, 1, "20 times as many taps"),
                                       (0.998, 1.0, "0.2\u202f% fewer taps")):
            self.assertEqual(page.compared(mean, elsewhere, "taps"), words)

    def test_numbers_differ_where_they_are_told_apart(self):
        for pair, words in (((0.8, 1.4), ("0.8", "1.4")), ((0.0312, 0.0314), ("0.0312", "0.0314")),
                            ((0, 0.02), ("0.000", "0.020")), ((41, 121), ("41", "121"))):
            self.assertEqual(page.pair(*pair), words)

    def test_places(self):
        self.assertEqual([page.thirds(region, 4) for region in (0, 2, 3, 5, 8, 15)],
                         ["at the upper left", "at the top", "at the upper right", "in the middle",
                          "at the left", "at the lower right"])
