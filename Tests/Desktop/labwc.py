"""Debian 13's labwc without a screen, as scripts/labwc unpacks it."""

import shutil

from desktop import Output
from touchgrid_test.waiting import ROOT
from wayland import WaylandDesktop


class Labwc(WaylandDesktop):
    """labwc without a background. It maximizes every window."""

    def __init__(self, person):
        super().__init__(person, [Output("HEADLESS-1", 1280, 720)])
        self.folder = shutil.copytree(ROOT / ".build/labwc", f"{person.folder}/labwc")
        person.write(
            "labwc/rc.xml", '<labwc_config><windowRules><windowRule identifier="*" serverDecoration="no">'
            '<action name="Maximize"/></windowRule></windowRules></labwc_config>\n')
        person.own()
        self.start(*self.command("labwc"), "-C", self.folder, name="labwc")

    def command(self, name):
        return f"{self.folder}/loader", "--library-path", f"{self.folder}/lib", f"{self.folder}/{name}"

    def toplevel(self, *words):
        return self.person.run(*self.command("wlrctl"), "toplevel", *words).decode()

    def windows(self, app):
        """Returns the windows of a program, visible or not."""
        return [line for line in self.toplevel("list").splitlines() if line.startswith(f"{app}:")]
