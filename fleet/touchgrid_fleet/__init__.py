"""Sums the counts of many Touchgrid kiosks. docs/fleet.md is the manual."""

__version__ = "0.2.0"


class FleetError(Exception):
    """An error for the user: one sentence with the remedy."""
