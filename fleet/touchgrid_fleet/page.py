"""The page of a comparison: one HTML file that loads nothing and has no script. Names of kiosks,
groups and screens are foreign text; `text` escapes everything for HTML."""

import base64
import collections
import hashlib
import html
import math

from .controls import LEAST_SHIFT
from .objects import shown

# The maximum number of cards and of rows of kiosks on the page. The JSON has all.
CARDS = 40
ROWS = 1000

STYLE = """
:root { --paper: #faf9f7; --card: #fff; --ink: #1d1a24; --quiet: #67616f; --line: #d8d3db; --accent: #a8325e;
  --field: #f1eef2; --shadow: 0 1px 2px #1d1a2414, 0 8px 28px #1d1a2412; --more: #b2182b; --less: #2166ac;
  color-scheme: light; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #141219; --card: #1c1a23; --ink: #f0edf4; --quiet: #a9a2b4; --line: #423d4e;
    --accent: #f58b4c; --field: #282531; --shadow: 0 0 0 1px #ffffff0d; --more: #f4745f; --less: #6fb1dc;
    color-scheme: dark; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 1rem/1.5 system-ui, -apple-system,
  "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif; font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere; }
main { max-width: 76rem; margin: 0 auto; padding: 3.5rem 2rem 2rem; }
h1, h2, h3, p, ul, figure { margin: 0; padding: 0; }
h1, h2, h3 { line-height: 1.15; font-weight: 650; letter-spacing: -0.015em; }
h1 { font-size: clamp(1.9rem, 5vw, 2.9rem); }
h2 { font-size: 1.5rem; margin: 3.5rem 0 1.25rem; }
h3 { font-size: 1.15rem; }
.brand { color: var(--accent); font-weight: 650; font-size: 0.875rem; margin-bottom: 0.75rem; }
.quiet { color: var(--quiet); font-size: 0.875rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1.25rem 3.25rem; margin: 2.25rem 0 0; }
.figures div { flex: none; }
.figures strong { display: block; font-size: 1.75rem; line-height: 1.2; font-weight: 600;
  letter-spacing: -0.02em; }
.prose { max-width: 44rem; }
.prose + .prose { margin-top: 0.75rem; }
.cards { list-style: none; display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(30rem, 100%), 1fr)); gap: 1.25rem; }
.card { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.5rem 1.25rem; align-content: start;
  padding: 1.25rem; border-radius: 1rem; background: var(--card); box-shadow: var(--shadow); }
.card ul { list-style: none; margin-top: 0.6rem; }
.card li { position: relative; padding-left: 1.4rem; font-size: 0.9375rem; }
.card li + li { margin-top: 0.4rem; }
.card li::before { position: absolute; left: 0; font-weight: 700; }
.card li.more::before { content: "+"; color: var(--more); }
.card li.less::before { content: "\\2212"; color: var(--less); }
figure { width: 9.5rem; }
svg { display: block; width: 100%; max-height: 10rem; }
svg .display { fill: var(--field); stroke: var(--line); }
svg .lines { stroke: var(--line); }
svg .more { fill: var(--more); } svg .less { fill: var(--less); }
svg .other { fill: var(--quiet); fill-opacity: 0.5; }
svg text { fill: var(--card); font-weight: 700; text-anchor: middle; dominant-baseline: central; }
svg .label { fill: var(--quiet); font-weight: 400; font-size: 7px; text-anchor: start; }
.scroll { overflow-x: auto; border-radius: 1rem; background: var(--card); box-shadow: var(--shadow); }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
th, td { text-align: right; padding: 0.5rem 1rem; white-space: nowrap; }
th:first-child, td:first-child, th.word, td.word { text-align: left; }
td:first-child, td.word { white-space: normal; min-width: 7rem; }
th { color: var(--quiet); font-weight: 500; font-size: 0.8125rem; }
tbody tr { border-top: 1px solid var(--line); }
footer { margin-top: 3rem; }
@media (max-width: 40rem) {
  main { padding: 2rem 1rem; }
  .figures { gap: 1rem 2rem; }
  .card { padding: 1rem; grid-template-columns: minmax(0, 1fr); }
  figure { width: 100%; max-width: 13rem; }
  th, td { padding: 0.5rem 0.75rem; }
}
@media print { .card, .scroll { box-shadow: none; border: 1px solid var(--line); break-inside: avoid; } }
"""


