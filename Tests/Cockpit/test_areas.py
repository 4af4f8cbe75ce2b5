"""Masks and controls drawn by hand, and what they do to the configuration."""

import subprocess
import tomllib

from axe import violations
from case import CockpitCase
from kiosk import GROUPS, HEIGHT, PANEL, WIDTH, fingers
from pages import ChromiumPage, FirefoxPage
from support import BINARIES, until

FIELDS = ("x", "y", "width", "height")
HOSTILE = "--help\"</script><b>&'"


class Areas(CockpitCase):
    def setUp(self):
        super().setUp()
        person = fingers().shows("menu").land(PANEL, [(0.5, 0.5)]).wait(0.1).lift(PANEL)
        self.daemon = self.kiosk("# The end of the file.\n").play(person)
        self.daemon.has_counted(1)

    def opened(self, **options):
        page = super().opened(self.daemon, "/areas", **options)
        page.waits(".areas h3", "On screen menu")
        return page

    def rectangle(self, page):
        """Returns the numbers in the fields of the form."""
        return [int(page.run(f"document.querySelector('#area-{name}').value || -1")) for name in FIELDS]

    def choose(self, page, kind):
        page.run(f"document.querySelector('.areas [name=area-kind][value={kind}]').click()")

    def fill(self, page, selector, text):
        page.run(f"(() => {{ const field = document.querySelector('{selector}'); field.focus(); field.value = '';"
                 f"field.select(); }})()")
        page.type(text)

    def configured(self):
        """Returns the file as TOML, after the daemon has checked it."""
        subprocess.run([BINARIES / "touchgridd", "--check", "--config", self.daemon.config], check=True, capture_output=True)
        with open(self.daemon.config, "rb") as file:
            return tomllib.load(file)

    def scale(self, page):
        """Returns the left and top of the stage in the window, and how many points a CSS pixel is."""
        left, top, width, _ = page.box(".areas-stage")
        return left, top, WIDTH / width

    def test_a_mask_drawn_by_the_mouse_is_in_force_and_in_the_configuration(self):
        page = self.opened()
        left, top, scale = self.scale(page)
        page.drag((left + 100, top + 50), (left + 150, top + 90), (left + 300, top + 200))
        expected = [round(part * scale) for part in (100, 50, 200, 150)]
        until(lambda: all(abs(a - b) <= 2 for a, b in zip(self.rectangle(page), expected)),
              lambda: f"{expected}, not {self.rectangle(page)}")
        drawn = dict(zip(FIELDS, self.rectangle(page)))
        page.click(".areas [data-action=save]")
        page.waits(".area-table td", f"{drawn['x']}, {drawn['y']} · {drawn['width']} × {drawn['height']}")
        self.assertEqual(self.configured()["mask"], [{"screen": "menu", **drawn}])
        # In force before it was written: the daemon of this test loads no configuration again.
        self.assertEqual(self.daemon.ask("GetMasks")["added"], [{"screen": "menu", "rectangle": drawn}])
        with open(self.daemon.config, encoding="utf-8") as file:
            self.assertIn("# The end of the file.\n", file.read())
        self.assertEqual(page.complaints(), [])

    def test_a_control_with_a_hostile_name_is_drawn_with_the_keyboard(self):
        page = self.opened()
        page.run("document.querySelector('.areas-stage').focus()")
        page.key("Enter")
        until(lambda: self.rectangle(page) == [WIDTH * 3 // 8, HEIGHT * 3 // 8, WIDTH // 4, HEIGHT // 4],
              lambda: str(self.rectangle(page)))
        page.key("ArrowRight")
        page.key("ArrowUp", shift=True)
        expected = [WIDTH * 3 // 8 + 16, HEIGHT * 3 // 8 - 1, WIDTH // 4, HEIGHT // 4]
        until(lambda: self.rectangle(page) == expected, lambda: str(self.rectangle(page)))
        page.key("Escape")
        until(lambda: self.rectangle(page) == [-1] * 4, lambda: str(self.rectangle(page)))
        page.key("Enter")
        self.choose(page, "control")
        page.run("document.querySelector('.areas-stage').focus()")
        page.key("Enter")
        until(lambda: page.run("document.activeElement.id") == "area-name", "the field for the name")
        page.type(HOSTILE)
        page.key("Enter")
        # The daemon of this test loads no configuration again, so it knows nothing of the control.
        [control] = until(lambda: self.configured().get("control"), "a control in the configuration")
        self.assertEqual((control["name"], control["screen"], control["x"]), (HOSTILE, "menu", WIDTH * 3 // 8))
        self.assertEqual(page.complaints(), [])


class AreasInFirefox(Areas):
    browser = FirefoxPage


class AreasInChromium(Areas):
    browser = ChromiumPage

    def test_a_finger_draws_too_and_numbers_may_be_typed(self):
        page = self.opened()
        left, top, scale = self.scale(page)

        def touch(kind, *places):
            page.browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in places])

        touch("touchStart", (left + 20, top + 20))
        touch("touchMove", (left + 120, top + 80))
        touch("touchEnd")
        expected = [round(part * scale) for part in (20, 20, 100, 60)]
        until(lambda: all(abs(a - b) <= 2 for a, b in zip(self.rectangle(page), expected)),
              lambda: f"{expected}, not {self.rectangle(page)}")
        self.fill(page, "#area-x", "7")
        self.fill(page, "#area-width", "99")
        width, part = page.run("(() => { const draft = document.querySelector('.draft').style;"
                               "return [parseFloat(draft.width), parseFloat(draft.left)]; })()")
        self.assertAlmostEqual(width, 100 * 99 / WIDTH, 3)
        self.assertAlmostEqual(part, 100 * 7 / WIDTH, 3)
        self.fill(page, "#area-width", "99999")
        page.click(".areas [data-action=save]")
        page.waits(".area-form [role=alert]", "leads out of the display")
        self.assertNotIn("mask", self.configured())

    def test_a_corner_of_the_rectangle_may_be_drawn(self):
        page = self.opened()
        left, top, scale = self.scale(page)
        page.drag((left + 100, top + 100), (left + 200, top + 200))
        page.drag((left + 200, top + 200), (left + 260, top + 150))
        expected = [round(part * scale) for part in (100, 100, 160, 50)]
        until(lambda: all(abs(a - b) <= 2 for a, b in zip(self.rectangle(page), expected)),
              lambda: f"{expected}, not {self.rectangle(page)}")
        page.drag((left + 150, top + 120), (left - 50, top + 120))
        until(lambda: self.rectangle(page)[0] == 0, lambda: str(self.rectangle(page)))

    def test_a_mask_of_the_configuration_is_removed_after_a_question(self):
        with open(self.daemon.config, "a", encoding="utf-8") as file:
            file.write('[[mask]]\nscreen = "menu"\nx = 1\ny = 2\nwidth = 3\nheight = 4\n')
        self.daemon.kill()
        self.daemon.again()
        page = self.opened()
        page.waits(".area-table td", "configuration")
        page.click(".area-table [data-action=remove-area]")
        page.waits("dialog", "are recorded")
        page.key("Escape")
        page.gone("dialog")
        self.assertEqual(len(self.configured()["mask"]), 1)
        page.click(".area-table [data-action=remove-area]")
        page.click("dialog [data-action=confirm]")
        until(lambda: "mask" not in self.configured(), "a configuration without the mask")

    def test_a_file_that_cannot_be_changed_stays_and_the_page_says_why(self):
        with open(self.daemon.config, "a", encoding="utf-8") as file:
            file.write("nonsense = [\n")
        with open(self.daemon.config, "rb") as file:
            before = file.read()
        page = self.opened()
        page.run("document.querySelector('#area-whole').click()")
        page.click(".areas [data-action=save]")
        page.waits(".area-form [role=alert]", "It was not saved")
        with open(self.daemon.config, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_a_user_without_the_role_is_told_the_group(self):
        page = self.opened(groups=[GROUPS["read"]])
        page.run("document.querySelector('#area-whole').click()")
        page.run("document.querySelector('[name=area-lasts][value=no]').click()")
        page.click(".areas [data-action=save]")
        page.waits(".area-form [role=alert]", GROUPS["app"])

    def test_no_state_of_the_view_has_a_barrier(self):
        with open(self.daemon.config, "a", encoding="utf-8") as file:
            file.write('[[mask]]\nscreen = "menu"\nx = 1\ny = 2\nwidth = 300\nheight = 400\n'
                       '[[control]]\nscreen = "menu"\nname = "pay"\nx = 500\ny = 200\nwidth = 300\nheight = 100\n')
        self.daemon.kill()
        self.daemon.again()
        page = self.opened()
        page.run("document.querySelector('.areas-stage').focus()")
        page.key("Enter")
        self.choose(page, "control")
        for style in ("light", "dark"):
            page.style(style)
            page.save(f"areas-drawn-{style}")
            self.assertEqual(violations(page), [], style)


del Areas
