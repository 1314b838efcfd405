"""Sets of the lanes of a warp: bits of an int64, lane 63 the sign."""

from __future__ import annotations

import numpy as np


def bit(lane):
    """The set of one lane."""
    return np.int64(1) << np.int64(lane)


def first_lane(lanes):
    """The lowest lane of a set that is not empty."""
    lane = 0
    while (lanes >> lane) & 1 == 0:
        lane += 1
    return lane


def lane_count(lanes):
    """How many lanes a set has."""
    return (int(lanes) & (1 << 64) - 1).bit_count()
