"""Which register a name means: the register stack and rotation, for the machine interpreter.

    sol = 5; br.call      r37 of the caller is r32 of the callee
    br.ctop               what was r32 is r33, what was r39 (if eight rotate) is r32

A name's register is an index in the list of its file.  The stacked registers of all frames lie one
behind the other in the general one, so nothing is ever saved or restored here.  Of the register
stack engine there is that a frame which needs too much memory faults, and what a new register of a
frame holds until it is written: what its physical register held, which is that of the stacked
register `registers` before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from machines.instructions.ia64_frame import ILLEGAL_FRAME, STACK_EMPTY, STACK_FULL, Frame
from machines.instructions.ia64_operands import GR
from machines.kinds.epic.fields import Epic
from machines.operations.row import Operation

REGISTER_BYTES = 8
FILES = {"gr": "general", "fr": "floating", "pr": "predicate"}


class FrameFault(Exception):
    """The register stack cannot do it; `kind` is one of `machines.instructions.ia64_frame`."""

    def __init__(self, kind: str):
        super().__init__(kind)
        self.kind = kind


class RegisterNames:
    """The registers of all names, and the frame they follow from.

    gr fr pr  register by number, lists that are changed and never replaced
    bottom    stacked registers of the frames below the current one
    oldest    the first stacked register that is in a physical one; those before it are saved
    """

    def __init__(self, machine: Epic):
        files = machine.registers
        self.gr, self.fr, self.pr = (list(range(files[name].count)) for name in FILES.values())
        self.rotating = {kind: files[name].rotating or (0, -1) for kind, name in FILES.items()}
        self.most = machine.largest_frame
        stack = machine.register_stack
        self.physical = stack.registers
        self.room = stack.registers + stack.backing_store // REGISTER_BYTES
        self.bottom = self.oldest = 0
        self.frame = Frame(self.most, 0, 0)

    @property
    def last_predicate(self) -> int:
        """The rotating predicate that a loop branch writes before it rotates."""
        return self.rotating["pr"][1]

    def enter(self, marker: int, move: int = 0) -> range:
        """Make `marker` the frame, after a call (move 1), a return (-1) or in place (0).

        Returns the indices of the stacked registers that take over physical ones.
        """
        frame = Frame.of(marker)
        bottom = self.bottom
        if move:
            bottom += self.frame.locals if move > 0 else -frame.locals
        if not frame.is_legal(self.most):
            raise FrameFault(ILLEGAL_FRAME)
        if bottom < 0:
            raise FrameFault(STACK_EMPTY)
        if bottom + frame.size > self.room:
            raise FrameFault(STACK_FULL)
        self.bottom, self.frame = bottom, frame
        self._turned(frame.general, frame.floating, frame.predicate)
        self._name("fr", frame.floating)
        self._name("pr", frame.predicate)
        first, last = self.rotating["gr"]
        register = first + bottom
        self.gr[first : last + 1] = range(register, register + last + 1 - first)
        self._turn(self.gr, first, frame.rotating, frame.general)
        oldest = min(self.oldest, bottom)
        self.oldest = max(oldest, bottom + frame.size - self.physical)
        return range(first + oldest + self.physical, first + self.oldest + self.physical)

    def needed(self, row: Operation, values: Sequence[int]) -> int:
        """Stacked registers that a frame must have for a row's operands."""
        first, last = self.rotating["gr"]
        return max(
            (
                value + 1 - first
                for operand, value in zip(row.operands, values, strict=False)
                if operand.kind is GR and first <= value <= last
            ),
            default=0,
        )

    def rotate(self) -> None:
        """Turn every rotating register by one: what was in r32 is in r33."""
        frame = self.frame
        self._turned(frame.general - 1, frame.floating - 1, frame.predicate - 1)
        for kind, count in self._counts().items():
            self._turn(getattr(self, kind), self.rotating[kind][0], count, -1)

    def _turned(self, *rotated: int) -> None:
        """Note how far the files have rotated, each round its ring."""
        names = ("general", "floating", "predicate")
        counts = self._counts().values()
        self.frame = self.frame._replace(
            **{name: by % max(1, n) for name, by, n in zip(names, rotated, counts, strict=True)}
        )

    def _counts(self) -> dict[str, int]:
        """Registers that rotate now, by file."""
        counts = {kind: last - first + 1 for kind, (first, last) in self.rotating.items()}
        return {**counts, "gr": self.frame.rotating}

    def _name(self, kind: str, rotated: int) -> None:
        """Name the rotating registers of a file that has rotated so far."""
        first, last = self.rotating[kind]
        names = getattr(self, kind)
        names[first : last + 1] = range(first, last + 1)
        self._turn(names, first, last + 1 - first, rotated)

    @staticmethod
    def _turn(names: list[int], first: int, count: int, by: int) -> None:
        """Let each of `count` names mean what the one `by` after it means, in a ring."""
        if count:
            by %= count
            ring = names[first : first + count]
            names[first : first + count] = ring[by:] + ring[:by]
