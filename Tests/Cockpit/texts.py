"""The texts of the page, as its modules have them, and translations into a language made up for tests."""

import re
import string
import subprocess

from touchgrid_test.waiting import ROOT

TOOL, TEMPLATE = ROOT / "scripts/cockpit-texts", ROOT / "cockpit/po/cockpit-touchgrid.pot"
PAGE, REPORT = ROOT / "cockpit", ROOT / "Sources/Insight/Reports/Page"
ONE = r"'(?:[^'\\]|\\.)*'"
JOINED = rf"{ONE}(?:\s*\+\s*{ONE})*"
CALL = re.compile(rf"\b(?:_\(\s*({JOINED})|plural\(\s*({JOINED}),\s*({JOINED}))")
# Every letter of a text is replaced by a wide one, so an English text shows itself. The brackets show its ends.
WIDE = {letter: chr(ord(letter) - ord("!") + ord("！")) for letter in string.ascii_letters}
LANGUAGE = "eo"


def used(module):
    """Returns the texts that a module passes to `_` and `plural`: (text,) or (one, many)."""
    return [tuple("".join(part[1:-1] for part in re.findall(ONE, text)).replace("\\'", "'") for text in match.groups() if text)
            for match in CALL.finditer(module.read_text())]


def calls(module):
    """Returns the number of calls of `_` and `plural`, whatever is passed to them."""
    return len(re.findall(r"\b(?:_|plural)\(", module.read_text()))


def translated(text):
    return f"⟦{text.translate(str.maketrans(WIDE))}⟧"


def headed():
    """Returns the template with the head of a translation."""
    text = TEMPLATE.read_text().replace('"Language: \\n"', f'"Language: {LANGUAGE}\\n"').replace("#, fuzzy\n", "")
    return text.replace("nplurals=INTEGER; plural=EXPRESSION", "nplurals=2; plural=n != 1")


def translation(folder):
    """Writes the script of a translation of all texts into the folder of the page."""
    whole = subprocess.run(["msgen", "-"], input=headed(), text=True, check=True, capture_output=True).stdout
    letters, wide = "".join(WIDE), "".join(WIDE.values())
    made = subprocess.run(["msgfilter", "--keep-header", "sed", f"y/{letters}/{wide}/;s/^/⟦/;s/$/⟧/"], input=whole, text=True,
                          check=True, capture_output=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}).stdout
    source = folder / "translation.po"
    source.write_text(made)
    subprocess.run([TOOL, "compile", source, folder / f"po.{LANGUAGE}.js"], check=True, capture_output=True)
    source.unlink()
