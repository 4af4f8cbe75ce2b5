"""touchgrid-upload against SeaweedFS, sshd and rsync, folders, and servers that misbehave."""

import contextlib
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import upload_targets
from support import day_line, start_bucket
from touchgrid_test.server import Server
from upload_targets import SSHServer, answering

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "upload/touchgrid-upload"
KIOSK = "lobby-3"
GENERATION = "0123456789abcdef"
LIMIT = 120
"""The time in s after which a run of the program counts as hung."""
KILLS = int(os.environ.get("TOUCHGRID_KILLS", "50"))

# Each identity may write below in/ and its own name.
POLICY = (ROOT / "docs/fleet-upload.md").read_text().partition("in `policy.json`:\n\n```json\n")[2].partition("```")[0]


def day_object(day, revision=1, sessions=3, filling=0):
    """Returns an object whose first line is as in the format; the rest is random."""
    first = day_line(KIOSK, GENERATION, revision, day, sessions)
    text = json.dumps(first, separators=(",", ":")).encode() + b"\n" + random.randbytes(filling)
    return gzip.compress(text)


class UploadCase(unittest.TestCase):
    """An export folder, a state folder and a configuration in a temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="touchgrid-upload-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.export, self.state, self.keys = (self.folder / name for name in ("export", "state", "keys"))
        for each in (self.export, self.state, self.keys):
            each.mkdir()
        self.settings = self.folder / "upload.conf"
        self.write_key(KIOSK)

    def write_key(self, identity):
        (self.keys / "s3-key").write_text(f"ACCESS_KEY={identity}-key\nSECRET_KEY={identity}-secret\n")

    def configure(self, **values):
        lines = {"KIOSK": KIOSK, "TIMEOUT": 5, **values}
        self.settings.write_text("".join(f"{key}={value}\n" for key, value in lines.items()))

    def place(self, name, generation=GENERATION):
        return self.export / "in" / KIOSK / generation / name

    def add(self, day, revision=1, generation=GENERATION, **options):
        """Adds an object to the export, removes the day's older ones, and returns its name in the target."""
        path = self.place(f"{day}/r{revision}.ndjson.gz", generation)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(day_object(day, revision, **options))
        for old in path.parent.iterdir():
            if old != path:
                old.unlink()
        return str(path.relative_to(self.export))

    def add_days(self, number, **options):
        return [self.add(f"2026-{1 + day // 28:02}-{1 + day % 28:02}", **options) for day in range(number)]

    def exported(self):
        return {str(path.relative_to(self.export)): path.read_bytes() for path in self.export.rglob("r*.gz")}

    def command(self, *arguments):
        return [
            str(PROGRAM),
            "--config",
            str(self.settings),
            "--from",
            str(self.export),
            "--state",
            str(self.state),
            *arguments,
        ]

    def environment(self):
        return {"PATH": os.environ["PATH"], "CREDENTIALS_DIRECTORY": str(self.keys)}

    def start(self, *arguments):
        return subprocess.Popen(
            self.command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment(),
            start_new_session=True,
        )

    def run_upload(self, expected=0, arguments=(), user=()):
        """Runs the program, checks its status and returns what it wrote. `user`: a command that runs it as another."""
        done = subprocess.run(
            [*user, *self.command(*arguments)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env=self.environment(),
        )
        text = done.stdout + done.stderr
        self.assertEqual(done.returncode, expected, text)
        self.assertTrue(text.isascii() and text.replace("\n", "").isprintable(), text)
        return text

    def status(self):
        path = self.state / "status.json"
        self.assertEqual(path.stat().st_mode & 0o777, 0o644)
        status = json.loads(path.read_text())
        self.assertEqual(
            list(status), ["target", "waiting", "oldestDay", "sentAtMs", "error", "nextAttemptAtMs"]
        )
        return status

    def end_wait(self):
        """Sets the time of the next attempt to now, as if time had passed."""
        path = self.state / "backoff"
        failures, _, settings = path.read_text().split("\n")[0].split()
        path.write_text(f"{failures} 1 {settings}\nan earlier error\n")

    def check_failure(self, pattern, waiting):
        """Runs the program, which must fail, keep everything and set the time of the next attempt."""
        before = time.time()
        self.assertRegex(self.run_upload(1), pattern)
        status = self.status()
        self.assertRegex(status["error"], pattern)
        self.assertEqual(status["waiting"], waiting)
        wait = status["nextAttemptAtMs"] / 1000 - before
        self.assertTrue(100 < wait <= 310, wait)
        return status


class Bucket(UploadCase):
    """With a real S3 server, whose bucket keeps all versions of an object."""

    @classmethod
    def setUpClass(cls):
        cls.server = start_bucket(cls, [KIOSK, "lobby-4"])
        cls.number = 0

    def setUp(self):
        super().setUp()
        # The policy is for one bucket, so each test has a bucket of its own.
        type(self).number += 1
        self.bucket = f"fleet{self.number}"
        self.set_policy()
        self.configure(TARGET=f"s3://{self.bucket}", ENDPOINT=self.server.endpoint)

    def set_policy(self, *more):
        policy = json.loads(POLICY.replace(":fleet/", f":{self.bucket}/"))
        policy["Statement"] += more
        self.server.make_bucket(self.bucket, policy, versions=True)

    def arrived(self):
        return self.server.objects(self.bucket)

    def check_once(self):
        """Checks that every exported object is in the bucket, with its bytes, and was stored once."""
        self.assertEqual(self.arrived(), self.exported())
        versions = self.server.versions(self.bucket)
        self.assertEqual(sorted(key for key, _ in versions), sorted(self.exported()))

    def test_everything_is_sent_once(self):
        self.add_days(5, filling=20_000)
        self.add("2026-01-01", generation="fedcba9876543210")
        self.assertIn("6 days sent", self.run_upload())
        self.check_once()
        status = self.status()
        self.assertLess(abs(status.pop("sentAtMs") / 1000 - time.time()), 60)
        self.assertEqual(
            status, {"target": "s3", "waiting": 0, "oldestDay": None, "error": None, "nextAttemptAtMs": None}
        )
        self.run_upload()
        self.check_once()
        # Only the new revision is sent.
        new = self.add("2026-01-03", 2)
        self.assertIn("1 days sent", self.run_upload())
        self.assertEqual(self.arrived()[new], self.exported()[new])
        self.assertEqual(len(self.server.versions(self.bucket)), 7)

    def test_an_object_of_16_mib_arrives(self):
        path = self.place("2026-01-01/r9007199254740992.ndjson.gz")
        path.parent.mkdir(parents=True)
        path.write_bytes(random.randbytes(16 * 1024 * 1024))
        self.run_upload()
        self.check_once()

    def test_what_the_bucket_has_counts_as_sent(self):
        self.add_days(3)
        self.run_upload()
        (self.state / "sent").unlink()
        self.assertIn("3 days sent", self.run_upload())
        self.check_once()

    def test_another_target_gets_everything(self):
        self.add_days(2)
        self.run_upload()
        self.configure(
            TARGET=f"s3://{self.bucket}", ENDPOINT=self.server.endpoint.replace("127.0.0.1", "localhost")
        )
        self.assertIn("2 days sent", self.run_upload())

    def test_one_refused_object_does_not_keep_others_waiting(self):
        names = self.add_days(8)
        refused = names[:4]
        self.set_policy(
            {
                "Effect": "Deny",
                "Principal": "*",
                "Action": "s3:PutObject",
                "Resource": [f"arn:aws:s3:::{self.bucket}/{name}" for name in refused],
            }
        )
        # The run ends after three failures in a row; the next one begins with the others.
        status = self.check_failure("answered 403: the key may not write .*AccessDenied", 8)
        self.assertEqual(status["oldestDay"], "2026-01-01")
        self.end_wait()
        status = self.check_failure("answered 403", 4)
        self.assertEqual(sorted(self.arrived()), names[4:])
        self.assertIsNotNone(status["sentAtMs"])
        self.set_policy()
        self.end_wait()
        self.run_upload()
        self.check_once()

    def test_wrong_key_is_refused_and_a_new_one_used_at_once(self):
        self.add_days(2)
        (self.keys / "s3-key").write_text(f"ACCESS_KEY={KIOSK}-key\nSECRET_KEY=wrong\n")
        self.check_failure("403.*SignatureDoesNotMatch", 2)
        self.assertRegex(self.run_upload(), "2 days wait; the next attempt is due at .*SignatureDoesNotMatch")
        self.assertEqual(self.arrived(), {})
        self.write_key(KIOSK)
        self.run_upload()
        self.check_once()
        self.assertIsNone(self.status()["error"])

    def test_key_of_a_kiosk_can_only_add_to_its_own_prefix(self):
        own = f"/{self.bucket}/in/{KIOSK}/{GENERATION}/2026-01-01/r1.ndjson.gz"

        def answer(method, path, body=b"", headers=None, identity=KIOSK):
            return self.server.request(identity, method, path, body, headers)[0]

        once = {"If-None-Match": "*"}
        self.assertEqual(answer("PUT", own, b"first", once), 200)
        self.assertEqual(answer("PUT", own, b"again", once), 412)
        first = self.server.versions(self.bucket)
        refused = [
            answer("GET", own),
            answer("HEAD", own),
            answer("DELETE", own),
            answer("DELETE", f"{own}?versionId={first[0][1]}"),
            answer("GET", f"{own}?versionId={first[0][1]}"),
            answer("GET", f"/{self.bucket}?list-type=2"),
            answer("GET", f"/{self.bucket}?versions="),
            answer("GET", f"/{self.bucket}?list-type=2&prefix=in%2F{KIOSK}%2F"),
            answer("PUT", f"/{self.bucket}?policy=", b"{}"),
            answer("DELETE", f"/{self.bucket}?policy="),
            answer("PUT", f"/{self.bucket}?versioning=", b"<VersioningConfiguration/>"),
            answer("DELETE", f"/{self.bucket}"),
            answer("PUT", "/another-bucket"),
            *(
                answer("PUT", f"/{self.bucket}/{place}", b"x")
                for place in ("in/lobby-4/x", "in/lobby-30/x", "in/x", "out/days/2026-01-01.json", "x")
            ),
            answer("PUT", own, b"x", identity=None),
            answer("GET", own, identity=None),
            answer("PUT", f"{own}-copy", headers={"x-amz-copy-source": own}, identity="lobby-4"),
        ]
        self.assertEqual(refused, [403] * len(refused))
        self.assertIn(answer("PUT", f"/{self.bucket}/in/{KIOSK}/../lobby-4/x", b"x"), (400, 403))
        self.assertIn(answer("PUT", f"/{self.bucket}/in/{KIOSK}/%2e%2e/lobby-4/x", b"x"), (400, 403))
        self.assertEqual(list(self.arrived()), [own.removeprefix(f"/{self.bucket}/")])
        # Without the header the key can overwrite. The first version stays, and only the owner can remove it.
        self.assertEqual(answer("PUT", own, b"malicious"), 200)
        self.assertEqual(self.server.request("admin", "GET", own), (200, b"malicious"))
        old = self.server.request("admin", "GET", f"{own}?versionId={first[0][1]}")
        self.assertEqual(old, (200, b"first"))

    def test_killed_at_random_moments(self):
        self.add_days(100, filling=30_000)
        kills = 0
        seeded = random.Random(23)
        while kills < KILLS:
            process = self.start()
            time.sleep(seeded.uniform(0.02, 0.6))
            if process.poll() is None:
                kills += 1
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if not (self.state / "sent").exists() or len((self.state / "sent").read_text().split("\n")) > 60:
                # Old days are changed, so that there is always something to send.
                for day in range(28):
                    self.add(f"2026-01-{1 + day:02}", kills + 1, filling=30_000)
        self.run_upload()
        arrived, expected = self.arrived(), self.exported()
        self.assertEqual({name: arrived[name] for name in expected}, expected)
        versions = [key for key, _ in self.server.versions(self.bucket)]
        # The object that was on its way at a kill is sent once more, in case it was cut off.
        self.assertLessEqual(len(versions), len(set(versions)) + KILLS, "objects were stored twice without a kill")
        self.assertEqual(self.status()["waiting"], 0)

    def test_an_object_that_may_be_cut_off_is_sent_again(self):
        """SeaweedFS may keep an empty object if the upload is killed in the middle of it."""
        self.add_days(2)
        name = min(self.exported())
        self.assertEqual(self.server.request("admin", "PUT", f"/{self.bucket}/{name}", b"")[0], 200)
        self.state.mkdir(exist_ok=True)
        (self.state / "tried").write_text(name.split("/", 2)[2] + "\n")
        self.run_upload()
        self.assertEqual(self.arrived()[name], self.exported()[name])
        self.assertFalse((self.state / "tried").exists())


class BadServers(UploadCase):
    """With servers that do not do what they should."""

    def serve(self, answer):
        server = Server(answer)
        self.addCleanup(server.stop)
        self.configure(TARGET="s3://fleet", ENDPOINT=server.endpoint, TIMEOUT=2)
        return server

    def test_server_that_never_answers(self):
        self.add_days(5)
        server = self.serve(upload_targets.hanging)
        begun = time.monotonic()
        self.check_failure(f"{server.endpoint}: .*(too slow|timed out)", 5)
        self.assertLess(time.monotonic() - begun, 60)
        # It gives up after three failures in a row.
        self.assertEqual(server.connections, 3)

    def test_answers_that_mean_failure(self):
        self.add_days(1)
        for answer, pattern in [
            ("503 Slow Down", "answered 503"),
            ("429 Too Many Requests", "answered 429"),
            ("301 Moved", "answered 301: the bucket is elsewhere"),
            ("404 Not Found", "answered 404"),
            ("200 OK", "answered 200: not the answer of an S3 server"),
            ("412 Precondition Failed", "answered 412"),
        ]:
            with self.subTest(answer):
                # Web servers send ETag too.
                for header in ("", 'ETag: "5f-1"\r\n'):
                    self.serve(
                        answering(
                            answer,
                            b"<html>Please log in</html>",
                            header + "Location: http://127.0.0.1:9/\r\n",
                        )
                    )
                    self.check_failure(pattern, 1)

    def test_endless_answer_with_control_characters(self):
        def endless(connection):
            upload_targets.read_request(connection)
            connection.sendall(b"HTTP/1.1 403 \x1b[31mno\r\n\r\n")
            with contextlib.suppress(OSError):
                for _ in range(2000):
                    connection.sendall(b"\x1b]0;title\x07\0<Code>\x1b[2J</Code>" * 1000)

        self.add_days(1)
        self.serve(endless)
        self.check_failure("answered 403", 1)

    def test_secret_is_on_no_command_line(self):
        self.add_days(1)
        server = self.serve(upload_targets.hanging)
        process = self.start()
        seen = set()
        while process.poll() is None:
            for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    seen.add(path.read_bytes())
            # curl is seen while it waits for the server.
        process.communicate()
        self.assertGreater(server.connections, 0)
        self.assertTrue(any(b"--aws-sigv4" in words for words in seen))
        self.assertFalse([words for words in seen if f"{KIOSK}-secret".encode() in words])
        for path in self.state.iterdir():
            self.assertNotIn(f"{KIOSK}-secret", path.read_text())

    def test_waits_grow_to_a_day_and_survive(self):
        self.add_days(1)
        server = self.serve(answering("503 Slow Down"))
        for failure in range(1, 14):
            begun = time.time()
            self.run_upload(1)
            wait = self.status()["nextAttemptAtMs"] / 1000 - begun
            longest = min(300 * 2 ** (failure - 1), 86400)
            self.assertTrue(longest / 2 <= wait <= longest + 30, (failure, wait))
            self.assertEqual(server.connections, failure)
            # Nothing is tried before.
            self.assertIn("1 days wait", self.run_upload())
            self.assertEqual(server.connections, failure)
            self.assertRegex(self.status()["error"], "answered 503")
            self.end_wait()

    def test_time_of_a_wrong_clock_does_not_count(self):
        self.add_days(1)
        server = self.serve(answering("503 Slow Down"))
        self.run_upload(1)
        path = self.state / "backoff"
        failures, _, settings = path.read_text().split("\n")[0].split()
        path.write_text(f"{failures} {int((time.time() + 10 * 86400) * 1000)} {settings}\nx\n")
        self.run_upload(1)
        self.assertEqual(server.connections, 2)

    def test_damaged_state_is_read_as_none(self):
        name = self.add("2026-01-01")
        server = self.serve(answering("200 OK", headers='ETag: "1"\r\n'))
        for file in ("sent", "backoff", "refused", "status.json"):
            (self.state / file).write_bytes(b"\0\xff\x1b[2J\n" + name.encode()[:-3])
        self.assertIn("1 days sent", self.run_upload())
        self.assertEqual(server.connections, 1)
        # A torn last line is no name, and does not damage the next one.
        (self.state / "sent").write_text((self.state / "sent").read_text().rstrip("\n")[:-3])
        self.run_upload()
        self.assertEqual(server.connections, 2)
        self.run_upload()
        self.assertEqual(server.connections, 2)

    def test_second_upload_ends_at_once(self):
        self.add_days(1)
        server = self.serve(upload_targets.hanging)
        first = self.start()
        while not server.connections:
            time.sleep(0.02)
        self.assertIn("another upload is running", self.run_upload())
        self.assertIsNone(first.poll())
        first.communicate()


class Order(UploadCase):
    """The order in which objects are sent, as a server sees it."""

    def order(self):
        heads = []
        server = Server(answering("200 OK", headers='ETag: "1"\r\n', heads=heads))
        self.addCleanup(server.stop)
        self.configure(TARGET="s3://fleet/some/Pre.fix/", ENDPOINT=server.endpoint)
        self.run_upload()
        return [head.split()[1].partition("/fleet/some/Pre.fix/in/")[2] for head in heads]

    def test_forgotten_days_first_then_the_oldest(self):
        self.add("2026-02-01")
        self.add("2025-12-31")
        self.add("2026-03-01", sessions=0)
        self.add("2026-01-15", sessions=0)
        self.add("2026-01-31", filling=9000)
        days = [name.split("/")[2] for name in self.order()]
        self.assertEqual(days, ["2026-01-15", "2026-03-01", "2025-12-31", "2026-01-31", "2026-02-01"])

    def test_lower_revisions_are_never_sent(self):
        # Both are there if the export was killed before it removed the old one.
        self.add("2026-01-01", 10, sessions=0)
        for revision in (2, 9):
            self.place(f"2026-01-01/r{revision}.ndjson.gz").write_bytes(day_object("2026-01-01", revision))
        self.assertEqual([name.rsplit("/")[-1] for name in self.order()], ["r10.ndjson.gz"])

    def test_only_day_objects_are_sent(self):
        good = self.add("2026-01-01")
        secret = self.folder / "secret"
        secret.write_text("do not send")
        day = self.place("2026-01-02")
        day.mkdir()
        (day / "r1.ndjson.gz").symlink_to(secret)
        self.place("2026-01-03").symlink_to(self.place("2026-01-01"))
        (self.export / "in" / KIOSK / "fedcba9876543210").symlink_to(self.place("."))
        fifo = self.place("2026-01-04")
        fifo.mkdir()
        os.mkfifo(fifo / "r1.ndjson.gz")
        for name in (
            "2026-02-30/r1.ndjson.gz",
            "2026-01-05/r01.ndjson.gz",
            "2026-01-05/r0.ndjson.gz",
            "2026-01-05/r1.ndjson",
            "2026-01-05/.r1.ndjson.gz",
            "2026-01-05/r1.ndjson.gz.tmp",
            "2026-01-05/r1.ndjson.gz\n",
            "2026-01-05/deeper/r1.ndjson.gz",
            "2026-13-05/r1.ndjson.gz",
            "x y",
            "2026-01-05/r99999999999999999999.ndjson.gz",
            "2026-01-06/r1.ndjson.gz\x1b[2J",
        ):
            path = self.place(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"x")
        empty = self.place("2026-01-07/r1.ndjson.gz")
        empty.parent.mkdir()
        empty.touch()
        large = self.place("2026-01-08/r1.ndjson.gz")
        large.parent.mkdir()
        with open(large, "wb") as file:
            file.truncate(16 * 1024 * 1024 + 1)
        other = self.export / "in/lobby-4" / GENERATION / "2026-01-01/r1.ndjson.gz"
        other.parent.mkdir(parents=True)
        other.write_bytes(b"x")
        names = self.order()
        self.assertEqual([f"in/{name}" for name in names], [good])
        self.assertEqual(self.status()["waiting"], 0)

    @unittest.skipIf(os.geteuid() != 0, "only root can become another user")
    def test_export_that_may_not_be_read_is_an_error(self):
        # Not an export without days, after which everything would be sent again.
        self.add("2026-01-01")
        self.configure(TARGET="s3://fleet", ENDPOINT="http://127.0.0.1:9")
        (self.state / "sent").write_text("kept")
        subprocess.run(["chown", "-R", "nobody", self.state], check=True)
        self.folder.chmod(0o755)
        for closed in (self.export, self.export / "in", self.export / "in" / KIOSK, self.place("2026-01-01")):
            with self.subTest(closed):
                closed.chmod(0o700)
                output = self.run_upload(1, user=["setpriv", "--reuid=nobody", "--clear-groups"])
                self.assertRegex(output, "may not read|cannot list")
                self.assertEqual((self.state / "sent").read_text(), "kept")
                closed.chmod(0o755)

    def test_linked_kiosk_folder_is_refused(self):
        self.add("2026-01-01")
        (self.export / "in" / KIOSK).rename(self.folder / "elsewhere")
        (self.export / "in" / KIOSK).symlink_to(self.folder / "elsewhere")
        self.configure(TARGET="s3://fleet", ENDPOINT="http://127.0.0.1:9")
        self.assertIn("cannot list", self.run_upload(1))


class Folder(UploadCase):
    def setUp(self):
        super().setUp()
        self.target = self.folder / "disk"
        self.target.mkdir()
        self.configure(TARGET=self.target)

    def arrived(self):
        return {
            str(path.relative_to(self.target)): path.read_bytes()
            for path in self.target.rglob("*")
            if path.is_file()
        }

    def test_what_is_there_stays(self):
        name = self.add("2026-01-01")
        (self.target / name).parent.mkdir(parents=True)
        (self.target / name).write_text("first")
        self.assertIn("1 days sent", self.run_upload())
        self.assertEqual(self.status()["target"], "folder")
        self.assertEqual((self.target / name).read_text(), "first")

    def test_link_of_another_kiosk_is_not_followed(self):
        name, secret = self.add("2026-01-01"), self.folder / "secret"
        secret.write_text("kept")
        (self.target / ".touchgrid-upload").mkdir()
        (self.target / ".touchgrid-upload" / f"{KIOSK}.part").symlink_to(secret)
        self.run_upload()
        self.assertEqual(secret.read_text(), "kept")
        self.assertFalse((self.target / name).is_symlink())
        self.assertEqual(self.arrived(), self.exported())

    @unittest.skipIf(os.geteuid() != 0, "only root can give a folder away")
    def test_root_does_not_follow_links_in_the_state_of_another_user(self):
        self.add_days(1)
        secret = self.folder / "secret"
        secret.write_text("kept")
        for name in ("lock", "sent.new", "status.json.new"):
            (self.state / name).symlink_to(secret)
        shutil.chown(self.state, "nobody")
        self.assertIn("only the service touchgrid-upload may run this", self.run_upload(1))
        self.assertEqual(secret.read_text(), "kept")

    def test_missing_folder_is_not_made(self):
        self.add_days(1)
        self.target.rmdir()
        self.check_failure("there is no folder .*: is its disk mounted", 1)
        self.assertFalse(self.target.exists())

    def test_blocked_name_keeps_no_other_waiting(self):
        blocked, *others = self.add_days(3)
        (self.target / blocked).mkdir(parents=True)
        self.check_failure("disk: .*File exists", 1)
        self.assertEqual(sorted(self.arrived()), others)

    @unittest.skipIf(os.geteuid() != 0, "only root can mount a file system")
    def test_full_disk(self):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", self.target], check=True)
        self.addCleanup(subprocess.run, ["umount", self.target], check=True)
        self.add_days(6, filling=40_000)
        self.assertIn("No space left on device", self.run_upload(1))
        status = self.status()
        self.assertIn(status["waiting"], (3, 4, 5))
        self.assertEqual(status["waiting"] + len(self.arrived()), 6)
        for name, content in self.arrived().items():
            self.assertEqual(content, self.exported()[name])
        subprocess.run(["mount", "-o", "remount,size=2m", self.target], check=True)
        self.end_wait()
        self.run_upload()
        self.assertEqual(self.arrived(), self.exported())

    @unittest.skipIf(os.geteuid() != 0, "only root can mount a file system")
    def test_full_state_folder(self):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", self.state], check=True)
        self.addCleanup(subprocess.run, ["umount", self.state], check=True)
        self.add_days(3)
        with contextlib.suppress(OSError), open(self.state / "filling", "wb") as file:
            file.write(bytes(64 * 1024))
        self.assertIn("cannot write", self.run_upload(1))
        (self.state / "filling").unlink()
        self.run_upload()
        self.assertEqual(self.arrived(), self.exported())

    def test_killed_at_random_moments(self):
        self.add_days(60, filling=30_000)
        seeded = random.Random(24)
        for _ in range(KILLS):
            process = self.start()
            time.sleep(seeded.uniform(0.02, 0.3))
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            # No object is ever there in part.
            for name, content in self.arrived().items():
                if name.startswith("in/"):
                    self.assertEqual(content, self.exported()[name])
        self.run_upload()
        self.assertEqual(self.arrived(), self.exported())


class SSH(UploadCase):
    def setUp(self):
        super().setUp()
        self.target, scratch = self.folder / "server", self.folder / "ssh"
        self.target.mkdir()
        scratch.mkdir()
        self.server = SSHServer(self.target, scratch, "-wo -no-overwrite -no-del")
        self.addCleanup(self.server.stop)
        shutil.copy(scratch / "user", self.keys / "ssh-key")
        self.configure_ssh()

    def configure_ssh(self, **values):
        self.configure(
            **{
                "TARGET": f"ssh://{self.server.user}@127.0.0.1:{self.server.port}/fleet",
                "KNOWN_HOSTS": self.server.known_hosts,
                **values,
            }
        )

    def arrived(self):
        root = self.target / "fleet"
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def test_everything_arrives_through_a_key_that_only_writes(self):
        self.add_days(3, filling=10_000)
        self.run_upload()
        self.assertEqual(self.arrived(), self.exported())
        self.assertEqual(self.status()["target"], "ssh")
        # The key can neither read nor overwrite.
        name, shell = next(iter(self.exported())), (
            f"ssh -p {self.server.port} -i {self.keys}/ssh-key "
            f"-o UserKnownHostsFile={self.server.known_hosts} -o BatchMode=yes -F none"
        )
        remote = f"{self.server.user}@127.0.0.1:/fleet/{name}"
        copy = self.folder / "copy"
        done = subprocess.run(["rsync", "-e", shell, remote, copy], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(copy.exists())
        copy.write_text("malicious")
        subprocess.run(["rsync", "-e", shell, "--ignore-times", copy, remote], capture_output=True, text=True)
        # It cannot delete what it has sent, either, by sending an empty folder.
        empty = self.folder / "empty"
        empty.mkdir()
        subprocess.run(
            ["rsync", "-r", "--delete", "-e", shell, f"{empty}/", f"{self.server.user}@127.0.0.1:/fleet/in/"],
            capture_output=True,
        )
        done = subprocess.run(
            [*shell.split(), f"{self.server.user}@127.0.0.1", "cat /etc/passwd"],
            capture_output=True,
            text=True,
        )
        self.assertNotIn("root:", done.stdout)
        self.assertEqual(self.arrived(), self.exported())

    def test_unknown_host_key_is_refused(self):
        self.add_days(1)
        self.server.trust("other-host")
        self.check_failure("127.0.0.1: .*IDENTIFICATION HAS CHANGED", 1)
        self.server.trust("host")
        self.run_upload()
        self.assertEqual(self.arrived(), self.exported())

    def test_server_that_never_answers(self):
        self.add_days(1)
        silent = Server(lambda connection: time.sleep(600))
        self.addCleanup(silent.stop)
        self.configure_ssh(TARGET=f"ssh://{self.server.user}@127.0.0.1:{silent.port}/fleet", TIMEOUT=2)
        self.check_failure("127.0.0.1: .*(timed out|timeout)", 1)

    def test_missing_key_and_known_hosts_are_named(self):
        self.add_days(1)
        self.configure_ssh(KNOWN_HOSTS=self.folder / "none")
        self.assertIn("write the server's host key to it", self.run_upload(1))
        (self.keys / "ssh-key").write_text("")
        self.assertIn("no private key in /etc/touchgrid/upload-ssh.key", self.run_upload(1))


class Configuration(UploadCase):
    def check(self, text, *pattern, expected=1):
        self.settings.write_text(text)
        output = self.run_upload(expected, ["--check"])
        for each in pattern:
            self.assertRegex(output, each)

    def test_no_target(self):
        self.configure()
        self.add_days(2)
        self.assertIn("2 days wait, but", self.run_upload())
        status = self.status()
        self.assertEqual((status["target"], status["waiting"], status["oldestDay"]), (None, 2, "2026-01-01"))

    def test_shipped_file_is_valid(self):
        text = (ROOT / "config/upload.conf").read_text()
        self.check(f"{text}\nKIOSK=a\n", "kiosk: a", "target: none", expected=0)
        # Each setting is shown as a comment that can be used.
        for line in text.splitlines():
            if line.startswith("#") and "=" in line and not line.startswith("# "):
                self.check(f"KIOSK=a\n{line[1:]}\n" if "KIOSK" not in line else f"{line[1:]}a\n", expected=0)

    def test_wrong_settings_are_named(self):
        kiosk = f"KIOSK={KIOSK}\n"
        s3 = f"{kiosk}TARGET=s3://fleet\n"
        for text, pattern in [
            ("KIOSK", "line 1: not of the form KEY=VALUE"),
            ("# ok\n\nkiosk=a", "line 3: not of the form"),
            ("HOST=a", "line 1: unknown setting HOST"),
            ("KIOSK=a\nKIOSK=b", "line 2: KIOSK occurs twice"),
            ('KIOSK="a"', "neither quotes nor spaces"),
            ("KIOSK=a ", "neither quotes nor spaces"),
            ("KIOSK=\x1b[2J", "plain ASCII"),
            ("KIOSK=a\0b", "plain ASCII"),
            ("KIOSK=-a", "lowercase letters"),
            ("KIOSK=../x", "lowercase letters"),
            (f"KIOSK={'a' * 64}", "1 to 63"),
            (f"{kiosk}TARGET=http://x", "TARGET must be"),
            (f"{kiosk}TARGET=s3://Fleet", "TARGET must be"),
            (f"{kiosk}TARGET=s3://fleet/../x", "TARGET must be"),
            (f"{kiosk}TARGET=ssh://-oProxyCommand=x/y", "TARGET must be"),
            (f"{kiosk}TARGET=/", "TARGET must"),
            (f"{kiosk}TARGET=ssh://a@b/$(id)", "TARGET must be"),
            (f"{kiosk}TARGET=ssh://a@b:1:2/c", "TARGET"),
            (f"{s3}ENDPOINT=http://s3.example", "not encrypted"),
            (f"{s3}ENDPOINT=ftp://x", "ENDPOINT must be"),
            (f"{s3}ENDPOINT=https://a:b@x", "ENDPOINT must be"),
            (f"{s3}ENDPOINT=http://127.0.0.1.example", "not encrypted"),
            (f"{s3}REGION=a b", "REGION"),
            (f"{s3}INSECURE=maybe", "INSECURE must be"),
            (f"{s3}TIMEOUT=0", "TIMEOUT must be"),
            (f"{s3}TIMEOUT=3601", "TIMEOUT must be"),
        ]:
            with self.subTest(text):
                self.check(text, pattern)
                # A run says the same, and writes it to the status.
                self.assertRegex(self.run_upload(1), pattern)
                self.assertRegex(self.status()["error"], pattern)

    def test_settings_that_are_right(self):
        kiosk = f"KIOSK={KIOSK}\n"
        for text, pattern in [
            (
                f"{kiosk}TARGET=s3://fleet",
                "target: https://s3.us-east-1.amazonaws.com/fleet/in/lobby-3/\nkey: pres",
            ),
            (
                f"{kiosk}TARGET=s3://fleet/a/b/\nREGION=eu-west-1",
                "https://s3.eu-west-1.amazonaws.com/fleet/a/b/in/",
            ),
            (f"{kiosk}TARGET=s3://fleet\nENDPOINT=http://[::1]:8333", "http://\\[::1\\]:8333/fleet/in/"),
            (
                f"{kiosk}TARGET=s3://fleet\nENDPOINT=http://nas:8333/\nINSECURE=yes",
                "http://nas:8333/fleet/in/",
            ),
            (f"{kiosk}TARGET={self.folder}", "target: /.*/in/lobby-3/"),
        ]:
            with self.subTest(text):
                self.check(text, pattern, expected=0)

    def test_wrong_keys_are_named_by_the_file_of_the_owner(self):
        self.configure(TARGET="s3://fleet")
        self.add_days(1)
        for text, pattern in [
            ("", "there is no key: write ACCESS_KEY"),
            ("none", "there is no key"),
            ("ACCESS_KEY=a", "needs ACCESS_KEY and SECRET_KEY"),
            ("ACCESS_KEY=a:b\nSECRET_KEY=c", "has a colon"),
            ('ACCESS_KEY=a\nSECRET_KEY=b"\nurl = "x', "line 2: SECRET_KEY must have neither"),
            ('ACCESS_KEY=a\nSECRET_KEY=b"c', "without spaces, quotes"),
            ("ACCESS_KEY=a\nSECRET_KEY=hidden\nX=1", "line 3: unknown setting X"),
        ]:
            with self.subTest(text):
                (self.keys / "s3-key").write_text(text)
                output = self.run_upload(1)
                self.assertRegex(output, pattern)
                self.assertIn("/etc/touchgrid/upload.key", output)
                self.assertNotIn("hidden", output)
                self.assertEqual(self.status()["waiting"], 1)

    def test_wrong_arguments(self):
        self.assertIn("unknown argument", self.run_upload(2, ["--\x1b[2J"]))
        self.assertIn("--config needs a value", self.run_upload(2, ["--config"]))
        self.assertIn("USAGE: touchgrid-upload", self.run_upload(0, ["--help"]))

    def test_export_gets_the_kiosk(self):
        self.configure()
        program = self.folder / "touchgrid"
        program.write_text('#!/bin/sh\nprintf "%s|" "$@"\numask\n')
        program.chmod(0o755)
        done = subprocess.run(
            self.command("--export"),
            capture_output=True,
            text=True,
            env={"PATH": f"{self.folder}:{os.environ['PATH']}"},
        )
        self.assertEqual(done.stdout, f"export|--fleet|--kiosk|{KIOSK}|-o|{self.export}|0027\n")