def text(value):
    """Escapes foreign text for HTML, in contents and in values of attributes."""
    return html.escape(shown(str(value)))


def number(value):
    return f"{value:,.0f}".replace(",", "\u202f")


def pair(a, b, unit=""):
    """Formats two numbers with enough digits to tell them apart."""
    most = max(abs(a), abs(b))
    digits = 0 if most >= 100 else 1 if most >= 1 else 1 - math.floor(math.log10(most or 1))
    while f"{a:.{digits}f}" == f"{b:.{digits}f}" and digits < 9:
        digits += 1
    return f"{a:.{digits}f}{unit}", f"{b:.{digits}f}{unit}"


def many(count, one, more=None):
    return f"{number(count)} {one if count == 1 else more or one + 's'}"


def compared(mean, elsewhere, what):
    """Returns a text such as "41 % fewer taps" or "2.9 times as many taps"."""
    if not elsewhere:
        return what
    ratio = mean / elsewhere
    if ratio >= 2:
        return f"{ratio:.1f} times as many {what}" if ratio < 10 else f"{number(ratio)} times as many {what}"
    percent = abs(ratio - 1) * 100
    digits = 0 if percent >= 1 else 1
    return f"{percent:.{digits}f}\u202f% {'more' if ratio > 1 else 'fewer'} {what}"


def thirds(region, parts):
    """Returns the name of a region in plain words."""
    row, column = ((place + 0.5) / parts for place in divmod(region, parts))
    down = "upper" if row < 1 / 3 else "lower" if row > 2 / 3 else ""
    across = "left" if column < 1 / 3 else "right" if column > 2 / 3 else ""
    if down and across:
        return f"at the {down} {across}"
    if down:
        return f"at the {'top' if down == 'upper' else 'bottom'}"
    return f"at the {across}" if across else "in the middle"


def where(kind, name):
    return f"On {name}" if kind == "kiosk" else f"In the group {name}"


def sentences(findings, screen):
    """Returns the sentences of a card, as (direction, sentence), for the findings of one kiosk
    or group and screen. Adds up regions of the same name and direction."""
    regions = collections.defaultdict(list)
    for finding in findings:
        more = finding.mean > finding.elsewhere
        if finding.measure == "taps":
            regions[thirds(finding.region, finding.view.parts), more].append(finding)
        else:
            yield "more" if more else "less", sentence(finding, finding.mean, finding.elsewhere, screen)
    for (place, more), group in regions.items():
        yield "more" if more else "less", sentence(
            group[0], sum(f.mean for f in group), sum(f.elsewhere for f in group), screen, place)


def sentence(finding, mean, elsewhere, screen, place=None):
    on = where(finding.kind, text(finding.name))
    if finding.measure == "sessions":
        a, b = pair(mean, elsewhere)
        words = than(compared(mean, elsewhere, "sessions per day"))
        return f"{on}, there are {words} elsewhere ({a} against {b})."
    if finding.measure == "share":
        a, b = pair(100 * mean, 100 * elsewhere, "\u202f%")
        if not mean or not elsewhere:
            return f"{on}, {screen} is shown in {a} of the sessions, elsewhere in {b}."
        words = than(compared(mean, elsewhere, "sessions"))
        return f"{on}, {screen} is shown in {words} elsewhere ({a} of the sessions against {b})."
    a, b = pair(mean, elsewhere)
    if not mean:
        return f"{on}, {screen} gets no taps {place}, elsewhere {b} per session."
    if not elsewhere:
        return f"{on}, {screen} gets {a} taps per session {place}, elsewhere none."
    words = than(f"{compared(mean, elsewhere, 'taps per session')} {place}")
    return f"{on}, {screen} gets {words} elsewhere ({a} against {b})."


def than(words):
    return f"{words} {'as' if ' times as many ' in words else 'than'}"


