"""touchgrid-follow finds the controls of pages in a real Chromium: each within a point of where it is, and those of pages
that it cannot place not at all."""

import contextlib
import json
import os
import struct
import time

from support import Following
from touchgrid_test.browser import pages
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import PATIENCE, until

# How many numbers a control has, and the places of its responses but the last, no change (docs/store-format.md).
NUMBERS, RESPONSES = 47, range(36, 45)

WIDTH, HEIGHT = 1280, 800

STYLE = "html, body { margin: 0; overflow: hidden; height: 100% } body > * { position: absolute; box-sizing: border-box }"

FIXED = f"""<!doctype html><meta charset=utf-8><style>{STYLE}</style><body>
<button id=pay style="left:640px;top:600px;width:300px;height:80px">Pay 14.50</button>
<a href="#help" style="left:20px;top:20px;width:101.5px;height:40.25px">Help 4711</a>
<div role=button aria-label="Order 20391 again" style="left:200px;top:100px;width:120px;height:60px"></div>
<div onclick="1" style="left:400px;top:100px;width:120px;height:60px"><span>Add</span></div>
<div onclick="1" style="left:560px;top:100px;width:120px;height:60px"><span>Add</span></div>
<input id=name value="Ada Lovelace" style="left:20px;top:300px;width:300px;height:40px">
<input type=password style="left:20px;top:360px;width:300px;height:40px">
<input autocomplete="section-a cc-number" style="left:20px;top:420px;width:300px;height:40px">
<button hidden style="left:800px;top:100px;width:120px;height:60px">Hidden</button>
<button disabled style="left:800px;top:180px;width:120px;height:60px">Disabled</button>
<button style="left:1000px;top:300px;width:120px;height:60px">Covered</button>
<div style="left:980px;top:280px;width:200px;height:120px;background:white">Wait</div>
<div style="left:900px;top:440px;width:200px;height:100px;overflow-y:scroll">
  <div style="height:1000px"><button style="width:150px;height:40px">Scrolled</button></div></div>
<div id=pad style="left:1100px;top:560px;width:180px;height:240px">
{"".join(f'<button style="width:60px;height:60px">{key}<br>ABC</button>' for key in "1234567890")}</div>
<div tabindex=0 style="left:20px;top:480px;width:300px;height:40px">Grace Hopper</div>
</body>"""

REFLOWING = f"""<!doctype html><meta charset=utf-8><style>{STYLE} main {{ inset: 0; display: flex; flex-wrap: wrap;
  align-content: flex-start; gap: 10px }} main button {{ width: 300px; height: 90px }}</style><body><main>
{"".join(f'<button id=item-{letter}>{letter}</button>' for letter in "abcdefgh")}</main>
<script>
function more() {{ document.querySelector('main').prepend(Object.assign(document.createElement('button'), {{id: 'first'}})); }}
function zoom(part) {{ document.querySelector('main').style.gap = part; }}
</script></body>"""

SCROLLING = f"""<!doctype html><meta charset=utf-8><body style="height:3000px"><button style="width:200px;height:60px">Below</button>
<button id=fixed style="position:fixed;left:500px;top:500px;width:200px;height:60px">Basket</button></body>"""


# Each button but the last ones has room around it: only changes near a touch count.
RESPONDING = f"""<!doctype html><meta charset=utf-8><style>{STYLE} button {{ width: 120px; height: 60px }}</style><body>
<button id=quick style="left:20px;top:20px">Quick</button>
<button id=late style="left:20px;top:400px">Late</button>
<button id=dead style="left:420px;top:400px">Dead</button>
<button id=goes style="left:420px;top:20px">Goes</button>
<button id=drawn style="left:1100px;top:400px">Drawn</button>
<canvas width=100 height=100 style="left:1100px;top:600px"></canvas>
<p id=ticker style="left:820px;top:20px">0</p>
<script>
const at = (id) => document.getElementById(id);
at('quick').onclick = () => {{ at('quick').textContent = 'Again'; }};
at('late').onclick = () => setTimeout(() => at('late').classList.add('done'), 600);
at('goes').onclick = () => setTimeout(() => {{ location.href = 'fixed.html'; }}, 100);
setInterval(() => {{ at('ticker').textContent++; }}, 30);
</script></body>"""


