"""Finds kiosks and groups whose use of a screen differs from the others by more than chance.

Each kiosk and each group is compared with all other kiosks. Kiosks that are found to be different
themselves are left out of these, unless they are more than half. The comparison covers:
- the sessions per day;
- for each screen, display and geometry, the share of sessions that show it;
- for each of these and each region of the display, the taps per session that shows the screen.
Geometries are never mixed. A region is one of 2 x 2, 4 x 4 or 8 x 8 equal parts of the display, the
finest in which most kiosks have enough taps.

How chance is measured. A session's taps in a region are not independent, and a day keeps squares of single
blocks only. The unit is therefore the kiosk's day: its sum contains all dependence within a session, a
person or a day. If a kiosk's day with n sessions has s taps in a region, s has the mean n*m and the
variance n*v. Each kiosk's days give an estimate of v with one degree of freedom less than it has days. An
estimate from few days is poor, so it is moderated as in limma (Smyth 2004): it is averaged with the
estimate from all kiosks, which has more degrees of freedom the better the kiosks' estimates agree. The
variance is never taken to be less than the common one, so that a kiosk whose days are equal by chance seems
no more certain than others. If no kiosk has two days, v is estimated from the differences among kiosks. For
groups the units are the kiosks in it: a group is different if it differs more than its kiosks do from each
other.

Counts are skewed. A count above that elsewhere is compared with a gamma distribution of the same mean and
variance (Wilson and Hilferty), a lower one with the normal distribution, which is conservative there.

A test takes part if at least 10 taps (sessions, days) were expected of the kiosk, and the expected
number is at least twice its standard deviation. Both use what is usual in all kiosks and not what
the kiosk has. Benjamini and Hochberg's procedure keeps false discoveries at 5 % over all tests
together: kiosks and groups, all screens, all regions, shares and sessions per day.
"""

import dataclasses
import json
import math
from pathlib import Path

import duckdb
import numpy as np
import pyarrow

from . import FleetError
from .chance import LEVEL, adjust, prior_freedom, two_sided
from .choices import read_fleet_file
from .controls import Faults, Touched, find_faults, read_touched
from .days import no_result, read_results
from .objects import size_in_points
from .options import add_parser, add_span
from .page import page
from .parts import KEY_COLUMNS
from .places import Folder
from .release import open_table

LEAST_EXPECTED = 10
LEAST_STANDARD_DEVIATIONS = 2
PARTITIONS = (8, 4, 2)
ROUNDS = 4
# The quantile of the normal distribution for intervals of 95 %.
WIDTH = 1.96


@dataclasses.dataclass
class Totals:
    """The sums over the units (days or kiosks) of each side: arrays of the same shape, with the sides
    along the first axis. `units` is the number of units, `exposure` the sum of the n, `total` that of
    the s, and `squares` that of s²/n."""
    units: np.ndarray
    exposure: np.ndarray
    total: np.ndarray
    squares: np.ndarray

    def grouped(self, members):
        """Returns the totals of groups, whose units are the rows of this one. `members`: for each group
        the numbers of its rows."""
        exposure = self.exposure
        squares = np.divide(self.total ** 2, exposure, out=np.zeros_like(self.total), where=exposure > 0)
        def add(values):
            return np.array([values[rows].sum(0) for rows in members])
        return Totals(add((exposure > 0).astype(float)), add(exposure), add(self.total), add(squares))


@dataclasses.dataclass
class Compared:
    """The results of tests, arrays like those of `Totals`. `p` is NaN where no test took part."""
    mean: np.ndarray
    elsewhere: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p: np.ndarray


