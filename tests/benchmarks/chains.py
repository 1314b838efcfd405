"""DU and UD chains read off SSA names, beside the classic fixpoint: time, memory, growth.

    python -m tests.benchmarks.chains

Both methods are compiled, whatever the size, and have run once before.  `reading` is what both
begin with: the function as numbers (`compiler.analyses.ssa.occurrences`), in arrays; then come both
methods from these arrays to the same rows of chains, and their ratio.  `whole` is the analysis as
passes ask for it, from a function of which nothing is known, compiled, and `plain` the same as
Python runs it, where functions are too small to be compiled.  Times are processor time, of several
runs in turns the fastest.  Memory is the most that Python and numpy held at a time, chains
included, reading not; what compiled code holds while it runs is not seen.
"""

from __future__ import annotations

import math
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from compiler.analyses import chains as by_ssa
from compiler.analyses.chains import Chains, chains
from compiler.analyses.ssa import reaching_definitions as by_fixpoint
from compiler.analyses.ssa import renaming
from compiler.analyses.ssa.occurrences import occurrences
from compiler.analyses.ssa.reaching_definitions import reaching_definitions
from compiler.ir.builder import Builder, add_function
from compiler.ir.module import Function, Guard, Module
from machines.types import I1, I64
from tests.benchmarks._command import command_line

SIZES = (10**2, 10**3, 10**4, 10**5)
RUNS = 9
KERNELS = (renaming.KERNEL, by_ssa.KERNEL, by_fixpoint.KERNEL)
SUMS = [f"s{k}" for k in range(8)]
INDICES = ["i", "j", "k"]


@dataclass(frozen=True)
class Measured:
    """One size: seconds and bytes; `seconds` and `bytes` are by SSA and by the fixpoint."""

    instructions: int
    blocks: int
    length: int
    reading: float
    whole: float
    plain: float
    seconds: tuple[float, float]
    bytes: tuple[int, int]

    @property
    def ratio(self) -> float:
        """How many times as long the fixpoint takes, from the same arrays on."""
        return self.seconds[1] / self.seconds[0]


def measure(size: int, runs: int = RUNS) -> Measured:
    """Both methods on the function of this size."""
    function = program(size)
    with compiled(True):
        found, held = zip(
            *(_held(method, function) for method in (chains, reaching_definitions)), strict=True
        )
    assert found[0].defs == found[1].defs and found[0].uses == found[1].uses
    taken: dict[str, list[float]] = {}
    for _ in range(runs):
        _forget(function)
        with compiled(True):
            numbers = _timed(taken, "reading", _read, function)
            for method in (_by_ssa, _by_fixpoint):
                _timed(taken, method.__name__, method, numbers)
            _forget(function)
            _timed(taken, "whole", chains, function)
        _forget(function)
        with compiled(False):
            _timed(taken, "plain", chains, function)
    least = {name: min(seconds) for name, seconds in taken.items()}
    return Measured(
        sum(len(block.instructions) for block in function.blocks.values()),
        len(function.blocks),
        found[0].length,
        least["reading"],
        least["whole"],
        least["plain"],
        (least["_by_ssa"], least["_by_fixpoint"]),
        held,
    )


def _timed(
    taken: dict[str, list[float]], name: str, run: Callable[[Any], Any], argument: object
) -> Any:
    begin = time.process_time()
    found = run(argument)
    taken.setdefault(name, []).append(time.process_time() - begin)
    return found


def _read(function: Function) -> list[object]:
    """The numbers of a function in arrays."""
    arguments = occurrences(function).arguments
    return [a if isinstance(a, int) else np.asarray(a, np.int64) for a in arguments]


def _by_ssa(numbers: list[object]) -> tuple:
    found = renaming.KERNEL(0, *numbers)
    operand_start, operands, _, value, before = found[5:]
    return by_ssa.KERNEL(0, value, before, operand_start, operands)


def _by_fixpoint(numbers: list[object]) -> tuple:
    return by_fixpoint.KERNEL(0, *numbers)


@contextmanager
def compiled(always: bool) -> Iterator[None]:
    """All kernels compiled, or none, whatever the size."""
    before = [kernel.at_least for kernel in KERNELS]
    for kernel in KERNELS:
        kernel.at_least = 0 if always else sys.maxsize
    yield
    for kernel, at_least in zip(KERNELS, before, strict=True):
        kernel.at_least = at_least


def _forget(function: Function) -> None:
    """A new version, so that nothing is known of the function."""
    Builder(function).forget_unused_types()


def _held(method: Callable[[Function], Chains], function: Function) -> tuple[Chains, int]:
    """The chains, and the most bytes that were held for them at a time."""
    method(function)  # nothing is compiled or loaded while we count
    _forget(function)
    occurrences(function)
    tracemalloc.start()
    found = method(function)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return found, most


