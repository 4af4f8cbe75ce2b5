"""The texts of the page: the template for translators is complete, and a translation gets to Cockpit's form."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from support import ROOT

TOOL, TEMPLATE = ROOT / "scripts/cockpit-texts", ROOT / "cockpit/po/cockpit-touchgrid.pot"


class Texts(unittest.TestCase):
    def test_the_template_has_every_text(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder, "texts.pot")
            subprocess.run([TOOL, "template", made], check=True, capture_output=True)
            self.assertEqual(made.read_text(), TEMPLATE.read_text(), "run: scripts/cockpit-texts template")

    def test_xgettext_has_lost_no_text(self):
        # After some template strings, xgettext 0.21 skips the rest of a file without a word.
        entries = re.findall(r'^msgid ((?:"(?:[^"\\]|\\.)*"\n)+)', TEMPLATE.read_text(), re.M)
        known = {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', entry)) for entry in entries}
        count = 0
        for path in (ROOT / "cockpit").rglob("*.js"):
            for parts in re.findall(r"\b_\(((?:\s*\+?\s*'(?:[^'\\]|\\.)*')+)", path.read_text()):
                text = "".join(re.findall(r"'((?:[^'\\]|\\.)*)'", parts)).replace("\\'", "'").replace('"', '\\"')
                self.assertIn(text, known, path)
                count += 1
        self.assertGreater(count, 100)

    def test_a_translation_becomes_a_script_for_cockpit(self):
        text = TEMPLATE.read_text().replace('"Language: \\n"', '"Language: de\\n"')
        text = text.replace("#, fuzzy\n", "").replace("nplurals=INTEGER; plural=EXPRESSION", "nplurals=2; plural=n != 1")
        text = re.sub(r'msgid "Health"\nmsgstr ""', 'msgid "Health"\nmsgstr "Zustand"', text)
        with tempfile.TemporaryDirectory() as folder:
            source, script = pathlib.Path(folder, "de.po"), pathlib.Path(folder, "po.de.js")
            source.write_text(text)
            subprocess.run([TOOL, "compile", source, script], check=True, capture_output=True)
            made = script.read_text()
        self.assertTrue(made.startswith("cockpit.locale({"))
        self.assertIn('"Health": [null, "Zustand"]', made)
        self.assertIn('"language": "de"', made)


if __name__ == "__main__":
    unittest.main()
