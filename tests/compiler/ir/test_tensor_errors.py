"""What is said of intervals that are wrong: every finding at its place, with a hint."""

from __future__ import annotations

import pytest

from compiler.ir.builder import add_buffer, add_function
from compiler.ir.module import AnyOf, Buffer, Descriptor, Module
from compiler.text_form import parse
from compiler.verify.ir import verify
from machines.diagnostics import InputError
from machines.types import I8, I64

FRAME = """a: i8[64] in global
array: i8[64] in global
c: f32[12] in global
e: i32[4] in global
func @f(x: i64, p: i1, v: i8) -> i8 {{
entry:
    {}
    return v
}}
"""


def findings(line: str) -> list:
    with pytest.raises(InputError) as caught:
        parse(FRAME.format(line), "bad.sir")
    return caught.value.diagnostics


# (line, words under the carets, part of the message, part of the hint)
CASES = {
    "undeclared buffer": (
        "tensor.fill.i8 arrey[0:3], 1", "arrey[0:3]", "there is no buffer 'arrey'", "'array'",
    ),
    "undeclared buffer in any()": (
        "tensor.fill.i8 any(a[0:3], arrey[0:3]), 1", "arrey[0:3]", "no buffer 'arrey'", "'array'",
    ),
    "another type": (
        "tensor.fill.i8 c[0:3], 1", "c[0:3]",
        "'c' holds f32, but operand 'd' of tensor.fill.i8 must be an interval of i8", "f32",
    ),
    "no element": ("tensor.fill.i8 a[3:3], 1", "a[3:3]", "no element", "a[3:4] has one"),
    "negative size": ("tensor.fill.i8 a[3:1], 1", "a[3:1]", "negative size", "a[3:4] has one"),
    "below 0": ("tensor.fill.i8 a[-1:4], 1", "a[-1:4]", "begins before 'a'", "'a[0:64]'"),
    "beyond": (
        "tensor.fill.i8 a[0:65], 1", "a[0:65]", "ends beyond 'a', which has 64 elements",
        "'a[0:64]'",
    ),
    "one bound, below 0": ("tensor.fill.i8 a[-1:x], 1", "a[-1:x]", "begins before", "'a[0:64]'"),
    "one bound, beyond": ("tensor.fill.i8 a[x:65], 1", "a[x:65]", "ends beyond", "'a[0:64]'"),
    "first bound beyond": ("tensor.fill.i8 a[65:x], 1", "a[65:x]", "ends beyond", "'a[0:64]'"),
    "bound of another type": (
        "tensor.fill.i8 a[0:p], 1", "p", "'p' is i1, but a bound of a[0:p] must be i64", None,
    ),
    "bound never assigned": ("tensor.fill.i8 a[0:xx], 1", "xx", "'xx' is never assigned", "'x'"),
    "bound with a fraction": ("tensor.fill.i8 a[0:1.5], 2", "1.5", "no i64", "whole number"),
    "bound too large": (
        "tensor.fill.i8 a[0:99999999999999999999], 2", "99999999999999999999", "does not fit i64",
        None,
    ),
    "elementwise sizes": (
        "tensor.add.i8 a[0:x], a[0:4], array[0 : 5]", "array[0 : 5]",
        "array[0:5] has 5 elements, but operand 'b' of tensor.add.i8 must have 4", "one size",
    ),
    "sizes of all candidates": (
        "tensor.copy.i8 a[0:4], any(a[0:5], a[1:6])", "any(a[0:5], a[1:6])", "has 5 elements",
        "one size",
    ),
    "size of a product": (
        "tensor.matmul.f32 c[0:4], c[4:10], c[0:8], 2, 3, 2", "c[0:8]", "must have 6",
        "k * n elements",
    ),
    "negative dimension": (
        "tensor.matmul.f32 c[0:4], c[4:10], c[0:6], -2, 3, -2", "-2",
        "operand 'm' of tensor.matmul.f32 cannot be -2", "no dimension is negative",
    ),
    "size of a transposition": (
        "tensor.transpose.f32 c[0:11], c[0:12], 3, 4", "c[0:11]", "must have 12",
        "rows * columns elements",
    ),
    "a period that does not fit": (
        "tensor.cycle_add.i8 a[0:8], a[0:8], array[0:3]", "array[0:3]",
        "operand 'b' of tensor.cycle_add.i8 cannot be array[0:3]", "divides that of the others",
    ),
    "a window larger than the image": (
        "tensor.pool_max.f32 c[0:1], c[0:4], 2, 2, 1, 2, 3, 1, 1", "3", "operand 'kw'",
        "not more than the image",
    ),
    "a stride of windows": (
        "tensor.pool_max.f32 c[0:1], c[0:4], 2, 2, 1, 2, 2, 1, 0", "0", "operand 'sx'", "1 or more",
    ),
    "windows that make another image": (
        "tensor.pool_max.f32 c[0:3], c[0:4], 2, 2, 1, 1, 1, 1, 1", "c[0:3]", "must have 4",
        "oh * ow * channels elements",
    ),
    "more than there are": (
        "tensor.topk.i8 a[0:4], e[0:4], a[0:3], 1, 3, 4", "4", "operand 'k'", "the columns",
    ),
    "a table of another size": (
        "tensor.lookup.i8.f32 c[0:4], a[0:4], c[0:12]", "c[0:12]", "must have 64", "64 elements",
    ),
    "another type of two": (
        "tensor.convert.f32.i8 a[0:4], a[0:4]", "a[0:4]", "'a' holds i8", "operation of i8",
    ),
    "no candidate": ("tensor.fill.i8 any(), 3", "any()", "has no candidate", "any(a[0:32]"),
    "any() for a value": (
        "tensor.fill.i8 a[0:3], any(a[0:3])", "any(a[0:3])",
        "is an interval, but operand 'a' of tensor.fill.i8 must be i8", "load",
    ),
    "an interval for a value": (
        "v = add.i8 v, a[0:3]", "a[0:3]", "is an interval, but operand 'b' of add.i8", "load",
    ),
    "an interval for a literal": ("v = const.i8 a[0:3]", "a[0:3]", "is an interval", "load"),
    "an interval for a block": ("jump a[0:3]", "a[0:3]", "is an interval", None),
    "a variable for an interval": ("tensor.fill.i8 v, 2", "v", "'v' is no interval", "'a[0:64]'"),
    "a number for an interval": ("tensor.fill.i8 7, 2", "7", "'7' is no interval", "'a[0:64]'"),
    "one bound only": ("tensor.fill.i8 a[3 4], 2", "4", "expected ':'", "'a[low:high]'"),
    "a bound too many": ("tensor.fill.i8 a[0:3:1], 2", ":", "expected ']'", "'a[low:high]'"),
    "a bound that computes nothing": ("tensor.fill.i8 a[x+:], 2", "]", "expected a number", None),
    "no comma": (
        "tensor.copy.i8 a[0:3] a[1:4]", "a", "unexpected 'a' at the end of the line", None,
    ),
    "a bracket that is not closed": (
        "tensor.copy.i8 a[0:3, a[1:4]", "[", "expected 'by' and a stride, found '['",
        "'a[low:high, count by stride]'",
    ),
    "a count without a stride": (
        "tensor.fill.i8 a[0:3, 8], 1", "8", "2 places, but 'a' has 1 axis", "count by stride",
    ),
    "a segment below 0": (
        "tensor.fill.i8 a[8:10, 4 by -3], 1", "a[8:10, 4 by -3]", "leaves 'a', which has 64",
        "the first of its segments that does is a[-1:1]",
    ),
    "a segment beyond": (
        "tensor.fill.i8 a[0:4, 4 by 8, 3 by 32], 1", "a[0:4, 4 by 8, 3 by 32]", "leaves 'a'",
        "that does is a[64:68]",
    ),
    "no segment": ("tensor.fill.i8 a[0:x, 0 by 8], 1", "a[0:x, 0 by 8]", "no segment", "1 or more"),
    "segments that overlap": (
        "tensor.fill.i8 a[0:4, 2 by 3], 1", "a[0:4, 2 by 3]", "overlap, and it is written",
        "at least",
    ),
    "planes that overlap": (
        "tensor.fill.i8 a[0:4, 4 by 8, 2 by 27], 1", "a[0:4, 4 by 8, 2 by 27]", "overlap", None,
    ),
    "too many steps": (
        "tensor.fill.i8 a[0:1, 2 by 1, 2 by 2, 2 by 4], 1", "a[0:1, 2 by 1, 2 by 2, 2 by 4]",
        "has 3 steps; 2 are possible", "has two",
    ),
    "too many elements": (
        "v = tensor.sum.i8 a[0:1, 99999999999 by 0]", "a[0:1, 99999999999 by 0]",
        "has 99999999999 elements", "count smaller",
    ),
    "a stride of another type": (
        "tensor.fill.i8 a[0:1, 2 by p], 1", "p", "'p' is i1, but a bound", None,
    ),
    "sizes of strided intervals": (
        "tensor.copy.i8 a[0:4, 3 by 8], array[0:11]", "array[0:11]",
        "array[0:11] has 11 elements, but operand 'a' of tensor.copy.i8 must have 12", "one size",
    ),
    "a value for no result": (
        "@p tensor.fill.i8 a[0:3], 2 else 3", "@p tensor.fill.i8 a[0:3], 2 else 3",
        "1 value after 'else' for 0 results", "one value for each",
    ),
    "an operand too few": (
        "tensor.fill.i8 a[0:3]", "tensor.fill.i8 a[0:3]", "takes 2 operands, not 1",
        "tensor.fill.i8 d: interval of i8, a: i8",
    ),
    "a reserved word": ("tensor.fill.i8 a[0:else], 2", "else", "cannot stand here", None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_finding(name):
    line, words, message, hint = CASES[name]
    finding = findings(line)[-1]
    place = finding.location
    assert (place.file, place.line) == ("bad.sir", 7)
    assert finding.source_line[place.column - 1 :][: place.length] == words
    assert message in finding.message
    assert hint in finding.hint if hint else True


@pytest.mark.parametrize("name", sorted(set(CASES) - {"an interval for a block"}))
def test_there_is_one_finding(name):
    assert len(findings(CASES[name][0])) == 1


def test_what_is_right():
    for line in (
        "tensor.fill.i8 a[0:64], 255",
        "tensor.fill.i8 a[64:x], v",
        "tensor.fill.i8 a[x:0], v",
        "tensor.copy.i8 a[0:4], any(a[0:5], a[1:5])",
        "tensor.matmul.f32 c[0:4], c[0:7], c[x:12], 2, x, 2",
        "@p tensor.transpose.f32 c[0:12], c[0:12], 3, 4",
        "tensor.copy.i8 a[0:2, 4 by 8, 2 by 32], array[0:4, 4 by 1]",
        "tensor.fill.i8 a[0:1, 4 by 16, 16 by 1], 1",
        "tensor.fill.i8 a[63:64, x by -1], 1",
    ):
        parse(FRAME.format(line))


def test_a_built_module_is_checked_too():
    module = Module()
    add_buffer(module, Buffer("a", I8, 8))
    builder = add_function(module, "f", [("x", I64)])
    builder.block("entry")
    builder.emit("tensor.fill.i8", AnyOf(()), 0)
    builder.emit("tensor.fill.i8", Descriptor("a", "x", 9), 0)
    builder.return_()
    with pytest.raises(InputError) as caught:
        verify(module)
    assert [finding.message for finding in caught.value.diagnostics] == [
        "any() has no candidate",
        "a[x:9] ends beyond 'a', which has 8 elements",
    ]
