"""The live view: fingers where they touch, and the map below them with the numbers of `touchgrid heatmap`."""

import random
import time

from case import DISPLAY, GROUPS, HEIGHT, PANEL, WIDTH, CockpitCase, fingers, touched
from pages import ChromiumPage, FirefoxPage
from touchgrid_test.waiting import until

# How far a bubble may lie from its finger, in CSS pixels: the panel has 4,096 places.
NEAR = 1
LAYERS = ["taps", "trail", "dwell"]


def strokes(seed=3, count=12):
    """Strokes at random places: every block of a layer has another number."""
    chance = random.Random(seed)
    person = fingers().shows("menu")
    for _ in range(count):
        x, y = chance.random() * 0.7, chance.random() * 0.7
        person.down(PANEL, [(x, y)])
        for step in range(1, 8):
            person.wait(0.02).move(PANEL, [(x + 0.04 * step, y + 0.03 * step)])
        person.wait(0.02).up(PANEL).wait(0.05)
    return person


def blocks(page):
    """Returns the number of each touched block, as the table beside the map has it."""
    page.run("document.querySelectorAll('.live details.folded').forEach((each) => { each.open = true; })")
    rows = page.run("[...document.querySelectorAll('.live details.folded tbody tr')].map((row) =>"
                    " [...row.cells].map((cell) => cell.textContent))")
    return {place: int(value.split()[0].replace(",", "")) for place, _, value, _ in rows}


class Live(CockpitCase):
    def heatmap(self, daemon, layer, *options):
        """Returns the number of each touched block of the screen, as the command has it."""
        return touched(daemon, layer, *options).get("menu", {})

    def choose(self, page, layer):
        chosen = f".live input[name=live-layer][value={layer}]"
        until(lambda: page.run(f"Boolean(document.querySelector('{chosen}'))"), "the choice of the layer")
        page.run(f"document.querySelector('{chosen}').click()")

    def lie_at(self, page, places):
        """Waits until there is one bubble at each place."""
        def do():
            # The stage is not there while the daemon is not.
            width, height = page.run("(({width, height}) => [width, height])("
                                     "document.querySelector('.live .stage')?.getBoundingClientRect() ?? {})")
            if not width:
                return False
            found = self.bubbles(page)
            return len(found) == len(places) and all(
                abs(x - a) * width <= NEAR and abs(y - b) * height <= NEAR
                for (x, y), (a, b) in zip(found, sorted(places)))

        until(do, lambda: f"bubbles at {sorted(places)}, not {self.bubbles(page)}")

    def figure(self, page, name):
        return page.text(f".live [data-figure={name}]")

    def test_ten_bubbles_lie_at_ten_fingers(self):
        places = [(0.05 + 0.09 * number, 0.1 + 0.08 * number) for number in range(10)]
        page = self.opened(self.kiosk(fingers().shows("menu").down(PANEL, places)))
        page.waits(".live h3", "menu")
        self.lie_at(page, places)
        self.assertEqual(page.complaints(), [])

    def test_every_block_has_the_number_that_the_command_has(self):
        daemon = self.kiosk(strokes())
        daemon.has_counted(12)
        page = self.opened(daemon)
        for layer in LAYERS:
            with self.subTest(layer=layer):
                # The store has the session as of its last checkpoint.
                until(lambda layer=layer: self.heatmap(daemon, layer) == self.heatmap(daemon, layer, "--live") != {},
                      "a checkpoint with all touches")
                expected = self.heatmap(daemon, layer)
                self.choose(page, layer)
                until(lambda expected=expected: blocks(page) == expected,
                      lambda expected=expected: f"{expected}, not {blocks(page)}")
        self.assertEqual(self.figure(page, "touches"), "12")


class LiveInFirefox(Live):
    browser = FirefoxPage


