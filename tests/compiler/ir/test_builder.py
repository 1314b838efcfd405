"""The builder: names, layout, changes that bump the version, refusals of misuse."""

from __future__ import annotations

import pytest

from compiler.ir.builder import Builder, add_buffer, add_function
from compiler.ir.module import Buffer, Guard, Instruction, Module
from compiler.text_form import parse, print_function
from compiler.verify.ir import verify
from machines.diagnostics import InputError
from machines.instructions import operations
from machines.types import I8, I32, I64

TEXT = """\
func @f(a: i32, p: i1) -> i32 {
entry:
    x = add.i32 a, 1
    branch p, left, right
left:
    x = mul.i32 x, 2
    jump right
right:
    return x
}
"""


@pytest.fixture
def builder() -> Builder:
    return Builder(parse(TEXT).functions["f"])


def test_insertion_point_moves_on(builder):
    entry = builder.function.entry
    builder.at(entry, 1)
    builder.emit("sub.i32", "x", 5, result="y")
    builder.emit("copy.i32", "y", result="x", guard=Guard("p", True))
    assert print_function(builder.function).splitlines()[2:6] == [
        "    x = add.i32 a, 1",
        "    y = sub.i32 x, 5",
        "    @!p x = copy.i32 y",
        "    branch p, left, right",
    ]


def test_fresh_names_are_new(builder):
    builder.declare("t.2", I64)
    assert [builder.fresh("t", I32) for _ in range(3)] == ["t.1", "t.3", "t.4"]
    assert builder.fresh_block("left") == "left.1"
    assert builder.function.types["t.3"] is I32


def test_every_change_bumps_the_version(builder):
    function, seen = builder.function, [builder.function.version]

    def changed() -> bool:
        seen.append(function.version)
        return seen[-1] > seen[-2]

    entry, left = function.entry, function.blocks["left"]
    builder.at(left, 0)
    builder.emit("copy.i32", 1, result="z")
    assert changed()
    builder.change(entry.instructions[0], operands=("a", 2))
    assert changed()
    builder.remove(left, left.instructions[0])
    assert changed()
    builder.replace(left, left.instructions[0], [])
    assert changed()
    builder.set_instructions(left, left.instructions)
    assert changed()
    builder.order(["entry", "right", "left"])
    assert changed()
    builder.forget_unused_types()
    assert changed()
    assert "z" not in function.types


def test_misuse_is_refused(builder):
    with pytest.raises(ValueError, match="no IR operation 'ad"):
        builder.emit("ad.i32", 1, 2)
    builder.at(builder.function.entry, 0)
    with pytest.raises(ValueError, match="'x' is i32, not i8"):
        builder.emit("copy.i8", 1, result="x")
    with pytest.raises(ValueError, match="block 'left' exists already"):
        builder.block("left")
    with pytest.raises(ValueError, match="begins with the entry"):
        builder.order(["left", "entry", "right"])
    with pytest.raises(ValueError, match="in no block"):
        Builder(builder.function).emit("copy.i8", 1)


def test_names_are_taken_once():
    module = Module()
    add_function(module, "f")
    add_buffer(module, Buffer("b", I8, 4))
    with pytest.raises(ValueError, match="exists already"):
        add_function(module, "f")
    with pytest.raises(ValueError, match="exists already"):
        add_buffer(module, Buffer("b", I8, 4))
    with pytest.raises(ValueError, match="two parameters"):
        add_function(module, "g", [("a", I8), ("a", I8)])


def test_the_verifier_judges_what_passes_build_without_any_source():
    module = Module()
    builder = add_function(module, "f", [("a", I32)], I32)
    builder.block("entry")
    row = operations()["ir", "add.i32"]
    builder.insert(Instruction(row, ("x",), ("a", 1 << 40)))
    builder.insert(Instruction(row, ("y",), ("b",)))
    builder.jump("nowhere")
    with pytest.raises(InputError) as caught:
        verify(module)
    messages = [finding.message for finding in caught.value.diagnostics]
    assert len(messages) == 4
    assert "1099511627776 is no i32" in messages[0]
