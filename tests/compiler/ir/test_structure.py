"""Constants, expressions, axes, loops and functions with buffers: what they become, by hand."""

from __future__ import annotations

import random

import pytest

from compiler.interpret.functions import interpret, memory_for
from compiler.ir.reading import structure_text
from compiler.text_form import parse, print_module
from machines.diagnostics import InputError

BUFFERS = """const N = 8
a: i32[64] in nram
m: i32[4, 16] in nram
x: f32[4, N] in dram
"""


def lines(body: str, before: str = BUFFERS) -> list[str]:
    """The instructions of a function, without its labels."""
    module = parse(before + f"func @f(i: i64, n: i64) {{\n{body}\n}}\n")
    text = print_module(module)
    assert print_module(parse(text)) == text
    return [line.strip() for line in text.split("func @f")[1].splitlines()[2:-1]]


# (line, the interval that it becomes, or the lines before it and that)
INTERVALS = {
    "a": "a[0:64]",
    "a[N:2 * N]": "a[8:16]",
    "a[i]": "$1 = add.i64 i, 1; a[i:$1]",
    "a[i * 8 : i * 8 + 8]": "$1 = mul.i64 i, 8; $2 = add.i64 $1, 8; a[$1:$2]",
    "a[i * 8 +: 8]": "$1 = mul.i64 i, 8; $2 = add.i64 $1, 8; a[$1:$2]",
    "a[i + 1 - i : 2 * i - i]": "a[1:i]",
    "a[(N + 3) / 4 * 4 - 8 : N % 5 + 7]": "a[0:10]",
    "a[0:4, N / 4 by N]": "a[0:4, 2 by 8]",
    "a[-7 / 2 + 3 : 1]": "a[0:1]",
    "a[min(N, 3):max(N, 3)]": "a[3:8]",
    "a[4:]": "a[4:64]",
    "a[:n]": "a[0:n]",
    "a[n - i : n]": "$1 = sub.i64 n, i; a[$1:n]",
    "a[i * n : 64]": "$1 = mul.i64 i, n; a[$1:64]",
    "a[i / 2:64]": "$1 = div_s.i64 i, 2; a[$1:64]",
    "m": "m[0:64]",
    "m[1]": "m[16:32]",
    "m[1:3]": "m[16:48]",
    "m[:, 3]": "m[3:4, 4 by 16]",
    "m[1:3, 4:8]": "m[20:24, 2 by 16]",
    "m[2, 4:8]": "m[36:40]",
    "m[0:2, 0:16]": "m[0:32]",
    "m[i, i]": "$1 = mul.i64 i, 17; $2 = add.i64 $1, 1; m[$1:$2]",
    "m[0:n]": "$1 = mul.i64 n, 16; m[0:$1]",
    "m[i, 4 +: 4]": "$1 = mul.i64 i, 16; $2 = add.i64 $1, 4; $3 = add.i64 $1, 8; m[$2:$3]",
}  # fmt: skip


@pytest.mark.parametrize("written", INTERVALS)
def test_intervals(written):
    *before, interval = INTERVALS[written].split("; ")
    found = lines(f"tensor.fill {written}, 2 * N - 15")
    assert found == [*before, f"tensor.fill.i32 {interval}, 1", "return"]


def test_a_type_is_that_of_the_buffers():
    found = lines("tensor.convert x[0], a[:N]\ns = tensor.sum x\ntensor.store x[0, 0], s")
    assert found[0] == "tensor.convert.i32.f32 x[0:8], a[0:8]"
    assert found[1:3] == ["s = tensor.sum.f32 x[0:32]", "tensor.store.f32 x[0:1], s"]


def test_a_buffer_like_a_part():
    found = lines("c in nram = m[1:3, i +: 4]\ntensor.fill c[1], 7")
    assert found[-3:-1] == [
        "tensor.copy.i32 c[0:8], m[$1:$2, 2 by 16]", "tensor.fill.i32 c[4:8], 7",
    ]  # fmt: skip


