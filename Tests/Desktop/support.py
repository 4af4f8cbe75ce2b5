"""An unprivileged user with their own home and runtime folder, and the programs that they run."""

import contextlib
import hashlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

from touchgrid_test.daemon import Daemon
from touchgrid_test.waiting import BINARIES, PATIENCE, ROOT, until

# Failed tests leave pictures and output here.
KEPT = ROOT / ".build/desktop"


class Person:
    """A user who runs programs. If root runs the tests, the programs run as nobody, because
    compositors refuse root and an overlay needs no privileges."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="touchgrid-desktop.")
        self.home, self.runtime = self.folder + "/home", self.folder + "/run"
        self.exits = contextlib.ExitStack()
        self.programs = []
        self.rights = {}
        if os.geteuid() == 0:
            self.rights = {"user": "nobody", "group": "nogroup", "extra_groups": []}
        for folder in (self.home, self.runtime, self.home + "/.config/gtk-3.0", self.folder + "/bin"):
            os.makedirs(folder, 0o700, exist_ok=True)
        self.write("home/.config/gtk-3.0/settings.ini", "[Settings]\ngtk-font-name=Sans 10\n")
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": self.home, "USER": "nobody",
            "XDG_RUNTIME_DIR": self.runtime,
        }
        self.own()

    def own(self):
        """Makes the person the owner of all files in the folder."""
        if self.rights:
            for path in [self.folder, *pathlib.Path(self.folder).rglob("*")]:
                if not os.path.islink(path):
                    shutil.chown(path, **{key: self.rights[key] for key in ("user", "group")})

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if self.rights:
            shutil.chown(path, self.rights["user"], self.rights["group"])
        return path

    def ours(self, name):
        """Copies a program of this project to where the person may run it, and returns its path."""
        path = f"{self.folder}/bin/{name}"
        if not os.path.exists(path):
            shutil.copy(BINARIES / name, path)
            os.chmod(path, 0o755)
        return path

    def daemon(self, configuration):
        """Returns a daemon in the person's folder that runs as the person."""
        return Daemon(configuration, self.folder, self.rights)

    def program(self, *command, name=None, pass_fds=(), rights=None, **environment):
        return Program(self, command, name or os.path.basename(command[0]), environment, pass_fds, rights)

    def run(self, *command, **options):
        """Runs a command that must succeed, and returns its output."""
        done = subprocess.run(command, env=self.environment, cwd=self.home, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=PATIENCE, **self.rights, **options)
        assert done.returncode == 0, f"{command}: {done.returncode}, {done.stderr.decode()}"
        return done.stdout

    def belongings(self):
        """Returns a hash of the content of every file in the home, by path."""
        found = {}
        for path in sorted(pathlib.Path(self.home).rglob("*")):
            found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        return found

    def close(self):
        try:
            self.exits.close()
        finally:
            shutil.rmtree(self.folder)


class Program:
    """A program that runs until it is closed, and its output."""

    def __init__(self, person, command, name, environment, pass_fds=(), rights=None):
        self.name, self.path = name, f"{person.folder}/{name}.log"
        person.programs.append(self)
        person.exits.callback(self.close)
        with open(self.path, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=person.home,
                env={**person.environment, **environment}, start_new_session=True, pass_fds=pass_fds,
                **(person.rights if rights is None else rights))

    @property
    def pid(self):
        return self.process.pid

    @property
    def said(self):
        with open(self.path, encoding="utf-8", errors="replace") as log:
            return log.read()

    def says(self, words):
        until(lambda: words in self.said or self.process.poll() is not None, lambda: f"{self.name} says {words}")
        assert words in self.said, f"{self.name}: {self.said}"

    def end(self, number=signal.SIGTERM):
        """Ends the program and returns its exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            # A stopped process ends only after SIGCONT.
            self.process.send_signal(signal.SIGCONT)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                pass
        # Also kill all processes that the program has started.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Overlay(Program):
    """touchgrid-overlay, or a program that becomes it. The test reads its notifications instead of systemd."""

    def __init__(self, person, arguments, environment, program="touchgrid-overlay"):
        number = len(os.listdir(person.folder))
        path = f"{person.folder}/notify{number}"
        self.notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notifications.bind(path)
        os.chmod(path, 0o777)
        self.notifications.setblocking(False)
        self.heard = []
        super().__init__(person, [person.ours(program), *map(str, arguments)],
                         f"overlay{number}", {"NOTIFY_SOCKET": path, **environment})

    def listen(self):
        with contextlib.suppress(BlockingIOError):
            while True:
                self.heard += self.notifications.recv(4096).decode().splitlines()
        return self.heard

    def notifies(self, words):
        """Waits until there is a notification that begins with `words`, or returns at once if there
        was one before. Returns the last such notification."""
        def found():
            assert self.process.poll() is None, f"overlay ended, {self.process.returncode}: {self.said}"
            return [line for line in self.listen() if line.startswith(words)]
        return until(found, lambda: f"overlay notifies {words}: {self.heard} {self.said}")[-1]

    def status_is(self, words):
        """Waits until its latest status begins with `words`."""
        def latest():
            assert self.process.poll() is None, f"overlay ended, {self.process.returncode}: {self.said}"
            return [line for line in self.listen() if line.startswith("STATUS=")][-1:]
        until(lambda: latest() and latest()[0].startswith("STATUS=" + words), lambda: f"{words}: {self.heard[-5:]}")

    def is_ready(self):
        self.notifies("READY=1")
        return self

    def close(self):
        super().close()
        self.notifications.close()
