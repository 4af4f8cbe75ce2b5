"""Makes what may leave the owner's house: the sums of a week, month or day, without every block or
unit of other counts that too few sessions or kiosks have touched. `disclosure.py` has the rule; what
is a unit belongs to the kind of counts, and `touchgrid` tells it.

The ledger, `releases/NUMBER.ndjson.gz` in the fleet's folder, has one object for each issue of a
release with a published value: a line about the release, a line with the kiosk-days that this issue
was the first to contain, and a line for each item with the values of its new parts. Keep it as long
as any of the releases exists: without it, a later release could be subtracted from an earlier one.
"""

import calendar
import collections
import dataclasses
import datetime
import gzip
import hashlib
import io
import json
import re
import sys
import zlib

import duckdb
import pyarrow
import pyarrow.dataset

from . import FleetError, disclosure
from .checker import check, disclosed
from .disclosure import BLOCK, KIOSK_BITS, UNIT, Publication, Rule, gather
from .choices import read_fleet_file
from .days import read_results, warn_of_gaps
from .objects import (COUNT_LIMIT, FORMAT, KIOSK, LAYERS, MASK_LIMIT, ObjectName, Refused, counted, parse_day,
                      shown, size_in_points)
from .options import add_parser
from .places import Folder, open_place
from .units import read_units, released_subjects

LEAST_KIOSKS_OF_A_DAY = 200
GEOMETRY = ("pixel_width", "pixel_height", "scale", "rotation", "block_size")
HALF = 1 << 63
# Used in place of the version of Touchgrid, so that a new version makes the same bytes from the
# same data.
VERSION = "release"


@dataclasses.dataclass(frozen=True)
class Release:
    """Kiosks and a period. `kiosks` is a frozenset of names, or None for all kiosks; `first` and
    `last` are the days of the period, which `kind` ("day", "week" or "month") names."""
    kiosks: frozenset | None
    kind: str
    first: datetime.date
    last: datetime.date

    @property
    def key(self):
        return (self.kiosks, self.first, self.last)

    def days(self):
        return [self.first + datetime.timedelta(n) for n in range((self.last - self.first).days + 1)]

    def has(self, kiosk, day):
        return self.first <= day <= self.last and (self.kiosks is None or kiosk in self.kiosks)

    def overlaps(self, other):
        return (self.first <= other.last and other.first <= self.last
                and (self.kiosks is None or other.kiosks is None or bool(self.kiosks & other.kiosks)))

    def contains(self, other):
        return (self.first <= other.first and other.last <= self.last
                and (self.kiosks is None or (other.kiosks is not None and other.kiosks <= self.kiosks)))


def period(kind, text):
    """Returns the first and last day of a week (2026-W47), month (2026-11) or day (2026-11-21).
    Raises FleetError for other texts."""
    try:
        if kind == "week" and (match := re.fullmatch(r"(\d{4})-W(\d\d)", text, re.ASCII)):
            first = datetime.date.fromisocalendar(int(match[1]), int(match[2]), 1)
            return first, first + datetime.timedelta(6)
        if kind == "month" and (match := re.fullmatch(r"(\d{4})-(\d\d)", text, re.ASCII)):
            year, month = int(match[1]), int(match[2])
            first = datetime.date(year, month, 1)
            return first, first.replace(day=calendar.monthrange(year, month)[1])
        if kind == "day" and (first := parse_day(text)):
            return first, first
    except (ValueError, OverflowError):
        pass
    example = {"week": "2026-W47", "month": "2026-11", "day": "2026-11-21"}[kind]
    raise FleetError(f"'{shown(text)}' is not a {kind}; write it like {example}")


# The ledger


@dataclasses.dataclass
class Issue:
    """One object of the ledger. `days` is a set of kiosk-days, (kiosk, day), and `items` is as in
    `Publication`."""
    number: int
    release: Release
    label: str
    issue: int
    rule: Rule
    days: set
    items: dict


def write_issue(issue):
    """Returns the bytes of an object of the ledger; the same for the same issue."""
    release = issue.release
    days = {}
    for kiosk, day in sorted(issue.days):
        days.setdefault(kiosk, []).append(day.isoformat())
    head = {"type": "release", "format": 1, "label": issue.label, "issue": issue.issue,
            "kind": release.kind, "first": release.first.isoformat(), "last": release.last.isoformat(),
            "kiosks": None if release.kiosks is None else sorted(release.kiosks),
            "leastSessions": issue.rule.sessions, "leastKiosks": issue.rule.kiosks}
    lines = [head, {"type": "days", "days": days}]
    for item, parts in sorted(issue.items.items()):
        lines.append({"type": "item", "item": item, "parts": [dict(sorted(part.items())) for part in parts]})
    return packed(lines)


