"""ptx rows: conversions to tf32, an f32 whose last 13 bits are 0.

    cvt.rna.tf32.f32 d, a     d = a + 0x1000 & 0xFFFFE000: to nearest, halves away from zero

`.rna` is a sequence of integer instructions on the hardware, which adds nothing to infinities and
NaN and cuts these, too (so ptxas writes it for sm_80 and sm_90); `.rn` and `.rz` make NaN
0x7FFFFFFF.
"""

from __future__ import annotations

from collections.abc import Iterator

from machines.instructions.ptx_operands import computed, read, write
from machines.operations.row import Operation

SIZE, INFINITY, KEPT = "2147483647", "2139095040", "4294959104"
"""Masks of all but the sign and of what tf32 keeps, and the encoding of an infinity."""
IN_DIRECTION = {
    "rn": f"a + 4095 + (a >> 13 & 1) & {KEPT}",
    "rz": f"a & {KEPT}",
}


def _conversions() -> Iterator[Operation]:
    operands = (write("d", "b32"), read("a", "b32"))
    nearest = f"(a + 4096 if (a & {SIZE}) < {INFINITY} else a) & {KEPT}"
    sentence = "The nearest tf32, halves away from zero."
    yield computed("cvt.rna.tf32.f32", operands, nearest, sentence, "alu")
    finite = f"{nearest} if ({nearest} & {SIZE}) < {INFINITY} else ({nearest}) - 8192"
    sentence = f"{sentence[:-1]}; the largest if it is larger."
    yield computed("cvt.rna.satfinite.tf32.f32", operands, finite, sentence, "alu")
    for rounding, kept in IN_DIRECTION.items():
        for relu in ("", ".relu"):
            value = f"0 if a >= 2147483648 else {kept}" if relu else kept
            yield computed(
                f"cvt.{rounding}{relu}.tf32.f32",
                operands,
                f"{SIZE} if (a & {SIZE}) > {INFINITY} else ({value})",
                "The next tf32 in the direction of rounding.",
                "half_convert",
            )


ROWS = tuple(_conversions())
