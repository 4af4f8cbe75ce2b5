"""docs/home-assistant.md: touchgrid-mqtt between a daemon and mosquitto, with TLS and a password, and what a hostile
broker, its other clients, and their loss can do to it."""

import contextlib
import dataclasses
import datetime
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import unittest

from mqtt import CONFIGURATION, GROUP, PASSWORD, Case, counts, run, taps
from touchgrid_test.fingers import Fingers
from touchgrid_test.server import Server
from touchgrid_test.waiting import BINARIES, PATIENCE, ROOT, free_port, listens, until

COMMANDS = "touchgrid/hall/recording/set"
CLEAN = "touchgrid/hall/clean/set"
STATES = {"touched", "idle_since", "sessions", "touches", "faulty", "store", "recording", "guard"}
# What Home Assistant's documentation of MQTT demands of each component.
NEEDED = {"binary_sensor": {"state_topic"}, "sensor": {"state_topic"}, "switch": {"command_topic", "state_topic"},
          "button": {"command_topic"}}
CLASSES = {"binary_sensor": {"occupancy", "problem"}, "sensor": {None, "timestamp"}, "switch": {None},
           "button": {None}}
KNOWN = {"name", "unique_id", "state_topic", "command_topic", "availability_topic", "device", "origin", "device_class",
         "state_class", "unit_of_measurement", "icon", "entity_category", "expire_after", "json_attributes_topic",
         "payload_press"}


def certificates(folder):
    """Makes a certificate for localhost, and the authority that signs it."""
    options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    def openssl(*words):
        run("openssl", *words, "-days", "2", cwd=folder)

    openssl("req", "-x509", *options, "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", *options, "-subj", "/CN=localhost", "-keyout", "broker.key", "-out", "broker.csr")
    pathlib.Path(folder, "names").write_text("subjectAltName=DNS:localhost")
    openssl("x509", "-req", "-in", "broker.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-extfile", "names", "-out", "broker.pem")


class Mosquitto:
    """A broker in a folder, with TLS and passwords. It forgets everything when it stops."""

    def __init__(self, folder):
        certificates(folder)
        self.folder, self.port, self.process = folder, free_port(), None
        for user in ("hall", "home"):
            run("mosquitto_passwd", *(["-c"] if user == "hall" else []), "-b", f"{folder}/passwords", user, PASSWORD)
        self.config = pathlib.Path(folder, "mosquitto.conf")
        self.config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\npassword_file {folder}/passwords\nuser root\n"
            f"cafile {folder}/ca.pem\ncertfile {folder}/broker.pem\nkeyfile {folder}/broker.key\n")
        self.options = ["-h", "localhost", "-p", str(self.port), "--cafile", f"{folder}/ca.pem", "-u", "home",
                        "-P", PASSWORD]

    def start(self):
        # Debian has brokers in sbin.
        path = f"{os.environ['PATH']}:/usr/sbin"
        with open(f"{self.folder}/mosquitto.log", "a") as log:
            self.process = subprocess.Popen(["mosquitto", "-c", self.config], stdout=log, stderr=log,
                                            env={**os.environ, "PATH": path})
        until(lambda: listens(self.port), lambda: pathlib.Path(self.folder, "mosquitto.log").read_text())

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(PATIENCE)
        self.process = None

    def send(self, text, *options, topic=COMMANDS):
        run("mosquitto_pub", *self.options, "-t", topic, "-q", "1", *options, "-s" if text else "-n", input=text)

    def watch(self):
        return Watcher(["mosquitto_sub", *self.options, "-t", "#", "-F", "%j"])


class Watcher:
    """What a client of the broker gets: the newest text of each topic, and all of them in order."""

    def __init__(self, command):
        self.texts, self.all = {}, []
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            text = message["payload"] or ""
            self.texts[message["topic"]] = text
            self.all.append((message["topic"], text))

    def close(self):
        self.process.kill()
        self.process.wait()
        self.thread.join()
        self.process.stdout.close()


