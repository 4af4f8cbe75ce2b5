"""`touchgrid report` in a real Chromium: its numbers, and what it says about them."""

import json
import subprocess
import tempfile
import unittest

import report_page
from touchgrid_test.report_store import from_csv, from_page, recorded, replayed, run
from touchgrid_test.waiting import ROOT

LAYERS = ("taps", "trail", "dwell")


def setUpModule():
    global folder, store, page, report, chromium
    folder, store, page, report, chromium = report_page.made()


tearDownModule = report_page.removed


class Month(unittest.TestCase):
    def test_findings_name_the_gestures_that_the_month_was_given_and_no_others(self):
        with tempfile.TemporaryDirectory(prefix="touchgrid-month.") as own:
            month = replayed(own, recorded(own, "month", days=30, visits=14))
            made = json.loads(run("touchgrid", "report", "--json", "--store", month).stdout)
        found = {finding["controls"][0]: finding for finding in made["findings"] if finding["kind"] == "gesture"}
        self.assertEqual(sorted(found), ["pay", "photo"])
        self.assertEqual(made["screens"][found["photo"]["screen"]]["screen"], "product")
        self.assertRegex(found["photo"]["text"], r"people swiped .* to the left, and nothing changed after all \d+ times ")
        self.assertRegex(found["pay"]["text"], r"^In \d+ of \d+ sessions people pressed .* for half a second or longer\.")
        unused = [name for finding in made["findings"] if finding["kind"] == "untouched" for name in finding["controls"]]
        self.assertEqual(sorted(unused), ["home", "smaller"])


class Numbers(report_page.Shown):
    def test_numbers_equal_those_of_heatmap_for_every_screen_layer_and_choice(self):
        day = next(choice["id"] for choice in report["choices"] if choice["kind"] == "day")
        session = report["sessions"][0]
        for layer in LAYERS:
            everything = from_csv(store, layer)
            self.assertGreater(len(everything), 8)
            self.assertEqual(from_page(report, "all", layer), everything)
            self.assertEqual(from_page(report, day, layer),
                             from_csv(store, layer, "--since", day, "--until", day))
            self.assertEqual(from_page(report, session["choice"], layer),
                             from_csv(store, layer, "--session", session["id"]))

    def test_json_is_the_data_of_the_page(self):
        made = json.loads(run("touchgrid", "report", "--json", "--store", store, "--sessions", "12", "--title",
                              report["title"]).stdout)
        self.assertEqual({**made, "made": None}, {**report, "made": None})

    def test_tooltips_and_colours_agree_with_the_numbers(self):
        for width, ratio in ((1280, 1), (390, 2), (1280, 2)):
            self.show(width, 844, ratio)
            last = [int(part) for part in chromium.run("colourAt(0.95)")[4:-1].split()] + [255]
            for layer, units in (("taps", "tap"), ("trail", "entr"), ("dwell", "ms")):
                self.choose(layer=layer)
                grids = from_page(report, "all", layer)
                for name, rotation in (("product", 0), ("product", 90)):
                    (sums, sessions), = (grid for key, grid in grids.items()
                                         if key[0] == name and key[5] == rotation)
                    number = self.number(name, rotation)
                    best = max(range(len(sums)), key=sums.__getitem__)
                    least = min((block for block in range(len(sums)) if sums[block]),
                                key=sums.__getitem__)
                    for block in (best, least):
                        told = self.hover(number, block)
                        columns = chromium.run(f"sections[{number}].screen.geometry.columns")
                        self.assertIn(f"{sums[block]:,} {units}", " ".join(told[:2]))
                        self.assertIn(f"of {sessions} session", told[2])
                        self.assertTrue(
                            told[-1].startswith(f"Block {block % columns}, {block // columns} · "), told)
                        self.assertEqual(self.colour(number, block)[3], 255)
                    self.assertEqual(self.colour(number, best), last)
                    untouched = sums.index(0)
                    self.assertEqual(self.colour(number, untouched), [0, 0, 0, 0])
                    self.assertEqual(len(self.hover(number, untouched)), 2)

    def test_maps_and_numbers_change_with_layer_value_and_sessions(self):
        self.show()
        number = self.number("product")
        what = (f"[sections[{number}].canvas.toDataURL(), sections[{number}].legend.textContent,"
                f"{report_page.rows(number)}, sections[{number}].numbers.textContent]")
        seen = [chromium.run(what)]
        for choice in ({"layer": "trail"}, {"layer": "dwell"}, {"value": "sum"}, {"value": "rate"}):
            self.choose(**choice)
            seen.append(chromium.run(what))
            self.assertNotEqual(seen[-1][1:3], seen[-2][1:3])
        self.assertEqual(len({canvas for canvas, *_ in seen[:3]}), 3)
        self.choose(scale="linear")
        self.assertNotEqual(chromium.run(what)[:2], seen[-1][:2])
        self.choose(layer="taps", value="sum", scale="log", choice=next(
            session["choice"] for session in reversed(report["sessions"]) if any(
                screen["screen"] == "product" and not screen["geometry"]["rotation"]
                and session["choice"] in screen["maps"] for screen in report["screens"])))
        after = chromium.run(what)
        self.assertTrue(all(new != old for new, old in zip(after, seen[0])), after[1:])
        self.assertTrue(after[1].startswith("1 session · "), after[1])


