"""Which comparisons certainly hold on the way into a loop.

    A: c = lt_s.i64 0, n          on B -> loop holds 0 < n
       branch c, B, done
    B: jump loop

Branches that dominate the way and of which it takes one side only; the comparisons are those of
integers of the type, signed or not.  For functions in SSA form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compiler.analyses.control_flow import control_flow
from compiler.analyses.def_use import def_use
from compiler.analyses.dominators import dominators
from compiler.analyses.loops import Edge
from compiler.analyses.values.trip_counts import FLIPPED, NEGATED
from compiler.ir.module import Function, Instruction, Value
from machines.types import Type


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left relation right` of two numbers of a type; `relation` is lt, le, gt, ge, eq or ne."""

    relation: str
    left: Value
    right: Value
    type: Type
    signed: bool

    @property
    def flipped(self) -> Comparison:
        """The same with the sides exchanged."""
        relation = FLIPPED[self.relation]
        return Comparison(relation, self.right, self.left, self.type, self.signed)

    @property
    def negated(self) -> Comparison:
        relation = NEGATED[self.relation]
        return Comparison(relation, self.left, self.right, self.type, self.signed)


def comparison(function: Function, condition: Value) -> Comparison | None:
    """The comparison of integers or pointers that a condition is, None if it is something else."""
    _, made = def_use(function).definition.get(condition, (None, None))
    if made is None or made.guard is not None:
        return None
    relation, _, sign = made.operation.name.split(".")[0].partition("_")
    kind = made.operation.reads[0].kind if made.operation.reads else None
    if relation not in FLIPPED or not isinstance(kind, Type) or kind.is_float or kind.bits == 1:
        return None
    return Comparison(relation, *made.operands, kind, sign != "u")


def known_on(function: Function, edge: Edge) -> Iterator[tuple[str, Comparison]]:
    """What holds whenever control takes an edge, and the block at whose end it was found out."""
    predecessors, above = control_flow(function).predecessors, dominators(function).parent
    block, following = edge
    while True:
        held = _decided_by(function, function.blocks[block].terminator, following)
        if held is not None:
            yield block, held
        while block in above and predecessors[block] != (above[block],):
            block = above[block]
        if block not in above:
            return
        block, following = above[block], block


def _decided_by(function: Function, last: Instruction, following: str) -> Comparison | None:
    """What a branch that goes to `following` says."""
    if last.operation.name != "branch" or last.operands[1] == last.operands[2]:
        return None
    found = comparison(function, last.operands[0])
    if found is None or last.operands[1] == following:
        return found
    return found.negated
