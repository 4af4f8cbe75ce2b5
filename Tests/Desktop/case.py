"""A test in which a `Person` uses a desktop. If it fails, it saves pictures and prints the output
of all programs."""

import sys
import unittest

from pictures import same, save
from support import Person
from touchgrid_test.daemon import Daemon, panels
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import until


class DesktopCase(unittest.TestCase):
    """The base class of the tests. In subclasses, `desk` starts and returns the desktop."""

    def desk(self):
        raise NotImplementedError

    def setUp(self):
        self.person = Person()
        self.addCleanup(self.person.close)
        self.addCleanup(self.leave)
        self.seen, self.the_daemon, self.desktop = {}, None, None
        self.desktop = self.desk()
        self.panels = {output.name: f"Panel {number}" for number, output in enumerate(self.desktop.outputs)}

    def leave(self):
        """If the test has failed, saves pictures and prints the output of all programs, before
        they are closed."""
        result = self._outcome.result
        if all(test is not self for test, _ in result.failures + result.errors):
            return
        pictures = self.desktop.pictures() if self.desktop else []
        with_last = {**self.seen, **{f"last-{number}": picture for number, picture in enumerate(pictures)}}
        for what, picture in with_last.items():
            print(save(picture, f"{self.id()}-{what}"), file=sys.stderr)
        for program in self.person.programs:
            print(f"== {program.name} said:\n{program.said[-2000:]}", file=sys.stderr)
        if self.the_daemon:
            print(f"== touchgridd said:\n{self.the_daemon.said[-2000:]}", file=sys.stderr)

    @property
    def panel(self):
        """The name of the panel on the first output."""
        return self.panels[self.desktop.outputs[0].name]

    def fingers(self, lead=0.3):
        """Returns fingers on all panels, none of which touches for the first `lead` seconds."""
        return Fingers(*self.panels.values()).shows("stage").wait(lead)

    def daemon(self, tables="", is_persons=True):
        """Returns a daemon for the outputs, which runs as the person or as root. `tables` adds to its configuration."""
        configuration = '[log]\nlevel = "debug"\n' + tables + panels(
            {self.panels[output.name]: output.display for output in self.desktop.outputs})
        self.the_daemon = self.person.daemon(configuration) if is_persons else Daemon(configuration)
        self.person.exits.callback(self.the_daemon.close)
        return self.the_daemon

    def keep(self, what, pictures):
        self.seen.update({f"{what}-{number}": picture for number, picture in enumerate(pictures)})
        return pictures

    def shown(self, before, fingers):
        """Waits until bubbles are exactly where the fingers are, and returns the pictures."""
        said = []

        def right(pictures):
            self.keep("after", pictures)
            said[:] = self.desktop.misplaced(before, pictures, fingers, self.panels)
            return not said

        return self.desktop.settled(right, lambda: "\n  ".join(["bubbles where the fingers are; but:", *said]))

    def comes_and_goes(self, before, fingers, moves=0):
        """Plays the fingers. Checks that there is a bubble under each while they are down, and
        none afterwards."""
        daemon = self.daemon()
        overlay = self.desktop.overlay(daemon)
        daemon.play(fingers)
        overlay.is_ready()
        daemon.holds(len(fingers.raw), moves=moves)
        self.shown(before, fingers)
        daemon.thaw()
        daemon.touches.all_lifted()
        self.unchanged(before)

    def unchanged(self, before):
        """Waits until the pictures are as before. `test_below` measures how long a bubble stays."""
        until(lambda: all(map(same, before, self.keep("after", self.desktop.pictures()))),
              "pictures as before")
