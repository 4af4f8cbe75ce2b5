"""touchgrid-follow with pages that are no screens, or have no address, or could not be loaded: none of them takes a mask
off, in Chromium, in Firefox, and in a browser that is made up. The follower may start again at any time."""

import contextlib
import json
import os
import pathlib
import time

from fake_browser import FakeBrowser
from support import EXTENSION, Following
from touchgrid_test.firefox import Firefox
from touchgrid_test.follower import native_host, shop
from touchgrid_test.waiting import PATIENCE, free_port, memory, until

MASKS = """
[[rule]]
url = "/pay/*"
screen = "pay"
mask = true
"""
SOURCE = '[[source]]\nkind = "extension"\n'
ERROR, MASKED_ERROR = "@error", "@error/masked (masked)"


class Site:
    """A site at a port that stays the same when it goes down and comes back."""

    def __init__(self):
        self.port, self.servers = free_port(), contextlib.ExitStack()
        self.address = f"http://127.0.0.1:{self.port}"

    def up(self):
        self.servers.enter_context(shop(self.port))

    def down(self):
        self.servers.close()


class Masks(Following):
    def setUp(self):
        super().setUp()
        self.running, self.site = None, Site()
        self.addCleanup(self.site.down)

    @property
    def names(self):
        return [line["screen"] + (" (masked)" if line["masked"] else "") for line in self.lines]

    def follow(self, source):
        """Starts a follower that prints the names, in place of a former one."""
        self.source = source
        if self.running:
            self.running.stop()
            self.running.close()
            self.running.reader.join()
        self.lines.clear()
        self.running = self.prints(self.follower(rules=MASKS, source=source))

    def again(self):
        """Starts the follower again."""
        self.follow(self.source)

    def named(self, name):
        until(lambda: self.names[-1:] == [name], lambda: f"the name {name}: there are {self.names}")

    def stays(self, name, seconds=0.6):
        """The name is the last one, and still is after a while."""
        self.named(name)
        count = len(self.names)
        time.sleep(seconds)
        self.assertEqual(self.names[count:], [])


    def keeps(self, urls, show, leave=lambda: None):
        """Shows pages of the browser's own, which take no mask off."""
        for url in urls:
            with self.subTest(url=url):
                show(url)
                self.stays("pay (masked)")
                self.again()
                self.stays("pay (masked)")
                leave()

    def errors(self, go, reload):
        go("/")
        self.stays(ERROR)
        self.again()
        self.stays(ERROR)
        self.site.up()
        reload()
        self.stays("home")
        self.site.down()
        go("/pay/card")
        self.stays(MASKED_ERROR)
        self.again()
        self.stays(MASKED_ERROR)
        self.site.up()
        reload()
        self.stays("pay (masked)")

    def windows(self, go, run):
        for script in ("open('about:blank')", "open('', '', 'popup'); other.document.write('<p>card'); other.document.close()",
                       "open('about:blank', '', 'popup,width=300,height=300')",
                       "open(URL.createObjectURL(new Blob(['x'], {type: 'text/html'})))"):
            with self.subTest(script=script):
                go("/")
                self.named("home")
                go("/pay/card")
                self.named("pay (masked)")
                run(f"window.other = {script}")
                self.stays("pay (masked)")
                self.again()
                self.stays("pay (masked)")
                run(f"other.location = '{self.site.address}/catalogue'")
                time.sleep(0.5)
                run("other.close()")
                self.stays("pay (masked)")
        go("/catalogue")
        self.named("catalogue")


