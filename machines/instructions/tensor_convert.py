"""IR rows: elements of one type as those of another, `tensor.convert.FROM.TO`.

Between integers the low bits are kept (`convert_saturate`: the nearest number that there is).  To
floats it is rounded to nearest even, once.  Floats become integers as `int_s` does it: truncated
(`convert_round`: to nearest even), saturated, and NaN gives 0.
"""

from __future__ import annotations

from itertools import permutations

from machines.instructions.tensor_operands import (
    HALVES,
    INTEGERS,
    TENSOR_TYPES,
    elementwise,
    highest,
    load,
    lowest,
)
from machines.types import BF16, F16, F32, F64, Type


def _converted(source: Type, target: Type) -> str:
    if not target.is_float:
        if source.is_float:
            return f"truncate_signed(a, {target.bits})"
        return "a" if source.bits < target.bits else f"sign_extend(a, {target.bits})"
    if not source.is_float and target in (BF16, F32, F64):
        return f"{target}_from_signed(a)"
    if not source.is_float:
        return f"round_{F16}(f64_from_signed(a))"  # what an f64 does not hold is infinite
    is_wider = target is F64 or (target is F32 and source in HALVES)
    return "a" if is_wider else f"round_{target}(a)"


def _rows():
    for source, target in permutations(TENSOR_TYPES, 2):
        types, one = (source, target), {"a": load(source)}
        yield elementwise(
            "convert", types, one, _converted(source, target), f"{source} as {target}.", "convert"
        )
        if source.is_float and not target.is_float:
            yield elementwise(
                "convert_round",
                types,
                one,
                f"truncate_signed(round_nearest(a), {target.bits})",
                f"{source} as {target}, rounded to nearest even.",
                "convert",
            )
        if source in INTEGERS and target in INTEGERS and source.bits > target.bits:
            low, high = lowest(target), highest(target)
            yield elementwise(
                "convert_saturate",
                types,
                one,
                f"{low} if a < {low} else ({high} if a > {high} else a)",
                f"{source} as {target}, saturated.",
                "convert",
            )


ROWS = tuple(_rows())
