"""Which variables of an isolated function must not share a name.

    x2 = phi [A: x1, B: x3]       x2 and x3 must not: x2 is read after x3 is written
    x3 = add x2, 1
    y = copy x2                   x2 and y may, though both are read below: they hold one value
    z = mul x2, y

Writing a variable disturbs those that are live after it, unless they hold the value that is
written: a variable holds the value of what it is a copy of, or its literal (Boissinot, Darte,
Rastello, Dupont de Dinechin, Guillon, *Revisiting Out-of-SSA Translation for Correctness, Code
Quality, and Efficiency*, 2009).  In SSA form two variables of one value that are live at the same
place hold it from the same run of its definition, as definitions dominate uses.  Only variables
that a copy relates to another are looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from compiler.analyses.control_flow import control_flow
from compiler.analyses.liveness import liveness
from compiler.analyses.ssa.isolation import Copy, Isolation, own_reads
from compiler.ir.module import Function, Instruction, Value

COPYING = ("copy", "const")
"""The rows whose result is their operand."""


@dataclass(frozen=True, slots=True)
class Interference:
    """Sets of variables are bit sets over `numbers`.

    numbers    those that are live between blocks, in the order of their liveness, and the others
               that a copy relates to another
    disturbs   for each that is related those that some write of it would disturb
    """

    numbers: dict[str, int]
    disturbs: list[int]


def is_copy(instruction: Instruction) -> bool:
    """Whether it does nothing but copy a variable or a literal."""
    return instruction.guard is None and instruction.operation.name.split(".")[0] in COPYING


def relations(function: Function, isolated: Isolation) -> list[Copy]:
    """The copies of variables: those of the isolation, and then those that are there anyway."""
    there = (
        Copy(block.name, i.results[0], i.operands[0], i)
        for block, i in function.instructions()
        if is_copy(i)
    )
    return [copy for copy in (*isolated.copies(), *there) if isinstance(copy.source, str)]


def interference(function: Function, isolated: Isolation, related: Iterable[Copy]) -> Interference:
    """The interference of the variables in `related`."""
    names = dict.fromkeys(name for copy in related for name in (copy.result, copy.source))
    walk = _Walk(function, isolated, names)
    for block in function.blocks:
        walk.block(block)
    return Interference(walk.numbers, walk.disturbs)


class _Walk:
    """Goes through blocks backwards with the set of live variables."""

    def __init__(self, function: Function, isolated: Isolation, related: Collection[str]):
        self.function, self.isolated, self.related = function, isolated, related
        self.live_in = liveness(function).live_in
        self.numbers = dict(self.live_in.numbers)
        for name in related:
            self.numbers.setdefault(name, len(self.numbers))
        self.disturbs = [0] * len(self.numbers)
        self.held = _held_values(function)
        self.holders: dict[Hashable, int] = {}
        for name in related:
            value = self.value(name)
            self.holders[value] = self.holders.get(value, 0) | 1 << self.numbers[name]

    def mask(self, names: Iterable[str]) -> int:
        found = 0
        for name in names:
            number = self.numbers.get(name)
            if number is not None:
                found |= 1 << number
        return found

    def value(self, operand: Value) -> Hashable:
        """What stands for the value of a variable or literal; literals differ as they print."""
        return self.held.get(operand, operand) if isinstance(operand, str) else (repr(operand),)

    def block(self, name: str) -> None:
        *body, terminator = self.function.blocks[name].instructions
        live = self.mask(terminator.variables_read)
        for target in self.function.blocks[name].successors:
            live |= self.live_in.mask(target)
            live |= self.mask(str(copy.source) for copy in self.isolated.at_head.get(target, ()))
        live = self.copy(self.isolated.at_end.get(name, ()), live)
        for instruction in reversed(body):
            if not instruction.is_phi:
                live = self.instruction(instruction, live)
        live = self.copy(self.isolated.at_head.get(name, ()), live)
        if name == self.function.entry.name:
            self.write({parameter: parameter for parameter, _ in self.function.parameters}, live)

    def instruction(self, instruction: Instruction, live: int) -> int:
        """What is live before it, from what is live after it."""
        self.write({name: self.value(name) for name in instruction.results}, live)
        if instruction.otherwise:
            live |= self.mask(own_reads(instruction))
            return self.copy(self.isolated.before[instruction], live)
        live &= ~self.mask(instruction.results)
        return live | self.mask(instruction.variables_read)

    def copy(self, group: Sequence[Copy], live: int) -> int:
        """What is live before parallel copies, from what is live after them."""
        self.write({copy.result: self.value(copy.source) for copy in group}, live)
        live &= ~self.mask(copy.result for copy in group)
        return live | self.mask(copy.source for copy in group if isinstance(copy.source, str))

    def write(self, values: Mapping[str, Hashable], live: int) -> None:
        """Variables get these values together, and disturb what is live then, unless it holds the
        same.
        """
        alike: dict[Hashable, int] = {}
        for name, value in values.items():
            alike[value] = alike.get(value, self.holders.get(value, 0)) | self.mask((name,))
        for name, value in values.items():
            if name in self.related:
                self.disturbs[self.numbers[name]] |= live & ~alike[value]


def _held_values(function: Function) -> dict[str, Hashable]:
    """For every variable that is a copy: the variable whose value it holds, or its literal."""
    held: dict[str, Hashable] = {}
    for name in control_flow(function).reverse_postorder:
        for instruction in function.blocks[name].instructions:
            if is_copy(instruction):
                source = instruction.operands[0]
                known = held.get(source, source) if isinstance(source, str) else (repr(source),)
                held[instruction.results[0]] = known
    return held
