"""Finds shifted panels, and controls that people miss, at one kiosk or at all of them.

A touch misses a control if it lies beside it, up to 5 mm away (docs/controls.md). Accidental touches are not
subtracted: they are part of the natural differences among kiosks.

Each test asks whether one of several peers stands out:
- a panel, which is a display of a kiosk, among all panels: by how far its touches lie from where people touch
  the same control at the median kiosk. The median over its controls is used, so a few bad controls are not a
  shift;
- a control at one kiosk among the kiosks: by the logit of the share of touches that miss it. Shifted panels
  take no part;
- a control among all controls: by the median of these logits over the kiosks.

How chance is measured. Kiosks differ naturally, because people, heights and light differ, and controls because
of their sizes. A value is taken to be normally distributed around the median of its peers. Its variance is the
natural one plus that of its own touches. The latter is estimated from the days of the kiosks, as in
`comparison`. The natural one is such that 68 % of the peers lie within one standard deviation, so up to a third
of them may have a fault. It is moderated for each control (Smyth 2004), and never less than that of all.

A certain difference may still be small, so the tests ask whether it exceeds 0.5 mm, or a factor of 1.5 in the
odds of a miss (McCarthy and Smyth 2009). Benjamini and Hochberg's procedure keeps false discoveries at 5 % for
each of the three kinds.
"""

import dataclasses
import functools
import json
import math

import numpy as np

from .chance import LEVEL, adjust, prior_freedom, two_sided

# The number of counters of a control, and the indexes of the first ones of hits and of near misses, which are
# the count, x, y, … (docs/controls.md).
NUMBERS, HITS, MISSES = 47, 0, 6
# The greatest distance of a near miss from its control, in mm.
NEAR_MISS = 5
# The minimums for a test: touches of a control at a kiosk, kiosks with the control, controls of a panel, and
# controls.
LEAST_TOUCHES, LEAST_KIOSKS, LEAST_ON_PANEL, LEAST_CONTROLS = 20, 5, 3, 5
# The differences from which there is a fault: in mm, and as a ratio of odds.
LEAST_SHIFT, LEAST_ODDS = 0.5, 1.5
# The share of a normal distribution within one standard deviation.
WITHIN = math.erf(math.sqrt(0.5))
# The efficiency of `within` as an estimate of the variance, relative to the mean square. Numerator: 0.5 / n, the
# variance of the root mean square. Denominator: p (1 - p) / (n f^2), the variance of the quantile p with the
# density f.
EFFICIENCY = 0.54
# The ratio of the variance of a median to that of a mean.
OF_MEDIAN = math.pi / 2


@dataclasses.dataclass(frozen=True)
class Control:
    """A control of a set. `view`: its screen, display and geometry, in the order of KEY_COLUMNS.
    `rectangle`: x, y, width and height in points."""
    view: tuple
    name: str
    point_mm: float
    rectangle: tuple

    @property
    def screen(self):
        return self.view[0]

    @property
    def display(self):
        return self.view[1]

    def is_masked(self, masks):
        """Whether a mask reaches into the control or to its near misses."""
        x, y, width, height = self.rectangle
        reach = NEAR_MISS / self.point_mm
        return any(mask["x"] < x + width + reach and x - reach < mask["x"] + mask["width"]
                   and mask["y"] < y + height + reach and y - reach < mask["y"] + mask["height"] for mask in masks)


@dataclasses.dataclass
class Touched:
    """The touches of controls: a row for each touched control of each panel.

    `panels`: (kiosk, display). `panel`, `control`: numbers in `panels` and `controls`. `days` with touches;
    `touches`, hits and near misses. For each row, `totals` has the near misses and the sums of x and y from
    the control's centre in mm. `squares` has the sums over the days of s²/n, where s are these totals of a
    day and n its touches."""
    panels: list
    controls: list
    panel: np.ndarray
    control: np.ndarray
    days: np.ndarray
    touches: np.ndarray
    totals: np.ndarray
    squares: np.ndarray

    @property
    def offsets(self):
        """The mean position of the touches, (x, y) in mm from the control's centre."""
        return self.totals[:, 1:] / self.touches[:, None]

    def only(self, rows):
        return Touched(self.panels, self.controls, *(array[rows] for array in (
            self.panel, self.control, self.days, self.touches, self.totals, self.squares)))

    def tested(self):
        """Returns the rows that can be tested, the group of each (one for each control), and the number of
        each group's control."""
        found, count = self.only(self.touches >= LEAST_TOUCHES), len(self.controls)
        enough = (np.bincount(found.control, minlength=count) >= LEAST_KIOSKS) \
            & (np.bincount(found.control, found.days - 1, count) > 0)
        found = found.only(enough[found.control])
        controls, group = np.unique(found.control, return_inverse=True)
        return found, group, controls

    def variances(self, group):
        """Returns the variances of a touch in each group, estimated from the differences among days. The
        columns are those of `totals`."""
        own = self.squares - self.totals ** 2 / self.touches[:, None]
        return np.column_stack([np.bincount(group, column) for column in own.T]) \
            / np.bincount(group, self.days - 1)[:, None]