class MadeUp(Masks):
    """The masks of the daemon and of the follower, for targets that no test can make a real browser show."""

    def followed(self, rules):
        """Returns a daemon, and a browser that is followed for it."""
        daemon, browser = self.daemon().start(), FakeBrowser()
        self.addCleanup(browser.stop)
        self.running = self.follower(daemon.socket, rules, f'kind = "devtools"\nport = {browser.port}').start()
        return daemon, browser

    def test_the_daemon_masks_the_error_page_of_a_masked_page(self):
        daemon, browser = self.followed(MASKS)
        masks = lambda: [mask["screen"] for mask in daemon.call("GetMasks")["added"]]
        browser.shows("A", "http://localhost/menu", failed=True)
        daemon.shows(ERROR)
        self.assertEqual(masks(), ["pay"])
        browser.shows("A", "http://localhost/pay/card", failed=True)
        daemon.shows("@error/masked")
        self.assertEqual(sorted(masks()), ["@error/masked", "pay"])

    def test_a_mask_on_the_former_name_of_a_page_holds(self):
        rules = "".join(f'[[rule]]\nurl = "/lovelace/{view}"\nscreen = "lovelace/{view}"\n' for view in range(3))
        daemon, browser = self.followed(rules)
        for screen in ("lovelace/:n", "about"):
            daemon.call("AddMask", mask={"screen": screen})
        browser.shows("A", "http://localhost/lovelace/kitchen")
        daemon.shows("lovelace/kitchen")
        browser.shows("A", "http://localhost/lovelace/1")
        daemon.shows("lovelace/:n")
        browser.shows("A", "http://localhost/menu")
        daemon.shows("menu")
        browser.shows("B", "about:blank", opener="A")
        daemon.shows("about")

    def test_recording_pauses_while_the_daemon_refuses_to_name_masked_pages(self):
        rules = "".join(f'[[rule]]\nurl = "/{page}"\nscreen = "{page}"\nmask = true\n' for page in ("pay", "pin"))
        daemon, browser = self.followed(rules)
        browser.shows("A", "http://localhost/menu")
        daemon.shows("menu")
        # Somebody removes the follower's masks and uses up the session's screens.
        for page in ("pay", "pin"):
            daemon.call("RemoveMask", mask={"screen": page})
        daemon.call("BeginSession")
        with daemon.connect() as client, self.assertRaisesRegex(Exception, "LimitReached"):
            for number in range(300):
                client.call("SetScreen", name=f"view {number}")
        daemon.call("SetScreen", name="menu")
        pauses = lambda: daemon.call("GetStatus")["pauses"]
        browser.shows("A", "http://localhost/pay")
        until(lambda: pauses() == 1, "the pause")
        browser.shows("A", "http://localhost/pin")
        time.sleep(0.5)
        self.assertEqual(pauses(), 1)
        browser.shows("A", "http://localhost/menu")
        until(lambda: pauses() == 0, "the end of the pause")
        daemon.shows("menu")


class Hostile(Masks):
    """Programs at the port that are no browser. The follower's memory is limited, and so is its log."""

    # The most memory that the follower may need here, in MiB.
    MOST = 100

    def followed(self, talk):
        browser = FakeBrowser()
        browser.talk = lambda client: talk(browser, client)
        self.addCleanup(browser.stop)
        self.follow(f'kind = "devtools"\nport = {browser.port}')
        return browser

    def most(self):
        """The most memory that the follower has had, in MiB."""
        return memory(self.running.process.pid) / 1024

    def test_pings_that_nobody_reads_the_answers_of(self):
        sent = 0

        def ping(browser, client):
            nonlocal sent
            frames = browser.frame(9, b"x" * 125) * 1000
            browser.message(client)
            while True:
                client.sendall(frames)
                sent += 1000

        self.followed(ping)
        until(lambda: "lost the connection" in self.running.said or self.most() > self.MOST, "many pings")
        print(f"pings: {sent}, {self.most():.0f} MiB", flush=True)
        self.assertLess(self.most(), self.MOST)

    def test_many_targets_with_long_addresses(self):
        sent = 0

        def flood(browser, client):
            nonlocal sent
            long = "x" * 300_000
            for number in range(3000):
                path = "pay/card" if number == 200 else f"{number}/{long}"
                browser.send(client, method="Target.targetCreated", params={"targetInfo": {
                    "targetId": str(number), "type": "page", "title": "", "url": f"http://localhost/{path}"}})
                sent += 1
            time.sleep(PATIENCE)

        self.followed(flood)
        # 180 MB, of which only so much must come in time.
        for goal in range(100, 601, 100):
            until(lambda goal=goal: sent >= goal, f"{goal} targets")
        self.assertIn("pay (masked)", self.names)
        print(f"targets: {sent}, {self.most():.0f} MiB", flush=True)
        # As many had needed 120 MiB more than what a follower needs anyway.
        self.assertLess(self.most(), self.MOST)

    def test_the_follower_says_what_newer_browsers_need(self):
        self.follow(f'kind = "devtools"\nport = {free_port()}')
        self.running.says("with --user-data-dir=FOLDER")
        self.follow('kind = "extension"')
        self.running.says("takes it by policy only")

    def test_a_program_that_breaks_off_is_tried_more_and_more_seldom(self):
        browser = self.followed(lambda browser, client: None)
        self.running.says("lost the connection")
        time.sleep(8)
        # After 0.1, 0.2, 0.4, 0.8, 1.6 and 3.2 s.
        self.assertLessEqual(browser.sessions, 8)
        self.assertLessEqual(len(self.running.said.splitlines()), 4)


