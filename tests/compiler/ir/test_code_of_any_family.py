"""Machine code of a family that nothing knows: its text, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import compiler.ir.reading.operation_text
import compiler.verify.machine_code
from compiler import text_form as reader
from compiler.ir.module import Function
from compiler.text_form import parse, print_module
from compiler.verify.machine_code import CodeRules, RegisterFile, code_findings
from machines.diagnostics import InputError
from machines.kinds.epic.code import ROTATING
from machines.kinds.simt.code import MARKER
from machines.operations.row import (
    Immediate,
    Label,
    Lane,
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
    Operation("bump", "toy", (Operand("a", WORD, "rw"), Operand("n", Immediate(8))), "a += n", ""),
    Operation(
        "lanes", "toy",
        (Operand("d", WORD, "w"), Operand("i", Lane("s16")), Operand("x", Lane("f32"))),
        "d = i", "",
    ),
    Operation("pure", "toy", (Operand("d", WORD, "w"), Operand("n", I64)), "d = n", ""),
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
    loop_distances = {(0, 1): 2, (1, 1): none}
    rotating = 8
    valueless = ("w3", "w4", "z4", "z5")
    frame = Window(size: 3, names: ("a", "b"))
start: {marker: true, marker_after: true, reconverge: "done"}
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
    for module in (
        reader,
        compiler.ir.reading.operation_text,
        compiler.verify.machine_code,
    ):
        monkeypatch.setattr(module, "operations", lambda: table)


def read(text: str) -> Function:
    return parse(text, "toy.sir", [Window]).functions["f"]


def findings(text: str) -> list[str]:
    rules = CodeRules(
        "toy", FILES, lambda t: "flag" if t is I1 else "word",
        attributes={"lane": int, "why": str}, names=("beside",),
    )  # fmt: skip
    return [f"{found.location.line}: {found.message}" for found in code_findings(read(text), rules)]


def test_it_is_printed_and_read_back():
    module = parse(TEXT, "toy.sir", [Window])
    assert print_module(module) == TEXT
    function = module.functions["f"]
    assert (module.form, module.family) == ("placed", "toy")
    assert function.frame == Window(3, ("a", "b")) and MARKER.of(function.blocks["done"])
    assert function.loop_distances == {(0, 1): 2, (1, 1): None} and ROTATING.of(function) == 8
    assert function.valueless == ("w3", "w4", "z4", "z5")
    start = function.blocks["start"]
    assert start.notes == {"marker": True, "marker_after": True, "reconverge": "done"}
    first, *_, last = (i for _, i in function.instructions())
    assert first.attributes == {"lane": 2, "why": 'a "reason"'}
    assert last.attributes == {
        "after": (1, 2), "seen": [None, True, 0.5, I64], "of": {(1, 2): Window(1)},
    }  # fmt: skip
    assert findings(TEXT) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("put -7", "put 200", "10: put: operand 'n': 200 is outside -128 … 127"),
        (
            "less w2, w1",
            "less w2, z0",
            "11: less: operand 'b': 'z0' is a register of file flag, not",
        ),
        ("less w2, w1", "less w3, w1", "11: less: 'w3' is read here, and nothing has written it"),
        ("less w2, w1", "less w2, w4", "11: less: operand 'b': the machine has no 'w4'"),
        ("less w2, w1", "less w2, %x", "11: less: operand 'b': '%x' is a virtual register"),
        ("@z0 go", "@w1 go", "12: go: guard 'w1' is a register of file word, not flag"),
        ("go done", "go down", "12: go: operand 'to': there is no block 'down'"),
        (
            "w1 = put 0",
            "w1 = bump w2, 1",
            "13: bump: operand 'a' is read and written, so it is one",
        ),
        ("w1 = put 0", "w2 = bump w2", "13: bump: it reads 2 operands, not 1"),
        ("w1 = put 0", "bump w2, 1", "13: bump: it writes 1 operands, not 0"),
        ("w1 = put 0", "w01 = put 0", "13: put: operand 'd': there is no register 'w01'"),
        ("w1 = put 0", "w1 = put 0.5", "13: put: operand 'n': 0.5 is no whole number"),
        ("w1 = put 0", "w1 = lanes 40000.5, 1.0", "13: lanes: operand 'i': 40000.5 is no whole"),
        ("w1 = put 0", "w1 = lanes 70000, 1.0", "13: lanes: operand 'i': 70000 does not fit"),
        ("w1 = put 0", "w1 = lanes -32769, 1.0", "13: lanes: operand 'i': -32769 does not fit"),
        ("w1 = put 0", "w1 = lanes 7, 1", "13: lanes: operand 'x': 1 is a whole number"),
        ("w1 = put 0", "w1 = put a[0:4]", "13: put: operand 'n': a[0:4] is an interval"),
        ("stop w1", "stop", "15: stop: it reads 1 operands, not 0"),
        ("stop w1", "w3 = stop w1", "15: stop: it writes 0 operands, not 1"),
        ("lane: 2", 'lane: "2"', "9: put: attribute 'lane' is \"2\""),
        ("lane: 2", 'beside: "w9"', "9: put: attribute 'beside': the machine has no 'w9'"),
        ("    stop w1", "    w1 = put 1", "15: put: the function runs on behind its last block"),
    ],
)
def test_damage_is_found(old: str, new: str, found: str):
    assert old in TEXT
    told = findings(TEXT.replace(old, new, 1))
    assert len(told) == 1 and told[0].startswith(found), told


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("form placed of toy", "form placed of toi", "1:16", "no operation is of family 'toi'"),
        ("form placed of toy", "form placed toy", "1:13", "expected 'of'"),
        ("w2 = put -7", "w2 = putt -7", "10:10", "unknown operation 'putt'"),
        ("Window(size: 3", "Windw(size: 3", "7:13", "there is no record 'Windw'"),
        ("size: 3", "sise: 3", "7:13", "'Window' has no field 'sise'"),
        ("size: 3", 'size: "3"', "7:13", "field 'size' of 'Window' cannot be \"3\""),
        ("size: 3, ", "", "7:13", "missing 1 required positional argument: 'size'"),
        ("marker: true", "marked: true", "8:8", "a block has no 'marked'"),
        ("marker: true", "marker: 1", "8:8", "'marker' cannot be 1"),
        ("lane: 2", "lane: x", "9:23", "'x' is no value"),
        ("lane: 2", "lane: ", "9:23", "expected a value"),
        ('why: "', 'why: "\\', "9:31", "is no text"),
        ("(1, 2), seen", '("a" to "b"), seen', "15:22", "there is no row of names"),
        ("{(1, 2):", "{[1]:", "15:64", "[1] is no key"),
        ("{(1, 2):", "{([1], 2):", "15:64", "([1], 2) is no key"),
        ("lane: 2", "lane: 2, lane: 3", "9:26", '"lane" is given twice'),
        ("lane: 2", "lane: 0x_", "9:24", "expected"),
        ("lane: 2", f"lane: {'9' * 5000}", "9:23", "a number of 5000 characters"),
        ("w2 = put -7", f"w2 = put {'9' * 5000}", "10:14", "a number of 5000 characters"),
        ("w2 = put -7", "w2 = lanes 1, 1e39", "10:19", "'1e39' does not fit f32"),
        ("rotating = 8", "rotating = 8\n    rotating = 16", "6:5", "'rotating' is said twice"),
        ("form placed of toy", "form ir of toy", "1:12", "form 'ir' is of IR"),
        ("[none", "[" * 30 + "none", "15:55", "values stand too deep in each other"),
    ],
)
def test_what_cannot_be_read_is_refused_where_it_stands(old, new, place, message):
    with pytest.raises(InputError) as error:
        read(TEXT.replace(old, new, 1))
    told = [f"{f.location.line}:{f.location.column} {f.message}" for f in error.value.diagnostics]
    assert any(one.startswith(f"{place} ") and message in one for one in told), told
