"""The page of `touchgrid report` in a real Chromium: its maps, its screenshots, and its safety
against hostile names."""

import os

import report_page
from touchgrid_test.report_store import HOSTILE, decoded, drawn, picture, run
from touchgrid_test.waiting import until


def setUpModule():
    global folder, store, report, chromium
    folder, store, _, report, chromium = report_page.made()


tearDownModule = report_page.removed


class Page(report_page.Shown):
    def test_names_with_markup_are_shown_as_text_and_not_run(self):
        self.show()
        names = chromium.run("[...document.querySelectorAll('.screen h3')].map((name) => name.textContent)")
        for name in HOSTILE.values():
            self.assertIn(name, names)
        self.assertEqual(chromium.run("[typeof hacked, document.images.length, document.scripts.length]"),
                         ["undefined", 0, 2])
        self.assertEqual(chromium.run("document.title"), "</title><script>hacked=1</script>")

    def test_the_page_fits_a_phone(self):
        self.show(390, 844, 2)
        chromium.run("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        self.settle()
        self.assertEqual(chromium.run("document.documentElement.scrollWidth"), 390)
        self.assertEqual(chromium.run(
            "[...document.querySelectorAll('.stage:not(.small)')].filter((stage) =>"
            "stage.clientWidth < 200 || Math.abs(stage.clientWidth / stage.clientHeight"
            " - parseFloat(stage.style.getPropertyValue('--shape'))) > 0.02).length"), 0)

    def test_no_line_is_above_the_head_of_a_table(self):
        self.show()
        self.assertEqual(chromium.run(
            "[...document.querySelectorAll('thead')].map((head) => Math.max(...[...head.rows[0].cells]"
            ".map((cell) => parseFloat(getComputedStyle(cell).borderTopWidth)))).filter((width) => width)"), [])

    def test_each_geometry_of_a_screen_has_a_map_of_its_own(self):
        self.show()
        shapes = chromium.run("sections.filter(({screen}) => screen.screen === 'product')"
                              ".map(({stage}) => stage.clientWidth / stage.clientHeight).sort()")
        self.assertEqual(len(shapes), 2)
        self.assertAlmostEqual(shapes[0], 800 / 1280, 2)
        self.assertAlmostEqual(shapes[1], 1280 / 800, 2)

    def test_a_screen_that_was_never_touched_says_so(self):
        self.show()
        number = self.number("advert")
        self.assertEqual(chromium.run(f"sections[{number}].absence.textContent"),
                         "Shown, but nothing was counted")
        self.assertEqual(chromium.run(
            f"sections[{number}].canvas.getContext('2d').getImageData(0, 0, 400, 300).data"
            ".some((part) => part)"), False)

    def test_untouched_blocks_are_marked_on_request(self):
        self.show()
        number = self.number("product")
        sums, _ = decoded(next(screen for screen in report["screens"] if screen["screen"] == "product"
                               and not screen["geometry"]["rotation"])["maps"]["all"]["layers"]["taps"], 4000)
        before = self.colour(number, sums.index(0))
        chromium.run("document.querySelector('.tick input').click()")
        self.settle()
        self.assertNotEqual(self.colour(number, sums.index(0)), before)
        self.assertIn(f"{sums.count(0):,} of 4,000 blocks", chromium.run(
            f"[...sections[{number}].numbers.children].map((part) => part.title).join()"))

    def test_smooth_maps_spread_touches_and_leave_the_numbers(self):
        self.show()
        number = self.number("product")
        view = f"sections[{number}].view"
        most, beside = chromium.run(f'''(() => {{
          const {{values, grid}} = {view}, {{columns}} = grid.screen.geometry;
          const most = values.indexOf(Math.max(...values));
          const beside = [most - 1, most + 1, most - columns, most + columns].find((block) => !values[block]
            && !grid.masked[block]) ?? null;
          return [most, beside]; }})()''')
        numbers = chromium.run(report_page.rows(number))
        self.assertIn("per 100 sessions", chromium.run(f"sections[{number}].columns().map(({{title}}) => title).join()"))
        before = self.colour(number, most if beside is None else beside)
        sum_before = chromium.run(f"{view}.values.reduce((sum, value) => sum + value, 0)")
        chromium.run(f"{report_page.SMOOTH}.click()")
        self.settle()
        self.assertNotEqual(self.colour(number, most if beside is None else beside), before)
        self.assertEqual(chromium.run(report_page.rows(number)), numbers)
        self.assertAlmostEqual(
            chromium.run(f"{view}.shown.reduce((sum, value) => sum + value, 0)"), sum_before, delta=1e-6 * sum_before)

    def test_every_touched_block_is_drawn_however_small_the_map(self):
        self.show()
        number = self.number("product")
        # Draws 80 x 50 blocks on 24 x 15 pixels.
        shares, wrong, masks = chromium.run(
            f"""(() => {{
              const canvas = document.createElement('canvas');
              canvas.style.cssText = 'width: 24px; height: 15px';
              canvas.getContext('2d', {{willReadFrequently: true}});
              sections[{number}].stage.append(canvas);
              const drawn = (section) => {{
                draw(canvas, section.screen, section.view, settings, 1);
                return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              }};
              const {{view, screen: {{geometry}}}} = sections[{number}], data = drawn(sections[{number}]);
              const pixel = (place, count, pixels) => Math.round(place / count * pixels);
              const most = new Map();
              let shares = 0;
              view.values.forEach((value, block) => {{
                if (!value) return;
                const x = pixel(block % geometry.columns, geometry.columns, canvas.width);
                const y = pixel(Math.floor(block / geometry.columns), geometry.rows, canvas.height);
                const at = Math.min(x, canvas.width - 1) + canvas.width * Math.min(y, canvas.height - 1);
                if (most.has(at)) shares++;
                most.set(at, Math.max(value, most.get(at) ?? 0));
              }});
              const wrong = [...most].filter(([at, value]) =>
                colourAt(view.scale.position(value)) !== `rgb(${{[...data.slice(4 * at, 4 * at + 3)].join(' ')}})`);
              const hatched = drawn(sections[{self.number("checkout/pay")}]);
              canvas.remove();
              return [shares, wrong, hatched.filter((part, index) => index % 4 === 3 && part).length];
            }})()""")
        self.assertGreater(shares, 0)
        self.assertEqual(wrong, [])
        # The mask of the keypad covers at least this many of the pixels.
        self.assertGreaterEqual(masks, 8 * 5)

    def test_masked_blocks_look_unlike_untouched_ones(self):
        self.show()
        number = self.number("checkout/pay")
        # The blocks at the top left and the bottom right of the keypad's mask in
        # Recordings/kiosk-month.toml, and the block to the left of the former.
        first, last, beside = 16 * 80 + 11, 33 * 80 + 39, 16 * 80 + 10
        for block in (first, last):
            self.assertEqual(self.hover(number, block)[0], "Masked: positions are not recorded here")
            self.assertGreater(self.colour(number, block)[3], 0)
        self.assertEqual(self.hover(number, beside)[0], "No taps")
        self.assertEqual(self.colour(number, beside)[3], 0)
        self.assertIn("masked", chromium.run(f"sections[{number}].legend.textContent"))
        self.assertIn("of 3,478 blocks", chromium.run(
            f"[...sections[{number}].numbers.children].map((part) => part.title).join()"))
        self.assertNotIn("masked", chromium.run(f"sections[{self.number('product')}].legend.textContent"))
        # The totals on the page include the number of masked touches.
        masked = sum(day["totals"]["masked"] for day in report["days"])
        self.assertGreater(masked, 0)
        self.assertIn(f"{masked}masked", chromium.run("document.querySelector('.equation').textContent"))

    def test_the_page_works_with_the_keyboard_alone(self):
        self.show()
        number = self.number("product")
        chromium.run(f"sections[{number}].stage.focus()")
        said = "document.getElementById('said').textContent"
        chromium.key("ArrowRight", 39)
        first = chromium.run(said)
        self.assertRegex(first, r"^\d.* taps per 100 sessions\. \d+ taps in all\. .* Block \d+, \d+ · points")
        chromium.key("ArrowRight", 39)
        chromium.key("ArrowDown", 40, modifiers=8)
        self.assertNotEqual(chromium.run(said), first)
        self.assertFalse(chromium.run(f"sections[{number}].mark.hidden"))
        chromium.key("Escape", 27)
        self.assertTrue(chromium.run(f"sections[{number}].tip.hidden"))
        chromium.run("document.querySelector('input[name=layer]:checked').focus()")
        chromium.key("ArrowRight", 39)
        self.assertEqual(chromium.run("settings.layer"), "trail")
        self.assertIn("Trail", chromium.run(said))
        self.assertEqual(chromium.run("document.querySelectorAll('table:not(:has(caption))').length"), 0)

    def test_the_printed_page_has_maps_and_tables_and_no_controls(self):
        self.show()
        self.choose(layer="dwell")
        chromium.sized(794, 1123, scheme="dark", media="print")
        self.settle()
        shown = ("(query) => [...document.querySelectorAll(query)]"
                 ".filter((part) => part.checkVisibility()).length")
        for query in (".toolbar", "select", "button", "input", ".tip", "details"):
            self.assertEqual(chromium.run(f"({shown})('{query}')"), 0, query)
        touched = chromium.run("sections.filter(({view}) => view.scale.most).length")
        self.assertEqual(chromium.run(f"({shown})('.side table')"), touched)
        self.assertEqual(chromium.run(f"({shown})('.screen canvas')"), len(report["screens"]))
        self.assertIn("Dwell", chromium.run("document.querySelector('.printed').innerText"))
        self.assertEqual(chromium.run("getComputedStyle(document.body).backgroundColor"),
                         "rgb(255, 255, 255)")
        chromium.sized(1280, 900)
        self.assertGreater(len(chromium.call("Page.printToPDF", printBackground=True)["data"]), 50_000)


class Screenshots(report_page.Shown):
    def test_screenshots_of_the_right_shape_lie_below_their_maps(self):
        shots = folder + "/shots"
        picture(shots + "/product.png", 1280, 800)
        # The size of the rotated display in points: 1280 x 800 pixels at a scale of 1.5.
        picture(shots + "/product@533x853.png", 533, 853, (200, 80, 40))
        picture(shots + "/checkout/pay.png", 800, 600)
        for kind, name in (("jpeg", "catalogue.jpg"), ("webp", "welcome.webp")):
            drawn(chromium, f"{shots}/{name}", kind)
        picture(shots + "/a/main menu.png", 1280, 800)
        picture(shots + "/product.jpg", 1280, 800)
        os.symlink("/", shots + "/root")
        path = folder + "/illustrated.html"
        result = run("touchgrid", "report", "-o", path, "--store", store, "--sessions", "0", "--since", "12d",
                     "--screens", shots)
        said = result.stderr.decode()
        self.assertIn("the screen's name is not a valid file name", said)
        self.assertIn(f"unused in {shots}: a/main menu.png, product.jpg; a picture is named after", said)
        self.show(path=path)
        until(lambda: chromium.run("[...document.images].every((image) => image.complete)"), "pictures")
        images = chromium.run("[...document.images].map((image) => image.naturalWidth).sort((a, b) => a - b)")
        # Each picture of the right shape appears on its card and below its map.
        self.assertEqual(images, [533] * 2 + [1280] * 6)
        self.assertIn("has 800 x 600 pixels", chromium.run(
            f"sections[{self.number('checkout/pay')}].element.querySelector('.remark').textContent"))
        number = self.number("product")
        opacity = f"getComputedStyle(sections[{number}].canvas).opacity"
        chromium.run(f"(() => {{ const range = sections[{number}].element.querySelector('[type=range]');"
                     "range.value = 30; range.dispatchEvent(new Event('input')); })()")
        self.assertEqual(chromium.run(opacity), "0.3")
