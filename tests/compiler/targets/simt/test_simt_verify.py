"""The verifier of ptx rows finds every kind of damage, and none in what is right."""

from __future__ import annotations

import pytest

from compiler.ir.module import Block, Function, Instruction
from machines.instructions import operations
from tests.compiler.machine_code import code, findings

HEAD = [
    "%a = mov.b32 1", "%f = mov.b32 2", "%p = mov.pred 1", "%d = mov.b64 3", "%x = mov.b64 4",
    "r2 = mov.b32 5", "r7 = mov.b32 6", "p1 = mov.pred 0",
]  # fmt: skip


def messages(*lines: str, form: str = "virtual", **more: list[str]) -> list[str]:
    """What is found in a function of one block that ends in exit, and `more`."""
    head = HEAD if form == "virtual" else HEAD[-3:]
    made = code("ptx", form, entry=[*head, *lines, "exit"], **more)
    return findings(made, "teaching_gpu", form)


def test_what_is_right():
    assert (
        messages(
            "%a = add.s32 %a, 5",
            "@!%p %a = add.s32 %f, -1",
            "%x = add.rn.f64 %d, 1.5",
            "r4 = mov.b32 65535",
            "d4 = mov.b64 %x",
            "r6 = mov.b32 r5",  # the upper half of d4
            "p0 = setp.eq.s32 %a, r7",
            "%f = ld.shared.b32 %a, -4",
            "bar.sync 15, 0",
        )
        == []
    )
    assert messages("d4 = mov.b64 7", "p6 = setp.eq.s32 r5, r2", form="allocated") == []


@pytest.mark.parametrize(
    "line, message",
    [
        ("%a = add.s32 %a", "it reads 2 operands, not 1"),
        ("add.s32 %a, 1", "it writes 1 operands, not 0"),
        ("%d = add.s32 %a, 1", "'%d' is a register of file b64, not b32"),
        ("%d = add.s64 %a, 1", "'%a' is a register of file b32, not b64"),
        ("d2 = add.s64 r2, 1", "'r2' is a register of file b32, not b64"),
        ("%a = add.s32 %p, 1", "'%p' is a register of file pred, not b32"),
        ("%a = add.s32 %b, 1", "'%b' is read here, and nothing has written it before"),
        ("%a = add.s32 r9, 1", "'r9' is read here, and nothing has written it before"),
        ("%a = add.s32 b, 1", "there is no register 'b'"),
        ("%a = add.s32 %a, 1.5", "1.5 is no whole number"),
        ("%a = add.s32 %a, 4294967296", "4294967296 does not fit in s32"),
        ("%p = mov.pred 2", "2 does not fit in pred"),
        ("%f = ld.shared.b32 %a, %a", "'%a' is a register, and this is none"),
        ("bar.sync 64, 0", "64 is outside 0 … 63"),
        ("%d = mov.address nothing", "there is no buffer 'nothing'"),
        ("@%a %a = add.s32 %a, 1", "guard '%a' is a register of file b32, not pred"),
        ("bra.uni entry", "it stands inside block 'entry'"),
        ("d3 = mov.b64 1", "'d3' does not fit, a pair begins at an even number"),
        ("r300 = mov.b32 1", "the machine has no 'r300'"),
        ("p7 = mov.pred 1", "the machine has no 'p7'"),
    ],
)
def test_damage(line: str, message: str):
    found = messages(line)
    assert len([one for one in found if message in one]) == 1, found


def test_registers_are_allocated_before_the_form_that_says_so():
    [found] = messages("r3 = add.s32 %a, 1", form="allocated")
    assert "'%a' is a virtual register" in found


def test_what_no_text_says():
    def found(instruction: Instruction) -> str:
        made = code("ptx", entry=[*HEAD, "exit"])
        made.entry.instructions.insert(-1, instruction)
        return findings(made, "teaching_gpu")[0]

    table = operations()
    other = Instruction(table["ir", "add.i32"], ("%a",), ("%a", 1))
    assert "it is of family 'ir', not 'ptx'" in found(other)
    assert "3 cannot be written" in found(Instruction(table["ptx", "mov.b32"], (3,), (1,)))
    unknown = Instruction(table["ptx", "mov.b32"], ("%new",), (1,))
    assert "register '%new' has no type" in found(unknown)


def test_blocks():
    assert "block 'b' has no terminator" in messages(b=["%a = add.s32 %a, 1"])[0]
    [found] = messages(b=["bra.uni entri"])
    assert "there is no block 'entri'" in found and "did you mean 'entry'?" in found
    assert "it takes no guard" in messages(b=["@%p exit"])[0]
    assert "function 'k' has no block" in findings(Function("k"), "teaching_gpu")[0]
    empty = Function("k", blocks={"b": Block("b")})
    assert "block 'b' has no terminator" in findings(empty, "teaching_gpu")[0]


def test_what_only_some_ways_write_may_be_read():
    loop = ["%y = add.s32 %z, 1", "%z = mov.b32 2", "bra %p, loop, out"]
    made = code("ptx", entry=["%p = mov.pred 1", "bra.uni loop"], loop=loop, out=["exit"])
    assert findings(made, "teaching_gpu") == []
    entry, one = ["%p = mov.pred 1", "bra %p, one, two"], ["%z = mov.b32 2", "exit"]
    made = code("ptx", entry=entry, one=one, two=["%y = add.s32 %z, 1", "exit"])
    [found] = findings(made, "teaching_gpu")
    assert "'%z' is read here" in found
    made.valueless = ("%z",)
    assert findings(made, "teaching_gpu") == []
