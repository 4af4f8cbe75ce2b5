"""The rule of what may leave the owner's house. `decide` stands before every
output of a release.

Terms:

kiosk-day   What one kiosk counted on one day: (kiosk, day).
item        One value of a release: a view, a mask, a block, or a part of a subject's counts. A tuple:
            "view", "mask" or "block", the screen, the display and the geometry; or "count", the
            kind, the subject and the number of the part, where -1 stands for the subject's sessions.
class       A number. Kiosk-days that the same issues of the same releases contain are in one class.
part        A set of classes that every published value of an item contains as a whole or not at
            all.

The rule: a value is published only if it is a sum of disjoint parts, each with at least `sessions`
sessions on at least `kiosks` kiosks in the item. All published values of an item are then sums of
whole parts, and so is whatever can be derived by adding and subtracting them: no part can be
divided. A release that lies in an earlier one divides a part of it, so both pieces must obey the
rule. A release that contains earlier ones adds one part, the remainder.

Published values are constant. A value of an earlier release is taken as it was published, even if
kiosks have sent other counts since. A value of a release that is issued again changes only if its
new kiosk-days, those that came late, are a part that obeys the rule by themselves.

The layers of a block (taps, trail, dwell) are published together: only if each layer that has
counts obeys the rule. Otherwise the published layers would narrow down the hidden one: a tap is
also a trail in its block, and touches it for a time. The numbers of a part are published together
too, and count as those of all its sessions.

Some parts are totals: the taps of a control are those of the blocks below it, and a screen came as
often as all steps to it. If some of a total's summands are hidden, the total would tell their sum.
So a summand that the rule allows is withheld as well, the one of fewest sessions, and what can be
derived has at least as many. It is withheld in all later releases that are compared with this one.
"""

import math
from dataclasses import dataclass, field

from .objects import size_in_points

LEAST_SESSIONS = 10
LEAST_KIOSKS = 3
# Kiosks are counted with one bit each; two kiosks whose numbers differ by a multiple of this share
# a bit. The number of bits is therefore exact up to 63 kiosks and never too high beyond.
KIOSK_BITS = 63


@dataclass(frozen=True)
class Rule:
    """The minimum number of sessions (2 or more) and of kiosks behind each part of a value."""
    sessions: int = LEAST_SESSIONS
    kiosks: int = LEAST_KIOSKS

    @property
    def is_public(self):
        """Whether a release may be given to people who may not read the store."""
        return self.sessions >= LEAST_SESSIONS

    def allows(self, counts):
        """Whether a part may be published: each layer is empty, or enough sessions on enough kiosks
        are behind it."""
        return all(touched == 0 or (touched >= self.sessions and bits.bit_count() >= self.kiosks)
                   for _, _, touched, bits in counts.values())


@dataclass
class Publication:
    """One issue of a release, as the ledger keeps it.

    release: what identifies the release (kiosks and period).
    classes: the classes of its kiosk-days, those of its earlier issues included.
    items: of each item whose value this issue published or changed, the values of the new parts:
    first the pieces inside this release of the parts that it divides, in the order of the parts,
    then the remainder, if the release has kiosk-days in no part.
    withheld: the items that were withheld for the sake of totals.
    """
    release: object
    classes: frozenset
    items: dict = field(default_factory=dict)
    withheld: frozenset = frozenset()


def add(values):
    """The sum of values, each a dictionary of layer to (sum, square, touched)."""
    total = {}
    for value in values:
        for layer, (amount, square, touched) in value.items():
            before = total.get(layer, (0, 0, 0))
            total[layer] = (before[0] + amount, before[1] + square, before[2] + touched)
    return total


def subtract(value, other):
    """`value` without `other`, of which it is a sum; layers that become empty are left out."""
    rest = {layer: tuple(a - b for a, b in zip(figures, other.get(layer, (0, 0, 0))))
            for layer, figures in value.items()}
    return {layer: figures for layer, figures in rest.items() if figures != (0, 0, 0)}


def merge(counts, classes):
    """The sum of the counts of some classes: dictionary of layer to (sum, square, touched, bits)."""
    total = {}
    for number in classes:
        for layer, (amount, square, touched, bits) in counts.get(number, {}).items():
            before = total.get(layer, (0, 0, 0, 0))
            total[layer] = (before[0] + amount, before[1] + square, before[2] + touched, before[3] | bits)
    return total


def without_bits(counts):
    return {layer: figures[:3] for layer, figures in counts.items() if figures[2]}


