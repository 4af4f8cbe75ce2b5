"""The browsers' extension tells touchgrid-follow where the controls of the page that is shown are, if it is wanted, and
they delay no name."""

import json
import os
import shutil
import statistics
import struct
import subprocess
import time
import unittest
import urllib.parse

from support import send
from test_controls import HEIGHT, WIDTH, Case
from touchgrid_test.firefox import Firefox
from touchgrid_test.follower import native_host
from touchgrid_test.waiting import ROOT, until

SOURCE = 'kind = "extension"\n'
WANTED = SOURCE + "controls = true\n"
# How late a name may come, in seconds: `late_names` of the daemon.
LATE = 0.25

FLOOD = f"""<!doctype html><meta charset=utf-8><style>html, body {{ margin: 0; overflow: hidden; height: 100% }}
button {{ position: absolute; width: 40px; height: 20px }}</style><body>
{"".join(f'<button aria-label="{"<" * 160}" style="left:{45 * (n % 28)}px;top:{25 * (n // 28)}px"></button>' for n in range(280))}
<script>let n = 0; setInterval(() => {{ document.body.style.paddingTop = `${{++n % 2}}px`;
document.querySelector('button').style.left = `${{n % 5}}px`; }}, 20)</script></body>"""


# Stands in for the program that browsers start: writes what arrives to a file, and takes texts while another one exists.
HOST = """#!/usr/bin/env python3
import json, os, select, struct
def read(count):
    data = b""
    while len(data) < count:
        part = os.read(0, count - len(data))
        if not part:
            raise SystemExit
        data += part
    return data
def send(message):
    text = json.dumps(message).encode()
    os.write(1, struct.pack("=I", len(text)) + text)
send({"controls": True})
waits = False
with open("FOLDER/messages", "a", buffering=1) as log:
    while True:
        if select.select([0], [], [], 0.02)[0]:
            message = json.loads(read(struct.unpack("=I", read(4))[0]))
            waits = waits or "told" in message
            print(json.dumps(message), file=log)
        if waits and os.path.exists("FOLDER/take"):
            waits = False
            send({"taken": True})
"""


def told(url, *names):
    """Returns what controls.js tells of a page with these buttons."""
    return json.dumps({
        "url": url, "width": WIDTH, "height": HEIGHT, "fills": True, "secrets": [],
        "items": [{"role": "button", "label": name, "x": 100 * number, "y": 100, "width": 80, "height": 60}
                  for number, name in enumerate(names)]})


class Extended(Case):
    def setUp(self):
        super().setUp()
        with open(f"{self.folder}/flood.html", "w") as file:
            file.write(FLOOD)
        self.hosts = native_host(self.folder, f"[[source]]\n{SOURCE}")

    def extended(self, extension="extension-controls"):
        return self.chromium(f"--load-extension={ROOT / extension}", hosts=self.hosts)

    def open(self, chromium, name):
        chromium.call("Page.navigate", url=f"{self.site}/{name}.html")
        until(lambda: any(line["screen"] == name for line in self.lines), f"the name {name}")

    def worlds(self, chromium):
        """Returns the isolated worlds of the extension in the first tab."""
        chromium.run("0")
        created = [said["params"]["context"] for said in chromium.said if said["method"] == "Runtime.executionContextCreated"]
        return [context["id"] for context in created if context["name"] == "Touchgrid"]


class Manifests(unittest.TestCase):
    def test_the_extension_with_controls_differs_in_its_permissions_only(self):
        plain, more = (json.loads((ROOT / folder / "manifest.json").read_text())
                       for folder in ("extension", "extension-controls"))
        self.assertNotIn("host_permissions", plain)
        self.assertEqual(more.pop("host_permissions"), ["<all_urls>"])
        self.assertEqual(sorted(more.pop("permissions")), sorted([*plain.pop("permissions"), "scripting"]))
        for manifest in plain, more:
            manifest.pop("description")
        self.assertEqual(plain, more)


