"""ia64 rows: integer compares and bit tests.

Only the relations the machine encodes are rows.  The others are the assembler's: `gt`, `le`, `ge`
swap the operands or the two predicates of `lt`, `ne` swaps those of `eq`, and an immediate of `le`
and `gt` is that of `lt` plus one.
"""

from __future__ import annotations

from machines.instructions.ia64_operands import PR, immediate, read, row, write
from machines.operations.row import Operand

P1, P2 = write("p1", PR), write("p2", PR)
UPDATED = (Operand("p1", PR, "rw", use="predicate"), Operand("p2", PR, "rw", use="predicate"))
R2, R3 = read("r2"), read("r3")
IMM8 = immediate("imm", 8)

PARALLEL = {
    # type: (meaning of p1, meaning of p2), over the relation's text
    "and": ("p1 if {} else 0", "p2 if {} else 0"),
    "or": ("1 if {} else p1", "1 if {} else p2"),
    "or.andcm": ("1 if {} else p1", "0 if {} else p2"),
}
PARALLEL_SENTENCE = {
    "and": "clears both predicates if it does not hold",
    "or": "sets both predicates if it holds",
    "or.andcm": "sets the first predicate and clears the second if it holds",
}


def normal(name, operands, relation, sentence, right, scheduling_class, slot_kind):
    """The plain and the .unc row of a compare; `right` is the text after the equals sign.

    `name` may end in a shape suffix that its mnemonic lacks: 'cmp.eq/imm' makes cmp.eq.imm.
    """
    mnemonic, _, shape = name.partition("/")
    shape = f".{shape}" if shape else ""
    for kind, flags in (("", frozenset()), (".unc", frozenset({"unconditional"}))):
        note = " Under a false predicate both are cleared." if kind else ""
        yield row(
            f"{mnemonic}{kind}{shape}",
            (P1, P2, *operands),
            f"p1 = 1 if {relation} else 0\np2 = 1 - p1",
            f"{sentence}: the first predicate; its complement: the second.{note}",
            f"{mnemonic}{kind} {{p1}}, {{p2}} = {right}",
            scheduling_class,
            slot_kind,
            flags=flags,
        )


def parallel(name, operands, relation, sentence, right, scheduling_class, slot_kind):
    """The .and, .or and .or.andcm rows of a compare."""
    mnemonic, _, shape = name.partition("/")
    shape = f".{shape}" if shape else ""
    for kind, (first, second) in PARALLEL.items():
        yield row(
            f"{mnemonic}.{kind}{shape}",
            (*UPDATED, *operands),
            f"p1 = {first.format(relation)}\np2 = {second.format(relation)}",
            f"{sentence}: {PARALLEL_SENTENCE[kind]}.",
            f"{mnemonic}.{kind} {{p1}}, {{p2}} = {right}",
            scheduling_class,
            slot_kind,
            flags=frozenset({"parallel"}),
        )


def _compares(mnemonic: str, narrow: str, width: str):
    """All rows of cmp or cmp4; `narrow` formats an operand's name to the value compared."""
    a, b, i = narrow.format("r2"), narrow.format("r3"), "imm"
    relations = (
        (normal, "eq", "{} == {}", "Equal"),
        (normal, "lt", "{} < {}", "Less, signed"),
        (normal, "ltu", "below({}, {})", "Less, unsigned"),
        (parallel, "eq", "{} == {}", "Equal"),
        (parallel, "ne", "{} != {}", "Not equal"),
    )
    for rows, name, relation, sentence in relations:
        yield from rows(
            f"{mnemonic}.{name}",
            (R2, R3),
            relation.format(a, b),
            f"{sentence}, {width}",
            "{r2}, {r3}",
            "compare",
            "A",
        )
        yield from rows(
            f"{mnemonic}.{name}/imm",
            (IMM8, R3),
            relation.format(i, b),
            f"{sentence}, {width}, with an immediate",
            "{imm}, {r3}",
            "compare",
            "A",
        )
    for name, sign in (("gt", ">"), ("ge", ">="), ("lt", "<"), ("le", "<=")):
        yield from parallel(
            f"{mnemonic}.{name}/zero",
            (R3,),
            f"0 {sign} {b}",
            f"Zero {sign} register, signed, {width}",
            "r0, {r3}",
            "compare",
            "A",
        )


def _bit_tests():
    operands = (R3, immediate("position", 6, signed=False))
    right = "{r3}, {position}"
    zero = "shift_right_unsigned(r3, position) & 1 == 0"
    one = "shift_right_unsigned(r3, position) & 1 == 1"
    yield from normal("tbit.z", operands, zero, "Bit is zero", right, "test_bit", "I")
    yield from parallel("tbit.z", operands, zero, "Bit is zero", right, "test_bit", "I")
    yield from parallel("tbit.nz", operands, one, "Bit is one", right, "test_bit", "I")


ROWS = (
    *_compares("cmp", "{}", "64 bits"),
    *_compares("cmp4", "sign_extend({}, 32)", "32 bits"),
    *_bit_tests(),
)
