"""Machine code of a family that nothing knows: its text, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import compiler.ir.text
import compiler.ir.verify_code
from compiler.ir.module import Function
from compiler.ir.text import parse, print_module
from compiler.ir.verify_code import CodeRules, RegisterFile, code_findings
from machines.diagnostics import InputError
from machines.operations.row import (
    Immediate,
    Label,
    Operand,
    Operation,
    OperationTable,
    RegisterKind,
)
from machines.types import I1, I64

WORD, FLAG = RegisterKind("word", "w"), RegisterKind("flag", "z", I1)
ROWS = (
    Operation("put", "toy", (Operand("d", WORD, "w"), Operand("n", Immediate(8))), "d = n", ""),
    Operation(
        "less", "toy", (Operand("d", FLAG, "w"), Operand("a", WORD), Operand("b", WORD)),
        "d = 1 if a < b else 0", "",
    ),
    Operation("go", "toy", (Operand("to", Label()),), "", "", control="branch"),
    Operation("stop", "toy", (Operand("a", WORD),), "", "", control="return"),
)  # fmt: skip
FILES = {"w": RegisterFile("word", 4), "z": RegisterFile("flag", 1)}


@dataclass(frozen=True)
class Window:
    """What a target of the family knows of a function."""

    size: int
    names: tuple[str, ...] = ()


TEXT = """form placed of toy

func @f(n: i64) {
    frame = Window(size: 3, names: ("a", "b"))
start:
    w1 = put 5 {lane: 2, why: "a \\"reason\\""}
    w2 = put -7
    z0 = less w2, w1
    @z0 go done
    w1 = put 0
done: {marker: true}
    stop w1 {after: (1, 2), seen: [none, true, 0.5, i64], of: {(1, 2): Window(size: 1)}}
}
"""


@pytest.fixture(autouse=True)
def family(monkeypatch: pytest.MonkeyPatch):
    table = OperationTable()
    table.add(ROWS)
    for module in (compiler.ir.text, compiler.ir.verify_code):
        monkeypatch.setattr(module, "operations", lambda: table)


def read(text: str) -> Function:
    return parse(text, "toy.sir", [Window]).functions["f"]


def findings(text: str) -> list[str]:
    rules = CodeRules("toy", FILES, lambda t: "flag" if t is I1 else "word")
    return [f"{found.location.line}: {found.message}" for found in code_findings(read(text), rules)]


def test_it_is_printed_and_read_back():
    module = parse(TEXT, "toy.sir", [Window])
    assert print_module(module) == TEXT
    function = module.functions["f"]
    assert (module.form, module.family) == ("placed", "toy")
    assert function.frame == Window(3, ("a", "b")) and function.blocks["done"].marker
    first, *_, last = (i for _, i in function.instructions())
    assert first.attributes == {"lane": 2, "why": 'a "reason"'}
    assert last.attributes == {
        "after": (1, 2), "seen": [None, True, 0.5, I64], "of": {(1, 2): Window(1)},
    }  # fmt: skip
    assert findings(TEXT) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("put -7", "put 200", "7: put: operand 'n': 200 is outside -128 … 127"),
        (
            "less w2, w1",
            "less w2, z0",
            "8: less: operand 'b': 'z0' is a register of file flag, not",
        ),
        ("less w2, w1", "less w3, w1", "8: less: 'w3' is read here, and nothing has written it"),
        ("less w2, w1", "less w2, w4", "8: less: operand 'b': the machine has no 'w4'"),
        ("less w2, w1", "less w2, %x", "8: less: operand 'b': '%x' is a virtual register"),
        ("@z0 go", "@w1 go", "9: go: guard 'w1' is a register of file word, not flag"),
        ("go done", "go down", "9: go: operand 'to': there is no block 'down'"),
        ("    stop w1", "    w1 = put 1", "12: put: the function runs on behind its last block"),
    ],
)
def test_damage_is_found(old: str, new: str, found: str):
    told = findings(TEXT.replace(old, new, 1))
    assert len(told) == 1 and told[0].startswith(found), told


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("form placed of toy", "form placed of toi", "1:16", "no operation is of family 'toi'"),
        ("form placed of toy", "form placed toy", "1:13", "expected 'of'"),
        ("w2 = put -7", "w2 = putt -7", "7:10", "unknown operation 'putt'"),
        ("Window(size: 3", "Windw(size: 3", "4:13", "there is no record 'Windw'"),
        ("size: 3", "sise: 3", "4:13", "'Window' has no field 'sise'"),
        ("size: 3", 'size: "3"', "4:13", "field 'size' of 'Window' cannot be \"3\""),
        ("size: 3, ", "", "4:13", "missing 1 required positional argument: 'size'"),
        ("marker: true", "marked: true", "11:7", "a block has no 'marked'"),
        ("marker: true", "marker: 1", "11:7", "'marker' cannot be 1"),
        ("lane: 2", "lane: x", "6:23", "'x' is no value"),
        ("lane: 2", "lane: ", "6:23", "expected a value"),
        ('why: "', 'why: "\\', "6:31", "is no text"),
        ("(1, 2), seen", '("a" to "b"), seen', "12:22", "there is no row of names"),
        ("{(1, 2):", "{[1]:", "12:64", "a list is no key"),
        ("[none", "[" * 30 + "none", "12:55", "values stand too deep in each other"),
    ],
)
def test_what_cannot_be_read_is_refused_where_it_stands(old, new, place, message):
    with pytest.raises(InputError) as error:
        read(TEXT.replace(old, new, 1))
    told = [f"{f.location.line}:{f.location.column} {f.message}" for f in error.value.diagnostics]
    assert any(one.startswith(f"{place} ") and message in one for one in told), told
