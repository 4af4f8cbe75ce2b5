"""The units of counts in a release, such as controls. What is a unit belongs to the kind of counts, and `touchgrid`
says it (`checker.disclosed`)."""

import dataclasses
import json

import pyarrow

from .checker import disclosed
from .disclosure import EVERYWHERE, UNIT, gather


def view_key(found):
    """The screen, display and geometry that what `disclosed` found belongs to."""
    view = found.get("view")
    return (view["screen"], view["display"], view["pixelWidth"], view["pixelHeight"], float(view["scale"]),
            view["rotation"], view["blockSize"]) if view else EVERYWHERE


# Reading


def read_units(counts, items, kinds, known, rule, register):
    """Adds the units of some kinds to the items that `release.Counts.read` returns. `register(result)` makes the
    table `chosen` of a day."""
    run = counts.database.execute
    parts = register_parts(counts, find_subjects(counts, kinds, known, rule, register))
    run("CREATE OR REPLACE TEMP TABLE numbers (part INT, class INT, place INT, count HUGEINT)")
    run("CREATE OR REPLACE TEMP TABLE sessions (part INT, class INT, touched HUGEINT, bits BIGINT)")
    for result in counts.results:
        register(result)
        counts.open("counts", result)
        own = "FROM counts JOIN chosen USING (kiosk) JOIN places USING (subject, place)"
        run(f"INSERT INTO numbers SELECT part, class, place, sum(count) {own} GROUP BY part, class, place")
        run(f"INSERT INTO sessions SELECT part, class, sum(count), bit_or(bit) {own} WHERE place = sessions "
            "GROUP BY part, class")
        # If sessions are not counted, each kiosk with a number has at least one.
        run(f"INSERT INTO sessions SELECT part, class, count(DISTINCT kiosk), bit_or(bit) {own} WHERE sessions < 0 "
            "GROUP BY part, class")
    amounts = {tuple(key): int(count) for *key, count in run(
        "SELECT part, class, place, sum(count) FROM numbers GROUP BY part, class, place").fetchall()}
    for part, number, touched, kiosks in run(
            "SELECT part, class, sum(touched), bit_or(bits) FROM sessions GROUP BY part, class").fetchall():
        item, layer, places = parts[part]
        gather(items, item, number, layer,
               (*(amounts.get((part, number, place), 0) for place in places), int(touched), kiosks))


def find_subjects(counts, kinds, known, rule, register):
    """(subject, kind, key) of the kinds: those that enough kiosks have for the rule, and those that are known."""
    run = counts.database.execute
    run("CREATE OR REPLACE TEMP TABLE seen (subject VARCHAR, kind VARCHAR, key VARCHAR, bits BIGINT)")
    for result in counts.results:
        register(result)
        for name in ("subjects", "counts"):
            counts.open(name, result)
        run("INSERT INTO seen SELECT subject, kind, key, bit_or(bit) FROM counts JOIN chosen USING (kiosk) "
            "JOIN (SELECT DISTINCT * FROM subjects) USING (subject) WHERE place < 0 "
            f"AND kind IN ({', '.join('?' * len(kinds))}) GROUP BY subject, kind, key", sorted(kinds))
    found = run("SELECT subject, kind, key, bit_or(bits) FROM seen GROUP BY ALL ORDER BY ALL").fetchall()
    return [(subject, kind, key) for subject, kind, key, bits in found
            if bits.bit_count() >= rule.kiosks or (kind, key) in known]


def register_parts(counts, subjects):
    """Makes the table `places` of the parts of the subjects' units: for each place the part's number, and the place
    of the number of sessions or -1. Returns the item, layer and places of each part."""
    parts, rows = [], []
    for subject, kind, key in subjects:
        found = disclosed(kind, key)
        for number, unit in enumerate(found["units"]):
            for layer, part in enumerate(unit["parts"]):
                rows += ((subject, place, len(parts), part.get("sessions", -1)) for place in part["places"])
                parts.append(((UNIT, *view_key(found), kind, key, number), str(layer), part["places"]))
    columns = zip(("subject", "place", "part", "sessions"), zip(*rows) if rows else ((),) * 4,
                  (pyarrow.string(), *[pyarrow.int32()] * 3))
    counts.database.register("places", pyarrow.table(
        {name: pyarrow.array(values, form) for name, values, form in columns}))
    return parts


# Writing


@dataclasses.dataclass
class Subject:
    """The visible counts of a subject by their places. `masks`: the areas of its hidden units, in JSON."""
    view: tuple
    counts: dict = dataclasses.field(default_factory=dict)
    sessions: int = 0
    touches: int = 0
    masks: set = dataclasses.field(default_factory=set)

    def add(self, unit, value):
        """Adds the value of a visible unit."""
        own = {}
        for layer, part in enumerate(unit["parts"]):
            own.update(zip(part["places"], value.get(str(layer), ())))
        for place, count in own.items():
            self.counts[place] = self.counts.get(place, 0) + count
        self.touches += sum(own.get(place, 0) for place in unit["touches"])


def released_subjects(units):
    """The Subjects of visible units, by kind and by key in the release, which several keys may have. `units`: of
    each kind and key the values by the unit's number."""
    subjects = {}
    for (kind, key), visible in units.items():
        found = disclosed(kind, key)
        subject = subjects.setdefault((kind, found["key"]), Subject(("view", *view_key(found))))
        subject.sessions += max(figures[-1] for value in visible.values() for figures in value.values())
        for number, unit in enumerate(found["units"]):
            if number in visible:
                subject.add(unit, visible[number])
            elif area := unit.get("area"):
                area = {member: float(value) for member, value in area.items()}
                subject.masks.add(json.dumps(area, sort_keys=True))
    return subjects
