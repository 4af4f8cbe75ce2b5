"""A page in Chromium or Firefox, behind the same functions."""

import base64
import json

from touchgrid_test.browser import Chromium
from touchgrid_test.firefox import Firefox
from touchgrid_test.waiting import ROOT, until

# Pictures are kept here.
KEPT = ROOT / ".build/cockpit"

# Keys as in KeyboardEvent.key: the code of Windows, for Chromium, and WebDriver's character.
KEYS = {"Tab": (9, "\ue004"), "Enter": (13, "\ue007"), "Escape": (27, "\ue00c"), " ": (32, " "), "ArrowUp": (38, "\ue013"),
        "ArrowRight": (39, "\ue014"), "ArrowDown": (40, "\ue015")}
TEXTS = {"Enter": "\r", " ": " "}


class Page:
    """What both browsers share. Subclasses define `open`, `run`, `enter`, `leave`, `sized`, `move`, `press`, `key`,
    `type`, `image`, `complaints` and `close`. `run` returns the value of an expression, and waits for a promise."""

    def find(self, selector, text=None):
        """Returns an expression for the first visible element that the selector matches, with this text."""
        wanted = "true" if text is None else f"each.textContent.trim().includes({json.dumps(text)})"
        return (f"[...document.querySelectorAll({json.dumps(selector)})].find((each) => each.checkVisibility()"
                f" && {wanted})")

    def has(self, selector, text=None):
        return self.run(f"Boolean({self.find(selector, text)})")

    def waits(self, selector, text=None):
        """Waits until there is a visible element like this."""
        until(lambda: self.has(selector, text),
              lambda: f"{selector} {text or ''} in {self.name}, which shows:\n{self.text()}\n{self.complaints()}")

    def gone(self, selector, text=None):
        """Waits until there is no visible element like this."""
        until(lambda: not self.has(selector, text), lambda: f"no {selector} {text or ''} in {self.name}:\n{self.text()}")

    def state(self, *states):
        """Waits until the page says that the daemon is in one of these states."""
        self.waits(", ".join(f"#touchgrid[data-state={state}]" for state in states))

    def text(self, selector="body"):
        return self.run(f"document.querySelector({json.dumps(selector)})?.innerText")

    def texts(self, selector):
        return self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.innerText.trim())")

    def box(self, selector, text=None):
        """Waits for an element, and returns its left, top, width and height in the window of the browser, in CSS
        pixels."""
        self.waits(selector, text)
        # It may have been replaced since, and be there again.
        return until(lambda: self.run(
            f"(() => {{ const found = {self.find(selector, text)}; if (!found) return null;"
            "found.scrollIntoView({block: 'nearest', behavior: 'instant'});"
            "const {x, y, width, height} = found.getBoundingClientRect();"
            "const frame = window.frameElement?.getBoundingClientRect() ?? {x: 0, y: 0};"
            "return [x + frame.x, y + frame.y, width, height]; })()"), f"{selector} {text or ''} in {self.name}")

    def click(self, selector, text=None):
        place = None

        def still():
            nonlocal place
            before, place = place, self.box(selector, text)
            return place if place == before else None

        # What is above it may still be loading.
        x, y, width, height = until(still, f"{selector} {text or ''} stays in its place")
        self.drag((x + width / 2, y + height / 2))

    def drag(self, start, *stops):
        """Presses the mouse at a place, moves it over others, and lets it go at the last."""
        self.move(*start)
        self.press(True, *start)
        for stop in stops:
            self.move(*stop, isPressed=True)
        self.press(False, *(stops or [start])[-1])

    def select(self, selector, value):
        """Chooses an option of a list."""
        self.run(f"(() => {{ const list = document.querySelector({json.dumps(selector)}); list.value = {json.dumps(value)};"
                 "list.dispatchEvent(new Event('change')); })()")

    def style(self, name):
        """Chooses light, dark or auto, as Cockpit's menu does."""
        self.run(f"(() => {{ localStorage.setItem('shell:style', {json.dumps(name)});"
                 f"dispatchEvent(new CustomEvent('cockpit-style', {{detail: {{style: {json.dumps(name)}}}}})); }})()")

    def overflow(self):
        """Returns by how many CSS pixels the page is wider than the window."""
        return self.run("document.scrollingElement.scrollWidth - innerWidth")

    def save(self, name):
        """Keeps a picture of the window, and returns its path."""
        KEPT.mkdir(parents=True, exist_ok=True)
        path = KEPT / f"{name}-{self.name}.png"
        path.write_bytes(self.image())
        return path


