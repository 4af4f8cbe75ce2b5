"""`touchgrid report` in a real Chromium: its numbers, its maps, and its safety against hostile
names."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from browser import Chromium
from report_store import (HOSTILE, decoded, embedded, from_csv, from_page, picture, recorded, replayed, run,
                          talking)
from support import BINARIES, ROOT, until

LAYERS = ("taps", "trail", "dwell")


def setUpModule():
    """Makes a store of nine days on one geometry and two days on another. The names of the
    screens on the latter are hostile."""
    global folder, store, page, report, chromium
    folder = tempfile.mkdtemp(prefix="touchgrid-report.")
    store = replayed(folder, recorded(folder, "days", days=9, visits=1.2))
    replayed(folder, recorded(folder, "turned", days=2, visits=3, seed=3, renamed=HOSTILE),
             geometry="rotation = 90\nscale = 1.5\n")
    page = folder + "/report.html"
    run("touchgrid", "report", "-o", page, "--store", store, "--sessions", "12", "--title",
        "</title><script>hacked=1</script>")
    report = embedded(page)
    # Hide scroll bars, because they take up space on some machines only.
    chromium = Chromium("--hide-scrollbars")
    for domain in ("Page", "Log", "Network"):
        chromium.call(f"{domain}.enable")


def tearDownModule():
    chromium.close()
    shutil.rmtree(folder)


class Shown(unittest.TestCase):
    def show(self, width=1280, height=900, ratio=1, scheme="light", path=None):
        chromium.said.clear()
        chromium.sized(width, height, ratio, scheme)
        chromium.load(path or page)

    def tearDown(self):
        """Checks after each test that the page fetched nothing and reported no error."""
        chromium.call("Runtime.evaluate", expression="0")
        asked = [message["params"]["request"]["url"] for message in chromium.said
                 if message["method"] == "Network.requestWillBeSent"]
        self.assertEqual([url for url in asked if not url.startswith(("file:", "data:"))], [])
        self.assertLessEqual(sum(url.startswith("file:") for url in asked), 1)
        self.assertEqual([message for message in chromium.said if message["method"] in (
            "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")], [])

    def settle(self):
        """Waits until the page has painted its changes."""
        chromium.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
                     ".then(() => 0)")

    def number(self, name, rotation=0):
        """Returns the index of the page's section for a screen."""
        return chromium.run(f"report.screens.findIndex((screen) => screen.screen === {json.dumps(name)}"
                            f" && screen.geometry.rotation === {rotation})")

    def choose(self, **settings):
        """Changes settings through the page's controls, as a reader does."""
        for name, value in settings.items():
            if name in ("layer", "scale"):
                chromium.run(f"document.querySelector('input[name={name}][value={value}]').click()")
            else:
                chromium.run(f"(() => {{ const list = document.getElementById('{name}');"
                             f"list.value = {json.dumps(value)}; list.dispatchEvent(new Event('change')); }})()")
        self.settle()

    def hover(self, number, block):
        """Points at the middle of a block and returns the texts of the tooltip, or None if there
        is no tooltip."""
        at = chromium.run(
            f"""(() => {{
              const {{stage, screen: {{geometry}}}} = sections[{number}];
              stage.scrollIntoView({{block: 'center', behavior: 'instant'}});
              const box = stage.getBoundingClientRect(), size = geometry.blockSize;
              const middle = (place, points) =>
                (place * size + Math.min((place + 1) * size, points)) / 2 / points;
              return [
                box.left + box.width * middle({block} % geometry.columns, geometry.width),
                box.top + box.height * middle(Math.floor({block} / geometry.columns), geometry.height)];
            }})()""")
        chromium.point(*at)
        self.settle()
        return chromium.run(f"sections[{number}].tip.hidden ? null"
                            f" : [...sections[{number}].tip.children].map((part) => part.textContent)")

    def colour(self, number, block):
        """Returns the colour of the canvas at the middle of a block."""
        return chromium.run(
            f"""(() => {{
              const {{canvas, screen: {{geometry}}}} = sections[{number}], size = geometry.blockSize;
              const x = ({block} % geometry.columns + 0.5) * size / geometry.width * canvas.width;
              const y = (Math.floor({block} / geometry.columns) + 0.5) * size / geometry.height * canvas.height;
              const probe = document.createElement('canvas').getContext('2d', {{willReadFrequently: true}});
              probe.drawImage(canvas, Math.floor(x), Math.floor(y), 1, 1, 0, 0, 1, 1);
              return [...probe.getImageData(0, 0, 1, 1).data];
            }})()""")


