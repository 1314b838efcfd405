"""ptx rows for what hardware does in one instruction and PTX says in several.

    add3.s32 d, a, b, c, 2             d = a - b + c           (IADD3)
    lea.hi.b32 d, a, b, a, 5           d = rotl(a, 5) + b      (LEA.HI)
    lea.hi.sx32.s32 d, a, b, 5         d = (a >> 27) + b       (LEA.HI.SX32)
    lop3.ne.b32 p, a, b, 0, 192        p = a & b != 0          (LOP3 with a predicate)
    lop3.pred p, a, b, c, 128          p = a and b and c       (PLOP3)
    ldc.descriptor d                                           (ULDC.64 c[0x0][0x208])

The assembler behind nvcc writes them; in the source of a program they do not exist.
"""

from __future__ import annotations

from machines.instructions.ptx_operands import (
    MACHINE_CODE,
    computed,
    immediate,
    lanes,
    read,
    row,
    write,
)


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


TABLE = immediate("table", 8, signed=False)


def _predicates():
    """Either sense of a test is one row, as every reader of a predicate can take its opposite."""
    words = (*(read(name, "b32") for name in "abc"), TABLE)
    for name, sentence in (("eq", "no bit"), ("ne", "some bit")):
        relation = "==" if name == "eq" else "!="
        yield row(
            f"lop3.{name}.b32",
            (write("p", "pred"), *words),
            f"p = 1 if look_up_bits(a, b, c, table) & 4294967295 {relation} 0 else 0",
            f"Whether {sentence} of a function of three is set.",
            "predicate_compare",
            flags=MACHINE_CODE,
        )
    yield computed(
        "lop3.pred",
        (write("d", "pred"), *(read(name, "pred") for name in "abc"), TABLE),
        "shift_right(table, a << 2 | b << 1 | c) & 1",
        "A predicate from a table of eight: bit a * 4 + b * 2 + c of the immediate.",
        "predicate_compare",
        flags=MACHINE_CODE,
    )


def _constants():
    for name, kind, scheduling_class, sentence in (
        ("ldc.stack", "b32", "load_param", "The stack pointer, with which every kernel begins."),
        ("mov.stack", "b32", "move", "The stack pointer, as an operand of a move."),
        ("ldc.descriptor", "b64", "load_param", "The descriptor of global memory."),
    ):
        yield computed(
            name,
            (write("d", kind),),
            "0",
            f"{sentence} What it is does not matter here: no row reads it.",
            scheduling_class,
            flags=MACHINE_CODE,
        )


ROWS = (*_sums(), *_predicates(), *_constants())