def divide(parts, classes):
    """How a set of classes lies to parts: those inside it, those that it divides, and the classes
    that are in no part."""
    inside = [part for part in parts if part <= classes]
    divided = [part for part in parts if not part <= classes and part & classes]
    return inside, divided, classes.difference(*parts)


def replay(history, item):
    """The parts of an item after the publications of `history`, as a dictionary of part (a
    frozenset of classes) to value."""
    parts = {}
    for publication in history:
        if item not in publication.items:
            continue
        values = iter(publication.items[item])
        _, divided, rest = divide(parts, publication.classes)
        for part in divided:
            value, whole = next(values), parts.pop(part)
            parts[part & publication.classes] = value
            parts[part - publication.classes] = subtract(whole, value)
        if rest:
            parts[rest] = next(values)
    return parts


def evaluate(parts, counts, classes, rule):
    """The values of the new parts of an item of a release with these classes, as `Publication`
    keeps them, and the item's whole value. None if the rule forbids to publish it."""
    inside, divided, rest = divide(parts, classes)
    fresh = []
    for part in divided:
        within, outside = merge(counts, part & classes), merge(counts, part - classes)
        # A part that was published with other counts than the kiosks have now sent cannot be
        # divided: the difference would show what has changed.
        if add([without_bits(within), without_bits(outside)]) != parts[part]:
            return None
        if not (rule.allows(within) and rule.allows(outside)):
            return None
        fresh.append(without_bits(within))
    if rest:
        counted = merge(counts, rest)
        if not rule.allows(counted):
            return None
        fresh.append(without_bits(counted))
    return fresh, add([*(parts[part] for part in inside), *fresh])


def view_of(item):
    """The view that a mask or block is in."""
    return ("view", *item[1:-1])


@dataclass
class Decision:
    """What a release shows: `values` of all its visible items; `changes`, the new parts of each item
    that this issue publishes or changes (empty if nothing changed since the issue before);
    `earlier`, the values that the issue before showed; `subjects`, the Parts of subjects;
    `withheld`, the items that were withheld for the sake of totals; `hidden`, how many blocks with
    counts are not shown."""
    values: dict
    changes: dict
    earlier: dict
    subjects: dict
    withheld: set = field(default_factory=set)
    hidden: int = 0

    def withdraw(self, item):
        """Shows an item as the issue before did, if at all."""
        self.changes.pop(item)
        self.values.pop(item)
        if item in self.earlier:
            self.values[item] = self.earlier[item]

    def is_fresh(self, item):
        """Whether the item can still be hidden: this issue is the first to show it."""
        return item in self.changes and item not in self.earlier

    def sessions(self, item):
        return max((figures[2] for figures in self.values[item].values()), default=0)


def decide(counts, history, release, classes, rule, subjects={}):
    """Decides what a release may show: the one function that every output passes.

    counts: of each item, dictionary of class to dictionary of layer to (sum, square, touched,
    bits of the kiosks), of all kiosk-days that `history` knows or the release has.
    history: the publications whose release shares kiosk-days with this one or with one that
    contains this one; oldest first.
    release: equal to `Publication.release` of the earlier issues of this release.
    classes: the classes of the release's kiosk-days.
    subjects: of each subject, (kind, key), its Parts. Others are not shown.
    """
    mine = [publication for publication in history if publication.release == release]
    decision = Decision({}, {}, {}, subjects, set().union(*(publication.withheld for publication in history)))

    def show(item):
        """Publishes an item as far as the rule allows. An item that an earlier issue has published
        stays, with its earlier value unless a new one is allowed."""
        parts = replay(history, item)
        last = next((publication for publication in reversed(mine) if item in publication.items), None)
        earlier = add(value for part, value in parts.items() if part <= last.classes) if last else None
        if last:
            decision.earlier[item] = earlier
        allowed = None if item in decision.withheld else evaluate(parts, counts.get(item, {}), classes, rule)
        fresh, value = allowed or ([], earlier)
        # An earlier release may have had a lower minimum than this one.
        if not value or any(touched < rule.sessions for _, _, touched in value.values()):
            return
        decision.values[item] = value
        if value != earlier:
            decision.changes[item] = fresh

    items = set(counts).union(*(publication.items for publication in mine))
    blocks = {}
    for item in sorted(items):
        if item[0] == "block":
            blocks.setdefault(view_of(item), []).append(item)
        elif item[0] == "view":
            show(item)
    for item in sorted(items):
        if item[0] == "mask" and view_of(item) in decision.values:
            show(item)
    for view, members in blocks.items():
        show_blocks(view, members, show, counts, classes, decision)
    show_counts(sorted(item for item in items if item[0] == "count"), subjects, show, decision)
    for total, summands, inside in totals(blocks, subjects, decision):
        protect(total, summands, inside, counts, classes, rule, decision)
    decision.hidden = sum(item not in decision.values and is_counted(item, counts, classes)
                          for members in blocks.values() for item in members)
    return decision