class ChromiumPage(Page):
    name = "chromium"

    def __init__(self, *arguments):
        self.browser = Chromium(*arguments)
        self.frame = None
        for domain in ("Page", "Log"):
            self.browser.call(domain + ".enable")
        self.sized(1280, 900)

    def close(self):
        self.browser.close()

    def open(self, address):
        self.leave()
        self.browser.said.clear()
        self.browser.open(address)

    def sized(self, width, height, scheme="light"):
        self.browser.sized(width, height, scheme=scheme)

    def enter(self, name):
        """Lets all functions work on the page in the frame of this name."""
        def found():
            frames = self.browser.call("Page.getFrameTree")["frameTree"].get("childFrames", [])
            return next((each["frame"]["id"] for each in frames if each["frame"].get("name") == name), None)

        self.frame = until(found, f"the frame {name}")
        until(lambda: self.context, f"a context for scripts in {name}")

    def leave(self):
        self.frame = None

    @property
    def context(self):
        """The context for scripts that the frame has now."""
        self.browser.run("0")
        contexts = {}
        for message in self.browser.said:
            match message["method"]:
                case "Runtime.executionContextCreated":
                    made = message["params"]["context"]
                    if made["auxData"].get("isDefault"):
                        contexts[made["id"]] = made["auxData"]["frameId"]
                case "Runtime.executionContextDestroyed":
                    contexts.pop(message["params"]["executionContextId"], None)
                case "Runtime.executionContextsCleared":
                    contexts = {}
        return next((number for number, frame in reversed(contexts.items()) if frame == self.frame), None)

    def run(self, expression):
        """If the frame is loaded anew meanwhile, waits for its new page."""
        def evaluated():
            where = {"contextId": self.context} if self.frame else {}
            if None in where.values():
                return None
            try:
                return self.browser.call("Runtime.evaluate", expression=expression, returnByValue=True,
                                         awaitPromise=True, **where)
            except AssertionError as error:
                if not where or "context" not in str(error):
                    raise

        result = until(evaluated, f"the page in the frame {self.frame}")
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def move(self, x, y, isPressed=False):
        self.mouse("mouseMoved", x, y, **({"button": "left", "buttons": 1} if isPressed else {}))

    def press(self, isDown, x, y):
        self.mouse("mousePressed" if isDown else "mouseReleased", x, y, button="left", buttons=int(isDown), clickCount=1)

    def key(self, name, shift=False):
        more = {"text": TEXTS[name]} if name in TEXTS else {}
        for kind in ("keyDown" if more else "rawKeyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=name, code="Space" if name == " " else name,
                              windowsVirtualKeyCode=KEYS[name][0], modifiers=8 * shift, **more)
            more = {}

    def type(self, text):
        self.browser.call("Input.insertText", text=text)

    def image(self):
        return base64.b64decode(self.browser.call("Page.captureScreenshot", format="png")["data"])

    def complaints(self):
        """Returns the errors and warnings of the console since the page was opened, with addresses, violations of the
        content security policy and requests that failed among them."""
        self.browser.run("0")
        found = []
        for message in self.browser.said:
            details = message["params"]
            match message["method"]:
                case "Log.entryAdded" if details["entry"]["level"] in ("error", "warning"):
                    found.append(f"{details['entry']['text']} {details['entry'].get('url', '')}")
                case "Runtime.exceptionThrown":
                    thrown = details["exceptionDetails"]
                    text = thrown.get("exception", {}).get("description") or thrown["text"]
                    found.append(f"{text} {thrown.get('url', '')}")
                case "Runtime.consoleAPICalled" if details["type"] in ("error", "warning", "assert"):
                    said = [str(each.get("value", each.get("description"))) for each in details["args"]]
                    calls = details.get("stackTrace", {}).get("callFrames", [])
                    found.append(" ".join(said + [each["url"] for each in calls[:1]]))
        return found