def compare_sides(totals, everything, different, least=None):
    """Compares each side with elsewhere: all others without the `different` ones (an array of bool),
    unless fewer than half would remain.
    everything: the exposure and total of all kiosks, which may exceed the sums over the sides.
    least: the minimum of each common variance, or None.
    Returns Compared and the common variances, one for each column."""
    units, n, s = totals.units, totals.exposure, totals.total
    all_n, all_s = everything
    with np.errstate(divide="ignore", invalid="ignore"):
        mean, common_mean = s / n, all_s / all_n
        other_n, other_s = (whole - own - ((own * different).sum(0) - own * different)
                            for whole, own in ((all_n, n), (all_s, s)))
        few = 2 * other_n < all_n - n
        other_n, other_s = np.where(few, all_n - n, other_n), np.where(few, all_s - s, other_s)
        elsewhere = other_s / other_n
        freedom = np.maximum(units - 1, 0)
        own = np.where(n > 0, np.maximum(totals.squares - s * mean, 0), 0)
        common_freedom = freedom.sum(0)
        common = own.sum(0) / common_freedom
        variance = own / freedom
        sides = (n > 0).sum(0)
        between = np.where(n > 0, (s - n * common_mean) ** 2 / n, 0).sum(0) / (sides - 1)
        alone = common_freedom == 0
        common, common_freedom = np.where(alone, between, common), np.where(alone, sides - 1, common_freedom)
        if least is not None:
            common = np.fmax(common, least)
        prior = prior_freedom(np.where(freedom > 0, variance / common, np.nan), freedom)
        moderated = np.where(freedom > 0, (prior * common + own) / (prior + freedom), common)
        moderated = np.where(np.isfinite(prior), moderated, common)
        moderated = np.fmax(moderated, common)
        degrees = np.minimum(prior + freedom, common_freedom)
        expected = n * elsewhere
        error = np.sqrt(n * moderated * (1 + n / other_n))
        relative = error / expected
        takes_part = ((n * common_mean >= LEAST_EXPECTED) & (other_n > 0) & (degrees >= 1) & (common > 0)
                      & (n * common_mean >= LEAST_STANDARD_DEVIATIONS * np.sqrt(n * common)))
        score = (s - expected) / error
        cube = (np.cbrt(s / expected) - (1 - relative ** 2 / 9)) * 3 / relative
        # If the count elsewhere is 0, there is no gamma distribution to compare with.
        score = np.where((score > 0) & (elsewhere > 0), np.maximum(np.minimum(cube, score), 0), score)
        p = np.where(takes_part, two_sided(np.where(takes_part, score, 0), degrees), np.nan)
        half = WIDTH * error / n
    return Compared(mean, elsewhere, mean - elsewhere - half, mean - elsewhere + half, p), common


@dataclasses.dataclass
class View:
    """A screen on a display and geometry. `parts`: the display has parts x parts regions."""
    key: tuple
    parts: int

    @property
    def name(self):
        return dict(zip(KEY_COLUMNS, self.key))

    @property
    def size(self):
        """Width and height in points."""
        return size_in_points(*self.key[2:6])

    @property
    def blocks(self):
        """Columns and rows of the grid."""
        return tuple(math.ceil(length / self.key[6]) for length in self.size)


@dataclasses.dataclass
class Counted:
    """The counts of the kiosks: their sorted names, the totals of their sessions (exposure in days, one
    column), and of each View the totals of the sessions that show it (exposure in sessions, one column)
    and of the taps (exposure in sessions that show it, one column for each region).

    `days`: the first and the last. `touched`: the counts of controls, if these were read."""
    kiosks: list
    days: tuple
    sessions: Totals
    views: list
    touched: Touched | None = None

    def taps(self):
        """The taps of each kiosk; those in masked regions are left out."""
        return sum((taps.total.sum(1) for _, _, taps in self.views), start=np.zeros(len(self.kiosks)))


@dataclasses.dataclass
class Finding:
    """A difference that chance does not explain. `kind`: "kiosk" or "group". `measure`: "sessions" per
    day, "share" of the sessions that show `view`, or "taps" per session in `region` of it. `low` and
    `high` enclose mean - elsewhere at 95 %, for one test by itself. `total` and `exposure` are those of
    `Totals`."""
    kind: str
    name: str
    measure: str
    view: View | None
    region: int | None
    mean: float
    elsewhere: float
    low: float
    high: float
    p: float
    q: float
    total: int
    exposure: int

    @property
    def ratio(self):
        """The difference relative to elsewhere: -0.41 is 41 % less."""
        return self.mean / self.elsewhere - 1 if self.elsewhere else math.inf

    @property
    def certain(self):
        """The lower limit of the difference relative to elsewhere, in 19 of 20 cases."""
        if not self.elsewhere:
            return math.inf
        return max(0.0, (self.low if self.mean > self.elsewhere else -self.high) / self.elsewhere)


