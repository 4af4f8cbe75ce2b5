"""The report in another language than English: nothing in it stays English, but names and what the command says."""

import copy
import datetime
import json
import pathlib
import re

from case import CONFIGURATION, CockpitCase, fingers
from pages import ChromiumPage
from texts import LANGUAGE, REPORT, translated, translation, used
from touchgrid_test.daemon import Daemon
from touchgrid_test.report_store import picture, recorded, replayed, run
from touchgrid_test.waiting import ROOT

# `gather` adds to `seen` each text of some elements of the report, and each attribute that is read out. `everything` does so
# for all settings.
GATHER = """window.seen = new Set();
window.place = document.querySelector('.screens .touchgrid-report');
window.gather = (selector = '*') => {
  for (const each of [...place.querySelectorAll(selector), document.getElementById('said')]) {
    const nodes = [...each.childNodes];
    if (nodes.some((node) => node.nodeType === 3 && node.data.trim())) {
      seen.add(nodes.map((node) => node.nodeType === 3 ? node.data : `|${node.textContent}|`).join(''));
    }
    for (const name of ['title', 'aria-label', 'aria-roledescription', 'label', 'placeholder', 'alt']) {
      if (each.getAttribute(name)) seen.add(each.getAttribute(name));
    }
  }
};
window.opened = async () => {
  place.querySelectorAll('details').forEach((details) => { details.open = true; });
  await new Promise((done) => setTimeout(done, 50));
  gather();
  place.querySelectorAll('details').forEach((details) => { details.open = false; });
};
window.choose = (id, value) => {
  const list = place.querySelector('#' + id);
  list.value = value;
  list.dispatchEvent(new Event('change'));
};
window.everything = async () => {
  place.querySelectorAll('.toolbar input[type=checkbox], .toolbar input[value=linear]').forEach((input) => input.click());
  for (const layer of ['taps', 'trail', 'dwell']) {
    place.querySelector(`input[name=layer][value=${layer}]`).click();
    for (const value of ['mean', 'sum', 'rate']) {
      choose('value', value);
      await opened();
      for (const stage of place.querySelectorAll('section.screen .stage')) {
        for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowUp']) {
          stage.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey: key === 'ArrowUp', bubbles: true}));
          gather('.tip *');
        }
        // There is a mask on one of the screens.
        const {x, y, width, height} = stage.getBoundingClientRect();
        stage.dispatchEvent(new PointerEvent('pointermove', {clientX: x + 0.3 * width, clientY: y + 0.5 * height}));
        gather('.tip *');
      }
    }
  }
  for (const {value} of place.querySelectorAll('#choice option')) {
    choose('choice', value);
    gather();
  }
};
"""
SHOW = "import('./report/report.js').then(({showReport}) => showReport(%s, place)).then(opened).then(() => 0)"


def days_of(first, step, like):
    """Returns 36 days with sessions, `step` days apart."""
    return [{**like, "day": str(datetime.date.fromisoformat(first) + datetime.timedelta(step * index))} for index in range(36)]


def touchscreens():
    """Returns states of touchscreens: with every fault, and with everything that is not known."""
    kinds = ["drift", "distortion", "jitter", "rate", "ghosts", "silence"]
    causes = ["splitLine", "deadLine", "deadBand", "calibration", "power", "sun", "water", "controller", "surface", "absent"]
    picture = {"columns": 64, "rows": 48, "shape": 1.5, "isSeen": True, "days": 28, "touches": "AAEAAAcA", "frames": []}
    usual = {"device": "usb-1", "name": "Panel", "state": "good", "text": "", "days": 30, "neededDays": 28,
             "firstDay": "2026-11-01", "lastDay": "2026-11-30", "isRecent": True, "touches": 9, "unknown": [], "neededSwipes": None, "findings": [],
             "unusedLines": {"vertical": [], "horizontal": []}, "picture": picture}
    found = {"kind": "line", "cause": "deadLine", "since": "2026-11-18", "falseAlarmsPerYear": 0.01, "distanceMm": None,
             "place": None, "hours": [9, 12, 13], "text": "It was 1.5 mm."}
    faults = [{**found, "kind": kind, "cause": cause}
              for kind, cause in zip(["line", *kinds] + ["line"] * 3, causes, strict=True)]
    frames = [{"finding": 0, "column": column, "row": row, "columns": 8, "rows": 8} for column in (0, 24, 56) for row in (0, 24, 40)]
    for edge in ("left", "top", "x", "y"):
        direction = "vertical" if edge in ("left", "x") else "horizontal"
        for cause in ("splitLine", "deadBand", "deadLine"):
            for last in (3, 4):
                faults.append({**found, "cause": cause, "distanceMm": [1, 2] if last == 4 else None,
                               "place": {"direction": direction, "lines": [3, last], "of": 64, "edge": edge}})
    yield {**usual, "state": "faulty", "findings": faults, "picture": {**picture, "frames": frames}}
    yield {**usual, "state": "faulty", "findings": faults[:1], "unknown": ["line", *kinds],
           "unusedLines": {"vertical": [1], "horizontal": [1, 2]}, "picture": {**picture, "isSeen": False, "touches": ""}}
    yield {**usual, "unknown": ["line"], "neededSwipes": 2, "unusedLines": {"vertical": [1, 2], "horizontal": [1]}}
    yield {**usual, "isRecent": False}
    yield usual
    yield {**usual, "days": 0}
    yield {**usual, "days": 1}
    yield {**usual, "state": "untouched", "touches": 0}


