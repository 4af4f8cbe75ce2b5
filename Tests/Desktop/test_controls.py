"""touchgrid-follow finds the controls of full-screen programs of GTK 3 and Qt 6: each within a point of where its toolkit
has it. Those of other programs and windows it does not count, and says why."""

import json
import os
import signal
import unittest

from desktop import Output
from support import Person
from sway import Sway
from touchgrid_test.daemon import panels
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import ROOT, sleeps, until
from xvfb import Xvfb

SECRET = "Ada Lovelace"
# Not that of the tests: Debian's packages of GTK and Qt are for this one.
PYTHON = "/usr/bin/python3"


class Program:
    """One of the programs in `programs`, in a folder of its own."""

    def __init__(self, person, toolkit, size="full", name=None):
        self.name = name or f"{toolkit}-{size}"
        self.person, self.toolkit = person, toolkit
        self.home = f"{person.home}/{self.name}"
        os.mkdir(self.home)
        source = ROOT / "Tests/Desktop/programs" / f"{toolkit.rstrip('34')}.py"
        script = person.write(f"{self.name}.py", f"import os\nos.chdir({self.home!r})\n" + source.read_text())
        person.own()
        x11 = "DISPLAY" in person.environment
        environment = {"GDK_BACKEND": "x11" if x11 else "wayland", "QT_QPA_PLATFORM": "xcb" if x11 else "wayland",
                       "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QUICK_BACKEND": "software"}
        arguments = [toolkit.removeprefix("gtk"), size] if toolkit.startswith("gtk") else [size]
        self.program = person.program(PYTHON, "-B", script, *arguments, name=self.name, **environment)
        until(lambda: self.places or self.program.process.poll() is not None, lambda: f"places: {self.program.said}")
        assert self.program.process.poll() is None, self.program.said

    @property
    def places(self):
        """Where the controls are, by name, as the program said last."""
        lines = [line for line in self.program.said.splitlines() if line.startswith('{"places"') and line.endswith("}")]
        return json.loads(lines[-1])["places"] if lines else {}

    def change(self):
        self.person.write(f"home/{self.name}/more", "")


class Desk(unittest.TestCase):
    """A desktop with an accessibility bus."""

    KIND = "wayland"

    def desk(self):
        return Sway(self.person)

    def setUp(self):
        self.person = Person()
        self.addCleanup(self.person.close)
        self.desktop = self.desk()
        self.bus = f"unix:path={self.person.runtime}/bus"
        self.person.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus
        self.start_bus("bus")

    def start_bus(self, name):
        self.session = self.person.program(
            "dbus-daemon", "--session", "--nofork", "--nosyslog", f"--address={self.bus}", name=name)
        until(lambda: os.path.exists(f"{self.person.runtime}/bus"), "the session's bus")

    def follow(self, socket=None):
        config = self.person.write("follow.toml", f'[[source]]\nkind = "{self.KIND}"\ncontrols = true\n')
        arguments = ["--socket", socket] if socket else ["--dry-run", "--json"]
        self.follower = self.person.program(self.person.ours("touchgrid-follow"), "--config", config, *arguments)

    @property
    def lines(self):
        return [json.loads(line) for line in self.follower.said.splitlines() if line.startswith("{") and line.endswith("}")]

    @property
    def found(self):
        """The places of the controls that were printed last, by name."""
        lists = [line for line in self.lines if "controls" in line]
        places = {one["name"]: one for one in lists[-1]["controls"]} if lists else {}
        if lists and lists[-1]["secrets"]:
            for number, one in enumerate(lists[-1]["secrets"]):
                places[f"secret {number}"] = one
        return {name: [one[key] for key in ("x", "y", "width", "height")] for name, one in places.items()}

    def error(self, program):
        """Returns by how much the controls are wrong, in points; nil if they are others."""
        found, truth = self.found, {name: place for name, place in program.places.items() if name not in ("secret", "keypad")}
        secrets = [place for name, place in sorted(program.places.items()) if name in ("secret", "keypad")]
        truth |= {f"secret {number}": place for number, place in enumerate(secrets)}
        if set(found) != set(truth):
            return None
        return max(abs(mine - its) for name in truth for mine, its in zip(found[name], truth[name]))

    def is_right(self, program):
        until(lambda: (self.error(program) if self.error(program) is not None else 2) <= 1,
              lambda: f"controls: {self.follower.said}\n{program.places}")
        print(f"{self.id()}: {len(self.found)} controls and secrets within {self.error(program)} points", flush=True)
        self.assertNotIn("Lovelace", self.follower.said)

    def is_refused(self, reason):
        until(lambda: reason in self.follower.said, lambda: f"{reason}: {self.follower.said}")
        self.assertEqual(self.found, {})
        self.assertNotIn("Lovelace", self.follower.said)


