"""A guest in which systemd runs Cockpit and touchgridd from their packages, with a touchscreen that a test drives."""

import os
import shutil
import subprocess
import tempfile

from touchgrid_test.guest import GUEST, Guest
from touchgrid_test.waiting import ROOT, free_port

PASSWORD = "correct horse"
# The panel's units are the display's pixels.
WIDTH, HEIGHT = 1280, 800
# The users of the guest and their groups.
USERS = {"owner": "touchgrid-app,touchgrid-read,touchgrid-watch,sudo", "stranger": ""}
CONFIGURATION = f"""
[[device]]
match = "Guest panel"
display = "kiosk"
[[display]]
name = "kiosk"
width = {WIDTH}
height = {HEIGHT}
"""
# In an emulated guest, a login takes long.
COCKPIT = """
[basic]
timeout = 300
"""
NETWORK = """
[Match]
Type=ether
[Network]
Address=10.0.2.15/24
"""


def suites():
    """The Debian releases whose guests have a Cockpit."""
    wanted = os.environ.get("TOUCHGRID_GUEST_SUITES")
    found = subprocess.run([GUEST, "suites"], check=True, capture_output=True, text=True).stdout.split()
    return {"own": found[:1], "later": found[1:]}.get(wanted, found)


class CockpitGuest(Guest):
    def __init__(self, suite):
        self.port = free_port()
        folder = tempfile.mkdtemp(prefix="touchgrid-guest.")
        try:
            super().__init__(folder, "--memory", 1024, "--forward", f"{self.port}:9090",
                             TOUCHGRID_GUEST_SUITE=suite + "-cockpit")
            self.set_up()
        except BaseException:
            self.close()
            raise

    def close(self):
        super().close()
        shutil.rmtree(self.folder)

    def set_up(self):
        shutil.copy(ROOT / "Tests/Guest/panel.py", self.folder)
        (self.folder / "touchgridd.toml").write_text(CONFIGURATION)
        (self.folder / "cockpit.conf").write_text(COCKPIT)
        (self.folder / "network").write_text(NETWORK)
        users = "\n".join(
            f"useradd --create-home --shell /bin/bash {name}; usermod -aG '{groups}' {name}; "
            f"echo '{name}:{PASSWORD}' | chpasswd" for name, groups in USERS.items())
        self.run("""set -e
            cp network /etc/systemd/network/20-host.network
            mkdir -p /etc/cockpit /etc/touchgrid
            cp cockpit.conf /etc/cockpit/
            systemctl start systemd-networkd cockpit.socket
            cp touchgridd.toml /etc/touchgrid/""")
        self.install("touchgrid", "cockpit-touchgrid", "python3-touchgrid")
        self.run(f"""set -e
            {users}
            systemd-run --quiet --unit=panel python3 /host/panel.py /run/panel {WIDTH} {HEIGHT}
            for _ in $(seq 100); do touchgrid devices --json | grep -q '"Guest panel"' && exit 0; sleep 0.5; done
            touchgrid devices >&2; exit 1""")

    def panel(self, *orders):
        """Gives the virtual touchscreen orders, such as `down 0 640 400`."""
        self.run("printf '%s\\n' " + " ".join(f"'{order}'" for order in orders) + " >/run/panel")

    @property
    def address(self):
        return f"https://127.0.0.1:{self.port}"