class LiveInChromium(Live):
    browser = ChromiumPage

    def test_earlier_sessions_and_the_running_one_add_up(self):
        person = strokes(count=4).wait(3)
        for _ in range(3):
            person.tap(PANEL, (0.5, 0.5)).wait(0.1)
        person.down(PANEL, [(0.9, 0.9)])
        kiosk = self.kiosk(person, "[session]\nidle_timeout = \"1s\"\n")
        kiosk.has_counted(7)
        page = self.opened(kiosk)
        until(lambda: [self.figure(page, name) for name in ("touches", "sessions")] == ["7", "2"],
              lambda: page.text(".live .figures"))
        stored, running = self.heatmap(kiosk, "taps", "--session", "1"), self.heatmap(kiosk, "taps", "--live")
        self.assertEqual(blocks(page), {place: stored.get(place, 0) + running.get(place, 0)
                                        for place in stored | running})

    def test_touches_in_a_mask_are_not_shown_but_their_number_is(self):
        person = fingers().shows("menu")
        for x in (0.2, 0.3, 0.81):
            person.tap(PANEL, (x, 0.5)).wait(0.1)
        kiosk = self.kiosk(person.down(PANEL, [(0.1, 0.1), (0.9, 0.9)]),
                           f"[[mask]]\nscreen = \"menu\"\nx = 0\ny = 0\nwidth = {WIDTH // 2}\nheight = {HEIGHT}\n")
        until(lambda: kiosk.call("GetStatus").get("session", {}).get("totals", {}).get("masked") == 3, "three masked touches")
        page = self.opened(kiosk)
        until(lambda: self.figure(page, "touches") == "1", lambda: page.text(".live .figures"))
        self.assertEqual(self.figure(page, "masked"), "3")
        self.assertEqual(list(blocks(page)), ["64, 25"])
        self.lie_at(page, [(0.9, 0.9)])

    def test_a_user_who_may_only_read_sees_the_map_and_which_group_shows_fingers(self):
        kiosk = self.kiosk(strokes().down(PANEL, [(0.5, 0.5)]))
        kiosk.has_counted(12)
        page = self.opened(kiosk, groups=[GROUPS["read"]])
        page.waits(".live .notices", GROUPS["watch"])
        until(lambda: self.figure(page, "touches") == "12", lambda: page.text())
        self.assertEqual(self.bubbles(page), [])
        # Another screen is seen after a refresh.
        kiosk.call("SetScreen", name="pay")
        page.click(".live [data-action=refresh]")
        page.waits(".live h3", "pay")
        page.waits(".live .notices", GROUPS["watch"])
        self.assertEqual(page.complaints(), [])

    def test_a_turned_display_turns_the_map_and_the_bubbles(self):
        kiosk = self.kiosk(fingers().shows("menu").down(PANEL, [(0.1, 0.3)]))
        page = self.opened(kiosk)
        self.lie_at(page, [(0.1, 0.3)])
        kiosk.call("SetDisplay", name=DISPLAY, rotation=90)
        page.waits(".live .screen header", f"{HEIGHT} × {WIDTH} points")
        _, _, width, height = page.box(".live .stage")
        self.assertLess(width, height)

    def test_nothing_wakes_while_nobody_touches(self):
        kiosk = self.kiosk(strokes())
        kiosk.has_counted(12)
        page = self.opened(kiosk)
        until(lambda: self.figure(page, "touches") == "12", lambda: page.text())
        # This notes all that may wake the page, and what the daemon is asked.
        page.run("(() => { window.woken = []; const watch = (object, name) => { const real = object[name];"
                 "object[name] = function (...words) { window.woken.push([name, String(words[0])]);"
                 "return real.apply(this, words); }; };"
                 "for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame']) watch(window, name);"
                 "watch(WebSocket.prototype, 'send'); })()")
        woken = []

        def has_slept():
            page.run("void (woken.length = 0)")
            time.sleep(4)
            # Cockpit's server asks now and then whether its page is there.
            woken[:] = [what for what in page.run("window.woken") if '"command":"pong"' not in what[1]]
            return not woken

        # The last queries take a while.
        until(has_slept, lambda: f"4 s in which nothing wakes the page: {woken}")

    def test_a_page_that_nobody_sees_watches_no_touches(self):
        kiosk = self.kiosk(fingers().shows("menu").down(PANEL, [(0.5, 0.5)]))
        watchers = lambda: kiosk.call("GetStatus")["watchers"]  # noqa: E731
        page = self.opened(kiosk)
        self.lie_at(page, [(0.5, 0.5)])
        self.assertEqual(watchers(), 1)
        page.click("#touchgrid a[href='#/screens']")
        until(lambda: watchers() == 0, "no watcher behind another view")
        page.click("#touchgrid a[href='#/live']")
        until(lambda: watchers() == 1, "a watcher again")
        self.lie_at(page, [(0.5, 0.5)])
        page.run("(() => { cockpit.hidden = true; cockpit.dispatchEvent('visibilitychange'); })()")
        until(lambda: watchers() == 0, "no watcher in a hidden page")

    def test_it_goes_on_after_the_daemon_was_killed(self):
        kiosk = self.kiosk(fingers().shows("menu").down(PANEL, [(0.4, 0.6)]))
        page = self.opened(kiosk)
        self.lie_at(page, [(0.4, 0.6)])
        kiosk.kill()
        page.state("stopped", "missing")
        kiosk.start(fingers().shows("menu"))
        page.state("connected")
        page.waits(".live h3", "menu")
        self.assertEqual(self.bubbles(page), [])
        kiosk.kill()
        kiosk.start(fingers().shows("menu").down(PANEL, [(0.6, 0.4)]))
        self.lie_at(page, [(0.6, 0.4)])

    def test_a_resting_finger_stays_when_the_app_shows_another_screen(self):
        kiosk = self.kiosk(fingers().shows("menu").down(PANEL, [(0.4, 0.6)]))
        page = self.opened(kiosk)
        self.lie_at(page, [(0.4, 0.6)])
        kiosk.call("SetScreen", name="pay")
        page.waits(".live h3", "pay")
        self.lie_at(page, [(0.4, 0.6)])

    def test_the_map_of_a_screen_is_never_under_the_name_of_another(self):
        kiosk = self.kiosk(strokes())
        kiosk.has_counted(12)
        page = self.opened(kiosk)
        until(lambda: self.figure(page, "touches") == "12", lambda: page.text())
        for pause in (0, 0.01, 0.03, 0.1):
            kiosk.call("SetScreen", name="menu")
            time.sleep(pause)
            kiosk.call("SetScreen", name="empty")
            page.waits(".live h3", "empty")
            until(lambda: self.figure(page, "touches") == "0", lambda: page.text())
            time.sleep(1.5)
            self.assertEqual(self.figure(page, "touches"), "0")

    def test_a_view_that_was_left_shows_what_came_meanwhile(self):
        person = fingers().shows("menu")
        for number in range(30):
            person.tap(PANEL, (0.1 + 0.02 * number, 0.5), 0.05).wait(0.2)
        kiosk = self.kiosk(person)
        page = self.opened(kiosk)
        page.waits(".live h3", "menu")
        page.click("#touchgrid a[href='#/screens']")
        kiosk.has_counted(30)
        page.click("#touchgrid a[href='#/live']")
        until(lambda: self.figure(page, "touches") == "30", lambda: page.text())

    def test_a_session_belongs_to_the_day_on_which_it_began(self):
        kiosk = self.kiosk(strokes())
        kiosk.has_counted(12)
        page = self.page()
        page.open(self.console(kiosk).page("/screens"))
        page.state("connected")
        # The kiosk's day begins after the session.
        page.run("(() => { const spawn = cockpit.spawn; cockpit.spawn = (words, ...more) => words[0] === 'date' &&"
                 " words.at(-1) === '+%s' ? Promise.resolve(String(Math.floor(Date.now() / 1000) + 60)) : spawn(words, ...more);"
                 " })()")
        page.click("#touchgrid a[href='#/live']")
        until(lambda: self.figure(page, "touches") == "0", lambda: page.text())
        self.assertEqual(self.figure(page, "sessions"), "0")
        page.select("#live-span", "all")
        until(lambda: self.figure(page, "touches") == "12", lambda: page.text())

    def test_a_pause_of_another_program_is_told_and_its_end_too(self):
        kiosk = self.kiosk(fingers().shows("menu"))
        pause = kiosk.connect()
        pause.call("Pause")
        page = self.opened(kiosk)
        page.waits(".live .notices", "Recording is paused")
        pause.close()
        page.gone(".live .notices", "Recording is paused")

    def test_frames_that_wait_because_of_masks_are_not_called_slow(self):
        person = fingers().shows("menu")
        for _ in range(10):
            person.tap(PANEL, (0.8, 0.5), 0.2).wait(0.2)
        kiosk = self.kiosk(person, "[session]\nlate_names = \"1s\"\n[[mask]]\nscreen = \"pin\"\n")
        page = self.opened(kiosk)
        page.waits(".live h3", "menu")
        page.run("(() => { window.aged = 0; new MutationObserver(() => { aged += 1; })"
                 ".observe(document.querySelector('.live .age'), {childList: true}); })()")
        until(lambda: self.figure(page, "touches") == "10", lambda: page.text())
        self.assertEqual(page.run("aged"), 0)

    def test_a_daemon_that_hangs_is_told_by_the_age_of_what_is_shown(self):
        kiosk = self.kiosk(fingers().shows("menu").down(PANEL, [(0.4, 0.6)]))
        page = self.opened(kiosk)
        self.lie_at(page, [(0.4, 0.6)])
        kiosk.freeze()
        page.waits(".live .age", "s ago")
        kiosk.thaw()
        page.gone(".live .age")


del Live