class WithBroker(Case):
    def setUp(self):
        super().setUp()
        self.broker = Mosquitto(self.folder)
        self.addCleanup(self.broker.stop)
        self.broker.start()
        self.watch()

    def watch(self):
        self.watcher = self.broker.watch()
        self.addCleanup(self.watcher.close)

    def state(self, name):
        return self.watcher.texts.get(f"touchgrid/hall/{name}")

    def becomes(self, **states):
        until(lambda: all(self.state(name) == text for name, text in states.items()),
              lambda: f"{states}: {self.watcher.texts}, {self.running.said}")

    def online(self, daemon, **changes):
        self.running = self.bridge(daemon.socket, self.broker.port, **changes).start()
        self.becomes(status="online", recording="ON")
        return self.running

    def pauses(self, daemon, number):
        until(lambda: daemon.call("GetStatus")["pauses"] == number, lambda: f"{number} pauses: {self.running.said}")


class Kiosk(WithBroker):
    def test_home_assistant_finds_the_kiosk_and_learns_when_people_come_and_go(self):
        daemon = self.daemon(taps())
        self.online(daemon)
        self.becomes(touched="OFF")
        self.check_discovery()
        self.assertIsNone(self.state("idle_since"))
        daemon.passes(12)
        self.becomes(touched="ON")
        daemon.passes(70)
        self.becomes(touched="OFF")
        since = datetime.datetime.fromisoformat(until(lambda: self.state("idle_since"), "the time of the last touch"))
        # In steps of 5 s, after the touches at 10 and 11 s.
        self.assertTrue(self.began + 10 <= since.timestamp() <= self.began + 17, f"{self.began}: {since}")
        self.assertEqual(self.state("status"), "online")
        self.assertIn("connected to the broker localhost", self.running.said)

    def check_discovery(self):
        """Checks each message against the documentation of Home Assistant."""
        until(lambda: len(self.configs()) == len(STATES), lambda: f"all entities: {self.configs().keys()}")
        for topic, entity in self.configs().items():
            component = re.fullmatch(r"homeassistant/(\w+)/touchgrid_hall/\w+/config", topic)[1]
            self.assertEqual(NEEDED[component] - entity.keys(), set(), topic)
            self.assertEqual(entity.keys() - KNOWN, set(), topic)
            self.assertEqual(entity["device"]["identifiers"], ["touchgrid_hall"])
            self.assertEqual(entity["availability_topic"], "touchgrid/hall/status")
            self.assertEqual("command_topic" in entity, component == "switch", topic)
            self.assertIn(entity.get("device_class"), CLASSES[component], topic)
            self.assertIn(entity.get("entity_category"), (None, "diagnostic"))
        entities = self.configs().values()
        self.assertEqual({entity["state_topic"] for entity in entities}, {f"touchgrid/hall/{name}" for name in STATES})
        self.assertEqual(len({entity["unique_id"] for entity in entities}), len(STATES))

    def configs(self):
        return {topic: json.loads(text) for topic, text in list(self.watcher.texts.items())
                if topic.startswith("homeassistant/") and text}

    def test_recording_is_paused_and_resumed(self):
        daemon = self.daemon(taps())
        self.online(daemon)
        self.broker.send("OFF")
        self.becomes(recording="OFF")
        self.assertEqual(daemon.call("GetStatus")["pauses"], 1)
        daemon.passes(20)
        until(lambda: daemon.call("GetStatus")["tally"]["unrecorded"] == 2, "two touches that are not recorded")
        self.broker.send("ON")
        self.becomes(recording="ON")
        self.pauses(daemon, 0)
        # All that a broker's client can say, but for the two words.
        for text in ("off", "OFF ", " OFF", "Off", "OFFOFF", "", "0", '"OFF"', "OFF\0", "OFF\n", "\0" * 2_000_000):
            self.broker.send(text)
        for topic in ("touchgrid/hall/recording/set/all", "touchgrid/hall", "touchgrid/lobby/recording/set"):
            self.broker.send("OFF", topic=topic)
        # It would have been obeyed within a second.
        time.sleep(2)
        self.assertEqual((daemon.call("GetStatus")["pauses"], self.state("recording")), (0, "ON"))
        self.broker.send("OFF")
        self.becomes(recording="OFF")
        # Another client ends all pauses.
        daemon.call("Resume", all=True)
        self.becomes(recording="ON")

    def test_the_guard_is_suspended_and_goes_on(self):
        daemon = self.daemon(taps())
        self.online(daemon)
        with daemon.connect() as client:
            replies = client.stream("WatchCovers")
            self.assertFalse(next(replies)["isGuardSuspended"])
            for command in ("OFF", "ON"):
                self.broker.send(command, topic="touchgrid/hall/guard/set")
                self.assertEqual(next(replies)["isGuardSuspended"], command == "OFF")
                self.becomes(guard=command, recording="ON")


