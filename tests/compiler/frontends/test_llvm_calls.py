"""Calls that stay calls: how much is inlined, calls through pointers, what the entry reaches."""

from __future__ import annotations

import pytest

from compiler.frontends.llvm import PLUGIN
from compiler.frontends.llvm.lowering.passing import IN_REGISTERS
from compiler.frontends.llvm.worker import MOST
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.printer import print_module
from compiler.text_form import parse
from machines.description.load import load_machine
from machines.diagnostics import InputError
from tests.campaign.seeds import short_form
from tests.compiler.both_ways import build, run_program
from tests.compiler.frontends.llvm_native import native, ours
from tests.compiler.frontends.llvm_signatures import LENGTHS, program


def chain(depth: int) -> str:
    """f_k(x) = f_k+1(x + 1) ^ f_k+1(3x): 2^depth copies if all are inlined."""
    functions = [
        f"define i64 @f{k}(i64 %x) {{\n  %a = add i64 %x, 1\n  %b = call i64 @f{k + 1}(i64 %a)\n"
        f"  %c = mul i64 %x, 3\n  %d = call i64 @f{k + 1}(i64 %c)\n  %e = xor i64 %b, %d\n"
        "  ret i64 %e\n}\n"
        for k in range(depth)
    ]
    last = f"define i64 @f{depth}(i64 %x) {{\n  %a = mul i64 %x, %x\n  ret i64 %a\n}}\n"
    return "".join([*functions, last])


def length(module, name: str) -> int:
    return sum(len(block.instructions) for block in module.functions[name].blocks.values())


@pytest.mark.parametrize("depth", [4, 9, 16])
def test_chains_do_not_double_without_end(depth: int):
    module = PLUGIN.read(chain(depth), "chain.ll", entries=["f0"])
    assert sum(length(module, name) for name in module.functions) < 3 * MOST
    assert (len(module.functions) == 1) == (depth == 4)


def test_a_chain_computes_what_it_says():
    def said(k: int, x: int) -> int:
        return x * x if k == 9 else said(k + 1, x + 1) ^ said(k + 1, 3 * x)

    module = PLUGIN.read(chain(9), "chain.ll", entries=["f0"])
    found = interpret(module.functions["f0"], {"x": 5}, memory_for(module, {})).value
    assert found == said(0, 5)


def test_what_the_entry_does_not_reach_is_not_read():
    other = "define i64 @other() {\n  %v = load i129, ptr null\n  ret i64 0\n}\n"
    everything = PLUGIN.read(chain(2) + other, "chain.ll")
    assert set(everything.functions) == {"f0", "f1", "f2"} and "other" in everything.refused
    module = PLUGIN.read(chain(2) + other, "chain.ll", entries=["f1"])
    assert set(module.functions) == {"f1"} and not module.refused


POINTERS = """
one: i64[2] in constant = @add
two: i64[2] in constant = @scale
none: i64[2] in global
table: ptr[3] in global

func @add(a: i64, x: f64) -> i64 {
b:
    r = add.i64 a, 1
    return r
}
func @scale(a: i64, x: f64) -> i64 {
b:
    y = int_s.f64.i64 x
    r = mul.i64 a, y
    return r
}
func @main(n: i64, wrong: i64) -> i64 {
b:
    p = address.ptr one
    q = address.ptr two
    t = address.ptr table
    store.ptr t, p
    t2 = add.ptr t, 8
    store.ptr t2, q
    t3 = add.ptr t, 16
    z = address.ptr none
    store.ptr t3, z
    i = copy.i64 0
    s = copy.i64 0
    jump loop
loop:
    k = and.i64 i, 1
    k = add.i64 k, wrong
    k = shl.i64 k, 3
    e = add.ptr t, k
    f = load.ptr e
    r = call_through.i64 @add(f, i, 3.0)
    s = add.i64 s, r
    i = add.i64 i, 1
    c = lt_s.i64 i, n
    branch c, loop, end
end:
    return s
}
"""


@pytest.mark.parametrize(
    ("wrong", "status", "value", "fault"),
    [(0, "done", 100, None), (1, "fault", None, "bad branch target"),
     (2, "fault", None, "bad branch target"), (3, "fault", None, "out of bounds")],
)  # fmt: skip
def test_calls_through_pointers(wrong: int, status: str, value: int | None, fault: str | None):
    """Of what is no function's address nothing is called."""
    module, arguments = parse(POINTERS), {"n": 10, "wrong": wrong}
    ran = interpret(module.functions["main"], arguments, memory_for(module, {}))
    program = build(module.functions["main"], module, load_machine("itanium2"))
    compiled = run_program(program, arguments)
    for found, kind in ((ran, ran.fault and ran.fault.kind), (compiled, compiled.fault)):
        assert (found.status, found.value) == (status, value)
        assert kind == fault


def test_a_call_of_a_function_of_another_type():
    """The IR says so; a machine goes on with what its registers hold."""
    module = parse(POINTERS.replace("func @scale(a: i64, x: f64)", "func @scale(x: f64)").replace(
        "mul.i64 a, y", "mul.i64 2, y"
    ))  # fmt: skip
    memory, given = memory_for(module, {}), {"n": 10, "wrong": 0}
    assert interpret(module.functions["main"], given, memory).fault.kind == "bad branch target"


