"""touchgrid-follow and a real Chromium. Each touch is counted on the page that was shown, masked
pages leave no data, and each program may stop and start again."""

import json
import os
import pathlib
import signal
import subprocess
import time

from proxy import Tap
from support import EXTENSION, Following, send
from touchgrid_test.follower import RULES, native_host, shop
from touchgrid_test.taps import Changes, counted_screens, taps, touch_downs, with_masked
from touchgrid_test.waiting import BINARIES, PATIENCE, memory, processor_seconds, sleeps, until

class Pages(Following):
    CHANGES = int(os.environ.get("TOUCHGRID_CHANGES", "200"))
    # The maximum processor time per change, in ms. Debug builds are much slower.
    MOST_MS = 5 if BINARIES.name != "debug" else 50

    def test_devtools_and_the_extension_count_each_touch_on_the_page_shown(self):
        daemons = [self.tapped() for _ in range(2)]
        follower = self.follower(daemons[0].socket)
        with shop() as address:
            chromium = self.browser(f"--load-extension={EXTENSION}", hosts=native_host(self.folder, RULES, socket=daemons[1].socket))
            chromium.open(address + "/")
            for daemon in daemons:
                daemon.play(taps())
            follower.start()
            for daemon in daemons:
                daemon.shows("home")
            before = processor_seconds(follower.process.pid)
            chromium.hear_of_pages()
            changes = self.change(chromium, address, daemons)
            spent = 1000 * (processor_seconds(follower.process.pid) - before)
        print(f"touchgrid-follow: {spent / self.CHANGES:.1f} ms of a processor for each change", flush=True)
        self.assertLess(spent / self.CHANGES, self.MOST_MS)
        for way, daemon in zip(("DevTools", "extension"), daemons):
            seen = touch_downs(daemon.touches)
            daemon.stop()
            self.assertGreater(changes.judge(way, seen, counted_screens(daemon.store)), 5 * self.CHANGES)

    def test_no_touch_of_a_masked_page_is_kept_even_if_its_name_comes_late(self):
        for delay in (0, 0.12):
            with self.subTest(delay=delay):
                self.masked(delay)

    def masked(self, delay):
        daemon = self.tapped()
        tap = Tap(daemon.folder + "/tap", daemon.socket, delay)
        self.addCleanup(tap.stop)
        follower = self.follower(daemon.folder + "/tap")
        with shop() as address:
            chromium = self.browser()
            chromium.open(address + "/")
            daemon.play(taps())
            follower.start()
            daemon.shows("home")
            chromium.hear_of_pages()
            changes = Changes()
            changes.make("home")
            for _ in range(4):
                for screen, path in (("checkout/pay", "pay"), ("catalogue", "catalogue")):
                    time.sleep(0.4)
                    changes.make(
                        screen, lambda: chromium.goes(
                            "/" + path, lambda: chromium.run(f"history.pushState({{}}, '', '/{path}'); 1")),
                        lambda: daemon.shows(screen))
            # Because of the mask, touches are shown only when no late name can concern them.
            end = changes.made[-1][2]
            until(lambda: daemon.touches.began and daemon.touches.began[-1][0] > end, "the touches until the last change")
        seen = with_masked(touch_downs(daemon.touches))
        daemon.stop()
        chromium.close()
        screens = counted_screens(daemon.store)
        self.assertNotIn("checkout/pay", screens.values())
        changes.judge(f"masked, {delay} s late", seen, screens, masked=["checkout/pay"])
        (begun, counted, masked), = daemon.rows("SELECT begun, counted, masked FROM session")
        self.assertEqual(begun, counted + masked)
        # The four times of 0.4 s on the masked page are those of some 60 touches, or of fewer if the machine is busy.
        self.assertGreater(masked, 20)


