"""ptx rows: two integers of 16 bits in a register, and minima and maxima that are no less than 0.

add.s16x2 d, a, b         each half of d the sum of the halves of a and b
max.relu.s32 d, a, b      the larger of a, b and 0
"""

from __future__ import annotations

from collections.abc import Iterator

from machines.instructions.ptx_operands import computed, lanes, read
from machines.operations.row import Operation


def _half(name: str, sign: str, high: bool) -> str:
    extend = "sign_extend" if sign == "s" else "zero_extend"
    return f"{extend}({name} >> 16, 16)" if high else f"{extend}({name}, 16)"


def _both(value: str, sign: str) -> str:
    high, low = (value.format(a=_half("a", sign, h), b=_half("b", sign, h)) for h in (True, False))
    return f"({high}) << 16 | ({low}) & 65535"


def _packed() -> Iterator[Operation]:
    def of_both(name: str, sign: str, value: str, sentence: str) -> Operation:
        return computed(
            f"{name}.{sign}16x2", lanes("b32", "a", "b"), _both(value, sign), sentence, "alu",
            commutes=True,
        )  # fmt: skip

    for sign in "su":
        yield of_both("add", sign, "{a} + {b}", "Sums of both halves.")
        yield of_both("min", sign, "{a} if {a} < {b} else {b}", "The smaller of each half.")
        yield of_both("max", sign, "{a} if {a} > {b} else {b}", "The larger of each half.")
    for name, test, word in (("min", "<", "smaller"), ("max", ">", "larger")):
        chosen = f"{{a}} if {{a}} {test} {{b}} else {{b}}"
        value = f"0 if ({chosen}) < 0 else ({chosen})"
        sentence = f"The {word} of each half, 0 if it is negative."
        yield of_both(f"{name}.relu", "s", value, sentence)
        yield computed(
            f"{name}.relu.s32",
            lanes("s32", "a", "b"),
            value.format(a="a", b="b"),
            f"The {word}, 0 if it is negative.",
            "alu",
            commutes=True,
        )


def _packing() -> Iterator[Operation]:
    for bits in (2, 4, 8, 16):
        for sign in "us":
            low = -(1 << bits - 1) if sign == "s" else 0
            high = low + (1 << bits) - 1
            a, b = (
                f"({low} if {x} < {low} else {high} if {x} > {high} else {x}) & {high - low}"
                for x in "ab"
            )
            operands, pair = lanes("s32", "a", "b"), f"({a}) << {bits} | {b}"
            name, sentence = f"cvt.pack.sat.{sign}{bits}.s32", "Two numbers, clamped."
            if bits < 16:
                operands = (*operands, read("c", "b32"))
                name, pair = f"{name}.b32", f"c << {2 * bits} | {pair}"
                sentence = "Two numbers, clamped, behind the third moved up."
            yield computed(name, operands, pair, sentence, "alu")


ROWS = (*_packed(), *_packing())