@dataclasses.dataclass
class Comparison:
    """`tests`: the number of tests. `findings`: the greatest certain difference first. `faults`: the
    faults of panels and controls, which have tests of their own."""
    counted: Counted
    groups: dict
    tests: int
    findings: list
    faults: Faults


def compare(counted, groups):
    """Compares all kiosks and groups. `groups`: the kiosks of each; those without counts are ignored."""
    number = {name: at for at, name in enumerate(counted.kiosks)}
    groups = {name: sorted(number[kiosk] for kiosk in kiosks if kiosk in number)
              for name, kiosks in sorted(groups.items())}
    groups = {name: rows for name, rows in groups.items() if rows}
    measured = [("sessions", None, counted.sessions)]
    for view, shares, taps in counted.views:
        measured += [("share", view, shares), ("taps", view, taps)]
    # A very different kiosk makes others seem different from elsewhere, so the next round leaves it out of
    # elsewhere. If the first round finds nothing, it is the last: further rounds add no false discoveries.
    found = q = different = None
    for _ in range(ROUNDS):
        found, q = one_round(counted, groups, measured, different)
        before, different = different, [
            (values <= LEVEL) & stands_out(compared) for (*_, compared), values in zip(found, q)]
        if all(map(np.array_equal, different, before or [values & False for values in different])):
            break
    findings = []
    for (kind, names, measure, view, totals, compared), here in zip(found, q):
        for side, column in zip(*np.nonzero(here <= LEVEL)):
            at = side, column
            findings.append(Finding(
                kind, names[side], measure, view, int(column) if measure == "taps" else None,
                *(float(getattr(compared, name)[at]) for name in ("mean", "elsewhere", "low", "high", "p")),
                float(here[at]), int(totals.total[at]), int(totals.exposure[at])))
    findings.sort(key=lambda finding: (-finding.certain, finding.q, finding.kind, finding.name))
    faults = find_faults(counted.touched) if counted.touched else Faults(0, 0, [])
    return Comparison(counted, groups, sum(int((~np.isnan(values)).sum()) for values in q), findings, faults)