class Cleaning(WithBroker):
    def listens(self, *command):
        """Starts the command for each connection, as touchgrid-clean.socket does."""
        path = f"{self.folder}/clean"
        socket = subprocess.Popen(["systemd-socket-activate", "--accept", "--inetd", f"--listen={path}", *command],
                                  stderr=subprocess.DEVNULL)
        self.addCleanup(socket.wait)
        self.addCleanup(socket.kill)
        until(lambda: os.path.exists(path), "the socket")
        os.chmod(path, 0o666)

    def test_the_button_closes_the_glass_once_in_five_minutes(self):
        lines = f"{self.folder}/lines"
        self.listens("/bin/sh", "-c", f'echo >>{lines}; echo "{{}}"')
        self.online(self.daemon(taps()))
        config = until(lambda: self.watcher.texts.get("homeassistant/button/touchgrid_hall/clean/config"), "the button")
        entity = json.loads(config)
        self.assertEqual((entity["command_topic"], entity["payload_press"]), (CLEAN, "ON"))
        self.assertNotIn("state_topic", entity)
        for text in ("OFF", "", "PRESS", "ON", "ON"):
            self.broker.send(text, topic=CLEAN)
        self.running.says("the glass was cleaned: {}")
        # The second command would have been obeyed by now.
        time.sleep(1)
        self.assertEqual(pathlib.Path(lines).read_text(), "\n")

    def test_a_glass_that_cannot_be_closed_is_told_in_the_log(self):
        # No touchscreen is here that the command could close.
        self.listens(BINARIES / "touchgrid", "clean", "--json")
        self.online(self.daemon(taps()))
        self.broker.send("ON", topic=CLEAN)
        self.running.says("the glass was not closed")

    def test_without_the_socket_there_is_no_button(self):
        self.online(self.daemon(taps()))
        self.broker.send("ON", topic=CLEAN)
        self.running.says("does not close the glass")
        self.assertEqual(self.watcher.texts["homeassistant/button/touchgrid_hall/clean/config"], "")


class KioskWithPaho2(Kiosk):
    """The same with the paho of Debian 13, wherever the tests run."""

    PAHO = ROOT / ".build/python/paho"


