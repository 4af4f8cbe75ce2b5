"""The report on live data: the numbers of the command, and a file to keep."""

import os

from case import GROUPS, PANEL, CockpitCase, touched
from pages import ChromiumPage, FirefoxPage
from test_live import LAYERS, strokes
from touchgrid_test.report_store import run
from touchgrid_test.waiting import until


# Shows reports in place of the page's: the same, one with a screen less, the same again, off the page, and with the same
# data. Returns after each what there is: the text, and the numbers of observed and of all elements.
AGAIN = """import('./report/report.js').then(({showReport}) => {
  const place = document.querySelector('.screens .touchgrid-report'), parent = place.parentElement, data = %s;
  data.findings = data.screens.map(({screen}, index) => ({kind: 'missed', text: screen, screen: index, controls: [], places: []}));
  const {observe, disconnect} = ResizeObserver.prototype, counts = new WeakMap(), before = JSON.stringify(data);
  let observed = 0;
  ResizeObserver.prototype.observe = function (...all) {
    observed++;
    counts.set(this, (counts.get(this) ?? 0) + 1);
    return observe.apply(this, all);
  };
  ResizeObserver.prototype.disconnect = function () {
    observed -= counts.get(this) ?? 0;
    counts.delete(this);
    return disconnect.call(this);
  };
  const shown = (report) => {
    showReport(report, place);
    return [place.textContent, observed, place.querySelectorAll('*').length];
  };
  const states = [shown(data), shown({...data, screens: data.screens.slice(1), findings: []}), shown(data)];
  place.remove();
  states.push(shown(data));
  parent.append(place);
  return [...states, shown(JSON.parse(before))];
})"""
# To which screen the finding about each screen leads, and their names.
LEADS = """(() => {
  const links = [...document.querySelectorAll('.screens .finding a')];
  return [links.map((link) => document.querySelector(`${link.getAttribute('href')} h3`).textContent),
    links.map((link) => link.textContent)]; })()"""


class Screens(CockpitCase):
    def setUp(self):
        super().setUp()
        person = strokes().shows("pay")
        for x in (0.2, 0.2, 0.7):
            person.tap(PANEL, (x, 0.4)).wait(0.1)
        self.daemon = self.kiosk(person.wait(2), "[session]\nidle_timeout = \"1s\"\n")
        # The store has the session once it is over.
        until(lambda: len(touched(self.daemon, "taps")) == 2 and not self.daemon.call("GetStatus").get("session"), "both screens")

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
        page.select(".screens #value", "sum")
        for layer in LAYERS:
            with self.subTest(layer=layer):
                page.run(f"document.querySelector('.screens input[name=layer][value={layer}]').click()")
                expected = touched(self.daemon, layer)
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
        kiosk = self.kiosk(strokes().down(PANEL, [(0.5, 0.5)]), "[store]\ncheckpoint = \"10m\"\n")
        kiosk.has_counted(12)
        page = CockpitCase.opened(self, kiosk, "/screens")
        page.waits(".screens .progress", "As of")
        self.assertEqual(page.texts(".screens .notices"), [""])

    def test_a_span_without_sessions_says_so_and_a_wrong_one_what_is_wrong(self):
        page = self.opened()
        page.select("#period", "other")
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

    def test_a_report_can_be_shown_again_and_off_the_page_and_leaves_nothing(self):
        page = self.opened()
        data = run("touchgrid", "report", "--json", "--socket", self.daemon.socket).stdout.decode()
        states = page.run(AGAIN % data)
        first, other, *again = states
        self.assertGreater(first[1], other[1])
        self.assertEqual(again, [first] * 3)
        leads, names = page.run(LEADS)
        self.assertEqual(leads, names)
        self.assertEqual(len(leads), 2)
        self.assertEqual(page.complaints(), [])

    def test_a_dark_page_is_printed_on_light_paper(self):
        page = self.opened()
        page.style("dark")
        colours = ("[getComputedStyle(document.querySelector('.screens h2')).color,"
                   "getComputedStyle(document.querySelector('.screens .screen')).backgroundColor]")
        until(lambda: page.run(colours) == ["rgb(240, 237, 244)", "rgb(28, 26, 35)"], lambda: page.run(colours))
        page.browser.sized(794, 1123, scheme="dark", media="print")
        self.assertEqual(page.run(colours), ["rgb(0, 0, 0)", "rgb(255, 255, 255)"])


del Screens
