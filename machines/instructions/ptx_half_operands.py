"""The two floats of 16 bits, f16 and bf16, as the rows of ptx compute with them.

    bf16: add.rn.bf16x2 d, a, b     d = bits_of_bf16(nearest_bf16(…)) << 16 | bits_of_bf16(…)

Registers hold encodings (b16, or b32 of two); a meaning decodes them to doubles, computes, rounds
once, and encodes.  NaN becomes 0x7FFF.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from machines.instructions.ptx_operands import computed, lanes
from machines.operations.row import Operation


@dataclass(frozen=True)
class Half:
    """A type: its name, bits of the significand, the largest number."""

    name: str
    digits: int
    largest: float

    @property
    def pair(self) -> str:
        """The type of two in a register."""
        return f"{self.name}x2"

    def decoded(self, operand: str, high: bool = False, ftz: bool = False) -> str:
        """The value of an operand, or of its upper half."""
        value = (
            f"{self.name}_from_bits({operand} >> 16)"
            if high
            else f"{self.name}_from_bits({operand})"
        )
        return f"flush_f16({value})" if ftz else value

    def rounded(self, value: str, mode: int = 0) -> str:
        """The number next to a value: the nearest, or in another direction."""
        if mode == 0:
            return f"nearest_{self.name}({value})"
        return f"round_toward({value}, {mode}, {self.digits})"

    def encoded(self, value: str) -> str:
        """The encoding of a number."""
        return f"bits_of_{self.name}({value})"


F16 = Half("f16", 11, 65504.0)
BF16 = Half("bf16", 8, 2.0**128 - 2.0**120)
HALVES = (F16, BF16)


def of_halves(
    name: str,
    half: Half,
    value: str,
    reads: str,
    sentence: str,
    scheduling_class: str,
    ftz: bool = False,
    pair_class: str | None = None,
    **fields: object,
) -> Iterator[Operation]:
    """The row NAME.f16 and that of both halves, NAME.f16x2: `value` is that of the operands in
    braces, and a number of the type; the second may have another scheduling class."""

    def encoded(high: bool) -> str:
        of = {operand: half.decoded(operand, high, ftz) for operand in reads}
        return half.encoded(value.format(**of))

    yield computed(
        f"{name}.{half.name}",
        lanes("b16", *reads),
        encoded(False),
        sentence,
        scheduling_class,
        **fields,
    )
    yield computed(
        f"{name}.{half.pair}",
        lanes("b32", *reads),
        f"{encoded(True)} << 16 | {encoded(False)}",
        f"{sentence[:-1]}, of both halves.",
        pair_class or scheduling_class,
        **fields,
    )
