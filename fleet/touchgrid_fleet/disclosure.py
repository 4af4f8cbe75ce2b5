"""The rule for the values that the owner may give to others. Every output of a release passes
`decide`.

Terms:

kiosk-day   The counts of one kiosk on one day: (kiosk, day).
item        The subject of values of a release: a view, a mask or a block. A tuple that begins with
            "view", "mask" or "block", the screen, the display and the geometry.
class       A number. Kiosk-days have the same class if the same issues of the same releases contain
            them.
part        A set of classes. Each published value of an item contains all of them or none.

The rule: a value is published only if it is a sum of disjoint parts, each with at least `sessions`
sessions on at least `kiosks` kiosks in the item. All published values of an item are then sums of
whole parts. So is every value that can be derived from them by adding and subtracting: no part can
be divided. A release that lies in an earlier one divides a part of it, so both pieces must obey the
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
# The number of bits that count kiosks. Two kiosks whose numbers differ by a multiple of it share a
# bit, so the count is exact for up to 63 kiosks and never too high.
KIOSK_BITS = 63


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
                   for _, _, touched, bits in counts.values())


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
    """Returns the sum of values, each a dictionary of layer to (sum, square, touched)."""
    total = {}
    for value in values:
        for layer, (amount, square, touched) in value.items():
            before = total.get(layer, (0, 0, 0))
            total[layer] = (before[0] + amount, before[1] + square, before[2] + touched)
    return total


def subtract(value, other):
    """Returns `value`, a sum that includes `other`, without `other`. Leaves out layers that
    become empty."""
    rest = {layer: tuple(a - b for a, b in zip(figures, other.get(layer, (0, 0, 0))))
            for layer, figures in value.items()}
    return {layer: figures for layer, figures in rest.items() if figures != (0, 0, 0)}


def merge(counts, classes):
    """Returns the sum of the counts of some classes: a dictionary of layer to (sum, square,
    touched, bits)."""
    total = {}
    for number in classes:
        for layer, (amount, square, touched, bits) in counts.get(number, {}).items():
            before = total.get(layer, (0, 0, 0, 0))
            total[layer] = (before[0] + amount, before[1] + square, before[2] + touched, before[3] | bits)
    return total


def without_bits(counts):
    return {layer: figures[:3] for layer, figures in counts.items() if figures[2]}


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
    """Returns the view of a mask or block."""
    return ("view", *item[1:-1])


@dataclass
class Decision:
    """The content of a release. `values`: those of all its visible items. `changes`: the new
    parts of each item that this issue publishes or changes (empty if nothing has changed since
    the previous issue). `earlier`: the values in the previous issue. `hidden`: the number of
    blocks with counts that are not shown."""
    values: dict
    changes: dict
    earlier: dict
    hidden: int = 0

    def withdraw(self, item):
        """Shows an item as in the previous issue, or not at all if it was not shown there."""
        self.changes.pop(item)
        self.values.pop(item)
        if item in self.earlier:
            self.values[item] = self.earlier[item]


def decide(counts, history, release, classes, rule):
    """Decides which values a release may show. Every output passes this function.

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
        """Publishes an item as far as the rule allows. An item of an earlier issue stays, with
        its earlier value unless a new one is allowed."""
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
    """Publishes the blocks of a view. Returns the number of blocks with counts that stay hidden."""
    touched = [block for block in blocks if any(number in classes for number in counts.get(block, {}))]
    if view not in decision.values:
        return len(touched)
    sessions = decision.values[view]["sessions"][2]
    for block in blocks:
        show(block)
        value = decision.values.get(block, {})
        # The view may be out of date if kiosk-days were replaced after its publication.
        if any(figures[2] > sessions for figures in value.values()) and block in decision.changes:
            decision.withdraw(block)
    hidden = [block for block in touched if block not in decision.values]
    # If a single block were hidden, its value could be computed from a total that is known
    # elsewhere. Blocks of an earlier issue can no longer be hidden.
    fresh = [block for block in blocks if block in decision.changes and block not in decision.earlier]
    if len(hidden) == 1 and fresh:
        decision.withdraw(min(fresh, key=lambda block: (
            max(figures[2] for figures in decision.values[block].values()), block)))
        return 2
    return len(hidden)
