"""What the comparison of kiosks says about panels and controls: of simulated fleets, and from objects to the page."""

import datetime
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from support import DISPLAY, PACKAGE, Fleet, check_in_browser, control_set, count_line, write_day
from touchgrid_fleet import controls, page

sys.path.append(str(PACKAGE / "bench"))
import faults  # noqa: E402

MONDAY = datetime.date(2026, 11, 2)


class Simulated(unittest.TestCase):
    """The fleets of fleet/bench/faults.py, but smaller and fewer."""

    RUNS = range(1, 5)

    def test_planted_faults_are_named_and_nothing_else(self):
        missed = others = 0
        for seed in self.RUNS:
            fleet = faults.Fleet(seed, kiosks=100, days=14)
            names = faults.named(controls.find_faults(fleet.touched))
            missed += len(set(fleet.planted.values()) - names)
            others += len(names - set(fleet.planted.values()))
        self.assertLessEqual(missed, 1)
        self.assertEqual(others, 0)

    def test_fleets_without_faults_have_none(self):
        for kiosks in (6, 20, 100):
            with self.subTest(kiosks=kiosks):
                found = [controls.find_faults(faults.Fleet(seed, kiosks, days=7, is_faulty=False).touched)
                         for seed in self.RUNS]
                self.assertTrue(all(each.panels == kiosks and each.controls == 40 for each in found))
                self.assertLessEqual(sum(bool(each.found) for each in found), 1)

    def test_one_day_tells_nothing(self):
        found = controls.find_faults(faults.Fleet(1, kiosks=20, days=1).touched)
        self.assertEqual((found.panels, found.controls, found.found), (0, 0, []))


class Variance(unittest.TestCase):
    def test_values_that_stand_out_do_not_hide_themselves(self):
        chance = np.random.default_rng(3)
        noise = chance.uniform(0.01, 1, 2000)
        distance = chance.normal(0, np.sqrt(0.25 + noise))
        self.assertAlmostEqual(controls.natural_variance(distance, noise), 0.25, 1)
        distance[:200] = 50
        self.assertLess(controls.natural_variance(distance, noise), 0.5)

    def test_there_may_be_none(self):
        chance = np.random.default_rng(4)
        self.assertLess(controls.natural_variance(chance.normal(0, 1, 500), np.ones(500)), 0.2)
        self.assertEqual(controls.natural_variance(chance.normal(0, 0.5, 500), np.ones(500)), 0)