class WithoutTotals(report_page.Shown):
    def test_the_page_states_only_what_is_known(self):
        """Removes the totals of some days from the data. In old stores, days have no totals, and
        they cannot be computed once the sessions are dropped."""
        with open(page, encoding="utf-8") as file:
            text = file.read()
        start = text.index('id="touchgrid-data">') + len('id="touchgrid-data">')
        end = text.index("</script>", start)

        def without(days, swallowed=0):
            changed = json.loads(text[start:end])
            for day in changed["days"][:days]:
                day["totals"] = day["hours"] = None
            if swallowed:
                for total in ("begun", "swallowed"):
                    changed["days"][0]["totals"][total] += swallowed
            path = folder + "/lost.html"
            with open(path, "w", encoding="utf-8") as file:
                file.write(text[:start] + json.dumps(changed).replace("<", "\\u003c") + text[end:])
            self.show(path=path)
            return chromium.run("[document.querySelector('.figures').innerText,"
                                "document.querySelector('[aria-labelledby=books]').innerText,"
                                "document.querySelector('.charts').innerText]")

        def total(name, days):
            return sum(day["totals"][name] for day in days)

        days = report["days"]
        sessions = sum(day["sessions"] for day in days)
        figures, totals, charts = without(0)
        self.assertIn(f"{total('begun', days)}\ntouches", figures)
        self.assertIn("The totals add up: every touch that began is accounted for.", totals)
        self.assertNotIn("unknown", (totals + charts).lower())
        self.assertNotIn("did not get", totals)

        _, totals, _ = without(0, swallowed=7)
        self.assertIn("7\nswallowed", totals)
        self.assertIn("The app did not get 7 touches: they began in a cover", totals)
        self.assertIn("The totals add up", totals)

        lost = days[:3]
        figures, totals, charts = without(3)
        # The maps contain only the counted touches of these days, so there may have been more.
        least = total("begun", days[3:]) + total("counted", lost)
        self.assertIn(f"at least {least}\ntouches", figures)
        self.assertIn(f"This is known of {len(days) - 3} of {len(days)} days. Of the other 3 days "
                      f"({sum(day['sessions'] for day in lost)} sessions) only the maps are left", totals)
        self.assertIn(f"{total('masked', days[3:])}\nmasked", totals)
        self.assertIn("every touch that began on these days is accounted for", totals)
        known = sessions - sum(day["sessions"] for day in lost)
        self.assertIn(f"{known} of {sessions} sessions; the hours of the others are unknown", charts)

        figures, totals, charts = without(len(days))
        self.assertIn(f"at least {total('counted', days)}\ntouches", figures)
        self.assertIn(f"Of these {len(days)} days only the maps are left", totals)
        self.assertNotIn("add up", totals)
        self.assertNotIn("begun", totals)
        self.assertIn("Unknown", charts)


class Command(unittest.TestCase):
    def test_the_documented_script_reads_the_numbers_of_the_page(self):
        text = (ROOT / "docs/report.md").read_text()
        code = text.split("```python\n")[1].split("```")[0]
        said = subprocess.run(["python3", "-c", code, page], check=True, capture_output=True,
                              text=True).stdout
        for (name, *_), (sums, sessions) in from_csv(store, "taps").items():
            self.assertIn(f"{name} {sum(sums)} {max(sums)} {sessions}\n", said)
