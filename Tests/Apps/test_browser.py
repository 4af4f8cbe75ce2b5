"""The browser example of docs/apps.md: a page in a real Chromium, and which requests its bridge
accepts."""

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from proxy import Tap
from support import APPS, demonstration
from touchgrid_test.browser import Chromium, pages
from touchgrid_test.firefox import Firefox
from touchgrid_test.waiting import PATIENCE, free_port, listens, until

BROWSER = APPS / "browser"


class Bridged(unittest.TestCase):
    def setUp(self):
        self.daemon = demonstration()
        self.addCleanup(self.daemon.close)
        self.port = free_port()

    def bridge(self, origin):
        process = subprocess.Popen(
            [BROWSER / "touchgrid-bridge", origin, "--port", str(self.port)],
            env={**os.environ, "TOUCHGRID_SOCKET": self.daemon.socket},
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until(lambda: listens(self.port), "the bridge listens")
        return process


class Page(Bridged):
    def page(self):
        """Returns a folder with the example's page, changed to use the port of this test's
        bridge."""
        folder = tempfile.mkdtemp(prefix="touchgrid-page.")
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(BROWSER / "index.html", folder)
        with open(folder + "/touchgrid.js", "w") as script:
            script.write((BROWSER / "touchgrid.js").read_text().replace("8090", str(self.port)))
        return folder

    def test_the_page_masks_and_describes_its_screens_in_each_browser(self):
        script = """import {controls, mask, showing, tags} from "./touchgrid.js";
            mask({screen: "pin"}); controls("pay", [{name: "pay", rectangle: {x: 1, y: 2, width: 3, height: 4}}]);
            tags({build: "1.4"}); showing("pay");"""
        for start in (Chromium, lambda: Firefox({})):
            with pages(self.page()) as port, contextlib.closing(start()) as browser:
                self.daemon.start()
                self.daemon.call("BeginSession")
                bridge = self.bridge(f"http://127.0.0.1:{port}")
                browser.open(f"http://127.0.0.1:{port}/")
                self.daemon.shows("menu")
                browser.run("document.head.append(Object.assign(document.createElement('script'), "
                            f"{{type: 'module', textContent: {json.dumps(script)}}}))")
                self.daemon.shows("pay")
                self.assertEqual([mask["screen"] for mask in self.daemon.call("GetMasks")["added"]], ["pin"])
                self.assertEqual([each["screen"] for each in self.daemon.call("GetControls")["added"]], ["pay"])
                self.assertEqual(self.daemon.call("GetStatus")["session"]["tags"], {"build": "1.4"})
                self.daemon.stop()
                bridge.kill()
                bridge.wait()

    def test_the_page_names_each_screen_that_a_touch_opens(self):
        self.daemon.start()
        with pages(self.page()) as port, pages(self.page()) as foreign:
            chromium = Chromium()
            self.addCleanup(chromium.close)
            chromium.open(f"http://127.0.0.1:{port}/")
            until(lambda: chromium.complaints("touchgrid:"), "the complaint that no bridge runs")
            self.bridge(f"http://127.0.0.1:{port}")
            self.daemon.shows("menu")
            self.daemon.is_touched()
            chromium.tap("catalogue")
            self.daemon.shows("catalogue")
            self.daemon.stop()

            # The page names its screen to the new daemon without a tap.
            self.daemon.start()
            self.daemon.shows("catalogue")
            chromium.tap("menu")
            self.daemon.shows("menu")
            chromium.tap("checkout/pay")
            self.daemon.shows("checkout/pay")

            # The bridge refuses the same page from another origin.
            chromium.said.clear()
            chromium.open(f"http://127.0.0.1:{foreign}/#/catalogue")
            until(lambda: chromium.run("document.querySelector('h1')?.textContent") == "catalogue",
                  "the foreign page")
            until(lambda: chromium.complaints("touchgrid:"), "the foreign page's complaint")
            self.daemon.shows("checkout/pay")
        self.daemon.stop()
        views = self.daemon.rows("SELECT screen, sum(touches) FROM screen_view GROUP BY screen")
        touches = dict(views)
        self.assertGreater(touches["menu"], 0)
        self.assertIn("catalogue", touches)
        self.assertIn("checkout/pay", touches)


class Bridge(Bridged):
    ORIGIN = "http://kiosk.example"

    def post(self, body, method="POST", path="/screen", **fields):
        if not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            fields = {"Origin": self.ORIGIN, **fields}
            connection.request(method, path, body, {k: v for k, v in fields.items() if v})
            reply = connection.getresponse()
            return reply.status, reply.read().decode()

    def name(self, screen, ago=0.0, **fields):
        changed = time.time() * 1000 - ago
        return self.post({"screen": screen, "changedAt": changed}, **fields)

    def connected(self):
        self.bridge(self.ORIGIN)
        until(lambda: self.name("menu")[0] == 204, "the bridge finds the daemon")

    def test_the_bridge_accepts_names_with_any_time_of_change(self):
        self.daemon.start()
        self.connected()
        self.assertEqual(self.name("schön/\"x\"\\ 🙂"), (204, ""))
        self.daemon.shows("schön/\"x\"\\ 🙂")
        for number, ago in enumerate((100, 1_000, 1e6, -1e6, float("nan"), float("inf"))):
            # Without this pause, the change would be older than the previous one and be ignored.
            time.sleep(0.15)
            self.assertEqual(self.name(f"late{number}", ago), (204, ""))
            self.daemon.shows(f"late{number}")

    def test_the_bridge_converts_the_time_of_the_change_to_the_clock_of_input_events(self):
        self.daemon.start()
        tap = Tap(self.daemon.folder + "/tap", self.daemon.socket)
        self.addCleanup(tap.stop)
        self.daemon.socket, direct = self.daemon.folder + "/tap", self.daemon.socket
        self.connected()
        self.daemon.socket = direct
        tap.calls.clear()
        self.name("catalogue", ago=100)
        (age,) = tap.ages()
        self.assertGreaterEqual(age, 99_000)
        self.assertLess(age, PATIENCE * 1_000_000)

    def test_the_bridge_rejects_other_methods_and_bodies(self):
        self.daemon.start()
        self.connected()
        good = {"screen": "evil", "changedAt": time.time() * 1000}
        self.assertEqual(self.post(good, "PUT")[0], 404)
        self.assertEqual(self.post(good, "OPTIONS")[0], 404)
        self.assertEqual(self.post(good, path="/screen?")[0], 404)
        self.assertEqual(self.post(b"x" * 32_769)[0], 413)
        self.assertEqual(self.post(b"", **{"Content-Length": "-1"})[0], 411)
        self.assertEqual(self.post(b"", **{"X": "x" * 9000})[0], 431)
        for body in (b"", b"[]", b"{", b"[" * 1000, b"\xff", b'{"screen":"evil"}',
                     b'{"screen":1,"changedAt":1}', b'{"screen":"evil","changedAt":"1"}',
                     b'{"screen":"\\ud800","changedAt":1}'):
            self.assertEqual(self.post(body)[0], 400, body)
            # Stay below the bridge's rate limit.
            time.sleep(0.2)
        status, message = self.name("x" * 129)
        self.assertEqual(status, 400)
        self.assertIn("1 to 128 bytes of printable text", message)
        self.daemon.shows("menu")

    def test_pages_may_set_controls_and_tags_and_add_some_masks(self):
        self.daemon.start()
        self.connected()
        self.daemon.call("BeginSession")
        pay = {"name": "pay", "rectangle": {"x": 1, "y": 2, "width": 3, "height": 4}}
        for path, body in (("/controls", {"screen": "menu", "controls": [pay]}), ("/tags", {"tags": {"build": "1.4"}})):
            self.assertEqual(self.post(body, path=path), (204, ""))
        for number in range(16):
            until(lambda: self.post({"mask": {"screen": f"pin{number}"}}, path="/masked")[0] == 204, "a mask")
        until(lambda: "16 masks" in self.post({"mask": {"screen": "pin16"}}, path="/masked")[1], "a refusal")
        until(lambda: self.post({"mask": {"screen": "x" * 129}}, path="/masked")[0] == 400, "a refusal")
        self.assertEqual(self.daemon.call("GetStatus")["session"]["tags"], {"build": "1.4"})
        self.daemon.stop()
        self.daemon.start()
        self.daemon.shows("menu")
        self.assertEqual([mask["screen"] for mask in self.daemon.call("GetMasks")["added"]], [f"pin{n}" for n in range(16)])
        self.assertEqual(self.daemon.call("GetControls")["added"], [{"screen": "menu", "controls": [pay]}])

    def test_the_bridge_reports_each_refused_origin_once_in_a_bounded_log(self):
        process = self.bridge(self.ORIGIN)
        refusals = {
            "http://evil.example": "refused: Origin is 'http://evil.example', but must be " + self.ORIGIN,
            None: "refused: Origin is missing, but must be " + self.ORIGIN,
            "http://evil\x9b.example": r"refused: Origin is 'http://evil\x9b.example', but must be "
                                       + self.ORIGIN,
        }
        for origin, refusal in refusals.items():
            for _ in range(2):
                self.assertEqual(self.name("evil", Origin=origin), (403, refusal))
        host = "refused: Host is 'evil.example', but must be "
        status, text = self.name("evil", Host="evil.example")
        self.assertEqual(status, 403)
        self.assertTrue(text.startswith(host), text)
        for number in range(150):
            self.name("evil", Origin=f"http://{number}.example")
        process.terminate()
        lines = [line for line in process.stderr.read().splitlines() if "refused: " in line]
        for refusal in refusals.values():
            self.assertEqual(lines.count("touchgrid-bridge: " + refusal), 1)
        self.assertEqual(sum(host in line for line in lines), 1)
        # The log is bounded, no matter how many origins are refused.
        self.assertEqual(len(lines), 100)

    def test_the_bridge_answers_429_to_too_many_requests(self):
        self.daemon.start()
        self.connected()
        statuses = set()

        def is_refused():
            statuses.add(self.name("menu")[0])
            return 429 in statuses

        until(is_refused, "a refusal", pause=0)
        self.assertEqual(statuses, {204, 429})

    def test_idle_connections_do_not_block_the_bridge(self):
        self.daemon.start()
        self.connected()
        with contextlib.ExitStack() as idle:
            for _ in range(40):
                idle.enter_context(socket.create_connection(("127.0.0.1", self.port)))
            until(lambda: self.again("menu") == 204, "an answer")

    def again(self, screen):
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.name(screen)[0]

    def test_the_bridge_names_the_last_screen_once_the_daemon_runs(self):
        process = self.bridge(self.ORIGIN)
        self.assertEqual(self.name("menu")[0], 503)
        self.daemon.start()
        self.daemon.shows("menu")
        self.daemon.freeze()
        self.assertEqual(self.name("stuck")[0], 503)
        self.daemon.thaw()
        self.assertEqual(self.name("menu"), (204, ""))
        self.daemon.stop()
        until(lambda: self.name("catalogue")[0] == 503, "the daemon is missed")
        self.daemon.start()
        self.daemon.shows("catalogue")
        process.terminate()
        self.assertIn("No such file", process.stderr.read())


del Bridged
