"""A headless Firefox, controlled by Marionette."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile

from .waiting import PATIENCE, until

SYSTEM_EXTENSIONS = "/usr/share/mozilla/extensions"


class Firefox:
    def __init__(self, hosts, extensions=None, arguments=(), size=None, capabilities=None):
        """`hosts` maps names to manifests of the programs that extensions may talk to.
        `extensions` is a folder that replaces the system's folder of extensions. `size` is that of
        the screen. `capabilities` are WebDriver's."""
        self.home = tempfile.mkdtemp(prefix="touchgrid-firefox.")
        for name, manifest in hosts.items():
            folder = self.home + "/.mozilla/native-messaging-hosts"
            os.makedirs(folder, exist_ok=True)
            with open(f"{folder}/{name}.json", "w") as file:
                json.dump(manifest, file)
        profile = self.home + "/profile"
        os.mkdir(profile)
        # Port 0: Firefox chooses a free port and writes it to the profile.
        with open(profile + "/user.js", "w") as file:
            file.write('user_pref("marionette.port", 0);\n')
        command = ["firefox-esr", "--headless", "--no-remote", "--marionette", "--profile", profile,
                   *arguments, "about:blank"]
        if extensions:
            # The folder is mounted in a namespace of these processes only.
            command = ["unshare", "--map-root-user", "--mount", "sh", "-c",
                       f"mount --bind '{extensions}' {SYSTEM_EXTENSIONS} && exec \"$@\"", "sh", *command]
        screen = {f"MOZ_HEADLESS_{side}": str(length) for side, length in zip(("WIDTH", "HEIGHT"), size or ())}
        self.log = open(self.home + "/log", "w+")
        self.connection, self.number, self.received = None, 0, b""
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            env={**os.environ, "HOME": self.home, **screen})
        try:
            self.connection = self.connect(profile + "/MarionetteActivePort")
            self.message()
            self.call("WebDriver:NewSession", **(capabilities or {}))
        except BaseException:
            self.close()
            raise

    def connect(self, file):
        def port():
            self.log.seek(0)
            assert self.process.poll() is None, f"Firefox has ended: {self.log.read()}"
            with contextlib.suppress(OSError, ValueError), open(file) as text:
                return int(text.read())

        return socket.create_connection(("127.0.0.1", until(port, "the port of Firefox")), PATIENCE)

    def close(self):
        """Closes the browser. Does nothing if it is closed already."""
        if not self.home:
            return
        if self.connection:
            with contextlib.suppress(OSError, AssertionError):
                self.call("Marionette:Quit", flags=["eForceQuit"])
            self.connection.close()
        else:
            self.process.kill()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
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
        """Installs the extension in a folder until Firefox exits."""
        self.call("Addon:Install", path=str(extension), temporary=True)

    def open(self, address):
        self.call("WebDriver:Navigate", url=address)

    def goes(self, ending, action):
        """Runs `action` and waits until the browser reports an address that ends with
        `ending`."""
        action()
        until(lambda: self.call("WebDriver:GetCurrentURL")["value"].endswith(ending), ending)

    def run(self, script):
        return self.call("WebDriver:ExecuteScript", script=script, args=[])["value"]
