"""The packages in a guest: systemd runs Cockpit and the daemon, users log in with a password, and a virtual
touchscreen is touched. No time is compared, as the guest may be emulated.

The tests need root, qemu, `Tests/Guest/guest build --all`, the packages, and TOUCHGRID_GUEST=1."""

import json
import os
import shutil
import subprocess
import unittest

from case import FRAME, VIEWS, CockpitCase
from guest import HEIGHT, PASSWORD, WIDTH, CockpitGuest, suites
from pages import ChromiumPage, FirefoxPage
from touchgrid_test import swift_example
from touchgrid_test.waiting import ROOT, until

# Blocks of the map, in pixels of the display.
BLOCK = 16
BUBBLE = ".live .bubble:not(.ended)"
APPS = ROOT / "examples/apps"
# Runs an app as its user, names a screen, taps the button and ends the session.
APP = """set -e
cd /srv
rm -f app; mkfifo -m 666 app
su owner -c '{command}' <app >&2 &
exec 3>app
echo checkout >&3
touched() {{ touchgrid status --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["tally"]["touches"])'; }}
until [ "$(touchgrid get-screen)" = checkout ]; do sleep 0.1; done
before=$(touched)
printf '%s\\n' 'down 0 790 640' 'up 0' >/run/panel
until [ "$(touched)" -gt "$before" ]; do sleep 0.1; done
exec 3>&-
wait
"""


class InGuest(CockpitCase):
    """What depends on the release of Cockpit. Subclasses name the suite."""

    suite = None
    browsers = [ChromiumPage]

    @classmethod
    def setUpClass(cls):
        cls.guest = CockpitGuest(cls.suite)
        cls.addClassCleanup(cls.guest.close)

    def logged_in(self, user, browser=ChromiumPage):
        """Returns the page in its frame, after the user has logged in to Cockpit."""
        self.browser = browser
        page = self.page("--ignore-certificate-errors") if browser is ChromiumPage else self.page(isInsecure=True)
        page.open(self.guest.address + "/touchgrid")
        page.click("#login-user-input")
        page.type(user)
        page.click("#login-password-input")
        page.type(PASSWORD)
        page.key("Enter")
        page.enter(FRAME)
        page.waits("#touchgrid")
        return page

    def becomes_administrator(self, page):
        """Does what a user does at "Limited access"."""
        page.leave()
        page.click("#super-user-indicator button", "Limited access")
        page.waits("[role=dialog] input[type=password]")
        page.click("[role=dialog] input[type=password]")
        page.type(PASSWORD)
        page.click("[role=dialog] button", "Authenticate")
        page.gone("[role=dialog]")
        page.waits("#super-user-indicator button", "Administrative access")
        page.enter(FRAME)

    def states(self, page):
        """Makes the page note its states, and returns a function that returns them."""
        page.run("(() => { const root = document.getElementById('touchgrid'); window.states = [root.dataset.state];"
                 "new MutationObserver(() => window.states.push(root.dataset.state))"
                 ".observe(root, {attributeFilter: ['data-state']}); })()")
        return lambda: page.run("window.states")

    def colour(self, page, x, y):
        """Returns the colour of the map at a place on the display."""
        return page.run(
            "(() => { const map = document.querySelector('.live .stage canvas.heat');"
            "const copy = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});"
            f"copy.drawImage(map, Math.floor({x / WIDTH} * map.width), Math.floor({y / HEIGHT} * map.height), 1, 1,"
            " 0, 0, 1, 1);"
            "return [...copy.getImageData(0, 0, 1, 1).data]; })()")

    def test_the_owner_sees_a_finger_and_then_the_map_change(self):
        for number, browser in enumerate(self.browsers):
            with self.subTest(browser=browser.name):
                page = self.logged_in("owner", browser)
                page.state("connected")
                page.waits(".live .stage canvas.heat")
                x, y = (10 + 20 * number) * BLOCK + 8, 30 * BLOCK + 8
                before = self.colour(page, x, y)
                self.guest.panel(f"down 0 {x} {y}")
                page.waits(BUBBLE)
                bubble, = self.bubbles(page)
                for seen, size, wanted in zip(bubble, (WIDTH, HEIGHT), (x, y)):
                    self.assertAlmostEqual(seen * size, wanted, delta=2)
                self.guest.panel("up 0")
                page.gone(BUBBLE)
                until(lambda: self.colour(page, x, y) != before, "another colour where the finger was")
                for view in VIEWS:
                    page.click(f"#touchgrid a[href='#/{view}']")
                    page.waits(f"a[href='#/{view}'][aria-current=page]")
                # Cockpit's own pages complain, such as of fonts that Debian leaves out.
                self.assertEqual([each for each in page.complaints() if "/touchgrid/" in each], [])

    def test_a_restarted_daemon_is_found_again(self):
        page = self.logged_in("owner")
        page.state("connected")
        states = self.states(page)
        self.guest.run("systemctl restart touchgridd")
        # In between, a slow guest may take the call and not answer in time.
        until(lambda: "stopped" in states() and states()[-1] == "connected", lambda: f"stopped, then connected: {states()}")
        self.guest.run("systemctl stop touchgridd.socket touchgridd.service")
        page.state("stopped")
        page.waits("#touchgrid [class*=alert]", "The daemon does not answer")
        self.guest.run("systemctl start touchgridd.socket touchgridd.service")
        page.state("connected")

    def test_the_owner_stops_and_starts_the_service(self):
        page = self.logged_in("owner", FirefoxPage)
        self.becomes_administrator(page)
        page.click("#touchgrid a[href='#/health']")
        page.waits("[data-service-state=active]")
        page.click(".health [data-action=stop]")
        page.click("dialog [data-action=confirm]")
        page.waits("[data-service-state=inactive]")
        page.state("stopped")
        self.assertEqual(self.guest.run("systemctl is-active touchgridd || true").strip(), "inactive")
        page.click(".health [data-action=start]")
        page.waits("[data-service-state=active]")
        page.state("connected")
        page.waits(".health .log li")
        # The checks that passed are folded.
        page.waits(".health summary", "checks passed")


