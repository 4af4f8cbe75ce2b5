#!/usr/bin/env python3
"""Runs Python tests, and prints the time of each as a line `time: SECONDS TEST`.

run_cases.py [TEST...]      in the folder of the tests; for example test_places.Places

A test that got too little processor time raises `Starved` and is repeated up to twice. Any other
failure is final.
"""

import contextlib
import os
import sys
import threading
import time
import unittest

# Tests raise the `Starved` of the module `run_cases`, which must be this one.
sys.modules.setdefault("run_cases", sys.modules[__name__])
ATTEMPTS = 3


class Starved(Exception):
    """The machine did not run the programs in time, so the result of the test is void."""


class Pulse:
    """Detects stalls with a thread that runs every 5 ms. A stall is a delay of more than 25 ms,
    with its begin and end on CLOCK_MONOTONIC, in µs. `late` holds the delay of each run, in µs.

    What is measured passes several programs, and short delays of each of them add up without a
    stall of this thread. So `pressure` holds, for each run, its time and for how many µs since the
    system's start some program has waited for a processor. It is empty if the kernel does not
    say."""

    BEAT, STALL = 0.005, 25_000
    PRESSURE = "/proc/pressure/cpu"

    def __init__(self):
        self.stalls, self.late, self.pressure = [], [], []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.beat, daemon=True)
        self.thread.start()

    def beat(self):
        last = time.monotonic_ns() // 1000
        while not self.ended.wait(self.BEAT):
            now = time.monotonic_ns() // 1000
            self.late.append(now - last - self.BEAT * 1_000_000)
            if now - last > self.STALL:
                self.stalls.append((last, now))
            last = now
            with contextlib.suppress(OSError), open(self.PRESSURE) as file:
                self.pressure.append((now, int(file.readline().rpartition("total=")[2])))

    def check(self, times, window):
        """Raises Starved if the machine may be the cause of a failure at each of the times, in µs:
        if each is within a stall or at most `window` µs after one, or programs waited for a
        processor during more than half of the `window` µs before it. Otherwise returns."""
        near = [self.stalled(at, window) or self.waited(at, window) for at in times]
        if near and all(near):
            raise Starved(f"the machine did not run programs for up to {max(near) // 1000} ms")

    def stalled(self, at, window):
        """The longest stall that a time is within, or after by at most `window` µs; 0 if none."""
        return max((end - begin for begin, end in self.stalls if begin <= at <= end + window), default=0)

    def waited(self, at, window):
        """For how long some program waited for a processor in the `window` µs before a time; 0 if it
        was at most half of them."""
        totals = [total for time, total in self.pressure if at - window <= time <= at]
        waited = totals[-1] - totals[0] if totals else 0
        return waited if waited > window / 2 else 0

    def close(self):
        self.ended.set()
        self.thread.join()


class Result(unittest.TextTestResult):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.starved = []

    def startTest(self, test):
        self.begun = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.stream.writeln(f"time: {time.monotonic() - self.begun:.2f} {test.id()}")

    def addError(self, test, error):
        if not self.is_starved(test, error):
            super().addError(test, error)

    def addSubTest(self, test, subtest, error):
        if not error or not self.is_starved(test, error):
            super().addSubTest(test, subtest, error)

    def is_starved(self, test, error):
        if not issubclass(error[0], Starved):
            return False
        if test not in self.starved:
            self.starved.append(test)
        self.stream.writeln(f"starved: {error[1]}")
        return True


def run(suite):
    return unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Result).run(suite)


def main():
    sys.path.insert(0, os.getcwd())
    names = sys.argv[1:]
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(".")
    passed, starved, count = True, [], 0
    for attempt in range(1, ATTEMPTS + 1):
        result = run(suite)
        passed = passed and result.wasSuccessful()
        starved = result.starved
        count += result.testsRun
        if not starved:
            break
        if attempt < ATTEMPTS:
            print(f"run again: {' '.join(test.id() for test in starved)}", flush=True)
            suite = loader.loadTestsFromNames([test.id() for test in starved])
    if count == 0:
        print("no test was run")
        return 1
    return 0 if passed and not starved else 1


if __name__ == "__main__":
    sys.exit(main())