# What a script cannot see: what it writes into a field, a dialog of the browser, a file that is loaded.
DOUBTFUL = f"""<!doctype html><meta charset=utf-8><style>{STYLE} button, a {{ width: 120px; height: 60px; left: 20px }}
</style><body><button id=written style="top:20px" onclick="document.querySelector('input').value += '7'">7</button>
<button id=asks style="top:120px" onclick="setTimeout(() => confirm('Sure?'), 200)">Asks</button>
<a id=file style="top:220px" href="data:text/plain,x" download="x.txt">File</a>
<button id=far style="top:320px" onclick="document.querySelector('p').textContent += '.'">Far</button>
<input style="left:900px;top:600px;width:200px;height:60px"><p style="left:900px;top:100px">.</p></body>"""


class Case(Following):
    def setUp(self):
        super().setUp()
        for name, text in (("fixed", FIXED), ("reflowing", REFLOWING), ("scrolling", SCROLLING),
                           ("responding", RESPONDING), ("doubtful", DOUBTFUL)):
            with open(f"{self.folder}/{name}.html", "w") as file:
                file.write(text)
        self.site = f"http://127.0.0.1:{self.enterContext(pages(self.folder))}"

    def chromium(self, *arguments, hosts=None):
        return self.browser(f"--window-size={WIDTH},{HEIGHT}", "--hide-scrollbars", f"--screen-info={{{WIDTH}x{HEIGHT}}}",
                            "--kiosk", *arguments, hosts=hosts)

    def finder(self, socket="/nonexistent", source=None):
        """Returns a follower that finds controls."""
        return self.follower(socket, "", source or f'kind = "devtools"\nport = {self.port}\ncontrols = true\n')

    def found(self, screen, having=""):
        """Returns the newest controls of a screen, by name."""
        def newest():
            for line in reversed(self.lines):
                if line["screen"] == screen and "controls" in line:
                    found = {one["name"]: one for one in line["controls"]}
                    return line if having in "".join(found) else None
            return None
        until(newest, f"controls of {screen} with {having}: {self.lines}")
        line = newest()
        return {one["name"]: one for one in line["controls"]}, line

    def truth(self, chromium, selector):
        return chromium.run(
            f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [r.x, r.y, r.width, r.height] })()")

    def assert_fixed(self, found, line):
        """Checks what was found on the page of fixed layout."""
        self.assertEqual((line["width"], line["height"]), (WIDTH, HEIGHT))
        self.assertEqual(
            sorted(found), ["button", "button 2", "button 3", "button Order # again", "button pay", "field name", "link Help #"])
        for name, rectangle in {
            "button pay": (640, 600, 300, 80), "link Help #": (20, 20, 101.5, 40.25),
            "button Order # again": (200, 100, 120, 60), "button": (400, 100, 120, 60),
            "button 2": (560, 100, 120, 60), "field name": (20, 300, 300, 40),
        }.items():
            self.assert_near(found[name], rectangle)
        self.assertNotRegex(json.dumps(self.lines), "Lovelace|Hopper")
        secrets = sorted((round(one["x"]), round(one["y"]), round(one["width"])) for one in line["secrets"])
        self.assertEqual(secrets, [(20, 360, 300), (20, 420, 300), (1100, 560, 180)])

    def assert_near(self, control, rectangle):
        for name, wanted in zip(("x", "y", "width", "height"), rectangle):
            self.assertAlmostEqual(control[name], wanted, delta=1, msg=control)