class FirefoxPage(Page):
    name = "firefox"
    # Firefox's own windows are no narrower than 450 pixels.

    def __init__(self, isInsecure=False):
        """`isInsecure`: accepts certificates that nobody known has signed."""
        # Reading the console needs access to the browser itself.
        self.browser = Firefox({}, arguments=["--remote-allow-system-access"],
                               capabilities={"acceptInsecureCerts": True} if isInsecure else {})
        self.sized(1280, 900)

    def close(self):
        self.browser.close()

    def open(self, address):
        self.leave()
        self.inside("Services.console.reset()")
        self.browser.open(address)

    def sized(self, width, height, scheme="light"):
        self.inside("Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override',"
                    f"{int(scheme != 'dark')})")
        more = self.browser.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.browser.call("WebDriver:SetWindowRect", width=width + more[0], height=height + more[1])

    def enter(self, name):
        self.waits(f"iframe[name='{name}']")
        found = self.browser.call("WebDriver:FindElement", using="css selector", value=f"iframe[name='{name}']")
        self.browser.call("WebDriver:SwitchToFrame", element=next(iter(found["value"].values())))

    def leave(self):
        self.browser.call("WebDriver:SwitchToFrame", id=None)

    def run(self, expression):
        return self.browser.run(f"return ({expression});")

    def inside(self, expression):
        """Returns the value of an expression in the browser's own context."""
        self.browser.call("Marionette:SetContext", value="chrome")
        try:
            return self.run(expression)
        finally:
            self.browser.call("Marionette:SetContext", value="content")

    def act(self, kind, *actions, **more):
        self.browser.call("WebDriver:PerformActions",
                          actions=[{"type": kind, "id": kind, "actions": list(actions), **more}])

    def pointer(self, action):
        self.act("pointer", action, parameters={"pointerType": "mouse"})

    def move(self, x, y, isPressed=False):
        del isPressed
        # WebDriver's places are those in the frame.
        left, top = self.run("(({x, y}) => [x, y])(window.frameElement?.getBoundingClientRect() ?? {x: 0, y: 0})")
        self.pointer({"type": "pointerMove", "x": round(x - left), "y": round(y - top), "duration": 0})

    def press(self, isDown, x, y):
        del x, y
        self.pointer({"type": "pointerDown" if isDown else "pointerUp", "button": 0})

    def key(self, name, shift=False):
        keys = (["\ue008"] if shift else []) + [KEYS[name][1]]
        self.act("key", *({"type": "keyDown", "value": key} for key in keys),
                 *({"type": "keyUp", "value": key} for key in reversed(keys)))

    def type(self, text):
        self.act("key", *({"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")))

    def image(self):
        return base64.b64decode(self.browser.call("WebDriver:TakeScreenshot", full=False)["value"])

    def complaints(self):
        """Returns the errors of scripts and the violations of the content security policy since the page was opened.
        What pages write to the console themselves is not among them."""
        return self.inside(
            "Services.console.getMessageArray().filter((each) => each instanceof Ci.nsIScriptError"
            " && /^https?:/.test(each.sourceName) && (/^CSP(?!_obsolete)/.test(each.category) || !(each.flags & 1)))"
            ".map((each) => `${each.category}: ${each.errorMessage} ${each.sourceName}`)")
