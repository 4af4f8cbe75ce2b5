"""Runs Python tests, and prints the time of each as a line `time: SECONDS TEST`.

run.py [TEST...]      in the folder of the tests; for example test_places.Places

TOUCHGRID_COMMAND is how the caller was started, such as scripts/test-apps: a failed test says how to run it alone.
TOUCHGRID_LEAVE_OUT names modules, classes and tests that are not run.
"""

import os
import sys
import time
import unittest


class Result(unittest.TextTestResult):
    def startTest(self, test):
        self.begun = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.stream.writeln(f"time: {time.monotonic() - self.begun:.2f} {test.id()}")


def summary(failures):
    """Yields lines about each failed test: what was wrong, and how to run it alone."""
    command = os.environ.get("TOUCHGRID_COMMAND", "run.py")
    for test, trace in failures:
        # The parts of a test that subTest makes, and the set-up of a class or module, have no name of their own.
        name = getattr(test, "test_case", test).id()
        name = name if name.startswith("test_") else name.rpartition("(")[2].rstrip(")")
        lines = trace.rstrip().splitlines()
        last = max((number for number, line in enumerate(lines) if line.startswith("  File ")), default=0)
        place = next((line.strip() for line in reversed(lines) if line.startswith("  File ") and "/test_" in line), "")
        # Of a long comparison, the beginning says what was wrong.
        wrong = [line for line in lines[last + 1:] if line and not line.startswith(" ")]
        yield f"FAILED: {test}"
        yield f"  {place}"
        yield from (f"  {line[:500]}" for line in wrong[:12])
        yield f"  alone: {command} {name}"


def without(suite, names):
    """Returns a suite without the tests that are named, or whose class or module is."""
    left = unittest.TestSuite()
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            left.addTest(without(each, names))
        elif not any(f"{each.id()}.".startswith(f"{name}.") for name in names):
            left.addTest(each)
    return left


def main():
    sys.path.insert(0, os.getcwd())
    names = sys.argv[1:]
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(".")
    suite = without(suite, os.environ.get("TOUCHGRID_LEAVE_OUT", "").split())
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Result).run(suite)
    for line in summary(result.failures + result.errors):
        print(line)
    log = os.path.realpath("/proc/self/fd/1")
    if not result.wasSuccessful() and os.path.isfile(log):
        print(f"the whole output: {log}")
    if result.testsRun == 0:
        print("no test was run")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