class Numbers(Shown):
    def test_numbers_equal_those_of_heatmap_for_every_screen_layer_and_choice(self):
        day = next(choice["id"] for choice in report["choices"] if choice["kind"] == "day")
        session = report["sessions"][0]
        for layer in LAYERS:
            everything = from_csv(store, layer)
            self.assertGreater(len(everything), 8)
            self.assertEqual(from_page(report, "all", layer), everything)
            self.assertEqual(from_page(report, day, layer),
                             from_csv(store, layer, "--since", day, "--until", day))
            self.assertEqual(from_page(report, session["choice"], layer),
                             from_csv(store, layer, "--session", session["id"]))

    def test_tooltips_and_colours_agree_with_the_numbers(self):
        for width, ratio in ((1280, 1), (390, 2), (1280, 2)):
            self.show(width, 844, ratio)
            last = [int(part) for part in chromium.run("colourAt(0.95)")[4:-1].split()] + [255]
            for layer, units in (("taps", "tap"), ("trail", "entr"), ("dwell", "ms")):
                self.choose(layer=layer)
                grids = from_page(report, "all", layer)
                for name, rotation in (("product", 0), ("product", 90)):
                    (sums, sessions), = (grid for key, grid in grids.items()
                                         if key[0] == name and key[5] == rotation)
                    number = self.number(name, rotation)
                    best = max(range(len(sums)), key=sums.__getitem__)
                    least = min((block for block in range(len(sums)) if sums[block]),
                                key=sums.__getitem__)
                    for block in (best, least):
                        told = self.hover(number, block)
                        columns = chromium.run(f"sections[{number}].screen.geometry.columns")
                        self.assertIn(f"{sums[block]:,} {units}", " ".join(told[:2]))
                        self.assertIn(f"of {sessions} session", told[2])
                        self.assertTrue(
                            told[-1].startswith(f"Block {block % columns}, {block // columns} · "), told)
                        self.assertEqual(self.colour(number, block)[3], 255)
                    self.assertEqual(self.colour(number, best), last)
                    untouched = sums.index(0)
                    self.assertEqual(self.colour(number, untouched), [0, 0, 0, 0])
                    self.assertEqual(len(self.hover(number, untouched)), 2)

    def test_maps_and_numbers_change_with_layer_value_and_sessions(self):
        self.show()
        number = self.number("product")
        what = (f"[sections[{number}].canvas.toDataURL(), sections[{number}].legend.textContent,"
                f"sections[{number}].top.textContent, sections[{number}].numbers.textContent]")
        seen = [chromium.run(what)]
        for choice in ({"layer": "trail"}, {"layer": "dwell"}, {"value": "sum"}, {"value": "rate"}):
            self.choose(**choice)
            seen.append(chromium.run(what))
            self.assertNotEqual(seen[-1][1:3], seen[-2][1:3])
        self.assertEqual(len({canvas for canvas, *_ in seen[:3]}), 3)
        self.choose(scale="linear")
        self.assertNotEqual(chromium.run(what)[:2], seen[-1][:2])
        self.choose(layer="taps", value="sum", scale="log", choice=next(
            session["choice"] for session in reversed(report["sessions"]) if any(
                screen["screen"] == "product" and not screen["geometry"]["rotation"]
                and session["choice"] in screen["maps"] for screen in report["screens"])))
        after = chromium.run(what)
        self.assertTrue(all(new != old for new, old in zip(after, seen[0])), after[1:])
        self.assertTrue(after[1].startswith("1 session · "), after[1])