def is_counted(item, counts, classes):
    return any(number in classes for number in counts.get(item, {}))


def show_blocks(view, blocks, show, counts, classes, decision):
    """Publishes the blocks of a view."""
    if view not in decision.values:
        return
    touched = [block for block in blocks if is_counted(block, counts, classes)]
    sessions = decision.sessions(view)
    for block in blocks:
        show(block)
        # The view may lag behind if kiosk-days were replaced since it was published.
        if block in decision.changes and decision.sessions(block) > sessions:
            decision.withdraw(block)
    hidden = [block for block in touched if block not in decision.values]
    # If a single block is hidden, anybody who knows a total from elsewhere could compute it. What
    # an earlier issue has shown cannot be hidden any more.
    fresh = [block for block in blocks if decision.is_fresh(block)]
    if len(hidden) == 1 and fresh:
        decision.withdraw(min(fresh, key=lambda block: (decision.sessions(block), block)))


@dataclass(frozen=True)
class Parts:
    """How the numbers of a subject divide: see `CountParts` in Swift. `view`: the item of its view; None if it
    has none. `areas`: for each part its rectangle in points, (x, y, width, height); empty if parts are no totals
    of blocks. `totals`: keys of the same kind."""
    size: int
    sessions: int | None = None
    view: tuple | None = None
    touches: tuple = ()
    areas: tuple = ()
    totals: tuple = ()

    def blocks(self, number, known):
        """Of the `known` blocks of the view, those that count taps of a part, and those that count no others."""
        overlapped = [block for block in known if self.overlap(number, block)]
        x, y, width, height = self.areas[number]
        inside = []
        for block in overlapped:
            left, top, right, bottom = self.bounds(block)
            # A touch where two rectangles overlap counts for one of them.
            if x <= left and right <= x + width and y <= top and bottom <= y + height and not any(
                    other != number and self.overlap(other, block) for other in range(len(self.areas))):
                inside.append(block)
        return overlapped, inside

    def bounds(self, block):
        _, _, _, width, height, scale, rotation, size = self.view
        across = math.ceil(size_in_points(width, height, scale, rotation)[0] / size)
        row, column = divmod(block[-1], across)
        return column * size, row * size, (column + 1) * size, (row + 1) * size

    def overlap(self, number, block):
        """Whether they have a point in common, be it on their edges."""
        x, y, width, height = self.areas[number]
        left, top, right, bottom = self.bounds(block)
        return left <= x + width and x <= right and top <= y + height and y <= bottom


def show_counts(items, subjects, show, decision):
    """Publishes the parts of subjects whose sessions, and view if they have one, are published."""
    for item in items:
        parts = subjects.get(item[1:3])
        whole = (*item[:3], -1)
        if not parts or not parts.size or parts.view and parts.view not in decision.values:
            continue
        if item != whole and whole not in decision.values:
            continue
        show(item)
        most = [decision.sessions(other) for other in (whole, parts.view) if other in decision.values]
        # They may lag behind, as a view does.
        if item in decision.changes and decision.sessions(item) > min(most):
            decision.withdraw(item)


def totals(blocks, subjects, decision):
    """The totals that are shown: (item, its summands, those of them that count for nothing else)."""
    summands = {}
    for (kind, key), parts in subjects.items():
        for total in parts.totals:
            summands.setdefault(("count", kind, total, 0), []).append(("count", kind, key, 0))
        for number in range(len(parts.areas)):
            total = ("count", kind, key, number)
            if total in decision.values:
                yield (total, *parts.blocks(number, blocks.get(parts.view, ())))
    for total, members in summands.items():
        if total in decision.values:
            yield total, members, members


def protect(total, summands, inside, counts, classes, rule, decision):
    """Withholds a summand of a total of which others are hidden, or the total if that cannot be."""
    hidden = [item for item in summands if item not in decision.values and is_counted(item, counts, classes)]
    if not hidden or any(item in decision.withheld and item in inside
                         and rule.allows(merge(counts[item], classes)) for item in hidden):
        return
    fresh = [item for item in inside if decision.is_fresh(item)]
    if fresh:
        weakest = min(fresh, key=lambda item: (decision.sessions(item), item))
        decision.withheld.add(weakest)
        decision.withdraw(weakest)
    elif total in decision.changes:
        decision.withdraw(total)