class OnSway(Desk):
    def test_gtk_3(self):
        program = Program(self.person, "gtk3")
        self.follow()
        self.is_right(program)
        self.assertIn("mask it with [[mask]]", self.follower.said)
        program.change()
        until(lambda: "button Later" in self.found, lambda: self.follower.said)
        self.is_right(program)

    def test_gtk_3_with_a_header_bar(self):
        # The window is at least as high as its content and the bar, which a full-screen window does not show.
        self.desktop.message("output HEADLESS-1 mode 800x600")
        program = Program(self.person, "gtk3", "bar")
        self.follow()
        self.is_right(program)

    def test_qt_6(self):
        program = Program(self.person, "qt")
        self.follow()
        self.is_right(program)
        program.change()
        until(lambda: "button Later" in self.found, lambda: self.follower.said)
        self.is_right(program)

    def test_gtk_4_is_refused(self):
        Program(self.person, "gtk4")
        self.follow()
        self.is_refused("is one of GTK 4")

    def test_qt_quick_is_refused(self):
        Program(self.person, "quick")
        self.follow()
        self.is_refused("is one of Qt Quick")

    def test_a_window_that_is_not_full_screen_is_refused(self):
        for toolkit in ("gtk3", "qt"):
            with self.subTest(toolkit):
                program = Program(self.person, toolkit, "small")
                self.follow()
                self.is_refused("is not full screen")
                self.desktop.message("fullscreen enable")
                self.is_right(program)
                self.desktop.message("fullscreen disable")
                self.follower.end()
                program.program.end()

    def test_the_daemon_gets_them_in_its_points(self):
        # The daemon's display has other points than the window.
        output = Output("HEADLESS-1", 1600, 960, 2)
        self.desktop.message("output HEADLESS-1 mode 1600x960 scale 1.25")
        fingers = Fingers("Panel").wait(0.3).down("Panel", [(0.5, 0.5)])
        daemon = self.person.daemon(panels({"Panel": output.display}))
        self.addCleanup(daemon.close)
        daemon.start(fingers)
        program = Program(self.person, "gtk3", "full")
        self.follow(socket=daemon.socket)

        def pay():
            return next((one["rectangle"] for found in daemon.call("GetControls")["added"] for one in found["controls"]
                         if one["name"] == "button Pay #.#"), None)
        until(pay, lambda: f"the controls: {self.follower.said}")
        scale = 800 / 1280
        wanted = [scale * side for side in program.places["button Pay #.#"]]
        for key, value in zip(("x", "y", "width", "height"), wanted):
            self.assertAlmostEqual(pay()[key], value, delta=1)

    def test_a_scaled_output(self):
        for scale in (2, 1.5):
            for toolkit in ("gtk3", "qt"):
                with self.subTest(toolkit, scale=scale):
                    self.desktop.message(f"output HEADLESS-1 mode {int(800 * scale)}x{int(480 * scale)} scale {scale}")
                    program = Program(self.person, toolkit, name=f"{toolkit}-{scale}")
                    self.follow()
                    self.is_right(program)
                    self.follower.end()
                    program.program.end()

    def test_a_rotated_output(self):
        self.desktop.message("output HEADLESS-1 mode 480x800 transform 90")
        program = Program(self.person, "gtk3")
        self.follow()
        self.is_right(program)

    def test_a_program_that_hangs_does_not_stop_the_follower(self):
        for toolkit in ("gtk3", "qt"):
            with self.subTest(toolkit):
                program = Program(self.person, toolkit)
                self.follow()
                self.is_right(program)
                os.kill(program.program.pid, signal.SIGSTOP)
                self.desktop.message("fullscreen disable")
                self.desktop.message("layout tabbed")
                terminal = self.person.program("foot", "--app-id=other", "--title=other", "--fullscreen", "sleep", "1000",
                                               name=f"foot-{toolkit}")
                until(lambda: self.lines[-1]["screen"] == "other", lambda: self.follower.said)
                # The window may be one of the program that hangs.
                self.follower.says('"other" does not answer')
                terminal.end()
                until(lambda: self.lines[-1]["screen"] == "io.touchgrid.till", lambda: self.follower.said)
                self.desktop.message("fullscreen enable")
                self.follower.says('"io.touchgrid.till" does not answer')
                os.kill(program.program.pid, signal.SIGCONT)
                count = len(self.lines)
                until(lambda: len(self.lines) > count, "controls after SIGCONT")
                self.is_right(program)
                self.follower.end()
                program.program.end()

    def test_the_bus_may_end_and_start(self):
        program = Program(self.person, "gtk3")
        self.follow()
        self.is_right(program)
        os.kill(self.session.pid, signal.SIGKILL)
        self.follower.says("bus has closed the connection")
        program.program.end()
        os.remove(f"{self.person.runtime}/bus")
        self.start_bus("second-bus")
        self.follower.says("connected to the accessibility bus")
        count = len(self.lines)
        program = Program(self.person, "gtk3", name="again")
        until(lambda: any("controls" in line for line in self.lines[count:]), lambda: self.follower.said)
        self.is_right(program)

    def test_without_a_bus_a_text_says_so(self):
        self.session.end()
        self.follow()
        self.follower.says("no D-Bus session")

    def test_no_wake_up_while_nothing_changes(self):
        program = Program(self.person, "gtk3")
        self.follow()
        self.is_right(program)
        sleeps(self.follower.pid)