def picture(view, findings):
    """Draws the display with the regions that differ."""
    width, height = view.size
    scale = 120 / max(width, height)
    width, height = width * scale, height * scale
    columns, rows = view.blocks
    # The first block of each region, divided as in the roll-up.
    across = [-(-part * columns // view.parts) / columns * width for part in range(view.parts + 1)]
    down = [-(-part * rows // view.parts) / rows * height for part in range(view.parts + 1)]
    lines = "".join(f"M{x:.1f} 0V{height:.1f}" for x in across[1:-1]) \
        + "".join(f"M0 {y:.1f}H{width:.1f}" for y in down[1:-1])
    shapes = []
    for finding in findings:
        row, column = divmod(finding.region, view.parts)
        x, y, right, bottom = across[column], down[row], across[column + 1], down[row + 1]
        more = finding.mean > finding.elsewhere
        change = abs(math.log2(finding.mean / finding.elsewhere)) if finding.mean and finding.elsewhere else 9
        size = min(right - x, bottom - y) * 0.7
        shapes.append(
            f'<rect class="{"more" if more else "less"}" x="{x:.1f}" y="{y:.1f}" width="{right - x:.1f}" '
            f'height="{bottom - y:.1f}" fill-opacity="{min(1, 0.55 + 0.3 * change):.2f}"/>'
            f'<text x="{(x + right) / 2:.1f}" y="{(y + bottom) / 2:.1f}" font-size="{size:.1f}">'
            f'{"+" if more else "−"}</text>')
    label = f"The display, with {many(len(findings), 'region')} marked"
    return (f'<figure><svg viewBox="-1 -1 {width + 2:.1f} {height + 2:.1f}" role="img" aria-label="{label}">'
            f'<rect class="display" width="{width:.1f}" height="{height:.1f}" rx="2"/>'
            f'<path class="lines" d="{lines}" fill="none" stroke-width="0.5"/>{"".join(shapes)}'
            "</svg></figure>")


def bars(finding, here="here", elsewhere="elsewhere"):
    """Draws two bars: the kiosk or group, and elsewhere."""
    most = max(finding.mean, finding.elsewhere)
    lengths = [110 * value / most for value in (finding.mean, finding.elsewhere)]
    direction = "more" if finding.mean > finding.elsewhere else "less"
    return (f'<figure><svg viewBox="-1 -1 122 52" role="img" aria-label="Two bars: {here} and {elsewhere}">'
            f'<rect class="{direction}" x="0" y="2" width="{lengths[0]:.1f}" height="14" rx="2"/>'
            f'<rect class="other" x="0" y="27" width="{lengths[1]:.1f}" height="14" rx="2"/>'
            f'<text class="label" x="0" y="22">{here}</text>'
            f'<text class="label" x="0" y="47">{elsewhere}</text></svg></figure>')


def cards(comparison):
    """Returns the findings by kiosk or group and view, as (findings, HTML), the most certain
    first."""
    several = collections.Counter(view.key[0] for view, _, _ in comparison.counted.views)
    grouped = collections.defaultdict(list)
    for finding in comparison.findings:
        grouped[finding.kind, finding.name, finding.view and finding.view.key].append(finding)
    for (kind, name, key), findings in grouped.items():
        view = findings[0].view
        title = f"{text(name)}{' (group)' if kind == 'group' else ''}"
        note, screen = "", ""
        if view:
            screen = f"‘{text(key[0])}’"
            title += f" · {text(key[0])}"
            if several[key[0]] > 1:
                note = f'<p class="quiet">{text(key[1])}, {view.size[0]:g} × {view.size[1]:g} points</p>'
        items = "".join(f'<li class="{direction}">{said}</li>'
                        for direction, said in sentences(findings, screen))
        regions = [finding for finding in findings if finding.measure == "taps"]
        drawn = picture(view, regions) if regions else bars(findings[0])
        yield findings, f'<li class="card"><div><h3>{title}</h3>{note}<ul>{items}</ul></div>{drawn}</li>'


def away(x, y):
    """Returns the distance of the touches from a position, in mm. Leaves out a direction with
    less than a fifth of the other's distance."""
    parts = [(x, "farther right" if x > 0 else "farther left"), (y, "lower" if y > 0 else "higher")]
    most = max(abs(x), abs(y))
    return " and ".join(f"{abs(by):.1f}\u202fmm {word}" for by, word in parts if abs(by) >= most / 5)


def fault_sentences(fault):
    if fault.kind == "panel":
        yield f"This panel is shifted: touches lie {away(*fault.offset)} than elsewhere. Calibrate it."
    control = fault.control
    what = f"‘{text(control.name)}’ of ‘{text(control.screen)}’" if control else "its controls"
    missed, usual = pair(100 * fault.mean, 100 * fault.elsewhere, "\u202f%")
    compared_with = "of other controls" if fault.kind == "everywhere" else "elsewhere"
    if fault.mean > fault.elsewhere:
        yield f"{missed} of the {number(fault.touches)} touches miss {what}, {compared_with} {usual}."
    x, y = fault.offset
    if fault.kind == "everywhere" and math.hypot(x, y) >= LEAST_SHIFT:
        yield f"Touches lie {away(x, y)} than its middle."
    if fault.kind == "kiosk":
        x, y = x - fault.offset_elsewhere[0], y - fault.offset_elsewhere[1]
        if math.hypot(x, y) >= LEAST_SHIFT:
            yield f"Touches lie {away(x, y)} than elsewhere."


def shift_picture(x, y):
    """Draws a cross at the expected position of the touches, and a dot at their position."""
    scale = 24 / max(math.hypot(x, y), 6)
    x, y = 60 + x * scale, 30 + y * scale
    return ('<figure><svg viewBox="0 0 120 60" role="img" aria-label="Where touches should lie, and where they do">'
            '<path class="lines" d="M60 20V40M50 30H70" fill="none" stroke-width="2"/>'
            f'<path class="lines" d="M60 30L{x:.1f} {y:.1f}" fill="none" stroke-width="1"/>'
            f'<circle class="more" cx="{x:.1f}" cy="{y:.1f}" r="5"/></svg></figure>')


def fault_cards(comparison):
    """Returns the faults as (faults, HTML). The faults of several controls of a panel share a
    card."""
    displays = len({control.display for control in comparison.counted.touched.controls})
    grouped = collections.defaultdict(list)
    for fault in comparison.faults.found:
        grouped[fault.kind, fault.kiosk or fault.control, fault.display].append(fault)
    for (kind, name, display), faults in grouped.items():
        title = text(name.name if kind == "everywhere" else name)
        note = "At all kiosks" if kind == "everywhere" else ""
        if displays > 1:
            note = f"{note} on {text(display)}" if note else text(display)
        items = "".join(f'<li class="more">{" ".join(fault_sentences(fault))}</li>' for fault in faults)
        first = faults[0]
        drawn = shift_picture(*first.offset) if kind == "panel" else \
            bars(first, "this one", "others") if kind == "everywhere" else bars(first)
        note = f'<p class="quiet">{note}</p>' if note else ""
        yield faults, f'<li class="card"><div><h3>{title}</h3>{note}<ul>{items}</ul></div>{drawn}</li>'


def list_of(found, what):
    """Returns the first cards of (findings, HTML), and the number of findings that are left out."""
    left = sum(len(findings) for findings, _ in found[CARDS:])
    return f'<ul class="cards">{"".join(drawn for _, drawn in found[:CARDS])}</ul>' \
        + (f'<p class="quiet">{many(left, what)}; --json lists them.</p>' if left else "")


def faults_part(comparison):
    """Returns the part of the page about panels and controls; empty if none could be tested."""
    faults = comparison.faults
    if faults.found:
        body = list_of(list(fault_cards(comparison)), "other fault")
    elif faults.panels or faults.controls:
        body = ('<p class="prose">No panel is shifted and no control is missed more often than others by more than '
                "natural differences.</p>")
    else:
        return ""
    return f"<h2>Panels and controls</h2>\n{body}\n"


def kiosks_table(comparison):
    counted = comparison.counted
    group_of = {counted.kiosks[row]: name for name, rows in comparison.groups.items() for row in rows}
    taps = counted.taps()
    findings = collections.Counter([*(f.name for f in comparison.findings if f.kind == "kiosk"),
                                    *(fault.kiosk for fault in comparison.faults.found)])
    # The kiosks are sorted by name. Kiosks with the same number of findings stay in this order.
    order = sorted(range(len(counted.kiosks)), key=lambda row: -findings[counted.kiosks[row]])
    rows = []
    for row in order[:ROWS]:
        name, days = counted.kiosks[row], counted.sessions.units[row, 0]
        sessions = counted.sessions.total[row, 0]
        group = f'<td class="word">{text(group_of.get(name, ""))}</td>' if comparison.groups else ""
        rows.append(f"<tr><td>{text(name)}</td>{group}<td>{number(days)}</td><td>{number(sessions)}</td>"
                    f"<td>{sessions / days:.1f}</td><td>{taps[row] / sessions:.1f}</td>"
                    f"<td>{findings[name] or '–'}</td></tr>")
    left = len(order) - len(rows)
    more = f'<p class="quiet">{many(left, "more kiosk")}; --json lists them.</p>' if left else ""
    head = '<th scope="col" class="word">Group</th>' if comparison.groups else ""
    heads = "".join(f'<th scope="col">{name}</th>' for name in (
        "Days with sessions", "Sessions", "Sessions a day", "Taps a session", "Differences"))
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="Kiosks"><table><thead><tr>'
            f'<th scope="col">Kiosk</th>{head}{heads}</tr></thead>'
            f'<tbody>{"".join(rows)}</tbody></table></div>{more}')


def page(comparison):
    """Returns the HTML of a comparison; the same for the same data."""
    counted = comparison.counted
    found = list(cards(comparison))
    first, last = counted.days
    sessions = int(counted.sessions.total.sum())
    figures = [(len(counted.kiosks), "kiosk"), (len(comparison.groups), "group"), (sessions, "session"),
               (comparison.tests, "comparison"), (len(comparison.findings), "difference"),
               (len(comparison.faults.found), "fault")]
    numbers = "".join(
        f'<div><strong>{number(count)}</strong><span class="quiet">{name}{"s" * (count != 1)}</span></div>'
        for count, name in figures if count or name not in ("group", "fault"))
    if found:
        body = list_of(found, "smaller difference")
    elif comparison.tests:
        body = ('<p class="prose">No kiosk and no group differs from the others by more than chance. That '
                "does not say that they are alike: smaller differences may show in a longer time.</p>")
    else:
        body = ('<p class="prose">Nothing could be compared: it takes two kiosks that show the same screen '
                "on the same display and geometry, and some ten taps in a region. Compare a longer time.</p>")
    policy = f"default-src 'none'; style-src 'sha256-{digest(STYLE)}'; base-uri 'none'; form-action 'none'"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Kiosks compared, {first} to {last}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<p class="brand">Touchgrid</p>
<h1>Kiosks compared</h1>
<p class="quiet">{first} to {last}</p>
<div class="figures">{numbers}</div>
{faults_part(comparison)}<h2>What differs</h2>
{body}
<h2>Kiosks</h2>
{kiosks_table(comparison)}
<h2>How to read this page</h2>
<p class="prose">Each kiosk and each group is compared with all other kiosks (“elsewhere”): its
sessions per day, the share of its sessions that show each screen, and the taps in each region of the display,
per session that shows the screen. Displays of different shape are never mixed. Masked regions are left out.
Kiosks that differ themselves do not count as elsewhere for others, unless they are more than half.</p>
<p class="prose">A difference is listed if it is more than chance. Of all differences that are listed, at most
5 % are chance on average (Benjamini and Hochberg, over all comparisons together). Chance is what the days
of a kiosk differ by, and for a group, what its kiosks differ by. The largest differences come first: those
that are still large at the cautious end of their interval. A difference says nothing about its reason: other
visitors, another place, light, or a fault of the touchscreen.</p>
<p class="prose">A touch up to 5 mm beside a control misses it. A panel is shifted if touches on most of its
controls lie more than {LEAST_SHIFT} mm from where they lie on other panels. A control is bad at one kiosk if it is
missed there more often than elsewhere, and bad at all kiosks if it is missed more often than other controls. Listed
is what exceeds the natural differences between kiosks and between controls. Of the listed faults of each kind, at
most 5 % are chance on average.</p>
<footer class="quiet">This page loads nothing and has no scripts. It names kiosks and is as confidential as
the store.</footer>
</main>
</body>
</html>
"""


def digest(data):
    return base64.b64encode(hashlib.sha256(data.encode()).digest()).decode()