def variants(data):
    """Yields reports with what this kiosk does not have."""
    def control(**members):
        kept = next(each for screen in data["screens"] for layout in screen["controls"] for each in layout["controls"])
        return {**kept, **members}

    def changed(**members):
        made = {**copy.deepcopy(data), "comparison": None, "flows": None}
        made.update(members)
        return made

    lost = {"totals": None, "hours": None}
    like = next(day for day in data["days"] if day["totals"] and day["hours"])
    totals = like["totals"]
    place = {"screen": "menu", "display": "kiosk"}
    cell = {"x": 8, "y": 24.5, "blocks": 1, "before": 0.5, "now": 1.25, "low": 0.25, "high": 1.5, "q": 0.00001}
    compared = {**place, "compared": 4, "differences": 3, "cells": [cell, {**cell, "blocks": 4, "low": -2, "high": -1}]}
    difference = {**place, "control": "pay", "isDifferent": True, "a": {"value": 0.5}, "b": {"value": 0.25}, "q": 0.01}

    # Some days are lost, and everything is there.
    rich = changed(
        weekdays={"days": [1], "text": "mon"}, hours={"from": 8, "until": 12, "text": "8-12"}, tags={"build": "7"}, lastTouch=None,
        ghostsOutsideSessions=2, days=[{**data["days"][0], **lost}, *data["days"][1:-1],
                                       {**data["days"][-1], "totals": {**totals, "begun": totals["begun"] + 2, "swallowed": 2}}],
        lengths={**data["lengths"], "sessions": [1, 0, 2, 0, 1, 0, 1], "oneTouch": 1},
        comparison={"before": "the 9 days before", "level": 0.05,
                    "controls": [{**difference, "measure": "used"}, {**difference, "measure": "hit"}],
                    "screens": [compared, {**compared, "differences": 2}], "onlyNow": ["menu"], "onlyBefore": ["product"]},
        panels=list(touchscreens()),
        findings=[{"kind": kind, "text": "menu", "screen": 0, "controls": [], "places": [[1, 2, 3, 4]]} for kind in
                  ("missed", "dead", "slow", "rage", "gesture", "stray", "lost", "hesitation", "changed", "untouched",
                   "undescribed")])
    for screen, shown in zip(rich["screens"], (500, 200_000, 2_000_000, 3_600_000, 4_000_000)):
        for each in screen["maps"].values():
            each["shownMs"] = shown
    rich["flows"] = copy.deepcopy(data["flows"])
    rich["flows"].update(hiddenSteps=2)
    rich["flows"]["screens"][0].update(oneTouchSessions=1)
    rich["choices"][1].update(kind="month")
    screen = next(screen for screen in rich["screens"] if screen["controls"])
    turned = copy.deepcopy(screen)
    turned["geometry"].update(rotation=90, scale=1.5)
    turned["remark"] = "menu"
    turned["spots"] = [{"number": number, "kind": kind, "touches": 20, "share": 0.25,
                        "rectangle": {"x": 8, "y": 16, "width": 64, "height": 48}}
                       for number, kind in ((1, "control"), (2, "mask"))]
    layout = screen["controls"][0]
    screen["controls"].append({**layout, "notes": ["menu"], "controls": [
        control(shortOf="menu", hits=90, missed=10, hitShare={"value": 0.9, "low": 0.8, "high": 0.95})]})
    rich["screens"].append(turned)
    yield rich
    # Nothing is left but maps, and too little was compared.
    yield changed(days=[{**data["days"][0], **lost}], screens=[], findings=[], ghostsOutsideSessions=0, comparison={
        "before": "the 9 days before", "level": 0.05, "controls": [], "screens": [], "onlyNow": [], "onlyBefore": []})
    yield changed(days=[{**day, **lost} for day in data["days"]], devices=[{**each, "tally": None} for each in data["devices"]],
                  comparison={"before": "the 9 days before", "level": 0.05, "controls": [], "onlyNow": [], "onlyBefore": [],
                              "screens": [{**place, "compared": 1, "differences": 0, "cells": []}]})
    # No findings, wrong totals, days over half a year, over the other half, and over ten years.
    wrong = changed(findings=[], days=days_of("2026-01-05", 5, {**like, "totals": {**like["totals"], "begun": 10 ** 6}}))
    for screen in wrong["screens"]:
        screen["controls"] = [{**layout, "controls": [control(verdict="good")]} for layout in screen["controls"]]
    yield wrong
    few = changed(findings=[], days=days_of("2026-07-06", 5, like))
    for screen in few["screens"]:
        screen["controls"] = [{**layout, "controls": [control(verdict="tooFew")]} for layout in screen["controls"]]
    yield few
    yield changed(findings=[], screens=[], days=days_of("2016-07-04", 100, like))
    yield changed(days=[], screens=[], sessions=[], findings=[], panels=None, lastTouch=None)
    yield changed(days=[], screens=[], sessions=[], findings=[], devices=[], panels=[])


