"""How fast is memory dependence, with loops and branches and up to 10 000 descriptors?

python -m tests.benchmarks.memory_dependence
"""

from __future__ import annotations

import math
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random

from compiler.analyses.memory_dependence import MemoryDependence, MemoryOptions
from compiler.ir.builder import Builder, add_function
from compiler.ir.module import AnyOf, Buffer, Descriptor, Function, Guard, Module
from machines.types import I1, I8, I64
from tests.benchmarks._command import command_line

SIZES = (100, 1_000, 10_000, 100_000)
MOST_DESCRIPTORS = 10_000
RUNS = 3
ROW = "{:28} {:>9} {:>11} {:>8} {:>9} {:>8} {:>8} {:>8} {:>9}"


@dataclass(frozen=True)
class Mix:
    """What a program is made of.

    buffers    how many there are for 1000 descriptors
    guarded    share of guarded instructions
    inexact    share of operands with an unknown bound
    indirect   share of operands that are one of two
    """

    name: str
    buffers: float = 10
    guarded: float = 0.0
    inexact: float = 0.0
    indirect: float = 0.0


MIXES = (
    Mix("exact"),
    Mix("exact, one buffer", buffers=0),
    Mix("guarded, inexact, indirect", guarded=0.05, inexact=0.01, indirect=0.02),
)
OPTIONS = (
    MemoryOptions(),
    MemoryOptions(rules="seed"),
    MemoryOptions(rules="seed", variant="fast"),
)
STRIDE, LENGTHS = 16, (8, 16, 24, 48)
"""Descriptors begin a stride apart on average and have one of a few lengths: each overlaps few."""


def program(size: int, mix: Mix = MIXES[0], seed: int = 1) -> Function:
    """A function of about `size` tensor instructions on size / 10 descriptors, at most 10 000.

    Like compiled networks: one nest of up to three loops after the other, with conditionals; each
    nest works on descriptors that lie near each other.
    """
    return _Generator(Random(seed), size, mix).function()


class _Generator:
    def __init__(self, random: Random, size: int, mix: Mix):
        self.random, self.size, self.mix = random, size, mix
        count = min(max(size // 10, 10), MOST_DESCRIPTORS)
        self.buffers = max(1, round(count * mix.buffers / 1000))
        self.count = count // self.buffers
        extent = self.count * STRIDE + max(LENGTHS)
        module = Module()
        for k in range(self.buffers):
            module.buffers[f"b{k}"] = Buffer(f"b{k}", I8, extent)
        self.pool = [self.descriptors(f"b{k}") for k in range(self.buffers)]
        self.builder: Builder = add_function(module, "long", [("n", I64), ("p", I1)], None)
        self.near: list[Descriptor] = []

    def descriptors(self, buffer: str) -> list[Descriptor]:
        starts = sorted(self.random.randrange(self.count * STRIDE) for _ in range(self.count))
        return [Descriptor(buffer, start, start + self.random.choice(LENGTHS)) for start in starts]

    def function(self) -> Function:
        builder = self.builder
        builder.block("entry")
        self.written = 0
        while self.written < self.size:
            pool = self.random.choice(self.pool)
            start = self.random.randrange(len(pool))
            self.near = pool[start : start + 40]
            self.loop(self.random.randrange(1, 4))
        builder.return_()
        return builder.function

    def loop(self, depth: int) -> None:
        builder = self.builder
        body, after = builder.fresh_block("body"), builder.fresh_block("after")
        builder.jump(body)
        builder.block(body)
        for _ in range(self.random.randrange(1, 4)):
            self.statement()
        if depth > 1:
            self.loop(depth - 1)
            self.statement()
        again = builder.emit("opaque.i1")
        builder.branch(again, body, after)
        builder.block(after)

    def statement(self) -> None:
        """A few instructions, and sometimes a few more in one arm."""
        self.instructions()
        if self.random.random() < 0.3:
            builder = self.builder
            then, join = builder.fresh_block("then"), builder.fresh_block("join")
            builder.branch("p", then, join)
            builder.block(then)
            self.instructions()
            builder.jump(join)
            builder.block(join)

    def instructions(self) -> None:
        for _ in range(self.random.randrange(2, 8)):
            guard = Guard("p") if self.random.random() < self.mix.guarded else None
            length = _length(self.random.choice(self.near))
            alike = [one for one in self.near if _length(one) == length]
            target, a, b = (self.operand(alike) for _ in range(3))
            self.builder.emit("tensor.add.i8", target, a, b, guard=guard)
            self.written += 1

    def operand(self, alike: list[Descriptor]) -> Descriptor | AnyOf:
        random = self.random
        one = random.choice(alike)
        if random.random() < self.mix.inexact:
            return Descriptor(one.buffer, one.low, "n")
        if random.random() < self.mix.indirect:
            return AnyOf((one, random.choice(alike)))
        return one


def _length(descriptor: Descriptor) -> int:
    return descriptor.high - descriptor.low


@dataclass(frozen=True)
class Measured:
    """Of one analysis: processor seconds until its relations are there and until all dependences
    have been read as objects, MB that it adds to the process, rounds, descriptors and pairs."""

    instructions: int
    descriptors: int
    pairs: int
    rounds: int
    seconds: float
    seconds_read: float
    megabytes: float


def measure(function: Function, options: MemoryOptions) -> Measured:
    """Memory of a first run, in a process of its own, with the analyses that this one asks; the
    fastest of some runs, for which those are there already."""
    megabytes = _peak_megabytes(function, options)
    MemoryDependence(function, options)
    taken, read = [], []
    for _ in range(RUNS):
        begin = time.process_time()
        found = MemoryDependence(function, options)
        taken.append(time.process_time() - begin)
        sum(map(len, found.definitions.values()))
        read.append(time.process_time() - begin)
    return Measured(
        sum(i.operation.name.startswith("tensor.") for _, i in function.instructions()),
        len(found.memory.descriptors),
        len(found.stores),
        found.rounds,
        min(taken),
        min(read),
        megabytes,
    )


def _peak_megabytes(function: Function, options: MemoryOptions) -> float:
    def run(answer: Connection) -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        MemoryDependence(function, options)
        answer.send((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)

    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=run, args=(theirs,))
    process.start()
    found = ours.recv()
    process.join()
    return found


def growth(small: Measured, large: Measured) -> float:
    """The exponent e of seconds ~ instructions ** e."""
    return math.log(large.seconds / small.seconds) / math.log(
        large.instructions / small.instructions
    )


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--size", type=int, action="append", help="only programs of this size")
    given = parser.parse_args(words)
    asked_for = SIZES[:1] if given.shortest else given.size
    print(f"processor seconds: the fastest of {RUNS} runs; they grow as instructions ** growth")
    print(ROW.format(
        "program", "rules", "instr.", "descr.", "pairs", "rounds", "seconds", "read", "peak MB"
    ), " growth")  # fmt: skip
    for mix in MIXES:
        for options in OPTIONS:
            before = None
            for size in asked_for or SIZES:
                found = measure(program(size, mix), options)
                print(ROW.format(
                    mix.name,
                    options.rules + (" fast" if options.variant == "fast" else ""),
                    found.instructions,
                    found.descriptors,
                    found.pairs,
                    found.rounds,
                    f"{found.seconds:.3f}",
                    f"{found.seconds_read:.3f}",
                    f"{found.megabytes:.1f}",
                ), f"  {growth(before, found):.2f}" if before else "", flush=True)  # fmt: skip
                before = found


if __name__ == "__main__":
    main(sys.argv[1:])
