"""Which variables are one number, and which blocks are reached, each found with the other's help.

    entry: x1 = const.i32 4            x1 is 4
           p1 = eq.i32 x1, 4           p1 is 1
           branch p1, left, right      left is reached, right is not
    left:  jump join
    right: x2 = load.i32 q
           jump join
    join:  x3 = phi [left: x1, right: x2]      x3 is 4: nothing comes from right

Sparse conditional constants (Wegman, Zadeck, *Constant Propagation with Conditional Branches*,
1991) over the uses of SSA names.  A variable is unseen, then one number, then any: it never goes
back, so each is looked at again at most twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from compiler.analyses.cache import cached_by_version
from compiler.analyses.def_use import def_use
from compiler.analyses.values.algebra import identity, simplify
from compiler.ir.module import Function, Instruction, Value
from machines.operations.evaluate import evaluator, faults
from machines.operations.row import Operation, Symbol

Number = int | float


class State(Enum):
    """Of a variable that is not one number."""

    UNSEEN = "nothing that runs has defined it yet"
    ANY = "it may be several numbers, or nothing is known"


Known = Number | State


@dataclass(frozen=True, slots=True)
class Constants:
    """What is certain whatever the arguments, memory and opaque conditions are.

    values   the variables that are one number
    edges    (block, successor) pairs that control may take
    reached  blocks that control may reach
    """

    values: dict[str, Number]
    edges: frozenset[tuple[str, str]]
    reached: frozenset[str]

    def decides(self, condition: Value) -> bool | None:
        """The truth of a condition, None if it is not known."""
        value = self.values.get(condition) if isinstance(condition, str) else condition
        return None if value is None else bool(value)


@cached_by_version
def constants(function: Function) -> Constants:
    """The constants of a function in SSA form."""
    solver = _Solver(function)
    solver.solve()
    values = {n: known for n, known in solver.known.items() if not isinstance(known, State)}
    return Constants(values, frozenset(solver.edges), frozenset(solver.reached))


class _Solver:
    def __init__(self, function: Function):
        self.function = function
        self.uses = def_use(function).uses
        self.known: dict[str, Known] = {name: State.ANY for name, _ in function.parameters}
        self.edges: set[tuple[str, str]] = set()
        self.reached: set[str] = set()
        self.changed: list[str] = []
        self.taken: list[tuple[str | None, str]] = [(None, function.entry.name)]

    def solve(self) -> None:
        while self.taken or self.changed:
            if self.taken:
                self.take(*self.taken.pop())
            else:
                for block, instruction in self.uses[self.changed.pop()]:
                    if block in self.reached:
                        self.look_at(block, instruction)

    def take(self, source: str | None, target: str) -> None:
        """Control may go from one block to another, None if it is called."""
        if (source, target) in self.edges:
            return
        if source is not None:
            self.edges.add((source, target))
        is_new = target not in self.reached
        self.reached.add(target)
        for instruction in self.function.blocks[target].instructions:
            if is_new or instruction.is_phi:
                self.look_at(target, instruction)

    def look_at(self, block: str, instruction: Instruction) -> None:
        if instruction.operation.is_terminator:
            self.taken += [(block, target) for target in self.targets(instruction)]
            return
        for result in instruction.results:
            before = self.known.get(result, State.UNSEEN)
            now = self.result(block, instruction) if before is not State.ANY else before
            if not _same(before, now):
                self.known[result] = now
                self.changed.append(result)

    def targets(self, instruction: Instruction) -> tuple[str, ...]:
        """Where a terminator may go as far as its condition is known."""
        if instruction.operation.name != "branch":
            return instruction.labels
        condition, then, other = instruction.operands
        known = self.value(condition)
        if known is State.UNSEEN:
            return ()
        if known is State.ANY:
            return str(then), str(other)
        return (str(then if known else other),)

    def value(self, value: Value) -> Known:
        return self.known.get(value, State.UNSEEN) if isinstance(value, str) else value

    def result(self, block: str, instruction: Instruction) -> Known:
        """What an instruction gives, from what is known of what it reads."""
        if instruction.is_phi:
            pairs = zip(instruction.operands[::2], instruction.values, strict=True)
            return _join(self.value(v) for label, v in pairs if (label, block) in self.edges)
        if instruction.guard is None:
            return self.computed(instruction)
        condition, (previous,) = self.value(instruction.guard.name), instruction.otherwise
        if condition is State.UNSEEN:
            return condition
        if condition is State.ANY:
            return _join((self.computed(instruction), self.value(previous)))
        holds = bool(condition) != instruction.guard.negated
        return self.computed(instruction) if holds else self.value(previous)

    def computed(self, instruction: Instruction) -> Known:
        """What the operation gives where its guard holds; nothing is known of a fault's result."""
        row = instruction.operation
        if not has_meaning_alone(row):
            return State.ANY
        known = [self.value(v) for v in instruction.operands]
        if State.UNSEEN in known:
            return State.UNSEEN
        if State.ANY not in known:
            return State.ANY if faults(row)(*known) else evaluator(row)(*known)
        operands = [
            name if value is State.ANY else value
            for name, value in zip(instruction.operands, known, strict=True)
        ]
        always = simplify(row, operands)
        return State.ANY if always is None or isinstance(always, str) else always


def has_meaning_alone(row: Operation) -> bool:
    """Whether a row's result is a function of numbers: no memory, address, draw, phi or control."""
    return not (
        row.control
        or row.loads
        or row.stores
        or row.implicit_reads
        or row.is_convergent
        or "phi" in row.flags
        or any(isinstance(operand.kind, Symbol) for operand in row.reads)
    )


def _join(values) -> Known:
    joined: Known = State.UNSEEN
    for value in values:
        if joined is State.UNSEEN:
            joined = value
        elif value is not State.UNSEEN and not _same(joined, value):
            return State.ANY
    return joined


def _same(a: Known, b: Known) -> bool:
    return identity(a) == identity(b)