class Losses(WithBroker):
    def test_a_retained_command_is_none(self):
        self.broker.send("OFF", "-r")
        daemon = self.daemon(taps())
        self.online(daemon)
        # It has come with the connection, and would have been obeyed within a second.
        time.sleep(2)
        self.assertEqual((daemon.call("GetStatus")["pauses"], self.state("recording")), (0, "ON"))
        # The same command of now is obeyed, and the program is not deaf.
        self.broker.send("OFF")
        self.pauses(daemon, 1)

    def test_a_pause_outlasts_the_broker_the_daemon_and_the_program(self):
        daemon = self.daemon(taps())
        bridge = self.online(daemon)
        self.broker.send("OFF")
        self.becomes(recording="OFF")
        self.broker.stop()
        bridge.says("the connection to the broker localhost")
        self.assertEqual(daemon.call("GetStatus")["pauses"], 1)
        daemon.passes(12)
        self.broker.start()
        self.watch()
        # The broker has forgotten all, and is told all.
        self.becomes(status="online", recording="OFF", touched="ON")
        until(lambda: any(topic.startswith("homeassistant/switch/") for topic in self.watcher.texts), "entities")
        daemon.stop()
        self.becomes(status="offline")
        daemon.start(clock=self.began + 30)
        self.becomes(status="online", recording="OFF")
        self.pauses(daemon, 1)
        bridge.kill()
        self.becomes(status="offline")
        self.pauses(daemon, 0)
        bridge.start()
        self.pauses(daemon, 1)
        self.becomes(status="online", recording="OFF")
        self.broker.send("ON")
        self.pauses(daemon, 0)
        self.becomes(recording="ON")
        bridge.process.terminate()
        self.assertEqual(bridge.process.wait(PATIENCE), 0)
        self.becomes(status="offline")

    def test_what_refuses_the_kiosk_is_named(self):
        other = pathlib.Path(self.folder, "other")
        other.mkdir()
        certificates(other)
        for name, words, changes in (
                ("password", "refuses the kiosk", {"password": "wrong"}),
                ("authority", "certificate verify failed", {"ca": f"{other}/ca.pem"}),
                ("name", "certificate verify failed", {"host": "127.0.0.1"}),
                ("encryption", "broke", {"tls": False, "ca": ""}),
                ("file", "No such file", {"ca": "/nonexistent.pem"})):
            with self.subTest(name):
                self.running = self.bridge("/nonexistent/socket", self.broker.port, **changes).start()
                self.running.says(words)
                self.assertNotIn("connected to", self.running.said)
                self.assertIsNone(self.running.process.poll())
                self.running.kill()
                self.running.log.unlink()
        self.assertEqual([topic for topic in self.watcher.texts if "hall" in topic], [])

    def test_without_the_role_the_kiosk_stays_offline_and_says_why(self):
        daemon = self.daemon(taps(), CONFIGURATION.replace(GROUP, ""))
        if os.geteuid() != 0:
            self.skipTest("only root can run the program as another user than the daemon")
        self.running = self.bridge(daemon.socket, self.broker.port).start()
        self.becomes(status="offline")
        self.running.says("io.touchgrid.NotPermitted")


class Counts(WithBroker):
    def test_what_is_in_the_file_is_told(self):
        self.running = self.bridge("/nonexistent/socket", self.broker.port, screen=True)
        self.running.counts.write_text(json.dumps(dataclasses.asdict(
            counts.Counts(1, 20, "slow", True, ["a line\u202e senses nothing"], 0, "menu"))))
        self.running.start()
        self.becomes(sessions="1", touches="20", store="slow", faulty="ON", screen="menu",
                     faults='{"faults": ["a line\\u202e senses nothing"]}')
        self.assertIn('"state_topic"', self.watcher.texts["homeassistant/sensor/touchgrid_hall/screen/config"])
        # The screen near a mask stays as it was, but a touchscreen that cannot be judged is not said to be well.
        self.running.counts.write_text(json.dumps(dataclasses.asdict(counts.Counts(2, 30))))
        self.becomes(sessions="2", touches="30", store="good", faulty="None", faults='{"faults": []}', screen="menu")
        # The owner allows the screen no longer: the entity goes, and what it said.
        self.running.kill()
        self.becomes(status="offline")
        self.running = self.bridge("/nonexistent/socket", self.broker.port)
        self.running.counts.write_text(json.dumps(dataclasses.asdict(counts.Counts(3, screen="menu"))))
        self.running.start()
        self.becomes(sessions="3", screen="")
        self.assertEqual(self.watcher.texts["homeassistant/sensor/touchgrid_hall/screen/config"], "")

    def test_a_file_that_is_old_or_makes_no_sense_is_not_told(self):
        self.running = self.bridge("/nonexistent/socket", self.broker.port)
        self.running.counts.write_text("{}")
        self.running.start()
        self.running.says("is not what touchgrid-mqtt --collect writes")
        self.running.kill()
        self.running.counts.write_text(json.dumps(dataclasses.asdict(counts.Counts(4))))
        os.utime(self.running.counts, (time.time() - 700,) * 2)
        self.running.start()
        self.becomes(status="offline", recording="ON")
        self.assertIsNone(self.state("sessions"))