class Page(Shown):
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
        numbers = chromium.run(f"sections[{number}].top.textContent")
        before = self.colour(number, most if beside is None else beside)
        sum_before = chromium.run(f"{view}.values.reduce((sum, value) => sum + value, 0)")
        chromium.run("[...document.querySelectorAll('.tick')].find((tick) => tick.textContent === 'Smooth').firstChild.click()")
        self.settle()
        self.assertNotEqual(self.colour(number, most if beside is None else beside), before)
        self.assertEqual(chromium.run(f"sections[{number}].top.textContent"), numbers)
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
        self.assertRegex(first, r"^\d.* taps per session\. \d+ taps in all\. .* Block \d+, \d+ · points")
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
        # Every control has an accessible name, and so has every table.
        self.assertEqual(chromium.run(
            "[...document.querySelectorAll('input, select, button, summary, a, [tabindex]')]"
            ".filter((part) => !(part.getAttribute('aria-label') || part.labels?.[0]?.textContent"
            " || part.textContent).trim()).map((part) => part.outerHTML)"), [])
        self.assertEqual(chromium.run("document.querySelectorAll('table:not(:has(caption))').length"), 0)

    def test_text_has_enough_contrast_in_light_and_dark_mode(self):
        contrast = """(() => {
          const probe = document.body.appendChild(document.createElement('p'));
          const light = (name) => {
            probe.style.color = `var(${name})`;
            const [red, green, blue] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((channel) => {
              const part = channel / 255;
              return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const found = [];
          for (const ink of ['--ink', '--quiet', '--accent']) {
            for (const ground of ['--paper', '--card', ...(ink === '--ink' ? ['--field'] : [])]) {
              const [low, high] = [light(ink), light(ground)].sort((a, b) => a - b);
              found.push((high + 0.05) / (low + 0.05));
            }
          }
          const ground = light('--paper');
          probe.remove();
          return [Math.min(...found), ground];
        })()"""
        grounds = []
        for scheme in ("light", "dark"):
            self.show(scheme=scheme)
            # WCAG 2.2, 1.4.3 requires a contrast of 4.5.
            least, ground = chromium.run(contrast)
            self.assertGreater(least, 4.5)
            grounds.append(ground)
        self.assertGreater(grounds[0], 0.8)
        self.assertLess(grounds[1], 0.05)

    def test_a_report_of_some_weekdays_and_hours_says_so(self):
        chosen = ("--store", store, "--weekdays", "wed-fri", "--hours", "10-18")
        path = folder + "/mornings.html"
        run("touchgrid", "report", "-o", path, *chosen)
        sessions = json.loads(run("touchgrid", "sessions", "--json", *chosen).stdout)["sessions"]
        self.assertGreater(len(sessions), 0)
        self.assertLess(len(sessions), sum(day["sessions"] for day in report["days"]))
        days = embedded(path)["days"]
        self.assertEqual(sum(day["sessions"] for day in days), len(sessions))
        self.assertEqual([hour for day in days for hour, count in enumerate(day["hours"])
                          if count and not 10 <= hour < 18], [])
        self.show(path=path)
        self.assertEqual(chromium.run("[...document.querySelectorAll('.head .tag')].map((tag) => tag.textContent)"),
                         ["Wed-Fri", "10:00 to 17:59"])
        self.assertIn(f"{len(sessions)}sessions", chromium.run("document.querySelector('.figures').textContent"))

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
        self.assertEqual(chromium.run(f"({shown})('.top table')"), touched)
        self.assertEqual(chromium.run(f"({shown})('.screen canvas')"), len(report["screens"]))
        self.assertIn("Dwell", chromium.run("document.querySelector('.printed').innerText"))
        self.assertEqual(chromium.run("getComputedStyle(document.body).backgroundColor"),
                         "rgb(255, 255, 255)")
        chromium.sized(1280, 900)
        self.assertGreater(len(chromium.call("Page.printToPDF", printBackground=True)["data"]), 50_000)


class WithoutTotals(Shown):
    def test_the_page_states_only_what_is_known(self):
        """Removes the totals of some days from the data. In old stores, days have no totals, and
        they cannot be computed once the sessions are dropped."""
        with open(page, encoding="utf-8") as file:
            text = file.read()
        start = text.index('id="touchgrid-data">') + len('id="touchgrid-data">')
        end = text.index("</script>", start)

        def without(days):
            changed = json.loads(text[start:end])
            for day in changed["days"][:days]:
                day["totals"] = day["hours"] = None
            path = folder + "/lost.html"
            with open(path, "w", encoding="utf-8") as file:
                file.write(text[:start] + json.dumps(changed).replace("<", "\\u003c") + text[end:])
            self.show(path=path)
            return chromium.run("[document.querySelector('.figures').innerText,"
                                "document.querySelector('[aria-labelledby=books]').innerText,"
                                "document.querySelector('.charts').innerText]")

        def total(name, days):
            return sum(day["totals"][name] for day in days)

        days = report["days"]
        sessions = sum(day["sessions"] for day in days)
        figures, totals, charts = without(0)
        self.assertIn(f"{total('begun', days)}\ntouches", figures)
        self.assertIn("The totals add up: every touch that began is accounted for.", totals)
        self.assertNotIn("unknown", (totals + charts).lower())

        lost = days[:3]
        figures, totals, charts = without(3)
        # The maps contain only the counted touches of these days, so there may have been more.
        least = total("begun", days[3:]) + total("counted", lost)
        self.assertIn(f"at least {least}\ntouches", figures)
        self.assertIn(f"This is known of {len(days) - 3} of {len(days)} days. Of the other 3 days "
                      f"({sum(day['sessions'] for day in lost)} sessions) only the maps are left", totals)
        self.assertIn(f"{total('masked', days[3:])}\nmasked", totals)
        self.assertIn("every touch that began on these days is accounted for", totals)
        known = sessions - sum(day["sessions"] for day in lost)
        self.assertIn(f"{known} of {sessions} sessions; the hours of the others are unknown", charts)

        figures, totals, charts = without(len(days))
        self.assertIn(f"at least {total('counted', days)}\ntouches", figures)
        self.assertIn(f"Of these {len(days)} days only the maps are left", totals)
        self.assertNotIn("add up", totals)
        self.assertNotIn("begun", totals)
        self.assertIn("Unknown", charts)


