"""A finger on the panel of the tests."""

from touchgrid_test.fingers import Fingers

PANEL = "Panel"


def taps(seconds, lead=1):
    """Returns a finger that taps five times a second, after `lead` seconds."""
    fingers = Fingers(PANEL).wait(lead)
    for number in range(5 * seconds):
        fingers.tap(PANEL, (number * 7 % 128 / 128, number * 11 % 128 / 128), 0.06).wait(0.14)
    return fingers
