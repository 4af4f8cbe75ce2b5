"""No bubble and no file is left behind when the daemon, the overlay or the panel disappears while
fingers are down."""

import os
import signal

from case import DesktopCase
from touchgrid_test.waiting import PATIENCE, until
from xvfb import Xvfb

PLACES = [(0.2, 0.2), (0.5, 0.5), (0.8, 0.7)]


class Endings(DesktopCase):
    """The tests without a compositing manager, as on many kiosks."""

    def desk(self):
        return Xvfb(self.person)

    def show(self, fingers=None, **options):
        """Plays resting fingers, and waits for their bubbles. Returns the pictures without and with
        the bubbles."""
        self.desktop.window()
        before = self.desktop.settled()
        fingers = fingers or self.fingers().down(self.panel, PLACES)
        self.daemon().play(fingers, **options)
        self.the_overlay = self.desktop.overlay(self.the_daemon).is_ready()
        self.the_daemon.holds(len(PLACES))
        after = self.shown(before, fingers)
        self.the_daemon.thaw()
        return before, after

    def test_bubbles_return_after_the_daemon_is_killed_and_restarted(self):
        """Kills the daemon twice. The second time, it stays away for 2 s, longer than the overlay's
        first attempts to connect take."""
        before, after = self.show()
        for away in (0, 2):
            self.the_daemon.kill()
            self.unchanged(before)
            self.the_overlay.notifies("STATUS=no daemon")
            self.desktop.settled(still=away)
            self.the_daemon.play(self.fingers().down(self.panel, PLACES))
            self.desktop.settled(lambda pictures: (self.keep("again", pictures)[0] == after[0]).all(),
                                 lambda: f"bubbles as before: {self.the_overlay.said}")
        self.assertEqual(self.the_overlay.end(), 0)

    def test_bubbles_vanish_with_their_panel(self):
        """The end of a recording removes its panel."""
        fingers = self.fingers().down(self.panel, PLACES).wait(5).move(self.panel, PLACES[:1])
        before, _ = self.show(fingers, stays=0)
        until(lambda: self.the_daemon.process.poll() is not None, "the end of the recording")
        self.unchanged(before)

    def test_bubbles_vanish_with_the_overlay_and_return_with_it(self):
        """The overlay leaves no files in the home or the runtime folder, and the person's GTK files stay
        unchanged."""
        self.person.write("home/.config/gtk-3.0/bookmarks", "file:///tmp\n")
        home, runtime = self.person.belongings(), sorted(os.listdir(self.person.runtime))
        before, after = self.show()
        for number, status in ((signal.SIGKILL, -9), (signal.SIGTERM, 0), (signal.SIGINT, 0)):
            self.assertEqual(self.the_overlay.end(number), status, self.the_overlay.said)
            self.unchanged(before)
            self.assertEqual((self.person.belongings(), sorted(os.listdir(self.person.runtime))), (home, runtime))
            until(lambda: self.the_daemon.call("GetStatus")["watchers"] == 1, "one that watches less")
            self.the_overlay = self.desktop.overlay(self.the_daemon).is_ready()
            self.desktop.settled(lambda pictures: (self.keep("again", pictures)[0] == after[0]).all(),
                                 "bubbles as before")

    def test_an_overlay_that_may_not_watch_exits_and_names_the_group(self):
        """The daemon runs as another user, root."""
        daemon = self.daemon(is_persons=False)
        daemon.start(self.fingers())
        overlay = self.desktop.overlay(daemon)
        self.assertEqual(overlay.process.wait(PATIENCE), 77, overlay.said)
        self.assertIn("touchgrid-watch", overlay.said)
        self.assertEqual(len(overlay.said.strip().splitlines()), 1, overlay.said)
