"""The copies with which a function in SSA form may be read as one without phis and ties.

    A: …                                 A: …
       branch p, B, C                       (x*, y*) = (a, 1)
    B: x = phi [A: a, …]                    branch p, B, C
       y = phi [A: 1, …]            ->   B: (x, y) = (x*, y*)
       @q s, t = op u else v, w             (s, t) = (v, w)
                                            @q s, t = op u

On the way between two blocks the value of a phi has a variable of its own, so that it matters
neither where else a predecessor goes nor what else its operand is needed for (method I of Sreedhar,
Ju, Gillies, Santhanam, *Translating Out of Static Single Assignment Form*, 1999).  The copies of
one place are done in parallel.  Nothing is changed here; most copies vanish again when both their
sides get one name (`compiler.analyses.ssa.interference`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from compiler.ir.module import Function, Instruction, Value


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy in a block, and the phi, the tied instruction or the copy that it is for."""

    block: str
    result: str
    source: Value
    cause: Instruction


@dataclass(frozen=True, slots=True)
class Isolation:
    """Parallel copies by their point; a point without copies is no key.

    at_head   at the head of a block
    at_end    at the end of a block, before its terminator
    before    before an instruction
    """

    at_head: dict[str, list[Copy]]
    at_end: dict[str, list[Copy]]
    before: dict[Instruction, list[Copy]]

    def copies(self) -> Iterator[Copy]:
        """All of them; those at heads, which save a copy on every way, come first."""
        for groups in (self.at_head, self.before, self.at_end):
            yield from chain.from_iterable(groups.values())


def on_the_way(phi: Instruction) -> str:
    """The variable that brings a phi its value; no program can have a variable of this name."""
    return f"{phi.results[0]}*"


def own_reads(instruction: Instruction) -> tuple[str, ...]:
    """The variables that it reads itself, its ties left out."""
    return replace(instruction, otherwise=()).variables_read


def isolation(function: Function) -> Isolation:
    """The copies for all phis and ties of a function in SSA form."""
    found = Isolation({}, {}, {})
    for block, instruction in function.instructions():
        if instruction.is_phi:
            way, (result,) = on_the_way(instruction), instruction.results
            arrival = Copy(block.name, result, way, instruction)
            found.at_head.setdefault(block.name, []).append(arrival)
            pairs = zip(instruction.operands[::2], instruction.operands[1::2], strict=True)
            for label, value in pairs:
                departure = Copy(str(label), way, value, instruction)
                found.at_end.setdefault(str(label), []).append(departure)
        elif instruction.otherwise:
            tied = zip(instruction.results, instruction.otherwise, strict=True)
            found.before[instruction] = [
                Copy(block.name, result, value, instruction) for result, value in tied
            ]
    return found
