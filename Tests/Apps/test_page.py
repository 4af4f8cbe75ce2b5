"""docs/apps.md contains the examples exactly as they are in their files."""

import re
import unittest

from support import APPS, ROOT


class Page(unittest.TestCase):
    def setUp(self):
        self.page = (ROOT / "docs/apps.md").read_text()

    def test_every_excerpt_is_part_of_an_example(self):
        examples = [path.read_text() for path in APPS.rglob("*")
                    if path.is_file() and path.name != "Package.resolved"]
        excerpts = re.findall(r"^```\w+\n(.*?)^```$", self.page, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(excerpts), 6)
        for excerpt in excerpts:
            self.assertTrue(any(excerpt in example for example in examples), excerpt)

    def test_every_linked_file_exists(self):
        links = re.findall(r"\]\((\.\./[^)#]+)\)", self.page)
        self.assertGreater(len(links), 8)
        for link in links:
            self.assertTrue((ROOT / "docs" / link).exists(), link)


if __name__ == "__main__":
    unittest.main()
