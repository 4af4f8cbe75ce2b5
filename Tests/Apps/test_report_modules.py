"""The modules of the report's page, loaded one by one into another page, as the page in Cockpit does."""

import json
import shutil
import unittest

import report_page
from browser import pages
from firefox import Firefox
from report_store import run
from support import ROOT, until

MODULES = ROOT / "Sources/Insight/Reports/Page"

HOST = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src 'self' data:">
<title>Another page</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="report/report.css">
<link rel="stylesheet" href="report/page.css" id="page-style">
<script type="module" src="host.js"></script>
<main id="report" class="touchgrid-report"></main>
<div id="said" class="unseen" role="status"></div>
</html>
"""

SCRIPT = """import {showReport} from './report/report.js';

const place = document.getElementById('report');
window.problems = [];
window.addEventListener('securitypolicyviolation', ({violatedDirective}) => window.problems.push(violatedDirective));
window.addEventListener('error', ({message}) => window.problems.push(message));
window.addEventListener('unhandledrejection', ({reason}) => window.problems.push(String(reason)));
window.show = async (name) => {
  showReport(await (await fetch(`${name}.json`)).json(), place);
  document.body.dataset.shown = name;
};
// As if the reader had gone elsewhere before the report was there.
window.showDetached = async (name) => {
  place.remove();
  await window.show(name);
  document.body.prepend(place);
};
// Returns whether the data stay the same, and to which screen the finding about each screen leads.
window.showTwice = async (name) => {
  const data = await (await fetch(`${name}.json`)).json();
  data.findings = data.screens.map(({screen}, index) => ({kind: 'missed', text: screen, screen: index, controls: []}));
  const before = JSON.stringify(data);
  showReport(data, place);
  showReport(data, place);
  const links = [...place.querySelectorAll('.finding a')];
  return [JSON.stringify(data) === before, links.map((link) => link.textContent),
    links.map((link) => place.querySelector(`${link.getAttribute('href')} h3`).textContent)];
};
window.show('all');
"""

# Everything that the report says, and each number of its maps. What only the file says is left out.
WORDS = """(() => {
  document.querySelectorAll('details').forEach((details) => { details.open = true; });
  return new Promise((done) => setTimeout(() => done(document.getElementById('report').innerText
    .replace(/ The numbers are in this file.*/, '')), 200));
})()"""
PICTURES = "[...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL())"
# Counts the elements that are observed.
OBSERVED = """(() => {
  window.observed = 0;
  const {observe, disconnect} = ResizeObserver.prototype, counts = new WeakMap();
  ResizeObserver.prototype.observe = function (...all) {
    window.observed++;
    counts.set(this, (counts.get(this) ?? 0) + 1);
    return observe.apply(this, all);
  };
  ResizeObserver.prototype.disconnect = function () {
    window.observed -= counts.get(this) ?? 0;
    counts.delete(this);
    return disconnect.call(this);
  };
})()"""


def setUpModule():
    global folder, page, chromium, port, server
    folder, store, page, data, chromium = report_page.made()
    site = folder + "/site"
    shutil.copytree(MODULES, site + "/report")
    other = json.loads(run("touchgrid", "report", "--json", "--store", store, "--sessions", "0", "--title", "Another",
                           "--weekdays", "mon-sun").stdout)
    other["screens"] = other["screens"][:2]
    other["findings"] = []
    for name, content in (("index.html", HOST), ("host.js", SCRIPT), ("all.json", json.dumps(data)),
                          ("other.json", json.dumps(other))):
        with open(f"{site}/{name}", "w", encoding="utf-8") as file:
            file.write(content)
    server = pages(site)
    port = server.__enter__()


def tearDownModule():
    server.__exit__(None, None, None)
    report_page.removed()


class InChromium(unittest.TestCase):
    def setUp(self):
        chromium.sized(1280, 900)
        self.counter = chromium.call("Page.addScriptToEvaluateOnNewDocument", source=OBSERVED)["identifier"]

    def tearDown(self):
        chromium.call("Page.removeScriptToEvaluateOnNewDocument", identifier=self.counter)

    def host(self):
        chromium.load(page)
        chromium.said.clear()
        chromium.open(f"http://127.0.0.1:{port}/index.html")
        until(lambda: chromium.run("document.body?.dataset.shown") == "all", "the report in another page")

    def calm(self):
        """Checks that the page has neither violated its policy nor failed."""
        self.assertEqual(chromium.run("problems"), [])
        self.assertEqual([message for message in chromium.said if message["method"] in (
            "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")], [])

    def test_the_maps_and_numbers_are_those_of_the_file(self):
        chromium.load(page)
        expected = chromium.run(WORDS), chromium.run(PICTURES)
        self.assertGreater(len(expected[1]), 20)
        self.assertIn("The numbers are in this file", chromium.run("document.querySelector('footer').textContent"))
        self.host()
        self.assertNotIn("file", chromium.run("document.querySelector('footer').textContent"))
        self.assertEqual((chromium.run(WORDS), chromium.run(PICTURES)), expected)
        self.calm()

    def test_another_report_takes_the_place_of_the_first_and_leaves_nothing_of_it(self):
        self.host()
        first = chromium.run(WORDS), chromium.run("observed"), chromium.run("document.querySelectorAll('*').length")
        self.assertGreater(first[1], 0)
        chromium.run("show('other')")
        self.assertEqual(chromium.run("document.querySelector('h1').textContent"), "Another")
        self.assertEqual(chromium.run("[observed, document.querySelectorAll('section.screen').length]"), [4, 2])
        chromium.run("show('all')")
        self.assertEqual((chromium.run(WORDS), chromium.run("observed"),
                          chromium.run("document.querySelectorAll('*').length")), first)
        self.calm()

    def test_a_report_can_be_made_off_the_page(self):
        self.host()
        expected = chromium.run(WORDS)
        chromium.run("showDetached('other')")
        chromium.run("showDetached('all')")
        self.assertEqual(chromium.run(WORDS), expected)
        self.calm()

    def test_a_report_leaves_its_data_as_they_are_and_can_be_shown_again(self):
        self.host()
        is_same, findings, screens = chromium.run("showTwice('all')")
        self.assertTrue(is_same)
        self.assertGreater(len(findings), 8)
        self.assertEqual(screens, findings)
        self.calm()

    def test_links_in_another_page_leave_its_address_alone(self):
        self.host()
        for number, link in ((1, ".card[href='#screen-1']"), (3, ".card[href='#screen-3']")):
            chromium.run(f"document.querySelector(\"{link}\").click()")
            until(lambda number=number: chromium.run(
                f"Math.abs(document.getElementById('screen-{number}').getBoundingClientRect().top"
                " - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)) < 2"), "the screen")
            self.assertEqual(chromium.run("location.hash"), "")
        chromium.load(page)
        chromium.run("document.querySelector('.card').click()")
        self.assertEqual(chromium.run("location.hash"), "#screen-1")

    def test_a_dark_page_is_printed_on_light_paper(self):
        self.host()
        # Cockpit does not load the style of the file.
        chromium.run("void (document.getElementById('page-style').disabled = true,"
                     "document.documentElement.style.colorScheme = 'dark')")
        colours = ("[getComputedStyle(document.querySelector('h2')).color,"
                   "getComputedStyle(document.querySelector('.screen')).backgroundColor]")
        self.assertEqual(chromium.run(colours), ["rgb(240, 237, 244)", "rgb(28, 26, 35)"])
        chromium.sized(794, 1123, scheme="dark", media="print")
        self.assertEqual(chromium.run(colours), ["rgb(0, 0, 0)", "rgb(255, 255, 255)"])


class InFirefox(unittest.TestCase):
    def test_the_numbers_are_those_of_the_file(self):
        firefox = Firefox({}, size=(1280, 900))
        self.addCleanup(firefox.close)

        def words():
            return firefox.run(f"return {WORDS};")

        firefox.open(f"file://{page}")
        until(lambda: firefox.run("return document.readyState === 'complete' && document.querySelector('footer') !== null"),
              "the file")
        expected = words()
        self.assertGreater(len(expected), 10_000)
        firefox.open(f"http://127.0.0.1:{port}/index.html")
        until(lambda: firefox.run("return document.body?.dataset.shown") == "all", "the report in another page")
        self.assertEqual(words(), expected)
        self.assertEqual(firefox.run("return window.problems"), [])


if __name__ == "__main__":
    unittest.main()
