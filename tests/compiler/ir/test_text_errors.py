"""Broken IR text: every finding at once, each at its place with a hint."""

from __future__ import annotations

import pytest

from compiler.text_form import parse
from machines.diagnostics import InputError


def findings(text: str) -> list:
    with pytest.raises(InputError) as caught:
        parse(text, "bad.sir")
    return caught.value.diagnostics


def body(*lines: str, head: str = "func @f(a: i32, p: i1) -> i32 {") -> str:
    return "\n".join([head, "entry:", *(f"    {line}" for line in lines), "}"]) + "\n"


# (text, line:column of the finding, part of the message, part of the hint)
CASES = {
    "operation of memory": (
        body("x = gelu.i32 a", "return x"), "3:9", "unknown operation 'gelu.i32'",
        "there is one of memory: tensor.gelu.f32",
    ),
    "operation of scalars": (
        body("tensor.phi.i32 a", "return a"), "3:5", "unknown operation 'tensor.phi.i32'",
        "there is one of scalars: phi.",
    ),
    "an operation's word is nothing like": (
        body("tensor.gamma.f32 a, a", "return a"), "3:5", "unknown operation 'tensor.gamma.f32'",
        "no operation has such a name",
    ),
    "another type of an operation": (
        body("x = add.i33 a, 1", "return x"), "3:9", "unknown operation 'add.i33'", "'add.i32'",
    ),
    "unknown operation": (
        body("x = ad.i32 a, 1", "return x"), "3:9", "unknown operation 'ad.i32'", "'and.i32'",
    ),
    "a noalias number": (
        body("return a", head="func @f(b: ptr, noalias a: i32) -> i32 {"), "1:17",
        "only a ptr can be noalias", "leave 'noalias' out",
    ),
    "operation without type": (
        body("x = add a, 1", "return x"), "3:9", "unknown operation 'add'", "add.i8, add.i16",
    ),
    "a name that is not ASCII": (
        body("x = add.i32 aß, 1", "return x"), "3:18", "unexpected character 'ß'", "A-Z",
    ),
    "digits that are not ASCII": (
        body("x = add.i32 a, ٣٤", "return x"), "3:20", "unexpected characters '٣٤'", "A-Z",
    ),
    "wrong number of operands": (
        body("x = add.i32 a", "return x"), "3:5", "takes 2 operands, not 1",
        "x = add.i32 a: i32, b: i32".replace("x", "d"),
    ),
    "wrong number of results": (
        body("add.i32 a, 1", "return a"), "3:5", "writes 1 result, not 0", "d = add.i32",
    ),
    "wrong type of a variable": (
        body("x = add.i32 a, p", "return x"), "3:20", "'p' is i1, but operand 'b'", None,
    ),
    "a float for an integer": (
        body("x = add.i32 a, 1.5", "return x"), "3:20", "'1.5' is no i32", "whole number",
    ),
    "literal out of range": (
        body("x = add.i32 a, 4294967296", "return x"), "3:20", "does not fit i32",
        "-2147483648 … 4294967295",
    ),
    "i1 literal out of range": (
        body("q = copy.i1 2", "return a"), "3:17", "does not fit i1", "0 … 1",
    ),
    "float literal too large": (
        body("x = copy.f32 1e39", "return a"), "3:18", "does not fit f32", "inf",
    ),
    "undefined block": (
        body("jump exit"), "3:10", "there is no block 'exit'", "entry",
    ),
    "undefined buffer": (
        "table: i32[4] in global\n" + body("q = address.ptr tabel", "return a"), "4:21",
        "there is no buffer 'tabel'", "'table'",
    ),
    "missing terminator": (
        body("x = add.i32 a, 1"), "3:5", "block 'entry' has no terminator", "return",
    ),
    "empty block": (
        "func @f() {\nentry:\n    jump next\nnext:\n}\n", "4:1", "'next' has no terminator",
        "return",
    ),
    "terminator in the middle": (
        body("jump entry", "return a"), "3:5", "not the last instruction", "new block",
    ),
    "variable never assigned": (
        body("x = add.i32 aa, 1", "return x"), "3:17", "'aa' is never assigned", "'a'",
    ),
    "variable with two types": (
        body("x = copy.i32 a", "x = copy.i64 1", "return x"), "4:5", "'x' is i32", "another name",
    ),
    "branch on an integer": (
        body("branch a, entry, entry"), "3:12", "'a' is i32, but operand 'p' of branch must be i1",
        None,
    ),
    "guard that is an integer": (
        body("@a x = copy.i32 1", "return x"), "3:6", "the guard must be i1", None,
    ),
    "guarded terminator": (
        body("@p return a"), "3:5", "'return' cannot have a guard", "branch",
    ),
    "else without a guard": (
        body("x = copy.i32 1 else 2", "return x"), "3:5", "'else' without a guard", "@p",
    ),
    "return without a value": (
        body("return"), "3:5", "returns a value of type i32, not 0 values", "return x",
    ),
    "return with an unwanted value": (
        body("return a", head="func @f(a: i32) {"), "3:5", "returns nothing", "->",
    ),
    "constant from a variable": (
        body("x = const.i32 a", "return x"), "3:19", "takes a number", "copy.i32",
    ),
    "unknown type": (
        "func @f(a: i33) {\nentry:\n    return\n}\n", "1:12", "unknown type 'i33'", "'i32'",
    ),
    "duplicate block": (
        "func @f() {\nentry:\n    jump entry\nentry:\n    return\n}\n", "4:1", "appears twice",
        "bad.sir:2:1",
    ),
    "duplicate function": (
        "func @f() {\ne:\n    return\n}\nfunc @f() {\ne:\n    return\n}\n", "5:7", "defined twice",
        "bad.sir:1:7",
    ),
    "duplicate buffer": (
        "b: i8[1] in global\nb: i8[1] in global\n", "2:1", "declared twice", "bad.sir:1:1",
    ),
    "duplicate parameter": (
        "func @f(a: i8, a: i8) {\nentry:\n    return\n}\n", "1:16", "named twice", None,
    ),
    "buffer of a parameter's name": (
        "b: i8[1] in global\nfunc @f(b: ptr) {\nentry:\n    return\n}\n", "2:7",
        "has the name of a buffer", "rename",
    ),
    "wrong number of initial values": (
        "b: i8[3] in global = [1, 2]\n", "1:22", "2 initial values for 3 elements", "zeros",
    ),
    "unknown memory space": (
        "b: i8[3] in globel\n", "1:13", "there is no memory space 'globel'", "'global'",
    ),
    "buffers larger than memory": (
        f"a: i8[9] in global\nb: i64[{1 << 35}] in global\nc: i8[9] in global\n", "2:1",
        "with 'b' the program's buffers are larger than 256 GiB", "make it smaller",
    ),
    "empty buffer": ("b: i8[0] in global\n", "1:7", "at least one element", None),
    "reserved word": (
        body("else = copy.i32 1", "return a"), "3:5", "reserved word", "another name",
    ),
    "function not closed": (
        "func @f() {\nentry:\n    return\n", "1:7", "is not closed", "}",
    ),
    "registers that rotate": (
        "func @f() {\n    rotating = 8\nentry:\n    return\n}\n",
        "1:7", "'rotating' is said of machine code", "leave",
    ),
    "function without blocks": ("func @f() {\n}\n", "1:7", "has no block", None),
    "strange character": (body("x = copy.i32 ?a", "return x"), "3:18", "character '?'", None),
    "rubbish at module level": ("jump x\n", "1:6", "expected ':'", None),
    "rubbish after an instruction": (
        body("x = copy.i32 a a", "return x"), "3:20", "unexpected 'a'", None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_finding(name):
    text, place, message, hint = CASES[name]
    found = findings(text)
    at_place = [f for f in found if str(f.location) == f"bad.sir:{place}"]
    matching = [f for f in at_place if message in f.message]
    assert matching, f"found only: {[str(f) for f in found]}"
    if hint:
        assert hint in matching[0].hint


def test_all_findings_come_at_once_in_source_order():
    text = body("x = ad.i32 a, 1", "y = add.i32 a, q", "@a z = copy.i8 300", "jump nowhere")
    assert [str(f.location) for f in findings(text)] == [
        "bad.sir:3:9",
        "bad.sir:4:20",
        "bad.sir:5:6",
        "bad.sir:5:20",
        "bad.sir:6:10",
    ]


def test_a_line_that_cannot_be_read_causes_no_more_findings():
    """`x` is defined by the broken line, so its use below is not reported."""
    assert len(findings(body("x = ad.i32 a, 1", "y = add.i32 x, 1", "return y"))) == 1


def test_an_open_bracket_does_not_swallow_the_rest():
    text = "b: i8[3] in global = [1, 2,\n" + body("x = ad.i32 a, 1", "return x")
    assert any("ad.i32" in f.message for f in findings(text))


def test_carets_stand_below_the_word():
    lines = str(findings(body("x = add.i32 a, nothing", "return x"))[0]).splitlines()
    assert lines[0].startswith("bad.sir:3:20: error: ")
    assert lines[1][lines[2].index("^") : lines[2].rindex("^") + 1] == "nothing"


# SSA form

SSA_CASES = {
    "assigned twice": (
        ("entry:", "x = copy.i32 a", "@p x = copy.i32 1 else a", "return x"),
        "assigned more than once",
    ),
    "phi not first": (
        ("entry:", "jump next", "next:", "x = copy.i32 a", "y = phi.i32 [entry: a]", "return y"),
        "before every other instruction",
    ),
    "phi of a block that does not come here": (
        ("entry:", "jump next", "next:", "y = phi.i32 [entry: a, next: a]", "return y"),
        "'next' does not go to 'next'",
    ),
    "phi without a predecessor": (
        ("entry:", "jump next", "next:", "y = phi.i32 []", "branch p, next, out", "out:",
         "return y"),
        "no value for entry, next",
    ),
    "phi with a predecessor twice": (
        ("entry:", "jump next", "next:", "y = phi.i32 [entry: a, entry: a]", "return y"),
        "appears 2 times",
    ),
    "phi in the entry": (
        ("entry:", "y = phi.i32 [entry: a]", "branch p, entry, out", "out:", "return a"),
        "the entry block cannot have a phi",
    ),
    "guard without else": (
        ("entry:", "@p x = copy.i32 1 else a", "@p y = copy.i32 2", "return x"),
        "needs 'else'",
    ),
    "use not dominated": (
        ("entry:", "branch p, left, join", "left:", "x = copy.i32 1", "jump join", "join:",
         "y = phi.i32 [entry: a, left: x]", "z = add.i32 x, y", "return z"),
        "'x' is not assigned on every path",
    ),
    "phi operand not assigned in its predecessor": (
        ("entry:", "branch p, left, join", "left:", "x = copy.i32 1", "jump join", "join:",
         "y = phi.i32 [entry: x, left: a]", "return y"),
        "'x' is not assigned on every path",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SSA_CASES)
def test_ssa_rule(name):
    lines, message = SSA_CASES[name]
    text = "\n".join(["func @f(a: i32, p: i1) -> i32 {", *lines, "}"])
    assert any(message in f.message for f in findings(text))


def test_variable_form_may_read_what_is_not_always_assigned():
    parse(body("@p x = copy.i32 1", "return x"))