class OnTwoOutputs(Desk):
    def desk(self):
        return Sway(self.person, [Output("HEADLESS-1"), Output("HEADLESS-2")])

    def test_each_output_has_its_own_window(self):
        # The follower sees which window of an output was active last.
        self.follow()
        self.follower.says("following")
        self.desktop.message("focus output HEADLESS-2")
        second = Program(self.person, "gtk3", name="second")
        self.desktop.message("focus output HEADLESS-1")
        # Qt puts a full-screen window on the first output.
        first = Program(self.person, "qt", name="first")
        # Both windows have the title "till".
        self.follower.says("has the same title as another window")
        first.program.end()
        self.is_right(second)
        self.assertEqual({line["display"] for line in self.lines if "controls" in line}, {"HEADLESS-2"})


class OnX11(Desk):
    KIND = "x11"

    def desk(self):
        return Xvfb(self.person)

    def test_with_and_without_a_window_manager(self):
        for manager in (False, True):
            if manager:
                self.desktop.window_manager()
            for toolkit in ("gtk3", "qt"):
                with self.subTest(toolkit, manager=manager):
                    program = Program(self.person, toolkit, "full" if manager else "whole", f"{toolkit}-{manager}")
                    self.follow()
                    self.is_right(program)
                    self.follower.end()
                    program.program.end()

    def test_a_window_that_is_not_full_screen_is_refused(self):
        self.desktop.window_manager()
        for toolkit in ("gtk3", "qt"):
            with self.subTest(toolkit):
                program = Program(self.person, toolkit, "small")
                self.follow()
                self.is_refused("is not full screen")
                self.follower.end()
                program.program.end()
