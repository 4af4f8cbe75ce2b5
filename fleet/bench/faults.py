#!/usr/bin/env python3
"""Measures how often the comparison of kiosks finds planted faults, and how often it reports other
faults.

faults.py [--runs N] [--first SEED] [--kiosks N] [--days N] [--faultless]

Each run makes up a fleet with three faults: a panel that is shifted by 3 mm, a control that a
quarter of the touches miss at all kiosks, and one that half of them miss at one kiosk. All kiosks
have the same 4 screens of 10 controls. The natural differences:
- a kiosk has 60 visits a day (the median; log-normal, 0.5), which vary by day (gamma, 10);
- a control is 9 to 18 mm high and 14 to 45 mm wide. 15 to 60 % of the visits touch it, usually
  once;
- fingers scatter by 1.75 mm (1.5 to 2 mm: Bi and Zhai 2013), which varies by kiosk (log-normal,
  0.1);
- people aim beside the middle: each person by 1 mm, at each control by 0.5 mm, at each kiosk by 0.4 mm, as
  heights and angles differ, and at each control of a kiosk by 0.3 mm (standard deviations, across and down);
- touches that aim at nothing are 2 % in and up to 5 mm around a control of 15 x 30 mm, in proportion to that
  area, at a kiosk and at a control more or fewer (gamma, 6).
So 1.4 % of the touches miss the median control, and 0.7 to 3 % miss four of five controls.
"""

import argparse
import collections
import math
import time

import numpy as np

from touchgrid_fleet.controls import NEAR_MISS, Control, Touched, find_faults

SCREENS, CONTROLS, POINT_MM = 4, 10, 0.25
VISITS, STRAYS = 60, 0.02
SHIFT, EVERYWHERE, AT_ONE = 3.0, 0.25, 0.5


class Fleet:
    """`touched`: the counts of the kiosks. `planted`: the faults, as `names` describes them."""

    def __init__(self, seed, kiosks=200, days=28, is_faulty=True):
        self.chance = chance = np.random.default_rng(seed)
        self.kiosks, self.controls = [f"kiosk-{number:03}" for number in range(kiosks)], SCREENS * CONTROLS
        self.height, self.width = chance.uniform(9, 18, self.controls), chance.uniform(14, 45, self.controls)
        self.share = chance.uniform(0.15, 0.6, self.controls)
        self.visits = VISITS * np.exp(chance.normal(0, 0.5, kiosks))
        self.scatter = 1.75 * np.exp(chance.normal(0, 0.1, kiosks))
        self.aim = (chance.normal(0, 0.4, (kiosks, 1, 2)) + chance.normal(0, 0.5, (1, self.controls, 2))
                    + chance.normal(0, 0.3, (kiosks, self.controls, 2)))
        area = (self.height + 2 * NEAR_MISS) * (self.width + 2 * NEAR_MISS) / (25 * 40)
        self.strays = STRAYS * np.outer(chance.gamma(6, 1 / 6, kiosks), area * chance.gamma(6, 1 / 6, self.controls))
        self.missing = np.zeros((kiosks, self.controls))
        self.planted = {}
        if is_faulty:
            self.plant()
        self.touched = self.count(days)

    def plant(self):
        shifted, other = self.chance.choice(len(self.kiosks), 2, replace=False)
        everywhere, one = self.chance.choice(self.controls, 2, replace=False)
        angle = self.chance.uniform(0, 2 * np.pi)
        self.aim[shifted] += SHIFT * np.array([math.cos(angle), math.sin(angle)])
        self.missing[:, everywhere] = EVERYWHERE
        self.missing[other, one] = AT_ONE
        self.planted = {"shifted panel": ("panel", self.kiosks[shifted], None),
                        "control everywhere": ("everywhere", None, self.name(everywhere)),
                        "control at one kiosk": ("kiosk", self.kiosks[other], self.name(one))}

    @staticmethod
    def name(control):
        return f"screen-{control // CONTROLS}", f"control-{control % CONTROLS}"

    def count(self, days):
        kiosks, chance = len(self.kiosks), self.chance
        cells = np.arange(kiosks * self.controls * days).reshape(kiosks, self.controls, days)
        visits = self.visits[:, None, None] * chance.gamma(10, 1 / 10, (kiosks, 1, days))
        people = chance.poisson(visits * self.share[None, :, None])
        cell = np.repeat(cells.ravel(), people.ravel())
        # Four of five touch once, the fifth three times.
        again = np.where(chance.random(len(cell)) < 0.2, 3, 1)
        person = chance.normal(0, 1, (len(cell), 2)).repeat(again, 0)
        cell = cell.repeat(again)
        kiosk, control = cell // (self.controls * days), cell // days % self.controls
        size = np.column_stack([self.width[control], self.height[control]])
        at = person + self.aim[kiosk, control] + chance.normal(0, 1, (len(cell), 2)) * self.scatter[kiosk, None]
        strays = chance.random(len(cell)) < self.strays[kiosk, control]
        at[strays] = (chance.random((strays.sum(), 2)) - 0.5) * (size[strays] + 2 * NEAR_MISS)
        below = chance.random(len(cell)) < self.missing[kiosk, control]
        at[below, 1] = size[below, 1] / 2 + chance.uniform(0, NEAR_MISS, below.sum())
        beyond = np.hypot(*np.maximum(np.abs(at) - size / 2, 0).T)
        counts = beyond <= NEAR_MISS
        cell, at, misses = cell[counts], np.round(at[counts] / POINT_MM) * POINT_MM, beyond[counts] > 0

        def add(values):
            return np.bincount(cell, values, cells.size).reshape(-1, days)

        touches = add(np.ones(len(cell)))
        totals = np.stack([add(values) for values in (misses, at[:, 0], at[:, 1])])
        squares = np.divide(totals ** 2, touches, out=np.zeros_like(totals), where=touches > 0)
        known = [Control((self.name(number)[0], "HDMI-A-1", 1920, 1080, 1.0, 0, 16),
                         self.name(number)[1], POINT_MM, (0, 0, self.width[number] / POINT_MM,
                                                          self.height[number] / POINT_MM))
                 for number in range(self.controls)]
        rows = np.flatnonzero(touches.any(1))
        return Touched([(name, "HDMI-A-1") for name in self.kiosks], known, rows // self.controls,
                       rows % self.controls, (touches > 0).sum(1)[rows], touches.sum(1)[rows],
                       totals.sum(2).T[rows], squares.sum(2).T[rows])


def named(faults):
    return {(fault.kind, fault.kiosk, fault.control and (fault.control.view[0], fault.control.name))
            for fault in faults.found}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--kiosks", type=int, default=200)
    parser.add_argument("--days", type=int, default=28)
    parser.add_argument("--faultless", action="store_true", help="plant no faults")
    arguments = parser.parse_args()
    found, others, touches, began = collections.Counter(), 0, 0, time.monotonic()
    for seed in range(arguments.first, arguments.first + arguments.runs):
        fleet = Fleet(seed, arguments.kiosks, arguments.days, not arguments.faultless)
        names = named(find_faults(fleet.touched))
        touches += fleet.touched.touches.sum()
        found.update({what: fault in names for what, fault in fleet.planted.items()})
        if more := names - set(fleet.planted.values()):
            others += 1
            print(f"seed {seed}: {sorted(more, key=str)}", flush=True)
    for what, count in found.items():
        print(f"{what}: named in {count} of {arguments.runs} runs")
    print(f"something else: named in {others} of {arguments.runs} runs")
    print(f"{touches / arguments.runs:,.0f} touches of controls a run, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
