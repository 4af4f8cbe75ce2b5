"""The overlay follows ten fingers at 120 Hz and removes their bubbles. Without touches it
sleeps."""


from case import DesktopCase
from load import ten_fingers
from pictures import changed
from sway import Sway
from touchgrid_test.waiting import sleeps, until
from xvfb import Xvfb

SECONDS = 4


class Load:
    """The test that is the same on every desktop."""

    def lay(self):
        """Opens a window below the overlay, if the desktop needs one."""

    def test_ten_fingers_at_120_hz_leave_no_bubble_and_then_the_overlay_sleeps(self):
        self.lay()
        before = self.desktop.settled()
        daemon = self.daemon()
        overlay = self.desktop.overlay(daemon)
        daemon.play(ten_fingers(self.panel, SECONDS))
        overlay.is_ready()
        until(lambda: changed(before[0], self.desktop.pictures()[0]).any(), "bubbles")
        daemon.touches.all_lifted()
        self.unchanged(before)
        self.assertEqual(overlay.listen().count("READY=1"), 1)
        self.assertNotIn("gone", overlay.said, "it did not keep up")
        # A process that is not woken draws nothing.
        sleeps(overlay.pid)


class OnSway(Load, DesktopCase):
    def desk(self):
        return Sway(self.person)


class OnX11(Load, DesktopCase):
    def desk(self):
        return Xvfb(self.person)

    def lay(self):
        self.desktop.window()
