"""The daemon of a kiosk with one panel, on which recorded fingers touch."""

import os
import signal

import touchgridd
from fingers import Fingers
from support import PATIENCE, until

PANEL = "Panel"
DISPLAY, WIDTH, HEIGHT = "kiosk", 1280, 800
# Groups that every Debian has. Their members have these roles.
GROUPS = {"app": "news", "read": "games", "watch": "dialout"}


def fingers(lead=0.3):
    """Returns fingers on the panel. None touches for the first `lead` seconds."""
    return Fingers(PANEL).wait(lead)


class Kiosk(touchgridd.Daemon):
    """The daemon with its configuration, `config`, to which `tables` adds text."""

    PATIENCE = PATIENCE

    def __init__(self, tables=""):
        super().__init__(name="touchgrid-kiosk")
        # Other users may connect.
        os.chmod(self.folder, 0o755)
        self.config = self.folder + "/touchgridd.toml"
        with open(self.config, "w") as file:
            file.write(f'[[device]]\nmatch = "{PANEL}"\ndisplay = "{DISPLAY}"\n'
                       f'[[display]]\nname = "{DISPLAY}"\nwidth = {WIDTH}\nheight = {HEIGHT}\n'
                       "[roles]\n" + "".join(f'{role} = "{group}"\n' for role, group in GROUPS.items())
                       + tables)
        self.recording = self.folder + "/fingers.recording"

    def play(self, person=None):
        """Starts the daemon with these fingers, or with none. The panel stays for ten minutes."""
        with open(self.recording, "w") as file:
            file.write((person or fingers()).stays().text())
        self.start(self.config, self.recording)
        return self

    def again(self, person=None):
        """Starts a daemon that was stopped or killed, with the same fingers or with others."""
        if person:
            return self.play(person)
        self.start(self.config, self.recording)
        return self

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None

    def freeze(self):
        """Suspends the daemon, so that what is shown stays the same."""
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self):
        os.kill(self.process.pid, signal.SIGCONT)

    def has_counted(self, touches):
        """Waits until so many touches are over and counted."""
        until(lambda: self.ask("GetStatus")["tally"]["touches"] >= touches, f"{touches} touches")

    def close(self):
        if self.process:
            self.thaw()
        super().close()
