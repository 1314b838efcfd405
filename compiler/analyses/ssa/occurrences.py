"""Every definition and every use of a function's variables as integers, in the order of the text.

    f(a):             occurrence 0 defines a
    BB1: p = a < 3               1 defines p, 2 uses a
         @p x = a + a            3 is a guard (p), 4 defines x, 5 and 6 use a
         branch p, BB2, BB3      7 uses p

What is read from here (renaming, chains, reaching definitions) goes through a function several
times; numbers and lists make that cheap.  The earlier value that a guarded definition is tied to
(`else x2`) is no occurrence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.ir.module import Function, Instruction
from machines.operations.row import Label, Operation, Symbol

NOTHING = -1
"""In place of an occurrence where there is none."""
DEFINITION, USE, GUARD = range(3)
KINDS = ("def", "use", "guard")
"""How each kind of occurrence is called in tables."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Variables, blocks and occurrences by number.

    variables     names, in the order of `Function.types`
    blocks        names, in layout order
    order         the blocks the entry reaches, in reverse post-order
    reached       for every block whether it is one of them
    successors, predecessors   of every block, reached ones only, in the order of `ControlFlow`
    parameters    how many there are: the first occurrences are their definitions
    variable      for every occurrence its variable; an instruction's guard comes first, then its
                  results, then its operands; the variables of a descriptor's bounds are operands
    kind          for every occurrence DEFINITION, USE or GUARD
    instruction   for every occurrence its instruction; None for a parameter
    first         the first occurrence of every block, and behind them the number of occurrences
    events        for every block its occurrences in the order they take place: o for a use, ~o for
                  a definition
    predicated    the definitions under a guard, which kill nothing
    is_ssa        whether the function is in SSA form: it has a phi or a tied value
    """

    variables: tuple[str, ...]
    blocks: tuple[str, ...]
    order: list[int]
    reached: list[bool]
    successors: list[list[int]]
    predecessors: list[list[int]]
    parameters: int
    variable: list[int]
    kind: list[int]
    instruction: list[Instruction | None]
    first: list[int]
    events: list[list[int]]
    predicated: frozenset[int]
    is_ssa: bool

    def of(self, block: int, instructions: Iterable[Instruction]) -> Iterator[range]:
        """The occurrences of each instruction of a block, of which `instructions` is the list."""
        end = self.first[block]
        for instruction in instructions:
            begin = end
            while end < self.first[block + 1] and self.instruction[end] is instruction:
                end += 1
            yield range(begin, end)


@cached_by_version
def occurrences(function: Function) -> Occurrences:
    """The occurrences of a well-formed function in variable or SSA form."""
    flow = control_flow(function)
    blocks = tuple(function.blocks)
    number = {name: index for index, name in enumerate(blocks)}
    order = [number[name] for name in flow.reverse_postorder]
    reached = [False] * len(blocks)
    for block in order:
        reached[block] = True

    def numbers(names: tuple[str, ...]) -> list[int]:
        return [index for index in map(number.__getitem__, names) if reached[index]]

    scan = _Scan(function)
    for block in function.blocks.values():
        scan.block(block.instructions)
    return Occurrences(
        variables=tuple(function.types),
        blocks=blocks,
        order=order,
        reached=reached,
        successors=[numbers(flow.successors[name]) for name in blocks],
        predecessors=[numbers(flow.predecessors[name]) for name in blocks],
        parameters=len(function.parameters),
        variable=scan.variable,
        kind=scan.kind,
        instruction=scan.instruction,
        first=[*scan.first, len(scan.variable)],
        events=scan.events,
        predicated=frozenset(scan.predicated),
        is_ssa=scan.is_ssa,
    )


class _Scan:
    """Collects the occurrences, block by block."""

    def __init__(self, function: Function):
        self.number = {name: index for index, name in enumerate(function.types)}
        self.variable = [self.number[name] for name, _ in function.parameters]
        self.kind = [DEFINITION] * len(self.variable)
        self.instruction: list[Instruction | None] = [None] * len(self.variable)
        self.first: list[int] = []
        self.events: list[list[int]] = []
        self.predicated: list[int] = []
        self.is_ssa = False
        self.positions: dict[int, tuple[int, ...] | None] = {}

    def block(self, instructions: list[Instruction]) -> None:
        number, variable, kind, owner = self.number, self.variable, self.kind, self.instruction
        events: list[int] = []
        self.first.append(len(variable))
        self.events.append(events)
        for instruction in instructions:
            defined = begin = len(variable)
            if instruction.guard is not None:
                variable.append(number[instruction.guard.name])
                kind.append(GUARD)
                events.append(begin)
                defined += 1
            for name in instruction.results:
                variable.append(number[name])
                kind.append(DEFINITION)
            used = len(variable)
            for value in self.values(instruction):
                if type(value) is str:
                    variable.append(number[value])
                elif type(value) is not int and type(value) is not float:
                    variable += [number[name] for name in value.variables]
            end = len(variable)
            kind += [USE] * (end - used)
            owner += [instruction] * (end - begin)
            events += range(used, end)
            events += range(~defined, ~used, -1)
            if instruction.otherwise:
                self.is_ssa = True
            elif defined > begin:
                self.predicated += range(defined, used)

    def values(self, instruction: Instruction) -> tuple:
        """`instruction.values`, faster: which operands are values is found once for every row."""
        row = instruction.operation
        if id(row) not in self.positions:
            self.positions[id(row)] = _value_positions(row)
        positions = self.positions[id(row)]
        if positions is None:
            self.is_ssa |= instruction.is_phi
            return instruction.values
        operands = instruction.operands
        return (
            operands if len(positions) == len(operands) else tuple(operands[k] for k in positions)
        )


def _value_positions(row: Operation) -> tuple[int, ...] | None:
    """The positions of a row's operands that are values; None where the instruction decides."""
    if "phi" in row.flags or row.control == "return" or row.calls:
        return None
    kinds = (operand.kind for operand in row.reads)
    return tuple(k for k, kind in enumerate(kinds) if not isinstance(kind, (Label, Symbol)))
