"""The example in Swift of docs/apps.md."""

import fcntl
import subprocess

from .waiting import ROOT

SCRATCH = ROOT / ".build/examples/swift"


def build():
    """Builds the example, and returns its program, which has Swift's libraries in it: Debian has none."""
    # With this feature, the app may use only members of modules that it imports itself.
    strict = ["-Xswiftc", "-enable-upcoming-feature", "-Xswiftc", "MemberImportVisibility"]
    where = ["--package-path", ROOT / "examples/apps/swift", "--scratch-path", SCRATCH]
    SCRATCH.mkdir(parents=True, exist_ok=True)
    # Two jobs may build it at the same time, of which the second finds it made.
    with open(SCRATCH / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["swift", "build", "--quiet", "--static-swift-stdlib", *strict, *where], check=True)
    return SCRATCH / "debug/Kiosk"
