"""Proposed controls of months at a kiosk, whose buttons nobody described: how many of the true ones they find, and what
the report shows of them. TOUCHGRID_SIMULATIONS=100 takes 100 months, and prints what was found."""

import json
import os
import shutil
import subprocess
import tempfile
import tomllib

import report_page
from touchgrid_test import month_truth
from touchgrid_test.axe import violations
from touchgrid_test.browser import Chromium
from touchgrid_test.report_store import embedded, replayed, run
from touchgrid_test.waiting import BINARIES, ROOT

ASKED = os.environ.get("TOUCHGRID_SIMULATIONS")
SEEDS = range(1, int(ASKED or 1) + 1)
SCREENS = ROOT / "Recordings/screens"
SIDES = ("x", "y", "width", "height")
# The headline of the menu, and places beside "remove" and below "pay", which people tap by mistake.
DEAD = {"menu": [(640, 112)], "checkout/pay": [(1100, 264), (998, 780)]}


def replayed_month(seed):
    """Returns the folder with the store of a month, and its buttons with at least 30 taps, by screen."""
    place = tempfile.mkdtemp(prefix="touchgrid-proposals.")
    month, taps = month_truth.Month(seed), {}
    with open(place + "/month.evemu", "w") as file:
        file.write(month.text)
    for touch in month.touches:
        if touch.screen in month_truth.CONTROLS and not touch.is_masked() and not touch.is_swipe():
            button, distance, _ = month_truth.match(month_truth.CONTROLS[touch.screen], *touch.point)
            if not distance:
                taps.setdefault((touch.screen, button), []).append(touch)
    buttons = {}
    for (screen, button), own in taps.items():
        if len(own) >= 30:
            buttons.setdefault(screen, []).append({"name": button.name, "x": button.left, "y": button.top,
                                                   "width": button.right - button.left,
                                                   "height": button.bottom - button.top})
    replayed(place, file.name, isDescribed=False)
    return place, buttons


def setUpModule():
    global folder, store, buttons, page
    folder, buttons = replayed_month(1)
    store, page = folder + "/touchgrid.db", folder + "/report.html"
    run("touchgrid", "report", "-o", page, "--store", store, "--screens", SCREENS)
    report_page.folder, report_page.chromium = folder, Chromium("--hide-scrollbars")
    report_page.chromium.watch()


tearDownModule = report_page.removed


def proposed(*options, place=None):
    return run("touchgrid", "control", "--propose", "--store", place or store, *options).stdout.decode()


def spots_of(*options, place=None):
    return {screen["screen"]: screen["spots"] for screen in json.loads(proposed("--json", *options, place=place))["screens"]}


def area(rectangle):
    return rectangle["width"] * rectangle["height"]


def overlap(one, other):
    across, down = (min(one[at] + one[side], other[at] + other[side]) - max(one[at], other[at])
                    for at, side in (("x", "width"), ("y", "height")))
    return max(0, across) * max(0, down)


def is_middle_in(spot, button):
    return all(button[at] <= spot[at] + spot[side] / 2 <= button[at] + button[side]
               for at, side in (("x", "width"), ("y", "height")))


def is_found(button, spots):
    return any(spot["kind"] == "control" and is_middle_in(spot["rectangle"], button)
               and 2 * overlap(spot["rectangle"], button) >= max(area(spot["rectangle"]), area(button)) for spot in spots)


