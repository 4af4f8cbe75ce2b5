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
