"""`touchgrid guard`: the click that wakes a dark screen reaches no app, and the next one does. WakeGuardTests cover
fingers. DesktopGuestTests cover touches of a kernel panel, and outputs that are off: sway switches off none that has no
screen."""

import ctypes
import random
import socket
import time

from case import DesktopCase
from labwc import Labwc
from pointer import Pointer
from support import Overlay
from sway import Sway
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import PATIENCE, until
from xvfb import Xvfb

DARK, LIT = "the screen is dark", "touches reach the app"


class Guarded(DesktopCase):
    """The base class: an app that logs its clicks, and a guard."""

    def guard(self, *arguments, daemon=None):
        self.person.ours("touchgrid-overlay")
        socket = ["--socket", daemon.socket] if daemon else []
        return Overlay(self.person, ["guard", *arguments, *socket], {}, "touchgrid")

    def wakes(self, guard):
        """Clicks twice on a dark screen. Only the second click reaches the app."""
        before = self.clicks()
        guard.status_is(DARK)
        self.click()
        guard.status_is(LIT)
        self.click()
        until(lambda: self.clicks() > before, "the second click")
        self.assertEqual(self.clicks(), before + 1, self.app.said)

    def kills(self, *arguments, daemon=None, darken=lambda: None, rounds=10):
        """Kills the guard in the dark. The next click reaches the app within a second."""
        for _ in range(rounds):
            guard = self.guard(*arguments, daemon=daemon).is_ready()
            darken()
            guard.status_is(DARK)
            time.sleep(random.random() / 10)
            before = self.clicks()
            guard.process.kill()
            end = time.monotonic() + 1
            while self.clicks() == before:
                self.assertLess(time.monotonic(), end, "no click reached the app in a second")
                self.click()
                time.sleep(0.02)
            guard.close()


class OnWayland(Guarded):
    def show(self):
        self.app = self.person.program("stdbuf", "-oL", "wev", name="wev")
        until(lambda: self.desktop.windows("wev"), "wev's window")
        self.desktop.settled()
        self.pointer = Pointer(f"{self.person.runtime}/{self.desktop.display}")
        self.addCleanup(self.pointer.close)

    def click(self):
        self.pointer.move(300 + random.randrange(50), 200, 10_000, 10_000)
        self.pointer.click()

    def clicks(self):
        return self.app.said.count("button: 272 (left), state: 1")


class OnSway(OnWayland):
    def desk(self):
        return Sway(self.person)

    def setUp(self):
        super().setUp()
        self.show()

    def test_input_returns_when_the_guard_is_killed(self):
        daemon = self.daemon().start(self.fingers().tap(self.panel, (0.5, 0.5)))
        self.kills("--idle", "5s", "--dim", "true", "--wake", "true", daemon=daemon)

    def test_commands_dim_the_idle_screen_and_wake_it(self):
        log = self.person.write("log", "")
        fingers = self.fingers().tap(self.panel, (0.5, 0.5)).wait(20).tap(self.panel, (0.5, 0.5))
        guard = self.guard("--idle", "5s", "--dim", f"echo dim >>{log}; sleep 600", "--wake", f"echo wake >>{log}",
                           daemon=self.daemon().start(fingers)).is_ready()

        def ran(*words):
            until(lambda: open(log, encoding="utf-8").read().split() == list(words),
                  lambda: f"{words}: {open(log, encoding='utf-8').read()}")

        # A guard that starts while the screen is in use wakes it, in case another one left it dark.
        ran("wake")
        guard.status_is(DARK)
        ran("wake", "dim")
        self.wakes(guard)
        ran("wake", "dim", "wake")
        # The daemon knows of no touch since. So the screen becomes dark again, until the finger comes.
        ran("wake", "dim", "wake", "dim")
        ran("wake", "dim", "wake", "dim", "wake")
        guard.status_is(LIT)
        ran("wake", "dim", "wake", "dim", "wake", "dim")
        guard.status_is(DARK)
        # A guard that ends leaves no dark screen.
        self.assertEqual(guard.end(), 0)
        ran("wake", "dim", "wake", "dim", "wake", "dim", "wake")
        # The finger's second touch is in no grid.
        session = self.the_daemon.call("GetStatus")["session"]["totals"]
        self.assertEqual((session["counted"], session["swallowed"]), (1, 1), session)

    def closes(self, tables):
        """Holds two corners after 6 s. Returns the time, in s, after which the guard connects to the socket that closes
        the glass; None if it does not."""
        path = f"{self.person.runtime}/clean"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            self.person.own()
            listener.listen()
            daemon, start = self.daemon(tables), time.monotonic()
            daemon.start(self.fingers(6).down(self.panel, [(0.02, 0.05), (0.97, 0.9)]).wait(5).up(self.panel, 2))
            guard = Overlay(self.person, ["--guard", "--corners", path, "--socket", daemon.socket], {}).is_ready()
            listener.settimeout(14)
            try:
                listener.accept()[0].close()
                return time.monotonic() - start
            except TimeoutError:
                return None
            finally:
                guard.close()
                daemon.close()

    def test_two_held_corners_close_the_glass(self):
        self.assertGreater(self.closes(""), 9)

    def test_held_corners_of_a_masked_screen_do_nothing(self):
        self.assertIsNone(self.closes('[[mask]]\nscreen = "stage"\n'))

    def test_a_user_without_the_role_is_refused(self):
        guard = self.guard("--idle", "5s", daemon=self.daemon(is_persons=False).start(Fingers(self.panel)))
        self.assertEqual(guard.process.wait(PATIENCE), 77, guard.said)
        self.assertIn("touchgrid-operate", guard.said)