def packed(lines):
    """Returns lines as gzipped NDJSON; the same bytes for the same lines."""
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
        file.write(text.encode())
    return buffer.getvalue()


def read_issue(number, data, whole=True):
    """Reads an object of the ledger. Leaves out its days and items unless it is read as a whole.
    Raises FleetError if it is damaged."""
    try:
        with gzip.open(io.BytesIO(data), "rt", encoding="utf-8") as file:
            head = json.loads(next(file))
            if head["type"] != "release" or head["format"] != 1:
                raise ValueError("unknown format")
            kiosks = None if head["kiosks"] is None else frozenset(head["kiosks"])
            release = Release(kiosks, head["kind"], datetime.date.fromisoformat(head["first"]),
                              datetime.date.fromisoformat(head["last"]))
            rule = Rule(head["leastSessions"], head["leastKiosks"])
            issue = Issue(number, release, head["label"], head["issue"], rule, set(), {})
            if not whole:
                return issue
            issue.days = {(kiosk, datetime.date.fromisoformat(day))
                          for kiosk, days in json.loads(next(file))["days"].items() for day in days}
            for line in file:
                entry = json.loads(line)
                issue.items[tuple(entry["item"])] = [
                    {layer: tuple(figures) for layer, figures in part.items()} for part in entry["parts"]]
            return issue
    except (OSError, EOFError, zlib.error, ValueError, LookupError, AttributeError, TypeError,
            StopIteration) as error:
        raise FleetError(f"the ledger's object {number:06} is damaged ({type(error).__name__}): restore "
                         "releases/ from a backup, because without it releases could be subtracted "
                         "from each other") from None


def family(issues, release):
    """Returns the issues with which a new release must be compared: those of releases that share
    kiosk-days with it or with an earlier release that contains it.

    Raises FleetError if it overlaps an earlier release, and neither of them contains the other."""
    for other in issues:
        old = other.release
        if release.overlaps(old) and not (release.contains(old) or old.contains(release)):
            same = (old.first, old.last) == (release.first, release.last)
            what = "other kiosks of the same days" if same else "a period that overlaps this one"
            raise FleetError(
                f"the release would overlap '{other.label}' of {old.first} to {old.last} ({what}) in part: "
                "choose kiosks and a period that lie within it, contain it, or share nothing with it")
    whole = [other.release for other in issues if other.release.contains(release)] + [release]
    return [other for other in issues if any(other.release.overlaps(outer) for outer in whole)]


def classify(days, family, release):
    """Divides kiosk-days into classes. Two have the same class if the same issues of the
    family's releases contain them, and `release` contains both or neither.

    Returns a dictionary of kiosk-day to class, the history for `disclosure.decide`, and the classes
    of the release."""
    releases = list(dict.fromkeys(issue.release for issue in family))
    since = {}
    for issue in family:
        for day in issue.days:
            since.setdefault(day, {})[issue.release] = issue.number
    numbers, classes = {}, {}
    for kiosk_day in sorted(set(days) | set(since)):
        kiosk, day = kiosk_day
        entered = since.get(kiosk_day, {})
        name = (release.has(kiosk, day), *(entered.get(other) for other in releases))
        classes[kiosk_day] = numbers.setdefault(name, len(numbers))
    history = []
    for issue in family:
        place = releases.index(issue.release) + 1
        history.append(Publication(issue.release, frozenset(
            number for name, number in numbers.items() if name[place] and name[place] <= issue.number),
            issue.items))
    return classes, history, frozenset(number for name, number in numbers.items() if name[0])


# The counts of the kiosks


