"""The page loads in Cockpit, in every browser and session, and has no barriers."""

from case import FRAME, GROUPS, VIEWS, CockpitCase, fingers
from pages import ChromiumPage, FirefoxPage
from touchgrid_test.axe import violations
from touchgrid_test.waiting import until


# What a view shows once it has its contents.
FULL = {"live": (".live .legend .n", "session"), "screens": (".screens .progress", "As of"),
        "areas": (".areas h3", "On screen"), "health": (".health [data-check]", None)}


def touches():
    """Fingers that have tapped two screens, and then one that stays."""
    person = fingers().shows("menu")
    for number in range(6):
        person.tap("Panel", (0.2 + 0.1 * number, 0.5)).wait(0.1)
    person.shows("pay").tap("Panel", (0.5, 0.3)).wait(0.1)
    return person.down("Panel", [(0.25, 0.75)])


class Views(CockpitCase):
    def setUp(self):
        super().setUp()
        self.daemon = self.kiosk(touches())
        self.daemon.has_counted(7)

    def each_view(self, page, check):
        """Goes to one view after the other by its tab, and calls `check` with its name in each."""
        for view in VIEWS:
            with self.subTest(view=view):
                page.click(f"#touchgrid a[href='#/{view}']")
                page.waits(f"a[href='#/{view}'][aria-current=page]")
                page.waits(*FULL[view])
                check(view)

    def test_every_view_opens_without_an_error_or_a_violation_of_the_policy(self):
        page = self.opened(self.daemon)
        page.state("connected")
        self.each_view(page, lambda _: self.assertEqual(page.complaints(), []))

    def test_cockpit_shows_it_in_its_menu_and_in_a_frame(self):
        page = self.page()
        page.open(self.console(self.daemon).shell)
        page.waits("a[href='/touchgrid']", "Touchscreen")
        page.enter(FRAME)
        page.state("connected")
        page.click("#touchgrid a[href='#/health']")
        page.waits("a[href='#/health'][aria-current=page]")


class ViewsInChromium(Views):
    browser = ChromiumPage

    def test_no_view_has_a_barrier(self):
        page = self.opened(self.daemon)
        page.state("connected")
        for style in ("light", "dark"):
            page.style(style)

            def check(view, style=style):
                page.save(f"{view}-{style}")
                self.assertEqual(violations(page), [], style)

            self.each_view(page, check)

    def test_no_view_is_wider_than_a_telephone(self):
        page = self.opened(self.daemon)
        page.sized(390, 844)
        page.state("connected")

        def check(view):
            page.save(f"{view}-narrow")
            self.assertLessEqual(page.overflow(), 0)

        self.each_view(page, check)

    def test_a_page_that_follows_the_system_is_dark_when_the_system_is(self):
        page = self.opened(self.daemon)
        page.state("connected")
        for scheme in ("light", "dark", "light"):
            page.sized(1280, 900, scheme)
            until(lambda scheme=scheme: page.run("getComputedStyle(document.documentElement).colorScheme") == scheme,
                  f"a {scheme} page")


class ViewsInFirefox(Views):
    browser = FirefoxPage


class Roles(CockpitCase):
    browser = ChromiumPage

    def setUp(self):
        super().setUp()
        self.daemon = self.kiosk()

    def test_a_user_without_a_group_is_told_which_one_is_missing(self):
        page = self.opened(self.daemon, groups=[])
        page.state("denied")
        page.waits("#touchgrid", f"usermod -aG {GROUPS['read']} nobody")
        self.assertEqual(page.complaints(), [])

    def test_a_user_who_may_only_read_is_let_in(self):
        page = self.opened(self.daemon, groups=[GROUPS["read"]])
        page.state("connected")
        for view in VIEWS:
            page.click(f"#touchgrid a[href='#/{view}']")
            page.waits(f"a[href='#/{view}'][aria-current=page]")
        self.assertEqual(page.complaints(), [])


del Views