class First(InGuest):
    """On one release, also what depends on the packages and the page alone."""

    browsers = [ChromiumPage, FirefoxPage]

    def test_masks_come_first_and_those_of_this_page_are_not_lost(self):
        path = "/etc/touchgrid/touchgridd.toml"
        self.guest.run(f"mv {path} /root/kept.toml && systemctl restart touchgridd")
        self.addCleanup(self.guest.run, f"mv /root/kept.toml {path} && systemctl restart touchgridd")
        page = self.logged_in("owner")
        self.becomes_administrator(page)
        page.click("#touchgrid a[href='#/areas']")
        page.waits(".areas", "Mask first")
        page.waits(".areas h3", "On screen")

        def draw():
            page.run("document.querySelector('.areas-stage').focus()")
            page.key("Enter")
            page.waits(".areas-stage .draft:not([hidden])")
            page.key("ArrowDown")

        draw()
        page.click(".areas [data-action=save]")
        page.waits(".area-table td", "not saved yet")
        # Another administrator sets the kiosk up, which the page does not know when it saves the next one.
        self.guest.run("touchgrid setup --no-questions --mask other >&2")
        draw()
        page.key("ArrowRight")
        page.click(".areas [data-action=save]")
        page.waits(".areas", "was added to it")
        masks = json.loads(self.guest.run("touchgrid mask --json"))
        self.assertEqual([mask["screen"] for mask in masks["configured"]], ["other", "default", "default"])
        self.assertEqual(self.guest.run(f"grep -c '^x = ' {path}").strip(), "2")
        # A control is in force as soon as it is saved, too.
        draw()
        page.run("document.querySelector('.areas [name=area-kind][value=control]').click()")
        page.run("document.querySelector('#area-name').focus()")
        page.type("pay")
        page.click(".areas [data-action=save]")
        page.waits(".area-form", "The control is saved")
        [found] = json.loads(self.guest.run("touchgrid control --json"))["configured"]
        self.assertEqual([control["name"] for control in found["controls"]], ["pay"])

    def apps(self):
        """Returns each example of docs/apps.md in a language for which we have a package, with its command line."""
        shutil.copytree(APPS, self.guest.folder / "apps")
        subprocess.run([ROOT / "scripts/app-packages", self.guest.folder], check=True)
        archive, = self.guest.folder.glob("touchgrid-*.tgz")
        subprocess.run(["npm", "install", "--silent", "--offline", "--no-audit", archive], check=True,
                       cwd=self.guest.folder / "apps")
        shutil.copy(swift_example.build(), self.guest.folder / "apps")
        # Users may not read /host.
        self.guest.run("cp -r apps /srv && chmod -R a+rX /srv")
        return {"Python": "python3 apps/kiosk.py", "JavaScript": "node apps/kiosk.mjs", "Swift": "apps/Kiosk"}

    def test_the_button_of_each_example_app_is_hit(self):
        for number, (language, command) in enumerate(self.apps().items(), 1):
            with self.subTest(language=language):
                self.guest.run(APP.format(command=command))
                report = json.loads(self.guest.run("touchgrid controls --json checkout"))
                hits = [control["hits"] for screen in report["screens"] for control in screen["controls"]]
                self.assertEqual(hits, [number])
        # No user of Touchgrid, and no touchscreen.
        self.guest.run("su stranger -c 'echo checkout | touchgrid try -- python3 /srv/apps/kiosk.py' >&2")

    def test_a_user_cannot_hold_masks_up(self):
        self.guest.run("setpriv --reuid=nobody --clear-groups flock /etc/touchgrid sleep 60 >/dev/null 2>&1 &")
        self.guest.run("touchgrid mask add held --save >&2; touchgrid mask remove held --save >&2")
        self.assertEqual(self.guest.run("stat -c %a%u /run/touchgrid-setup.lock").strip(), "6400")
        self.guest.run("pkill -u nobody sleep")

    def test_a_purged_package_leaves_nothing_and_the_daemon_goes_on(self):
        # The documentation of the package touchgrid has a page about it.
        here = ("find / -xdev -path /usr/share/doc/touchgrid -prune -o -path '*cockpit*' -path '*touchgrid*' -print;"
                "systemctl show -P MainPID touchgridd")
        *files, before = self.guest.run(here).splitlines()
        self.assertIn("/usr/share/cockpit/touchgrid/index.html", files)
        # The other tests use the same guest.
        self.addCleanup(self.guest.run, "dpkg -i cockpit-touchgrid.deb >&2")
        self.guest.run("dpkg --purge cockpit-touchgrid >&2")
        self.assertEqual(self.guest.run(here).splitlines(), [before])


def on(suite, base):
    skips = unittest.skipUnless(os.environ.get("TOUCHGRID_GUEST") == "1", "set TOUCHGRID_GUEST=1 to run it in a guest")
    return skips(type(f"On{suite.capitalize()}", (base,), {"suite": suite, "__module__": __name__}))


for suite, base in zip(suites(), [First] + [InGuest] * len(suites())):
    made = on(suite, base)
    globals()[made.__name__] = made
del First, InGuest, base, made
