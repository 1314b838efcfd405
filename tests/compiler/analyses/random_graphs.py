"""Random functions to analyse, not to run: any graph, any order of blocks.

Jumps go anywhere: irreducible loops, self loops, unreachable blocks and jumps to the entry all
occur.  A few variables, now and then tens, are assigned and used everywhere, often under a guard.
The same seed gives the same function in every process.
"""

from __future__ import annotations

from random import Random

from compiler.ir.builder import Builder, add_function
from compiler.ir.module import Function, Guard, Module
from machines.types import I1, I32, Type

NAMES = {I32: "xyz", I1: "pq"}
ENDS = ("", "1", ".", "a")


def random_graph(seed: int) -> Function:
    """The random function of this seed."""
    return _Graph(Random(seed)).builder.function


class _Graph:
    def __init__(self, random: Random):
        self.random = random
        self.pools = {type: self.names(type) for type in NAMES}
        parameters = [
            (name, type)
            for type, names in self.pools.items()
            for name in names
            if random.random() < 0.3
        ]
        result = random.choice((None, I32))
        self.builder: Builder = add_function(Module(), "graph", parameters, result)
        for type, names in self.pools.items():
            for name in names:
                self.builder.declare(name, type)
        blocks = [f"b{k}" for k in range(random.choice((1, 3, 6, 12)))]
        reach = random.choice((1, 2, len(blocks)))
        for place, name in enumerate(blocks):
            self.builder.block(name)
            for _ in range(random.randrange(5)):
                self.instruction()
            self.terminator(blocks[max(0, place - reach) : place + reach + 1])

    def names(self, type: Type) -> list[str]:
        """Few names or many; some end in a digit or a dot, which versions have to mind."""
        count = self.random.choice((1, 2, 3, 30))
        kinds = [stem + end for stem in NAMES[type] for end in ENDS]
        return [kinds[k % len(kinds)] + "b" * (k // len(kinds)) for k in range(count)]

    def instruction(self) -> None:
        random, emit = self.random, self.builder.emit
        guard = None
        if random.random() < 0.4:
            guard = Guard(random.choice(self.pools[I1]), random.random() < 0.5)
        if random.random() < 0.2:
            emit("opaque.i1", result=random.choice(self.pools[I1]), guard=guard)
            return
        values = [*self.pools[I32], random.randrange(10)]
        operands = random.choice(values), random.choice(values)
        emit("add.i32", *operands, result=random.choice(self.pools[I32]), guard=guard)

    def terminator(self, near: list[str]) -> None:
        random, builder = self.random, self.builder
        targets = random.choice(near), random.choice(near)
        kind = random.choices(("jump", "branch", "opaque", "return"), (3, 3, 3, 1))[0]
        if kind == "jump":
            builder.jump(targets[0])
        elif kind == "branch":
            builder.branch(random.choice(self.pools[I1]), *targets)
        elif kind == "opaque":
            builder.emit("branch.opaque", *targets)
        else:
            value = () if builder.function.result is None else (random.choice(self.pools[I32]),)
            builder.return_(*value)
