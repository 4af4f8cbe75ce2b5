"""A headless Firefox, spoken to by Marionette."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

from browser import free_port
from support import PATIENCE


class Firefox:
    def __init__(self, hosts):
        """`hosts`: manifests of programs that extensions may talk to, by their names."""
        self.home = tempfile.mkdtemp(prefix="touchgrid-firefox.")
        for name, manifest in hosts.items():
            folder = self.home + "/.mozilla/native-messaging-hosts"
            os.makedirs(folder, exist_ok=True)
            with open(f"{folder}/{name}.json", "w") as file:
                json.dump(manifest, file)
        profile, port = self.home + "/profile", free_port()
        os.mkdir(profile)
        with open(profile + "/user.js", "w") as file:
            file.write(f'user_pref("marionette.port", {port});\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--marionette", "--profile", profile, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.home})
        self.number, self.received = 0, b""
        self.connection = self.connect(port)
        self.message()
        # A change of page is over when the browser shows the other, not when that is loaded.
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {"pageLoadStrategy": "none"}})

    def connect(self, port):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), PATIENCE)
            except OSError:
                assert self.process.poll() is None and time.monotonic() < deadline, "Firefox does not answer"
                time.sleep(0.1)

    def close(self):
        """May be called again."""
        if not self.home:
            return
        with contextlib.suppress(OSError, AssertionError):
            self.call("Marionette:Quit", flags=["eForceQuit"])
        self.connection.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)
        self.home = None

    def call(self, command, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.connection.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.message()
        assert error is None, error
        return result

    def message(self):
        while True:
            length, found, rest = self.received.partition(b":")
            if found and len(rest) >= int(length):
                self.received = rest[int(length):]
                return json.loads(rest[:int(length)])
            part = self.connection.recv(1 << 16)
            assert part, "Firefox is gone"
            self.received += part

    def install(self, extension):
        """A folder, until Firefox ends."""
        self.call("Addon:Install", path=str(extension), temporary=True)

    def open(self, address):
        self.call("WebDriver:Navigate", url=address)

    def run(self, script):
        return self.call("WebDriver:ExecuteScript", script=script, args=[])["value"]
