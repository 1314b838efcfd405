"""Loops and liveness of machine code, whose control flow is told in `code_flow`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import or_

from compiler.analyses.cache import cached_by_version
from compiler.analyses.code_flow import leads_away, successors, targets
from compiler.analyses.loops import Loops, find_loops
from compiler.ir.module import Function, Instruction
from compiler.targets.epic.registers import keeps_old_value, reads, writes


@cached_by_version
def machine_loops(function: Function) -> Loops:
    return find_loops(function.entry.name, successors(function))


@dataclass(frozen=True, slots=True)
class MachineLiveness:
    """Registers live at both ends of every block, as bit sets over `numbers`.

    live_out  those that are live on any way out of the block, in its middle or at its end
    at_end    those that are live where control runs on into the next block of the layout
    """

    numbers: dict[str, int]
    live_in: dict[str, int]
    live_out: dict[str, int]
    at_end: dict[str, int]

    def before(self, live: int, instruction: Instruction) -> int:
        """Registers live before an instruction, from those live after it where control runs on."""
        return _piece([instruction], self.numbers).before(live, self.live_in)

    def names(self, mask: int) -> list[str]:
        """The registers of a bit set, in order of first appearance in the function."""
        return [name for name, number in self.numbers.items() if mask >> number & 1]


@cached_by_version
def machine_liveness(function: Function) -> MachineLiveness:
    """Liveness of registers, virtual or real; constant registers are left out."""
    numbers: dict[str, int] = {}
    for _, instruction in function.instructions():
        for name, _ in (*writes(instruction), *reads(instruction)):
            numbers.setdefault(name, len(numbers))
    pieces = {name: _pieces(b.instructions, numbers) for name, b in function.blocks.items()}
    following = dict(pairwise(function.blocks))
    live_in = dict.fromkeys(function.blocks, 0)
    changed = True
    while changed:
        changed = False
        for name in reversed(function.blocks):
            live = live_in[following[name]] if name in following else 0
            for piece in reversed(pieces[name]):
                live = piece.before(live, live_in)
            changed |= live != live_in[name]
            live_in[name] = live
    live_out = {
        name: reduce(or_, (live_in[target] for target in found), 0)
        for name, found in successors(function).items()
    }
    at_end = {name: live_in[following[name]] if name in following else 0 for name in live_in}
    return MachineLiveness(numbers, live_in, live_out, at_end)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Instructions that control leaves at their end only: registers read before they are
    overwritten, registers overwritten, where a branch at the end goes, and whether it always does.
    """

    exposed: int
    killed: int
    targets: tuple[str, ...] = ()
    leads_away: bool = False

    def before(self, live: int, live_in: dict[str, int]) -> int:
        if self.leads_away:
            live = 0
        for target in self.targets:
            live |= live_in[target]
        return self.exposed | (live & ~self.killed)


def _pieces(code: list[Instruction], numbers: dict[str, int]) -> list[_Piece]:
    """A block cut behind each of its branches."""
    found, start = [], 0
    for end, instruction in enumerate(code, start=1):
        if targets(instruction) or leads_away(instruction) or end == len(code):
            found.append(_piece(code[start:end], numbers))
            start = end
    return found


def _piece(code: list[Instruction], numbers: dict[str, int]) -> _Piece:
    last = code[-1]
    return _Piece(*_summary(code, numbers), targets(last), leads_away(last))


def _summary(instructions: Iterable[Instruction], numbers: dict[str, int]) -> tuple[int, int]:
    """Bit sets of registers read before they are overwritten, and of registers overwritten."""
    exposed = killed = 0
    for instruction in instructions:
        for name, _ in reads(instruction):
            exposed |= (1 << numbers[name]) & ~killed
        if not keeps_old_value(instruction):
            for name, _ in writes(instruction):
                killed |= 1 << numbers[name]
    return exposed, killed
