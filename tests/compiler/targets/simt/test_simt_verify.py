"""The verifier of functions of ptx rows finds every kind of damage, and none in what is right."""

from __future__ import annotations

import pytest

from compiler.ir.module import Block, Function, Guard, Instruction
from compiler.targets.simt.verify import findings_of
from machines.instructions import operations
from machines.types import F32, F64, I1, I32, I64

TYPES = {"%a": I32, "%f": F32, "%p": I1, "%d": I64, "%x": F64}


def row(name: str, results=(), operands=(), guard=None, family: str = "ptx") -> Instruction:
    return Instruction(operations()[family, name], tuple(results), tuple(operands), guard)


def messages(*instructions: Instruction, more: dict[str, Block] | None = None) -> list[str]:
    """What is found in a function of one block that ends in exit, and `more`."""
    blocks = {"entry": Block("entry", [*instructions, row("exit")]), **(more or {})}
    function = Function("k", blocks=blocks, types=dict(TYPES))
    return [finding.message for finding in findings_of(function)]


def test_what_is_right():
    right = [
        row("add.s32", ["%a"], ["%a", 5]),
        row("add.s32", ["%a"], ["%f", -1], Guard("%p", negated=True)),
        row("add.rn.f64", ["%x"], ["%d", 1.5]),
        row("mov.b32", ["r4"], [0xFFFF_FFFF]),
        row("mov.b64", ["d4"], ["%x"]),
        row("setp.eq.s32", ["p0"], ["%a", "r7"]),
        row("ld.shared.b32", ["%f"], ["%a", -4]),
        row("bar.sync", [], [15, 0]),
    ]
    assert messages(*right) == []


@pytest.mark.parametrize(
    "instruction, message",
    [
        (row("add.s32", ["%a"], ["%a"]), "it reads 2 operands, not 1"),
        (row("add.s32", [], ["%a", 1]), "it writes 1 operands, not 0"),
        (row("add.s32", ["%d"], ["%a", 1]), "'%d' is a register of file b64, not b32"),
        (row("add.s64", ["%d"], ["%a", 1]), "'%a' is a register of file b32, not b64"),
        (row("add.s64", ["d2"], ["r2", 1]), "'r2' is a register of file b32, not b64"),
        (row("add.s32", ["%a"], ["%p", 1]), "'%p' is a register of file pred, not b32"),
        (row("add.s32", ["%a"], ["%b", 1]), "register '%b' has no type"),
        (row("add.s32", ["%a"], ["b", 1]), "register 'b' has no type"),
        (row("add.s32", ["%a"], ["%a", 1.5]), "1.5 is no integer"),
        (row("add.s32", ["%a"], ["%a", 1 << 32]), "4294967296 does not fit in s32"),
        (row("mov.pred", ["%p"], [2]), "2 does not fit in pred"),
        (row("add.s32", [3], ["%a", 1]), "3 cannot be written"),
        (row("ld.shared.b32", ["%f"], ["%a", "%a"]), "'%a' is no number of 32 bits"),
        (row("bar.sync", [], [64, 0]), "64 is no number of 6 bits"),
        (row("mov.address", ["%d"], ["nothing"]), "there is no buffer 'nothing'"),
        (row("add.s32", ["%a"], ["%a", 1], Guard("%a")), "file b32, not pred"),
        (row("bra.uni", [], ["entry"]), "'bra.uni' stands inside block 'entry'"),
        (row("add.i32", ["%a"], ["%a", 1], family="ir"), "a row of family 'ir', not 'ptx'"),
    ],
)
def test_damage(instruction: Instruction, message: str):
    found = messages(instruction)
    assert len([one for one in found if message in one]) >= 1, found


def test_blocks():
    assert "block 'b' does not end in a terminator" in messages(more={"b": Block("b")})[0]
    jump = Block("b", [row("bra.uni", [], ["entri"])])
    [found] = messages(more={"b": jump})
    assert "there is no block 'entri'; did you mean 'entry'?" in found
    guarded = Block("b", [row("exit", guard=Guard("%p"))])
    assert messages(more={"b": guarded}) == ["exit: a terminator takes no guard"]
    assert findings_of(Function("k"))[0].message == "function 'k' has no block"
