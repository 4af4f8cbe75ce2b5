"""The configuration of touchgrid-mqtt, and the counts that it may tell."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import time
import unittest

from mqtt import CONFIGURATION, Case, counts, run, taps
from touchgrid_test.daemon import Daemon
from touchgrid_test.fingers import Fingers
from touchgrid_test.report_store import last_saturday_evening, replayed, swiped
from touchgrid_test.server import Server
from touchgrid_test.waiting import ROOT, until

import settings

EXAMPLE = ROOT / "config/touchgrid-mqtt.toml"


class Counts(Case):
    def test_counts_come_in_steps(self):
        fingers = taps().wait(2000)
        daemon = self.daemon(fingers.tap("Panel 0", (0.5, 0.5)))
        daemon.passes(100)
        until(lambda: daemon.call("ListDays")["days"], "a day in the store")
        bridge = self.bridge(daemon.socket)
        bridge.collect()
        now = counts.read(bridge.counts)
        self.assertEqual(now, counts.Counts(1, 2, "good", False, [], now.panels_at, None))
        daemon.passes(2000)
        until(lambda: daemon.call("ListDays")["days"][0]["sessions"] == 2, "another session")
        run(*bridge.command, "--collect", env=bridge.environment)
        self.assertEqual(counts.read(bridge.counts), now, "a step is five minutes, whoever asks")
        bridge.collect()
        self.assertEqual(counts.read(bridge.counts), dataclasses.replace(now, sessions=2, touches=3))
        daemon.stop()
        os.utime(bridge.counts, (time.time() - counts.STEP,) * 2)
        done = subprocess.run([*bridge.command, "--collect"], capture_output=True, text=True, env=bridge.environment)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"the daemon at {daemon.socket} does not answer", done.stderr)

    def test_a_screen_is_told_if_the_owner_allows_it_and_no_mask_is_near(self):
        daemon = self.daemon(taps(), CONFIGURATION + '[[mask]]\nscreen = "pin"\n')
        bridge = self.bridge(daemon.socket, screen=True)
        for screen, told in (("menu", "menu"), ("pin", None), ("paid", "paid")):
            daemon.call("SetScreen", name=screen)
            bridge.collect()
            self.assertEqual(counts.read(bridge.counts).screen, told)
        daemon.call("AddMask", mask={"screen": "paid", "rectangle": {"x": 0, "y": 0, "width": 1, "height": 1}})
        bridge.collect()
        self.assertIsNone(counts.read(bridge.counts).screen)
        daemon.call("SetScreen", name="menu")
        bridge = self.bridge(daemon.socket)
        bridge.collect()
        self.assertIsNone(counts.read(bridge.counts).screen)

    def test_without_a_configuration_no_screen_is_told(self):
        daemon = self.daemon(None, None)
        self.assertTrue(daemon.call("GetMasks")["everything"])
        bridge = self.bridge(daemon.socket, screen=True)
        bridge.collect()
        self.assertIsNone(counts.read(bridge.counts).screen)

    def test_a_line_that_senses_nothing_is_a_fault(self):
        daemon = Daemon(CONFIGURATION)
        self.addCleanup(daemon.close)
        daemon.store = replayed(self.folder, swiped(self.folder, "swipes", days=35, broken=5))
        daemon.start(taps(), clock=last_saturday_evening())
        bridge = self.bridge(daemon.socket)
        bridge.collect()
        now = counts.read(bridge.counts)
        self.assertTrue(now.faulty)
        fault, = now.faults
        self.assertIn("line", fault)

    def test_a_missing_touchscreen_is_a_fault_and_a_store_that_fails_is_told(self):
        told = self.daemon(Fingers("Panel 0")).call("GetStatus")
        status = {**told, "devices": 0, "store": {**told["store"], "error": "no space left on device"}}
        answers = {"GetStatus": status, "ListDays": {"days": []}}

        def answer(connection):
            while text := connection.recv(65_536):
                method = json.loads(text.rstrip(b"\0"))["method"].rpartition(".")[2]
                unknown = {"error": "io.touchgrid.StoreFailed", "parameters": {"message": "it is full"}}
                reply = {"parameters": answers[method]} if method in answers else unknown
                connection.sendall(json.dumps(reply).encode() + b"\0")

        server = Server(answer, f"{self.folder}/fake")
        self.addCleanup(server.stop)
        bridge = self.bridge(f"{self.folder}/fake")
        bridge.collect()
        self.assertEqual(counts.read(bridge.counts),
                         counts.Counts(store="failing", faulty=True, faults=["no touchscreen is read"]))

    def test_a_file_that_makes_no_sense_is_not_told(self):
        path = pathlib.Path(self.folder, "counts.json")
        good = dataclasses.asdict(counts.Counts(touches=2))
        path.write_text(json.dumps(good))
        self.assertEqual(counts.read(path), counts.Counts(touches=2))
        unknown = counts.Counts(touches=None)
        path.write_text(json.dumps(dataclasses.asdict(unknown)))
        self.assertEqual(counts.read(path), unknown)
        wrong = [{"touches": "2"}, {"sessions": True}, {"x": 1}, {"faults": [1]}, {"store": None}]
        for text in ("", "{", "[" * 60_000, "[]", "{}", " " * 70_000 + json.dumps(good),
                     *(json.dumps({**good, **change}) for change in wrong)):
            path.write_text(text)
            self.assertIsNone(counts.read(path), text[:40])
        self.assertIsNone(counts.read(f"{self.folder}/none"))


class Configurations(Case):
    def check(self, text):
        path = pathlib.Path(self.folder, "mqtt.toml")
        path.write_text(text)
        return subprocess.run(["/usr/bin/python3", ROOT / "mqtt/touchgrid-mqtt", "--check", "--config", path],
                              capture_output=True, text=True,
                              env={"PYTHONPATH": str(ROOT / "clients/python"), "PATH": "/usr/bin"})

    def test_mistakes_are_named(self):
        host = '[broker]\nhost = "a"\n'
        for text, words in (
                ("", "host is missing in [broker]"), ("[broker", "Expected ']'"),
                ("host = 'a'", "unknown table or key 'host'; the tables are broker, kiosk, topics"),
                (host + "prot = 1", "unknown key 'prot' in [broker]; the keys there are host, port, tls, ca, username"),
                (host + "port = '1883'", "port must be a whole number, not '1883'"),
                (host + "port = true", "port must be a whole number, not True"),
                (host + "port = 65536", "port must be 1 to 65535, not 65536"),
                (host + "tls = 1", "tls must be true or false, not 1"),
                (host + "tls = false\nca = '/a'", "ca is for TLS"), (host + "ca = 'a'", "ca must be the absolute path"),
                (host + "username = 'a\\u0000b'".replace("'", '"'), "username must have at most 128 characters"),
                (host + "[kiosk]\nname = 'a/b'", "name must have 1 to 64 letters"),
                (host + "[kiosk]\nname = 7", "name must be a text in quotes, not 7"),
                (host + "[kiosk]\nidle_after = '5s'", "idle_after must be 30s to 24h, not '5s'"),
                (host + "[kiosk]\nidle_after = '25h'", "idle_after must be 30s to 24h"),
                (host + "[kiosk]\nidle_after = 'soon'", "idle_after must be a time such as"),
                (host + "[topics]\nprefix = '$SYS/#'", "prefix must be a topic"),
                (host + "[topics]\ndiscovery = '+'", "discovery must be a topic"),
                ('[broker]\nhost = "a b"', "host must be the name or address")):
            path = pathlib.Path(self.folder, "mqtt.toml")
            path.write_text(text)
            with self.assertRaises(settings.BadConfiguration) as caught:
                settings.load(str(path))
            self.assertTrue(str(caught.exception).startswith(f"{path}: "), text)
            self.assertIn(words, str(caught.exception))
        with self.assertRaisesRegex(settings.BadConfiguration, "none such.toml cannot be read: No such file"):
            settings.load("none such.toml")
        done = self.check(host + "username = 'kiosk'")
        missing = f"username is set, but its password in {settings.PASSWORD} cannot be read: No such file or directory"
        self.assertEqual((done.returncode, done.stderr), (78, f"touchgrid-mqtt: {missing}\n"))

    def test_what_is_told_to_whom_is_said(self):
        done = self.check(EXAMPLE.read_text())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Broker: mqtt.example, port 8883, with TLS, without a password.", done.stdout)
        self.assertIn(f"Kiosk: {settings.load(str(EXAMPLE)).name}.", done.stdout)
        self.assertIn("; not the screen.", done.stdout)
        done = self.check('[broker]\nhost = "a"\ntls = false\n[kiosk]\nscreen = true')
        self.assertIn("port 1883, without TLS: others in the network can read and change everything", done.stdout)
        self.assertIn("unless it has a mask, the screen.", done.stdout)

    def test_the_example_has_every_setting_with_its_default(self):
        chosen, plain = settings.load(str(EXAMPLE)), settings.checked({"host": "mqtt.example"})
        self.assertEqual(chosen, plain)
        keys = re.findall(r"(?m)^(\w+) = ", EXAMPLE.read_text())
        self.assertEqual(keys, [key for table in settings.TABLES.values() for key in table])

    def test_a_password_that_others_may_read_is_refused(self):
        path, chosen = pathlib.Path(self.folder, "password"), settings.Settings(host="a", username="b")
        path.write_text("secret\n")
        path.chmod(0o644)
        with self.assertRaisesRegex(settings.BadConfiguration, f"run 'chmod 600 {path}'"):
            settings.check_password_file(chosen, str(path))
        path.chmod(0o600)
        settings.check_password_file(chosen, str(path))


if __name__ == "__main__":
    unittest.main()
