"""The extension in a real Firefox: each touch is counted on the page that was shown."""

import pathlib
import time
import unittest

from firefox import SYSTEM_EXTENSIONS, Firefox
from follower import shop
from support import BINARIES, ROOT
from taps import Changes, counted_screens
from test_follow import EXTENSION, Following


class Pages(Following):
    CHANGES, PAUSE = 60, 0.15

    def test_each_touch_counts_on_the_page_that_was_shown(self):
        daemon = self.daemon(self.CHANGES * self.PAUSE + 50)
        with shop() as address:
            firefox = Firefox(self.host(daemon, browser="firefox"))
            self.addCleanup(firefox.close)
            firefox.install(EXTENSION)
            firefox.open(address + "/")
            daemon.start()
            touch_downs = self.watch(daemon)
            daemon.shows("home")
            changes = Changes()
            changes.make("home")
            for number in range(self.CHANGES):
                time.sleep(self.PAUSE)
                self.change(firefox, address, changes, number)
            time.sleep(0.3)
        daemon.stop()
        screens = counted_screens(BINARIES / "touchgrid", daemon.store)
        self.assertGreater(self.judge("Firefox", changes, touch_downs.seen, screens), 5 * self.CHANGES)

    def change(self, firefox, address, changes, number):
        """Goes to another page: every fourth time by loading it, otherwise by a script."""
        if number % 4 == 3:
            screen, path = "catalogue", f"/catalogue?{number}"
            action = lambda: firefox.open(address + path)
        else:
            screen = f"app/{('first', 'second', 'third')[number % 3]}"
            path, verb = f"/{screen}#top", "replaceState" if number % 4 == 1 else "pushState"
            action = lambda: firefox.run(f"history.{verb}({{}}, '', '{path}')")
        changes.make(screen, lambda: firefox.goes(path, action))

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
            firefox = Firefox(self.host(daemon, browser="firefox"), extensions=folder)
            self.addCleanup(firefox.close)
            firefox.open(address + "/product/4711")
            daemon.shows("product")
            firefox.close()
        daemon.shows("default")


if __name__ == "__main__":
    unittest.main()
