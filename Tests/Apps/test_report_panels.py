"""The touchscreens in the page of `touchgrid report`, in a real Chromium: their state, their picture and what to do."""

import json
import re
import unittest

import report_page
from touchgrid_test.axe import violations
from touchgrid_test.report_store import decoded
from touchgrid_test.waiting import ROOT

DEAD = {"kind": "line", "cause": "deadLine", "since": "2026-11-18", "evidence": 30.5, "falseAlarmsPerYear": 1 / 48,
        "direction": "vertical", "lines": [23, 23], "distanceMm": [200, 205], "edge": "the left edge",
        "place": {"direction": "vertical", "lines": [41, 41], "of": 64, "edge": "left"}, "zones": [], "hours": [],
        "headline": "", "text": "Since 2026-11-18, the panel senses badly.", "remedy": ""}
JITTER = {**DEAD, "kind": "jitter", "cause": "surface", "since": "2026-11-10", "falseAlarmsPerYear": 0.01, "direction": None,
          "lines": None, "distanceMm": None, "edge": None, "place": None, "zones": [0, 1]}
DEAD_FRAME = {"finding": 0, "column": 40, "row": 0, "columns": 1, "rows": 48}
ZONES = [{"finding": 1, "column": column, "row": 0, "columns": 8, "rows": 8} for column in (0, 8)]


def setUpModule():
    global folder, page, report, chromium
    folder, _, page, report, chromium = report_page.made()


tearDownModule = report_page.removed