class HostileBroker(Case):
    """A server that answers as it wants. Nothing of it reaches the daemon, and the program goes on."""

    # A CONNACK that accepts; a SUBACK of the first subscription.
    ACCEPTED, SUBSCRIBED = bytes([0x20, 2, 0, 0]), bytes([0x90, 3, 0, 1, 1])

    def test_nonsense_ends_the_connection_and_nothing_else(self):
        topic = COMMANDS.encode()
        command = bytes([0x30, 2 + len(topic) + 3, 0, len(topic)]) + topic + b"OFF"
        begin = [self.ACCEPTED, self.SUBSCRIBED]
        cases = {
            "an early end": [], "noise": [b"\xff" * 100], "an endless length": [b"\x30\xff\xff\xff\xff\xff"],
            "a topic that is no text": [*begin, b"\x30\x05\x00\x02\xff\xfeO"],
            "a topic longer than its message": [*begin, b"\x30\x04\xff\xff\x00\x00"],
            "a refused subscription": [self.ACCEPTED, self.SUBSCRIBED[:-1] + b"\x80"],
            "a retained command": [*begin, bytes([command[0] | 1]) + command[1:]],
            "a command": [*begin, command]}
        daemon = self.daemon(Fingers("Panel 0"))
        for name, texts in cases.items():
            with self.subTest(name):
                served = self.served(daemon, texts)
                # It comes again.
                for _ in range(2):
                    self.assertTrue(served.acquire(timeout=PATIENCE), self.running.said)
                self.assertIsNone(self.running.process.poll(), self.running.said)
                self.assertNotIn("Traceback", self.running.said)
                if name == "a command":
                    until(lambda: daemon.call("GetStatus")["pauses"] == 1, lambda: self.running.said)
                # It is written down before the daemon is asked.
                self.assertEqual(pathlib.Path(self.folder, "state/paused").exists(), name == "a command")
                self.running.kill()
                self.server.stop()
                self.running.log.unlink()

    def served(self, daemon, texts):
        """Starts the program with a server that sends these texts. Returns what counts its connections."""
        served = threading.Semaphore(0)

        def answer(connection):
            connection.settimeout(0.5)
            try:
                connection.recv(65_536)
                for text in texts:
                    connection.sendall(text)
                    # The next text answers what the program sends now.
                    with contextlib.suppress(TimeoutError):
                        connection.recv(65_536)
                # If something came unread, the program would lose the last text too.
                with contextlib.suppress(TimeoutError):
                    while connection.recv(65_536):
                        pass
            finally:
                served.release()

        self.server = Server(answer)
        self.addCleanup(self.server.stop)
        self.running = self.bridge(daemon.socket, self.server.port, tls=False, ca="").start()
        return served


class Units(unittest.TestCase):
    def test_systemd_understands_every_line_and_rates_the_exposure_low(self):
        with tempfile.TemporaryDirectory(prefix="touchgrid-units-") as folder:
            names = [path.name for word in ("mqtt", "clean") for path in (ROOT / "systemd").glob(f"touchgrid-{word}*")
                     if path.suffix != ".sysusers"]
            self.assertEqual(len(names), 5)
            for name in names:
                text = (ROOT / "systemd" / name).read_text()
                text = re.sub("(?m)^ExecStart=/usr/bin/[a-z-]+", "ExecStart=/usr/bin/true", text)
                pathlib.Path(folder, name).write_text(text)
            pathlib.Path(folder, "touchgrid-clean@1.service").symlink_to("touchgrid-clean@.service")
            instances = [name.replace("@.", "@1.") for name in names]
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", *instances], capture_output=True, text=True,
                                  cwd=folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for name, most in (("touchgrid-mqtt", 2.0), ("touchgrid-mqtt-counts", 1.0), ("touchgrid-clean@1", 5.0)):
                said = run("systemd-analyze", "security", "--offline=true", f"{folder}/{name}.service")
                self.assertLessEqual(float(re.search(r"level for .*: ([\d.]+)", said)[1]), most, said)


if __name__ == "__main__":
    unittest.main()
