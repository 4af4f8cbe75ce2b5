"""touchgrid-follow, and a site that it can follow."""

import contextlib
import http.server
import json
import os
import signal
import subprocess

from .server import serving
from .waiting import BINARIES, PATIENCE, ROOT, until

RULES = """
[[rule]]
url = "/product/:id"

[[rule]]
url = "/pay"
screen = "checkout/pay"
mask = true
"""


class Shop(http.server.BaseHTTPRequestHandler):
    """Serves /, /catalogue, /product/NUMBER, /pay, and /app/VIEW, a single page that changes its
    own view."""

    def do_GET(self):
        title = self.path.split("?")[0].strip("/") or "welcome"
        # The follower must ignore what the frame shows.
        frame = '<iframe src="/frame"></iframe>' if title == "welcome" else ""
        body = f"<!doctype html><title>{title}</title><h1>{title}</h1>{frame}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def shop(port=0):
    """Serves the shop, on any port or this one, and yields its address without a trailing slash."""
    with serving(Shop, port) as port:
        yield f"http://127.0.0.1:{port}"


def native_host(folder, configuration, browser="chromium", socket=None):
    """Returns the manifest, by name, of the program that follows the browser for its extension, or forwards what that
    tells."""
    config, program = folder + "/host.toml", folder + "/host"
    with open(config, "w") as file:
        file.write(configuration)
    options = f'--config "{config}"' + (f' --socket "{socket}"' if socket else "")
    with open(program, "w") as file:
        file.write(f'#!/bin/sh\nexec "{BINARIES}/touchgrid-follow" --native-messaging {options} "$@" '
                   f'2>>"{folder}/host.log"\n')
    os.chmod(program, 0o755)
    manifest = json.loads((ROOT / f"extension/{browser}-host.json").read_text())
    return {manifest["name"]: {**manifest, "path": program}}


class Follower:
    """touchgrid-follow with a configuration of its own."""

    def __init__(self, folder, socket, configuration):
        config = folder + "/follow.toml"
        with open(config, "w") as file:
            file.write(configuration)
        self.command = [BINARIES / "touchgrid-follow", "--config", config, "--socket", socket]
        self.log = open(folder + "/follow.log", "w+")
        self.process = None

    def start(self, *arguments, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **options}
        self.process = subprocess.Popen([*self.command, *arguments], stderr=self.log, **options)
        return self

    def stop(self, number=signal.SIGTERM):
        """Stops the follower and returns its exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe:
                    pipe.close()
        self.log.close()

    @property
    def said(self):
        self.log.seek(0)
        return self.log.read()

    def says(self, text):
        until(lambda: text in self.said, f"the follower says {text}")
