"""ptx rows: absolute differences of bytes and of halves of a word.

    vabsdiff4.u32.u32.u32 d, a, b, c         each byte of d the distance of those of a and b
    vabsdiff4.u32.u32.u32.add d, a, b, c     d = c + the four distances

Types are those of the result's parts and of the operands'.  A distance that a part cannot hold
loses its upper bits, with `.sat` it is the largest.  All parts are computed, so that c counts with
`.add` only.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from machines.instructions.ptx_operands import computed, lanes
from machines.operations.row import Operation


def _distances(parts: int, first: str, second: str) -> list[str]:
    """The distance of each part, from the lowest on."""
    width = 32 // parts

    def part(name: str, kind: str, number: int) -> str:
        extend = "sign_extend" if kind == "s32" else "zero_extend"
        return f"{extend}({name} >> {width * number}, {width})"

    return [f"abs({part('a', first, k)} - {part('b', second, k)})" for k in range(parts)]


def _rows() -> Iterator[Operation]:
    kinds = ("u32", "s32")
    for parts, kind, first, second in product((2, 4), kinds, kinds, kinds):
        width = 32 // parts
        mask, most = (1 << width) - 1, (1 << width - (kind == "s32")) - 1
        found = _distances(parts, first, second)
        kept = {
            "": [f"({distance} & {mask})" for distance in found],
            ".sat": [f"({distance} if {distance} < {most} else {most})" for distance in found],
        }
        values = {
            suffix: " | ".join(f"{one} << {width * k}" for k, one in enumerate(all_of))
            for suffix, all_of in kept.items()
        }
        values[".add"] = " + ".join(["c", *found])
        for suffix, value in values.items():
            yield computed(
                f"vabsdiff{parts}.{kind}.{first}.{second}{suffix}",
                lanes("b32", "a", "b", "c"),
                value,
                f"{'Sum of the distances' if suffix == '.add' else 'Distances'} of the parts of "
                f"{width} bits.",
                "alu",
            )


ROWS = tuple(_rows())