def test_sums():
    body = "t = task_id\nlow = t * N + 1\nlow = low - 1\nsecond = low\nk = task_id + 1"
    assert lines(body)[:3] == ["t = task_id", "$1 = mul.i64 t, 8", "low = add.i64 $1, 1"]
    assert lines("k = 3") == ["k = copy.i64 3", "return"]
    assert lines("k = i -1") == ["k = add.i64 i, -1", "return"]


def test_what_is_computed_is_kept_until_it_changes():
    body = "tensor.fill a[i * 8 +: 8], 1\n{}\ntensor.fill a[i * 8 +: 8], 2"
    assert sum("mul.i64" in line for line in lines(body.format("k = n"))) == 1
    assert sum("mul.i64" in line for line in lines(body.format("i = n"))) == 2


def test_floats_are_computed_once():
    assert lines("tensor.mul_scalar x, x, 1.0 / N")[0].endswith("x[0:32], 0.125")
    assert lines("const HALF = 1 - 0.5\ntensor.fill x, HALF")[0].endswith("0.5")


FUNCTIONS = """
func @add_rows(y: T[rows, n] in nram, x: T[rows, n], factor: T2) {
    t: T[n] in nram
    for r in 0:rows {
        tensor.mul_scalar t, x[r], factor
        tensor.add y[r], y[r], t
    }
}
"""


def test_functions_with_buffers():
    text = FUNCTIONS.replace("T2", "i64").replace("factor: i64", "factor: i32")
    found = lines("call @add_rows(m[0:2], a[0:32], N)", BUFFERS + text)
    assert "tensor.mul_scalar.i32 add_rows.1.t[0:16], a[$1:$2], 8" in found
    assert "tensor.add.i32 m[$1:$2], m[$1:$2], add_rows.1.t[0:16]" in found


def test_the_printed_buffers_of_each_call_are_its_own():
    text = "func @f2(y: T[n]) {\nt: T[n] in nram\ntensor.copy t, y\n}\n"
    module = parse(f"{BUFFERS}{text}func @f() {{\ncall @f2(a)\ncall @f2(x[0])\n}}\n")
    assert [b.name for b in module.buffers.values()] == ["a", "m", "x", "f2.1.t", "f2.2.t"]
    assert [str(module.buffers[f"f2.{k}.t"].dtype) for k in (1, 2)] == ["i32", "f32"]
    assert module.buffers["f2.2.t"].count == 8


@pytest.mark.parametrize("seed", range(40))
def test_loops_are_those_of_python(seed):
    draw = random.Random(seed)
    body, python, indent, names = [], ["seen = 0"], "", []
    for depth in range(draw.randrange(1, 4)):
        known = [*names, "n"]
        low, high = (
            draw.choice([str(draw.randrange(-5, 9)), f"{draw.choice(known)} - {draw.randrange(4)}"])
            for _ in range(2)
        )
        step = draw.choice((1, 1, 2, 3, -1, -2))
        name = f"k{depth}"
        body.append(f"{indent}for {name} in {low} : {high} by {step} {{")
        python.append(f"{indent}for {name} in range({low}, {high}, {step}):")
        indent, names = indent + "    ", [*names, name]
    total = " + ".join(f"{3**k} * {name}" for k, name in enumerate(names))
    body.append(f"{indent}seen = seen * 3 + {total} + 1")
    python.append(f"{indent}seen = wrap(seen * 3 + {total} + 1)")
    for depth in reversed(range(len(names))):
        body.append("    " * depth + "}")
    text = "func @f(n: i64) -> i64 {\nseen = 0\n" + "\n".join(body) + "\nreturn seen\n}\n"
    module = parse(text)
    assert print_module(parse(print_module(module))) == print_module(module)
    n = draw.randrange(-2, 8)
    known = {"n": n, "wrap": lambda v: (v + (1 << 63)) % (1 << 64) - (1 << 63)}
    exec("\n".join(python), known)
    function = module.functions["f"]
    ended = interpret(function, {"n": n}, memory_for(module, {"n": n}), limit=100_000)
    assert (ended.status, ended.value) == ("done", known["seen"])


