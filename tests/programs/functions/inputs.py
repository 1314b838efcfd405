"""Values of random functions' parameters: with what breaks vectorization, no lanes, empty rows and
extreme numbers.

The graph's integers have no sign: those of unsigned types are given as the signed numbers of the
same bits.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests.programs.functions.subset import ALL, Subset
from tests.programs.functions.types import FLOATS, Type, is_array, is_tuple

EXTREMES = {
    "32": (-(2**31), 2**31 - 1, 65536),
    "64": (-(2**63), 2**63 - 1, 2**32),
    "f32": (float("nan"), float("inf"), float("-inf"), 3.4e38, 2147483648.0),
    "f64": (float("nan"), float("inf"), float("-inf"), 1.7e308, 1e19),
}
DENORMALS = {"f32": (1e-45, -3e-39), "f64": (5e-324, -1e-310)}


def random_value(
    source: random.Random, type: Type, subset: Subset = ALL, is_empty: bool = False
) -> Any:
    """A value of a type; arrays without elements if wanted."""
    if type == "boolean":
        return source.randrange(2)
    if isinstance(type, str):
        return _number(source, type, subset)
    if is_tuple(type):
        return tuple(random_value(source, part, subset, is_empty) for part in type[1:])
    count = subset.length if subset.is_regular else source.choice([0, 1, 2, 3, 5])
    made = [random_value(source, type[1], subset) for _ in range(0 if is_empty else count)]
    if made and not subset.is_regular and is_array(type[1]) and source.random() < 0.5:
        made[0], made[-1] = [], []
    return made


def _number(source: random.Random, type: str, subset: Subset) -> int | float:
    is_extreme = source.random() < 0.2
    if type not in FLOATS:
        return source.choice(EXTREMES[type[1:]]) if is_extreme else source.randrange(-3, 6)
    extremes = (*EXTREMES[type], *(DENORMALS[type] if subset.denormals else ()))
    some = extremes if is_extreme else (0.0, -0.0, 1.0, -1.5, source.uniform(-8, 8))
    value = source.choice(some)
    return float(np.float32(value)) if type == "f32" else value
