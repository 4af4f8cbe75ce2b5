"""The texts of the page: the template for translators is complete. `test_translated` translates them."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from texts import PAGE, REPORT, TEMPLATE, TOOL, calls, used


class Texts(unittest.TestCase):
    def test_the_template_has_every_text(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder, "texts.pot")
            subprocess.run([TOOL, "template", made], check=True, capture_output=True)
            self.assertEqual(made.read_text(), TEMPLATE.read_text(), "run: scripts/cockpit-texts template")

    def test_xgettext_has_lost_no_text(self):
        # After some template strings, xgettext 0.21 skips the rest of a file without a word.
        entries = re.findall(r'^msgid(?:_plural)? ((?:"(?:[^"\\]|\\.)*"\n)+)', TEMPLATE.read_text(), re.M)
        known = {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', entry)).replace('\\"', '"') for entry in entries}
        for folder in (PAGE, REPORT):
            count = 0
            for module in folder.rglob("*.js"):
                for text in (text for texts in used(module) for text in texts):
                    self.assertIn(text, known, module)
                    count += 1
            self.assertGreater(count, 100)

    def test_every_text_is_a_literal(self):
        for module in (*PAGE.rglob("*.js"), *REPORT.rglob("*.js")):
            self.assertEqual(len(used(module)), calls(module), module)

    def test_no_element_has_a_text_that_cannot_be_translated(self):
        literal = re.compile(r"""(?:\b(?:text|title|label|placeholder|alt)|'aria-[a-z]*label'|'aria-roledescription'): """
                             r"""(?:'([^']*)'|`([^`]*)`)""")
        for module in (*PAGE.rglob("*.js"), *REPORT.rglob("*.js")):
            for match in literal.finditer(module.read_text()):
                words = re.sub(r"\$\{[^}]*\}", "", match[1] or match[2] or "")
                self.assertFalse(re.search(r"[A-Za-z]", words) and words != "Touchgrid", f"{module}: {match[0]}")
