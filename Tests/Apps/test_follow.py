"""touchgrid-follow and a real Chromium. Each touch is counted on the page that was shown, masked
pages leave no data, and each program may stop and start again."""

import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import unittest.mock

from browser import Chromium, free_port
from follower import RULES, Follower, shop
from run_cases import Pulse
from support import BINARIES, PATIENCE, ROOT, Daemon, until
from tap import Tap
from taps import Changes, TouchDowns, counted_screens, taps

EXTENSION = ROOT / "extension"
# How long after Chromium has reported a change a touch may still count on the previous page, in
# microseconds.
WINDOW = 100_000


def messages(pages):
    """Encodes pages as browsers write them to native messaging hosts."""
    texts = [json.dumps(page).encode() for page in pages]
    return b"".join(struct.pack("=I", len(text)) + text for text in texts)


class Following(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="touchgrid-follow.")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = free_port()
        self.pulse = Pulse()
        self.addCleanup(self.pulse.close)

    def daemon(self, seconds=None):
        """Returns a daemon that plays a finger that taps for `seconds`, or without `seconds` the
        recording of a person."""
        recording = None
        if seconds:
            recording = self.folder + "/taps.evemu"
            with open(recording, "w") as file:
                file.write(taps(seconds))
        daemon = Daemon(recording)
        self.addCleanup(daemon.close)
        return daemon

    def watch(self, daemon):
        touch_downs = TouchDowns(daemon.socket)
        self.addCleanup(touch_downs.close)
        return touch_downs

    def follower(self, socket, rules=RULES, source=None):
        source = source or f'kind = "devtools"\nport = {self.port}'
        follower = Follower(self.folder, socket, f"[[source]]\n{source}\n{rules}")
        self.addCleanup(follower.close)
        return follower

    def processor(self, follower):
        """Returns the processor time that the follower has used, in milliseconds."""
        tasks = pathlib.Path(f"/proc/{follower.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6

    def host(self, daemon, rules=RULES, browser="chromium"):
        """Returns the manifest, by name, of a program that follows the browser for this daemon."""
        config, program = self.folder + "/host.toml", self.folder + "/host"
        with open(config, "w") as file:
            file.write(rules)
        with open(program, "w") as file:
            file.write(f'#!/bin/sh\nexec "{BINARIES}/touchgrid-follow" --native-messaging --config "{config}" '
                       f'--socket "{daemon.socket}" "$@" 2>>"{self.folder}/host.log"\n')
        os.chmod(program, 0o755)
        manifest = json.loads((EXTENSION / f"{browser}-host.json").read_text())
        return {manifest["name"]: {**manifest, "path": program}}

    def browser(self, *arguments, hosts=None):
        chromium = Chromium(f"--remote-debugging-port={self.port}", *arguments, hosts=hosts)
        self.addCleanup(chromium.close)
        return chromium

    def judge(self, way, changes, touch_downs, screens, masked=()):
        right, near, wrong = changes.judge(touch_downs, screens, WINDOW, masked)
        print(f"{way}: {right} touches on their page, {near} on the one before within {WINDOW // 1000} ms, "
              f"{len(wrong)} wrong", flush=True)
        # If the machine did not run the follower in time, the result is void.
        self.pulse.check([at for _, at, *_ in wrong], 2 * WINDOW)
        self.assertEqual(wrong, [])
        self.assertLess(near, right / 2)
        return right


class Pages(Following):
    CHANGES, PAUSE = int(os.environ.get("TOUCHGRID_CHANGES", "200")), 0.15
    # The maximum processor time per change, in ms. Debug builds are much slower.
    MOST_MS = 5 if BINARIES.name != "debug" else 50

    def test_devtools_and_the_extension_count_each_touch_on_the_page_shown(self):
        daemons = [self.daemon(self.CHANGES * self.PAUSE + 40) for _ in range(2)]
        follower = self.follower(daemons[0].socket)
        with shop() as address:
            chromium = self.browser(f"--load-extension={EXTENSION}", hosts=self.host(daemons[1]))
            chromium.open(address + "/")
            for daemon in daemons:
                daemon.start()
            follower.start()
            watches = [self.watch(daemon) for daemon in daemons]
            for daemon in daemons:
                daemon.shows("home")
            before = self.processor(follower)
            changes = self.change(chromium, address)
            spent = self.processor(follower) - before
        print(f"touchgrid-follow: {spent / self.CHANGES:.1f} ms of a processor for each change", flush=True)
        self.assertLess(spent / self.CHANGES, self.MOST_MS)
        for way, daemon, touch_downs in zip(("DevTools", "extension"), daemons, watches):
            daemon.stop()
            screens = counted_screens(BINARIES / "touchgrid", daemon.store)
            self.assertGreater(self.judge(way, changes, touch_downs.seen, screens), 5 * self.CHANGES)

    def change(self, chromium, address):
        """Goes from page to page: every eighth time by loading the page, otherwise by a
        script."""
        chromium.hear_of_pages()
        changes = Changes()
        changes.make("home")
        for number in range(self.CHANGES):
            time.sleep(self.PAUSE)
            if number % 8 == 7:
                screen, path = "catalogue", "/catalogue?token=secret"
                action = lambda: chromium.open(address + path)
            else:
                screen = f"app/{('first', 'second', 'third')[number % 3]}" + ("", "/more")[number % 2]
                path, verb = f"/{screen}#top", "pushState"
                if number % 8 == 3:
                    screen, path, verb = "product", f"/product/{number}?ref=a", "replaceState"
                action = lambda: chromium.run(f"history.{verb}({{}}, '', '{path}'); 1")
            changes.make(screen, lambda: chromium.goes(path, action))
        time.sleep(0.3)
        return changes

    def test_no_touch_of_a_masked_page_is_kept_even_if_its_name_comes_late(self):
        for delay in (0, 0.12):
            with self.subTest(delay=delay):
                self.masked(delay)

    def masked(self, delay):
        daemon = self.daemon(70)
        tap = Tap(daemon.folder + "/tap", daemon.socket, delay)
        self.addCleanup(tap.close)
        follower = self.follower(daemon.folder + "/tap")
        with shop() as address:
            chromium = self.browser()
            chromium.open(address + "/")
            daemon.start()
            follower.start()
            touch_downs = self.watch(daemon)
            daemon.shows("home")
            time.sleep(0.5)
            chromium.hear_of_pages()
            changes = Changes()
            changes.make("home")
            for _ in range(6):
                for screen, path in (("checkout/pay", "pay"), ("catalogue", "catalogue")):
                    time.sleep(0.4)
                    changes.make(screen, lambda: chromium.goes(
                        "/" + path, lambda: chromium.run(f"history.pushState({{}}, '', '/{path}'); 1")))
            time.sleep(0.8)
        daemon.stop()
        chromium.close()
        screens = counted_screens(BINARIES / "touchgrid", daemon.store)
        self.assertNotIn("checkout/pay", screens.values())
        taps = touch_downs.all(max(touch_downs.seen))
        self.judge(f"masked, {delay} s late", changes, taps, screens, masked=["checkout/pay"])
        (begun, counted, masked), = daemon.rows("SELECT begun, counted, masked FROM session")
        self.assertEqual(begun, counted + masked)
        self.assertGreater(masked, 60)


class Ends(Following):
    def test_the_daemon_the_browser_and_the_follower_may_each_restart(self):
        daemon = self.daemon()
        follower = self.follower(daemon.socket).start()
        follower.says("no daemon at")
        with shop() as address:
            daemon.start()
            self.assertEqual(daemon.ask("GetScreen")["screen"], "default")
            chromium = self.browser()
            chromium.open(address + "/product/4")
            daemon.shows("product")
            self.assertEqual(daemon.ask("GetStatus")["followers"], 1)
            self.assertEqual([mask["screen"] for mask in daemon.ask("GetMasks")["added"]], ["checkout/pay"])

            daemon.stop()
            follower.says("lost the connection to the daemon at ")
            daemon.start()
            daemon.shows("product")

            daemon.process.send_signal(signal.SIGKILL)
            daemon.process.wait()
            daemon.start()
            daemon.shows("product")

            chromium.process.kill()
            daemon.shows("default")
            chromium.close()
            chromium = self.browser()
            chromium.open(address + "/catalogue")
            daemon.shows("catalogue")

            follower.stop(signal.SIGKILL)
            daemon.shows("default")
            self.assertEqual(daemon.ask("GetStatus")["followers"], 0)
            follower.start()
            daemon.shows("catalogue")

            # The killed browser may still show the masked page, so the screen must stay.
            chromium.open(address + "/pay")
            daemon.shows("checkout/pay")
            chromium.process.kill()
            follower.says("the browser at port")
            time.sleep(3)
            self.assertEqual(daemon.ask("GetScreen")["screen"], "checkout/pay")
        self.assertEqual(follower.stop(), 0)

    def test_a_program_that_ends_is_started_again(self):
        daemon = self.daemon()
        program = self.folder + "/program"
        with open(program, "w") as file:
            file.write(f'#!/bin/sh\necho run >> "{self.folder}/runs"\necho menu\necho product\nexec sleep 0.3\n')
        os.chmod(program, 0o755)
        daemon.start()
        follower = self.follower(daemon.socket, source=f'kind = "command"\ncommand = ["{program}"]').start()
        daemon.shows("product")
        until(lambda: pathlib.Path(self.folder + "/runs").read_text().count("run") >= 2, "it runs again")
        follower.says("has ended (status 0): starting it again")
        daemon.shows("product")
        self.assertEqual(follower.stop(), 0)


class HandedOn(Following):
    """The programs that browsers start forward the extension's messages to a running follower."""

    def setUp(self):
        super().setUp()
        self.runtime = self.folder + "/runtime"
        os.mkdir(self.runtime, 0o700)
        place = unittest.mock.patch.dict(os.environ, XDG_RUNTIME_DIR=self.runtime)
        place.start()
        self.addCleanup(place.stop)

    def browser_program(self, follower):
        """Starts the follower as a browser does. Returns its process, and a function that reports
        the address of a page to it."""
        program = subprocess.Popen([*follower.command, "--native-messaging"], stdin=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(program.wait, PATIENCE)
        self.addCleanup(program.stdin.close)
        return program, lambda address: (program.stdin.write(messages([{"url": address}])), program.stdin.flush())

    def refused(self, follower, *mode):
        """Returns the error output of a follower that must refuse to start."""
        run = subprocess.run([*follower.command, *mode], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=PATIENCE)
        self.assertEqual(run.returncode, 69)
        return run.stderr

    def test_pages_reach_the_follower_in_any_order_of_starts_and_ends(self):
        daemon = self.daemon()
        daemon.start()
        follower = self.follower(daemon.socket, source='kind = "extension"')
        first, tell = self.browser_program(follower)
        tell("http://127.0.0.1/product/4")
        follower.start()
        daemon.shows("product")
        follower.stop(signal.SIGKILL)
        daemon.shows("default")
        follower.start()
        daemon.shows("product")

        tell("http://127.0.0.1/pay")
        daemon.shows("checkout/pay")
        second, tell_second = self.browser_program(follower)
        tell_second("http://127.0.0.1/catalogue")
        time.sleep(1)
        self.assertEqual(daemon.ask("GetScreen")["screen"], "checkout/pay")
        tell("http://127.0.0.1/news")
        daemon.shows("news")
        first.stdin.close()
        self.assertEqual(first.wait(PATIENCE), 0)
        daemon.shows("catalogue")

        tell_second("http://127.0.0.1/pay")
        daemon.shows("checkout/pay")
        second.kill()
        time.sleep(1)
        self.assertEqual(daemon.ask("GetScreen")["screen"], "checkout/pay")
        _, tell = self.browser_program(follower)
        tell("http://127.0.0.1/news")
        daemon.shows("news")
        self.assertEqual(follower.stop(), 0)

    def test_a_second_follower_and_an_unsafe_runtime_folder_are_refused(self):
        follower = self.follower("/nonexistent", source='kind = "extension"').start()
        follower.says("no daemon at")
        other = self.refused(follower, "--dry-run")
        self.assertIn("another touchgrid-follow already receives the extension's messages", other)
        self.assertEqual(follower.stop(), 0)
        os.chmod(self.runtime, 0o777)
        # Root is refused earlier, with the message of `RuntimeFolder`.
        self.assertRegex(
            self.refused(follower, "--dry-run"),
            "must be a folder that only this user can write to|which root does not use: other users can write")

    def test_one_follower_follows_a_browser_and_a_program_together(self):
        daemon = self.daemon()
        daemon.start()
        pipe = f'{self.folder}/pipe'
        follower = self.follower(
            daemon.socket, source=f'kind = "pipe"\npath = "{pipe}"\n[[source]]\nkind = "extension"').start()
        with shop() as address:
            hosts = self.host(daemon, '[[source]]\nkind = "extension"')
            self.browser(f"--load-extension={EXTENSION}", hosts=hosts).open(address + "/product/4")
            daemon.shows("product")
            with open(pipe, "w") as program:
                print("game", file=program, flush=True)
                daemon.shows("game")
                print("", file=program, flush=True)
                daemon.shows("product")
        self.assertEqual(follower.stop(), 0)

    def test_the_extension_source_needs_a_runtime_folder(self):
        follower = self.follower("/nonexistent", source='kind = "extension"')
        del os.environ["XDG_RUNTIME_DIR"]
        for mode in ([], ["--native-messaging"]):
            self.assertIn("XDG_RUNTIME_DIR", self.refused(follower, *mode))


class Floods(Following):
    def followed(self, daemon, rules=""):
        """Starts the daemon, and the follower as a browser does."""
        follower = self.follower(daemon.socket, rules)
        follower.start("--native-messaging", stdin=subprocess.PIPE)
        daemon.start()
        follower.says("connected to the daemon")
        return follower

    def names(self, daemon):
        return {screen for screen, in daemon.rows("SELECT DISTINCT screen FROM screen_view")}

    def test_ten_thousand_addresses_give_bounded_names_and_one_warning(self):
        daemon = self.daemon(70)
        follower = self.followed(daemon)
        for start in range(0, 10_000, 500):
            follower.process.stdin.write(messages(
                {"url": f"http://127.0.0.1/{''.join(chr(97 + int(digit)) for digit in str(number))}x/{number}"}
                for number in range(start, start + 500)))
            follower.process.stdin.flush()
            time.sleep(0.05)
        follower.process.stdin.write(messages([{"url": "http://127.0.0.1/last"}]))
        follower.process.stdin.flush()
        daemon.shows("other")
        follower.process.stdin.close()
        self.assertEqual(follower.process.wait(PATIENCE), 0)
        daemon.stop()
        self.assertLessEqual(len(self.names(daemon)), 256)
        self.assertEqual(follower.said.count("more than 200 screen names"), 1)

    def test_overlong_and_malformed_messages_give_safe_names(self):
        daemon = self.daemon()
        rules = '[[rule]]\ntitle = "*secret*"\nscreen = "found"\n'
        follower = self.followed(daemon, rules)
        send = lambda *pages: (follower.process.stdin.write(messages(pages)), follower.process.stdin.flush())
        send({"url": "http://127.0.0.1/a", "title": "x" * 1_000_000 + "secret"})
        daemon.shows("found")
        send({"url": "http://127.0.0.1/%00%1b[31m%0aREADY%e2%80%ae", "title": ""})
        daemon.shows("\ufffd\ufffd[31m\ufffdREADY\ufffd")
        send({"url": "http://127.0.0.1/" + "y" * 2_000_000, "title": ""})
        daemon.shows(":id")
        send({"url": 7}, ["no"], {"url": "http://127.0.0.1/b"})
        daemon.shows("b")
        # These bytes announce a message that is longer than any that browsers send.
        follower.process.stdin.write(b"\xff\xff\xff\xff")
        follower.process.stdin.flush()
        self.assertEqual(follower.process.wait(PATIENCE), 0)
        daemon.shows("default")

    def test_the_follower_sleeps_while_nothing_changes(self):
        daemon = self.daemon()
        daemon.start()
        follower = self.follower(daemon.socket).start()
        with shop() as address:
            self.browser().open(address + "/product/4")
            daemon.shows("product")
            # A timer that is left from connecting to the browser fires once. Wait until it has.
            time.sleep(7)
            before = self.wakeups(follower.process.pid)
            time.sleep(5)
            after = self.wakeups(follower.process.pid)
        status = pathlib.Path(f"/proc/{follower.process.pid}/status").read_text()
        resident = int(status.split("VmRSS:")[1].split()[0])
        print(f"touchgrid-follow: {resident / 1024:.1f} MiB resident", flush=True)
        self.assertEqual(before, after)

    def wakeups(self, pid):
        return {task.name: [line for line in (task / "status").read_text().splitlines() if "ctxt_switches" in line]
                for task in pathlib.Path(f"/proc/{pid}/task").iterdir()}


class Shown(Following):
    def test_a_dry_run_prints_names_and_needs_no_daemon(self):
        lines = "menu\n\nproduct\x1b[31m\n"
        follower = self.follower("/nonexistent", "", 'kind = "pipe"\npath = "-"')
        run = lambda *arguments: subprocess.run([*follower.command, "--dry-run", *arguments], input=lines,
                                                check=True, capture_output=True, text=True)
        plain = run()
        self.assertEqual([line.split("Z  ")[1] for line in plain.stdout.splitlines()],
                         ["menu", "default", "product\ufffd[31m"])
        self.assertEqual(plain.stderr, "")
        self.assertEqual([json.loads(line)["screen"] for line in run("--json").stdout.splitlines()],
                         ["menu", "default", "product\ufffd[31m"])

    def test_suggested_rules_name_the_pages_seen(self):
        follower = self.follower("/nonexistent", "").start("--suggest", stdout=subprocess.PIPE, text=True)
        with shop() as address:
            chromium = self.browser()
            for path in ("/", "/product/1", "/product/2?x=1", "/checkout/payment"):
                chromium.open(address + path)
                until(lambda: chromium.run("location.pathname + location.search") == path, path)
                time.sleep(0.3)
        follower.process.send_signal(signal.SIGINT)
        said = follower.process.stdout.read()
        self.assertEqual(follower.process.wait(PATIENCE), 0)
        self.assertIn('url = "/product/:id"\nscreen = "product"\n', said)
        self.assertIn('url = "/checkout/payment"\nscreen = "checkout/payment"\nmask = true', said)
        config = self.folder + "/suggested.toml"
        with open(config, "w") as file:
            file.write(said)
        subprocess.run([BINARIES / "touchgrid-follow", "--check", "--config", config], check=True,
                       stdout=subprocess.DEVNULL)

    def test_a_wrong_configuration_is_refused_with_its_line(self):
        follower = self.follower("/nonexistent", '[[rule]]\nurl = "pay"\n')
        run = subprocess.run(follower.command, capture_output=True, text=True)
        self.assertEqual(run.returncode, 78)
        self.assertIn("follow.toml:5: url must have a path", run.stderr)


if __name__ == "__main__":
    unittest.main()