def names(data):
    """Returns the names in a report, and what the command has put into words."""
    yield from ["Touchgrid", data["title"], data["made"]["text"], data["program"], data["span"]]
    yield data["span"][0].upper() + data["span"][1:]
    yield from (f"{key}={value}" for key, value in data["tags"].items())
    yield from (data[name]["text"] for name in ("weekdays", "hours", "lastTouch") if data[name])
    yield from (choice["name"] for choice in data["choices"])
    yield from (session["ending"] for session in data["sessions"])
    yield from (finding["text"] for finding in data["findings"])
    for device in data["devices"]:
        yield from [device["key"], *device["displays"], *([device["name"]] if device["name"] else [])]
    for panel in data["panels"] or []:
        yield from [panel["device"], *([panel["name"]] if panel["name"] else [])]
        yield from (finding["text"] for finding in panel["findings"])
    for screen in data["screens"]:
        yield from [screen["screen"], screen["display"], *([screen["remark"]] if screen["remark"] else [])]
        for layout in screen["controls"]:
            yield from layout["notes"]
            yield from (text for each in layout["controls"] for text in (each["name"], each["advice"], each["shortOf"]) if text)
    for funnel in (data["flows"] or {"funnels": []})["funnels"]:
        yield funnel["name"]
    if data["comparison"]:
        yield data["comparison"]["before"]


class Translated(CockpitCase):
    maxDiff = None
    browser = ChromiumPage

    def setUp(self):
        super().setUp()
        month = (ROOT / "Recordings/kiosk-month.toml").read_text()
        self.daemon = Daemon(CONFIGURATION + month[month.index("[[mask]]"):])
        self.addCleanup(self.daemon.close)
        replayed(self.daemon.folder, recorded(self.daemon.folder, "days", days=20, visits=1))
        self.daemon.start(fingers())
        self.cockpit = self.console(self.daemon)
        translation(pathlib.Path(self.cockpit.folder, "data/cockpit/touchgrid"))
        picture(f"{self.cockpit.pictures}/menu.png", 1280, 800)

    def shown(self):
        """Returns the page, and the data of reports like the one that it shows."""
        page = self.page()
        page.browser.call("Network.setCookie", name="CockpitLang", value=LANGUAGE, url=self.cockpit.page())
        page.open(self.cockpit.page("/screens"))
        page.waits(".screens .span")
        page.run("document.querySelector('#period').value = ''")
        page.click(".screens button[type=submit]")
        page.waits(".screens .span", "All days")
        return page, json.loads(run("touchgrid", "report", "--json", "--socket", self.daemon.socket).stdout)

    def test_the_report_has_no_english_text_and_shows_every_translation(self):
        page, data = self.shown()
        self.assertEqual(page.run("cockpit.language"), LANGUAGE)
        page.run(f"void (() => {{ {GATHER} }})()")
        page.run("opened().then(everything).then(() => 0)")
        reports = [data, *variants(data)]
        for report in reports[1:]:
            page.run(SHOW % json.dumps(report))
        seen = page.run("[...seen]")
        # A name is no part of a word.
        known = sorted({name for report in reports for name in names(report)}, key=len, reverse=True)
        name = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(map(re.escape, known))})(?![A-Za-z])")
        self.assertEqual([text for text in seen if re.search(r"[A-Za-z]", name.sub("", text))], [])
        # No sentence is made of parts.
        self.assertEqual([text for text in seen if re.search(r"[^.]⟧ ?⟦", text)], [])
        everything = "\n".join(seen)

        def is_seen(text):
            return re.search(r".*?".join(re.escape(part) for part in re.split(r"\$\d", translated(text))), everything)

        self.assertEqual({texts for module in REPORT.glob("*.js") for texts in used(module) if not any(map(is_seen, texts))},
                         set())
        self.assertEqual(page.complaints(), [])
