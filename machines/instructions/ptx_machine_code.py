"""ptx rows for what hardware does in one instruction and PTX says in several.

    add3.s32 d, a, b, c, 2             d = a - b + c           (IADD3)
    lea.hi.b32 d, a, b, a, 5           d = rotl(a, 5) + b      (LEA.HI)
    lea.hi.sx32.s32 d, a, b, 5         d = (a >> 27) + b       (LEA.HI.SX32)

The assembler behind nvcc writes them; in the source of a program they do not exist.
"""

from __future__ import annotations

from machines.instructions.ptx_operands import MACHINE_CODE, computed, immediate, lanes


def _sums():
    terms = [f"(-{name} if negated >> {k} & 1 else {name})" for k, name in enumerate("abc")]
    yield computed(
        "add3.s32",
        (*lanes("s32", "a", "b", "c"), immediate("negated", 3, signed=False)),
        " + ".join(terms),
        "Sum of three; bit k of the immediate says that term k is subtracted.",
        "alu",
        flags=MACHINE_CODE,
    )
    yield computed(
        "lea.hi.b32",
        (*lanes("b32", "a", "b", "c"), immediate("count", 5, signed=False)),
        "b + ((c << 32 | a) << count >> 32)",
        "High half of the pair {c, a} shifted left by an immediate, plus the second operand.",
        "alu",
        flags=MACHINE_CODE,
    )
    yield computed(
        "lea.hi.sx32.s32",
        (*lanes("s32", "a", "b"), immediate("count", 5, signed=False)),
        "b + (a << count >> 32)",
        "The same of an operand that is extended by its sign.",
        "alu",
        flags=MACHINE_CODE,
    )


ROWS = (*_sums(),)
