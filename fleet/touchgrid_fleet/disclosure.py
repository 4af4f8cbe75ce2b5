"""The rule for the values that the owner may give to others. Every output of a release passes
`decide`.

Terms:

kiosk-day   The counts of one kiosk on one day: (kiosk, day).
item        One value of a release: a view, a mask, a block, or a unit of another kind of counts,
            such as a control. A tuple that begins with "view", "mask", "block" or "unit", the
            screen, the display and the geometry, or EVERYWHERE if it belongs to no view. A unit's
            ends with its kind, the key of its subject and its number.
class       A number. Kiosk-days that the same issues of the same releases contain are in one class.
part        A set of classes that every published value of an item contains as a whole or not at
            all.

The rule: a value is published only if it is a sum of disjoint parts, each with at least `sessions`
sessions on at least `kiosks` kiosks in the item. All published values of an item are then sums of
whole parts. So is every value that can be derived from them by adding and subtracting: no part can
be divided. A release that lies in an earlier one divides a part of it, so both pieces must obey the
rule. A release that contains earlier ones adds one part, the remainder.

Published values are constant. A value of an earlier release is taken as it was published, even if
kiosks have sent other counts since. A value of a release that is issued again changes only if its
new kiosk-days, those that came late, are a part that obeys the rule by themselves.

The layers of a block (taps, trail, dwell) and the parts of a unit (such as hits and near misses)
are published together: only if each that has counts obeys the rule. Otherwise the published layers
would narrow down the hidden one: a tap is also a trail in its block, and touches it for a time.

Of a view, a kiosk-day is in published values of one kind only: blocks, or the units of one other
kind. Otherwise they could be subtracted: the hits of a control without the taps of its visible blocks
are taps of a hidden block, and the taps of a block without the hits of the controls in it lie beside
these. With this rule, values of different kinds have no touch in common: each kiosk-day of a view is
in those of one kind, and a touch is on one view. Different items of one kind have none in common
either: a touch begins in one block, and counts for one control of one set. (The trails and dwells of
blocks do not add up to anything that is published.) So only values of one item can be subtracted, for
which the rule above is enough. A kind without views counts the touches of all views.
"""

import itertools
import math
import operator
from dataclasses import dataclass, field

LEAST_SESSIONS = 10
LEAST_KIOSKS = 3
# The number of bits that count kiosks. Two kiosks whose numbers differ by a multiple of it share a
# bit, so the count is exact for up to 63 kiosks and never too high.
KIOSK_BITS = 63
# In place of the view of units that belong to none.
EVERYWHERE = ("", "", 0, 0, 0.0, 0, 0)
BLOCK, UNIT = "block", "unit"


@dataclass(frozen=True)
class Rule:
    """The minimum number of sessions (2 or more) and of kiosks behind each part of a value."""
    sessions: int = LEAST_SESSIONS
    kiosks: int = LEAST_KIOSKS

    @property
    def is_public(self):
        """Whether a release may be given to people without access to the store."""
        return self.sessions >= LEAST_SESSIONS

    def allows(self, counts):
        """Whether a part may be published: each layer is empty, or has enough sessions on enough
        kiosks."""
        return all(touched == 0 or (touched >= self.sessions and bits.bit_count() >= self.kiosks)
                   for *_, touched, bits in counts.values())


@dataclass
class Publication:
    """One issue of a release, as stored in the ledger.

    release: the identity of the release (kiosks and period).
    classes: the classes of its kiosk-days, those of its earlier issues included.
    items: of each item whose value this issue published or changed, the values of the new parts:
    first the pieces inside this release of the parts that it divides, in the order of the parts,
    then the remainder, if the release has kiosk-days in no part.
    """
    release: object
    classes: frozenset
    items: dict = field(default_factory=dict)


def add(values):
    """Returns the sum of values, each a dictionary of layer to figures: numbers, the last of which is the
    number of sessions."""
    total = {}
    for value in values:
        for layer, figures in value.items():
            total[layer] = tuple(map(operator.add, total[layer], figures)) if layer in total else figures
    return total


def subtract(value, other):
    """Returns `value`, a sum that includes `other`, without `other`. Leaves out layers that become
    empty."""
    rest = {layer: tuple(map(operator.sub, figures, other[layer])) if layer in other else figures
            for layer, figures in value.items()}
    return {layer: figures for layer, figures in rest.items() if any(figures)}


def gather(items, item, number, layer, figures):
    """Adds the figures of a layer, with the bits of the kiosks at their end, to the counts of an item in
    a class."""
    add_figures(items.setdefault(item, {}).setdefault(number, {}), layer, figures)


def add_figures(total, layer, figures):
    if layer in total:
        *before, bits = total[layer]
        figures = (*map(operator.add, before, figures), bits | figures[-1])
    total[layer] = figures


def merge(counts, classes):
    """Returns the sum of the counts of some classes: a dictionary of layer to figures and bits."""
    total = {}
    for number in classes:
        for layer, figures in counts.get(number, {}).items():
            add_figures(total, layer, figures)
    return total


def without_bits(counts):
    return {layer: figures[:-1] for layer, figures in counts.items() if figures[-2]}


def divide(parts, classes):
    """Compares a set of classes with parts. Returns the parts inside it, the parts that it
    divides, and the classes that are in no part."""
    inside = [part for part in parts if part <= classes]
    divided = [part for part in parts if not part <= classes and part & classes]
    return inside, divided, classes.difference(*parts)


