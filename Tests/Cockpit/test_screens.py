"""The report on live data: the numbers of the command, and a file to keep."""

import json
import os
import subprocess

from case import CockpitCase
from kiosk import GROUPS, PANEL
from pages import ChromiumPage, FirefoxPage
from support import BINARIES, until
from test_live import LAYERS, strokes


class Screens(CockpitCase):
    def setUp(self):
        super().setUp()
        person = strokes().shows("pay")
        for x in (0.2, 0.2, 0.7):
            person.land(PANEL, [(x, 0.4)]).wait(0.1).lift(PANEL).wait(0.1)
        self.daemon = self.kiosk("[session]\nidle_timeout = \"1s\"\n").play(person.wait(2))
        # The store has the session once it is over.
        until(lambda: len(self.grids("taps")) == 2 and not self.daemon.ask("GetStatus").get("session"), "both screens")

    def grids(self, layer):
        """Returns the number of each touched block by screen, as the command has it."""
        made = subprocess.run(
            [BINARIES / "touchgrid", "heatmap", "--layer", layer, "-o", "-", "--format", "json", "--socket",
             self.daemon.socket], capture_output=True, check=False, text=True)
        # There is nothing to write before the first checkpoint.
        if made.returncode:
            return {}
        return {grid["screen"]: {f"{block % grid['geometry']['columns']}, {block // grid['geometry']['columns']}": count
                                 for block, count in enumerate(grid["sum"]) if count}
                for grid in json.loads(made.stdout)["grids"]}

    def shown(self, page):
        """Returns the same from the tables of the page."""
        page.run("document.querySelectorAll('.screens .screen details.folded').forEach((each) => { each.open = true; })")
        tables = page.run(
            "[...document.querySelectorAll('.screens section.screen')].map((screen) => [screen.querySelector('h3').textContent,"
            "[...screen.querySelectorAll('details.folded tbody tr')].map((row) => [...row.cells].map((cell) =>"
            " cell.textContent))])")
        return {name: {place: int(value.split()[0].replace(",", "")) for place, _, value, _ in rows}
                for name, rows in tables}

    def opened(self, *arguments, **options):
        page = super().opened(self.daemon, "/screens", *arguments, **options)
        page.waits(".screens .progress", "As of")
        return page

    def test_every_block_has_the_number_that_the_command_has(self):
        page = self.opened()
        page.run("(() => { const list = document.querySelector('.screens #value'); list.value = 'sum';"
                 "list.dispatchEvent(new Event('change')); })()")
        for layer in LAYERS:
            with self.subTest(layer=layer):
                page.run(f"document.querySelector('.screens input[name=layer][value={layer}]').click()")
                expected = self.grids(layer)
                until(lambda expected=expected: self.shown(page) == expected,
                      lambda expected=expected: f"{expected}, not {self.shown(page)}")
        self.assertEqual(page.complaints(), [])

    def test_a_card_leads_to_its_screen_and_not_out_of_the_report(self):
        page = self.opened()
        page.click(".screens .card", "pay")
        until(lambda: page.run("[...document.querySelectorAll('.screens section.screen')].find((each) =>"
                               " each.querySelector('h3').textContent === 'pay').contains(document.activeElement)"),
              "the focus in the section of pay")
        self.assertEqual(page.run("location.hash"), "#/screens")
        top, toolbar = page.run("[document.activeElement.closest('section').getBoundingClientRect().top,"
                                " document.querySelector('.screens .toolbar').getBoundingClientRect().bottom]")
        self.assertGreaterEqual(top, toolbar)
        self.assertNotIn("touchgrid-data", page.text(".screens footer"))
        self.assertEqual(page.complaints(), [])


class ScreensInFirefox(Screens):
    browser = FirefoxPage


class ScreensInChromium(Screens):
    browser = ChromiumPage

    def test_a_session_that_is_not_in_the_store_yet_spoils_no_report(self):
        kiosk = self.kiosk("[store]\ncheckpoint = \"10m\"\n").play(strokes().land(PANEL, [(0.5, 0.5)]))
        kiosk.has_counted(12)
        page = CockpitCase.opened(self, kiosk, "/screens")
        page.waits(".screens .progress", "As of")
        self.assertEqual(page.texts(".screens .notices"), [""])

    def test_a_span_without_sessions_says_so_and_a_wrong_one_what_is_wrong(self):
        page = self.opened()
        page.run("(() => { const list = document.querySelector('#period'); list.value = 'other';"
                 "list.dispatchEvent(new Event('change')); })()")
        page.run("void (document.querySelector('#until').value = '2020-01-01')")
        page.click(".screens button[type=submit]")
        page.waits(".screens .notice", "No session")
        page.run("void (document.querySelector('#weekdays').value = 'someday')")
        page.click(".screens button[type=submit]")
        page.waits(".screens .notices", "someday")
        self.assertEqual(page.complaints(), [])

    def test_the_report_is_saved_as_the_file_that_the_command_writes(self):
        page = self.opened(groups=[GROUPS["read"]])
        folder = self.daemon.folder + "/saved"
        os.mkdir(folder)
        os.chmod(folder, 0o777)
        page.browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=folder)
        page.click(".screens [data-action=save]")
        [name] = until(lambda: [name for name in os.listdir(folder) if name.endswith(".html")], "a saved report")
        until(lambda: os.path.getsize(f"{folder}/{name}"), "the report's contents")
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("<!doctype html>") and text.rstrip().endswith("</html>"))
        self.assertIn('"screen":"pay"', text.replace(" ", ""))


del Screens
