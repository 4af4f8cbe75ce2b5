"""Statistics: p values, common variances and false discoveries."""

import math

import numpy as np

LEVEL = 0.05

erfc = np.frompyfunc(math.erfc, 1, 1)


def two_sided(score, degrees):
    """Converts scores of Student's t distribution to normal scores (Wallace 1959), and returns
    their p values. `degrees` may be infinite."""
    with np.errstate(invalid="ignore"):
        tail = np.sqrt(degrees * np.log1p(score ** 2 / degrees)) * (8 * degrees + 1) / (8 * degrees + 3)
    tail = np.where(np.isfinite(degrees), tail, np.abs(score))
    return erfc(tail / math.sqrt(2)).astype(float)


def prior_freedom(ratios, freedom):
    """Returns the degrees of freedom of the common variance for each column, at least 4.
    `ratios`: the sides' variances relative to it. The less they differ beyond chance, the more
    degrees it has."""
    known = np.isfinite(ratios)
    count = known.sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = 2 * np.where(known, 1 / freedom, 0).sum(0) / count
        spread = np.where(known, (ratios - 1) ** 2, 0).sum(0) / count
        excess = (spread - chance) / (1 + chance)
        return np.where((count > 1) & (excess > 0), 4 + 2 / excess, np.inf)


def adjust(p):
    """Returns Benjamini and Hochberg's q values of an array of p values without NaN."""
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    q = np.empty(len(p))
    q[order] = np.minimum.accumulate(scaled[::-1])[::-1]
    return np.minimum(q, 1)
