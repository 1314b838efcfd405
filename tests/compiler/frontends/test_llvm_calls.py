"""Calls that stay calls: how much is inlined, calls through pointers, what the entry reaches."""

from __future__ import annotations

import pytest

from compiler.frontends.llvm import PLUGIN
from compiler.frontends.llvm_ir.worker import MOST
from compiler.ir.interpret import interpret, memory_for
from compiler.ir.printer import print_module
from compiler.ir.text import parse
from machines.diagnostics import InputError
from machines.load import load_machine
from tests.compiler.both_ways import build, run_program


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
    other = "define i64 @other() {\n  %v = load i33, ptr null\n  ret i64 0\n}\n"
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