class InChromium(Extended):
    def test_nothing_runs_in_pages_unless_it_is_wanted_and_then_only_in_the_tab_that_is_shown(self):
        chromium = self.extended()
        follower = self.prints(self.finder(source=SOURCE))
        self.open(chromium, "fixed")
        time.sleep(1)
        self.assertEqual(self.worlds(chromium), [])
        follower.stop()
        self.lines.clear()
        # The page that is open already is looked at, too.
        follower = self.prints(self.finder(source=WANTED))
        self.assert_fixed(*self.found("fixed", "pay"))
        self.assertEqual(len(self.worlds(chromium)), 1)

        first, chromium.session = chromium.session, None
        tabs = chromium.call("Target.getTargets")["targetInfos"]
        front = next(tab["targetId"] for tab in tabs if tab["type"] == "page")
        behind = chromium.call(
            "Target.createTarget", url=f"{self.site}/reflowing.html", background=True)["targetId"]
        second = chromium.call("Target.attachToTarget", targetId=behind, flatten=True)["sessionId"]

        def shows(tab):
            chromium.session = None
            chromium.call("Target.activateTarget", targetId=tab)

        time.sleep(1.5)
        self.assertFalse([line for line in self.lines if line["screen"] == "reflowing"])
        shows(behind)
        found, _ = self.found("reflowing", "item-h")
        chromium.session = second
        self.assert_near(found["button item-h"], self.truth(chromium, "#item-h"))

        shows(front)
        until(lambda: self.lines[-1]["screen"] == "fixed" and "controls" in self.lines[-1], "the first tab")
        count = len(self.lines)
        chromium.session = second
        chromium.run("more()")
        time.sleep(2)
        self.assertEqual(self.lines[count:], [])
        shows(behind)
        found, _ = self.found("reflowing", "first")
        chromium.session = second
        self.assert_near(found["button first"], self.truth(chromium, "#first"))

        # Loading another page in the tab replaces them.
        self.lines.clear()
        chromium.call("Page.navigate", url=f"{self.site}/scrolling.html")
        self.assertEqual(list(self.found("scrolling", "fixed")[0]), ["button fixed"])
        self.assertEqual({line["screen"] for line in self.lines}, {"scrolling"})

        # Responses to touches come the same way.
        chromium.call("Page.navigate", url=f"{self.site}/responding.html")
        self.found("responding", "quick")
        chromium.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": 80, "y": 50}])
        chromium.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        until(lambda: any(line.get("control") == "button quick" and "responseMs" in line for line in self.lines),
              "the response")
        chromium.session = first
        self.assertEqual(follower.stop(), 0)

    def test_the_extension_without_controls_says_so(self):
        chromium = self.extended("extension")
        follower = self.prints(self.finder(source=WANTED))
        self.open(chromium, "fixed")
        follower.says("load extension-controls instead of extension")
        self.assertEqual(self.worlds(chromium), [])
        self.assertFalse([line for line in self.lines if "controls" in line])

    def test_a_text_is_sent_only_after_the_last_one_was_taken_and_only_of_the_tab_that_is_shown(self):
        with open(self.folder + "/host", "w") as file:
            file.write(HOST.replace("FOLDER", self.folder))
        chromium = self.extended()

        def received():
            with open(self.folder + "/messages") as file:
                return [json.loads(line) for line in file if line.endswith("\n")]

        def texts():
            return [message["told"] for message in received() if "told" in message]

        def address(text):
            return urllib.parse.urlsplit(json.loads(text)["url"]).path

        chromium.call("Page.navigate", url=f"{self.site}/flood.html")
        until(lambda: os.path.exists(self.folder + "/messages") and texts(), "the first text")
        chromium.run("history.replaceState({}, '', '/flood/next'); 1")
        until(lambda: received()[-1].get("url", "").endswith("/flood/next"), "the name, before another text")
        time.sleep(1.5)
        self.assertEqual(len(texts()), 1)
        open(self.folder + "/take", "w").close()
        until(lambda: len(texts()) > 3, "more texts")
        self.assertEqual(len(json.loads(texts()[-1])["items"]), 256)
        self.assertEqual(address(texts()[-1]), "/flood/next")

        chromium.session = None
        chromium.call("Target.createTarget", url=f"{self.site}/reflowing.html")
        until(lambda: address(texts()[-1]) == "/reflowing.html", "the text of the second tab")
        time.sleep(2.5)
        self.assertEqual(address(texts()[-1]), "/reflowing.html")

    def test_a_page_that_floods_delays_no_name(self):
        chromium = self.extended()
        self.prints(self.finder(source=WANTED))
        self.open(chromium, "flood")
        self.found("flood")
        world, = self.worlds(chromium)
        # The page's scripts cannot do this, only its process, if somebody else controls it.
        text = told(f"{self.site}/flood.html", "FIRST", *("x" * 300 for _ in range(240)))
        chromium.call("Runtime.evaluate", contextId=world, expression=(
            f"let n = 0; setInterval(() => chrome.runtime.sendMessage({json.dumps(text)}.replace("
            "'FIRST', String.fromCharCode(97 + n++ % 9))), 20); 1"))
        count = len(self.lines)
        until(lambda: len(self.lines) > count + 10, "the flood")
        late = []
        for number in range(15):
            time.sleep(0.1)
            name = "view" + "abcdefghijklmno"[number]
            begun = time.monotonic()
            chromium.run(f"history.pushState({{}}, '', '/{name}'); 1")
            until(lambda: any(line["screen"] == name for line in list(self.lines)), name)
            late.append(time.monotonic() - begun)
        # A busy machine delays some names.
        print(f"names in a flood: half of them within {1000 * statistics.median(late):.0f} ms", flush=True)
        self.assertLess(statistics.median(late), LATE)


