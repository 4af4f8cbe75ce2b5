"""The wheel has all that the command needs, and the packages that it names are those that tests use."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tomllib

from support import PACKAGE, FleetTest, day_line, grid_line, view_line


class Package(FleetTest):
    def test_wheel(self):
        """A roll-up by the installed wheel, outside the checkout."""
        source, installed = self.folder / "source", self.folder / "installed"
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
        subprocess.run([
            sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation",
            "--no-index", "--disable-pip-version-check", "--target", installed, source
        ], check=True)
        self.fleet.put([day_line(), view_line(), grid_line({3: [1, 2]})])
        command = [sys.executable, installed / "bin/touchgrid-fleet"]
        environment = os.environ | {"PYTHONPATH": str(installed)}
        subprocess.run([*command, "rollup", self.fleet.root], check=True, env=environment,
                       stderr=subprocess.DEVNULL, cwd=self.folder)
        self.check_day(self.fleet, "2026-11-21")

    def test_pinned(self):
        project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
        for requirement in project["dependencies"] + project["optional-dependencies"]["spark"]:
            name, _, version = requirement.partition("==")
            self.assertEqual(importlib.metadata.version(name), version, name)
