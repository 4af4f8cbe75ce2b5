"""`touchgrid picture take`, with touchgrid-follow of another user and a real Chromium."""

import contextlib
import os
import pathlib
import re
import select
import subprocess
import threading
import time
import unittest

from proxy import Between
from support import Following, demonstration
from touchgrid_test.browser import pages
from touchgrid_test.waiting import BINARIES, PATIENCE, until

# A user of Debian's own who runs nothing, and their group.
USER = "games"
RULES = '[[rule]]\nurl = "/secret.html"\nscreen = "secret"\nmask = true\n[[rule]]\nurl = "/none.html"\nignore = true\n'
PAGE = """<!doctype html><title>{name}</title><style>html, body {{ margin: 0; height: 100%; background: #c81e32 }}
div {{ position: absolute; left: 50%; width: 50%; height: 100%; background: #1e50c8 }}</style><div></div>"""

RED, GREEN = (0xC8, 0x1E, 0x32), (0, 255, 0)


class Forgetting(Between):
    """When the client for pictures has attached to two pages, tells it that one of them is gone."""

    def __init__(self, port):
        super().__init__(port, None)
        self.target = ""

    def pump(self, source, target, is_reply):
        if not is_reply:
            return super().pump(source, target, False)
        attached, asks = 0, False
        with contextlib.suppress(OSError):
            while part := source.recv(1 << 16):
                target.sendall(part)
                attached += part.count(b"Target.attachedToTarget")
                # The client that names pages asks them if they could be loaded.
                asks = asks or b'"frameTree"' in part
                # Only between two messages.
                if attached == 2 and not asks and not select.select([source], [], [], 0.3)[0]:
                    attached = 0
                    text = b'{"method":"Target.targetDestroyed","params":{"targetId":"%s"}}' % self.target.encode()
                    target.sendall(b"\x81" + bytes([len(text)]) + text)
        target.close()


