"""Proposed controls of the month at a kiosk, whose buttons nobody described: how many of the true ones they find, and what
the report shows of them."""

import json
import subprocess
import tempfile
import tomllib

import report_page
from touchgrid_test.axe import violations
from touchgrid_test.browser import Chromium
from touchgrid_test.report_store import embedded, from_csv, recorded, replayed, run
from touchgrid_test.waiting import BINARIES, ROOT

SCREENS = ROOT / "Recordings/screens"
SIDES = ("x", "y", "width", "height")


def setUpModule():
    global folder, store, page
    folder = tempfile.mkdtemp(prefix="touchgrid-proposals.")
    store = replayed(folder, recorded(folder, "month", days=30, visits=14), isDescribed=False)
    page = folder + "/report.html"
    run("touchgrid", "report", "-o", page, "--store", store, "--screens", SCREENS)
    report_page.folder, report_page.chromium = folder, Chromium("--hide-scrollbars")
    report_page.chromium.watch()


tearDownModule = report_page.removed


def proposed(*options):
    return run("touchgrid", "control", "--propose", "--store", store, *options).stdout.decode()


def area(rectangle):
    return rectangle["width"] * rectangle["height"]


def overlap(one, other):
    across, down = (min(one[at] + one[side], other[at] + other[side]) - max(one[at], other[at])
                    for at, side in (("x", "width"), ("y", "height")))
    return max(0, across) * max(0, down)


def is_middle_in(spot, button):
    return all(button[at] <= spot[at] + spot[side] / 2 <= button[at] + button[side]
               for at, side in (("x", "width"), ("y", "height")))


class Proposals(report_page.Shown):
    def show(self, *arguments, **options):
        super().show(*arguments, path=page, **options)

    def spots(self, *options):
        return {screen["screen"]: screen["spots"] for screen in json.loads(proposed("--json", *options))["screens"]}

    def buttons(self):
        """Returns the true buttons with at least 30 taps, by screen. The keypad of the payment is masked."""
        with open(ROOT / "Recordings/kiosk-month.toml", "rb") as file:
            controls = tomllib.load(file)["control"]
        grids = {key[0]: sums for key, (sums, _) in from_csv(store, "taps").items()}

        def taps(button):
            return sum(count for block, count in enumerate(grids[button["screen"]])
                       if is_middle_in({"x": block % 80 * 16, "y": block // 80 * 16, "width": 16, "height": 16}, button))
        found = {}
        for button in controls:
            if button["name"] != "card" and taps(button) >= 30:
                found.setdefault(button["screen"], []).append(button)
        return found

    def test_nine_of_ten_buttons_are_found_and_at_most_one_other_place_a_screen(self):
        spots, buttons = self.spots("--screens", SCREENS), self.buttons()
        missing, every = [], sum(map(len, buttons.values()))
        self.assertGreaterEqual(every, 14)
        for screen, own in buttons.items():
            for button in own:
                if not any(spot["kind"] == "control" and is_middle_in(spot["rectangle"], button)
                           and 2 * overlap(spot["rectangle"], button) >= max(area(spot["rectangle"]), area(button))
                           for spot in spots[screen]):
                    missing.append(button["name"])
        self.assertLessEqual(len(missing), every / 10, f"{missing} of {every}: {spots}")
        # The headline of the menu, and places beside "remove" and below "pay", which people tap by mistake.
        dead = {"menu": [(640, 112)], "checkout/pay": [(1100, 264), (998, 780)]}
        for screen, all_of_screen in spots.items():
            others = [spot for spot in all_of_screen
                      if not any(is_middle_in(spot["rectangle"], button) for button in buttons.get(screen, ()))
                      and not any(is_middle_in({"x": x, "y": y, "width": 0, "height": 0}, spot["rectangle"])
                                  for x, y in dead.get(screen, ()))]
            self.assertLessEqual(len(others), 1, f"{screen}: {others}")

    def test_a_spot_with_a_shape_has_its_edges_and_no_spot_touches_the_mask(self):
        spots = self.spots("--screens", SCREENS)
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
        spots = self.spots("--screens", SCREENS)
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
