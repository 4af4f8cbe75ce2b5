"""The weekly report under systemd, in a guest: set up by the commands of docs/fleet.md.

The test needs root, qemu, `Tests/Guest/guest build`, and TOUCHGRID_GUEST=1. The guest must have the Python of
the host.
"""

import datetime
import importlib.metadata
import os
import pathlib
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import PACKAGE, Fleet, random_lines
from touchgrid_test.guest import Guest
from touchgrid_test.waiting import BINARIES, ROOT

REQUIRED = ("duckdb", "numpy", "orjson", "pyarrow")
KIOSKS = 4
# What `pip install` would do, which needs a network.
INSTALL = """
python3 -m venv --without-pip /opt/touchgrid-fleet
mount --bind /host/site /opt/touchgrid-fleet/lib/python*/site-packages
cat >/opt/touchgrid-fleet/bin/touchgrid-fleet <<'END'
#!/opt/touchgrid-fleet/bin/python
import sys
from touchgrid_fleet.cli import main
if __name__ == "__main__":
    sys.exit(main())
END
chmod 755 /opt/touchgrid-fleet/bin/touchgrid-fleet
# The fleet's folder belongs to the group of those who upload.
groupadd fleet
install -d -g fleet -m 2750 /srv/fleet
cp -r /host/fleet/in /srv/fleet
chgrp -R fleet /srv/fleet
"""


def share_programs(folder):
    """Copies the programs in TOUCHGRID_BINARIES into the folder that a guest sees as /host. Returns the guest's
    commands that install them."""
    files = {f"/usr/local/bin/{name}": BINARIES / name for name in ("touchgridd", "touchgrid")}
    # Debug builds load the libraries of the Swift toolchain from where it is installed.
    linked = subprocess.run(["ldd", *files.values()], check=True, capture_output=True, text=True).stdout
    files |= {path: pathlib.Path(path) for path in re.findall(r"=> (/\S*/swift/\S+)", linked)}
    (folder / "runtime").mkdir()
    commands = ["set -e"]
    for number, (to, file) in enumerate(files.items()):
        shutil.copy(file, folder / f"runtime/{number}")
        commands.append(f"install -D -m 755 '/host/runtime/{number}' '{to}'")
    return commands


@unittest.skipUnless(os.environ.get("TOUCHGRID_GUEST") == "1", "set TOUCHGRID_GUEST=1 to run it in a guest")
class Weekly(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="touchgrid-weekly-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        shutil.copytree(PACKAGE / "touchgrid_fleet", cls.folder / "site/touchgrid_fleet")
        for name in REQUIRED:
            for file in importlib.metadata.files(name):
                if ".." not in file.parts:
                    target = cls.folder / "site" / file
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(file.locate(), target)
        shutil.copytree(PACKAGE / "systemd", cls.folder / "repository/fleet/systemd")
        today = datetime.date.today()
        chance, fleet = random.Random(5), Fleet(cls.folder / "fleet")
        for number in range(KIOSKS):
            for ago in (2, 1):
                fleet.put(random_lines(chance, kiosk=f"k{number}", generation="a" * 16, revision=1,
                                       day=str(today - datetime.timedelta(ago))))
        # On amd64, NumPy and PyArrow need a newer processor than the plain one: x86-64-v2, which Nehalem is.
        processor = ["--cpu", "Nehalem"] if platform.machine() == "x86_64" else []
        guest = Guest(cls.folder, "--memory", 2048, *processor)
        cls.addClassCleanup(guest.close)
        cls.attempt, cls.guest = guest.attempt, guest.run
        python = cls.guest('python3 -c "import sys; print(*sys.version_info[:2])"')
        assert python.split() == [str(part) for part in sys.version_info[:2]], f"the guest has Python {python}"
        cls.guest("\n".join(share_programs(cls.folder)) + INSTALL)
        cls.guest("cd /host/repository\n" + cls.documented())

    @staticmethod
    def documented():
        """The commands of the page, without the first report."""
        page = (ROOT / "docs/fleet.md").read_text()
        part = page[page.index("4. **The weekly report**"):page.index("   The results, `report.html`")]
        commands = "\n".join(re.findall(r"^ {7}(.*)$", part, re.M))
        commands, replaced = re.subn("^editor ", "echo FLEET=/srv/fleet >", commands, flags=re.M)
        assert replaced == 1 and commands.endswith("systemctl start touchgrid-fleet-report"), commands
        return "set -e\n" + commands.rpartition("\n")[0]

    def report(self):
        """Starts the service. Returns whether it succeeded, and its lines of the journal."""
        self.guest("journalctl --rotate --vacuum-time=1s >/dev/null 2>&1; sleep 1")
        done = self.attempt("run", self.folder, "systemctl start touchgrid-fleet-report")
        return done.returncode == 0, self.guest("journalctl -o cat -u touchgrid-fleet-report")

    def files(self):
        """Names, owners and modes of what the service keeps for the owner, and the checksums."""
        return self.guest("cd /var/lib/touchgrid-fleet && stat -c '%n %U %G %a' * && sha256sum *.html *.db")

    def test_reports(self):
        self.assertEqual(self.guest("systemctl is-enabled touchgrid-fleet-report.timer"), "enabled\n")
        self.assertRegex(self.guest("systemctl list-timers --no-legend touchgrid-fleet-report.timer"), "^Mon ")
        # A damaged object is refused and named; the others are in the report.
        self.guest("cd /srv/fleet/in && set -- k1/*/* && mkdir -p k9/aaaaaaaaaaaaaaaa/${1##*/} && "
                   "echo damaged >k9/aaaaaaaaaaaaaaaa/${1##*/}/r1.ndjson.gz")
        succeeded, log = self.report()
        self.assertTrue(succeeded, log)
        self.assertRegex(log, r"refused: in/k9/a+/.*/r1\.ndjson\.gz: ")
        self.assertIn(f"{KIOSKS} kiosks, 1 refused", log)
        files = self.files()
        for entry in ("report.html {0} {0} 640", "kiosks.html {0} {0} 640", "fleet.db {0} {0} 600"):
            self.assertIn(entry.format("touchgrid-fleet"), files)
        self.assertNotRegex(files, "(?m)^new ")
        self.assertIn("k0", self.guest("cat /var/lib/touchgrid-fleet/kiosks.html"))
        # A run that fails leaves the last report whole.
        self.guest("mv /usr/local/bin/touchgrid /root")
        succeeded, log = self.report()
        self.assertFalse(succeeded, log)
        self.assertRegex(log, "touchgrid.*: No such file or directory")
        self.assertEqual(self.files(), files)

    def test_hardened(self):
        units = "touchgrid-fleet-report.service touchgrid-fleet-report.timer"
        self.assertEqual(self.guest(f"systemd-analyze verify --man=no {units} 2>&1"), "")
        verdict = self.guest("systemd-analyze security touchgrid-fleet-report | tail -n 1")
        self.assertLessEqual(float(re.search(r"([\d.]+) \w+", verdict)[1]), 1.5, verdict)