class Controls(Case):
    def test_a_page_of_fixed_layout(self):
        chromium = self.chromium()
        self.prints(self.finder())
        chromium.call("Page.navigate", url=f"{self.site}/fixed.html")
        self.assert_fixed(*self.found("fixed", "pay"))

    def test_a_page_that_reflows(self):
        chromium = self.chromium()
        self.prints(self.finder())
        chromium.call("Page.navigate", url=f"{self.site}/reflowing.html")
        found, _ = self.found("reflowing", "item-h")
        for letter in "abcdefgh":
            self.assert_near(found[f"button item-{letter}"], self.truth(chromium, f"#item-{letter}"))
        chromium.run("more()")
        found, _ = self.found("reflowing", "first")
        for name in ("first", "item-a", "item-h"):
            self.assert_near(found[f"button {name}"], self.truth(chromium, f"#{name}"))
        count = len(self.lines)
        chromium.run("zoom('25px')")
        until(lambda: len(self.lines) > count, "controls after the change")
        self.assert_near(self.found("reflowing")[0]["button item-h"], self.truth(chromium, "#item-h"))

    def test_what_scrolls_is_left_out_and_a_small_window_is_refused(self):
        chromium = self.chromium()
        follower = self.prints(self.finder())
        chromium.call("Page.navigate", url=f"{self.site}/scrolling.html")
        found, _ = self.found("scrolling", "fixed")
        self.assertEqual(list(found), ["button fixed"])
        chromium.call("Browser.setWindowBounds", windowId=chromium.call("Browser.getWindowForTarget")["windowId"],
                      bounds={"windowState": "normal"})
        chromium.call("Browser.setWindowBounds", windowId=chromium.call("Browser.getWindowForTarget")["windowId"],
                      bounds={"width": 700, "height": 500})
        until(lambda: chromium.run("innerWidth") <= 700, "a small window")
        self.lines.clear()
        chromium.call("Page.navigate", url=f"{self.site}/fixed.html")
        until(lambda: any(line["screen"] == "fixed" for line in self.lines), "the page")

        follower.says("does not fill the screen")
        self.assertFalse(any("controls" in line for line in self.lines))


class Responses(Case):
    """How long after a touch of a control the page changes near it."""

    def touch(self, chromium, x, y, end="touchEnd"):
        chromium.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        time.sleep(0.1)
        chromium.call("Input.dispatchTouchEvent", type=end, touchPoints=[])

    def shown(self, page, having):
        """Shows a page whose controls are found. Returns the browser, and a function that shows it again."""
        chromium = self.chromium()
        self.prints(self.finder())

        def show():
            self.lines.clear()
            chromium.call("Page.navigate", url=f"{self.site}/{page}.html")
            self.found(page, having)

        show()
        return chromium, show

    def responses(self):
        return [(line["control"], line.get("responseMs")) for line in self.lines if "control" in line]

    def test_changes_near_touches(self):
        chromium, show = self.shown("responding", "dead")
        # A swipe that scrolls is cancelled, and a canvas may be drawn without notice.
        self.touch(chromium, 480, 430, end="touchCancel")
        self.touch(chromium, 1160, 430)
        for x, y in ((80, 50), (80, 430)):
            self.touch(chromium, x, y)
        until(lambda: len(self.responses()) == 2, f"responses: {self.lines}")
        self.touch(chromium, 480, 50)
        until(lambda: len(self.responses()) == 3, f"responses: {self.lines}")
        times = dict(self.responses())
        self.assertEqual(sorted(times), ["button goes", "button late", "button quick"])
        self.assertLess(times["button quick"], times["button late"])
        self.assertGreaterEqual(times["button late"], 600)
        self.assertGreaterEqual(times["button goes"], 100)

        self.found("fixed", "pay")
        show()

        def is_said():
            # If the machine is so busy that the page stands still, nothing is said.
            self.touch(chromium, 480, 430)
            with contextlib.suppress(AssertionError):
                return until(self.responses, "a response", 5)

        until(is_said, "no response")
        self.assertEqual(set(self.responses()), {("button dead", None)})

        # Another touch may cause what changes after it, so the first one gets no response, late or none.
        def is_fast():
            self.lines.clear()
            begun = time.monotonic()
            self.touch(chromium, 480, 430)
            self.touch(chromium, 80, 50)
            return time.monotonic() - begun < 2

        until(is_fast, "two touches within the time of a response")
        until(self.responses, "a response")
        first = self.responses()
        self.lines.clear()
        until(is_said, "no response")
        self.assertEqual([control for control, _ in first + self.responses()], ["button quick", "button dead"])

    def test_in_doubt_nothing_is_said(self):
        chromium, _ = self.shown("doubtful", "written")
        chromium.call("Page.enable")
        for y in (50, 150, 250, 350):
            self.touch(chromium, 80, y)
            if y == 150:
                # The browser shows a dialog for a second.
                time.sleep(1.5)
                chromium.call("Page.handleJavaScriptDialog", accept=True)
            time.sleep(3)
        # Far away, but not by itself: that is a response.
        self.assertEqual([control for control, _ in self.responses()], ["button far"])

    def test_the_daemon_counts_them_for_its_touches(self):
        daemon = self.daemon()
        chromium = self.chromium()
        chromium.call("Page.navigate", url=f"{self.site}/responding.html")
        fingers = Fingers("Panel")
        for _ in range(100):
            fingers.wait(1.9).tap("Panel", (80 / WIDTH, 50 / HEIGHT))
        daemon.start(fingers)
        self.finder(daemon.socket).start()
        until(lambda: any(found["screen"] == "responding" for found in daemon.call("GetControls")["added"]),
              "the controls")

        def counted():
            before = daemon.call("GetStatus")["tally"]["touches"]
            until(lambda: daemon.call("GetStatus")["tally"]["touches"] > before, "a touch of the panel")
            # The same finger, as the browser sees it.
            self.touch(chromium, 80, 50)
            time.sleep(1)
            daemon.call("EndSession")
            responses = 0
            for found in daemon.call("GetCounts", kind="controls", screen="responding")["counts"]:
                counts = dict(zip(found["places"], found["counts"]))
                for index, control in enumerate(json.loads(found["subject"])["controls"]):
                    if control["name"] == "button quick":
                        responses += sum(counts.get(NUMBERS * index + place, 0) for place in RESPONSES)
                    else:
                        # Only the browser touched the other buttons: no hits.
                        self.assertNotIn(NUMBERS * index, counts)
            return responses
        until(counted, "a response")


