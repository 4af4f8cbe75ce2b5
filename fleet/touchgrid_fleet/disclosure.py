"""The rule of what may leave the owner's house. `decide` stands before every
output of a release.

Terms:

kiosk-day   What one kiosk counted on one day: (kiosk, day).
item        One value of a release: a view, a mask or a block. A tuple that begins with "view",
            "mask" or "block", the screen, the display and the geometry.
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
also a trail in its block, and touches it for a time.
"""

from dataclasses import dataclass, field

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
    """
    release: object
    classes: frozenset
    items: dict = field(default_factory=dict)


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
    `earlier`, the values that the issue before showed; `hidden`, how many blocks with counts are not
    shown."""
    values: dict
    changes: dict
    earlier: dict
    hidden: int = 0

    def withdraw(self, item):
        """Shows an item as the issue before did, if at all."""
        self.changes.pop(item)
        self.values.pop(item)
        if item in self.earlier:
            self.values[item] = self.earlier[item]


def decide(counts, history, release, classes, rule):
    """Decides what a release may show: the one function that every output passes.

    counts: of each item, dictionary of class to dictionary of layer to (sum, square, touched,
    bits of the kiosks), of all kiosk-days that `history` knows or the release has.
    history: the publications whose release shares kiosk-days with this one or with one that
    contains this one; oldest first.
    release: equal to `Publication.release` of the earlier issues of this release.
    classes: the classes of the release's kiosk-days.
    """
    mine = [publication for publication in history if publication.release == release]
    decision = Decision({}, {}, {})

    def show(item):
        """Publishes an item as far as the rule allows. An item that an earlier issue has published
        stays, with its earlier value unless a new one is allowed."""
        parts = replay(history, item)
        last = next((publication for publication in reversed(mine) if item in publication.items), None)
        earlier = add(value for part, value in parts.items() if part <= last.classes) if last else None
        if last:
            decision.earlier[item] = earlier
        fresh, value = evaluate(parts, counts.get(item, {}), classes, rule) or ([], earlier)
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
        decision.hidden += show_blocks(view, members, show, counts, classes, decision)
    return decision


def show_blocks(view, blocks, show, counts, classes, decision):
    """Publishes the blocks of a view, and returns how many with counts stay hidden."""
    touched = [block for block in blocks if any(number in classes for number in counts.get(block, {}))]
    if view not in decision.values:
        return len(touched)
    sessions = decision.values[view]["sessions"][2]
    for block in blocks:
        show(block)
        value = decision.values.get(block, {})
        # The view may lag behind if kiosk-days were replaced since it was published.
        if any(figures[2] > sessions for figures in value.values()) and block in decision.changes:
            decision.withdraw(block)
    hidden = [block for block in touched if block not in decision.values]
    # If a single block is hidden, anybody who knows a total from elsewhere could compute it. What
    # an earlier issue has shown cannot be hidden any more.
    fresh = [block for block in blocks if block in decision.changes and block not in decision.earlier]
    if len(hidden) == 1 and fresh:
        decision.withdraw(min(fresh, key=lambda block: (
            max(figures[2] for figures in decision.values[block].values()), block)))
        return 2
    return len(hidden)