def stands_out(compared):
    """Returns which sides are at least half as far from the median side as from elsewhere. A few very
    different sides shift the mean of elsewhere, so that ordinary sides seem different; these must stay
    in elsewhere."""
    known = np.where(np.isnan(compared.mean), np.inf, compared.mean)
    last = np.isfinite(known).sum(0) - 1
    ordered, columns = np.sort(known, 0), np.arange(known.shape[1])
    middle = (ordered[last // 2, columns] + ordered[(last + 1) // 2, columns]) / 2
    return 2 * np.abs(compared.mean - middle) >= np.abs(compared.mean - compared.elsewhere)


def one_round(counted, groups, measured, before):
    """Returns the tests of all measures, each as (kind, names, measure, view, totals, Compared), and the
    arrays of their q values. `before`: the sides that the previous round found different, for each test,
    or None."""
    found = []
    for measure, view, totals in measured:
        everything = totals.exposure.sum(0), totals.total.sum(0)

        def different(shape):
            return before[len(found)] if before else np.zeros(shape, bool)

        compared, common = compare_sides(totals, everything, different(totals.total.shape))
        found.append(("kiosk", counted.kiosks, measure, view, totals, compared))
        if groups:
            sums = totals.grouped(list(groups.values()))
            found.append(("group", list(groups), measure, view, sums,
                          compare_sides(sums, everything, different(sums.total.shape), common)[0]))
    p = np.concatenate([entry[-1].p.ravel() for entry in found])
    q = np.full(len(p), np.nan)
    q[~np.isnan(p)] = adjust(p[~np.isnan(p)])
    ends = np.cumsum([entry[-1].p.size for entry in found])
    return found, [values.reshape(entry[-1].p.shape) for values, entry in zip(np.split(q, ends[:-1]), found)]


# Reading


def read(place, results):
    """Returns the Counted of the results of days."""
    with duckdb.connect() as database:
        reader = Reader(place, database, results)
        reader.read_kiosks()
        reader.read_views()
        reader.read_taps()
        days = results[0].day, results[-1].day
        return Counted(reader.kiosks, days, reader.sessions, list(reader.add_up()), read_touched(reader))


class Reader:
    """Adds up the files of the roll-up with DuckDB."""

    def __init__(self, place, database, results):
        self.place, self.database, self.results = place, database, results

    def open(self, kind, result):
        open_table(self.place, self.database, kind, result.paths(kind))

    def read_kiosks(self):
        run = self.database.execute
        run("CREATE TEMP TABLE kiosk_days (day INT, number INT, name VARCHAR, sessions DOUBLE)")
        for day, result in enumerate(self.results):
            self.open("kiosks", result)
            run(f"INSERT INTO kiosk_days SELECT {day}, kiosk, any_value(name), sum(sessions) FROM kiosks "
                "WHERE sessions > 0 GROUP BY kiosk")
        self.kiosks = [name for name, in run("SELECT DISTINCT name FROM kiosk_days ORDER BY name").fetchall()]
        names = pyarrow.table({"kiosk": pyarrow.array(range(len(self.kiosks)), pyarrow.int32()),
                               "name": pyarrow.array(self.kiosks, pyarrow.string())})
        self.database.register("names", names)
        run("CREATE TEMP TABLE days AS SELECT day, number, kiosk, sessions FROM kiosk_days "
            "JOIN names USING (name)")
        self.sessions = self.columns("SELECT kiosk, count(*)::DOUBLE AS units, count(*)::DOUBLE AS exposure, "
                                     "sum(sessions) AS total, sum(sessions * sessions) AS squares "
                                     "FROM days GROUP BY kiosk")

    def read_views(self):
        run = self.database.execute
        columns = ", ".join(KEY_COLUMNS)
        run("CREATE TEMP TABLE all_views (day INT, kiosk INT, screen VARCHAR, display VARCHAR, "
            "pixel_width INT, pixel_height INT, scale DOUBLE, rotation INT, block_size INT, "
            "sessions DOUBLE, masks VARCHAR)")
        for day, result in enumerate(self.results):
            self.open("views", result)
            run(f"INSERT INTO all_views SELECT {day}, days.kiosk, {columns}, sum(views.sessions), "
                f"CASE WHEN max(masks) > '[]' THEN string_agg(DISTINCT masks, '\n') ELSE '' END "
                f"FROM views JOIN days ON views.kiosk = days.number AND days.day = {day} "
                f"GROUP BY days.kiosk, {columns}")
        keys = run(f"SELECT {columns}, count(DISTINCT kiosk), sum(sessions) FROM all_views "
                   f"GROUP BY {columns} ORDER BY {columns}").fetchall()
        self.table("view_numbers", {name: [key[at] for key in keys] for at, name in enumerate(KEY_COLUMNS)}
                   | {"view": list(range(len(keys)))})
        self.sites = [(key[-2], key[-1]) for key in keys]
        self.keys = [key[:-2] for key in keys]
        run(f"CREATE TEMP TABLE shown AS SELECT day, kiosk, view, sessions, masks FROM all_views "
            f"JOIN view_numbers USING ({columns})")
        self.masked = run("SELECT DISTINCT view, kiosk, masks FROM shown WHERE masks != ''").fetchall()

    def table(self, name, columns):
        self.database.register("values_here", pyarrow.table(columns))
        self.database.execute(f"CREATE TEMP TABLE {name} AS FROM values_here")
        self.database.unregister("values_here")

    def read_taps(self):
        """Chooses the regions of each view, and adds up the taps of each kiosk's day in them."""
        run = self.database.execute
        columns = ", ".join(KEY_COLUMNS)
        taps = np.zeros(len(self.keys))
        for result in self.results:
            self.open("sums", result)
            found = run(f"SELECT view, sum(sum)::DOUBLE FROM sums JOIN view_numbers USING ({columns}) "
                        "WHERE layer = 'taps' GROUP BY view")
            for view, total in found.fetchall():
                taps[view] += total
        self.views = [View(key, partition(taps[at], self.sites[at][0])) for at, key in enumerate(self.keys)]
        shape = [view.blocks for view in self.views]
        self.table("shapes", {"view": list(range(len(shape))), "columns": [w for w, _ in shape],
                              "rows": [h for _, h in shape], "parts": [view.parts for view in self.views]})
        run("CREATE TEMP TABLE taps (day INT, kiosk INT, view INT, region INT, total DOUBLE)")
        for day, result in enumerate(self.results):
            self.open("keys", result)
            self.open("grids", result)
            run("CREATE OR REPLACE TEMP TABLE here AS SELECT grid, view, columns, rows, parts FROM keys "
                f"JOIN view_numbers USING ({columns}) JOIN shapes USING (view) WHERE layer = 'taps'")
            run(f"INSERT INTO taps SELECT {day}, days.kiosk, view, region, total FROM ("
                "SELECT kiosk AS number, view, (block % columns) * parts // columns "
                "+ parts * ((block // columns) * parts // rows) AS region, sum(sum)::DOUBLE AS total "
                "FROM grids JOIN here USING (grid) GROUP BY ALL) AS found "
                f"JOIN days ON days.number = found.number AND days.day = {day}")

    def add_up(self):
        run, count = self.database.execute, len(self.kiosks)
        shown = run("SELECT view, kiosk, count(*) AS units, sum(sessions) AS exposure FROM shown "
                    "GROUP BY view, kiosk").fetchnumpy()
        taps = run("SELECT view, kiosk, region, sum(total) AS total, "
                   "sum(total * total / sessions) AS squares "
                   "FROM taps JOIN shown USING (day, kiosk, view) GROUP BY view, kiosk, region").fetchnumpy()
        # A kiosk was able to show a screen on all of its days with the same display and geometry.
        run("CREATE TEMP TABLE places AS SELECT view, dense_rank() OVER (ORDER BY display, pixel_width, "
            "pixel_height, scale, rotation, block_size) AS place FROM view_numbers")
        run("CREATE TEMP TABLE present AS SELECT DISTINCT day, kiosk, place FROM shown "
            "JOIN places USING (view)")
        shares = run("SELECT view, kiosk, count(*) AS units, sum(days.sessions) AS exposure, "
                     "sum(coalesce(shown.sessions, 0)) AS total, "
                     "sum(coalesce(shown.sessions, 0) ** 2 / days.sessions) AS squares "
                     "FROM present JOIN places USING (place) JOIN days USING (day, kiosk) "
                     "LEFT JOIN shown USING (day, kiosk, view) GROUP BY view, kiosk").fetchnumpy()
        for at, view in enumerate(self.views):
            regions = view.parts ** 2
            zeros = np.zeros((4, count, regions))
            rows, own = shown["view"] == at, taps["view"] == at
            kiosks = shown["kiosk"][rows]
            zeros[0][kiosks] = shown["units"][rows][:, None]
            zeros[1][kiosks] = shown["exposure"][rows][:, None]
            place = taps["kiosk"][own], taps["region"][own]
            zeros[2][place], zeros[3][place] = taps["total"][own], taps["squares"][own]
            for _, kiosk, masks in (row for row in self.masked if row[0] == at):
                for text in filter(None, masks.split("\n")):
                    for region in regions_of(json.loads(text), view):
                        zeros[:, kiosk, region] = 0
            own = shares["view"] == at
            share = np.zeros((4, count, 1))
            for number, name in enumerate(("units", "exposure", "total", "squares")):
                share[number][shares["kiosk"][own], 0] = shares[name][own]
            yield view, Totals(*share), Totals(*zeros)

    def columns(self, query):
        found = self.database.execute(query).fetchnumpy()
        values = np.zeros((4, len(self.kiosks), 1))
        for number, name in enumerate(("units", "exposure", "total", "squares")):
            values[number][found["kiosk"], 0] = found[name]
        return Totals(*values)


def partition(taps, kiosks):
    """Returns the number of parts into which to divide each side of the display: the most for which a
    kiosk has, on average, three times the least number of taps in a region."""
    return next((parts for parts in PARTITIONS
                 if taps >= 3 * LEAST_EXPECTED * parts ** 2 * max(1, kiosks)), PARTITIONS[-1])


def regions_of(masks, view):
    """Returns the regions of a view that masks reach into."""
    columns, rows = view.blocks
    found = set()
    for mask in masks:
        spans = []
        for start, length, blocks in ((mask["x"], mask["width"], columns), (mask["y"], mask["height"], rows)):
            first = max(0, int(start // view.key[6]))
            last = min(math.ceil((start + length) / view.key[6]) - 1, blocks - 1)
            spans.append(range(first * view.parts // blocks, last * view.parts // blocks + 1))
        found |= {column + view.parts * row for column in spans[0] for row in spans[1]}
    return found


# The verb


def add_verb(verbs):
    parser = add_parser(
        verbs, "compare", "show which kiosks and groups use a screen differently from the others, which "
        "panels are shifted, and which controls are missed")
    add_span(parser)
    parser.add_argument("--days", type=int, metavar="N", help="only the last N of these days")
    parser.add_argument("--fleet-file", metavar="FILE", help="the groups (default: ROOT/fleet.toml)")
    parser.add_argument("-o", "--output", metavar="FILE", help="the page, an HTML file")
    parser.add_argument("--json", action="store_true", help="write the numbers to standard output")
    parser.set_defaults(run=run)


def run(arguments, place):
    if not (arguments.output or arguments.json):
        raise FleetError("nothing to write: give -o FILE for the page, --json, or both")
    if arguments.days is not None and arguments.days < 1:
        raise FleetError("--days must be 1 or more")
    results = list(read_results(place, arguments.since, arguments.until))[-(arguments.days or 0):]
    if not results:
        raise no_result(place, arguments.since, arguments.until)
    groups = {}
    for entry in read_fleet_file(place, arguments.fleet_file).values():
        if entry.group is not None:
            groups.setdefault(entry.group, []).append(entry.name)
    comparison = compare(read(place, results), groups)
    if arguments.output:
        output = Path(arguments.output)
        Folder(str(output.parent)).write(output.name, page(comparison).encode())
    if arguments.json:
        print(json.dumps(record(comparison)))


def record(comparison):
    """Returns the JSON of a comparison."""
    counted = comparison.counted
    taps = counted.taps()
    group_of = {row: name for name, rows in comparison.groups.items() for row in rows}
    return {
        "format": "touchgrid-fleet-comparison", "version": 1,
        "first": counted.days[0], "last": counted.days[1], "level": LEVEL, "tests": comparison.tests,
        "kiosks": [{"kiosk": name, "group": group_of.get(row), "days": int(counted.sessions.units[row, 0]),
                    "sessions": int(counted.sessions.total[row, 0]), "taps": int(taps[row])}
                   for row, name in enumerate(counted.kiosks)],
        "findings": [finding_record(finding) for finding in comparison.findings],
        "panelsTested": comparison.faults.panels, "controlsTested": comparison.faults.controls,
        "faults": [fault_record(fault) for fault in comparison.faults.found]}


def view_record(key):
    screen, display, width, height, scale, rotation, block = key
    return {"screen": screen, "display": display, "geometry": {
        "pixelWidth": width, "pixelHeight": height, "scale": scale, "rotation": rotation, "blockSize": block}}


def fault_record(fault):
    result = {"kind": fault.kind} | ({"kiosk": fault.kiosk} if fault.kiosk else {}) | {"display": fault.display}
    if fault.control:
        rectangle = dict(zip(("x", "y", "width", "height"), fault.control.rectangle))
        result |= view_record(fault.control.view) | {"control": fault.control.name, "rectangle": rectangle}
    return result | {
        "touches": fault.touches, "misses": fault.misses, "missShare": fault.mean, "elsewhere": fault.elsewhere,
        "offsetMm": fault.offset, "offsetElsewhereMm": fault.offset_elsewhere, "p": fault.p, "q": fault.q}


def finding_record(finding):
    result = {"kind": finding.kind, "name": finding.name, "measure": finding.measure}
    if finding.view:
        result |= view_record(finding.view.key)
    if finding.region is not None:
        parts = finding.view.parts
        row, column = divmod(finding.region, parts)
        result["region"] = {"column": column, "row": row, "columns": parts, "rows": parts}
    return result | {
        "mean": finding.mean, "elsewhere": finding.elsewhere, "difference": finding.mean - finding.elsewhere,
        "low": finding.low, "high": finding.high, "p": finding.p, "q": finding.q, "total": finding.total,
        "exposure": finding.exposure}
