"""A virtual machine of Tests/Guest/guest."""

import os
import pathlib
import subprocess

from .waiting import ROOT

GUEST = ROOT / "Tests/Guest/guest"
PACKAGES = pathlib.Path(os.environ.get("TOUCHGRID_PACKAGES", ROOT / ".build/deb"))


class Guest:
    """A guest that sees a folder as /host, and ends with this process. `options`: those of `guest start`."""

    def __init__(self, folder, *options, **environment):
        self.folder, self.environment = pathlib.Path(folder), {**os.environ, **environment}
        self.call("start", self.folder, *options, "--with-parent", os.getpid())

    def attempt(self, verb, *words):
        return subprocess.run([str(word) for word in (GUEST, verb, *words)], env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")

    def call(self, verb, *words):
        done = self.attempt(verb, *words)
        assert done.returncode == 0, f"guest {verb} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        return done.stdout

    def run(self, command):
        return self.call("run", self.folder, command)

    def install(self, *packages):
        """Installs packages of this project, whose files stay in the folder as PACKAGE.deb."""
        for name in packages:
            file, = PACKAGES.glob(f"{name}_*.deb")
            # Without compression: xz takes most of the time of unpacking in emulation.
            subprocess.run(
                ["sh", "-ec", 'dpkg-deb -R "$0" "$1"; dpkg-deb --root-owner-group -Znone -b "$1" "$1.deb" >/dev/null; '
                 'rm -r "$1"', file, self.folder / name], check=True)
        self.run(f"dpkg -i {' '.join(f'{name}.deb' for name in packages)} >&2")

    def close(self):
        self.call("cut", self.folder)