def test_the_bound_of_a_loop_is_computed_once():
    text = "func @f(n: i64) -> i64 {\nturns = 0\nfor i in 0:n {\nn = 0\nturns = turns + 1\n}\n"
    function = parse(text + "return turns\n}\n").functions["f"]
    memory = memory_for(parse(""), {})
    assert interpret(function, {"n": 5}, memory, limit=1000).value == 5


def test_lines_keep_their_places():
    module = parse("func @f() {\n  for i in 0:4 {\n    k = i * 2 + 1\n  }\n}\n", "f.sir")
    code = [(i.operation.name, i.location.line) for _, i in module.functions["f"].instructions()]
    assert ("mul.i64", 3) in code and ("copy.i64", 2) in code and code[-1] == ("return", 5)


# (text, place, part of the message, part of the hint)
def body(*more: str) -> str:
    return BUFFERS + "func @f(i: i64) {\n" + "\n".join(more) + "\n}\n"


INNER = "func @g(y: f32[rows, n] in nram, k: i64) {\ntensor.fill y, 0.0\n}\n"
CASES = {
    "constant twice": ("const A = 1\nconst A = 2\n", "2:7", "constant already", "another name"),
    "constant of a variable": (body("const K = i"), "6:11", "not known before", "leave 'const'"),
    "constant assigned": (body("N = 3"), "6:1", "'N' is a constant", "another name"),
    "size not known": (body("t: f32[i] in nram"), "6:8", "'i' is a variable", "const N = 64"),
    "no such space": (body("t: f32[4] in nam"), "6:14", "no memory space 'nam'", "nram"),
    "local twice": (body("t: i8[4] in nram", "t: i8[4] in nram"), "7:1", "declared twice", None),
    "buffer too large": ("a: i8[1 << 60] in dram\n", "1:9", "unexpected character", None),
    "divided by 0": (body("k = i / (N - 8)"), "6:7", "division by zero", None),
    "divided by a variable": (body("k = N / i"), "6:7", "a divisor must be known", "div_s.i64"),
    "float of a variable": (body("k = i * 0.5"), "6:7", "of i64", "mul.f32"),
    "float for i64": (body("k = 0.5"), "6:5", "is no i64", "whole number"),
    "too large": (body("k = 4000000000 * 4000000000"), "6:16", "does not fit i64", None),
    "operand missing": (body("k = i *"), "6:8", "expected a number", "i * 64"),
    "parenthesis": (body("k = (i + 1"), "7:1", "expected ')'", None),
    "axis too many": (body("tensor.fill m[0, 1, 2], 1"), "6:21", "3 places, but 'm' has 2", None),
    "outside of an axis": (
        body("tensor.fill m[0, 3:17], 1"), "6:18", "3:17 is no part of 'm', which has 16", "'0:16'",
    ),
    "by beside axes": (body("tensor.fill m[0:2, 2 by 3], 1"), "6:13", "2 axes", "leave out 'by'"),
    "no row": (
        body("tensor.add x[0], x[0], a[0:8]"), "6:1", "takes intervals of f32, f32, i32",
        "tensor.add.i8",
    ),
    "loop without brace": (body("for k in 0:4"), "6:13", "expected '{'", "for i in 0:n {"),
    "loop not closed": (body("for k in 0:4 {"), "5:7", "not closed", "end it with '}'"),
    "step 0": (body("for k in 0:4 by 0 {", "}"), "6:17", "not 0", "for i in 0:n by 2"),
    "step not known": (body("for k in 0:4 by i {", "}"), "6:17", "must be known", "constants"),
    "loop variable assigned": (
        body("for k in 0:4 {", "k = k + 1", "}"), "7:1", "variable of a loop", "only the loop",
    ),
    "loop within of the same": (
        body("for k in 0:4 {", "for k in 0:4 {", "}", "}"), "7:5", "variable of a loop", None,
    ),
    "behind the brace": (body("for k in 0:4 { k = 1 }"), "6:16", "unexpected 'k'", "begin a line"),
    "no library": ("use operator\n", "1:5", "no library 'operator'", "operators"),
    "no file": ('use "none.sir"\n', "1:5", "cannot read", "from this file on"),
    "only inlined": (INNER, "1:7", "no function runs by itself", "func @main"),
    "arguments": (body("call @g(x)") + INNER, "6:7", "takes 2 arguments", "func @g(y: f32[…]"),
    "too many": (body("call @g(x, 1, 2)") + INNER, "6:7", "takes 2 arguments", None),
    "another type": (body("call @g(a, 1)") + INNER, "6:7", "holds f32, and 'a' i32", None),
    "another space": (body("call @g(x, 1)") + INNER, "6:7", "in nram, not in dram", "copy 'x'"),
    "no buffer": (body("call @g(xx, 1)") + INNER, "6:9", "no buffer 'xx'", "did you mean 'x'"),
    "a float for i64": (
        body("t: f32[2, 2] in nram", "call @g(t, 1.5)") + INNER, "7:7", "no i64", "whole",
    ),
    "other sizes": (
        body("t: f32[2, 2] in nram", "call @h(t, x)")
        + "func @h(y: f32[n, k], x: f32[n, k]) {\n}\n",
        "7:7", "4 × 8 elements are given for 'x' of @h", "it wants 2 × 2",
    ),
    "values of two": (
        "p: i32[1], q: i32[2] in global = [1]\n" + body("return"), "1:8", "one kind", "two lines",
    ),
    "a part of unknown size": (
        body("c in nram = a[0:i]"), "6:13", "must be known", "[low +: 16]",
    ),
    "no part": (body("c in nram = aa"), "6:13", "no buffer 'aa'", "'a'"),
    "it calls itself": (
        body("call @h(x)") + "func @h(x: f32[n]) {\ncall @h(x)\n}\n", "9:7", "calls itself", "loop",
    ),
    "a return inside": (
        body("call @h(x)") + "func @h(x: f32[n]) {\nreturn\n}\n", "9:1", "no 'return'", "leave",
    ),
    "a result": ("func @h(x: f32[n]) -> i32 {\n}\n" + body(), "1:7", "returns nothing", "write"),
    "defined twice": (INNER * 2 + body(), "4:7", "defined twice", "first at"),
    "guarded": (
        body("p = eq.i64 i, 0", "@p call @h(x)") + "func @h(x: f32[n]) {\n}\n", "7:10",
        "has no guard", "branch",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_findings(name):
    text, place, message, hint = CASES[name]
    with pytest.raises(InputError) as caught:
        parse(text, "bad.sir")
    found = caught.value.diagnostics[0]
    assert str(found.location) == f"bad.sir:{place}"
    assert message in found.message
    if hint is not None:
        assert hint in (found.hint or "")


def test_what_is_wrong_in_another_file_is_said_at_the_call(tmp_path):
    (tmp_path / "mine.sir").write_text("func @h(x: f32[n]) {\n\ntensor.fill x[0:99], 0.0\n}\n")
    text = 'use "mine.sir"\n' + body("call @h(x[0])")
    with pytest.raises(InputError) as caught:
        parse(text, str(tmp_path / "main.sir"))
    (found,) = caught.value.diagnostics
    assert (found.location.line, found.location.column) == (7, 7)
    assert found.message.endswith("(in line 3 of mine.sir)")
    assert found.source_line == "call @h(x[0])"


def test_calls_that_grow_without_end_are_cut(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(structure_text, "MOST_INSTRUCTIONS", 1000)
    doubled = "".join(
        f"func @f{k}(x: f32[n]) {{\ncall @f{k + 1}(x)\ncall @f{k + 1}(x)\n}}\n" for k in range(22)
    )
    last = "func @f22(x: f32[n]) {\ntensor.fill x, 0.0\n}\n"
    with pytest.raises(InputError, match="more than 1000 instructions"):
        parse(BUFFERS + "func @f() {\ncall @f0(x)\n}\n" + doubled + last)
