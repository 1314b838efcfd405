"""Random integer code does what its rows say, whatever the passes make of it.

The rows as they are read are run by the interpreter, which judges those that are left at the end.
"""

from __future__ import annotations

import numpy as np
import pytest

from compiler import compile
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import Machine, load_machine
from machines.threads.grid import Grid
from tests.campaign.seeds import campaign, check_all, short_form
from tests.compiler.frontends.ptx_runs import read, run
from tests.programs.random_integers import INPUTS, random_integers

EDGES = (0, 1, 2, 3, 7, 31, 255, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF)
OUTPUTS = 40
ROUNDS = 3
"""With how many inputs each kernel runs."""


@pytest.fixture(scope="module")
def machine() -> Machine:
    return load_machine("h200")


@campaign(60, first=0, end=3000)
def test_rows_that_are_joined_compute_the_same(seeds: range, machine: Machine):
    check_all(lambda seed: check(seed, machine), seeds)


@pytest.mark.parametrize("seed", range(12))
def test_a_few_compute_the_same(seed: int, machine: Machine):
    check(seed, machine)


def check(seed: int, machine: Machine) -> None:
    text = random_integers(seed)
    module = read(text)
    program = compile("k.ptx", machine=machine, source=text).program
    for number in range(ROUNDS):
        inputs = np.append(values(seed * ROUNDS + number), values(seed * ROUNDS + number + 7))
        _, wanted = run(module, "k", [inputs, np.zeros(OUTPUTS, np.uint32)])
        arrays = {"p": inputs, "q": np.zeros(OUTPUTS, np.uint32)}
        memory = memory_for(program, arrays)
        grid = Grid((1, 1, 1), (1, 1, 1))
        found = interpret(program, machine.description, memory, "k", grid, ["p", "q"])
        assert found.status == "done", str(found)
        np.testing.assert_array_equal(memory.view("q", np.uint32), wanted)


def values(seed: int) -> np.ndarray:
    """Inputs: of any size, small ones, and those at the ends of ranges."""
    random = np.random.default_rng(seed)
    any_size = random.integers(0, 1 << 32, INPUTS, np.uint32) >> random.integers(0, 32, INPUTS)
    chosen = random.choice(np.array(EDGES, np.uint32), INPUTS)
    return np.where(random.random(INPUTS) < 0.4, chosen, any_size).astype(np.uint32)


DIVIDING = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 q) {
.reg .b32 %r<9>; .reg .b64 %a, %b, %t;
mov.u32 %r0, %tid.x; mul.wide.u32 %t, %r0, 8;
ld.param.u64 %a, [p]; cvta.to.global.u64 %a, %a; add.s64 %a, %a, %t;
ld.param.u64 %b, [q]; cvta.to.global.u64 %b, %b; add.s64 %b, %b, %t; add.s64 %b, %b, %t;
ld.global.u32 %r1, [%a]; ld.global.u32 %r2, [%a+4];
div.u32 %r3, %r1, %r2; rem.u32 %r4, %r1, %r2; div.s32 %r5, %r1, %r2; rem.s32 %r6, %r1, %r2;
st.global.v4.u32 [%b], {%r3, %r4, %r5, %r6};
ret;
}"""
PAIRS = 512


def pairs(seed: int) -> list[tuple[int, int]]:
    """Dividends and divisors: of any size, at the ends of ranges, and beside multiples."""
    random = np.random.default_rng(seed)

    def some() -> int:
        if random.random() < 0.3:
            return int(random.choice(EDGES))
        return int(random.integers(0, 1 << 32)) >> int(random.integers(0, 32))

    found = []
    for _ in range(PAIRS):
        dividend, divisor = some(), some()
        if divisor and random.random() < 0.5:
            dividend = dividend // divisor * divisor + int(random.integers(-1, 2))
        found.append((dividend % (1 << 32), divisor))
    return found


def quotients(a: int, b: int) -> tuple[int, ...]:
    """div.u32, rem.u32, div.s32 and rem.s32, of Python's integers."""
    if b == 0:
        return (0xFFFFFFFF,) * 4
    c, d = (value - (value >> 31 << 32) for value in (a, b))
    size, rest = divmod(abs(c), abs(d))
    size, rest = (-size if (c < 0) != (d < 0) else size), (-rest if c < 0 else rest)
    return a // b, a % b, size % (1 << 32), rest % (1 << 32)


@pytest.mark.parametrize("seed", short_form(range(40), 1))
def test_division_by_reciprocal_is_exact(seed: int, machine: Machine):
    program = compile("k.ptx", machine=machine, source=DIVIDING).program
    assert not any("div" in name or "rem" in name for name in program.operations)
    given = pairs(seed)
    arrays = {"p": np.array(given, np.uint32), "q": np.zeros((PAIRS, 4), np.uint32)}
    memory = memory_for(program, arrays)
    grid = Grid((1, 1, 1), (PAIRS, 1, 1))
    found = interpret(program, machine.description, memory, "k", grid, ["p", "q"])
    assert found.status == "done", str(found)
    wanted = [quotients(*pair) for pair in given]
    got = memory.view("q", np.uint32).reshape(PAIRS, 4)
    wrong = [
        (given[k], wanted[k], got[k].tolist()) for k in range(PAIRS) if tuple(got[k]) != wanted[k]
    ]
    assert not wrong, wrong[:5]
