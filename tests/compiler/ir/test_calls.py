"""Calls in the IR: text form, what the verifier says, how they run."""

from __future__ import annotations

import pytest

from compiler.interpret.functions import Outcome, interpret, memory_for
from compiler.interpret.generate_python import MOST_CALLS
from compiler.ir.module import Module
from compiler.text_form import parse, print_module
from machines.diagnostics import InputError

FIBONACCI = """func @fibonacci(n: i64) -> i64 {
entry:
    small = lt_s.i64 n, 2
    branch small, base, step
base:
    return n
step:
    a = sub.i64 n, 1
    b = sub.i64 n, 2
    x = call.i64 @fibonacci(a)
    y = call.i64 @fibonacci(b)
    z = add.i64 x, y
    return z
}
"""


def run(text: str, name: str, limit: int = 1_000_000, **arguments: object) -> Outcome:
    module = parse(text, "calls.sir")
    memory = memory_for(module, arguments)
    return interpret(module.functions[name], arguments, memory, limit=limit)


def test_recursion():
    assert [run(FIBONACCI, "fibonacci", n=n).value for n in range(10)] == [
        0, 1, 1, 2, 3, 5, 8, 13, 21, 34,
    ]  # fmt: skip


def test_steps_of_callees_count():
    assert run(FIBONACCI, "fibonacci", n=1).steps == 3
    assert run(FIBONACCI, "fibonacci", n=2).steps == 8 + 2 * 3
    assert run(FIBONACCI, "fibonacci", n=20, limit=1000).status == "limit"


MUTUAL = """
func @even(n: i64) -> i1 {
entry:
    done = eq.i64 n, 0
    branch done, yes, more
yes:
    return 1
more:
    m = sub.i64 n, 1
    r = call.i1 @odd(m)
    return r
}

func @odd(n: i64) -> i1 {
entry:
    done = eq.i64 n, 0
    branch done, no, more
no:
    return 0
more:
    m = sub.i64 n, 1
    r = call.i1 @even(m)
    return r
}
"""


def test_functions_that_call_each_other():
    assert [run(MUTUAL, "even", n=n).value for n in range(5)] == [1, 0, 1, 0, 1]


def test_calls_deeper_than_there_is_room_for_fault():
    assert run(MUTUAL, "even", n=MOST_CALLS).value == 1
    fault = run(MUTUAL, "even", n=MOST_CALLS + 1).fault
    assert (fault.kind, fault.function, fault.location.line) == ("calls too deep", "even", 10)


STORE = """
cells: i64[4] in global

func @main(n: i64) -> i64 {
entry:
    p = address.ptr cells
    call @put(p, 5)
    q = add.ptr p, n
    call @put(q, 7)
    x = load.i64 p
    return x
}

func @put(p: ptr, x: i64) {
entry:
    y = mul.i64 x, 2
    store.i64 p, y
    return
}
"""


def test_a_fault_is_where_the_callee_stands_and_counts_what_ran():
    assert run(STORE, "main", n=8).value == 10
    done = run(STORE, "main", n=9)
    fault = done.fault
    assert (fault.kind, fault.function, fault.block) == ("misaligned", "put", "entry")
    assert (fault.location.line, done.steps) == (17, 2 + 3 + 2 + 2)


def test_a_guarded_call_runs_or_not():
    guarded = "    p = ne.i64 n, 4\n    y = const.i64 100\n    @p y = call"
    text = FIBONACCI.replace("    y = call", guarded)
    assert run(text, "fibonacci", n=4).value == 2 + 100


def test_printed_and_read_again():
    module = parse(STORE)
    assert print_module(parse(print_module(module))) == print_module(module)
    assert "    call @put(p, 5)\n" in print_module(module)


def test_a_copy_calls_itself_but_others_of_its_module():
    module: Module = parse(FIBONACCI)
    assert module.functions["fibonacci"].callees == ("fibonacci",)


@pytest.mark.parametrize(
    "line, place, message, hint",
    (
        ("x = call.i64 @nobody(n)", "4:19", "there is no function '@nobody'", "add"),
        ("x = call.i64 @add(n)", "4:5", "@add takes 2 arguments, not 1", "a: i64, b: f32"),
        ("x = call.i64 @add(n, n)", "4:23", "but argument 'b' of @add must be f32", None),
        ("x = call.i32 @add(n, 1.0)", "4:5", "@add returns i64: write 'call.i64'", "-> i64"),
        ("call @add(n, 1.0)", "4:5", "@add returns i64: write 'call.i64'", "-> i64"),
        ("x = call.i64 @add(1.5, 2)", "4:23", "'1.5' is no i64", "whole number"),
        ("x = call.i64 add(n, 1.0)", "4:18", "expected '@' and a function's name", "call.i64 @f"),
    ),
)  # fmt: skip
def test_what_is_wrong_with_a_call(line, place, message, hint):
    text = f"""
func @main(n: i64) -> i64 {{
entry:
    {line}
    return n
}}
func @add(a: i64, b: f32) -> i64 {{
entry:
    return a
}}
"""
    with pytest.raises(InputError) as caught:
        parse(text, "bad.sir")
    first = caught.value.diagnostics[0]
    assert message in first.message
    assert f"{first.location.line}:{first.location.column}" == place
    assert hint is None or hint in first.hint
