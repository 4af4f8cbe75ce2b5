"""Simulates months of Recordings/make-kiosk-month.py, and counts what their people did from the positions of their
fingers, by the rules of docs/controls.md and docs/flows.md. It uses none of the programs under test."""

import bisect
import collections
import fractions
import importlib.util
import itertools
import math
import statistics
import time
import tomllib

from .report_store import MONTH, decoded, last_saturday_evening
from .waiting import ROOT

specification = importlib.util.spec_from_file_location("kiosk_month", MONTH)
kiosk = importlib.util.module_from_spec(specification)
specification.loader.exec_module(kiosk)

WIDTH, HEIGHT, BLOCK = 1280, 800, 16
COLUMNS, ROWS = WIDTH // BLOCK, HEIGHT // BLOCK
POINT_MM = 204.8 / WIDTH
LAYERS = ("taps", "trail", "dwell")
RINGS, NEAR_MM, TAP_MM = (1, 2, 3, 5, 10), 5, 8
SIDES = ("left", "right", "top", "bottom")
SECOND = 1_000_000
LIMITS = [round(125_000 * 2 ** (number / 2)) for number in range(24)]
LENGTHS_MS = (0, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000)
TOTALS = ("begun", "counted", "masked")
COUNTS, RAGE = ("hits", "nearMisses", "retried", "sessions"), ("rageRuns", "rageTaps", "rageSessions")
FLOW = ("sessions", "entries", "visits", "exits", "oneTouchSessions")
# The touches beside a control that were meant for it, by their aim.
MISSES = {(0.86, 0.33): "remove", (0.78, 0.975): "pay", (0.5, 0.86): "done"}


class Touch:
    """`path`: time in µs, and x and y in points. `meant`: the control that the person aimed at, or None."""

    def __init__(self, screen, meant):
        self.screen, self.meant, self.path, self.ended = screen, meant, [], None

    @property
    def began(self):
        return self.path[0][0]

    @property
    def point(self):
        return self.path[0][1:]

    def is_swipe(self):
        return any(max(values) - min(values) > TAP_MM / POINT_MM for values in list(zip(*self.path))[1:])

    def is_masked(self):
        points = [point for _, *point in self.path]
        mask = MASKS.get(self.screen)
        return mask is not None and any(crosses(mask, *line) for line in zip(points[:1] + points, points))


class Panel(kiosk.demo.Panel):
    """Also keeps the touches, in the order in which they end, and the screens."""

    def __init__(self):
        super().__init__()
        self.touches, self.shown, self.meant, self.held = [], [], None, {}

    def screen(self, name):
        super().screen(name)
        if not self.shown or self.shown[-1][1] != name:
            self.shown.append((round(self.now * SECOND), name))

    def land(self, slot, point):
        self.held[slot] = Touch(self.shown[-1][1], self.meant)
        super().land(slot, point)

    def move(self, slot, point):
        super().move(slot, point)
        steps = kiosk.demo.MAXIMUM + 1
        self.held[slot].path.append((round(self.now * SECOND), point[0] * WIDTH / steps, point[1] * HEIGHT / steps))

    def lift(self, slot):
        super().lift(slot)
        touch = self.held.pop(slot)
        touch.ended = round(self.now * SECOND)
        self.touches.append(touch)


class Visitor(kiosk.Visitor):
    """Also says what it aims at."""

    def tap(self, button):
        self.panel.meant = button
        super().tap(button)
        self.panel.meant = None

    def miss(self, x, y):
        self.panel.meant = MISSES.get((x, y))
        super().miss(x, y)
        self.panel.meant = None


kiosk.Visitor = Visitor


class Control:
    def __init__(self, name, x, y, width, height, rage=True):
        self.name, self.rage = name, rage
        self.left, self.top, self.right, self.bottom = x, y, x + width, y + height

    def beyond(self, x, y):
        """How far a point lies beyond the edges: negative to the left or above, 0 inside."""
        return (min(0, x - self.left) or max(0, x - self.right), min(0, y - self.top) or max(0, y - self.bottom))

    def grown(self, left, right, top, bottom):
        """The control with its sides moved outward, in mm."""
        x, y = self.left - left / POINT_MM, self.top - top / POINT_MM
        width, height = self.right + right / POINT_MM - x, self.bottom + bottom / POINT_MM - y
        return Control(self.name, x, y, width, height, self.rage)


