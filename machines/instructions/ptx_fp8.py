"""ptx rows: conversions of pairs of 8-bit floats, e4m3 and e5m2.

    cvt.rn.satfinite.e4m3x2.f32 d, a, b     a's in the upper byte of d, b's in the lower one
    cvt.rn.f16x2.e5m2x2 d, a                each byte as an f16

Each number of 8 bits is an f16.  What is larger than the largest becomes that, infinities too; NaN
becomes 0x7F, and 0x7FFF as an f16.
"""

from __future__ import annotations

from collections.abc import Iterator

from machines.instructions.ptx_half_operands import F16
from machines.instructions.ptx_operands import computed, read, write
from machines.operations.row import Operation

FROM_BITS = {"e4m3": "e4m3_from_bits({})", "e5m2": "f16_from_bits(({} & 255) << 8)"}
"""The value of the low byte: an e5m2 is the upper half of an f16."""
NEAREST = "The nearest pair of 8-bit floats, the largest where a number is larger."


def _conversions() -> Iterator[Operation]:
    for kind, from_bits in FROM_BITS.items():
        for relu, around in (("", "{}"), (".relu", "rectify({})")):

            def encoded(value: str, kind: str = kind, around: str = around) -> str:
                return f"bits_of_{kind}({around.format(value)})"

            yield computed(
                f"cvt.rn{relu}.satfinite.{kind}x2.f32",
                (write("d", "b16"), read("a", "f32"), read("b", "f32")),
                f"{encoded('a')} << 8 | {encoded('b')}",
                f"{NEAREST[:-1]}; the first operand's in the upper byte.",
                "half_convert",
            )
            high, low = encoded(F16.decoded("a", high=True)), encoded(F16.decoded("a"))
            yield computed(
                f"cvt.rn{relu}.satfinite.{kind}x2.f16x2",
                (write("d", "b16"), read("a", "b32")),
                f"{high} << 8 | {low}",
                NEAREST,
                "half_convert",
            )
            high, low = (F16.encoded(around.format(from_bits.format(a))) for a in ("(a >> 8)", "a"))
            yield computed(
                f"cvt.rn{relu}.f16x2.{kind}x2",
                (write("d", "b32"), read("a", "b16")),
                f"{high} << 16 | {low}",
                "The two numbers as f16.",
                "half_convert",
            )


ROWS = tuple(_conversions())