@dataclasses.dataclass
class Fault:
    """A fault. `kind`: "panel", a shifted panel; "kiosk", a control at one kiosk; "everywhere", a control at
    all kiosks. `touches`, `misses`: of the control, or of all controls of the panel. `mean`, `elsewhere`: the
    shares of misses. `offset`: the mean position of the touches, (x, y) in mm, from the control's centre, or
    for a panel from their position elsewhere. `offset_elsewhere`: the same at the median kiosk."""
    kind: str
    kiosk: str | None
    display: str
    control: Control | None
    touches: int
    misses: int
    mean: float
    elsewhere: float
    offset: tuple
    offset_elsewhere: tuple
    p: float
    q: float


@dataclasses.dataclass
class Faults:
    """`controls`, `panels`: the numbers of tested ones. `found`: shifted panels first, the most certain
    first."""
    panels: int
    controls: int
    found: list


def each(values, group, function):
    """Returns `function` of the values of each group."""
    order = np.argsort(group, kind="stable")
    return np.array([function(part) for part in np.split(values[order], np.cumsum(np.bincount(group))[:-1])])


def within(squares):
    """Returns the value below which the share WITHIN of `squares` lies."""
    return np.quantile(squares, WITHIN, method="weibull")


def natural_variance(distance, noise):
    """Returns the natural variance: with the noise added, the share WITHIN of the distances is at most one
    standard deviation."""
    low, high = 0.0, float((distance ** 2).max())
    if within(distance ** 2 / noise) <= 1:
        return 0.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if within(distance ** 2 / (middle + noise)) > 1 else (low, middle)
    return high


def stand_out(values, noise, group, least):
    """Compares each value with the median of its group.
    noise: the variances of the values by chance; all above 0.
    Returns the medians; the distance of each value from its median, less `least`, in standard deviations; the
    degrees of freedom of these; and the variances of the values."""
    medians = each(values, group, np.median)
    distance = values - medians[group]
    variance = natural_variance(distance, noise) + noise
    ratio, freedom = each(distance ** 2 / variance, group, within), EFFICIENCY * (np.bincount(group) - 1)
    prior = prior_freedom(ratio[:, None], freedom[:, None])[0]
    moderated = (prior + freedom * ratio) / (prior + freedom) if math.isfinite(prior) else np.ones(len(ratio))
    variance = variance * np.maximum(moderated, 1)[group]
    score = np.sign(distance) * np.maximum(np.abs(distance) - least, 0) / np.sqrt(variance)
    return medians, score, np.minimum(prior + freedom, freedom.sum())[group], variance


def find_faults(touched):
    """Returns the Faults found in a fleet's Touched."""
    tested, shifted, found = find_shifted(touched)
    rows, group, controls = touched.only(~np.isin(touched.panel, shifted)).tested()
    if not len(controls):
        return Faults(tested, 0, found)
    offset, (medians, score, degrees, variance) = median_offsets(rows, group), compare_misses(rows, group)
    for at, p, q in worse(score, degrees):
        control = touched.controls[controls[group[at]]]
        found.append(Fault(
            "kiosk", touched.panels[rows.panel[at]][0], control.display, control, int(rows.touches[at]),
            int(rows.totals[at, 0]), float(rows.totals[at, 0] / rows.touches[at]), float(share(medians[group[at]])),
            tuple(rows.offsets[at].tolist()), tuple(offset[group[at]].tolist()), p, q))
    if len(controls) >= LEAST_CONTROLS:
        noise = OF_MEDIAN * np.bincount(group, variance) / np.bincount(group) ** 2
        usual, score, degrees, _ = stand_out(medians, noise, np.zeros(len(controls), int), math.log(LEAST_ODDS))
        for at, p, q in worse(score, degrees):
            control, here = touched.controls[controls[at]], tuple(offset[at].tolist())
            found.append(Fault(
                "everywhere", None, control.display, control, int(rows.touches[group == at].sum()),
                int(rows.totals[group == at, 0].sum()), float(share(medians[at])), float(share(usual[0])), here, here,
                p, q))
    order = "panel", "everywhere", "kiosk"
    found.sort(key=lambda fault: (order.index(fault.kind), fault.q, fault.p))
    return Faults(tested, len(controls), found)


