"""Masks and controls drawn by hand, and what they do to the configuration."""

import base64
import glob
import json
import os
import tomllib

from case import GROUPS, HEIGHT, PANEL, WIDTH, CockpitCase, fingers
from pages import ChromiumPage, FirefoxPage
from touchgrid_test.axe import violations
from touchgrid_test.daemon import Daemon
from touchgrid_test.report_store import picture, recorded, replayed, run
from touchgrid_test.waiting import until

FIELDS = ("x", "y", "width", "height")
HOSTILE = "--help\"</script><b>&'"


class Areas(CockpitCase):
    def setUp(self):
        super().setUp()
        person = fingers().shows("menu").tap(PANEL, (0.5, 0.5))
        self.daemon = self.kiosk(person, "# The end of the file.\n")
        self.daemon.has_counted(1)

    def opened(self, **options):
        page = super().opened(self.daemon, "/areas", **options)
        page.waits(".areas h3", "On screen menu")
        return page

    def console(self, kiosk, groups=None):
        console = super().console(kiosk, groups)
        self.pictures = console.pictures
        return console

    def give(self, page, width, height, isDropped=False):
        """Gives the page a PNG of this size: drops it on the stage, or chooses it in the dialog for files."""
        path = self.daemon.folder + "/given/picture.png"
        picture(path, width, height)
        with open(path, "rb") as file:
            data = json.dumps(base64.b64encode(file.read()).decode())
        then = ("document.querySelector('.areas-stage').dispatchEvent(new DragEvent('drop', {dataTransfer: list,"
                "bubbles: true, cancelable: true}))" if isDropped else
                "(() => { const input = document.querySelector('#picture-file'); input.files = list.files;"
                "input.dispatchEvent(new Event('change')); })()")
        page.run("(() => { const list = new DataTransfer();"
                 f"list.items.add(new File([Uint8Array.from(atob({data}), (each) => each.charCodeAt(0))], 'a.png'));"
                 f"{then}; }})()")

    def shows_picture(self, page, width):
        until(lambda: page.run("document.querySelector('.areas-stage img')?.naturalWidth") == width,
              lambda: f"a picture {width} wide: {page.text('.areas')}")

    def until_stopped(self, page):
        page.run("document.querySelector('[name=area-lasts][value=no]').click()")

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
        run("touchgridd", "--check", "--config", self.daemon.config)
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
        self.assertEqual(self.daemon.call("GetMasks")["added"], [{"screen": "menu", "rectangle": drawn}])
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

    def test_a_picture_is_given_dropped_and_removed(self):
        page = self.opened()
        self.give(page, WIDTH, HEIGHT)
        self.shows_picture(page, WIDTH)
        # Only now the page knows that the next picture replaces one.
        page.waits(".areas [data-action=remove-picture]")
        self.assertEqual(os.listdir(self.pictures), ["menu.png"])
        self.give(page, 100, 300)
        page.click("dialog [data-action=confirm]", "Replace")
        page.waits(".areas [role=alert]", f"{WIDTH} × {HEIGHT}")
        self.shows_picture(page, WIDTH)
        self.give(page, WIDTH // 2, HEIGHT // 2, isDropped=True)
        page.click("dialog [data-action=confirm]", "Replace")
        self.shows_picture(page, WIDTH // 2)
        page.run("(() => { const list = new DataTransfer(); list.items.add(new File(['no picture'], 'a.png'));"
                 "const input = document.querySelector('#picture-file'); input.files = list.files;"
                 "input.dispatchEvent(new Event('change')); })()")
        page.click("dialog [data-action=confirm]", "Replace")
        page.waits(".areas [role=alert]", "PNG, JPEG")
        self.shows_picture(page, WIDTH // 2)
        page.click(".areas [data-action=remove-picture]")
        page.click("dialog [data-action=confirm]")
        page.gone(".areas-stage img")
        self.assertEqual(os.listdir(self.pictures), [])
        until(lambda: page.run("document.activeElement.dataset.action") == "upload", "the focus on the button beside")
        self.assertEqual(page.complaints(), [])


class AreasInFirefox(Areas):
    browser = FirefoxPage


class AreasInChromium(Areas):
    browser = ChromiumPage

    def test_a_mask_that_is_clicked_is_changed_without_a_gap(self):
        mask = {"screen": "menu", "rectangle": {"x": 100, "y": 100, "width": 400, "height": 400}}
        page = self.opened()
        self.daemon.call("AddMask", mask=mask)
        self.daemon.call("AddMask", mask={"screen": "menu"})
        page.run("document.querySelector('#touchgrid a[href=\"#/health\"]').click()")
        page.run("document.querySelector('#touchgrid a[href=\"#/areas\"]').click()")
        page.waits(".area-table td", "100, 100")
        left, top, scale = self.scale(page)
        # The smallest area at the place is chosen.
        page.drag((left + 300 / scale, top + 300 / scale))
        until(lambda: self.rectangle(page) == [100, 100, 400, 400], lambda: str(self.rectangle(page)))
        # More is masked: no question.
        self.fill(page, "#area-width", "500")
        page.click(".areas [data-action=save]", "Save the change")
        page.waits(".area-table td", "100, 100 · 500 × 400")
        page.drag((left + 300 / scale, top + 300 / scale))
        self.fill(page, "#area-x", "110")
        page.click(".areas [data-action=save]")
        page.waits("dialog", "the former mask")
        page.key("Escape")
        page.gone("dialog")
        page.click(".areas [data-action=save]")
        page.click("dialog [data-action=confirm]")
        page.waits(".area-table td", "110, 100 · 500 × 400")
        mask["rectangle"].update(x=110, width=500)
        self.assertEqual(self.daemon.call("GetMasks")["added"], [{"screen": "menu"}, mask])
        self.assertEqual(page.complaints(), [])

    def test_a_control_gets_another_name_and_place(self):
        pay = {"name": "pay", "rectangle": {"x": 10, "y": 20, "width": 300, "height": 100}}
        self.daemon.call("SetControls", screen="menu", controls=[pay, {**pay, "name": "back"}])
        page = self.opened()
        page.click(".area-table tr:has(bdi) [data-action=change-area]")
        until(lambda: page.run("document.querySelector('#area-name').value") == "pay", "the name in the form")
        self.fill(page, "#area-name", HOSTILE)
        self.fill(page, "#area-y", "30")
        page.click(".areas [data-action=save]")
        page.waits(".area-table bdi", HOSTILE)
        page.gone(".area-table bdi", "pay")
        [found] = self.daemon.call("GetControls")["added"]
        self.assertEqual({each["name"]: each["rectangle"]["y"] for each in found["controls"]}, {"back": 20, HOSTILE: 30})
        # Removal asks first. The focus then is on a button of the next row.
        page.click(".area-table [data-action=remove-area]")
        page.click("dialog [data-action=confirm]")
        page.gone(".area-table bdi", "back")
        until(lambda: page.run("document.activeElement.dataset.action") in ("change-area", "remove-area"), "the focus in the table")
        self.assertEqual(page.complaints(), [])

    def test_a_screen_with_a_hostile_name_is_masked(self):
        page = self.opened()
        page.select("#area-screen", "")
        page.type("x" * 127 + "é")
        page.key("Enter")
        page.waits(".areas [role=alert]", "1 to 128 bytes")
        self.fill(page, "#area-new-screen", HOSTILE)
        page.key("Enter")
        page.waits(".areas h3", HOSTILE)
        page.run("document.querySelector('#area-whole').click()")
        self.until_stopped(page)
        page.click(".areas [data-action=save]")
        page.waits(".area-table td", "the whole screen")
        self.assertEqual(self.daemon.call("GetMasks")["added"], [{"screen": HOSTILE}])
        page.run("document.querySelector('[name=area-lasts][value=yes]').click()")
        page.click(".area-table [data-action=change-area]")
        page.run("document.querySelector('[name=area-lasts][value=yes]').click()")
        page.click(".areas [data-action=save]")
        page.waits(".area-form", "added to")
        self.assertEqual(self.configured()["mask"], [{"screen": HOSTILE}])
        self.assertEqual(page.complaints(), [])

    def test_before_the_setup_masks_are_gathered_and_then_written_at_once(self):
        # Recordings need no setup, so this daemon reads the touchscreens of the machine, and masks all of them.
        self.assertFalse(os.path.exists("/etc/touchgrid/touchgridd.toml"), "this machine has a configuration")
        self.daemon = Daemon()
        self.addCleanup(self.daemon.close)
        self.daemon.start()
        page = CockpitCase.opened(self, self.daemon, "/areas")
        page.waits(".areas", "Mask first")
        self.assertTrue(page.run("document.querySelector('[data-action=begin]').disabled"))
        page.click("#no-secrets")
        self.assertFalse(page.run("document.querySelector('[data-action=begin]').disabled"))
        page.select("#area-screen", "")
        page.type(HOSTILE)
        page.key("Enter")
        page.waits(".areas h3", HOSTILE)
        # No touchscreen is there, so nothing says how large the display is.
        page.waits(".area-form", "only whole screens")
        page.run("document.querySelector('.areas-stage').focus()")
        page.key("Enter")
        self.assertTrue(page.run("document.querySelector('.draft').hidden"))
        page.click(".areas [data-action=save]")
        page.waits(".area-table td", "not saved yet")
        self.assertTrue(page.run("document.querySelector('#mask-unnamed').checked"))
        self.assertEqual(self.daemon.call("GetMasks")["added"], [])
        self.assertEqual(violations(page), [])
        page.save("areas-start")
        page.click("[data-action=begin]")
        page.waits(".areas", "The configuration is written")
        self.assertEqual(self.configured()["mask"], [{"screen": HOSTILE}, {"screen": "default"}])
        self.assertEqual(page.complaints(), [])

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
        self.daemon.start()
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
        page.waits(".area-form [role=alert]", "nothing was changed")
        # In doubt, the daemon masks, and the page shows it.
        page.waits(".area-table td", "until the daemon stops")
        with open(self.daemon.config, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_escape_ends_a_change_and_questions_are_not_answered_by_a_held_key(self):
        pay = {"name": "pay", "rectangle": {"x": 10, "y": 20, "width": 300, "height": 100}}
        self.daemon.call("SetControls", screen="menu", controls=[pay])
        page = self.opened()
        page.click(".area-table [data-action=change-area]")
        until(lambda: page.run("document.querySelector('#area-name').value") == "pay", "the name in the form")
        page.run("document.querySelector('.areas-stage').focus()")
        page.key("Escape")
        self.assertEqual(page.run("document.querySelector('#area-name').value"), "")
        self.until_stopped(page)
        self.choose(page, "mask")
        page.run("document.querySelector('.areas-stage').focus()")
        page.key("Enter")
        page.click(".areas [data-action=save]", "Save")
        page.waits(".area-form", "The mask holds until the daemon stops")
        self.assertEqual(self.daemon.call("GetControls")["added"][0]["controls"], [pay])
        # The next one is for good again.
        self.assertTrue(page.run("document.querySelector('[name=area-lasts][value=yes]').checked"))
        # What loses something is asked, and Enter at once means no.
        page.run("document.querySelector('.area-table tr:has(bdi) [data-action=change-area]').click()")
        self.choose(page, "mask")
        page.click(".areas [data-action=save]", "Save the change")
        page.waits("dialog", "The control becomes a mask")
        self.assertEqual(page.run("document.activeElement.dataset.action"), "cancel")
        page.key("Enter")
        page.gone("dialog")
        self.assertEqual(self.daemon.call("GetControls")["added"][0]["controls"], [pay])
        until(lambda: page.run("document.activeElement.dataset.action") == "save", "the focus where it was")
        self.assertEqual(page.complaints(), [])

    def test_a_control_of_the_same_name_is_replaced_only_after_a_question(self):
        pay = {"name": "pay", "rectangle": {"x": 10, "y": 20, "width": 300, "height": 100}}
        self.daemon.call("SetControls", screen="menu", controls=[pay])
        page = self.opened()
        self.choose(page, "control")
        page.run("document.querySelector('.areas-stage').focus()")
        page.key("Enter")
        drawn = dict(zip(FIELDS, self.rectangle(page)))
        self.fill(page, "#area-name", "pay")
        self.until_stopped(page)
        page.click(".areas [data-action=save]")
        page.click("dialog [data-action=cancel]")
        page.gone("dialog")
        self.assertEqual(self.daemon.call("GetControls")["added"][0]["controls"], [pay])
        page.click(".areas [data-action=save]")
        page.click("dialog [data-action=confirm]", "Replace")
        page.waits(".area-form", "The control holds until the daemon stops")
        self.assertEqual(self.daemon.call("GetControls")["added"][0]["controls"], [{"name": "pay", "rectangle": drawn}])

    def test_proposed_controls_are_drawn_to_be_named_or_dropped(self):
        self.daemon.stop()
        for path in glob.glob(self.daemon.store + "*"):
            os.remove(path)
        replayed(self.daemon.folder, recorded(self.daemon.folder, "days", days=20, visits=8), isDescribed=False)
        self.daemon.start()
        page = self.opened()
        rows = ".area-table tr:has([data-action=change-area])"
        page.waits(rows, "1: ")
        spots = json.loads(run("touchgrid", "control", "--propose", "--json", "--screen", "menu", "--socket",
                               self.daemon.socket).stdout)["screens"][0]["spots"]
        self.assertGreaterEqual(len(spots), 3)
        self.assertEqual(page.run("document.querySelectorAll('.areas-stage .area.proposed').length"), len(spots))
        # One is dropped, without a question.
        page.run(f"document.querySelectorAll('{rows} [data-action=remove-area]')[1].click()")
        until(lambda: page.run("document.querySelectorAll('.area.proposed').length") == len(spots) - 1, "one spot less")
        # Another is chosen on the picture, named and saved.
        left, top, scale = self.scale(page)
        first = spots[0]["rectangle"]
        page.drag((left + (first["x"] + first["width"] / 2) / scale, top + (first["y"] + first["height"] / 2) / scale))
        until(lambda: self.rectangle(page) == [first[field] for field in FIELDS], lambda: str(self.rectangle(page)))
        self.assertEqual(page.run("document.querySelector('#area-name').value"), "")
        self.fill(page, "#area-name", "food")
        self.until_stopped(page)
        page.click(".areas [data-action=save]", "Save")
        page.waits(".area-form", "The control holds until the daemon stops")
        self.assertEqual(self.daemon.call("GetControls")["added"],
                         [{"screen": "menu", "controls": [{"name": "food", "rectangle": first}]}])
        self.assertEqual(page.run("document.querySelectorAll('.area.proposed').length"), len(spots) - 2)
        # When the view is opened again, only the described one is proposed no longer.
        page.run("location.hash = '#/live'")
        page.run("location.hash = '#/areas'")
        until(lambda: page.run("document.querySelectorAll('.area.proposed').length") == len(spots) - 1, "the other spots")
        self.assertEqual(page.complaints(), [])

    def test_a_mask_of_a_display_that_is_not_there_can_be_removed(self):
        self.daemon.call("AddMask", mask={"screen": "menu", "display": "another"})
        page = self.opened()
        page.waits(".area-table td", "(not there)")
        self.assertEqual(page.run("document.querySelectorAll('.area-table [data-action=change-area]').length"), 0)
        self.assertEqual(page.run("document.querySelectorAll('.areas-stage .area').length"), 0)
        page.click(".area-table [data-action=remove-area]")
        page.click("dialog [data-action=confirm]", "Remove")
        page.waits(".area-table", "no masks")
        self.assertEqual(self.daemon.call("GetMasks")["added"], [])

    def test_a_user_without_the_role_is_told_the_group(self):
        page = self.opened(groups=[GROUPS["read"]])
        page.run("document.querySelector('#area-whole').click()")
        page.run("document.querySelector('[name=area-lasts][value=no]').click()")
        page.click(".areas [data-action=save]")
        page.waits(".area-form [role=alert]", GROUPS["app"])

    def test_without_administrative_access_the_page_says_how_to_get_it(self):
        with open(self.daemon.config, "rb") as file:
            before = file.read()
        page = self.opened(groups=[GROUPS["read"], GROUPS["app"]])
        page.run("document.querySelector('#area-whole').click()")
        page.click(".areas [data-action=save]")
        page.waits(".area-form [role=alert]", "Limited access")
        with open(self.daemon.config, "rb") as file:
            self.assertEqual(file.read(), before)
        # What holds until the daemon stops needs no more than the role.
        self.until_stopped(page)
        page.click(".areas [data-action=save]")
        page.waits(".area-table td", "until the daemon stops")
        self.assertEqual(self.daemon.call("GetMasks")["added"], [{"screen": "menu"}])
        self.assertNotIn("mask", self.configured())

    def test_no_state_of_the_view_has_a_barrier(self):
        with open(self.daemon.config, "a", encoding="utf-8") as file:
            file.write('[[mask]]\nscreen = "menu"\nx = 1\ny = 2\nwidth = 300\nheight = 400\n'
                       '[[control]]\nscreen = "menu"\nname = "pay"\nx = 500\ny = 200\nwidth = 300\nheight = 100\n')
        self.daemon.kill()
        self.daemon.start()
        page = self.opened()
        page.run("document.querySelector('.areas-stage').focus()")
        page.key("Enter")
        self.choose(page, "control")
        for style in ("light", "dark"):
            page.style(style)
            for width, name in ((1280, "wide"), (390, "narrow")):
                page.sized(width, 900)
                page.save(f"areas-drawn-{style}-{name}")
                self.assertEqual(violations(page, runOnly=["wcag2a", "wcag2aa", "wcag22aa", "best-practice"]), [], style)
                self.assertLessEqual(page.overflow(), 0, name)


del Areas