def test_descriptors_in_the_text_form():
    module = parse(POINTERS)
    assert print_module(parse(print_module(module))) == print_module(module)
    assert module.functions["main"].callees == ("add", "scale")
    for wrong, message in (
        ("d: i64[2] in constant = @gone", "there is no function '@gone'"),
        ("d: i32[2] in constant = @add", "described by i64"),
    ):
        with pytest.raises(InputError, match=message):
            parse(wrong + POINTERS)
    with pytest.raises(InputError, match="a call through no pointer"):
        parse(POINTERS.replace("@add(f, i, 3.0)", "@add()"))
    with pytest.raises(InputError, match=r"'call_through\.i64'"):
        parse(POINTERS.replace("r = call_through.i64", "r = call_through.i32"))


@pytest.mark.parametrize("seed", short_form(range(8), 3))
def test_arguments_and_results_of_every_kind(seed: int):
    text, given = program(seed), {"a": seed * 0x9E3779B97F4A7C15 % (1 << 63)}
    expected = native(text, "f", given)
    for way in ("ir", "core"):
        assert (way, ours(text, "f", given, way, "itanium2")) == (way, expected)


def test_some_have_more_arguments_than_registers():
    held = [PLUGIN.read(program(seed), "f.ll", entries=["f"]).buffers for seed in range(8)]
    assert sum("c.arguments" in buffers for buffers in held) >= 4
    assert max(LENGTHS) > 2 * IN_REGISTERS


def many(count: int) -> str:
    return ", ".join(f"i64 %p{k}" for k in range(count))


def test_all_arguments_of_the_entry_are_parameters():
    """Also of one that calls itself; the machine says how many it takes."""
    head = f"define i64 @f({many(9)}) {{\n"
    body = f"  %v = call i64 @f({many(9)})\n  %w = add i64 %v, 1\n  ret i64 %w\n}}\n"
    for entries in (["f"], []):
        module = PLUGIN.read(head + body, "f.ll", entries=entries)
        assert len(module.functions["f"].parameters) == 9
    head = f"@kept = global ptr null\n{head}  store ptr @f, ptr @kept\n"
    with pytest.raises(InputError, match="more than 8 arguments, and its address is taken"):
        PLUGIN.read(head + body, "f.ll", entries=["f"])


VARIADIC = """
@table = global [2 x ptr] [ptr @sum, ptr @one]
declare void @llvm.va_start(ptr)
define i64 @sum(i64 %n, ...) {
  %list = alloca { i32, i32, ptr, ptr }
  call void @llvm.va_start(ptr %list)
  %at = getelementptr { i32, i32, ptr, ptr }, ptr %list, i64 0, i32 2
  %rest = load ptr, ptr %at
  %last = getelementptr i64, ptr %rest, i64 1
  %a = load i64, ptr %rest
  %b = load i64, ptr %last
  %c = mul i64 %b, %n
  %d = add i64 %a, %c
  ret i64 %d
}
define i64 @one(i64 %n) {
  %d = add i64 %n, 1
  ret i64 %d
}
define i64 @f() {
  %p = load ptr, ptr @table
  %a = call i64 (i64, ...) %p(i64 10, i64 3, i64 4)
  %at = getelementptr ptr, ptr @table, i64 1
  %q = load ptr, ptr %at
  %b = call i64 (i64, ...) %q(i64 5)
  %c = mul i64 %a, 100
  %d = add i64 %b, %c
  ret i64 %d
}
"""


def test_variable_arguments_through_pointers():
    """`int (*q)()` is called as if it took variable arguments, and does not."""
    module = PLUGIN.read(VARIADIC, "f.ll", entries=["f"])
    found = interpret(module.functions["f"], {}, memory_for(module, {})).value
    assert found == 4306


DEEP = """
define i64 @deep(i64 %n) {
  %room = alloca [128 x i64]
  %place = getelementptr i64, ptr %room, i64 %n
  store i64 %n, ptr %place
  %end = icmp eq i64 %n, 0
  br i1 %end, label %leaf, label %node
node:
  %m = sub i64 %n, 1
  %below = call i64 @deep(i64 %m)
  %own = load i64, ptr %place
  %sum = add i64 %below, %own
  ret i64 %sum
leaf:
  ret i64 0
}
define i64 @f(i64 %times, i64 %n) {
  br label %loop
loop:
  %k = phi i64 [0, %0], [%next, %loop]
  %s = phi i64 [0, %0], [%more, %loop]
  %v = call i64 @deep(i64 %n)
  %more = add i64 %s, %v
  %next = add i64 %k, 1
  %again = icmp slt i64 %next, %times
  br i1 %again, label %loop, label %done
done:
  ret i64 %more
}
"""


def test_the_stack_is_given_back_and_ends():
    """A MiB for frames of one KiB: 100 at once, but 300 times."""
    module = PLUGIN.read(DEEP, "f.ll", entries=["f"])
    function = module.functions["f"]
    ran = interpret(function, {"times": 300, "n": 99}, memory_for(module, {}))
    assert ran.value == 300 * 99 * 100 // 2
    module = PLUGIN.read(DEEP.replace("[128 x i64]", "[12800 x i64]"), "f.ll", entries=["f"])
    ran = interpret(module.functions["f"], {"times": 1, "n": 99}, memory_for(module, {}))
    assert ran.fault.kind == "out of bounds" and ran.fault.address == 0
