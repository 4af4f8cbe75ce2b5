"""The extension in a real Firefox: each touch is counted on the page that was shown."""

import pathlib

from support import EXTENSION, Following
from touchgrid_test.firefox import SYSTEM_EXTENSIONS, Firefox
from touchgrid_test.follower import RULES, native_host, shop
from touchgrid_test.taps import counted_screens, taps, touch_downs
from touchgrid_test.waiting import ROOT


class Pages(Following):
    CHANGES = 60

    def test_each_touch_counts_on_the_page_that_was_shown(self):
        daemon = self.tapped()
        with shop() as address:
            firefox = Firefox(native_host(self.folder, RULES, "firefox", daemon.socket))
            self.addCleanup(firefox.close)
            firefox.install(EXTENSION)
            firefox.open(address + "/")
            daemon.play(taps())
            daemon.shows("home")
            changes = self.change(firefox, address, [daemon])
        seen = touch_downs(daemon.touches)
        daemon.stop()
        self.assertGreater(changes.judge("Firefox", seen, counted_screens(daemon.store)), 5 * self.CHANGES)

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
