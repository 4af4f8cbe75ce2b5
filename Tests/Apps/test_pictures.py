"""`touchgrid picture take`, with touchgrid-follow of another user and a real Chromium."""

import json
import os
import pathlib
import re
import subprocess
import threading
import time
import unittest

import touchgridd
from between import Between
from browser import pages
from follower import Follower
from support import BINARIES, PATIENCE, ROOT
from test_follow import Following

# A user of Debian's own who runs nothing, and their group.
USER = "games"
RULES = '[[rule]]\nurl = "/secret.html"\nscreen = "secret"\nmask = true\n[[rule]]\nurl = "/none.html"\nignore = true\n'
PAGE = """<!doctype html><title>{name}</title><style>html, body {{ margin: 0; height: 100%; background: #c81e32 }}
div {{ position: absolute; left: 50%; width: 50%; height: 100%; background: #1e50c8 }}</style><div></div>"""


@unittest.skipUnless(os.geteuid() == 0, "only root takes pictures")
class Taking(Following):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        self.pictures = self.folder + "/pictures"
        os.mkdir(self.pictures, 0o750)
        site = pathlib.Path(self.folder, "site")
        site.mkdir()
        for name in ("menu", "other", "secret", "none"):
            (site / f"{name}.html").write_text(PAGE.format(name=name))
        server = pages(site)
        self.site = f"http://127.0.0.1:{server.__enter__()}"
        self.addCleanup(server.__exit__, None, None, None)

        self.kiosk = self.daemon()
        os.chmod(self.kiosk.folder, 0o755)
        configuration = self.folder + "/touchgridd.toml"
        pathlib.Path(configuration).write_text(
            (ROOT / "Recordings/kiosk-demo.toml").read_text() + f'[roles]\napp = "{USER}"\nread = "{USER}"\n'
            + '[[mask]]\nscreen = "other"\nx = 1\ny = 1\nwidth = 9\nheight = 9\n')
        touchgridd.Daemon.start(self.kiosk, configuration, self.kiosk.recording)

    def shows(self, path, width=1280, height=800, factor=1, port=None):
        """Starts a browser that shows a page on the whole display, and a follower of the other user."""
        self.chromium = self.browser(f"--force-device-scale-factor={factor}")
        self.chromium.resize(width, height)
        self.chromium.open(self.site + path)
        self.follow(port)

    def follow(self, port=None, source=None):
        source = source or f'kind = "devtools"\nport = {port or self.port}\ndisplay = "kiosk"'
        follower = Follower(self.folder, self.kiosk.socket, f"[[source]]\n{source}\n{RULES}")
        self.addCleanup(follower.close)
        return follower.start(user=USER, group=USER, extra_groups=[])

    def command(self, *words):
        return [BINARIES / "touchgrid", "picture", "take", *words, "--user", USER, "--folder", self.pictures,
                "--socket", self.kiosk.socket]

    def take(self, *words):
        result = subprocess.run(self.command(*words), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=PATIENCE)
        return result.returncode, result.stdout, result.stderr

    def refuses(self, reason, *words):
        began = time.monotonic()
        status, text, error = self.take(*words)
        self.assertEqual((status, text), (1, ""), error)
        self.assertIn(reason, error)
        self.assertEqual(os.listdir(self.pictures), [])
        self.assertLess(time.monotonic() - began, 50)

    def test_a_page_has_the_right_size_and_colours(self):
        self.shows("/menu.html", 640, 400, 2)
        self.kiosk.shows("menu")
        status, text, error = self.take("menu")
        self.assertEqual((status, text), (0, self.pictures + "/menu.png\n"), error)
        path = self.pictures + "/menu.png"
        width, height = map(int, re.search(r"(\d+) x (\d+)", subprocess.run(
            ["file", path], capture_output=True, text=True).stdout).groups())
        self.assertEqual((width, height), (1280, 800))
        pixels = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24",
                                 "-"], capture_output=True, check=True).stdout
        row = pixels[3 * 1280 * 400:][:3 * 1280]
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
        self.kiosk.ask("AddMask", mask={"screen": "menu", "display": "another"})
        self.refuses('the screen "menu" is masked', "menu")

    def test_a_page_without_a_name_is_refused(self):
        self.shows("/none.html")
        self.refuses("no page with a name is visible", "--current")

    def test_a_page_that_the_daemon_counts_on_another_screen_is_refused(self):
        self.shows("/menu.html")
        self.kiosk.shows("menu")
        self.kiosk.ask("SetScreen", name="app")
        self.refuses('the daemon counts touches on "app"', "menu")

    def test_a_page_that_keeps_changing_is_refused(self):
        self.shows("/menu.html")
        self.kiosk.shows("menu")
        self.chromium.call("Runtime.evaluate", expression="""let number = 0
            setInterval(() => history.replaceState(0, "", number++ % 2 ? "/menu.html" : "/secret.html"), 300)""")
        self.refuses("", "--current")

    def between(self, hook):
        proxy = Between(self.port, hook)
        self.addCleanup(proxy.close)
        self.shows("/menu.html", port=proxy.port)
        self.kiosk.shows("menu")

    def test_a_mask_that_comes_during_the_capture_is_obeyed(self):
        def mask(found, _):
            self.kiosk.ask("AddMask", mask={"screen": "menu"})
            return found

        self.between(mask)
        self.refuses('the screen "menu" is masked', "menu")

    def test_masks_of_other_screens_must_not_change_either(self):
        def mask(found, _):
            self.kiosk.ask("AddMask", mask={"screen": "checkout"})
            return found

        self.between(mask)
        self.refuses("the masks changed", "menu")

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
        pipe = self.follow(source='kind = "pipe"\npath = "-"')
        self.refuses("add one with 'touchgrid picture add'", "menu")
        pipe.close()
        # Nothing answers at the port.
        self.follow()
        self.refuses("no browser answers", "menu")

    def test_only_root_takes_pictures(self):
        result = subprocess.run(self.command("menu"), user=USER, group=USER, extra_groups=[], capture_output=True,
                                text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("run this with sudo", result.stderr)