class Screenshots(Case):
    """--screenshots saves a picture of each page, never of one with a mask, and never twice."""

    def test_pages_without_a_mask_are_saved_once(self):
        daemon = self.daemon()
        daemon.start()
        daemon.call("AddMask", mask={"screen": "fixed"})
        chromium = self.chromium()
        pictures = self.folder + "/pictures"
        os.mkdir(pictures)
        self.finder(daemon.socket).start("--screenshots", pictures)
        def load(name):
            chromium.call("Page.navigate", url=f"{self.site}/{name}.html")
            daemon.shows(name)
        load("fixed")
        time.sleep(3)
        load("reflowing")
        path = pictures + "/reflowing.png"
        until(lambda: os.path.exists(path), "the picture")
        with open(path, "rb") as file:
            picture = file.read()
        self.assertEqual((picture[:8], struct.unpack(">II", picture[16:24])), (b"\x89PNG\r\n\x1a\n", (WIDTH, HEIGHT)))
        # A page that is shown for a moment only gets none, and a picture is never replaced.
        load("scrolling")
        load("reflowing")
        time.sleep(3)
        self.assertEqual(os.listdir(pictures), ["reflowing.png"])
        with open(path, "rb") as file:
            self.assertEqual(file.read(), picture)

    def test_the_screens_that_an_app_names_count_too(self):
        daemon = self.daemon()
        daemon.start()
        daemon.call("AddMask", mask={"screen": "pin"})
        chromium = self.chromium()
        pictures = self.folder + "/pictures"
        os.mkdir(pictures)
        self.finder(daemon.socket).start("--screenshots", pictures)
        chromium.call("Page.navigate", url=f"{self.site}/reflowing.html")
        daemon.shows("reflowing")
        # The app shows another screen under the same address, which it names itself.
        daemon.call("SetScreen", name="pin")
        time.sleep(4)
        self.assertEqual(os.listdir(pictures), [])
        # A screen that is shown without a mask for a moment only gets no picture either.
        chromium.call("Page.navigate", url=f"{self.site}/scrolling.html")
        daemon.shows("scrolling")
        for _ in range(5):
            time.sleep(0.5)
            daemon.call("AddMask", mask={"screen": "scrolling"})
            daemon.call("RemoveMask", mask={"screen": "scrolling"})
        self.assertEqual(os.listdir(pictures), [])
        until(lambda: os.listdir(pictures) == ["scrolling.png"], "the picture")

    def test_a_folder_that_is_missing_is_named(self):
        follower = self.follower().start("--screenshots", self.folder + "/none")
        self.assertEqual(follower.process.wait(PATIENCE), 69)
        self.assertIn("is not a folder; create it first", follower.said)
