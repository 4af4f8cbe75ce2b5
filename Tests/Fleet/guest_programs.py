"""The guest (Tests/Guest/guest) with the programs in TOUCHGRID_BINARIES."""

import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("TOUCHGRID_BINARIES", ROOT / ".build/debug"))
PROGRAMS = ("touchgridd", "touchgrid")
GUEST = ROOT / "Tests/Guest/guest"


def run(*words, **environment):
    """Runs a program. Returns what it wrote to stdout and stderr."""
    words = [str(word) for word in words]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=os.environ | environment)
    output = done.stdout + done.stderr
    if done.returncode:
        raise AssertionError(f"{' '.join(words)} ended with {done.returncode}:\n{output}")
    return output


def share_files(folder, files):
    """Copies files into the folder that a guest sees as /host. `files`: from names in the guest to files of
    the host. Returns the guest's commands that install the programs and the files."""
    files = {f"/usr/local/bin/{name}": BINARIES / name for name in PROGRAMS} | files
    # Debug builds load the libraries of the Swift toolchain from where it is installed.
    for path in re.findall(r"=> (/\S*/swift/\S+)", run("ldd", *(BINARIES / name for name in PROGRAMS))):
        files[path] = pathlib.Path(path)
    (folder / "runtime").mkdir()
    commands = ["set -e"]
    for number, (to, file) in enumerate(files.items()):
        shutil.copy(file, folder / f"runtime/{number}")
        commands.append(f"install -D -m 755 '/host/runtime/{number}' '{to}'")
    return commands
