"""The overlay on X11, with and without a compositing manager."""


from case import DesktopCase
from pictures import changed
from touchgrid_test.waiting import until
from xvfb import Xvfb

PLACES = [(0, 0), (1, 1), (0.3, 0.35), (0.62, 0.7)]


class X11(DesktopCase):
    def desk(self):
        return Xvfb(self.person)

    def show(self, places=PLACES):
        """Shows an app and resting fingers on it. Returns the pictures without fingers, and the
        fingers."""
        self.app = self.desktop.window()
        before = self.desktop.settled()
        fingers = self.fingers().down(self.panel, places).wait(5).up(self.panel, len(places))
        self.daemon()
        self.the_overlay = self.desktop.overlay(self.the_daemon)
        self.the_daemon.play(fingers)
        self.the_overlay.is_ready()
        self.the_daemon.holds(len(places))
        return before, fingers

    def lift(self, before):
        self.the_daemon.thaw()
        self.the_daemon.touches.all_lifted()
        self.unchanged(before)

    def shines_through(self, before, after):
        """Returns whether the middle of a bubble has changed. Only a translucent bubble changes it:
        the others are rings with a free middle."""
        x, y = (int(part * size) for part, size in zip(PLACES[2], (self.desktop.width, self.desktop.height)))
        return len({tuple(picture[0][y, x]) for picture in (before, after)}) == 2

    def locked(self, pictures):
        return (self.keep("locked", pictures)[0] == (0x11, 0x22, 0x33)).all()

    def test_bubbles_are_redrawn_when_picom_comes_and_goes(self):
        before, fingers = self.show()
        plain = self.shown(before, fingers)
        picom = self.desktop.picom()
        # The overlay must redraw the bubbles although the fingers rest.
        self.desktop.settled(lambda pictures: changed(plain[0], self.keep("after", pictures)[0]).any(),
                             "bubbles as they are with picom")
        translucent = self.shown(before, fingers)
        self.assertTrue(self.shines_through(before, translucent))
        picom.close()
        self.desktop.settled(lambda pictures: (self.keep("after", pictures)[0] == plain[0]).all(),
                             "bubbles as before")
        self.assertFalse((plain[0] == translucent[0]).all())
        self.lift(before)

    def test_the_window_below_keeps_its_input(self):
        for picom in (False, True):
            with self.subTest(picom=picom):
                if picom:
                    self.desktop.picom()
                below = self.person.program("stdbuf", "-oL", "xev", "-geometry", "800x480+0+0", "-bw", "0", name="xev")
                until(lambda: "Expose event" in below.said, "xev's window")
                focus = self.desktop.xdotool("getmouselocation", "--shell")
                before, fingers = self.desktop.settled(), self.fingers().down(self.panel, PLACES[2:])
                daemon = self.daemon().play(fingers)
                overlay = self.desktop.overlay(daemon).is_ready()
                daemon.holds(2)
                self.desktop.settled(lambda pictures: changed(before[0], pictures[0]).any(), "bubbles")
                self.assertEqual(self.desktop.xdotool("getmouselocation", "--shell"), focus)
                for number, (x, y) in enumerate(PLACES[2:], 1):
                    x, y = int(x * self.desktop.width), int(y * self.desktop.height)
                    self.desktop.xdotool("mousemove", 5, 470, "mousemove", x, y, "click", 1)
                    until(lambda: below.said.count("ButtonRelease event") == number, lambda: below.said)
                    self.assertIn(f"({x},{y})", below.said)
                self.assertEqual(below.said.count("ButtonPress event"), 2)
                self.assertNotIn("LeaveNotify", below.said)
                for program in (overlay, daemon, below):
                    program.close()
                until(lambda: "Event Tester" not in self.desktop.windows(), "xev's end")

    def test_the_overlay_stays_above_a_window_that_opens_later(self):
        _, fingers = self.show()
        later = self.desktop.window("#aa4411", name="later")
        # The picture that is expected without bubbles: only the later window.
        plain = [picture.copy() for picture in self.desktop.pictures()]
        plain[0][:] = (0xAA, 0x44, 0x11)
        self.shown(plain, fingers)
        later.close()

    def test_the_overlay_stays_below_a_screen_locker(self):
        """Runs a lock screen over resting fingers. Ends it by its process, because a test cannot
        unlock it."""
        before, fingers = self.show(PLACES[2:])
        self.shown(before, fingers)
        locker = self.person.program("i3lock", "--nofork", "--color", "112233")
        self.desktop.settled(self.locked, lambda: f"only the locker: {locker.said}", still=1)
        # i3lock raises itself above any window that rises above it. The overlay must stay below
        # instead of competing with it, and report why it draws nothing.
        self.assertIsNone(locker.process.poll(), locker.said)
        self.the_overlay.notifies("STATUS=a full-screen window that bypasses the window manager")
        # Lift the fingers while the locker is shown.
        self.the_daemon.thaw()
        self.the_daemon.touches.all_lifted()
        self.desktop.settled(self.locked, "only the locker", still=0.5)
        locker.close()
        self.desktop.settled(lambda pictures: (pictures[0] == before[0]).all(), "the app as before")
        # The status must change even though there is no touch.
        self.the_overlay.status_is("showing touches of ")

    def test_the_overlay_stays_below_a_screen_locker_that_runs_first(self):
        before = self.desktop.settled()
        locker = self.person.program("i3lock", "--nofork", "--color", "112233")
        self.desktop.settled(self.locked, lambda: f"the locker: {locker.said}")
        daemon = self.daemon()
        overlay = self.desktop.overlay(daemon)
        fingers = self.fingers().down(self.panel, PLACES)
        daemon.play(fingers)
        overlay.is_ready()
        daemon.holds(len(PLACES))
        self.desktop.settled(self.locked, "only the locker", still=1)
        locker.close()
        # After the unlock the fingers are visible again.
        self.shown(before, fingers)