class Proposals(report_page.Shown):
    def show(self, *arguments, **options):
        super().show(*arguments, path=page, **options)

    def test_nine_of_ten_buttons_are_found_and_at_most_one_other_place_a_screen(self):
        missing, every = {"shapes": [], "taps alone": []}, 0
        for seed in SEEDS:
            place, own_buttons = (folder, buttons) if seed == 1 else replayed_month(seed)
            every += sum(map(len, own_buttons.values()))
            for kind, options in (("shapes", ("--screens", SCREENS)), ("taps alone", ())):
                spots = spots_of(*options, place=place + "/touchgrid.db")
                missing[kind] += [button["name"] for screen, own in own_buttons.items() for button in own
                                  if not is_found(button, spots.get(screen, ()))]
                for screen, found in spots.items():
                    every_button = [{"x": one.left, "y": one.top, "width": one.right - one.left,
                                     "height": one.bottom - one.top} for one in month_truth.CONTROLS.get(screen, ())]
                    others = [spot for spot in found
                              if not any(is_middle_in(spot["rectangle"], button) for button in every_button)
                              and not any(is_middle_in({"x": x, "y": y, "width": 0, "height": 0}, spot["rectangle"])
                                          for x, y in DEAD.get(screen, ()))]
                    self.assertLessEqual(len(others), 1, f"seed {seed}, {screen}, {kind}: {others}")
            if seed > 1:
                shutil.rmtree(place)
        for kind, names in missing.items():
            if ASKED:
                print(f"{kind}: {every - len(names)} of {every} buttons found in {len(SEEDS)} months")
            self.assertLessEqual(len(names), every / 10, f"{kind}: {names} of {every}")
        self.assertGreaterEqual(every, 15 * len(SEEDS))

    def test_a_spot_with_a_shape_has_its_edges_and_no_spot_touches_the_mask(self):
        spots = spots_of("--screens", SCREENS)
        food = max(spots["menu"], key=lambda spot: spot["touches"])["rectangle"]
        for side, value in zip(SIDES, (128, 224, 435.2, 224)):
            self.assertAlmostEqual(food[side], value, delta=1)
        mask = {"x": 176, "y": 256, "width": 464, "height": 288}
        self.assertEqual([spot for spot in spots["checkout/pay"] if overlap(spot["rectangle"], mask)], [])

    def test_the_daemon_accepts_the_tables(self):
        tables = proposed("--toml", "--screens", SCREENS)
        config = folder + "/proposed.toml"
        with open(config, "w", encoding="utf-8") as file:
            file.write(tables)
        checked = subprocess.run([BINARIES / "touchgridd", "--check", "--config", config], capture_output=True,
                                 text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn({"screen": "menu", "name": "spot 1", "x": 128, "y": 224, "width": 435, "height": 224},
                      tomllib.loads(tables)["control"])

    def test_the_report_shows_numbered_spots_and_says_what_names_would_tell(self):
        report = embedded(page)
        spots = spots_of("--screens", SCREENS)
        self.assertEqual({screen["screen"]: screen["spots"] for screen in report["screens"]}, spots)
        [finding] = [finding for finding in report["findings"] if finding["kind"] == "undescribed"]
        self.assertIn("touchgrid control --propose", finding["text"])
        for width in (1280, 390):
            self.show(width)
            self.assertEqual(report_page.chromium.run("document.querySelector('.finding.undescribed a').textContent"),
                             finding["text"])
            section = f"sections[{self.number('menu')}]"
            labels = report_page.chromium.run(
                f"[...{section}.outlines.querySelectorAll('.spot')].map((spot) => spot.textContent)")
            self.assertEqual([label.split(" ")[0] for label in labels],
                             [str(spot["number"]) for spot in spots["menu"]])
            self.assertTrue(all(label.endswith("%") for label in labels), labels)
            beyond = report_page.chromium.run(
                f"(() => {{ const edge = {section}.stage.getBoundingClientRect(); return"
                f" [...{section}.outlines.querySelectorAll('.spot span')].map((label) => label.getBoundingClientRect())"
                ".filter((label) => label.left < edge.left || label.right > edge.right).length; })()")
            self.assertEqual(beyond, 0)
            covered = report_page.chromium.run(
                f"[...{section}.outlines.querySelectorAll('.spot')].filter((spot) => {{"
                "const [one, other] = [spot, spot.firstChild].map((each) => each.getBoundingClientRect());"
                "return one.bottom > other.top && other.bottom > one.top; }).map((spot) => spot.textContent)")
            self.assertEqual(covered, [])
            box, stage = report_page.chromium.run(
                f"[{section}.outlines.querySelector('.spot'), {section}.stage].map((each) => {{"
                "const {x, y, width} = each.getBoundingClientRect(); return [x, y, width]; })")
            first = spots["menu"][0]["rectangle"]
            self.assertAlmostEqual((box[0] - stage[0]) / stage[2], first["x"] / 1280, delta=0.01)
            self.assertAlmostEqual(box[2] / stage[2], first["width"] / 1280, delta=0.01)
            self.assertLessEqual(report_page.chromium.run("document.documentElement.scrollWidth"), width)
            rows = report_page.chromium.run(
                f"[...{section}.element.querySelectorAll('.controls tbody tr')].map((row) => row.cells[1].textContent)")
            self.assertEqual(rows, [f"{spot['touches']:,}" for spot in spots["menu"]])
            self.assertEqual(violations(
                report_page.chromium, runOnly=["wcag2a", "wcag2aa", "wcag22aa"]), [], width)
