"""The health view: what the doctor finds, devices and displays, the service and its log, and pauses."""

import json
import os
import pathlib
import subprocess

from case import DISPLAY, GROUPS, PANEL, CockpitCase, fingers
from pages import ChromiumPage, FirefoxPage
from touchgrid_test.axe import violations
from touchgrid import CallError
from touchgrid_test.waiting import until

MASK = f'[[mask]]\nscreen = "pin"\ndisplay = "{DISPLAY}"\nx = 0\ny = 0\nwidth = 200\nheight = 100\n'
CHECKS = ".health [data-check]"


def findings(console, **rights):
    """Returns what `touchgrid doctor` finds, as texts: level, finding and remedy."""
    made = subprocess.run(
        [console.folder + "/bin/touchgrid", "doctor", "--json"], capture_output=True, text=True, cwd="/",
        env={"PATH": f"{console.folder}/bin:{os.environ['PATH']}", "LANG": "C.UTF-8",
             "TOUCHGRID_SOCKET": console.socket}, **rights)
    found = [[each["level"], each["text"], each.get("hint") or ""] for each in json.loads(made.stdout)["checks"]]
    # What is wrong comes first.
    return sorted(found, key=lambda each: each[0] == "ok")


class Health(CockpitCase):
    def shown(self, kiosk, groups=None):
        page = self.opened(kiosk, "/health", groups)
        page.waits(CHECKS)
        return page

    def console(self, kiosk, groups=None):
        self.session = super().console(kiosk, groups)
        self.session.socket = kiosk.socket
        return self.session

    def checks(self, page):
        return page.run(f"[...document.querySelectorAll('{CHECKS}')].map((each) => [each.dataset.check,"
                        "...['.check-text', '.check-remedy'].map((part) => each.querySelector(part)?.textContent ?? '')])")

    def rotation(self, kiosk):
        return kiosk.call("GetDisplays")["displays"][0]["geometry"]["rotation"]

    def pauses(self, kiosk, count):
        until(lambda: kiosk.call("GetStatus")["pauses"] == count, f"{count} pauses")

    def test_a_pause_lasts_until_the_page_is_left(self):
        kiosk = self.kiosk()
        page = self.shown(kiosk)
        page.click("[data-action=pause]")
        self.pauses(kiosk, 1)
        page.waits("[data-action=resume]")
        page.click("#touchgrid a[href='#/live']")
        page.waits("#touchgrid .state", "paused")
        self.pauses(kiosk, 1)
        page.open("about:blank")
        self.pauses(kiosk, 0)


class HealthInFirefox(Health):
    browser = FirefoxPage