with open(ROOT / "Recordings/kiosk-month.toml", "rb") as file:
    configuration = tomllib.load(file)
CONTROLS = collections.defaultdict(list)
for entry in configuration["control"]:
    CONTROLS[entry.pop("screen")].append(Control(**entry))
MASKS = {mask.pop("screen"): mask for mask in configuration["mask"]}
FUNNEL = configuration["funnel"][0]["screens"]


def match(controls, x, y):
    """Returns the control to which a touch belongs, its distance in mm, and the side on which it lies."""
    control = min(reversed(controls), key=lambda each: math.hypot(*each.beyond(x, y)))
    across, down = control.beyond(x, y)
    side = SIDES[(0 if across < 0 else 1) if abs(across) >= abs(down) else 2 if down < 0 else 3]
    return control, math.hypot(across, down) * POINT_MM, side


def crosses(mask, start, end):
    """Returns whether the line between two points meets a mask."""
    low, high = 0, 1
    for axis, (edge, side) in enumerate((("x", "width"), ("y", "height"))):
        least, most, way = mask[edge], mask[edge] + mask[side], end[axis] - start[axis]
        if way:
            first, last = sorted(((least - start[axis]) / way, (most - start[axis]) / way))
            low, high = max(low, first), min(high, last)
        elif not least <= start[axis] <= most:
            return False
    return low <= high


def is_under(mask, place):
    """Returns whether a mask reaches into a block."""
    row, column = divmod(place, COLUMNS)
    return (column * BLOCK < mask["x"] + mask["width"] and (column + 1) * BLOCK > mask["x"]
            and row * BLOCK < mask["y"] + mask["height"] and (row + 1) * BLOCK > mask["y"])


def block(point):
    return math.floor(point[1] / BLOCK) * COLUMNS + math.floor(point[0] / BLOCK)


def entered(start, end):
    """Returns the blocks that the line between two points enters after the first one."""
    if block(start) == block(end):
        return []
    cuts = {0, 1}
    for one, other in zip(start, end):
        borders = range(math.floor(min(one, other) / BLOCK) + 1, math.floor(max(one, other) / BLOCK) + 1)
        way = fractions.Fraction(other) - fractions.Fraction(one)
        cuts.update((border * BLOCK - fractions.Fraction(one)) / way for border in borders)
    middles = [(one + other) / 2 for one, other in itertools.pairwise(sorted(cuts))]
    points = [[one + part * (other - one) for one, other in zip(start, end)] for part in middles]
    return [here for last, here in itertools.pairwise(map(block, [start, *points, end])) if here != last]


