"""The page takes a picture of what the kiosk's browser shows: a real Chromium that touchgrid-follow of another user
follows."""

import os
import pathlib

from case import DISPLAY, GROUPS, HEIGHT, PANEL, WIDTH, CockpitCase, fingers
from pages import ChromiumPage
from touchgrid_test.browser import Chromium, pages
from touchgrid_test.follower import Follower
from touchgrid_test.waiting import free_port, until

# A user of Debian's own who runs nothing, in the group of the role app.
USER = "news"


class Taking(CockpitCase):
    browser = ChromiumPage

    def setUp(self):
        super().setUp()
        self.daemon = self.kiosk(fingers().shows("menu").tap(PANEL, (0.5, 0.5)))
        self.daemon.has_counted(1)
        site = pathlib.Path(self.daemon.folder, "site")
        site.mkdir()
        (site / "menu.html").write_text("<!doctype html><title>menu</title><h1>menu</h1>")
        address = f"http://127.0.0.1:{self.enterContext(pages(site))}"
        port = free_port()
        chromium = Chromium(f"--remote-debugging-port={port}")
        self.addCleanup(chromium.close)
        chromium.resize(WIDTH // 2, HEIGHT // 2)
        chromium.open(address + "/menu.html")
        # `touchgrid picture take` must find only this one.
        follower = Follower(self.daemon.folder, self.daemon.socket,
                            f'[[source]]\nkind = "devtools"\nport = {port}\ndisplay = "{DISPLAY}"\n')
        self.addCleanup(follower.close)
        self.follower = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *follower.command]

    def take(self, page, answer="confirm"):
        page.click(".areas [data-action=take-picture]")
        page.click(f"dialog [data-action={answer}]")

    def test_the_picture_is_taken_when_the_question_is_answered(self):
        console = self.console(self.daemon, beside=self.follower)
        page = self.page()
        page.open(console.page("/areas"))
        page.waits(".areas h3", "On screen menu")
        self.take(page, "cancel")
        page.gone("dialog")
        self.assertEqual(os.listdir(console.pictures), [])
        self.take(page)
        until(lambda: page.run("document.querySelector('.areas-stage img')?.naturalWidth") == WIDTH // 2,
              lambda: f"a picture: {page.text('.areas')}")
        self.assertEqual(os.listdir(console.pictures), ["menu.png"])
        self.assertEqual(page.complaints(), [])

    def test_only_an_administrator_takes_one(self):
        page = self.opened(self.daemon, "/areas", groups=[GROUPS["read"], GROUPS["app"]])
        page.waits(".areas h3", "On screen menu")
        self.take(page)
        page.waits(".areas [role=alert]", "administrative access")
