"""The example apps of docs/apps.md, run against the daemon while a recorded person touches the
screen."""

import pathlib
import shutil
import subprocess
import sys
import unittest

from proxy import Tap
from support import APPS, App, demonstration
from touchgrid_test import swift_example
from touchgrid_test.waiting import PATIENCE, ROOT, until

KEYPAD = {
    "screen": "checkout/pin",
    "rectangle": {"x": 0, "y": 300, "width": 480, "height": 500},
}


class Kiosk:
    """The tests that each of the apps must pass. In subclasses, `command` builds the app if
    necessary and returns its command line."""

    status_without_daemon = 0
    ages = [True, True]

    def setUp(self):
        self.daemon = demonstration()
        self.addCleanup(self.daemon.close)

    def run_app(self, socket=None):
        app = App(self.command(), socket or self.daemon.socket, self.daemon.folder)
        self.addCleanup(app.close)
        return app

    def masks(self):
        masks = self.daemon.call("GetMasks")["added"]
        return [{name: value for name, value in mask.items() if value} for mask in masks]

    def only(self, sessions):
        (session,) = sessions
        return session[0]

    def show(self, app, screen):
        app.type(screen)
        self.daemon.shows(screen)

    def test_the_app_sets_screens_masks_and_pauses_and_reconnects_after_a_restart(self):
        self.daemon.start()
        app = self.run_app()
        self.show(app, "menu")
        self.daemon.is_touched()
        self.show(app, "checkout/pin")
        self.assertEqual(self.masks(), [KEYPAD])
        self.show(app, "service")
        until(lambda: self.daemon.call("GetStatus")["pauses"] == 1, "a pause")
        self.show(app, "menu")
        until(lambda: self.daemon.call("GetStatus")["pauses"] == 0, "the end of the pause")
        self.daemon.stop()

        self.daemon.start()
        self.assertEqual(self.masks(), [])
        # The first call after the restart must succeed on a new connection.
        self.show(app, "service")
        until(lambda: self.daemon.call("GetStatus")["pauses"] == 1, "a pause")
        self.show(app, "catalogue")
        self.show(app, "checkout/pin")
        self.assertEqual(self.masks(), [KEYPAD])
        self.show(app, "catalogue")
        self.daemon.is_touched()
        self.assertEqual(app.finish(), (0, ""))
        self.daemon.stop()

        sessions = self.daemon.rows("SELECT id, end_reason, tags FROM session")
        # There are other sessions, which touches began before the app began one or after it ended
        # one.
        first = self.only(row for row in sessions if row[1:] == ("stopped", '{"build":"1.4"}'))
        second = self.only(row for row in sessions if row[1:] == ("client", '{"outcome":"paid"}'))
        views = self.daemon.rows("SELECT session, screen, touches FROM screen_view")
        touches = {view[:2]: view[2] for view in views}
        for screen in ("menu", "checkout/pin", "service"):
            self.assertIn((first, screen), touches)
        self.assertGreater(touches[first, "menu"], 0)
        self.assertIn((second, "checkout/pin"), touches)
        self.assertGreater(touches[second, "catalogue"], 0)

    def test_the_time_of_each_change_is_on_the_clock_of_input_events(self):
        self.daemon.start()
        tap = Tap(self.daemon.folder + "/tap", self.daemon.socket)
        self.addCleanup(tap.stop)
        app = self.run_app(self.daemon.folder + "/tap")
        self.show(app, "menu")
        self.show(app, "catalogue")
        self.assertEqual(app.finish(), (0, ""))
        self.assertEqual([0 <= age < PATIENCE * 1_000_000 for age in tap.ages()], self.ages)

    def test_the_app_continues_without_a_daemon_and_reports_why(self):
        app = self.run_app()
        app.type("menu")
        status, errors = app.finish()
        self.assertEqual(status, self.status_without_daemon)
        self.assertRegex(errors, "No such file|no daemon answers")

    def test_the_app_reports_what_the_daemon_refuses(self):
        self.daemon.start()
        app = self.run_app()
        app.type("x" * 129)
        self.show(app, "menu")
        _, errors = app.finish()
        self.assertIn("1 to 128 bytes of printable", errors)


class Package(Kiosk):
    """One of our own packages."""

    def test_the_daemon_knows_its_controls_also_after_a_restart(self):
        pay = {"name": "pay", "rectangle": {"x": 640, "y": 600, "width": 300, "height": 80}}
        self.daemon.start()
        app = self.run_app()
        for screen in ("checkout", "menu"):
            self.show(app, screen)
            self.assertEqual(
                self.daemon.call("GetControls")["added"], [{"screen": "checkout", "controls": [pay]}])
            self.daemon.stop()
            self.daemon.start()


class Python(Package, unittest.TestCase):
    def command(self):
        return [sys.executable, APPS / "kiosk.py"]


class JavaScript(Package, unittest.TestCase):
    def command(self):
        # As npm installs it.
        modules = pathlib.Path(self.daemon.folder, "node_modules")
        modules.mkdir(exist_ok=True)
        if not (modules / "touchgrid").exists():
            (modules / "touchgrid").symlink_to(ROOT / "clients/javascript")
            shutil.copy(APPS / "kiosk.mjs", self.daemon.folder)
        return ["node", f"{self.daemon.folder}/kiosk.mjs"]


class Shell(Kiosk, unittest.TestCase):
    # The script's status is that of its last command.
    status_without_daemon = 1
    # This script names a screen before it shows it, so its calls contain no time of the change.
    ages = []

    def command(self):
        return ["sh", APPS / "kiosk.sh"]


class C(Kiosk, unittest.TestCase):
    def command(self):
        program = self.daemon.folder + "/kiosk"
        for compiler in ("clang", "gcc"):
            subprocess.run(
                [compiler, "-Wall", "-Wextra", "-Werror", "-O2", "-o", program, APPS / "kiosk.c"],
                check=True)
        return [program]


class Swift(Package, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = swift_example.build()

    def command(self):
        return [self.program]


del Kiosk, Package
