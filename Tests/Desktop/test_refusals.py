"""If the overlay cannot draw, it prints one line and exits with a distinct status. If the user
must do something, it warns."""

import unittest

from case import DesktopCase
from support import Overlay, Person
from sway import Sway
from touchgrid_test.waiting import PATIENCE, until

UNAVAILABLE = 69


class Refusals(unittest.TestCase):
    def setUp(self):
        self.person = Person()
        self.addCleanup(self.person.close)

    def refusal(self, *arguments, **environment):
        overlay = Overlay(self.person, arguments, environment)
        status = overlay.process.wait(PATIENCE)
        self.assertEqual(status, UNAVAILABLE, overlay.said)
        self.assertEqual(overlay.said.count("\n"), 1, overlay.said)
        self.assertEqual([line for line in overlay.listen() if line.startswith("READY")], [])
        return overlay.said

    def test_the_overlay_exits_without_a_desktop(self):
        self.assertRegex(self.refusal(), "WAYLAND_DISPLAY.*DISPLAY")

    def test_the_overlay_exits_if_its_display_does_not_exist(self):
        self.assertIn("WAYLAND_DISPLAY", self.refusal(WAYLAND_DISPLAY="wayland-none"))
        self.assertRegex(self.refusal(DISPLAY=":64999"), "X server.* DISPLAY")

    def test_the_overlay_exits_without_a_layer_shell(self):
        """cage shows a single window and has no layer shell."""
        kiosk = self.person.program(
            "cage", "--", "sh", "-c", "printenv WAYLAND_DISPLAY; exec sleep 600", name="cage", WLR_BACKENDS="headless",
            WLR_RENDERER="pixman", WLR_LIBINPUT_NO_DEVICES="1")
        until(lambda: "wayland-" in kiosk.said, lambda: f"cage: {kiosk.said}")
        (display,) = (line for line in kiosk.said.splitlines() if line.startswith("wayland-"))
        for arguments in ((), ("--backend", "wayland")):
            said = self.refusal(*arguments, WAYLAND_DISPLAY=display)
            self.assertRegex(said, "layer shell")
            self.assertRegex(said, "touchgrid track|subtitles")
        said = self.refusal("--guard", WAYLAND_DISPLAY=display)
        self.assertRegex(said, "layer shell.*GNOME and cage do not")
        self.assertNotIn("touchgrid track", said)


class Cautions(DesktopCase):
    def desk(self):
        return Sway(self.person)

    def test_a_lock_screen_below_the_overlay_causes_one_warning(self):
        """sway has supported ext-session-lock since 1.8, so only older versions cause the
        warning."""
        version = self.desktop.message("-t", "get_version")
        daemon = self.daemon().start(self.fingers())
        overlay = self.desktop.overlay(daemon)
        overlay.notifies("STATUS=showing touches of HEADLESS-1")
        # A changed display makes the overlay check for warnings again.
        daemon.call("SetDisplay", name="HEADLESS-1", rotation=90)
        overlay.says("rotation")
        self.assertEqual(overlay.end(), 0)
        warnings = overlay.said.count("before you lock the screen")
        self.assertEqual(warnings, int((version["major"], version["minor"]) < (1, 8)), overlay.said)
