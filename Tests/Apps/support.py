"""The daemon of the demonstration's kiosk, apps that take commands on standard input, and followers of browsers."""

import json
import os
import shutil
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import unittest.mock

from touchgrid_test.browser import Chromium
from touchgrid_test.daemon import Daemon
from touchgrid_test.follower import RULES, Follower
from touchgrid_test.taps import CONFIGURATION, Changes
from touchgrid_test.waiting import BINARIES, PATIENCE, ROOT, free_port

APPS, EXTENSION = ROOT / "examples/apps", ROOT / "extension"


def demonstration(configuration=""):
    """Returns a daemon that will play the recording of a person at the demonstration's kiosk. `configuration` adds to
    that of the kiosk."""
    daemon = Daemon((ROOT / "Recordings/kiosk-demo.toml").read_text() + configuration)
    # In these tests the apps name the screens, so the recording must not.
    lines = (ROOT / "Recordings/kiosk-demo.evemu").read_text().splitlines(keepends=True)
    daemon.recording = daemon.write(
        "person.evemu", "".join(line for line in lines if not line.startswith("# touchgrid-screen")))
    return daemon


class App:
    """A program that reads the names of the screens to show from its standard input."""

    def __init__(self, command, socket, folder):
        self.errors = open(folder + "/errors", "w+")
        path = f"{BINARIES}:{os.environ['PATH']}"
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self.errors,
            text=True, env={**os.environ, "TOUCHGRID_SOCKET": socket, "PATH": path})

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def finish(self):
        """Closes the program's input; returns its exit status and its error output."""
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self.errors.seek(0)
        return status, self.errors.read()

    def close(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.errors.close()


def send(program, *messages):
    """Writes messages to a native messaging host as browsers do."""
    texts = [json.dumps(message).encode() for message in messages]
    program.stdin.write(b"".join(struct.pack("=I", len(text)) + text for text in texts))
    program.stdin.flush()


class Following(unittest.TestCase):
    """A test of touchgrid-follow. `lines`: what a follower has printed, as JSON."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="touchgrid-follow.")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port, self.lines = free_port(), []
        # Followers of one user find each other here, and other tests may run at the same time.
        self.runtime = self.folder + "/runtime"
        os.mkdir(self.runtime, 0o700)
        self.enterContext(unittest.mock.patch.dict(os.environ, XDG_RUNTIME_DIR=self.runtime))

    def daemon(self, configuration=None):
        """Returns a daemon with this configuration, or without one that of a person at a kiosk."""
        daemon = Daemon(configuration) if configuration else demonstration()
        self.addCleanup(daemon.close)
        return daemon

    def tapped(self):
        """Returns a daemon that will play a finger that taps."""
        return self.daemon(CONFIGURATION)

    def follower(self, socket="/nonexistent", rules=RULES, source=None):
        source = source or f'kind = "devtools"\nport = {self.port}'
        follower = Follower(self.folder, socket, f"[[source]]\n{source}\n{rules}")
        self.addCleanup(follower.close)
        return follower

    def prints(self, follower):
        """Starts the follower without a daemon, and reads its lines in a thread."""
        follower.start("--dry-run", "--json", stdout=subprocess.PIPE, text=True)

        def read(lines):
            for line in lines:
                self.lines.append(json.loads(line))

        follower.reader = threading.Thread(target=read, args=(follower.process.stdout,), daemon=True)
        follower.reader.start()
        return follower

    def browser_program(self, follower, **options):
        """Starts the program that browsers start."""
        program = subprocess.Popen([*follower.command, "--native-messaging"], stdin=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, **options)
        self.addCleanup(program.wait, PATIENCE)
        self.addCleanup(program.stdin.close)
        return program

    def browser(self, *arguments, hosts=None):
        chromium = Chromium(f"--remote-debugging-port={self.port}", *arguments, hosts=hosts)
        self.addCleanup(chromium.close)
        return chromium

    def change(self, browser, address, daemons):
        """Goes from page to page, `CHANGES` times: every eighth time by loading the page, otherwise by a script."""
        changes = Changes()
        changes.make("home")
        for number in range(self.CHANGES):
            time.sleep(0.15)
            if number % 8 == 7:
                screen, path = "catalogue", "/catalogue?token=secret"
                action = lambda: browser.open(address + path)
            else:
                screen = f"app/{('first', 'second', 'third')[number % 3]}" + ("", "/more")[number % 2]
                path, verb = f"/{screen}#top", "pushState"
                if number % 8 == 3:
                    screen, path, verb = "product", f"/product/{number}?ref=a", "replaceState"
                action = lambda: browser.run(f"history.{verb}({{}}, '', '{path}'); 1")
            changes.make(screen, lambda: browser.goes(path, action),
                         lambda: [daemon.shows(screen) for daemon in daemons])
        return changes