class InChromium(Masks):
    def followed(self):
        chromium = self.browser()
        self.follow(f'kind = "devtools"\nport = {self.port}')
        return chromium

    def opens(self, chromium, script):
        chromium.call("Runtime.evaluate", expression=script + "; 1", userGesture=True)

    def test_a_window_without_an_address_keeps_the_mask_of_the_page_that_opened_it(self):
        self.site.up()
        chromium = self.followed()
        self.windows(lambda path: chromium.open(self.site.address + path), lambda script: self.opens(chromium, script))

    def test_error_pages_are_no_screens_and_keep_their_masks(self):
        chromium = self.followed()
        self.errors(lambda path: chromium.open(self.site.address + path), lambda: chromium.call("Page.reload"))
        self.assertNotIn(ERROR, self.names)
        chromium.open(self.site.address + "/catalogue")
        self.named("catalogue")
        chromium.run("history.back(); 1")
        self.stays("pay (masked)")
        self.opens(chromium, "location = 'chrome-error://chromewebdata/'")
        self.stays("pay (masked)")

    def test_the_browsers_own_pages_take_no_mask_off(self):
        self.site.up()
        chromium = self.followed()
        chromium.open(self.site.address + "/pay/card")
        self.named("pay (masked)")
        page, chromium.session, targets = chromium.session, None, []
        self.keeps(("chrome://settings/", "chrome://newtab/", "about:blank", "data:text/html,x"),
                   lambda url: targets.append(chromium.call("Target.createTarget", url=url)["targetId"]),
                   lambda: chromium.call("Target.closeTarget", targetId=targets.pop()))
        chromium.session = page
        for url in ("view-source:" + self.site.address + "/pay/card", "about:blank", "chrome://version/"):
            with self.subTest(url=url):
                chromium.open(url)
                self.stays("pay (masked)")
        chromium.open(self.site.address + "/catalogue")
        self.named("catalogue")

    def test_a_crashed_tab_keeps_its_mask(self):
        self.site.up()
        chromium = self.followed()
        chromium.open(self.site.address + "/catalogue")
        self.named("catalogue")
        chromium.open(self.site.address + "/pay/card")
        self.named("pay (masked)")
        target = chromium.call("Target.getTargets")["targetInfos"]
        page = next(info["targetId"] for info in target if info["type"] == "page")
        chromium.session = None
        session = chromium.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        os.write(chromium.commands, json.dumps(
            {"id": 9999, "method": "Page.crash", "sessionId": session}).encode() + b"\0")
        self.stays(MASKED_ERROR)
        self.again()
        until(lambda: self.names and self.names[-1].endswith("(masked)"), lambda: f"a masked name: {self.names}")
        os.write(chromium.commands, json.dumps(
            {"id": 9998, "method": "Page.reload", "sessionId": session}).encode() + b"\0")
        self.stays("pay (masked)")

    def test_frames_documents_and_history_do_not_change_the_name(self):
        pdf = pathlib.Path(self.folder, "a.pdf")
        pdf.write_bytes(b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>"
                        b"endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>")
        self.site.up()
        chromium = self.followed()
        chromium.open(self.site.address + "/pay/card")
        self.named("pay (masked)")
        for url in (self.site.address + "/catalogue", "about:blank", "data:text/html,x", "http://127.0.0.1:1/"):
            self.opens(chromium, "frame = document.body.appendChild(document.createElement('iframe')); "
                                 f"frame.src = {json.dumps(url)}")
        self.stays("pay (masked)")
        self.opens(chromium, "setTimeout(() => { frame.src = '/catalogue?2' }, 100)")
        self.stays("pay (masked)")
        chromium.open(f"file://{pdf}")
        self.named("a.pdf")
        chromium.run("history.back(); 1")
        self.stays("pay (masked)")


class ExtensionInChromium(Masks):
    def test_no_page_takes_a_mask_off(self):
        chromium = self.browser(f"--load-extension={EXTENSION}", hosts=native_host(self.folder, SOURCE))
        self.follow('kind = "extension"')
        go = lambda path: chromium.open(self.site.address + path)
        self.errors(go, lambda: chromium.call("Page.reload"))
        self.windows(go, lambda script: chromium.call("Runtime.evaluate", expression=script + "; 1", userGesture=True))
        go("/pay/card")
        self.named("pay (masked)")
        self.keeps(("chrome://settings/", "about:blank", "data:text/html,x"), chromium.open)
        go("/catalogue")
        self.named("catalogue")


class ExtensionInFirefox(Masks):
    def test_no_page_takes_a_mask_off(self):
        # Only with this access may a test open Firefox's own pages.
        firefox = Firefox(native_host(self.folder, SOURCE, "firefox"), arguments=["-remote-allow-system-access"])
        self.addCleanup(firefox.close)
        self.follow('kind = "extension"')
        firefox.install(EXTENSION)

        def go(path):
            try:
                firefox.open(self.site.address + path)
            except AssertionError as error:
                self.assertIn("about:neterror", str(error))

        def reload():
            firefox.call("WebDriver:Refresh")

        self.errors(go, reload)
        self.windows(go, firefox.run)
        go("/pay/card")
        self.named("pay (masked)")
        self.keeps(("data:text/html,x", "about:blank"), firefox.open)
        firefox.call("Marionette:SetContext", value="chrome")
        self.keeps(("about:config", "about:preferences", "about:newtab"), lambda url: firefox.run(
            "const {gBrowser} = Services.wm.getMostRecentWindow('navigator:browser');"
            f"gBrowser.selectedTab = gBrowser.addTrustedTab('{url}')"))
