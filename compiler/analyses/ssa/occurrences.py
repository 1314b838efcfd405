"""Every definition and every use of a function's variables as integers, in the order of the text.

    f(a):             occurrence 0 defines a
    BB1: p = a < 3               1 defines p, 2 uses a, 3 is a literal
         @p x = a + a            4 is a guard (p), 5 defines x, 6 and 7 use a
         branch p, BB2, BB3      8 uses p

What is read from here (renaming, chains, reaching definitions) are kernels over these numbers
(`compiler.analyses.jitted`).  To read a function takes longer than to rename it; so every step here
goes through all instructions inside Python's own functions.  The earlier value that a guarded
definition is tied to (`else x2`) is no occurrence.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from operator import attrgetter

from compiler.analyses.cache import cached_by_version
from compiler.analyses.graphs import NOTHING
from compiler.ir.module import Function, Instruction, Interval, Value

DEFINITION, USE, GUARD = range(3)
KINDS = ("def", "use", "guard")
"""How each kind of occurrence is called in tables."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Variables, blocks, instructions and occurrences by number.

    variables     names, in the order of `Function.types`
    blocks        names, in layout order
    start, targets   rows: where each block may go to, as its terminator names them
    instructions  all of them, in layout order
    first         the first instruction of every block, and behind them how many there are
    parameters    how many there are: the first occurrences are their definitions
    variable      for every occurrence its variable, NOTHING for a literal; the variables of a
                  descriptor's bounds are operands
    bounds        three for every instruction: where its guard is, its results and its operands;
                  behind them the number of occurrences
    is_ssa        whether the function is in SSA form: it has a phi or a tied value
    """

    variables: tuple[str, ...]
    blocks: tuple[str, ...]
    start: list[int]
    targets: list[int]
    instructions: list[Instruction]
    first: list[int]
    parameters: int
    variable: list[int]
    bounds: list[int]
    is_ssa: bool

    @property
    def arguments(self) -> tuple[int | list[int], ...]:
        """Those of the kernels that read a function."""
        return (
            self.parameters,
            len(self.variables),
            self.first,
            self.bounds,
            self.variable,
            self.start,
            self.targets,
        )

    def instruction(self, occurrence: int) -> Instruction:
        """The one that an occurrence stands in; it is no parameter."""
        return self.instructions[(bisect_right(self.bounds, occurrence) - 1) // 3]

    def definitions(self, instruction: int) -> range:
        """The occurrences that are the results of an instruction."""
        return range(self.bounds[3 * instruction + 1], self.bounds[3 * instruction + 2])

    def of(self, instruction: int) -> Iterator[tuple[int, int]]:
        """The occurrences of an instruction, literals left out, each with its kind."""
        guard, results, operands, end = self.bounds[3 * instruction : 3 * instruction + 4]
        for occurrence in range(guard, end):
            if self.variable[occurrence] != NOTHING:
                is_operand = occurrence >= operands
                kind = USE if is_operand else DEFINITION if occurrence >= results else GUARD
                yield occurrence, kind


@cached_by_version
def occurrences(function: Function) -> Occurrences:
    """The occurrences of a well-formed function in variable or SSA form."""
    bodies = [block.instructions for block in function.blocks.values()]
    instructions = list(chain.from_iterable(bodies))
    first = [0, *accumulate(map(len, bodies))]
    operands = list(map(attrgetter("operands"), instructions))
    has_phi = False
    for k, is_plain in enumerate(map(attrgetter("operation.has_plain_operands"), instructions)):
        if not is_plain:
            operands[k] = _values(instructions[k])
            has_phi = has_phi or instructions[k].is_phi
    targets = []
    for behind in first[1:]:
        labels = len(instructions[behind - 1].operation.label_positions)
        values = operands[behind - 1]
        targets.append(values[len(values) - labels :])
        operands[behind - 1] = values[: len(values) - labels]
    guards = (() if g is None else (g.name,) for g in map(attrgetter("guard"), instructions))
    results = map(attrgetter("results"), instructions)
    parts = list(chain.from_iterable(zip(guards, results, operands, strict=True)))
    numbers = {name: number for number, name in enumerate(function.types)}
    blocks = {name: number for number, name in enumerate(function.blocks)}
    parameters = [numbers[name] for name, _ in function.parameters]
    variable = map(numbers.get, chain.from_iterable(parts), repeat(NOTHING))
    return Occurrences(
        variables=tuple(function.types),
        blocks=tuple(function.blocks),
        start=[0, *accumulate(map(len, targets))],
        targets=list(map(blocks.__getitem__, chain.from_iterable(targets))),
        instructions=instructions,
        first=first,
        parameters=len(parameters),
        variable=[*parameters, *variable],
        bounds=list(accumulate(map(len, parts), initial=len(parameters))),
        is_ssa=has_phi or any(map(attrgetter("otherwise"), instructions)),
    )


def _values(instruction: Instruction) -> list[Value]:
    """The values that it reads, variables of bounds in place of memory."""
    found: list[Value] = []
    for value in instruction.values:
        found += value.variables if isinstance(value, Interval) else (value,)
    return found
