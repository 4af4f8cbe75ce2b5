"""A headless Chromium, controlled over a pair of pipes, and a server for its pages."""

import contextlib
import fcntl
import functools
import http.server
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from .server import serving
from .waiting import PATIENCE, until


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def pages(folder):
    """Returns a context that serves a folder and gives the port."""
    return serving(functools.partial(Quiet, directory=folder))


class Chromium:
    def __init__(self, *arguments, hosts=None):
        """`hosts` maps names to manifests of the programs that extensions may talk to."""
        self.profile = tempfile.mkdtemp(prefix="touchgrid-chromium.")
        for name, manifest in (hosts or {}).items():
            folder = self.profile + "/NativeMessagingHosts"
            os.makedirs(folder, exist_ok=True)
            with open(f"{folder}/{name}.json", "w") as file:
                json.dump(manifest, file)
        (commands, self.commands), (self.replies, replies) = os.pipe(), os.pipe()
        # Chromium reads commands from descriptor 3 and writes replies to 4. A NUL ends each
        # message.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands, replies)]
        os.close(commands)
        os.close(replies)
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec 3<&{ends[0]} 4>&{ends[1]}; exec "$@"', "bash", "chromium",
             "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", *arguments, "about:blank"],
            pass_fds=ends, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile})
        for end in ends:
            os.close(end)
        self.number, self.received, self.said, self.session = 0, b"", [], None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.call("Runtime.enable")

    def close(self):
        """Closes the browser. Does nothing if it is closed already."""
        if not self.profile:
            return
        with contextlib.suppress(OSError):
            os.close(self.commands)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.replies)
        shutil.rmtree(self.profile, ignore_errors=True)
        self.profile = None

    def call(self, method, **parameters):
        """Returns the result, which is empty if the page was left before it answered."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            reply = self.message(deadline - time.monotonic())
            if reply.get("id") == self.number:
                # A page that is left, by the call itself or meanwhile, does not answer.
                if reply.get("error", {}).get("message") == "Inspected target navigated or closed":
                    return {}
                assert "error" not in reply, reply
                return reply["result"]
            self.said.append(reply)

    def message(self, seconds):
        while b"\0" not in self.received:
            ready, _, _ = select.select([self.replies], [], [], max(0, seconds))
            assert ready, "Chromium does not answer"
            part = os.read(self.replies, 1 << 16)
            assert part, "Chromium is gone"
            self.received += part
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def hear_of_pages(self):
        """Makes Chromium report when a page changes its address."""
        page, self.session = self.session, None
        self.call("Target.setDiscoverTargets", discover=True)
        self.session = page

    def goes(self, ending, action):
        """Runs `action` and waits until Chromium reports a page whose address ends with
        `ending`."""
        self.said.clear()
        action()

        def has_told():
            return any(message["method"] == "Target.targetInfoChanged"
                       and message["params"]["targetInfo"]["url"].endswith(ending) for message in self.said)

        while not has_told():
            self.said.append(self.message(PATIENCE))

    def complaints(self, text):
        """Returns the console messages of the pages that contain `text`."""
        # Waiting for this reply reads the messages that have arrived before it.
        self.run("0")
        return [m for m in self.said if "consoleAPICalled" in m["method"] and text in json.dumps(m)]

    def watch(self):
        """Makes Chromium report what pages fetch, and what is wrong with them."""
        for domain in ("Page", "Log", "Network"):
            self.call(f"{domain}.enable")

    def fetched(self):
        """Returns the addresses of all that was fetched since `said` was cleared."""
        return [message["params"]["request"]["url"] for message in self.said
                if message["method"] == "Network.requestWillBeSent"]

    def errors(self):
        """Returns the messages of the console and the errors since `said` was cleared."""
        return [message for message in self.said if message["method"] in (
            "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")]

    def open(self, address):
        self.call("Page.navigate", url=address)

    def run(self, script):
        """Returns the value of the script, or None if the page was left before it answered."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result.get("result", {}).get("value")

    def sized(self, width, height, ratio=1, scheme="light", media=""):
        """Sets the size of the window in CSS pixels, which are `ratio` device pixels wide and
        high, and the colour scheme and medium that style sheets see."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=ratio, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def resize(self, width, height):
        """Gives the window the size with which the page has this one, in CSS pixels."""
        window = self.call("Browser.getWindowForTarget")["windowId"]

        def fits():
            outer = self.run("[outerWidth, outerHeight]")
            inner = self.run("[innerWidth, innerHeight]")
            if inner == [width, height]:
                return True
            self.call("Browser.setWindowBounds", windowId=window, bounds={
                "width": width + outer[0] - inner[0], "height": height + outer[1] - inner[1]})
            # The page hears of its outer and its inner size at different times.
            time.sleep(0.5)
            return False

        until(fits, f"a page of {width} x {height}")

    def load(self, path):
        """Opens a file and waits until it is loaded."""
        self.open(f"file://{path}")
        until(lambda: self.run("[location.protocol, document.readyState]") == ["file:", "complete"],
              f"{path} in Chromium")

    def point(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def key(self, name, code=0, modifiers=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode=code, modifiers=modifiers)

    def tap(self, link):
        """Taps the middle of the link with this text."""
        x, y = self.run(
            "(() => { const link = [...document.querySelectorAll('a')]"
            f".find((link) => link.textContent === {json.dumps(link)});"
            "const box = link.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
