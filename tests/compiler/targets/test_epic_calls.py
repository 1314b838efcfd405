"""Calls on the machine: the register stack, what lives across them, recursion, what is refused."""

from __future__ import annotations

import pytest

from compiler.text_form import parse
from machines.description.load import load_machine
from machines.diagnostics import InputError
from tests.campaign.seeds import spread
from tests.compiler.both_ways import build, differences, run_ir, run_program
from tests.programs.random_call_text import RandomCalls

MACHINE = load_machine("itanium2")
WITHOUT = ["default", "-inline_calls"]


def both(text: str, name: str, passes=WITHOUT, **arguments):
    """The value a function returns on the machine, which has to be that of the IR."""
    module = parse(text, "calls.sir")
    function = module.functions[name]
    expected = run_ir(function, module, arguments)
    got = run_program(build(function, module, MACHINE, passes), arguments)
    for buffer in module.buffers.values():
        if buffer.function is not None:  # only a machine has addresses of code
            got.memory.view(buffer.name)[:] = 0
    assert differences(expected, got) == []
    return got.value


FIBONACCI = """
func @fibonacci(n: i64) -> i64 {
entry:
    small = lt_s.i64 n, 2
    branch small, base, step
base:
    return n
step:
    a = sub.i64 n, 1
    x = call.i64 @fibonacci(a)
    b = sub.i64 n, 2
    y = call.i64 @fibonacci(b)
    z = add.i64 x, y
    return z
}
"""

ACKERMANN = """
func @ackermann(m: i64, n: i64) -> i64 {
entry:
    p = eq.i64 m, 0
    branch p, zero, more
zero:
    r = add.i64 n, 1
    return r
more:
    k = sub.i64 m, 1
    q = eq.i64 n, 0
    inner = const.i64 1
    branch q, last, deep
deep:
    l = sub.i64 n, 1
    inner = call.i64 @ackermann(m, l)
    jump last
last:
    s = call.i64 @ackermann(k, inner)
    return s
}
"""

POWERS = """
func @powers(x: f64, n: i64) -> f64 {
entry:
    half = mul.f64 x, 0.5
    p = le_s.i64 n, 0
    branch p, done, more
done:
    return 1.0
more:
    m = sub.i64 n, 1
    y = call.f64 @powers(half, m)
    z = mul.f64 y, x
    w = add.f64 z, half
    return w
}
"""

CONDITIONS = """
func @count(n: i64, up: i1) -> i64 {
entry:
    even = and.i64 n, 1
    p = eq.i64 even, 0
    stop = le_s.i64 n, 0
    branch stop, done, more
done:
    return 0
more:
    m = sub.i64 n, 1
    down = not.i1 up
    r = call.i64 @count(m, down)
    @p r = add.i64 r, 100
    @up r = add.i64 r, 1
    return r
}
"""


def test_recursion():
    assert both(FIBONACCI, "fibonacci", n=15) == 610
    assert both(ACKERMANN, "ackermann", m=2, n=5) == 13


def test_floats_live_across_calls_in_the_frame_of_each():
    assert both(POWERS, "powers", x=3.0, n=6) is not None


def test_conditions_live_across_calls():
    assert both(CONDITIONS, "count", n=7, up=1) == 304


def test_arguments_fill_the_registers_there_are():
    names = [f"a{k}" for k in range(8)] + [f"x{k}" for k in range(8)]
    types = ["i64"] * 8 + ["f64"] * 8
    head = ", ".join(f"{name}: {t}" for name, t in zip(names, types, strict=True))
    sums = "\n".join(f"s = mul.i64 s, 3\n s = add.i64 s, a{k}" for k in range(8))
    floats = "\n".join(f"y = mul.f64 y, 3.0\n y = add.f64 y, x{k}" for k in range(8))
    text = f"""
    func @main(n: i64) -> i64 {{
    entry:
        r = call.i64 @many({", ".join([*map(str, range(8)), *(f"{k}.5" for k in range(8))])})
        r = add.i64 r, n
        return r
    }}
    func @many({head}) -> i64 {{
    entry:
        s = const.i64 0
        {sums}
        y = const.f64 0.0
        {floats}
        z = int_s.f64.i64 y
        s = add.i64 s, z
        return s
    }}
    """
    assert both(text, "main", n=1) == both(text, "main", passes="default", n=1)


def test_more_arguments_than_registers_are_refused():
    head = ", ".join(f"a{k}: i64" for k in range(9))
    text = f"""func @main(n: i64) {{
    entry:
        call @many({", ".join("n" * 9)})
        return
    }}
    func @many({head}) {{
    entry:
        return
    }}
    """
    module = parse(text, "calls.sir")
    with pytest.raises(InputError, match=r"registers for 8 arguments .* none for 'a8'") as caught:
        build(module.functions["main"], module, MACHINE, WITHOUT)
    assert caught.value.diagnostics[0].location.line == 6


@pytest.mark.parametrize("seed", spread(range(20), 2))
def test_random_functions_that_call_each_other(seed):
    check(seed)


CALLS_ITSELF_THROUGH_A_TABLE = """
described: i64[2] in constant = @sum
table: ptr[1] in global

func @main(n: i64) -> f64 {
entry:
    p = address.ptr described
    t = address.ptr table
    store.ptr t, p
    s = call.f64 @sum(n)
    return s
}

func @sum(n: i64) -> f64 {
entry:
    s = float_s.i64.f64 n
    stop = le_s.i64 n, 0
    branch stop, done, more
more:
    t = address.ptr table
    p = load.ptr t
    k = sub.i64 n, 1
    r = call_through.f64 @sum(p, k)
    s = add.f64 s, r
    jump done
done:
    return s
}
"""


def test_the_stack_of_a_function_that_calls_itself_through_a_pointer():
    """`s` lives in memory across the call, once for each call that is not over."""
    assert both(CALLS_ITSELF_THROUGH_A_TABLE, "main", n=300) == 300 * 301 / 2


def check(seed: int) -> None:
    text = RandomCalls(seed).text
    for passes in (WITHOUT, "default"):
        both(text, "f0", passes, n=seed % 5)
