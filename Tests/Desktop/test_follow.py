"""touchgrid-follow on sway and labwc, and on an X server with and without a window manager. Each
touch is counted on the window that was shown."""

import os
import time
import unittest

from desktop import Output
from labwc import Labwc
from support import Person
from sway import Sway
from touchgrid_test.taps import CONFIGURATION, PANEL, Changes, counted_screens, taps, touch_downs
from touchgrid_test.waiting import until
from xvfb import Xvfb

# The number of switches, and the pause between them, in seconds.
SWITCHES = int(os.environ.get("TOUCHGRID_SWITCHES", "60"))
PAUSE = float(os.environ.get("TOUCHGRID_SWITCH_PAUSE", "0.3"))
assert 0.3 <= PAUSE <= 1, "TOUCHGRID_SWITCH_PAUSE: a window of 100 ms says little of less than 0.3 s, and taps end after 80 s"
DEVICE = f'[[device]]\nmatch = "{PANEL}"\n'


class Switching(unittest.TestCase):
    """Two programs, "first" and "second", that come to the front in turn."""

    def setUp(self):
        self.person = Person()
        self.addCleanup(self.person.close)

    def start(self, configuration=CONFIGURATION):
        self.daemon = self.person.daemon(configuration)
        self.addCleanup(self.daemon.close)
        self.daemon.play(taps())

    def follower(self, configuration="", name="touchgrid-follow"):
        config = self.person.write("follow.toml", configuration)
        return self.person.program(
            self.person.ours("touchgrid-follow"), "--config", config, "--socket", self.daemon.socket,
            name=name)

    def judged(self, what, show, rules=""):
        """Switches between the two programs while a finger taps, and checks on which screen each
        tap was counted. `show` brings the program with a name to the front."""
        show("first")
        self.start()
        follower = self.follower(rules)
        self.daemon.shows("first")
        changes = Changes()
        changes.make("first")
        for number in range(SWITCHES):
            time.sleep(PAUSE)
            name = ("second", "first")[number % 2]
            changes.make(name, lambda: show(name), lambda: self.daemon.shows(name))
        seen = touch_downs(self.daemon.touches)
        self.daemon.stop()
        self.assertEqual(follower.end(), 0, follower.said)
        self.assertGreater(changes.judge(what, seen, counted_screens(self.daemon.store)), 10 * SWITCHES)


class OnWayland(Switching):
    def terminal(self, name):
        program = self.person.program(
            "foot", f"--app-id={name}", f"--title={name}", "sleep", "1000", name=f"foot-{name}", XDG_CONFIG_HOME="/nonexistent")
        until(lambda: program.process.poll() is not None or self.desktop.windows(name), lambda: f"{name}: {program.said}")


class OnLabwc(OnWayland):
    def test_each_touch_counts_on_the_window_that_was_shown(self):
        self.desktop = Labwc(self.person)
        for name in ("first", "second"):
            self.terminal(name)
        self.judged("labwc", lambda name: self.desktop.toplevel("focus", f"app_id:{name}"))


class OnSway(OnWayland):
    def test_each_touch_counts_on_the_window_that_was_shown(self):
        self.desktop = Sway(self.person)
        self.terminal("first")
        self.desktop.message("layout tabbed")
        self.terminal("second")
        self.judged("sway", lambda name: self.desktop.message(f"[app_id={name}] focus"))

    def test_each_output_has_its_own_window(self):
        self.desktop = Sway(self.person, [Output("HEADLESS-1"), Output("HEADLESS-2")])
        for number, name in enumerate(("first", "second"), 1):
            self.desktop.message(f"focus output HEADLESS-{number}")
            self.terminal(name)
        self.start(DEVICE + 'display = "HEADLESS-2"\n[[display]]\nname = "HEADLESS-2"\nwidth = 800\nheight = 480\n')
        follower = self.follower()
        follower.says("connected to the daemon")
        # The window "first" becomes active, but it is on another display.
        self.desktop.message("[app_id=first] focus")
        self.daemon.shows("second")
        self.desktop.message("[app_id=first] move container to output HEADLESS-2, focus")
        self.daemon.shows("first")
        self.desktop.message("[app_id=first] kill")
        self.daemon.shows("second")

    def test_a_display_takes_its_size_from_the_compositor(self):
        self.desktop = Sway(self.person)
        self.terminal("first")
        self.start(DEVICE + 'display = "HEADLESS-1"\n')
        self.assertEqual(self.size()[2], "guess")
        follower = self.follower()
        follower.says("connected to the daemon")
        until(lambda: self.size() == (800, 480, "client"), "the output's mode")
        self.desktop.message("output HEADLESS-1 mode 1280x720")
        until(lambda: self.size() == (1280, 720, "client"), "another mode")

    def size(self):
        display = self.daemon.call("GetDisplays")["displays"][0]
        return *(display["geometry"][key] for key in ("pixelWidth", "pixelHeight")), display["geometrySource"]

    def test_the_compositor_may_start_later_and_end(self):
        self.start()
        self.person.environment["WAYLAND_DISPLAY"] = "wayland-1"
        follower = self.follower('[[source]]\nkind = "wayland"\n')
        follower.says("no Wayland compositor answers")
        self.desktop = Sway(self.person)
        self.assertEqual(self.desktop.display, "wayland-1")
        self.terminal("first")
        self.daemon.shows("first")
        self.desktop.program.close()
        self.daemon.shows("default")
        follower.says("lost the connection to the Wayland compositor: trying again")


class OnX11(Switching):
    RULES = "".join(f'[[rule]]\ntitle = "{name}"\nscreen = "{name}"\n' for name in ("first", "second"))

    def setUp(self):
        super().setUp()
        self.desktop = Xvfb(self.person)

    def show(self, verb):
        """Opens the windows of both programs. Returns a function that brings the one with a name to
        the front. `verb` is the command of xdotool for that."""
        for name in ("first", "second"):
            self.person.program("xlogo", "-title", name, "-geometry", "800x480+0+0", name=name)
        numbers = {name: until(lambda: self.number(name), name) for name in ("first", "second")}
        return lambda name: self.desktop.xdotool(verb, numbers[name])

    def number(self, name):
        try:
            return self.desktop.xdotool("search", "--onlyvisible", "--name", f"^{name}$").split()[-1]
        except (AssertionError, IndexError):
            return None

    def test_windows_are_followed_without_a_window_manager(self):
        self.judged("X11 without a window manager", self.show("windowraise"), self.RULES)

    def test_windows_are_followed_with_a_window_manager_and_after_it_ends(self):
        show = self.show("windowactivate")
        manager = self.desktop.window_manager()
        self.judged("X11 with openbox", show, self.RULES)
        # When openbox has ended, its properties remain on the root window. The follower must not
        # trust them.
        self.daemon.start()
        self.follower(self.RULES, "again").says("connected to the daemon")
        show("second")
        self.daemon.shows("second")
        manager.end()
        first = self.number("first")
        self.desktop.xdotool("windowraise", first)
        self.daemon.shows("first")