class OnLabwc(OnWayland):
    def desk(self):
        return Labwc(self.person)

    def test_the_click_that_wakes_the_screen_reaches_no_app(self):
        self.show()
        daemon = self.daemon().start(self.fingers().tap(self.panel, (0.5, 0.5)))
        guard = self.guard("--idle", "5s", "--dim", "true", "--wake", "true", daemon=daemon).is_ready()
        for _ in range(2):
            self.wakes(guard)


class OnX11(Guarded):
    def desk(self):
        return Xvfb(self.person)

    def setUp(self):
        super().setUp()
        self.app = self.person.program("stdbuf", "-oL", "xev", "-geometry", "800x480+0+0", "-bw", "0", name="xev")
        until(lambda: "Expose event" in self.app.said, "xev's window")
        self.desktop.xdotool("mousemove", 100, 100)
        xlib = ctypes.CDLL("libX11.so.6")
        xlib.XOpenDisplay.restype = ctypes.c_void_p
        display = ctypes.c_void_p(xlib.XOpenDisplay(self.person.environment["DISPLAY"].encode()))
        self.addCleanup(xlib.XCloseDisplay, display)

        def save():
            """Makes the screen dark, as its owner's time of the screen saver does."""
            xlib.XForceScreenSaver(display, 1)
            xlib.XSync(display, 0)

        self.save = save

    def click(self):
        self.desktop.xdotool("click", 1)

    def clicks(self):
        return self.app.said.count("ButtonPress event")

    def test_the_click_that_wakes_the_screen_reaches_no_app(self):
        guard = self.guard().is_ready()
        for _ in range(10):
            self.save()
            self.wakes(guard)
        self.assertEqual(guard.end(), 0)

    def test_input_returns_when_the_guard_is_killed(self):
        self.kills(darken=self.save)

    def test_the_guard_stays_below_a_screen_locker(self):
        locker = self.person.program("i3lock", "--nofork", "--color", "112233")
        self.desktop.settled(lambda pictures: (pictures[0] == (0x11, 0x22, 0x33)).all(), "the locker")
        guard = self.guard().is_ready()
        self.save()
        guard.status_is(DARK)

        def topmost():
            """Returns xwininfo's line of the first window of its list, which is the topmost."""
            return next(line for line in self.desktop.windows().splitlines() if "800x480+0+0" in line)

        self.assertIn("i3lock", topmost())
        locker.close()
        until(lambda: "touchgrid-overlay" in topmost(), "the guard's window above the app")
        self.wakes(guard)
