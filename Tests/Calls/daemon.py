"""Runs the daemon like a service: as a user of its own, with a separate group for each role."""

import os
import pathlib
import shutil
import sqlite3

import touchgridd
from touchgridd import BINARIES, ROOT

FILE = ROOT / "Sources/Service/TouchgridAPI/io.touchgrid.varlink"
# An ID that belongs to no existing user.
USER = 61_000
# The group of each role, None for no group. Every system has these groups.
GROUPS = {"app": "daemon", "read": "bin", "watch": "sys", "signal": "adm", "owner": None}
# A part of every name that clients without a role must not see.
HIDDEN = "kept-from-strangers"
PATIENCE = 120

PANEL = """\
# EVEMU 1.3
N: Panel
I: 0003 1209 0001 0001
P: 02 00 00 00 00 00 00 00
B: 00 0b 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 04 00 00 00 00 00 00
B: 03 03 00 00 00 00 80 60 02
A: 00 0 127 0 0 0
A: 01 0 127 0 0 0
A: 2f 0 9 0 0 0
A: 35 0 127 0 0 0
A: 36 0 127 0 0 0
A: 39 0 65535 0 0 0
"""


def recording(seconds, delay=0, rest=0):
    """Returns the text of a recording of five taps a second. `delay` adds one tap that many seconds before the others:
    the daemon starts to play a recording at its first event, so the others then come later. `rest` adds one tap that
    many seconds after the others."""
    lines = [PANEL]
    starts = [number * 0.2 + 1 + delay for number in range(5 * seconds)]
    if delay:
        starts.insert(0, 1)
    if rest:
        starts.append(starts[-1] + rest)
    for number, start in enumerate(starts):
        x, y = number * 7 % 128, number * 11 % 128
        frames = (((3, 0x39, number % 65536), (3, 0x35, x), (3, 0x36, y), (1, 0x14A, 1), (0, 0, 0)),
                  ((3, 0x39, 0xFFFFFFFF), (1, 0x14A, 0), (0, 0, 0)))
        for when, frame in zip((start, start + 0.06), frames):
            for kind, code, value in frame:
                shown = f"{value:04d}" if value < 65536 else "-001"
                lines.append(f"E: {when:.6f} {kind:04x} {code:04x} {shown}\n")
    return "".join(lines)


def configuration():
    roles = "".join(f'{role} = "{group}"\n' for role, group in GROUPS.items() if group)
    # Large blocks keep the replies short, because the tests are about permissions and not about large replies.
    return (f'[session]\nmode = "manual"\n[roles]\n{roles}'
            f'[grid]\nblock_size = 32\n[[display]]\nname = "{HIDDEN}"\nwidth = 128\nheight = 128\n'
            f'[[device]]\nmatch = "*"\ndisplay = "{HIDDEN}"\n'
            f'[[mask]]\nscreen = "{HIDDEN}"\nx = 0\ny = 0\nwidth = 32\nheight = 32\n')


class Daemon(touchgridd.Daemon):
    PATIENCE = PATIENCE

    def __init__(self, played, configured, touches=1):
        """played: a recording; configured: the text of the configuration; touches: the number of touches after which
        the daemon is ready."""
        super().__init__(name=f"touchgrid-{HIDDEN}")
        self.touches = touches
        # The user that runs the daemon may be unable to read the build folder.
        program = shutil.copy(BINARIES / "touchgridd", self.folder)
        panel, settings = self.folder + "/panel.evemu", self.folder + "/touchgridd.toml"
        pathlib.Path(panel).write_text(played)
        pathlib.Path(settings).write_text(configured)
        os.chmod(self.folder, 0o755)
        for path in (self.folder, *pathlib.Path(self.folder).iterdir()):
            os.chown(path, USER, USER)
        self.start(settings, panel, program, user=USER, group=USER, extra_groups=[])

    def is_ready(self):
        status = super().is_ready()
        return status and status["tally"]["touches"] >= self.touches

    def state(self):
        """Returns everything that a call without permission could have changed."""
        status = self.ask("GetStatus")
        sessions = self.ask("ListSessions")["sessions"]
        return {
            "screen": self.ask("GetScreen"), "displays": self.ask("GetDisplays"), "masks": self.ask("GetMasks"),
            "sessions": [(one["id"], one["tags"], one.get("end")) for one in sessions],
            "pauses": status["pauses"], "mode": status["mode"], "watchers": status["watchers"],
            "followers": status["followers"],
            "unrecorded": status["tally"]["unrecorded"], "clients": status["clients"],
        }

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Returns the maximum resident memory so far, in MiB."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        raise AssertionError("the daemon is gone")

    def check_store(self):
        """Checks the store's integrity. Call it when the daemon has stopped."""
        store = sqlite3.connect(self.store)
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        store.close()
