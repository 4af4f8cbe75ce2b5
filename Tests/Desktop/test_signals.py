"""The examples of docs/signals.md. DesktopGuestTests start an attract loop with them."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from touchgrid_test.waiting import ROOT

EXAMPLES = ROOT / "examples/signals"


class Units(unittest.TestCase):
    def test_systemd_understands_every_line(self):
        with tempfile.TemporaryDirectory(prefix="touchgrid-units-") as folder:
            names = [path.name for path in EXAMPLES.glob("*.service")]
            self.assertEqual(len(names), 2)
            for name in names:
                text = (EXAMPLES / name).read_text()
                # Only programs of this project and the scripts are here for certain.
                text = text.replace("/usr/bin/touchgrid", "/usr/bin/true").replace("/usr/bin/mpv", "/usr/bin/true")
                pathlib.Path(folder, name).write_text(text)
            done = subprocess.run(["systemd-analyze", "--user", "verify", "--man=no",
                                   *(f"{folder}/{name}" for name in names)], capture_output=True, text=True,
                                  env={**os.environ, "XDG_RUNTIME_DIR": folder, "HOME": folder})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
