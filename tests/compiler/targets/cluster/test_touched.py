"""Which commands meet what comes later is what comparing each with each says."""

from __future__ import annotations

import random
from itertools import product

from compiler import read_functions
from compiler.analyses.memory.strides import intervals_are_apart
from compiler.ir.module import Descriptor, Function
from compiler.targets.cluster.touched import Touched, TouchedBy, touched
from machines.tensors.segments import span
from tests.compiler.targets.cluster.test_fewest_waits import CHIP

BOUNDS = (
    ("0:8", "4:12", "8:16", "40:48", "56:64", "p:q", "0:2, 4 by 8", "2:4, 4 by 8", "0:4, 2 by 16"),
    ("0:16", "8:24", "32:48", "40:56", "p:q", "p:64", "0:4, 4 by 8", "4:8, 4 by 8", "0:8, 2 by p",
     "0:4, 4 by 16", "2:6, 2 by 8, 2 by 32", "60:64, 4 by -8", "8:16, 2 by 16"),
    ("0:64", "p:q"),
)  # fmt: skip
"""Of one size each."""


def copies(stream: random.Random, count: int) -> Function:
    """Copies from and to anywhere in two arrays."""
    lines = []
    for _ in range(count):
        to, source = (stream.choice(stream.choice(BOUNDS[:2] * 3 + BOUNDS[2:])) for _ in "ab")
        while not any(to in some and source in some for some in BOUNDS):
            source = stream.choice(stream.choice(BOUNDS))
        a, b = stream.choice("xy"), stream.choice("xy")
        lines.append(f"tensor.copy.f32 {a}[{to}], {b}[{source}]")
    head = "x: f32[64] in dram\ny: f32[64] in dram\nfunc @main(p: i64, q: i64) {\nentry:\n"
    text = head + "\n".join(lines) + "\nreturn\n}\n"
    [found] = read_functions("p.sir", machine=CHIP, entry="main", source=text)
    return found


def meet(a: Touched, b: Touched) -> bool:
    one, other = a.interval, b.interval
    if one.buffer != other.buffer or not (a.stores or b.stores):
        return False
    if not (one.is_exact and other.is_exact):
        return True
    return _spans_meet(one, other) and not intervals_are_apart(one, other)


def _spans_meet(one: Descriptor, other: Descriptor) -> bool:
    if one.size <= 0 or other.size <= 0:
        return False
    low, high = span(one.low, one.high, one.steps)
    first, end = span(other.low, other.high, other.steps)
    return low < end and first < high


def test_commands_that_meet_what_comes_later_are_those_that_meet_one_of_it():
    met = some = 0
    for seed in range(300):
        stream = random.Random(f"touched {seed}")
        function = copies(stream, stream.randrange(1, 12))
        commands = [i for _, i in function.instructions() if i.operation.walk]
        buffers = {"x", "y"} if seed % 3 else {"x"}
        everything = [one for command in commands for one in touched(command, buffers)]
        for share in (0.1, 0.5):
            later = [one for one in everything if stream.random() < share]
            wanted = [
                command
                for command in commands
                if any(meet(a, b) for a, b in product(touched(command, buffers), later))
            ]
            assert TouchedBy(function, buffers).that_meet(later) == wanted
            met += len(wanted)
            some += 0 < len(wanted) < len(commands)
    assert met > 500 and some > 100
