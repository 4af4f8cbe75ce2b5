"""The extension in a real Firefox: each touch is on the page that was shown."""

import time
import unittest

from firefox import Firefox
from follower import shop
from support import BINARIES, until
from taps import Changes, books
from test_follow import EXTENSION, Following


class Pages(Following):
    CHANGES, PAUSE = 60, 0.15

    def test_every_touch_is_on_the_page_that_was_shown(self):
        daemon = self.daemon(self.CHANGES * self.PAUSE + 50)
        with shop() as address:
            firefox = Firefox(self.host(daemon, browser="firefox"))
            self.addCleanup(firefox.close)
            firefox.install(EXTENSION)
            firefox.open(address + "/")
            daemon.start()
            landings = self.watch(daemon)
            daemon.shows("home")
            changes = Changes()
            changes.make("home")
            for number in range(self.CHANGES):
                time.sleep(self.PAUSE)
                self.change(firefox, address, changes, number)
            time.sleep(0.3)
        daemon.stop()
        screens = books(BINARIES / "touchgrid", daemon.store)
        self.assertGreater(self.judge("Firefox", changes, landings.seen, screens), 5 * self.CHANGES)

    def change(self, firefox, address, changes, number):
        """To another page, by loading and by scripts."""
        if number % 4 == 3:
            path = f"/catalogue?{number}"
            firefox_is_there = lambda: firefox.run("return location.pathname + location.search") == path
            changes.make("catalogue", lambda: (firefox.open(address + path), until(firefox_is_there, path)))
        else:
            screen = f"app/{('first', 'second', 'third')[number % 3]}"
            verb = "replaceState" if number % 4 == 1 else "pushState"
            changes.make(screen, lambda: firefox.run(f"history.{verb}({{}}, '', '/{screen}#top')"))

    def test_a_browser_that_ends_names_nothing_any_more(self):
        daemon = self.daemon()
        daemon.start()
        with shop() as address:
            firefox = Firefox(self.host(daemon, browser="firefox"))
            self.addCleanup(firefox.close)
            firefox.install(EXTENSION)
            firefox.open(address + "/product/4711")
            daemon.shows("product")
            firefox.close()
        daemon.shows("default")


if __name__ == "__main__":
    unittest.main()
