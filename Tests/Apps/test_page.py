"""docs/apps.md and the tutorial of TouchgridAPI contain the examples exactly as they are in their
files."""

import re
import unittest

from support import APPS
from touchgrid_test.waiting import ROOT

TUTORIAL = ROOT / "Sources/Service/TouchgridAPI/TouchgridAPI.docc/NameYourScreens.md"


def excerpts(page):
    return re.findall(r"^```\w+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


class Page(unittest.TestCase):
    def setUp(self):
        self.page = (ROOT / "docs/apps.md").read_text()

    def test_every_excerpt_is_part_of_an_example(self):
        examples = [path.read_text() for path in APPS.rglob("*")
                    if path.is_file() and path.name != "Package.resolved"]
        found = excerpts(self.page)
        self.assertGreater(len(found), 5)
        for excerpt in found:
            self.assertTrue(any(excerpt in example for example in examples), excerpt)

    def test_every_linked_file_exists(self):
        links = re.findall(r"\]\((\.\./[^)#]+)\)", self.page)
        self.assertGreater(len(links), 8)
        for link in links:
            self.assertTrue((ROOT / "docs" / link).exists(), link)


class Tutorial(unittest.TestCase):
    def test_it_shows_every_line_of_the_example_in_its_order(self):
        # `test_kiosks.Swift` builds this example and runs it with a daemon.
        manifest, *parts = excerpts(TUTORIAL.read_text())
        self.assertEqual(manifest, (APPS / "swift/Package.swift").read_text())
        program = (APPS / "swift/Sources/Kiosk/Kiosk.swift").read_text()
        self.assertGreater(len(parts), 5)

        def lines(text):
            return [line for line in text.splitlines() if line]

        self.assertEqual(lines("".join(parts)), lines(program))
