"""Ranges of values: every rule against the meaning of its operation, and ways that meet."""

from __future__ import annotations

from random import Random

import pytest

from compiler.analyses.values.value_ranges import ValueRange, trailing_zeros, value_ranges
from compiler.text_form import parse
from machines.instructions import operations
from machines.operations.evaluate import evaluator, faults
from machines.types import I8, I16

COMPUTED = [
    row
    for name, row in operations().family("ir").items()
    if name.split(".")[-1] in ("i8", "i16")
    and not (row.access or row.walk or row.control or row.flags or row.implicit_reads)
    and all(operand.kind in (I8, I16) for operand in row.operands)
]


def ranges_of(text: str) -> dict[str, ValueRange]:
    head = "func @f(c: i1, n: i64, m: i64) {\n"
    module = parse(f"{head}{text}\n}}\n", "test.sir")
    return value_ranges(module.functions["f"])


def some_range(random: Random, bits: int) -> tuple[list[str], ValueRange]:
    """Instructions that give `NAME` a random range, and the range."""
    zeros = random.choice((0, 0, 1, 3))
    low, high = sorted(random.randrange(-(1 << bits - 1), 1 << bits - 1) for _ in range(2))
    if random.random() < 0.3:
        high = low
    low, high = low >> zeros << zeros, high >> zeros << zeros
    step = f"NAME.s = shl.i{bits} NAME.p, {zeros}"
    low_part, high_part = low >> zeros, high >> zeros
    return [
        f"NAME.q = max_s.i{bits} NAME, {low_part}",
        f"NAME.p = min_s.i{bits} NAME.q, {high_part}",
        step,
    ], ValueRange(low, high, zeros)


@pytest.mark.parametrize("row", COMPUTED, ids=str)
def test_a_result_is_in_the_range_of_its_operation(row):
    random = Random(row.name)
    for _ in range(15):
        lines, ranges, parameters = [], [], []
        for place, operand in enumerate(row.reads):
            code, range_ = some_range(random, operand.kind.bits)
            lines += [line.replace("NAME", f"x{place}") for line in code]
            ranges.append(range_)
            parameters.append(f"x{place}: {operand.kind}")
        operands = ", ".join(f"x{place}.s" for place in range(len(ranges)))
        text = "\n".join((*lines, f"y = {row.name} {operands}", "return"))
        module = parse(f"func @f({', '.join(parameters)}) {{\nentry:\n{text}\n}}\n", "test.sir")
        found = value_ranges(module.functions["f"])["y"]
        for _ in range(15):
            values = [_member(random, range_) for range_ in ranges]
            if not faults(row)(*values):
                result = evaluator(row)(*values)
                assert found.low <= result <= found.high, (values, result)
                assert trailing_zeros(result) >= min(found.zeros, row.writes[0].kind.bits)


def _member(random: Random, range_: ValueRange) -> int:
    ends = range_.low >> range_.zeros, range_.high >> range_.zeros
    return random.choice((*ends, random.randint(*ends))) << range_.zeros


def test_ways_that_meet():
    found = ranges_of("""
entry:
    a = and.i64 n, 12
    @c g = const.i64 40 else a
    s = select.i64 c, a, 100
    branch c, then, join
then:
    b = const.i64 24
    jump join
join:
    x = phi.i64 [entry: a, then: b]
    return
""")
    assert found["x"] == ValueRange(0, 24, 2)
    assert found["g"] == ValueRange(0, 40, 2)
    assert found["s"] == ValueRange(0, 100, 2)


def test_what_comes_round_a_loop_may_be_anything():
    found = ranges_of("""
entry:
    jump loop
loop:
    i = phi.i64 [entry: 0, loop: j]
    k = and.i64 i, 7
    j = add.i64 k, 1
    branch c, loop, done
done:
    return
""")
    assert (found["i"].low, found["i"].high) == (-(1 << 63), (1 << 63) - 1)
    assert found["j"] == ValueRange(1, 8)
