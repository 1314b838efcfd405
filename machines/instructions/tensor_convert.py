"""IR rows: elements of one type as those of another, `tensor.convert.FROM.TO`.

Between integers the low bits are kept (`convert_saturate`: the nearest number that there is).  To
floats it is rounded to nearest even, once; what is too large for e4m3 becomes NaN, for the others
infinite (`convert_saturate` of floats to e4m3 and e5m2: the largest number).  Floats become
integers as `int_s` does it: truncated (`convert_round`: to nearest even), saturated, and NaN
gives 0.
"""

from __future__ import annotations

from itertools import permutations

from machines.instructions.tensor_operands import (
    STORED,
    TENSOR_TYPES,
    elementwise,
    highest,
    kept_bits,
    load,
    lowest,
)
from machines.types import BF16, E4M3, E5M2, F32, F64, Type


def _converted(source: Type, target: Type) -> str:
    if not target.is_float:
        if source.is_float:
            return _truncated("a", target)
        return "a" if _holds_all(target, source) else kept_bits("a", target)
    if not source.is_float and target in (BF16, F32, F64):
        return f"{target}_from_signed(a)"
    if not source.is_float:
        return f"round_{target}(f64_from_signed(a))"  # what an f64 does not hold is too large
    return "a" if _holds_all(target, source) else f"round_{target}(a)"


def _truncated(text: str, target: Type) -> str:
    return f"truncate_{'signed' if target.signed else 'unsigned'}({text}, {target.bits})"


def _holds_all(target: Type, source: Type) -> bool:
    """Whether every number of a type is one of another, of the same kind."""
    if not target.is_float:
        return target.lowest <= source.lowest and source.highest <= target.highest
    to, of = target.format, source.format
    finest = (f.least_exponent - f.digits for f in (to, of))
    return to.digits >= of.digits and to.largest >= of.largest and next(finest) <= next(finest)


def _rows():
    for source, target in permutations((*TENSOR_TYPES, *STORED), 2):
        types, one = (source, target), {"a": load(source)}
        yield elementwise(
            "convert", types, one, _converted(source, target), f"{source} as {target}.", "convert"
        )
        if source.is_float and not target.is_float:
            yield elementwise(
                "convert_round",
                types,
                one,
                _truncated("round_nearest(a)", target),
                f"{source} as {target}, rounded to nearest even.",
                "convert",
            )
        low, high = lowest(target), highest(target)
        if target in (E4M3, E5M2) and source.is_float and not _holds_all(target, source):
            high = repr(target.format.largest)
            inside = f"-{high} if a < -{high} else ({high} if a > {high} else a)"
            sentence = f"{source} as {target}, saturated."
            meaning = f"round_{target}({inside})"
            yield elementwise("convert_saturate", types, one, meaning, sentence, "convert")
        if not (source.is_float or target.is_float or _holds_all(target, source)):
            yield elementwise(
                "convert_saturate",
                types,
                one,
                f"{low} if a < {low} else ({high} if a > {high} else a)",
                f"{source} as {target}, saturated.",
                "convert",
            )


ROWS = tuple(_rows())