class FromObjects(unittest.TestCase):
    """Ten kiosks with eight buttons. The panel of k3 is shifted by 3 mm to the right; on k5 half of the touches miss
    ‘pay’ and lie low; everywhere a third misses ‘terms’. On k6 a mask covers ‘back’, so that all its touches miss.
    Nobody misses ‘help’ on k1, which is no fault."""

    NAMES = ("pay", "back", "terms", "help", "cart", "start", "langua\u202ege", "<b>stop</b>")
    VIEW = {"screen": "checkout", "display": "HDMI-A-1", "geometry": DISPLAY}
    # 25 x 15 mm.
    SUBJECT = control_set(VIEW, [(name, 100 + 250 * (at % 3), 100 + 200 * (at // 3), 100, 60)
                                 for at, name in enumerate(NAMES)])

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="touchgrid-faults."))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.fleet, chance, cls.sums = Fleet(cls.folder / "fleet"), np.random.default_rng(7), {}
        for kiosk in range(10):
            for number in range(7):
                counts = cls.counts(chance, kiosk)
                touches = sum(counts.get(47 * at + place, 0) for at in range(8) for place in (0, 6))
                masks = [{"x": 340.0, "y": 90.0, "width": 120.0, "height": 80.0}] if kiosk == 6 else []
                views = {("checkout", "HDMI-A-1"): {"sessions": 60, "taps": {9: (touches, touches ** 2, 1)},
                                                    "masks": masks}}
                lines = [count_line(counts, cls.SUBJECT, "controls", 60)]
                # Too few kiosks, or too few touches.
                for screen in ("about", "back")[:2 if kiosk < 2 else 1 if kiosk < 6 else 0]:
                    views[screen, "HDMI-A-1"] = {"sessions": 60, "taps": {9: (2, 2, 2)}}
                    subject = control_set(cls.VIEW | {"screen": screen}, [("rare", 0, 0, 9, 9)])
                    lines.append(count_line({0: 2}, subject, "controls", 2))
                write_day(cls.fleet.root, f"k{kiosk}", MONDAY + datetime.timedelta(number), 60, views, counts=lines)
        cls.fleet.roll_up()
        status, output, log = cls.fleet.run("compare", "--json", "-o", cls.folder / "page.html")
        if status:
            raise AssertionError(log)
        cls.json, cls.html = json.loads(output), (cls.folder / "page.html").read_text()

    @classmethod
    def counts(cls, chance, kiosk):
        """A day's counts, which are added to `sums` too."""
        counts = {}
        for at, name in enumerate(cls.NAMES):
            touches = int(chance.poisson(80)) + 9
            share = {("pay", 5): 0.5, ("help", 1): 0}.get((name, kiosk), 0.33 if name == "terms" else 0.04)
            misses = touches if (name, kiosk) == ("back", 6) else int(chance.binomial(touches, share))
            x = chance.normal(12 if kiosk == 3 else 0, 6, touches).round().astype(int)
            y = chance.normal(20 if (name, kiosk) == ("pay", 5) else 0, 6, touches).round().astype(int)
            for first, mine in ((0, slice(misses, None)), (6, slice(misses))):
                own = [len(x[mine]), x[mine].sum(), y[mine].sum(), (x[mine] ** 2).sum(), (y[mine] ** 2).sum()]
                counts |= {47 * at + first + place: int(value) for place, value in enumerate(own)}
            # The near misses lie up to 1 mm below it.
            counts[47 * at + 12 + 3 * 5] = misses
            sums = cls.sums.setdefault((kiosk, name), np.zeros(4, int))
            sums += [touches, misses, x.sum(), y.sum()]
        return {place: count for place, count in counts.items() if count}

    def fault(self, *names):
        """The only fault with this kind, kiosk and control."""
        found = [fault for fault in self.json["faults"]
                 if (fault["kind"], fault.get("kiosk"), fault.get("control")) == names]
        self.assertEqual(len(found), 1, self.json["faults"])
        return found[0]

    def test_the_planted_faults_are_named_and_nothing_else(self):
        self.assertEqual((self.json["panelsTested"], self.json["controlsTested"]), (10, 8))
        self.assertEqual([(fault["kind"], fault.get("kiosk"), fault.get("control")) for fault in self.json["faults"]],
                         [("panel", "k3", None), ("everywhere", None, "terms"), ("kiosk", "k5", "pay")])

    def test_the_numbers_are_those_of_the_objects(self):
        fault, (touches, misses, x, y) = self.fault("kiosk", "k5", "pay"), self.sums[5, "pay"]
        self.assertEqual((fault["touches"], fault["misses"]), (touches, misses))
        self.assertAlmostEqual(fault["missShare"], misses / touches)
        self.assertAlmostEqual(fault["elsewhere"], 0.04, 1)
        for number, total in enumerate((x, y)):
            self.assertAlmostEqual(fault["offsetMm"][number], total / touches / 4)
            self.assertAlmostEqual(fault["offsetElsewhereMm"][number], 0, 0)
        self.assertEqual(fault["rectangle"], {"x": 100, "y": 100, "width": 100, "height": 60})
        self.assertEqual((fault["screen"], fault["display"], fault["geometry"]), tuple(self.VIEW.values()))
        # The shifted panel takes no part.
        others = [kiosk for kiosk in range(10) if kiosk != 3]
        fault = self.fault("everywhere", None, "terms")
        self.assertEqual((fault["touches"], fault["misses"]),
                         tuple(sum(self.sums[kiosk, "terms"][number] for kiosk in others) for number in (0, 1)))
        shifts = [self.sums[3, name][2] / self.sums[3, name][0] / 4 for name in self.NAMES]
        self.assertAlmostEqual(self.fault("panel", "k3", None)["offsetMm"][0], np.median(shifts), 1)

    def test_the_page_says_what_to_do(self):
        self.assertRegex(self.html, r"<h3>k3</h3>.*This panel is shifted: touches lie [23]\.\d\u202fmm farther "
                                    "right than elsewhere. Calibrate it.")
        self.assertRegex(self.html, r"<h3>k5</h3>.*[45]\d\.\d\u202f% of the \d{3} touches miss ‘pay’ of ‘checkout’, "
                                    r"elsewhere \d\.\d\u202f%. Touches lie [45]\.\d\u202fmm lower than elsewhere.")
        self.assertRegex(self.html, r"<h3>terms</h3>.*At all kiosks.* of the [\d\u202f]+ touches miss ‘terms’ of ‘checkout’, "
                                    "of other controls")
        self.assertIn("<strong>3</strong><span class=\"quiet\">faults</span>", self.html)

    def test_a_browser_shows_it_without_complaint_at_both_widths(self):
        check_in_browser(self, self.folder / "page.html")

    def test_names_of_controls_are_made_fit_for_html(self):
        control = controls.Control(("s<", "d", 1024, 768, 1.0, 0, 16), self.NAMES[-1], 0.25, (0, 0, 9, 9))
        fault = controls.Fault("kiosk", "k1", "d", control, 9, 5, 0.5, 0.1, (0.0, 0.0), (0.0, 0.0), 0.0, 0.0)
        self.assertEqual(list(page.fault_sentences(fault)), [
            "50.0\u202f% of the 9 touches miss ‘&lt;b&gt;stop&lt;/b&gt;’ of ‘s&lt;’, elsewhere 10.0\u202f%."])

    def test_directions(self):
        for offset, words in (((3.0, 0.5), "3.0\u202fmm farther right"),
                              ((-1.0, -2.0), "1.0\u202fmm farther left and 2.0\u202fmm higher"),
                              ((0.1, 2.0), "2.0\u202fmm lower")):
            self.assertEqual(page.away(*offset), words)
