"""Which operations cannot fault: each reason by hand; in random programs none of those faults."""

from __future__ import annotations

from collections import Counter

import pytest

from compiler.analyses.safe_accesses import safe_accesses
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.effects import may_fault
from compiler.text_form import parse
from tests.compiler.one_pass import apply
from tests.programs.random_memory import RandomMemory

HEAD = """
a: i32[4] in global
b: i64[4] in global
func @f(q: ptr, r: ptr, c: i1, i: i64, x: i32, y: i64) {
"""


def function_of(text: str):
    return parse(f"{HEAD}{text}\n}}\n", "test.sir").functions["f"]


def verdicts(text: str) -> list[bool]:
    """Of each operation that may fault, in layout order, whether it is safe."""
    function = function_of(text)
    safe = safe_accesses(function)
    return [safe.is_safe(i) for _, i in function.instructions() if may_fault(i)]


def verdict(*lines: str) -> bool:
    """Of the last operation that may fault, in one block."""
    return verdicts("entry:\n    " + "\n    ".join((*lines, "return")))[-1]


@pytest.mark.parametrize(
    ("offset", "access", "is_safe"),
    [
        ("0", "load.i32", True),
        ("12", "load.i32", True),
        ("13", "load.i8", True),
        ("16", "load.i8", False),
        ("-4", "load.i32", False),
        ("2", "load.i32", False),  # misaligned
        ("8", "load.i64", True),
        ("12", "load.i64", False),
    ],
)
def test_a_constant_offset_from_a_buffer(offset, access, is_safe):
    lines = ("base = address.ptr a", f"p = add.ptr base, {offset}", f"v = {access} p")
    assert verdict(*lines) == is_safe


@pytest.mark.parametrize(
    ("computed", "is_safe"),
    [
        ("o = and.i64 i, 12", True),
        ("o = and.i64 i, 13", False),  # may be misaligned
        ("o = and.i64 i, 28", False),
        ("k = and.i64 i, 3\n o = shl.i64 k, 2", True),
        ("k = and.i64 i, 3\n o = mul.i64 k, 4", True),
        ("k = and.i64 i, 3\n o = mul.i64 k, -4", False),
        ("k = rem_u.i64 i, 4\n o = shl.i64 k, 2", True),
        ("k = rem_s.i64 i, 4\n o = shl.i64 k, 2", False),
        ("k = shr_u.i64 i, 62\n o = shl.i64 k, 2", True),
        ("k = and.i64 i, 3\n m = sub.i64 3, k\n o = shl.i64 m, 2", True),
    ],
)
def test_an_offset_in_a_known_range(computed, is_safe):
    lines = ("base = address.ptr a", computed, "p = add.ptr base, o", "v = load.i32 p")
    assert verdict(*lines) == is_safe


def test_what_has_succeeded_once_succeeds_again():
    assert verdict("v = load.i32 q", "store.i32 q, 1")
    assert not verdict("v = load.i32 q", "w = load.i32 r")


@pytest.mark.parametrize(
    ("first", "offset", "then", "is_safe"),
    [
        ("load.i64", 4, "load.i32", True),
        ("load.i64", 2, "load.i16", True),
        ("load.i64", 2, "load.i32", False),  # misaligned
        ("load.i64", 8, "load.i8", False),
        ("load.i64", -1, "load.i8", False),
        ("load.i32", 0, "load.i64", False),
    ],
)
def test_a_part_of_what_has_succeeded(first, offset, then, is_safe):
    assert verdict(f"u = {first} q", f"p = add.ptr q, {offset}", f"v = {then} p") == is_safe


def test_the_same_sum_by_another_name_is_the_same_address():
    lines = ("k = add.i64 i, 2", "j = add.i64 i, 1", "s = shl.i64 k, 3", "t = shl.i64 j, 3")
    same = ("p = add.ptr q, s", "w = add.ptr q, t", "z = add.ptr w, 8")
    assert verdict(*lines, *same, "u = load.i64 p", "v = load.i64 z")
    assert not verdict(*lines, *same, "u = load.i64 p", "v = load.i64 w")


def test_a_guarded_access_proves_only_under_its_guard():
    assert not verdict("@c store.i32 q, 1", "v = load.i32 q")
    assert not verdict("@c store.i32 q, 1", "@!c store.i32 q, 2")
    assert verdict("@c store.i32 q, 1", "@c store.i32 q, 2")
    assert verdict("v = load.i32 q", "@c store.i32 q, 2")


DIAMOND = """
entry:
    branch c, then, other
then:
    u = load.i64 q
    jump join
other:
    {other}
    jump join
join:
    v = load.i64 q
    return
"""


def test_every_way_has_to_prove_it():
    assert verdicts(DIAMOND.format(other="store.i64 q, 1"))[-1]
    assert not verdicts(DIAMOND.format(other="w = load.i64 r"))[-1]


LOOP = """
entry:
    jump loop
loop:
    p = phi.ptr [entry: q, loop: next]
    v = load.i64 p
    next = add.ptr p, 8
    d = copy.i1 c
    branch d, loop, done
done:
    w = load.i64 p
    u = load.i64 next
    return
"""


def test_in_a_loop_a_name_is_the_address_of_this_iteration():
    assert verdicts(LOOP) == [False, True, False]


def test_divisors_that_are_not_zero():
    assert not verdict("v = div_s.i64 i, y")
    assert verdict("v = div_s.i64 i, y", "w = rem_u.i64 1, y")
    assert verdict("o = or.i64 y, 4", "w = div_u.i64 i, o")
    assert verdict("m = and.i64 y, 7", "n = add.i64 m, 1", "w = div_u.i64 i, n")
    assert not verdict("m = and.i64 y, 7", "w = div_u.i64 i, m")


def test_a_tensor_operation_proves_the_same_one():
    assert not verdict("tensor.fill.i64 b[0:i], 0")
    assert verdict("tensor.fill.i64 b[0:i], 0", "tensor.fill.i64 b[0:i], 0")
    assert not verdict("tensor.fill.i64 b[0:i], 0", "tensor.fill.i64 b[0:y], 0")
    twice = "tensor.fill.i64 any(b[0:i], b[2:3]), 0"
    assert not verdict(twice, twice)  # the first may have been the other interval


def test_at_the_end_of_another_block():
    function = function_of(DIAMOND.format(other="w = load.i64 r"))
    safe = safe_accesses(function)
    load = function.blocks["join"].instructions[0]
    assert [name for name in function.blocks if safe.is_safe_at(name, load)] == ["then", "join"]


def check(seed: int) -> Counter:
    """No operation of a random program that is called safe faults; counts those that may."""
    program = RandomMemory(seed, faults=True)
    module = parse(program.text, "random.sir")
    (function,) = module.functions.values()
    apply("construct_ssa", function)
    safe = safe_accesses(function)
    memory = memory_for(module, program.arguments)
    outcome = interpret(function, program.arguments, memory, opaque_seed=seed)
    if outcome.fault:
        block = function.blocks[outcome.fault.block]
        assert not safe.is_safe(block.instructions[outcome.fault.index])
    return Counter(safe.is_safe(i) for _, i in function.instructions() if may_fault(i))


def test_nothing_safe_faults():
    seen = sum((check(seed) for seed in range(60)), Counter())
    assert seen[True] > 300 and seen[False] > 300