class Screenshots(Shown):
    def test_screenshots_of_the_right_shape_lie_below_their_maps(self):
        shots = folder + "/shots"
        picture(shots + "/product.png", 1280, 800)
        # The size of the rotated display in points: 1280 x 800 pixels at a scale of 1.5.
        picture(shots + "/product@533x853.png", 533, 853, (200, 80, 40))
        picture(shots + "/checkout/pay.png", 800, 600)
        picture(folder + "/passwd.png", 1280, 800)
        talking(chromium, shots, "catalogue", "welcome")
        os.makedirs(shots + "/a")
        picture(shots + "/a/main menu.png", 1280, 800)
        picture(shots + "/product.jpg", 1280, 800)
        os.symlink("/", shots + "/root")
        with open(shots + "/menu.png", "w") as file:
            file.write("<svg onload='hacked=1'>")
        path = folder + "/illustrated.html"
        result = run("touchgrid", "report", "-o", path, "--store", store, "--sessions", "0", "--since", "12d",
                     "--screens", shots)
        said = result.stderr.decode()
        self.assertIn("checkout/pay.png has 800 x 600 pixels, but for this display it must have the shape of 1280 x 800.",
                      said)
        self.assertIn("menu.png is not a PNG, JPEG or WebP file", said)
        self.assertIn("the screen's name is not a valid file name", said)
        self.assertIn(f"unused in {shots}: a/main menu.png, product.jpg; a picture is named after", said)
        self.show(path=path)
        until(lambda: chromium.run("[...document.images].every((image) => image.complete)"), "pictures")
        images = chromium.run("[...document.images].map((image) => image.naturalWidth).sort((a, b) => a - b)")
        # Each picture appears on its card and below its map. The report contains only pictures of
        # the right shape, without their metadata.
        self.assertEqual(images, [533] * 2 + [1280] * 6)
        for screen in embedded(path)["screens"]:
            data = base64.b64decode((screen["screenshot"] or {"data": ""})["data"])
            self.assertEqual([word for word in (b"Exif", b"by Ada", b"profile") if word in data], [])
        self.assertIn("has 800 x 600 pixels", chromium.run(
            f"sections[{self.number('checkout/pay')}].element.querySelector('.remark').textContent"))
        number = self.number("product")
        opacity = f"getComputedStyle(sections[{number}].canvas).opacity"
        chromium.run(f"(() => {{ const range = sections[{number}].element.querySelector('[type=range]');"
                     "range.value = 30; range.dispatchEvent(new Event('input')); })()")
        self.assertEqual(chromium.run(opacity), "0.3")


class Nothing(Shown):
    def test_an_empty_store_gives_a_page_without_screens(self):
        empty = folder + "/empty"
        os.mkdir(empty)
        recording = empty + "/none.evemu"
        lines = (ROOT / "Recordings/kiosk-demo.evemu").read_text().splitlines(keepends=True)
        with open(recording, "w") as file:
            file.writelines(line for line in lines if not line.startswith(("E:", "# touchgrid-screen")))
        path = empty + "/report.html"
        result = run("touchgrid", "report", "-o", path, "--store", replayed(empty, recording))
        self.assertIn("the store has no sessions", result.stderr.decode())
        self.show(path=path)
        self.assertIn("No session began in this time", chromium.run("document.body.innerText"))
        self.assertEqual(embedded(path)["screens"], [])


class Command(unittest.TestCase):
    def test_a_report_goes_to_standard_output_and_a_failed_one_leaves_no_file(self):
        piped = run("touchgrid", "report", "-o", "-", "--store", store, "--sessions", "0", "--until", "2d")
        self.assertTrue(piped.stdout.startswith(b"<!doctype html>"))
        self.assertTrue(piped.stdout.rstrip().endswith(b"</html>"))
        failed = subprocess.run(
            [BINARIES / "touchgrid", "report", "-o", folder + "/no.html", "--store", folder + "/no.db"],
            capture_output=True)
        self.assertEqual(failed.returncode, 1)
        self.assertFalse(os.path.exists(folder + "/no.html"))

    def test_the_documented_script_reads_the_numbers_of_the_page(self):
        text = (ROOT / "docs/report.md").read_text()
        code = text.split("```python\n")[1].split("```")[0]
        said = subprocess.run(["python3", "-c", code, page], check=True, capture_output=True,
                              text=True).stdout
        for (name, *_), (sums, sessions) in from_csv(store, "taps").items():
            self.assertIn(f"{name} {sum(sums)} {max(sums)} {sessions}\n", said)


del Shown
if __name__ == "__main__":
    unittest.main()
