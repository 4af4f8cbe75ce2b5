"""Sums what many Touchgrid kiosks count. docs/fleet.md is its manual."""

__version__ = "0.2.0"


class FleetError(Exception):
    """An error for the user: one sentence that says what to do."""
