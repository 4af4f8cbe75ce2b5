"""A test of the page in a browser. If it fails, pictures of all pages are kept."""

import json
import subprocess
import sys
import unittest

from console import Console
from touchgrid_test.daemon import Daemon, panels
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import BINARIES

VIEWS = ["live", "screens", "areas", "health"]
FRAME = "cockpit1:localhost/touchgrid"
PANEL = "Panel"
DISPLAY, WIDTH, HEIGHT = "kiosk", 1280, 800
# Groups that every Debian has. Their members have these roles.
GROUPS = {"app": "news", "read": "games", "watch": "dialout"}
CONFIGURATION = (panels({PANEL: {"name": DISPLAY, "width": WIDTH, "height": HEIGHT}})
                 + "[roles]\n" + "".join(f'{role} = "{group}"\n' for role, group in GROUPS.items()))


def fingers(lead=0.3):
    """Returns fingers on the panel. None touches for the first `lead` seconds."""
    return Fingers(PANEL).shows("stage").wait(lead)


def touched(daemon, layer, *options):
    """Returns the number of each touched block by screen, as `touchgrid heatmap` has it."""
    made = subprocess.run(
        [BINARIES / "touchgrid", "heatmap", "--layer", layer, "-o", "-", "--format", "json", *options, "--socket",
         daemon.socket], capture_output=True, check=False, text=True)
    # There is nothing to write before the first checkpoint.
    if made.returncode:
        return {}
    return {grid["screen"]: {f"{block % grid['geometry']['columns']}, {block // grid['geometry']['columns']}": count
                             for block, count in enumerate(grid["sum"]) if count}
            for grid in json.loads(made.stdout)["grids"]}


class CockpitCase(unittest.TestCase):
    """The base class of tests. `browser` is the class of the page, of which subclasses choose one."""

    browser = None

    def setUp(self):
        self.pages = []
        self.addCleanup(self.leave)

    def tearDown(self):
        # The daemon and Cockpit, which the pages show, are still there.
        result = self._outcome.result
        # The parts of a test that subTest makes know their test.
        if any(getattr(test, "test_case", test) is self for test, _ in result.failures + result.errors):
            for number, page in enumerate(self.pages):
                print(page.save(f"{self.id()}-{number}"), file=sys.stderr)

    def leave(self):
        for page in self.pages:
            page.close()

    def page(self, *arguments, **options):
        page = self.browser(*arguments, **options)
        self.pages.append(page)
        return page

    def kiosk(self, person=None, tables=""):
        """Starts the daemon of a kiosk with one panel, with these fingers on it, or with none. `tables` adds to its
        configuration."""
        kiosk = Daemon(CONFIGURATION + tables)
        self.addCleanup(kiosk.close)
        return kiosk.start(person or fingers())

    def console(self, kiosk, groups=None, beside=None):
        console = Console(kiosk.socket, groups, kiosk.config, beside)
        self.addCleanup(console.close)
        return console

    def opened(self, kiosk, view="/live", groups=None):
        """Returns the page at a view, in a session of root or of nobody with these groups."""
        page = self.page()
        page.open(self.console(kiosk, groups).page(view))
        return page

    def bubbles(self, page):
        """Returns the places of the bubbles, as parts of the stage's width and height, sorted."""
        return sorted(page.run(
            "(() => { const stage = document.querySelector('.live .stage')?.getBoundingClientRect();"
            "return [...document.querySelectorAll('.live .bubble:not(.ended)')].map((each) => {"
            "const {x, y, width, height} = each.getBoundingClientRect();"
            "return [(x + width / 2 - stage.x) / stage.width, (y + height / 2 - stage.y) / stage.height]; }); })()"))
