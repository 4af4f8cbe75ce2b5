"""No bubble and no file is left behind when the daemon, the overlay or the panel disappears while
fingers are down."""

import os
import shutil
import signal
import tempfile
import unittest

from case import DesktopCase
from sway import Output, Sway
from support import until
from xvfb import Xvfb

PLACES = [(0.2, 0.2), (0.5, 0.5), (0.8, 0.7)]


class Endings:
    """The tests that are the same on every desktop."""

    def show(self, fingers=None, **options):
        """Plays resting fingers, and waits for their bubbles. Returns the pictures without and with
        the bubbles."""
        self.lay()
        before = self.desktop.settled()
        fingers = fingers or self.fingers().land(self.panel, PLACES).stays()
        self.the_daemon = self.daemon(**options).play(fingers)
        self.the_overlay = self.desktop.overlay(self.the_daemon).is_ready()
        return before, self.shown(before, fingers)

    def lay(self):
        """Opens a window below the overlay, if the desktop needs one."""

    def test_bubbles_return_after_the_daemon_is_killed_and_restarted(self):
        """Kills the daemon twice. The second time, it stays away for 2 s, longer than the overlay's
        first attempts to connect take."""
        before, after = self.show()
        for away in (0, 2):
            self.the_daemon.stop(signal.SIGKILL)
            self.unchanged(before)
            self.the_overlay.notifies("STATUS=no daemon")
            self.desktop.settled(still=away)
            self.the_daemon.play(self.fingers().land(self.panel, PLACES).stays())
            self.desktop.settled(lambda pictures: (self.keep("again", pictures)[0] == after[0]).all(),
                                 lambda: f"bubbles as before: {self.the_overlay.said}")
        self.assertEqual(self.the_overlay.end(), 0)

    def test_bubbles_vanish_with_their_panel(self):
        """The end of a recording removes its panel."""
        fingers = self.fingers().land(self.panel, PLACES).wait(2.5).move(self.panel, PLACES[:1])
        before, _ = self.show(fingers)
        until(lambda: self.the_daemon.program.process.poll() is not None, "the end of the recording")
        self.unchanged(before)

    def test_bubbles_vanish_with_the_overlay_and_return_with_it(self):
        before, after = self.show()
        for number, status in ((signal.SIGKILL, -9), (signal.SIGTERM, 0), (signal.SIGINT, 0)):
            self.assertEqual(self.the_overlay.end(number), status, self.the_overlay.said)
            self.unchanged(before)
            until(lambda: self.the_daemon.ask("GetStatus")["watchers"] == 1, "one that watches less")
            self.the_overlay = self.desktop.overlay(self.the_daemon).is_ready()
            self.desktop.settled(lambda pictures: (self.keep("again", pictures)[0] == after[0]).all(),
                                 "bubbles as before")

    def test_a_pause_removes_the_bubbles(self):
        before, _ = self.show()
        with self.the_daemon.connect("Pause", parameters={}):
            self.unchanged(before)

    def test_the_overlay_leaves_no_bubble_and_no_file(self):
        """The overlay leaves no files in the home or the runtime folder, and the person's GTK
        files stay unchanged."""
        self.person.write("home/.config/gtk-3.0/bookmarks", "file:///tmp\n")
        self.lay()
        home, runtime = self.person.belongings(), sorted(os.listdir(self.person.runtime))
        before = self.desktop.settled()
        fingers = self.fingers().land(self.panel, PLACES).stays()
        daemon = self.daemon().play(fingers)
        overlay = self.desktop.overlay(daemon).is_ready()
        self.shown(before, fingers)
        self.assertEqual(overlay.end(), 0)
        self.unchanged(before)
        self.assertEqual(self.person.belongings(), home)
        self.assertEqual(sorted(os.listdir(self.person.runtime)), runtime)

    def test_an_overlay_that_may_not_watch_exits_and_names_the_group(self):
        """The daemon runs as another user, root."""
        # The folder of the store belongs to root. If root starts the daemon, it runs as the owner
        # of that folder, which must not be the person.
        folder = tempfile.mkdtemp(prefix="touchgrid-root.")
        self.addCleanup(shutil.rmtree, folder)
        os.chmod(folder, 0o755)
        daemon = self.daemon()
        daemon.rights, daemon.socket, daemon.store = {}, folder + "/socket", folder + "/touchgrid.db"
        daemon.play(self.fingers().stays())
        overlay = self.desktop.overlay(daemon)
        self.assertEqual(overlay.process.wait(30), 77, overlay.said)
        self.assertIn("touchgrid-watch", overlay.said)
        self.assertEqual(len(overlay.said.strip().splitlines()), 1, overlay.said)


class OnX11(Endings, DesktopCase):
    """The tests without a compositing manager, as on many kiosks."""

    def desk(self):
        return Xvfb(self.person)

    def lay(self):
        self.desktop.window()


if __name__ == "__main__":
    unittest.main()