class Counts:
    """The counts of kiosk-days by item and class, read from the roll-up's files with DuckDB.

    `results` are the results of the days. `inside(kiosk, day)` is true for the kiosk-days to
    read."""

    def __init__(self, place, database, results, inside):
        self.place, self.database, self.results = place, database, results
        self.numbers = {}   # of each day: kiosk-day to the kiosk's number in that day's files
        for result in results:
            day = parse_day(result.day)
            self.open("kiosks", result)
            # Leave out days without sessions: they are in no release, and may arrive late.
            rows = self.database.execute(
                "SELECT DISTINCT name, kiosk FROM kiosks WHERE sessions > 0").fetchall()
            self.numbers[result.day] = {(name, day): number for name, number in rows if inside(name, day)}

    def days(self):
        return {kiosk_day for numbers in self.numbers.values() for kiosk_day in numbers}

    def open(self, kind, result):
        """Makes a view of the files of a day. The view is named after their kind."""
        open_table(self.place, self.database, kind, result.paths(kind))

    def register(self, result, classes, bits):
        """Makes the table `chosen` of the kiosks of a day, with their classes and bits."""
        numbers = self.numbers[result.day]
        self.database.register("chosen", pyarrow.table({
            "kiosk": pyarrow.array(numbers.values(), pyarrow.int32()),
            "class": pyarrow.array([classes[kiosk_day] for kiosk_day in numbers], pyarrow.int32()),
            "bit": pyarrow.array([bits[kiosk] for kiosk, _ in numbers], pyarrow.int64())}))

    def read(self, classes, kinds, known, rule):
        """The counts of each item, as `disclosure.decide` takes them. `classes` is a dictionary of
        kiosk-day to class. `kinds`: the kinds whose units are read, of subjects that enough kiosks have
        for the rule, or that are in `known`, a set of (kind, key)."""
        names = sorted({kiosk for kiosk, _ in classes})
        bits = {name: 1 << number % KIOSK_BITS for number, name in enumerate(names)}
        run, items = self.database.execute, {}
        view = f"screen, display, {', '.join(GEOMETRY)}"
        parts = []
        for result in self.results:
            part = f"blocks_{len(parts)}"
            self.register(result, classes, bits)
            for kind in ("views", "grids", "keys"):
                self.open(kind, result)
            for *key, masks, number, sessions, shown_ms, kiosks in run(
                    f"SELECT {view}, masks, class, sum(sessions), sum(shown_ms), bit_or(bit) "
                    f"FROM views JOIN chosen USING (kiosk) GROUP BY {view}, masks, class").fetchall():
                gather(items, ("view", *key), number, "sessions", (shown_ms, 0, sessions, kiosks))
                for mask in {json.dumps(mask, sort_keys=True) for mask in json.loads(masks)}:
                    gather(items, ("mask", *key, mask), number, "sessions", (0, 0, sessions, kiosks))
            run(f"CREATE OR REPLACE TEMP TABLE {part} AS SELECT grid, block, class, sum(sum) AS sum, "
                "sum(square) AS square, sum(touched) AS touched, bit_or(bit) AS bits "
                "FROM grids JOIN chosen USING (kiosk) GROUP BY grid, block, class")
            run(f"CREATE OR REPLACE TEMP TABLE {part} AS SELECT {view}, layer, block, class, sum, square, "
                f"touched, bits FROM {part} JOIN keys USING (grid)")
            parts.append(part)
        if parts:
            days = " UNION ALL ".join(f"FROM {part}" for part in parts)
            result = run(f"SELECT {view}, block, layer, class, sum(sum), sum(square), sum(touched), "
                         f"bit_or(bits) FROM ({days}) GROUP BY {view}, block, layer, class")
            while rows := result.fetchmany(100_000):
                for *key, block, layer, number, amount, square, touched, kiosks in rows:
                    gather(items, ("block", *key, block), number, layer,
                           (int(amount), int(square), int(touched), kiosks))
        if kinds:
            read_units(self, items, kinds, known, rule, lambda result: self.register(result, classes, bits))
        return items


def open_table(place, database, name, paths):
    """Makes a view of Parquet files in a folder or bucket."""
    if isinstance(place, Folder):
        database.read_parquet([str(place.full(path)) for path in paths]).create_view(name, replace=True)
    else:
        database.register(name, pyarrow.dataset.dataset(
            [place.full(path) for path in paths], filesystem=place.filesystem, format="parquet"))


# What leaves the house