class Ends(Following):
    def test_the_daemon_the_browser_and_the_follower_may_each_restart(self):
        daemon = self.daemon()
        follower = self.follower(daemon.socket).start()
        follower.says("no daemon at")
        with shop() as address:
            daemon.start()
            self.assertEqual(daemon.call("GetScreen")["screen"], "default")
            chromium = self.browser()
            chromium.open(address + "/product/4")
            daemon.shows("product")
            self.assertEqual(daemon.call("GetStatus")["followers"], 1)
            self.assertEqual([mask["screen"] for mask in daemon.call("GetMasks")["added"]], ["checkout/pay"])

            daemon.stop()
            follower.says("lost the connection to the daemon at ")
            daemon.start()
            daemon.shows("product")

            daemon.kill()
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
            self.assertEqual(daemon.call("GetStatus")["followers"], 0)
            follower.start()
            daemon.shows("catalogue")
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

    def told(self, follower):
        """Starts the follower as a browser does. Returns its process, and a function that reports the address of a
        page to it."""
        program = self.browser_program(follower)
        return program, lambda address: send(program, {"url": address})

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
        first, tell = self.told(follower)
        tell("http://127.0.0.1/product/4")
        follower.start()
        daemon.shows("product")
        follower.stop(signal.SIGKILL)
        daemon.shows("default")
        follower.start()
        daemon.shows("product")

        tell("http://127.0.0.1/pay")
        daemon.shows("checkout/pay")
        second, tell_second = self.told(follower)
        tell_second("http://127.0.0.1/catalogue")
        time.sleep(1)
        self.assertEqual(daemon.call("GetScreen")["screen"], "checkout/pay")
        tell("http://127.0.0.1/news")
        daemon.shows("news")
        first.stdin.close()
        self.assertEqual(first.wait(PATIENCE), 0)
        daemon.shows("catalogue")

        tell_second("http://127.0.0.1/pay")
        daemon.shows("checkout/pay")
        second.kill()
        time.sleep(1)
        self.assertEqual(daemon.call("GetScreen")["screen"], "checkout/pay")
        _, tell = self.told(follower)
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
            hosts = native_host(self.folder, '[[source]]\nkind = "extension"', socket=daemon.socket)
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

    def test_many_addresses_give_bounded_names_and_one_warning(self):
        daemon = self.daemon()
        follower = self.followed(daemon)
        send(follower.process, *(
            {"url": f"http://127.0.0.1/{''.join(chr(97 + int(digit)) for digit in str(number))}x/{number}"}
            for number in range(1000)), {"url": "http://127.0.0.1/last"})
        daemon.shows("other")
        follower.process.stdin.close()
        self.assertEqual(follower.process.wait(PATIENCE), 0)
        daemon.stop()
        self.assertLessEqual(len(daemon.rows("SELECT DISTINCT screen FROM screen_view")), 256)
        self.assertEqual(follower.said.count("more than 200 screen names"), 1)

    def test_overlong_and_malformed_messages_give_safe_names(self):
        daemon = self.daemon()
        rules = '[[rule]]\ntitle = "*secret*"\nscreen = "found"\n'
        follower = self.followed(daemon, rules)
        tell = lambda *pages: send(follower.process, *pages)
        tell({"url": "http://127.0.0.1/a", "title": "x" * 1_000_000 + "secret"})
        daemon.shows("found")
        tell({"url": "http://127.0.0.1/%00%1b[31m%0aREADY%e2%80%ae", "title": ""})
        daemon.shows("\ufffd\ufffd[31m\ufffdREADY\ufffd")
        tell({"url": "http://127.0.0.1/" + "y" * 2_000_000, "title": ""})
        daemon.shows(":id")
        tell({"url": 7}, ["no"], {"url": "http://127.0.0.1/b"})
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
            # A timer that is left from connecting to the browser fires once.
            sleeps(follower.process.pid)
        print(f"touchgrid-follow: {memory(follower.process.pid, 'VmRSS') / 1024:.1f} MiB resident", flush=True)


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
            # A page that is shown for a moment only may be missed, if the machine is busy.
            for path in ("/", "/product/1", "/product/2?x=1", "/checkout/payment") * 3:
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
