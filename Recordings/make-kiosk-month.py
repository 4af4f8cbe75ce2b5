#!/usr/bin/env python3
"""Makes the recording of a month at a kiosk, for pictures and tests: many people, each made up like the one
of make-kiosk-demo.py, who come by day and mostly around noon and in the evening.

    make-kiosk-month.py [--days 30] [--visits 14] [--seed 1] [--until SECONDS] > month.evemu

The recording ends at --until (seconds since 1970, now unless given); replayed at once, its sessions lie at these
times. The same arguments give the same bytes.
"""

import argparse
import importlib.util
import pathlib
import sys
import time

path = pathlib.Path(__file__).resolve().with_name("make-kiosk-demo.py")
specification = importlib.util.spec_from_file_location("kiosk_demo", path)
demo = importlib.util.module_from_spec(specification)
specification.loader.exec_module(demo)

NAMES = {"checkout": "checkout/pay"}
# How many come in each hour, from 9 to 21, and how many come on each day of the week.
HOURS = [2, 3, 5, 9, 8, 5, 3, 3, 5, 8, 7, 3]
WEEK = [0.8, 0.8, 0.9, 1.0, 1.3, 1.6, 1.2]


class Visitor(demo.Person):
    """Meets faults that the app was given on purpose: a cross that is too small, a button that is touched below its
    lower edge, one that reacts late, one that people press for long, and a photo that grows under two fingers, but
    that nobody can swipe away. Nobody needs "smaller", nor "home" of the checkout."""

    def __init__(self, panel, seed):
        super().__init__(panel, seed)
        # A generator of its own, so that the faults change nothing else.
        self.faults = demo.random.Random(seed + 1)
        self.habits = demo.random.Random(seed + 2)

    def goes_to(self, screen):
        self.panel.wait(self.uniform(0.12, 0.25))
        self.panel.screen(NAMES.get(screen, screen))
        self.screen = screen

    def responds(self, control, milliseconds):
        """The app says how soon it has responded to the last touch of a control; "-": not at all."""
        self.panel.lines.append(f"# touchgrid-response {self.panel.now:.6f} {milliseconds} {control}")

    def tries(self, part, gesture):
        """Some people make a gesture of their own."""
        usual, self.random = self.random, self.habits
        if self.chance(part):
            gesture()
        self.random = usual

    def swipe(self):
        self.drag((0.37, 0.45), (0.17, 0.45), self.uniform(0.2, 0.3))
        self.responds("photo", "-")
        self.think(0.8, 1.6)

    def press_long(self):
        point = self.raw(0.78 + self.gauss(0.03), 0.88 + self.gauss(0.01))
        self.panel.land(0, point)
        self.panel.frame()
        self.think(0.6, 1.1)
        self.panel.lift(0)
        self.panel.frame()
        self.think(0.8, 1.6)

    def chance(self, part):
        return self.random.random() < part

    def picks(self, *weighted):
        left = self.random.random() * sum(weight for _, weight in weighted)
        for choice, weight in weighted:
            left -= weight
            if left < 0:
                return choice
        return weighted[-1][0]

    def visit(self):
        self.miss(0.5 + self.gauss(0.09), 0.62 + self.gauss(0.10))  # "touch to begin"
        self.goes_to("menu")
        self.think(0.8, 2.5)
        if self.chance(0.22):
            self.miss(0.50, 0.14)  # the headline, which looks like a button
            self.think(0.6, 1.2)
        if self.chance(0.12):
            self.tap("language")
            self.think(0.8, 1.6)
        for _ in range(1 + self.chance(0.35)):
            self.tap(self.picks(("food", 6), ("drinks", 4), ("offers", 1)))
            self.browse()
            if self.chance(0.25):
                self.tap("home")
                self.goes_to("menu")
                self.think(0.8, 1.8)
            else:
                break
        if self.screen == "catalogue" and self.chance(0.75):
            self.pay()

    def browse(self):
        if self.chance(0.3):
            self.goes_to("advert")
            self.think(1.0, 2.0)  # which nobody touches
        self.goes_to("catalogue")
        self.think(0.7, 1.8)
        if self.chance(0.7):
            self.scroll(1 + int(3 * self.random.random()))
        for _ in range(1 + self.chance(0.4) + self.chance(0.2)):
            self.tap(self.picks(("first", 7), ("second", 5), ("third", 3), ("fourth", 3), ("sixth", 1)))
            self.goes_to("product")
            self.think(0.8, 2.2)
            self.tries(0.25, self.swipe)
            if self.chance(0.25):
                self.pinch((0.30, 0.45), 0.05, 0.17, 0.6, opens=True)
                self.responds("photo", 30)
                self.think(0.6, 1.2)
            for _ in range(int(3 * self.random.random() ** 2)):
                self.tap("larger")
                self.think(0.2, 0.4)
            if self.chance(0.8):
                self.tap("add")
                self.think(0.5, 1.0)
            self.tap("back")
            self.goes_to("catalogue")
            self.think(0.6, 1.4)

    def pay(self):
        self.tap("basket")
        self.goes_to("checkout")
        self.think(1.0, 2.5)
        if self.chance(0.35):
            self.tap("remove")
            self.think(0.5, 1.0)
            if self.chance(0.5):
                self.miss(0.86, 0.33)  # the small cross was missed
                self.think(0.5, 0.9)
        if self.faults.random() < 0.15:
            self.miss(0.78, 0.975)  # below the lower edge
            self.think(0.5, 0.9)
        self.tries(0.25, self.press_long)
        self.tap("pay")
        self.think(0.8, 1.5)
        for _ in range(4):
            self.tap("card")
            self.think(0.2, 0.5)
        self.tap("done")
        if self.faults.random() < 0.3:
            for _ in range(4):
                self.panel.wait(0.12)
                self.miss(0.5, 0.86)  # "done" again, which does not react at once


def month(panel, days, visits, seed, until):
    person = Visitor(panel, seed)
    chosen = person.random
    midnight = until - (until - time.timezone) % 86400
    times = []
    for day in range(days):
        start = midnight - 86400 * day
        weekday = int((start - time.timezone) // 86400 + 3) % 7
        for _ in range(round(visits * WEEK[weekday] * (0.8 + 0.4 * chosen.random()))):
            hour = 9 + person.picks(*enumerate(HOURS))
            times.append(start + 3600 * (hour + chosen.random()))
    # What begins a session of its own must be a while after the one before.
    begun = None
    for moment in sorted(moment for moment in times if moment < until - 300):
        if begun is not None and moment < begun + 240:
            continue
        begun = moment
        panel.now = round(moment, 6)
        panel.screen("welcome")
        panel.wait(1)
        person.visit()
        panel.wait(20)
        panel.screen("welcome")
    panel.now = round(until, 6)
    panel.screen("welcome")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--visits", type=float, default=14)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--until", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    panel = demo.Panel()
    month(panel, chosen.days, chosen.visits, chosen.seed, chosen.until)
    sys.stdout.write("\n".join(demo.header() + panel.lines) + "\n")


if __name__ == "__main__":
    main()
