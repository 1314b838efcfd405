"""Selection: what becomes of single operations, and what is refused."""

from __future__ import annotations

import pytest

from compiler.ir.printer import print_instruction
from compiler.targets.epic.selection.loose_integers import loose_variables
from compiler.targets.epic.selection.select import select_function
from compiler.targets.epic.selection.selector import RULES
from compiler.text_form import parse
from machines.diagnostics import InputError
from machines.instructions import operations

ROWS = operations().family("ir")
WITHOUT_RULE = {
    name for name, row in ROWS.items() if "phi" in row.flags or row.is_of_many or row.walk
}
"""Phis are replaced before selection (`leave_ssa`); tensors and threads run on other machines."""


def selected(signature: str, *lines: str, machine) -> list[str]:
    """The machine operations of straight code, without the moves of parameters and result."""
    text = "\n".join([f"func @f{signature} {{", "entry:", *lines, "    return x", "}"])
    function = parse(text, "f.sir").functions["f"]
    select_function(function, machine.description)
    return [
        print_instruction(i) for i in function.entry.instructions[len(function.parameters) : -2]
    ]


def test_every_operation_has_a_rule():
    assert set(ROWS) - set(RULES) == WITHOUT_RULE


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = add.i64 a, 5", ["%x = adds 5, %a"]),
        ("x = add.i64 5, a", ["%x = adds 5, %a"]),
        ("x = sub.i64 a, 8192", ["%x = adds -8192, %a"]),
        ("x = add.i64 a, 8192", ["%1 = addl 8192, r0", "%x = add %a, %1"]),
        ("x = sub.i64 7, a", ["%x = sub.imm 7, %a"]),
        ("x = neg.i64 a", ["%x = sub r0, %a"]),
        ("x = not.i64 a", ["%x = xor.imm -1, %a"]),
        ("x = and.i64 a, 255", ["%x = zxt1 %a"]),
        ("x = and.i64 a, 127", ["%x = and.imm 127, %a"]),
        ("x = shl.i64 a, 4", ["%x = dep.z %a, 4, 60"]),
        ("x = shl.i64 a, 64", ["%x = adds 0, r0"]),
        ("x = shr_s.i64 a, 70", ["%x = extr %a, 63, 1"]),
        ("x = shr_u.i64 a, 8", ["%x = extr.u %a, 8, 56"]),
        ("x = mul.i64 a, 8", ["%x = dep.z %a, 3, 61"]),
        ("x = mul.i64 a, 9", ["%x = shladd %a, 3, %a"]),
        ("x = mul.i64 a, 12", ["%1 = shladd %a, 1, %a", "%x = dep.z %1, 2, 62"]),
        ("x = mul.i64 a, 66", ["%1 = dep.z %a, 6, 58", "%x = shladd %a, 1, %1"]),
        ("x = mul.i64 a, 31", ["%1 = dep.z %a, 5, 59", "%x = sub %1, %a"]),
        ("x = mul.i64 a, -1", ["%x = sub r0, %a"]),
        ("x = mul.i64 a, 0", ["%x = adds 0, r0"]),
        ("x = const.i64 2097151", ["%x = addl 2097151, r0"]),
        ("x = const.i64 2097152", ["%1 = movl 2097152", "%x = adds 0, %1"]),
    ],
)
def test_integer_operations(line, expected, itanium2):
    assert selected("(a: i64) -> i64", line, machine=itanium2) == expected


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("lt_s.i64 a, 5", "%c, %!c = cmp.lt.imm 4, %a"),
        ("le_s.i64 a, 5", "%c, %!c = cmp.lt.imm 5, %a"),
        ("gt_s.i64 a, 5", "%c, %!c = cmp.lt.imm 5, %a"),
        ("ge_s.i64 a, 5", "%c, %!c = cmp.lt.imm 4, %a"),
        ("lt_s.i64 5, a", "%c, %!c = cmp.lt.imm 5, %a"),
        ("ne.i64 a, 5", "%!c, %c = cmp.eq.imm 5, %a"),
    ],
)
def test_compares_with_constants(relation, expected, itanium2):
    """The immediate stands on the left, so `a < 5` is the complement of `4 < a`."""
    code = selected("(a: i64) -> i1", f"c = {relation}", "x = copy.i1 c", machine=itanium2)
    flipped = relation.startswith(("lt_s.i64 a", "le_s"))
    wanted = expected.replace("%c, %!c", "%!c, %c") if flipped else expected
    assert code[0] == wanted


def test_unsigned_compare_with_zero_has_no_immediate_form(itanium2):
    code = selected("(a: i64) -> i1", "c = lt_u.i64 a, 0", "x = copy.i1 c", machine=itanium2)
    assert code[0] == "%c, %!c = cmp.ltu %a, r0"


COUNTER = """
func @f(n: i32) -> i32 {
entry:
    i = const.i32 0
    s = const.i32 0
    jump loop
loop:
    s = add.i32 s, i
    t = add.i32 s, 0
    i = add.i32 i, 1
    c = lt_s.i32 i, n
    branch c, loop, exit
exit:
    return s
}
"""


def test_integers_of_which_only_low_bits_are_read_stay_loose():
    function = parse(COUNTER, "f.sir").functions["f"]
    assert loose_variables(function) == {"i", "s", "t"}


def test_an_integer_extended_more_often_than_written_is_kept_extended():
    """Two conversions read i in the loop, one addition writes it there."""
    twice = COUNTER.replace("add.i32 s, 0", "div_s.i32 i, 7").replace("s, i\n", "i, i\n")
    function = parse(twice.replace("s = add.i32 i", "s = rem_s.i32 i"), "f.sir").functions["f"]
    assert "i" not in loose_variables(function)


def test_an_opaque_condition_is_refused_with_its_place(itanium2):
    text = "func @f() -> i1 {\nentry:\n    x = opaque.i1\n    return x\n}\n"
    with pytest.raises(InputError) as refused:
        select_function(parse(text, "f.sir").functions["f"], itanium2.description)
    (finding,) = refused.value.diagnostics
    assert str(finding).startswith("f.sir:3:5: error: 'opaque.i1' cannot be compiled")


def test_a_tied_value_is_refused(itanium2):
    text = (
        "func @f(p: i1, a: i64) -> i64 {\nentry:\n    @p x = copy.i64 1 else a\n    return x\n}\n"
    )
    with pytest.raises(InputError, match="leave_ssa"):
        select_function(parse(text, "f.sir").functions["f"], itanium2.description)


def test_arguments_past_the_last_register_are_refused(itanium2):
    parameters = ", ".join(f"a{n}: i64" for n in range(9))
    text = f"func @f({parameters}) {{\nentry:\n    return\n}}\n"
    with pytest.raises(InputError, match="8 arguments that are integers and arrays") as refused:
        select_function(parse(text, "f.sir").functions["f"], itanium2.description)
    (finding,) = refused.value.diagnostics
    assert "none for 'a8'" in finding.message and "array" in finding.hint
    assert str(finding.location) == f"f.sir:1:{text.index('a8') + 1}"