class HealthInChromium(Health):
    browser = ChromiumPage

    def test_it_shows_what_the_doctor_finds(self):
        page = self.shown(self.kiosk())
        until(lambda: self.checks(page) == findings(self.session),
              lambda: f"{findings(self.session)}, not {self.checks(page)}")
        levels = [level for level, *_ in findings(self.session)]
        verdict = page.run("document.querySelector('.health .notices h2, .health .pf-c-alert h2').textContent")
        for level, word in (("problem", "found"), ("warning", "need"), ("ok", "All is well")):
            if level in levels:
                self.assertIn(word, verdict)
                break
        self.assertFalse(page.run("document.querySelector('.health details').open"))
        self.assertEqual(page.complaints(), [])

    def test_a_display_is_turned_and_turned_back(self):
        kiosk = self.kiosk()
        page = self.shown(kiosk)
        page.waits(".health .display", "1280 × 800 points")
        page.select(".health .turn", "90")
        page.waits(".health .display", "800 × 1280 points")
        self.assertEqual(self.rotation(kiosk), 90)
        _, _, width, height = page.box(".health .display .shape")
        self.assertAlmostEqual(width / height, 800 / 1280, places=1)
        page.click("[data-action=undo-turn]")
        page.waits(".health .display", "1280 × 800 points")
        self.assertEqual(self.rotation(kiosk), 0)

    def test_it_has_no_barrier(self):
        page = self.shown(self.kiosk(fingers().tap(PANEL, (0.5, 0.5)), MASK))
        page.waits(".health .display")
        page.select(".health .turn", "90")
        page.waits(".health .notices [class*=alert]")
        page.click("[data-action=pause]")
        page.waits("[data-action=resume]")
        for style in ("light", "dark"):
            page.style(style)
            page.save(f"health-all-{style}")
            self.assertEqual(violations(page), [], style)

    def tool(self, name, script):
        """Puts a program of the machine's name in the place of it, as there is no systemd where the tests run."""
        path = pathlib.Path(self.session.folder, "bin", name)
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)

    def test_a_user_who_is_no_administrator_sees_what_the_doctor_finds_for_them(self):
        page = self.shown(self.kiosk(), groups=[])
        page.state("denied")
        rights = {"user": "nobody", "group": "nogroup", "extra_groups": []}
        until(lambda: self.checks(page) == findings(self.session, **rights),
              lambda: f"{findings(self.session, **rights)}, not {self.checks(page)}")
        page.waits(".health", "An administrator may see more.")
        self.assertFalse(page.has(".health .display"))
        page.click("[data-action=pause]")
        page.waits(".health [class*=alert]", f"group {GROUPS['app']}")
        self.assertEqual(page.complaints(), [])

    def test_a_display_with_a_mask_is_not_turned_for_the_reason_that_the_daemon_gives(self):
        kiosk = self.kiosk(tables=MASK)
        page = self.shown(kiosk)
        page.waits(".health .display")
        with self.assertRaises(CallError) as refused:
            kiosk.call("SetDisplay", name=DISPLAY, rotation=90)
        page.select(".health .turn", "90")
        page.waits(".health [class*=alert]", refused.exception.parameters["message"])
        until(lambda: page.run("document.querySelector('.health .turn').value") == "0", "the angle as it is")
        self.assertEqual(self.rotation(kiosk), 0)

    def test_what_the_daemon_told_vanishes_while_it_is_stopped(self):
        kiosk = self.kiosk()
        page = self.shown(kiosk)
        page.waits(".health .device", PANEL)
        kiosk.kill()
        page.state("stopped", "missing")
        page.gone(".health .device")
        page.waits(f"{CHECKS}[data-check=problem]", "no daemon answers")
        kiosk.start()
        page.waits(".health .device", PANEL)
        page.gone(f"{CHECKS}[data-check=problem]", "no daemon answers")

    def test_a_pause_that_the_daemon_ended_is_reported(self):
        kiosk = self.kiosk()
        page = self.shown(kiosk)
        page.click("[data-action=pause]")
        page.waits("#touchgrid .state", "You have paused recording.")
        kiosk.call("Resume", all=True)
        page.waits("#touchgrid .state", "Your pause has ended.")
        page.gone("#touchgrid .state", "You have paused recording.")
        page.click("#touchgrid .state button")
        page.gone("#touchgrid .state", "Your pause has ended.")
        self.assertEqual(page.run("document.activeElement.id"), "touchgrid")

    def test_pauses_of_others_are_shown_and_ended(self):
        kiosk = self.kiosk()
        with kiosk.connect() as other:
            other.call("Pause")
            self.pauses(kiosk, 1)
            page = self.shown(kiosk)
            page.waits(".health", "1 pause of another program holds.")
            page.click("[data-action=pause]")
            self.pauses(kiosk, 2)
            page.click("[data-action=resume]")
            self.pauses(kiosk, 1)
            page.waits("[data-action=pause]")
            page.click("[data-action=resume-all]")
            page.click("dialog [data-action=confirm]", "Resume all")
            self.pauses(kiosk, 0)
            page.waits(".health", "Touches are recorded.")

    def test_a_hostile_log_is_shown_as_text(self):
        page = self.opened(self.kiosk())
        line = {"__REALTIME_TIMESTAMP": "1700000000000000", "PRIORITY": "3"}
        lines = [{**line, "MESSAGE": "<img src=x onerror=alert(1)>"}, {**line, "MESSAGE": "\x1b[31mred \u202e"},
                 {**line, "MESSAGE": list(b"\xff bytes")}, {**line, "MESSAGE": None}, "no object", {"MESSAGE": "timeless"}]
        journal = pathlib.Path(self.session.folder, "journal")
        journal.write_text("not JSON\n" + "".join(json.dumps(each) + "\n" for each in lines))
        process = pathlib.Path(self.session.folder, "process")
        self.tool("journalctl", f"cat {journal}\necho $$ >{process}\nexec sleep 1000\n")
        self.tool("systemctl", "printf '%s\\n' LoadState=loaded ActiveState=failed SubState=failed UnitFileState=enabled\n")
        page.click("#touchgrid a[href='#/health']")
        page.waits(".health [data-service-state=failed]", "failed")
        page.waits(".health [data-action=start]")
        until(lambda: len(page.texts(".health .log li")) == 5, lambda: str(page.texts(".health .log li")))
        texts = [text.split(" ", 2)[-1] for text in page.texts(".health .log li")]
        for expected in ("<img src=x onerror=alert(1)>", "\\u{1b}[31mred \\u{202e}", "\ufffd bytes", "timeless"):
            self.assertTrue(any(expected in text for text in texts), f"{expected} in {texts}")
        # Cockpit itself complains that there is no D-Bus.
        self.assertEqual([each for each in page.complaints() if "/touchgrid/" in each], [])
        # Nothing runs while the view is hidden.
        running = pathlib.Path("/proc", process.read_text().strip())
        self.assertTrue(running.exists())
        page.click("#touchgrid a[href='#/live']")
        until(lambda: not running.exists(), "journalctl has ended")

    def test_the_screen_is_closed_for_cleaning(self):
        page = self.shown(self.kiosk())
        page.click("[data-action=clean]")
        page.click("dialog [data-action=cancel]")
        page.gone("dialog")
        self.assertFalse(page.has(".health [data-action=end-cleaning]"))
        # No touchscreen is here that the command could close.
        command = [self.session.folder + "/bin/touchgrid", "clean", "1m"]
        failed = subprocess.run(command, capture_output=True, text=True, check=False,
                                env={"TOUCHGRID_SOCKET": self.session.socket})
        page.click("[data-action=clean]")
        page.click("dialog [data-action=confirm]", "Clean the screen")
        page.waits(".health [class*=alert]", failed.stderr.strip().split(": ", 1)[1])
        words = pathlib.Path(self.session.folder, "words")
        self.tool("touchgrid", f"""echo "$@" >{words}; read line
echo '{{"isComplete":true,"deadLines":[{{"first":3,"last":4}}]}}'
""")
        page.select(".cleaning-time", "5")
        page.click("[data-action=clean]")
        page.click("dialog [data-action=confirm]")
        page.click(".health [data-action=end-cleaning]")
        page.waits(".health [class*=alert]", "2 lines of the panel sensed nothing of the wipe.")
        self.assertEqual(words.read_text(), "clean 5m --json\n")

    def test_every_control_is_reached_and_used_with_the_keyboard(self):
        kiosk = self.kiosk()
        page = self.shown(kiosk)
        page.waits(".health .display")
        focus = "document.activeElement.dataset.action ?? document.activeElement.className"
        page.run("document.querySelector('#touchgrid a[href=\"#/health\"]').focus()")
        wanted, found = {"refresh", "check", "pause", "turn", "undo-turn"}, []
        for _ in range(20):
            page.key("Tab")
            found.append(page.run(focus))
        self.assertLessEqual(wanted, set(found))
        page.run("document.querySelector('[data-action=refresh]').focus()")
        while page.run(focus) != "pause":
            page.key("Tab")
        page.key("Enter")
        self.pauses(kiosk, 1)
        page.waits("[data-action=resume]")
        until(lambda: page.run(focus) == "resume", "the focus stays")
        page.key(" ")
        self.pauses(kiosk, 0)

    def test_it_fits_a_telephone(self):
        page = self.shown(self.kiosk())
        page.sized(390, 2400)
        page.waits(".health .device")
        self.assertLessEqual(page.overflow(), 0)
        self.assertEqual(page.run("[...document.querySelectorAll('.health dd, .health p')].filter((each) =>"
                                  " each.checkVisibility() && each.scrollWidth > each.clientWidth + 1).length"), 0)


del Health