class Session:
    """What a person did: `views` by screen, `controls` by screen and name, `flow`, and `waits` for touches in µs."""

    def __init__(self, touches, month):
        self.touches, self.month = touches, month
        self.began, self.ended = min(touch.began for touch in touches), max(touch.ended for touch in touches)
        local = time.localtime(self.began_ms // 1000)
        self.day, self.hour = time.strftime("%Y-%m-%d", local), local.tm_hour
        self.counted = [touch for touch in touches if not touch.is_masked()]
        self.views, self.controls, self.flow, self.waits = {}, {}, collections.Counter(), []
        self.count_views()
        for screen, controls in CONTROLS.items():
            if mine := [touch for touch in self.counted if touch.screen == screen]:
                self.count_controls(screen, controls, mine)
        self.count_flow()

    @property
    def began_ms(self):
        return (self.began + self.month.shift) // 1000

    @property
    def length_ms(self):
        return (self.ended - self.began) // 1000

    @property
    def totals(self):
        return {"begun": len(self.touches), "counted": len(self.counted),
                "masked": len(self.touches) - len(self.counted)}

    def shown(self, until):
        """The screens from the session's beginning on, with their times."""
        times = self.month.shown
        first = bisect.bisect(times, (self.began, chr(0x10ffff))) - 1
        return [(max(when, self.began), screen) for when, screen in
                itertools.takewhile(lambda each: each[0] <= until, times[first:])]

    def count_views(self):
        stretches = self.shown(self.ended) + [(self.ended, None)]
        times = collections.Counter()
        for (start, screen), (end, _) in itertools.pairwise(stretches):
            if end > start:
                times[screen] += end - start
        self.views = {screen: (total // 1000, {layer: collections.Counter() for layer in LAYERS})
                      for screen, total in times.items()}
        for touch in self.counted:
            layers, here, told = self.views[touch.screen][1], block(touch.point), 0
            layers["taps"][here] += 1
            layers["trail"][here] += 1
            for (_, *start), (now, *end) in itertools.pairwise(touch.path):
                if blocks := entered(start, end):
                    layers["dwell"][here] += (now - touch.began) // 1000 - told
                    told, here = (now - touch.began) // 1000, blocks[-1]
                    layers["trail"].update(blocks)
            layers["dwell"][here] += (touch.ended - touch.began) // 1000 - told

    def count_controls(self, screen, controls, touches):
        mine = {control.name: collections.Counter() for control in controls}
        self.controls[screen] = mine
        missed, run = None, []
        for touch in touches:
            if touch.is_swipe():
                missed, run = None, []
                continue
            control, distance, side = match(controls, *touch.point)
            counts = mine[control.name]
            if distance == 0:
                counts["hits"] += 1
                counts["sessions"] = 1
                if missed and missed[0] is control and touch.began - missed[1] <= 3 * SECOND:
                    counts["retried"] += 1
            elif distance <= RINGS[-1]:
                counts[side, next(ring for ring in RINGS if distance <= ring)] += 1
                counts["nearMisses"] += distance <= NEAR_MM
            missed = (control, touch.began) if 0 < distance <= NEAR_MM else None
            if distance > NEAR_MM or not control.rage:
                run = []
            elif (run and run[0][0] is control and touch.began - run[-1][1] <= SECOND
                  and math.dist(run[0][2], touch.point) * POINT_MM <= TAP_MM):
                run.append((control, touch.began, touch.point))
            else:
                run = [(control, touch.began, touch.point)]
            # A run of taps counts from the first three within a second on.
            is_rage = any(later[1] - first[1] <= SECOND for first, later in zip(run, run[2:]))
            was_rage = any(later[1] - first[1] <= SECOND for first, later in zip(run, run[2:-1]))
            if is_rage:
                counts["rageRuns"] += not was_rage
                counts["rageTaps"] += 1 if was_rage else 3
                counts["rageSessions"] = 1

    def count_flow(self):
        """Counts, by what and screen. A person looks on for 5 s after the last touch."""
        seen, flow = self.shown(self.ended + 5 * SECOND), self.flow
        names = [screen for _, screen in seen]
        flow["entries", names[0]] += 1
        flow.update(("visits", screen) for screen in names[1:])
        flow.update(("sessions", screen) for screen in set(names))
        flow.update(("step", *step) for step in itertools.pairwise(names))
        flow.update(("step sessions", *step) for step in set(itertools.pairwise(names)))
        flow["exits", names[-1]] += 1
        flow["oneTouchSessions", names[-1]] += len(self.touches) == 1
        left = list(FUNNEL)
        for screen in names:
            if left and screen == left[0]:
                flow["funnel", left.pop(0)] += 1
        for number, (start, screen) in enumerate(seen):
            if screen in MASKS:
                continue
            end = seen[number + 1][0] if number + 1 < len(seen) else math.inf
            touches = [touch for touch in self.counted if start <= touch.began < end]
            if number and touches:
                self.waits.append(("first", screen, touches[0].began - start))
            flow["first", screen, 24] += number > 0 and not touches
            last = None
            for touch in touches:
                if last is not None and touch.began > last:
                    self.waits.append(("pause", screen, touch.began - last))
                last = max(last or 0, touch.ended)
            flow["pause", screen, 24] += bool(touches)
        flow.update((kind, screen, bin_of(wait)) for kind, screen, wait in self.waits)


def bin_of(microseconds):
    return max(0, bisect.bisect_right(LIMITS, microseconds) - 1)


class Month:
    """A simulated month. `text` is its recording, `meant` the points of the touches that aimed at each control."""

    def __init__(self, seed, days=30, visits=14):
        panel = Panel()
        kiosk.month(panel, days, visits, seed, last_saturday_evening())
        self.text = "\n".join(kiosk.demo.header() + panel.lines) + "\n"
        self.shown, self.touches, self.shift = panel.shown, panel.touches, 0
        self.meant = collections.defaultdict(list)
        for touch in self.touches:
            if touch.meant:
                self.meant[touch.screen, touch.meant].append(touch.point)

    def sessions(self, report):
        """Returns the sessions. A touch less than a minute after another belongs to the same one. A replay ends at the
        moment when it was started, so their times are shifted to those of the report."""
        together = []
        for touch in self.touches:
            if not together or touch.began - together[-1][-1].ended >= 60 * SECOND:
                together.append([])
            together[-1].append(touch)
        self.shift = max(1000 * told["began"]["at"] - min(touch.began for touch in touches)
                         for told, touches in zip(report["sessions"], reversed(together)))
        return [Session(touches, self) for touches in together]


def aimed(points, screen, name, growth=(0, 0, 0, 0)):
    """Of points at which people aimed at a control, yields those in it or at most 5 mm beside it, with the distance.
    `growth`: how far its sides are moved outward before, in mm."""
    controls = [control.grown(*growth) if control.name == name else control for control in CONTROLS[screen]]
    for point in points:
        control, distance, _ = match(controls, *point)
        if control.name == name and distance <= NEAR_MM:
            yield point, distance


def true_share(*aim):
    """Returns the share of such points that lie in the control."""
    distances = [distance for _, distance in aimed(*aim)]
    return distances.count(0) / len(distances)


def true_offset(points, screen, name):
    """Returns how far such points lie from the control's centre on average, in mm, to the right and down."""
    near = [point for point, _ in aimed(points, screen, name)]
    mine = next(control for control in CONTROLS[screen] if control.name == name)
    centre = (mine.left + mine.right) / 2, (mine.top + mine.bottom) / 2
    return [POINT_MM * (statistics.fmean(each) - middle) for each, middle in zip(zip(*near), centre)]


def true_medians(sessions):
    """Returns the median waits, in ms, by kind and screen."""
    waits = collections.defaultdict(list)
    for kind, screen, wait in itertools.chain.from_iterable(session.waits for session in sessions):
        waits[kind, screen].append(wait / 1000)
    return {key: statistics.median(mine) for key, mine in waits.items()}


def chosen(sessions, choice):
    """Returns the sessions of a choice of the report."""
    since = (choice["since"] or {"at": 0})["at"]
    return {"span": lambda: [session for session in sessions if session.began_ms >= since],
            "day": lambda: [session for session in sessions if session.day == choice["id"]],
            "month": lambda: [session for session in sessions if session.day.startswith(choice["id"])],
            "session": lambda: [session for session in sessions if session.began_ms == since]}[choice["kind"]]()


def added(counters):
    total = collections.Counter()
    for counter in counters:
        total.update(counter)
    return +total


def true_map(sessions, screen):
    """Returns the sessions, days, ms shown and touches of a screen, and of each layer the sums and the touched sessions
    of its blocks."""
    own = [session for session in sessions if screen in session.views]
    views = [session.views[screen] for session in own]
    layers = {layer: (added(grids[layer] for _, grids in views), added(list(+grids[layer]) for _, grids in views))
              for layer in LAYERS}
    return (len(own), len({session.day for session in own}), sum(shown for shown, _ in views),
            layers["taps"][0].total()), layers


def true_figures(month, sessions, choices):
    """Returns all exact figures of the report, by what they are of."""
    figures = {"lengths": [sum(low <= session.length_ms < high for session in sessions)
                           for low, high in itertools.pairwise((*LENGTHS_MS, math.inf))],
               "one touch": sum(len(session.touches) == 1 for session in sessions),
               "last touch": sessions[-1].began_ms + sessions[-1].length_ms}
    for day in {session.day for session in sessions}:
        own = [session for session in sessions if session.day == day]
        hours = collections.Counter(session.hour for session in own)
        figures["day", day] = (len(own), {name: sum(session.totals[name] for session in own) for name in TOTALS},
                               [hours[hour] for hour in range(24)])
    for choice in choices:
        for screen in {screen for _, screen in month.shown}:
            own = chosen(sessions, choice)
            numbers, layers = true_map(own, screen)
            if numbers[0]:
                figures["map", screen, choice["id"]] = numbers
                figures.update({("layer", screen, choice["id"], layer): tuple(map(dict, counts))
                                for layer, counts in layers.items()})
            if choice["kind"] == "session":
                figures["session", own[0].began_ms] = (own[0].length_ms, own[0].totals)
    for screen, controls in CONTROLS.items():
        touched = [session.controls[screen] for session in sessions if screen in session.controls]
        seen, _, _, touches = true_map(sessions, screen)[0]
        figures["controls", screen] = (len(touched), seen, touches)
        for control in controls:
            counts = added(session[control.name] for session in touched)
            figures["control", screen, control.name] = {name: counts[name] for name in COUNTS} | {
                "beside": [[counts[side, ring] for ring in RINGS] for side in SIDES]} | {
                name: counts[name] if control.rage else None for name in RAGE}
    flow = added(session.flow for session in sessions)
    for screen in {key[1] for key in flow if key[0] == "sessions"}:
        figures["flow", screen] = [flow[name, screen] for name in FLOW] + [
            [flow[name, screen, place] for place in range(25)] for name in ("first", "pause")]
    steps = {key[1:]: (count, flow["step sessions", *key[1:]]) for key, count in flow.items() if key[0] == "step"}
    figures["steps"] = {step: counts for step, counts in steps.items() if counts[1] >= 5}
    figures["hidden steps"] = len(steps) - len(figures["steps"])
    figures["funnel"] = [flow["funnel", screen] for screen in FUNNEL]
    return figures


def told_figures(report):
    """Returns the same figures as the report's data has them. Totals that are 0 are left out."""
    def totals(numbers):
        return {name: count for name, count in numbers.items() if count or name in TOTALS}

    figures = {"lengths": report["lengths"]["sessions"], "one touch": report["lengths"]["oneTouch"],
               "last touch": report["lastTouch"]["at"]}
    figures.update({("day", day["day"]): (day["sessions"], totals(day["totals"]), day["hours"])
                    for day in report["days"]})
    figures.update({("session", session["began"]["at"]): (session["durationMs"], totals(session["totals"]))
                    for session in report["sessions"]})
    for screen in report["screens"]:
        for choice, shown in screen["maps"].items():
            figures["map", screen["screen"], choice] = tuple(
                shown[name] for name in ("sessions", "days", "shownMs", "touches"))
            for layer, text in shown["layers"].items():
                sums = decoded(text, COLUMNS * ROWS) if text else ((), ())
                figures["layer", screen["screen"], choice, layer] = tuple(
                    {place: count for place, count in enumerate(each) if count} for each in sums)
        for layout in screen["controls"]:
            figures["controls", screen["screen"]] = tuple(layout[name] for name in (
                "sessions", "screenSessions", "screenTouches"))
            figures.update({("control", screen["screen"], control["name"]): {
                name: control[name] for name in (*COUNTS, "beside", *RAGE)} for control in layout["controls"]})
    flows = report["flows"]
    for screen in flows["screens"]:
        exits = {**screen, "exits": sum(screen["exits"].values())}
        figures["flow", screen["screen"]] = [exits[name] for name in FLOW] + [screen["firstTouches"], screen["pauses"]]
    figures["steps"] = {(step["from"], step["to"]): (step["times"], step["sessions"]) for step in flows["steps"]}
    figures["hidden steps"], figures["funnel"] = flows["hiddenSteps"], flows["funnels"][0]["reached"]
    return figures