def replay(history, item):
    """Returns the parts of an item after the publications of `history`, as a dictionary of part
    (a frozenset of classes) to value."""
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
    """Returns the values of the new parts of an item of a release with these classes, as
    `Publication` stores them, and the item's whole value; None if the rule forbids publishing
    it."""
    inside, divided, rest = divide(parts, classes)
    fresh = []
    for part in divided:
        within, outside = merge(counts, part & classes), merge(counts, part - classes)
        # Do not divide a part that was published with other counts than the kiosks have sent now:
        # the difference would reveal the changes.
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
    """Returns the view of a mask, block or unit."""
    return ("view", *item[1:8])


def kind_of(item):
    """Returns the kind of counts of a block or unit."""
    return item[8] if item[0] == UNIT else item[0]


def shown_counts(items):
    """Returns the (kind, view) of the blocks and units among items."""
    return {(kind_of(item), view_of(item)) for item in items if item[0] in (BLOCK, UNIT)}


@dataclass
class Decision:
    """What a release shows: `values` of all its visible items; `changes`, the new parts of each item
    that this issue publishes or changes (empty if nothing changed since the issue before);
    `earlier`, the values that the issue before showed; `hidden`, how many blocks and units with
    counts are not shown; `kept`, how many views show another kind than the wanted one, as an earlier
    release does."""
    values: dict
    changes: dict
    earlier: dict
    hidden: int = 0
    kept: int = 0

    def withdraw(self, item):
        """Shows an item as in the previous issue, or not at all if it was not shown there."""
        self.changes.pop(item)
        self.values.pop(item)
        if item in self.earlier:
            self.values[item] = self.earlier[item]


def decide(counts, history, release, classes, rule, kind=BLOCK):
    """Decides what a release may show: the one function that every output passes.

    counts: of each item, dictionary of class to dictionary of layer to figures and the bits of the
    kiosks, of all kiosk-days that `history` knows or the release has.
    history: the publications whose release shares kiosk-days with this one or with one that
    contains this one; oldest first.
    release: equal to `Publication.release` of the earlier issues of this release.
    classes: the classes of the release's kiosk-days.
    kind: the kind of counts that views show, if they may and have any; otherwise, blocks.
    """
    mine = [publication for publication in history if publication.release == release]
    decision = Decision({}, {}, {})

    def show(item, may_change=True):
        """Publishes an item as far as the rule allows. An item that an earlier issue has published
        stays, with its earlier value unless a new one is allowed."""
        parts = replay(history, item)
        last = next((publication for publication in reversed(mine) if item in publication.items), None)
        earlier = add(value for part, value in parts.items() if part <= last.classes) if last else None
        if last:
            decision.earlier[item] = earlier
        allowed = may_change and evaluate(parts, counts.get(item, {}), classes, rule)
        fresh, value = allowed or ([], earlier)
        # An earlier release may have had a lower minimum than this one.
        if not value or any(figures[-1] < rule.sessions for figures in value.values()):
            return
        decision.values[item] = value
        if value != earlier:
            decision.changes[item] = fresh

    items = set(counts).union(*(publication.items for publication in mine))
    groups = {}
    for item in sorted(items):
        if item[0] == "view":
            show(item)
        elif item[0] != "mask":
            groups.setdefault((kind_of(item), view_of(item)), []).append(item)
    for item in sorted(items):
        if item[0] == "mask" and view_of(item) in decision.values:
            show(item)
    taken = set().union(*(shown_counts(publication.items) for publication in history
                          if publication.classes & classes))
    for group in sorted(groups, key=lambda group: (group[0] != kind, group[0] == BLOCK, group)):
        name, view = group
        if any(name != other and (view == scope or ("view", *EVERYWHERE) in (view, scope)) for other, scope in taken):
            decision.kept += name == kind != BLOCK
            for item in groups[group]:
                show(item, may_change=False)
        elif name in (kind, BLOCK) or group in taken:
            decision.hidden += show_group(view, groups[group], show, counts, classes, decision)
            taken |= shown_counts(item for item in groups[group] if item in decision.values)
    return decision


def show_group(view, members, show, counts, classes, decision):
    """Publishes the blocks or units of a view, and returns how many with counts stay hidden."""
    touched = {item for item in members if any(number in classes for number in counts.get(item, {}))}
    if view in decision.values:
        sessions = decision.values[view]["sessions"][-1]
    elif view == ("view", *EVERYWHERE):
        sessions = math.inf
    else:
        return len(touched)
    for item in members:
        show(item)
        value = decision.values.get(item, {})
        # The view may be out of date if kiosk-days were replaced after its publication.
        if any(figures[-1] > sessions for figures in value.values()) and item in decision.changes:
            decision.withdraw(item)
    # If a single one were hidden, its value could be computed from a total of its subject or view
    # that is known elsewhere. Items of an earlier issue can no longer be hidden.
    subjects = [list(subject) for _, subject in itertools.groupby(members, lambda item: item[:-1])]
    for some in (*subjects, members):
        fresh = [item for item in some if item in decision.changes and item not in decision.earlier]
        if fresh and sum(item in touched and item not in decision.values for item in some) == 1:
            decision.withdraw(min(fresh, key=lambda item: (
                max(figures[-1] for figures in decision.values[item].values()), item)))
    return len(touched.difference(decision.values))
