"""Liveness of registers in machine code, whose control flow `code_flow` tells.

A block is cut after each of its branches; the pieces are what the backward fixpoint over bit sets
passes through.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import pairwise
from operator import or_

from compiler.analyses.cache import cached_by_version
from compiler.analyses.code_flow import leads_away, predecessors, successors, targets
from compiler.analyses.layout_graph import bits_of, members
from compiler.ir.module import Function, Instruction
from compiler.machine_code.operands import Operands


@dataclass(frozen=True, slots=True)
class MachineLiveness:
    """Registers live at both ends of every block, as bit sets over `numbers`.

    numbers   the registers that some block reads before it writes them, in order of first
              appearance in the function: no others are live at an end; registers: by number
    live_out  those that are live on any way out of the block, in its middle or at its end
    at_end    those that are live where control runs on into the next block of the layout
    operands  how the code is read
    """

    numbers: dict[str, int]
    registers: tuple[str, ...]
    live_in: dict[str, int]
    live_out: dict[str, int]
    at_end: dict[str, int]
    operands: Operands

    def names(self, mask: int) -> list[str]:
        """The registers of a bit set, in order of first appearance in the function."""
        return [self.registers[number] for number in members(mask)]

    def among(self, mask: int, names: Iterable[str]) -> set[str]:
        """Those of some registers that are in a bit set, be it as large as it may."""
        numbers = self.numbers
        asked = bits_of(numbers[name] for name in names if name in numbers)
        return set(self.names(mask & asked))

    def step_back(self, live: set[str], instruction: Instruction, names: Collection[str]) -> None:
        """Change which of some registers are live after an instruction, where control runs on, into
        which are before it."""
        if instruction.operation.control:
            if leads_away(instruction):
                live.clear()
            for label in targets(instruction):
                live |= self.among(self.live_in[label], names)
        if not self.operands.keeps_old_value(instruction):
            live.difference_update(self.operands.written(instruction))
        live.update(self.operands.read(instruction))


def liveness_of(operands: Operands) -> Callable[[Function], MachineLiveness]:
    """The analysis of a target: liveness of all registers that its instructions read and write,
    computed once for each version of a function."""
    return cached_by_version(partial(_liveness, operands))


def _liveness(operands: Operands, function: Function) -> MachineLiveness:
    """Blocks are visited from the end of the layout, again only after what follows has changed."""
    appearing: dict[str, None] = {}
    exposed: set[str] = set()
    cut = {
        name: _pieces(operands, block.instructions, appearing, exposed)
        for name, block in function.blocks.items()
    }
    appeared = (name for name in appearing if name in exposed)
    numbers = {name: number for number, name in enumerate(appeared)}
    pieces = {name: [piece.masked(numbers) for piece in found] for name, found in cut.items()}
    before = predecessors(function)
    following = dict(pairwise(function.blocks))
    live_in = dict.fromkeys(function.blocks, 0)
    order = list(reversed(function.blocks))
    waiting = set(order)
    while waiting:
        for name in order:
            if name not in waiting:
                continue
            waiting.remove(name)
            live = live_in[following[name]] if name in following else 0
            for piece in reversed(pieces[name]):
                live = piece.before(live, live_in)
            if live != live_in[name]:
                live_in[name] = live
                waiting.update(before[name])
    live_out = {
        name: reduce(or_, (live_in[target] for target in found), 0)
        for name, found in successors(function).items()
    }
    at_end = {name: live_in[following[name]] if name in following else 0 for name in live_in}
    return MachineLiveness(numbers, tuple(numbers), live_in, live_out, at_end, operands)


@dataclass(frozen=True, slots=True)
class _MaskedPiece:
    """A piece over the bit sets of a liveness."""

    exposed: int
    kept: int
    targets: tuple[str, ...]
    leads_away: bool

    def before(self, live: int, live_in: dict[str, int]) -> int:
        if self.leads_away:
            live = 0
        for target in self.targets:
            live |= live_in[target]
        return self.exposed | (live & self.kept)


@dataclass(slots=True)
class _Piece:
    """Instructions that control leaves at their end only: registers read before they are
    overwritten, registers overwritten, where a branch at the end goes, and whether it always does.
    """

    exposed: dict[str, None] = field(default_factory=dict)
    killed: dict[str, None] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    leads_away: bool = False

    def masked(self, numbers: dict[str, int]) -> _MaskedPiece:
        exposed, killed = (
            bits_of(numbers[name] for name in names if name in numbers)
            for names in (self.exposed, self.killed)
        )
        return _MaskedPiece(exposed, ~killed, self.targets, self.leads_away)


def _pieces(
    operands: Operands, code: list[Instruction], appearing: dict[str, None], exposed: set[str]
) -> list[_Piece]:
    """A block cut after each of its branches; notes all registers in order, and those that it
    reads before it overwrites them."""
    found, piece, overwritten = [], _Piece(), set()
    for instruction in code:
        written, read = operands.written(instruction), operands.read(instruction)
        for name in written:
            appearing[name] = None
        for name in read:
            appearing[name] = None
            if name not in piece.killed:
                piece.exposed[name] = None
                if name not in overwritten:
                    exposed.add(name)
        if not operands.keeps_old_value(instruction):
            for name in written:
                piece.killed[name] = None
        if instruction.operation.control:
            piece.targets, piece.leads_away = targets(instruction), leads_away(instruction)
            if piece.targets or piece.leads_away:
                overwritten.update(piece.killed)
                found.append(piece)
                piece = _Piece()
    if not found or found[-1] is not piece:
        found.append(piece)
    return found