def worse(score, degrees):
    """Returns the place, p and q of each score that is too high by more than chance. The tests are one-sided,
    because low scores are not faults."""
    p = two_sided(score, degrees) / 2
    p = np.where(score > 0, p, 1 - p)
    q = adjust(p)
    return [(at, float(p[at]), float(q[at])) for at in np.flatnonzero(q <= LEVEL)]


def find_shifted(touched):
    """Returns the number of tested panels, the numbers of the shifted ones, and their Faults."""
    rows, group, controls = touched.tested()
    enough = np.bincount(rows.panel, minlength=len(touched.panels)) >= LEAST_ON_PANEL
    if enough.sum() < LEAST_KIOSKS:
        return 0, [], []
    judged = enough[rows.panel]
    usual = share(each(miss_logit(rows), group, np.median))[group][judged]
    distance = (rows.offsets - median_offsets(rows, group)[group])[judged]
    # Positions are rounded to whole points.
    rounding = np.array([[touched.controls[number].point_mm ** 2 / 12] for number in controls])
    noise = (np.maximum(rows.variances(group)[:, 1:], rounding)[group] / rows.touches[:, None])[judged]
    rows = rows.only(judged)
    panels, panel, count = np.unique(rows.panel, return_inverse=True, return_counts=True)
    shift = np.concatenate([each(column, panel, np.median) for column in distance.T])
    noise = np.concatenate([OF_MEDIAN * np.bincount(panel, column) / count ** 2 for column in noise.T])
    _, score, degrees, _ = stand_out(shift, noise, np.arange(2).repeat(len(panels)), 0)
    x, y = shift.reshape(2, -1)
    # Test both axes together, as Hotelling's T² does.
    beyond = np.maximum(1 - LEAST_SHIFT / np.hypot(x, y), 0)
    degrees = degrees.reshape(2, -1).min(0)
    p = (1 + beyond ** 2 * (score.reshape(2, -1) ** 2).sum(0) / degrees) ** (-degrees / 2)
    q = adjust(p)
    found = []
    for at in np.flatnonzero(q <= LEVEL):
        mine, (kiosk, display) = panel == at, touched.panels[panels[at]]
        touches, misses = rows.touches[mine].sum(), rows.totals[mine, 0].sum()
        found.append(Fault(
            "panel", kiosk, display, None, int(touches), int(misses), float(misses / touches),
            float(np.average(usual[mine], weights=rows.touches[mine])), (float(x[at]), float(y[at])), (0.0, 0.0),
            float(p[at]), float(q[at])))
    return len(panels), panels[q <= LEVEL], found


def compare_misses(rows, group):
    """Compares the misses of each row with those of the same control at the other kiosks. Returns the same as
    `stand_out`."""
    usual = (np.bincount(group, rows.totals[:, 0]) + 0.5) / (np.bincount(group, rows.touches) + 1)
    binomial = usual * (1 - usual)
    # People who miss often do so again, so days vary more than independent touches would. Ignore a ratio below
    # 1.
    excess = np.maximum(rows.variances(group)[:, 0] / binomial, 1)
    return stand_out(miss_logit(rows), (excess / binomial)[group] / rows.touches, group, math.log(LEAST_ODDS))


def miss_logit(rows):
    misses = rows.totals[:, 0]
    return np.log((misses + 0.5) / (rows.touches - misses + 0.5))


def share(logit):
    return 1 / (1 + np.exp(-logit))


def median_offsets(rows, group):
    """Returns the mean position of the touches of each control at the median kiosk."""
    return np.column_stack([each(column, group, np.median) for column in rows.offsets.T])


