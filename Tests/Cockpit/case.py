"""A test of the page in a browser. If it fails, pictures of all pages are kept."""

import sys
import unittest

from console import Console
from kiosk import Kiosk

VIEWS = ["live", "screens", "areas", "health"]
FRAME = "cockpit1:localhost/touchgrid"


class CockpitCase(unittest.TestCase):
    """The base class of tests. `browser` is the class of the page, of which subclasses choose one."""

    browser = None

    def setUp(self):
        self.pages = []
        self.addCleanup(self.leave)

    def leave(self):
        result = self._outcome.result
        # The parts of a test that subTest makes know their test.
        if any(getattr(test, "test_case", test) is self for test, _ in result.failures + result.errors):
            for number, page in enumerate(self.pages):
                print(page.save(f"{self.id().removeprefix('__main__.')}-{number}"), file=sys.stderr)
        for page in self.pages:
            page.close()

    def page(self, *arguments, **options):
        page = self.browser(*arguments, **options)
        self.pages.append(page)
        return page

    def kiosk(self, tables=""):
        kiosk = Kiosk(tables)
        self.addCleanup(kiosk.close)
        return kiosk

    def console(self, kiosk, groups=None, beside=None):
        console = Console(kiosk.socket, groups, kiosk.config, beside)
        self.addCleanup(console.close)
        return console

    def opened(self, kiosk, view="/live", groups=None):
        """Returns the page at a view, in a session of root or of nobody with these groups."""
        page = self.page()
        page.open(self.console(kiosk, groups).page(view))
        return page
