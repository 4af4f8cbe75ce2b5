"""The commands of docs/fleet.md, run as they are written there."""

import gzip
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from touchgrid_test.report_store import embedded
from touchgrid_test.waiting import BINARIES, ROOT
from upload_targets import free_ports, weed

# What the commands must leave.
CHECKS = """
grep -q 'menu' report.html
grep -q 'station-1' kiosks.html
"""


class TryIt(unittest.TestCase):
    def test_the_documented_trial_ends_with_a_report_of_three_kiosks(self):
        page = (ROOT / "docs/fleet.md").read_text()
        trial = page[page.index("## Try it on one machine"):page.index("## Set it up")]
        blocks = re.findall(r"^```sh\n(.*?)^```$", trial, re.M | re.S)
        self.assertEqual(len(blocks), 4)
        trial = "".join(blocks)
        # Another SeaweedFS may use the usual ports.
        s3, master, volume, filer = free_ports(4)
        trial = trial.replace("-s3 ", f"-s3 -master.port={master} -volume.port={volume} -filer.port={filer} "
                              "-s3.port.iceberg=0 -s3.port.lance=0 ")
        trial = trial.replace("8333", str(s3)).replace("9333", str(master))
        with tempfile.TemporaryDirectory(prefix="touchgrid-fleet-") as folder:
            programs = pathlib.Path(folder, "programs")
            programs.mkdir()
            (programs / "weed").symlink_to(weed())
            (programs / "touchgrid-upload").symlink_to(ROOT / "upload/touchgrid-upload")
            command = programs / "touchgrid-fleet"
            command.write_text('#!/bin/sh\nexec "$PYTHON" -m touchgrid_fleet "$@"\n')
            command.chmod(0o755)
            work = pathlib.Path(folder, "work")
            work.mkdir()
            environment = os.environ | {
                "PATH": f"{programs}:{BINARIES}:{os.environ['PATH']}", "REPOSITORY": str(ROOT),
                "PYTHON": os.sys.executable, "PYTHONPATH": str(ROOT / "fleet")}
            # The bucket ends with the script, however that ends.
            script = "set -eum\ntrap 'kill -9 %1' EXIT\n" + trial + CHECKS
            ran = subprocess.run(["timeout", "200", "bash", "-c", script], cwd=work, env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            log = "".join(file.read_text() for file in work.glob("weed.log"))
            self.assertEqual(ran.returncode, 0, ran.stdout + log[-2000:])
            report = embedded(work / "report.html")
            found = [finding["kind"] for finding in report["findings"]
                     if "remove" in finding["text"] or "“menu”" in finding["text"]]
            self.assertTrue({"missed", "stray"} <= set(found), report["findings"])
            views = [json.loads(line) for kiosk in ("lobby-1", "lobby-2", "station-1")
                     for file in (work / kiosk).rglob("*.ndjson.gz") for line in gzip.open(file) if b'"menu"' in line
                     if b'"view"' in line]
            screens = json.loads(subprocess.run(
                [BINARIES / "touchgrid", "screens", "--json", "--store", work / "fleet.db"],
                capture_output=True, text=True, check=True).stdout)["screens"]
            self.assertEqual([screen["sessions"] for screen in screens if screen["screen"] == "menu"],
                             [sum(view["sessions"] for view in views)])
