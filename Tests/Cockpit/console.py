"""Cockpit's web server, with the page, in a session of one user that needs no login."""

import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

from touchgrid_test.waiting import BINARIES, PATIENCE, ROOT, free_port, until

SERVER = "/usr/lib/cockpit/cockpit-ws"


def stage(folder, socket, configuration):
    """Puts the page into a folder. It talks to the daemon at `socket`, and changes the file `configuration`."""
    subprocess.run([ROOT / "scripts/cockpit-page", folder], check=True)
    path = pathlib.Path(folder, "manifest.json")
    manifest = json.loads(path.read_text())
    manifest["config"].update(socket=socket, configuration=configuration)
    path.write_text(json.dumps(manifest))


class Console:
    """The session is root's, as root runs the tests, so it has administrator's rights. With `groups` it is that of
    nobody with these groups. With `beside`, a command, that runs too, and the session sees no other processes."""

    def __init__(self, socket, groups=None, configuration=None, beside=None):
        self.folder = tempfile.mkdtemp(prefix="touchgrid-cockpit.")
        os.chmod(self.folder, 0o755)
        stage(self.folder + "/data/cockpit/touchgrid", socket, configuration)
        # The page calls `touchgrid`, which another user may not be able to read where it was built.
        os.mkdir(self.folder + "/bin")
        for program in ("touchgrid", "touchgridd", "touchgrid-follow"):
            shutil.copy(BINARIES / program, self.folder + "/bin")
        # This machine need not have the package's folder.
        self.pictures = self.folder + "/pictures"
        os.mkdir(self.pictures)
        rights = {}
        for name in ("home", "run"):
            os.mkdir(f"{self.folder}/{name}", 0o700)
        if groups is not None:
            rights = {"user": "nobody", "group": "nogroup", "extra_groups": groups}
            for name in ("home", "run"):
                shutil.chown(f"{self.folder}/{name}", "nobody", "nogroup")
        self.port = free_port()
        self.log = open(self.folder + "/log", "w+")
        command = [SERVER, "--no-tls", "--address=127.0.0.1", f"--port={self.port}", "--local-session=cockpit-bridge"]
        if beside:
            # When the first process of the namespace ends, the kernel kills the others.
            command = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "bash", "-c",
                       f'trap exit TERM; {shlex.join(map(str, beside))} & "$@" & wait', "bash", *command]
        # Without PYTHONPATH: the bridge of Debian 13 is a program in Python.
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True, cwd=self.folder,
            env={"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "LANG": "C.UTF-8", "HOME": self.folder + "/home",
                 "XDG_RUNTIME_DIR": self.folder + "/run", "XDG_DATA_HOME": self.folder + "/data",
                 "TOUCHGRID_SOCKET": socket, "TOUCHGRID_PICTURES": self.pictures}, **rights)
        try:
            until(self.answers, "Cockpit answers")
        except BaseException:
            self.close()
            raise

    def answers(self):
        assert self.process.poll() is None, f"Cockpit has ended: {self.said}"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/ping", timeout=PATIENCE):
                return True
        except (OSError, urllib.error.URLError):
            return False

    @property
    def said(self):
        self.log.seek(0)
        return self.log.read()

    @property
    def shell(self):
        """The address of Cockpit's own page, which shows the page in a frame."""
        return f"http://127.0.0.1:{self.port}/touchgrid"

    def page(self, view=""):
        """The address of the page without a frame. `view`: a path in it, such as `/live`."""
        return (f"http://127.0.0.1:{self.port}/cockpit/@localhost/touchgrid/index.html"
                + (f"#{view}" if view else ""))

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(PATIENCE)
        except ProcessLookupError:
            self.process.wait()
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder)