@unittest.skipUnless(os.geteuid() == 0, "only root takes pictures")
class Taking(Following):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        self.pictures = self.folder + "/pictures"
        os.mkdir(self.pictures, 0o750)
        site = pathlib.Path(self.folder, "site")
        site.mkdir()
        for name in ("menu", "first", "other", "secret", "none"):
            (site / f"{name}.html").write_text(PAGE.format(name=name))
        self.site = f"http://127.0.0.1:{self.enterContext(pages(site))}"

        self.kiosk = demonstration(f'[roles]\napp = "{USER}"\nread = "{USER}"\n'
                                   '[[mask]]\nscreen = "other"\nx = 1\ny = 1\nwidth = 9\nheight = 9\n')
        self.addCleanup(self.kiosk.close)
        self.kiosk.start()

    def shows(self, path, width=1280, height=800, factor=1, port=None):
        """Starts a browser that shows a page on the whole display, and a follower of the other user."""
        self.chromium = self.browser(f"--force-device-scale-factor={factor}")
        self.chromium.resize(width, height)
        self.chromium.open(self.site + path)
        self.follow(port)

    def follow(self, port=None):
        source = f'kind = "devtools"\nport = {port or self.port}\ndisplay = "kiosk"'
        return self.follower(self.kiosk.socket, RULES, source).start(user=USER, group=USER, extra_groups=[])

    def command(self, *words):
        return [BINARIES / "touchgrid", "picture", "take", *words, "--user", USER, "--folder", self.pictures,
                "--socket", self.kiosk.socket]

    def take(self, *words):
        result = subprocess.run(self.command(*words), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=3 * PATIENCE)
        return result.returncode, result.stdout, result.stderr

    def start(self, *words):
        return subprocess.Popen(self.command(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    PAINT = "(colour => { document.body.innerHTML = ''; document.body.style.background = colour; })"

    def paint(self, colour):
        self.chromium.call("Runtime.evaluate", expression=f"{self.PAINT}('rgb{colour}')")

    def pixels(self, path):
        return subprocess.run(["ffmpeg", "-loglevel", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                              capture_output=True, check=True).stdout

    def is_never_green(self, process):
        """What is green belongs to a masked screen. Either there is no picture, or one of the red page."""
        text, error = process.communicate(timeout=PATIENCE)
        if process.returncode:
            self.assertEqual((os.listdir(self.pictures), text), ([], ""), error)
        else:
            self.assertEqual(tuple(self.pixels(text.strip())[:3]), RED)
            os.remove(text.strip())

    def refuses(self, reason, *words):
        status, text, error = self.take(*words)
        self.assertEqual((status, text), (1, ""), error)
        self.assertIn(reason, error)
        self.assertEqual(os.listdir(self.pictures), [])

    def test_a_page_has_the_right_size_and_colours(self):
        self.shows("/menu.html", 640, 400, 2)
        self.kiosk.shows("menu")
        status, text, error = self.take("menu")
        self.assertEqual((status, text), (0, self.pictures + "/menu.png\n"), error)
        path = self.pictures + "/menu.png"
        width, height = map(int, re.search(r"(\d+) x (\d+)", subprocess.run(
            ["file", path], capture_output=True, text=True).stdout).groups())
        self.assertEqual((width, height), (1280, 800))
        row = self.pixels(path)[3 * 1280 * 400:][:3 * 1280]
        self.assertEqual(row[:3 * 600], bytes([0xC8, 0x1E, 0x32]) * 600)
        self.assertEqual(row[-3 * 600:], bytes([0x1E, 0x50, 0xC8]) * 600)
        self.assertEqual((os.stat(path).st_uid, os.stat(path).st_mode & 0o777), (0, 0o640))
        os.remove(path)
        status, text, error = self.take("--current")
        self.assertEqual((status, text), (0, path + "\n"), error)
        os.remove(path)
        self.refuses('is not shown, but "menu"', "checkout")
        # Only a page that fills the display has its shape.
        self.chromium.resize(640, 350)
        self.kiosk.is_touched()
        self.refuses("has the shape of 1280 x 800", "menu")

    def test_a_masked_page_is_refused(self):
        self.shows("/secret.html")
        self.kiosk.shows("secret")
        self.refuses('the screen "secret" is masked', "secret")
        self.refuses('the screen "secret" is masked', "--current")
        # A part of this screen is masked by the daemon's configuration.
        self.chromium.open(self.site + "/other.html")
        self.kiosk.shows("other")
        self.refuses('the screen "other" is masked', "--current")
        self.chromium.open(self.site + "/menu.html")
        self.kiosk.shows("menu")
        self.kiosk.call("AddMask", mask={"screen": "menu", "display": "another"})
        self.refuses('the screen "menu" is masked', "menu")

    def test_a_page_without_a_name_is_refused(self):
        self.shows("/none.html")
        self.refuses("no page with a name is visible", "--current")

    def test_a_page_that_the_daemon_counts_on_another_screen_is_refused(self):
        self.shows("/menu.html")
        self.kiosk.shows("menu")
        self.kiosk.call("SetScreen", name="app")
        self.refuses('the daemon counts touches on "app"', "menu")

    def test_no_picture_shows_a_masked_screen_that_an_app_named(self):
        self.shows("/menu.html")
        self.kiosk.shows("menu")
        # When the app names the screen of the page, and how much later it shows it, in seconds.
        for named, shown in [(1.6, 0), (0.9, 0.6)]:
            with self.subTest(named):
                self.kiosk.call("SetScreen", name="other")
                self.paint(GREEN)
                process = self.start("menu")
                time.sleep(named)
                self.kiosk.call("SetScreen", name="menu")
                time.sleep(shown)
                self.paint(RED)
                self.is_never_green(process)

    def test_a_page_must_be_calm_however_long_it_took(self):
        self.shows("/secret.html")
        self.kiosk.shows("secret")
        self.paint(GREEN)
        self.chromium.call("Runtime.evaluate", expression=f"""let number = 0
            const timer = setInterval(() => history.replaceState(0, "", "/secret.html?" + number++), 400)
            setTimeout(() => {{
                clearInterval(timer)
                history.replaceState(0, "", "/menu.html")
                setTimeout(() => {self.PAINT}("rgb{RED}"), 600)
            }}, 4900)""")
        self.is_never_green(self.start("menu"))

    def between(self, hook):
        proxy = Between(self.port, hook)
        self.addCleanup(proxy.stop)
        self.shows("/menu.html", port=proxy.port)
        self.kiosk.shows("menu")

    def test_a_mask_or_a_screen_that_is_there_only_during_the_capture_is_noticed(self):
        turn = {}

        def change(found, _):
            for method, parameters in turn["calls"]:
                self.kiosk.call(method, **parameters)
            return found

        self.between(change)
        mask = {"mask": {"screen": "menu"}}
        for reason, *turn["calls"] in [
            ("the masks changed", ("AddMask", mask), ("RemoveMask", mask)),
            ("another screen was named", ("SetScreen", {"name": "other"}), ("SetScreen", {"name": "menu"})),
        ]:
            with self.subTest(reason):
                self.refuses(reason, "menu")

    def test_the_picture_is_of_the_tab_that_is_shown(self):
        proxy = Forgetting(self.port)
        self.addCleanup(proxy.stop)
        self.shows("/first.html", port=proxy.port)
        # Chromium lists its tabs to a new client in any order, and the last one counts as shown.
        for _ in range(20):
            self.kiosk.shows("first")
            proxy.target = self.chromium.call("Target.createTarget", url=self.site + "/menu.html")["targetId"]
            self.kiosk.shows("menu")
            status, text, error = self.take("menu")
            self.assertEqual((status, text, os.listdir(self.pictures)), (1, "", []))
            if "is not shown" not in error:
                break
            self.chromium.call("Target.closeTarget", targetId=proxy.target)
        # The connection for pictures knows only the first tab.
        self.assertIn("gave no picture within 20 s", error)

    def test_a_page_that_is_shown_only_during_the_capture_is_noticed(self):
        def change(found, _):
            for path in ("/secret.html", "/menu.html"):
                self.chromium.call("Runtime.evaluate", expression=f'history.replaceState(0, "", "{path}")')
                time.sleep(0.1)
            return found

        self.between(change)
        self.refuses("another page was shown while the picture was taken", "menu")

    def test_hostile_answers_are_bounded(self):
        ended = threading.Event()

        def flood(_, client):
            # A frame of 1 GB.
            client.sendall(b"\x81\x7f" + (1 << 30).to_bytes(8, "big"))
            for _ in range(1 << 14):
                client.sendall(b"x" * (1 << 16))
            ended.set()

        turn = {}
        self.between(lambda found, client: turn["hook"](found, client))
        for name, turn["hook"], reason in [
            ("no picture", lambda found, _: found.replace(b"iVBOR", b"AAAAA", 1), "its picture is not a PNG"),
            ("not Base64", lambda found, _: found.replace(b"iVBOR", b"!!!!!", 1), "gave no picture within 20 s"),
            ("no end", lambda *_: time.sleep(PATIENCE), "gave no picture within 20 s"),
            ("1 GB", flood, "gave no picture within 20 s"),
        ]:
            with self.subTest(name):
                self.refuses(reason, "menu")
        self.assertFalse(ended.is_set(), "1 GB was read")

    def test_followers_that_cannot_take_pictures_say_why(self):
        self.refuses(f"no touchgrid-follow of the user {USER} runs", "menu")
        # Nothing answers at the port.
        self.follow()
        self.refuses("no browser answers", "menu")

    def test_a_killed_command_leaves_no_process(self):
        reached = threading.Event()

        def wait(*_):
            reached.set()
            time.sleep(PATIENCE)

        def processes():
            found = []
            for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    found.append(path.read_bytes())
            return [words for words in found if b"--take-picture" in words and self.folder.encode() in words]

        self.between(wait)
        process = self.start("menu")
        self.addCleanup(process.communicate)
        self.assertTrue(reached.wait(PATIENCE))
        self.assertEqual(len(processes()), 1)
        process.kill()
        began = time.monotonic()
        until(lambda: not processes(), "the end of the process")
        # By itself it would end after 20 s.
        self.assertLess(time.monotonic() - began, 18)