class InFirefox(Extended):
    def test_an_extension_in_the_system_folder_finds_controls_without_a_question(self):
        # Firefox reads no linked files of extensions.
        shutil.copytree(ROOT / "extension-controls",
                        self.folder + "/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/follow@touchgrid.example")
        firefox = Firefox(native_host(self.folder, f"[[source]]\n{SOURCE}", "firefox"), extensions=self.folder + "/extensions", arguments=["--kiosk"],
                          size=(WIDTH, HEIGHT))
        self.addCleanup(firefox.close)
        follower = self.prints(self.finder(source=WANTED))
        firefox.open(f"{self.site}/fixed.html")
        self.assert_fixed(*self.found("fixed", "pay"))
        firefox.open(f"{self.site}/reflowing.html")
        found, _ = self.found("reflowing", "item-h")
        place = firefox.run("const r = document.querySelector('#item-h').getBoundingClientRect();"
                            "return [r.x, r.y, r.width, r.height]")
        self.assert_near(found["button item-h"], place)
        self.assertEqual(follower.stop(), 0)


class Relayed(Extended):
    """The program that browsers start, without a browser."""

    def orders(self):
        """Reads the next message to the extension."""
        length, = struct.unpack("=I", self.program.stdout.read(4))
        return json.loads(self.program.stdout.read(length))

    def test_controls_hold_while_their_page_is_shown_and_each_text_is_taken(self):
        daemon = self.daemon()
        daemon.start()
        rules = '[[rule]]\nurl = "/product/:id"\n[[rule]]\nurl = "/saver"\nignore = true\n'
        follower = self.follower(daemon.socket, rules, WANTED).start()
        self.program = self.browser_program(follower, stdout=subprocess.PIPE)
        self.addCleanup(self.program.stdout.close)
        self.assertEqual(self.orders(), {"controls": True})

        def names(screen):
            return [one["name"] for found in daemon.call("GetControls")["added"] if found["screen"] == screen
                    for one in found["controls"]]

        def tell(text):
            send(self.program, {"told": text})
            self.assertEqual(self.orders(), {"taken": True})

        site = "http://127.0.0.1"
        send(self.program, {"url": f"{site}/product/1"})
        tell(told(f"{site}/product/1", "pay"))
        until(lambda: names("product") == ["button pay"], "the controls")
        # Another page of the same name keeps them until it tells its own.
        send(self.program, {"url": f"{site}/product/2"})
        # Those of a page that is not shown do not count, nor does what is no text of the script.
        tell(told(f"{site}/product/1", "old"))
        tell("no JSON")
        self.assertEqual(names("product"), ["button pay"])
        tell(told(f"{site}/product/2", "pay", "help"))
        until(lambda: names("product") == ["button pay", "button help"], "the controls of the second page")
        # A text that is too long withdraws them.
        tell(told(f"{site}/product/2", "x" * (1 << 18)))
        until(lambda: names("product") == [], "no controls")
        tell(told(f"{site}/product/2", "pay"))
        until(lambda: names("product") == ["button pay"], "the controls again")
        # An ignored page keeps the name of the screen, but has other controls.
        send(self.program, {"url": f"{site}/saver"})
        until(lambda: names("product") == [], "no controls while another page is shown")

        follower.stop()
        self.assertEqual(self.orders(), {"controls": False})
        follower.start()
        self.assertEqual(self.orders(), {"controls": True})
        # The follower gets the page again that is shown, not the last text.
        send(self.program, {"url": f"{site}/product/3"})
        tell(told(f"{site}/product/3", "pay"))
        until(lambda: names("product") == ["button pay"], "the controls after a restart")