class Touchscreens(report_page.Shown):
    maxDiff = None

    def shown(self, panels, findings=None, **size):
        """Shows the page of the report with other states of touchscreens: that of the store has few days."""
        data = {**report, "panels": panels}
        if findings is not None:
            data["findings"] = findings
        with open(page, encoding="utf-8") as file:
            text = file.read()
        made = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        path = folder + "/panels.html"
        with open(path, "w", encoding="utf-8") as file:
            file.write(re.sub(r'(id="touchgrid-data">).*?(</script>)', lambda match: match[1] + made + match[2], text,
                              flags=re.S))
        self.show(path=path, **size)

    def panel(self, findings=(), frames=(), **members):
        known = report["panels"][0]
        return {**known, "state": "faulty" if findings else known["state"], "findings": list(findings),
                "picture": {**known["picture"], "frames": list(frames)}, **members}

    def texts(self, query):
        return chromium.run(f"[...document.querySelectorAll({json.dumps(query)})].map((each) => each.innerText)")

    def named(self, number=1):
        """Returns the facts of a touchscreen, by name."""
        return chromium.run(f"""[...document.querySelectorAll('#touchscreen-{number} dt')]
          .map((name) => [name.innerText, name.nextElementSibling.innerText])""")

    def test_the_touchscreen_of_the_store_has_too_few_days(self):
        panel = report["panels"][0]
        self.assertEqual(panel["state"], "good")
        self.assertGreater(panel["days"], 3)
        self.show()
        self.assertEqual(self.texts(".touchscreen .state"),
                         [f"No fault found in {panel['days']} days. "
                          f"To find each kind takes {28 - panel['days']} more days with touches"])
        self.assertEqual([name for name, _ in self.named()], ["Judged by"])
        self.assertEqual(self.texts(".finding.broken"), [])
        # One place for all about touchscreens.
        self.assertEqual(chromium.run("[...document.querySelectorAll('h2')].filter((head) => head.id === 'devices').length"), 1)

    def test_the_picture_has_every_touch_and_is_a_table_too(self):
        picture = report["panels"][0]["picture"]
        touches, _ = decoded(picture["touches"], picture["columns"] * picture["rows"])
        cells = [cell for cell, count in enumerate(touches) if count]
        self.assertGreater(len(cells), 100)
        self.show()
        drawn, alone = chromium.run("""(() => {
          const canvas = document.querySelector('.plate canvas');
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          const painted = [...data.keys()].filter((at) => at % 4 === 3 && data[at]).map((at) => (at - 3) / 4);
          return [painted, [canvas.width, canvas.height]]; })()""")
        self.assertEqual((drawn, alone), (cells, [picture["columns"], picture["rows"]]))
        chromium.run("document.querySelector('.touchscreen details').open = true")
        self.settle()
        self.assertEqual(chromium.run("document.querySelectorAll('.touchscreen .regions .tint').length"), 9)

    def test_a_faulty_touchscreen_is_what_to_change_and_says_what_to_do(self):
        good = self.panel(state="good", days=30, isRecent=True, neededSwipes=None, device="usb-good", name="Left")
        self.shown([good, self.panel([DEAD, JITTER], [DEAD_FRAME, *ZONES], name="Right <b>")])
        headline = "A vertical line is probably dead."
        other = "Fingers that rest are reported with more jitter than before."
        summary = f"{headline} It is 200 to 205 mm from the left edge. Since 2026-11-18. {other} Since 2026-11-10."
        self.assertEqual(self.texts(".findings li")[0], f"Touchscreen\n\u2068Right <b>\u2069: {summary}")
        self.assertEqual(self.texts(".touchscreen .state"), ["No fault found in 30 days", "2 faults found"])
        self.assertEqual(self.texts(".touchscreen h4"), [headline, other])
        named = self.named(2)
        self.assertEqual(named[:4], [
            ["Since", "2026-11-18"], ["Where", "200 to 205 mm from the left edge · line 41 of 64"],
            ["How sure", "A healthy panel has such a finding less than once in 48 years."],
            ["Likely cause", "An electrode or its connection is broken."]])
        self.assertIn("replace the panel", named[4][1])
        self.assertEqual(named[6:8], [["Where", "top left"],
                                      ["How sure", "A healthy panel has such a finding less than once in 100 years."]])
        chromium.run("document.querySelector('.finding.broken a').click()")
        self.assertEqual(chromium.run("location.hash"), "#touchscreen-2")
        # The details have the numbers, in the words of the command.
        chromium.run("document.querySelector('.faults details').open = true")
        self.settle()
        self.assertEqual(self.texts(".faults details p"), ["Since 2026-11-18, the panel senses badly."])

    def test_ghosts_name_their_hours_and_what_they_do_to_the_report(self):
        ghosts = {**JITTER, "kind": "ghosts", "cause": "sun", "zones": [], "hours": [9, 12, 13, 14]}
        self.shown([self.panel([ghosts], name="Right")])
        self.assertEqual(self.texts(".findings li")[0],
                         "Touchscreen\nThe panel reports touches that nobody made. Since 2026-11-10.")
        named = dict(self.named(1))
        self.assertEqual(named["When"], "9 to 10, 12 to 15 o’clock")
        self.assertIn("are in the numbers and the maps", named["In this report"])

    def test_frames_lie_over_the_lines_of_the_picture(self):
        for width in (1280, 390):
            self.shown([self.panel([DEAD, JITTER], [DEAD_FRAME, *ZONES])], width=width)
            plate, *frames = chromium.run("""['.plate canvas', '.plate .fault'].flatMap((query) =>
              [...document.querySelectorAll(query)]).map((part) => {
                const {left, top, width, height} = part.getBoundingClientRect();
                return [left, top, width, height]; })""")
            self.assertGreater(plate[2], 200)
            parts = [[(left - plate[0]) / plate[2], (top - plate[1]) / plate[3], wide / plate[2], high / plate[3]]
                     for left, top, wide, high in frames]
            expected = [[40 / 64, 0, 1 / 64, 1], [0, 0, 1 / 8, 1 / 6], [1 / 8, 0, 1 / 8, 1 / 6]]
            for part, wanted in zip(parts, expected, strict=True):
                for one, two in zip(part, wanted):
                    self.assertAlmostEqual(one, two, 2)
            # One number for each finding.
            self.assertEqual(self.texts(".plate .fault"), ["1", "2", ""])
            self.assertLessEqual(chromium.run("document.documentElement.scrollWidth"), width)

    def test_a_report_without_other_findings_still_names_a_fault(self):
        self.shown([self.panel([DEAD], [DEAD_FRAME])], findings=[])
        self.assertEqual(len(self.texts(".finding")), 1)

    def test_nothing_is_claimed_of_touchscreens_without_touches_or_without_an_answer(self):
        self.shown([self.panel(state="untouched", touches=0, days=0, firstDay=None, lastDay=None)])
        self.assertEqual(self.texts(".touchscreen .state"), ["Nothing is known of its state: no touch was counted yet"])
        self.assertEqual(chromium.run("document.querySelectorAll('.touchscreen canvas').length"), 0)
        self.shown(None)
        self.assertIn("Whether the touchscreens are still good could not be read.", chromium.run("document.body.innerText"))
        self.shown([])
        self.assertEqual(self.texts(".touchscreen"), [])
        self.assertNotIn("could not be read", chromium.run("document.body.innerText"))

    def test_it_has_no_barrier_in_any_scheme_and_size(self):
        for scheme in ("light", "dark"):
            for width in (1280, 390):
                self.shown([self.panel([DEAD, JITTER], [DEAD_FRAME, *ZONES])], width=width, scheme=scheme)
                self.assertEqual(violations(chromium, runOnly=["wcag2a", "wcag2aa", "wcag22aa"]), [], (scheme, width))


class Documents(unittest.TestCase):
    def test_the_page_of_the_report_names_every_member_of_a_touchscreen(self):
        text = (ROOT / "docs/report.md").read_text() + (ROOT / "docs/panel.md").read_text()
        panel = report["panels"][0]
        for name in [*panel, *panel["picture"], *DEAD_FRAME, *DEAD]:
            self.assertIn(f"`{name}`", text)
