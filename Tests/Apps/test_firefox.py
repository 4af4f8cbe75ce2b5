"""The extension in a real Firefox: each touch is counted on the page that was shown."""

import pathlib
import time

from test_follow import EXTENSION, Following
from touchgrid_test.firefox import SYSTEM_EXTENSIONS, Firefox
from touchgrid_test.follower import RULES, native_host, shop
from touchgrid_test.taps import Changes, counted_screens, taps, touch_downs
from touchgrid_test.waiting import ROOT


class Pages(Following):
    CHANGES, PAUSE = 60, 0.15

    def test_each_touch_counts_on_the_page_that_was_shown(self):
        daemon = self.tapped()
        with shop() as address:
            firefox = Firefox(native_host(self.folder, RULES, "firefox", daemon.socket))
            self.addCleanup(firefox.close)
            firefox.install(EXTENSION)
            firefox.open(address + "/")
            daemon.play(taps())
            daemon.shows("home")
            changes = Changes()
            changes.make("home")
            for number in range(self.CHANGES):
                time.sleep(self.PAUSE)
                self.change(firefox, address, changes, number, daemon)
        seen = touch_downs(daemon.touches)
        daemon.stop()
        self.assertGreater(changes.judge("Firefox", seen, counted_screens(daemon.store)), 5 * self.CHANGES)

    def change(self, firefox, address, changes, number, daemon):
        """Goes to another page: every fourth time by loading it, otherwise by a script."""
        if number % 4 == 3:
            screen, path = "catalogue", f"/catalogue?{number}"
            action = lambda: firefox.open(address + path)
        else:
            screen = f"app/{('first', 'second', 'third')[number % 3]}"
            path, verb = f"/{screen}#top", "replaceState" if number % 4 == 1 else "pushState"
            action = lambda: firefox.run(f"history.{verb}({{}}, '', '{path}')")
        changes.make(screen, lambda: firefox.goes(path, action), lambda: daemon.shows(screen))

    def test_an_extension_in_the_system_folder_works_and_its_screen_ends_with_firefox(self):
        """Installs the extension as docs/follow.md describes."""
        firefox_id, extension_id = "{ec8030f7-c20a-464f-9b0e-13a3a9e97384}", "follow@touchgrid.example"
        place = pathlib.Path(SYSTEM_EXTENSIONS, firefox_id, extension_id)
        self.assertIn(f"'{place}'", (ROOT / "docs/follow.md").read_text())
        folder = pathlib.Path(self.folder, "extensions")
        (folder / firefox_id).mkdir(parents=True)
        (folder / firefox_id / extension_id).symlink_to(EXTENSION)
        daemon = self.daemon()
        daemon.start()
        with shop() as address:
            firefox = Firefox(native_host(self.folder, RULES, "firefox", daemon.socket), extensions=folder)
            self.addCleanup(firefox.close)
            firefox.open(address + "/product/4711")
            daemon.shows("product")
            firefox.close()
        daemon.shows("default")
