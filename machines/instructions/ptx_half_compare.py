"""ptx rows: comparisons of f16 and bf16, alone or of both halves of a register.

setp.ltu.f16 p, a, b           p = 1 if a < b or one is NaN
setp.lt.bf16x2 p|q, a, b       p of the lower halves, q of the upper ones
"""

from __future__ import annotations

from collections.abc import Iterator

from machines.instructions.ptx_compare import FLOAT_RELATIONS
from machines.instructions.ptx_half_operands import F16, HALVES, Half
from machines.instructions.ptx_operands import read, row, write
from machines.operations.row import Operation

UNORDERED = "{a} != {a} or {b} != {b}"
COMPLEMENTS = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def relations() -> Iterator[tuple[str, str, str, bool]]:
    """(name, test, sentence, whether it commutes) of each comparison of floats."""
    for name, (test, sentence) in FLOAT_RELATIONS.items():
        commutes = name in ("eq", "ne")
        yield name, test, f"{sentence}; false if either is NaN.", commutes
        opposite = FLOAT_RELATIONS[COMPLEMENTS[name]][0]
        yield f"{name}u", f"not ({opposite})", f"{sentence}; true if either is NaN.", commutes
    yield "num", "{a} == {a} and {b} == {b}", "Neither is NaN.", True
    yield "nan", UNORDERED, "Either is NaN.", True


def _comparisons(half: Half, ftz: bool) -> Iterator[Operation]:
    for name, test, sentence, commutes in relations():

        def holds(high: bool, test: str = test) -> str:
            of = {operand: half.decoded(operand, high, ftz) for operand in "ab"}
            return f"1 if {test.format(**of)} else 0"

        full = f"setp.{name}{'.ftz' if ftz else ''}"
        yield row(
            f"{full}.{half.name}",
            (write("p", "pred"), read("a", "b16"), read("b", "b16")),
            f"p = {holds(False)}",
            sentence,
            "half",
            commutes=commutes,
        )
        yield row(
            f"{full}.{half.pair}",
            (write("p", "pred"), write("q", "pred"), read("a", "b32"), read("b", "b32")),
            f"p = {holds(False)}\nq = {holds(True)}",
            f"{sentence[:-1]}, of the lower and of the upper halves.",
            "half",
            commutes=commutes,
            syntax=f"{full}.{half.pair} {{p}}|{{q}}, {{a}}, {{b}}",
        )


ROWS = tuple(
    operation
    for half in HALVES
    for ftz in ((False, True) if half is F16 else (False,))
    for operation in _comparisons(half, ftz)
)
