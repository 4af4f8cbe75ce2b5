"""A report in a real Chromium, for tests of its numbers and of its page."""

import json
import shutil
import tempfile
import unittest

from touchgrid_test.browser import Chromium
from touchgrid_test.report_store import HOSTILE, embedded, recorded, replayed, run

# The box that makes the maps smooth.
SMOOTH = "[...document.querySelectorAll('.tick')].find((tick) => tick.textContent === 'Smooth')?.firstChild"


def rows(number):
    """Returns an expression for the numbers of a screen's most touched blocks."""
    return (f"sections[{number}].touchedBlocks().slice(0, 8).flatMap((block) =>"
            f" sections[{number}].row(block)).map((cell) => cell.text ?? cell).join()")


def made():
    """Makes a store of nine days on one geometry and two days on another, and its report. The names
    of the screens on the latter geometry are hostile. Returns their folder, the store, the path of
    the page, its data, and Chromium."""
    global folder, page, chromium
    folder = tempfile.mkdtemp(prefix="touchgrid-report.")
    store = replayed(folder, recorded(folder, "days", days=9, visits=1.2))
    replayed(folder, recorded(folder, "turned", days=2, visits=3, seed=3, renamed=HOSTILE),
             geometry="rotation = 90\nscale = 1.5\n")
    page = folder + "/report.html"
    run("touchgrid", "report", "-o", page, "--store", store, "--sessions", "12", "--title",
        "</title><script>hacked=1</script>")
    # Hide scroll bars, because they take up space on some machines only.
    chromium = Chromium("--hide-scrollbars")
    chromium.watch()
    return folder, store, page, embedded(page), chromium


def removed():
    chromium.close()
    shutil.rmtree(folder)


class Shown(unittest.TestCase):
    def show(self, width=1280, height=900, ratio=1, scheme="light", path=None):
        """Shows the page with exact blocks, whose colours tests compare."""
        chromium.said.clear()
        chromium.sized(width, height, ratio, scheme)
        chromium.load(path or page)
        chromium.run(f"{SMOOTH}?.click()")

    def tearDown(self):
        """Checks after each test that the page fetched nothing and reported no error."""
        chromium.call("Runtime.evaluate", expression="0")
        asked = chromium.fetched()
        self.assertEqual([url for url in asked if not url.startswith(("file:", "data:"))], [])
        self.assertLessEqual(sum(url.startswith("file:") for url in asked), 1)
        self.assertEqual(chromium.errors(), [])

    def settle(self):
        """Waits until the page has painted its changes."""
        chromium.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
                     ".then(() => 0)")

    def number(self, name, rotation=0):
        """Returns the index of the page's section for a screen."""
        return chromium.run(f"report.screens.findIndex((screen) => screen.screen === {json.dumps(name)}"
                            f" && screen.geometry.rotation === {rotation})")

    def choose(self, **settings):
        """Changes settings through the page's controls, as a reader does."""
        for name, value in settings.items():
            if name in ("layer", "scale"):
                chromium.run(f"document.querySelector('input[name={name}][value={value}]').click()")
            else:
                chromium.run(f"(() => {{ const list = document.getElementById('{name}');"
                             f"list.value = {json.dumps(value)}; list.dispatchEvent(new Event('change')); }})()")
        self.settle()

    def hover(self, number, block):
        """Points at the middle of a block and returns the texts of the tooltip, or None if there
        is no tooltip."""
        at = chromium.run(
            f"""(() => {{
              const {{stage, screen: {{geometry}}}} = sections[{number}];
              stage.scrollIntoView({{block: 'center', behavior: 'instant'}});
              const box = stage.getBoundingClientRect(), size = geometry.blockSize;
              const middle = (place, points) =>
                (place * size + Math.min((place + 1) * size, points)) / 2 / points;
              return [
                box.left + box.width * middle({block} % geometry.columns, geometry.width),
                box.top + box.height * middle(Math.floor({block} / geometry.columns), geometry.height)];
            }})()""")
        chromium.point(*at)
        self.settle()
        return chromium.run(f"sections[{number}].tip.hidden ? null"
                            f" : [...sections[{number}].tip.children].map((part) => part.textContent)")

    def colour(self, number, block):
        """Returns the colour of the canvas at the middle of a block."""
        return chromium.run(
            f"""(() => {{
              const {{canvas, screen: {{geometry}}}} = sections[{number}], size = geometry.blockSize;
              const x = ({block} % geometry.columns + 0.5) * size / geometry.width * canvas.width;
              const y = (Math.floor({block} / geometry.columns) + 0.5) * size / geometry.height * canvas.height;
              const probe = document.createElement('canvas').getContext('2d', {{willReadFrequently: true}});
              probe.drawImage(canvas, Math.floor(x), Math.floor(y), 1, 1, 0, 0, 1, 1);
              return [...probe.getImageData(0, 0, 1, 1).data];
            }})()""")