# Reading


def read_touched(reader):
    """Returns the Touched of a `comparison.Reader` that has read its views. Leaves out the controls of a
    kiosk that masks reach."""
    run = reader.database.execute
    run("CREATE TEMP TABLE keys_of_sets (subject VARCHAR PRIMARY KEY, key VARCHAR)")
    for result in reader.results:
        reader.open("subjects", result)
        run("INSERT OR IGNORE INTO keys_of_sets SELECT subject, key FROM subjects WHERE kind = 'controls'")
    run("CREATE TEMP TABLE sets AS SELECT subject, key, (row_number() OVER (ORDER BY key))::INT AS set "
        "FROM keys_of_sets")
    run("CREATE TEMP TABLE touched (kiosk INT, set INT, control INT, touches DOUBLE, misses DOUBLE, x DOUBLE, "
        "y DOUBLE)")
    columns = ", ".join(
        f"coalesce(sum(count) FILTER (place % {NUMBERS} IN {places}), 0)::DOUBLE AS {name}"
        for name, places in (("touches", (HITS, MISSES)), ("misses", (MISSES,)), ("x", (HITS + 1, MISSES + 1)),
                             ("y", (HITS + 2, MISSES + 2))))
    for day, result in enumerate(reader.results):
        reader.open("counts", result)
        run(f"INSERT INTO touched SELECT days.kiosk, set, place // {NUMBERS} AS control, {columns} "
            f"FROM counts JOIN sets USING (subject) JOIN days ON days.number = counts.kiosk AND days.day = {day} "
            "WHERE place >= 0 GROUP BY days.kiosk, set, control HAVING touches > 0")
    run("DELETE FROM touched WHERE set IN "
        f"(SELECT set FROM touched GROUP BY set HAVING count(DISTINCT kiosk) < {LEAST_KIOSKS})")
    rows = run("SELECT dense_rank() OVER (ORDER BY set) - 1 AS set, control, kiosk, count(*) AS days, "
               "sum(touches) AS touches, sum(misses) AS m, sum(x) AS x, sum(y) AS y, sum(misses ** 2 / touches) AS mm, "
               "sum(x ** 2 / touches) AS xx, sum(y ** 2 / touches) AS yy FROM touched "
               "GROUP BY set, control, kiosk ORDER BY ALL").fetchnumpy()
    keys = run("SELECT key FROM sets WHERE set IN (SELECT set FROM touched) ORDER BY set").fetchall()
    sets = [controls_of(json.loads(key)) for key, in keys]
    controls = [control for found in sets for control in found]
    kiosk, control = rows["kiosk"], np.cumsum([0, *map(len, sets)])[rows["set"]] + rows["control"]
    displays = sorted({known.display for known in controls})
    display = np.array([displays.index(known.display) for known in controls], int)[control]
    panels, panel = np.unique(kiosk * len(displays) + display, return_inverse=True)
    unit = np.array([[1, known.point_mm, known.point_mm] for known in controls]).reshape(-1, 3)[control]
    touched = Touched(
        [(reader.kiosks[number // len(displays)], displays[number % len(displays)]) for number in panels], controls,
        panel, control, rows["days"], rows["touches"], np.column_stack([rows[name] for name in ("m", "x", "y")]) * unit,
        np.column_stack([rows[name] for name in ("mm", "xx", "yy")]) * unit ** 2)
    of_view = {}
    for number, known in enumerate(controls):
        of_view.setdefault(known.view, []).append(number)

    @functools.cache
    def masked_controls(view, texts):
        masks = [mask for text in filter(None, texts.split("\n")) for mask in json.loads(text)]
        return [number for number in of_view.get(reader.keys[view], ()) if controls[number].is_masked(masks)]

    masked = [at * len(controls) + number
              for view, at, texts in reader.masked for number in masked_controls(view, texts)]
    return touched.only(~np.isin(kiosk * len(controls) + control, masked))


def controls_of(key):
    """Returns the Controls of a set from the key of its subject (see `ControlKind`)."""
    view = (key["screen"], key["display"], *key["pixels"], key["scale"], key["rotation"], key["block_size"])
    return [Control(view, control["name"], key["point_mm"],
                    tuple(control[name] for name in ("x", "y", "width", "height"))) for control in key["controls"]]