def report(sizes: Sequence[int] = SIZES, runs: int = RUNS) -> list[str]:
    """The lines of the table, then growth and crossover."""
    row = "{:>12} {:>7} {:>9} {:>9} {:>9} {:>12} {:>6} {:>9} {:>9} {:>9} {:>12}"
    lines = [
        row.format("", "", "chain", "reading", "by SSA", "by fixpoint", "", "whole", "plain",
                   "by SSA", "by fixpoint"),
        row.format("instructions", "blocks", "length", "ms", "ms", "ms", "ratio", "ms", "ms", "MB",
                   "MB"),
    ]  # fmt: skip
    measured = []
    for size in sizes:
        one = measure(size, runs)
        measured.append(one)
        seconds = one.reading, *one.seconds, one.whole, one.plain
        reading, fast, slow, whole, plain = (f"{1000 * s:.2f}" for s in seconds)
        megabytes = (f"{b / 1e6:.2f}" for b in one.bytes)
        lines.append(
            row.format(one.instructions, one.blocks, one.length, reading, fast, slow,
                       f"{one.ratio:.2f}", whole, plain, *megabytes)
        )  # fmt: skip
    lines += ["", "growth with the number of instructions, from each size to the next: exponents"]
    for title, of in {
        "reading": lambda m: m.reading,
        "time by SSA": lambda m: m.seconds[0],
        "whole by SSA": lambda m: m.whole,
        "time by fixpoint": lambda m: m.seconds[1],
        "memory by SSA": lambda m: m.bytes[0],
        "memory by fixpoint": lambda m: m.bytes[1],
        "chain length": lambda m: m.length,
    }.items():
        steps = (f"{exponent(a, b, of):.2f}" for a, b in pairwise(measured))
        lines.append(f"  {title:20}" + "  ".join(steps))
    return [*lines, "", crossover(measured)]


def exponent(a: Measured, b: Measured, of: Callable[[Measured], float]) -> float:
    return math.log(of(b) / of(a)) / math.log(b.instructions / a.instructions)


def crossover(measured: Sequence[Measured]) -> str:
    """Where the SSA method gets faster, between two sizes on a straight line of logarithms."""
    for a, b in pairwise(measured):
        if a.ratio < 1 <= b.ratio:
            part = math.log(a.ratio) / math.log(a.ratio / b.ratio)
            where = a.instructions * (b.instructions / a.instructions) ** part
            return f"crossover: by SSA is faster from about {where:.0f} instructions on"
    faster = "by SSA" if measured[0].ratio >= 1 else "the fixpoint"
    return f"no crossover: {faster} is faster at all of these sizes"


# The programs


def program(size: int, seed: int = 1) -> Function:
    """A function of about `size` instructions: nests of counted loops, one after the other.

    A nest is up to three loops deep and has conditionals and guarded assignments.  Loop counters
    have the same three names in every nest, as people write them; eight sums live through the
    whole function, and each nest begins two of them anew, so that chains stay of one length.
    """
    return _Generator(Random(seed)).function(size)


class _Generator:
    def __init__(self, random: Random):
        self.random, self.emitted = random, 0
        parameters = [("n", I64), ("a", I64), ("b", I64)]
        self.builder = add_function(Module(), "nests", parameters, I64)

    def function(self, size: int) -> Function:
        self.builder.block("entry")
        for name in SUMS:
            self.emit("const.i64", 0, result=name)
        while self.emitted < size:
            for name in self.random.sample(SUMS, 2):
                self.emit("const.i64", 0, result=name)
            self.loop(0, self.random.randrange(1, 4))
        self.emit("return", SUMS[0])
        return self.builder.function

    def emit(self, operation: str, *operands: object, **more: object) -> str | None:
        self.emitted += 1
        return self.builder.emit(operation, *operands, **more)

    def loop(self, level: int, depth: int) -> None:
        builder, index = self.builder, INDICES[level]
        body, after = builder.fresh_block("body"), builder.fresh_block("after")
        self.emit("const.i64", 0, result=index)
        self.emit("jump", body)
        builder.block(body)
        for _ in range(self.random.randrange(1, 4)):
            self.statement(level)
        if level + 1 < depth:
            self.loop(level + 1, depth)
            self.statement(level)
        self.emit("add.i64", index, 1, result=index)
        again = self.emit("lt_s.i64", index, "n", result=builder.fresh("again", I1))
        self.emit("branch", again, body, after)
        builder.block(after)

    def statement(self, level: int) -> None:
        """A few temporaries, and a sum that is updated: always, under a guard, or in one arm."""
        builder, random = self.builder, self.random
        values = ["a", "b", *INDICES[: level + 1]]
        for _ in range(random.randrange(2, 6)):
            operation = random.choice(("add", "sub", "mul", "xor"))
            operands = random.choice(values), random.choice(values)
            values.append(self.emit(f"{operation}.i64", *operands))
        total, kind = random.choice(SUMS), random.random()
        if kind < 0.5:
            self.emit("add.i64", total, values[-1], result=total)
            return
        test = self.emit("lt_s.i64", values[-1], random.choice(values))
        if kind < 0.75:
            self.emit("add.i64", total, values[-1], result=total, guard=Guard(test))
            return
        then, join = builder.fresh_block("then"), builder.fresh_block("join")
        self.emit("branch", test, then, join)
        builder.block(then)
        self.emit("sub.i64", total, values[-1], result=total)
        self.emit("jump", join)
        builder.block(join)


def main(words: Sequence[str]) -> None:
    shortest = command_line(__doc__).parse_args(words).shortest
    print("\n".join(report(SIZES[:2], runs=1) if shortest else report()))


if __name__ == "__main__":
    main(sys.argv[1:])