def day_object(name, values):
    """Returns the object of a release, in the format of a kiosk's day. It is gzipped NDJSON with
    everything in `values`, which are those of a `disclosure.Decision`, and nothing else.

    The touches of a view are those of its visible blocks or units. The sessions are those of the screen
    that most sessions showed, of a subject those of its largest unit. Hidden units of visible subjects
    are masked. Totals, hours, ghosts and placements stay out, and the times of the first and last
    session are noon. Raises FleetError if a number does not fit."""
    views, blocks, masks, units = {}, {}, {}, {}
    for item in sorted(values):
        view = disclosure.view_of(item)
        if item[0] == "view":
            views[item] = values[item]["sessions"]
        elif item[0] == "mask":
            masks.setdefault(view, set()).add(item[-1])
        elif item[0] == UNIT:
            units.setdefault(item[8:-1], {})[item[-1]] = values[item]
        else:
            for layer, figures in values[item].items():
                blocks.setdefault((view, layer), []).append((item[-1], *figures))
    subjects = released_subjects(units)
    for subject in subjects.values():
        if subject.view in views:
            subject.sessions = min(subject.sessions, views[subject.view][2])
        masks.setdefault(subject.view, set()).update(subject.masks)
    # Not the number of all sessions: its difference from a view's could be a few.
    sessions = max([figures[2] for figures in views.values()] + [subject.sessions for subject in subjects.values()])
    noon = datetime.datetime.combine(parse_day(name.day), datetime.time(12), datetime.timezone.utc)
    noon = int(noon.timestamp() * 1000)
    lines = [{"type": "day", "format": FORMAT, **dataclasses.asdict(name), "timeZone": "UTC",
              "version": VERSION, "sessions": sessions,
              "firstBeganAtMs": noon, "lastBeganAtMs": noon, "totals": None, "hours": None}]
    for view, (shown_ms, _, count) in views.items():
        touches = sum(block[1] for block in blocks.get((view, "taps"), ()))
        touches += sum(subject.touches for subject in subjects.values() if subject.view == view)
        lines.append({"type": "view", **named(view), "sessions": count, "shownMs": shown_ms, "touches": touches,
                      "masks": drawn([json.loads(mask) for mask in sorted(masks.get(view, ()))], view),
                      "placements": []})
    for view in views:
        for layer in LAYERS:
            if rows := blocks.get((view, layer)):
                numbers, sums, squares, touched = map(list, zip(*rows))
                grid = {"type": "grid", **named(view), "layer": layer, "blocks": numbers, "sums": sums,
                        "squares": [square % HALF for square in squares], "touched": touched}
                if max(squares) >= HALF:
                    grid["squaresHigh"] = [square // HALF for square in squares]
                lines.append(grid)
    for (kind, key), subject in sorted(subjects.items()):
        counts = sorted((place, count) for place, count in subject.counts.items() if count)
        lines.append({"type": "count", "kind": kind, "subject": key, "sessions": subject.sessions,
                      "places": [place for place, _ in counts], "counts": [count for _, count in counts]})
    for line in lines:
        for member in ("shownMs", "touches", "sums", "squaresHigh"):
            numbers = line.get(member, 0)
            if max(numbers if isinstance(numbers, list) else [numbers]) > COUNT_LIMIT:
                raise FleetError(f"the numbers of screen '{shown(line['screen'])}' are too large to be added "
                                 "up; choose a shorter period or fewer kiosks")
    data = packed(lines)
    try:
        check(name.path, data)
    except Refused as reason:
        raise FleetError(f"the release would be no valid object ({reason}); choose a shorter period or fewer "
                         "kiosks") from None
    return data


def named(view):
    _, screen, display, width, height, scale, rotation, block = view
    return {"screen": screen, "display": display, "geometry": {
        "pixelWidth": width, "pixelHeight": height, "scale": scale, "rotation": rotation, "blockSize": block}}


def drawn(masks, view):
    """Returns the masks of a view; the whole display if there are more than an object may have."""
    if len(masks) <= MASK_LIMIT:
        return masks
    width, height = size_in_points(*view[3:7])
    return [{"x": 0.0, "y": 0.0, "width": width, "height": height}]


def generation_of(kind, label, rule):
    """Returns the generation for all periods of a kind with the same label: 32 digits. A weaker
    rule gives another one, so its releases are never in the same folder."""
    weaker = "" if rule.is_public else " weaker"
    return hashlib.blake2b(f"release {kind} {label}{weaker}".encode(), digest_size=16).hexdigest()


def check_label(release, label, issues):
    """Raises FleetError if the label was used for other kiosks in this period or on any day."""
    for issue in issues:
        old = issue.release
        overlaps = old.first <= release.last and release.first <= old.last
        if issue.label == label and old.kiosks != release.kiosks and (
                overlaps or old.kind == release.kind == "day"):
            raise FleetError(f"the group '{label}' had other kiosks when {old.first} to {old.last} was "
                             "released; give the new group another name")


def check_day(release, label, counts):
    """Raises FleetError if the release is of one day and its kiosks are not a fixed group of
    sufficient size."""
    if release.kind != "day":
        return
    if release.kiosks is None:
        raise FleetError("a day is only released for a fixed group of kiosks: name one with --group, "
                         "or release a week or month")
    reported = {kiosk for kiosk, _ in counts.days() if kiosk in release.kiosks}
    if len(reported) < LEAST_KIOSKS_OF_A_DAY:
        raise FleetError(f"only {len(reported)} kiosks of '{label}' had sessions on this day; a day is "
                         f"released for {LEAST_KIOSKS_OF_A_DAY} or more; release a week or month")


def make(release, label, issues, counts_of, rule, load=lambda issue: issue, kind=BLOCK):
    """Decides a release. `issues` is the ledger, oldest first, and `load(issue)` returns one with its
    days and items. `counts_of(inside, first, last)` returns the `Counts` of the
    kiosk-days from a first to a last day for which `inside(kiosk, day)` is true. `kind`: what views
    show, if they have such counts.

    Releases of a weaker rule than the usual one are only for people who may read the store.
    Therefore they do not affect other releases.

    Returns the issue to show and its decision; the issue's `items` are empty if the release is
    the same as in the previous issue. Raises FleetError."""
    number = max((issue.number for issue in issues), default=0) + 1
    issues = [issue for issue in issues if issue.rule.is_public == rule.is_public]
    check_label(release, label, issues)
    related = [load(issue) for issue in family(issues, release)]
    whole = [issue.release for issue in related if issue.release.contains(release)] + [release]
    counts = counts_of(lambda kiosk, day: any(outer.has(kiosk, day) for outer in whole),
                       min(outer.first for outer in whole), max(outer.last for outer in whole))
    check_day(release, label, counts)
    classes, history, mine = classify(counts.days(), related, release)
    known = {item[8:-1] for issue in related for item in issue.items if item[0] == UNIT}
    kinds = {kind, *(name for name, _ in known)} - {BLOCK}
    decision = disclosure.decide(counts.read(classes, kinds, known, rule), history, release, mine, rule, kind)
    before = [issue for issue in related if issue.release == release]
    days = {day for day in classes if release.has(*day)}.difference(*(issue.days for issue in before))
    if not any(item[0] == "view" for item in decision.values):
        raise FleetError(f"nothing may be released: no screen was shown in {rule.sessions} sessions on "
                         f"{rule.kiosks} kiosks, or the difference from an earlier release would show "
                         "fewer; choose a longer period or more kiosks")
    count = max((issue.issue for issue in before), default=0) + bool(decision.changes)
    return Issue(number, release, label, count, rule, days, decision.changes), decision


# The verb

LEDGER = "releases/"


def read_ledger(place):
    """Returns the published issues, oldest first, without days and items, and a function that
    loads an issue with them. Raises FleetError if one is missing or damaged."""
    numbers = {}
    for file in place.list(LEDGER):
        if match := re.fullmatch(r"releases/(\d{6,})\.ndjson\.gz", file.path):
            numbers[int(match[1])] = file.path
    if sorted(numbers) != list(range(1, len(numbers) + 1)):
        raise FleetError(f"an object is missing in {shown(str(place))}/{LEDGER}: restore the folder from a "
                         "backup, because without it releases could be subtracted from each other")
    issues = [read_issue(number, place.read(path), whole=False) for number, path in sorted(numbers.items())]
    return issues, lambda issue: read_issue(issue.number, place.read(numbers[issue.number]))


def check_target(target, own):
    """Raises FleetError if the output folder holds other releases. An import would add them up,
    and releases that contain each other would count twice."""
    for file in target.list("in"):
        if not file.path.startswith(own):
            raise FleetError(f"{shown(str(target))} holds another release ({shown(file.path)}): choose a new "
                             "folder, because an import would add both up")


def add_verb(verbs):
    parser = add_parser(verbs, "release", "write the sums of a period without what few visitors or kiosks "
                        "did, as a day for touchgrid import")
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--week", metavar="YYYY-Www", help="an ISO week, such as 2026-W47")
    chosen.add_argument("--month", metavar="YYYY-MM", help="a calendar month")
    chosen.add_argument("--day", metavar="YYYY-MM-DD",
                        help=f"a day, only with a group of {LEAST_KIOSKS_OF_A_DAY} kiosks or more")
    parser.add_argument("--group", metavar="NAME", help="only the kiosks of this group of fleet.toml")
    parser.add_argument("--k", type=int, default=disclosure.LEAST_SESSIONS, metavar="N",
                        help="the least number of sessions (default: 10, at least 2); fewer show what single "
                        "visitors did")
    parser.add_argument("--counts", default=BLOCK, metavar="KIND",
                        help="instead of the blocks of screens that have counts of this kind, such as controls, "
                        "show these")
    parser.add_argument("--fleet-file", metavar="FILE", help="the groups (default: ROOT/fleet.toml)")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder for the release")
    parser.set_defaults(run=run)


def run(arguments, place):
    kind = next(kind for kind in ("week", "month", "day") if getattr(arguments, kind))
    groups = {}
    if arguments.group:
        for entry in read_fleet_file(place, arguments.fleet_file).values():
            groups.setdefault(entry.group, set()).add(entry.name)
    chosen, label = choose(kind, getattr(arguments, kind), arguments.group, groups)
    if arguments.k < 2:
        raise FleetError("--k must be 2 or more")
    if arguments.counts != BLOCK:
        check_kind(arguments.counts)
    if arguments.k < disclosure.LEAST_SESSIONS:
        print(f"touchgrid-fleet: warning: --k {arguments.k} shows what {arguments.k} visitors did; give this "
              "release only to people who may read the store", file=sys.stderr)
    print(publish(place, open_place(arguments.output, arguments.endpoint), chosen, label, Rule(arguments.k),
                  arguments.counts))


def check_kind(kind):
    """Raises FleetError if no release shows counts of a kind."""
    try:
        if not re.fullmatch("[a-z0-9-]{1,63}", kind):
            raise Refused("there are no counts of this kind")
        disclosed(kind)
    except Refused as reason:
        raise FleetError(f"--counts {shown(kind)}: {reason}") from None


def choose(kind, text, group, groups):
    """Returns the Release and its label. `groups`: the kiosks of each group."""
    first, last = period(kind, text)
    if last >= datetime.datetime.now(datetime.timezone.utc).date():
        raise FleetError(f"the {kind} {text} is not over; choose an earlier one")
    if group is None:
        return Release(None, kind, first, last), "all"
    if not groups.get(group):
        raise FleetError(f"fleet.toml has no kiosk in the group '{shown(group)}'")
    if not KIOSK.fullmatch(group) or group == "all":
        raise FleetError(f"the group '{shown(group)}' cannot be released under this name; use 1 to 63 of "
                         "a-z, 0-9 and -, and not 'all'")
    return Release(frozenset(groups[group]), kind, first, last), group


def publish(place, target, chosen, label, rule, kind=BLOCK):
    """Makes a release of the fleet at `place`, and writes it below `target`. Returns a sentence about
    it. The ledger is written first: if the release is not, the next try writes the same bytes."""
    generation = generation_of(chosen.kind, label, rule)
    check_target(target, f"in/{label}/{generation}/")
    span = str(chosen.first), str(chosen.last)
    warn_of_gaps(place, list(read_results(place, *span)), *span)
    with place.lock(), duckdb.connect() as database:
        issues, load = read_ledger(place)

        def counts_of(inside, first, last):
            return Counts(place, database, list(read_results(place, str(first), str(last))), inside)

        try:
            issue, decision = make(chosen, label, issues, counts_of, rule, load, kind)
            name = ObjectName(label, generation, str(chosen.first), issue.issue)
            data = day_object(name, decision.values)
        except duckdb.Error as error:
            raise FleetError(f"the sums of {chosen.first} to {chosen.last} cannot be read: "
                             f"{shown(str(error))}; roll up again, or choose a shorter period "
                             "if numbers are too large") from None
        except Refused as reason:
            raise FleetError(f"touchgrid does not know counts of an earlier release: {reason}") from None
        if issue.items:
            place.write(f"{LEDGER}{issue.number:06}.ndjson.gz", write_issue(issue))
    target.write(name.path, data)
    shown_items = collections.Counter(disclosure.kind_of(item) for item in decision.values)
    others = "".join(f" and {counted(count, 'unit')} of {other}" for other, count in sorted(shown_items.items())
                     if other not in ("view", "mask", BLOCK))
    kept = (f"; {kind} of {counted(decision.kept, 'screen')} are left out, as an earlier release shows other "
            "counts there")
    return (f"{name.path}: {shown_items['view']} screens with {shown_items[BLOCK]} blocks{others}; "
            f"{decision.hidden} are hidden, as fewer than {rule.sessions} sessions or {rule.kiosks} kiosks touched "
            f"them, or a difference between releases would show fewer{kept if decision.kept else ''}")
