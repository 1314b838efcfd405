"""What of a program concerns renaming: which of its registers calls and rotation may rename.

    a program without calls and rotation      every name means one register; nothing is looked up
    br.ctop, or a call, somewhere             syllables that name f32 …, p16 …, r32 … look them up

Such registers may come to stand for each other, so what is said of one is said of all of its file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from machines.diagnostics import input_error
from machines.instructions.ia64_frame import Frame
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import FIRST_OPERAND, BundleProgram
from sim.cores.epic import state as at
from sim.cores.epic.row_plans import FILES, RENAMED, RowPlan

BYTES = 8


class Region(NamedTuple):
    """The registers of a file that may be renamed: numbers from `first`, `count` of them."""

    start: int
    first: int
    count: int

    def has(self, number: int) -> bool:
        return self.first <= number < self.first + self.count


class Renaming:
    """The registers of a program that may be renamed, and the tables the core looks them up in."""

    def __init__(
        self,
        program: BundleProgram,
        machine: Epic,
        rows: Sequence[Sequence[int]],
        plans: Sequence[RowPlan | None],
    ):
        """`plans`: of each row of `rows`; None has no registers."""
        self.program, self.machine = program, machine
        self.regions = {kind: _region(machine, kind) for kind in RENAMED}
        self.syllables = [
            (syllable, plan, row)
            for syllable, (plan, row) in enumerate(zip(plans, rows, strict=True))
            if plan is not None
        ]
        self._stretches = self._stretches_named()
        self.renames = self._renames()

    @property
    def last_predicate(self) -> int:
        """The register that a loop branch writes before it rotates."""
        region = self.regions["pr"]
        return region.start + region.first + region.count - 1 if region.count else at.LAST_PREDICATE

    def _stretches_named(self) -> dict[str, int]:
        """How many registers of each region, counted from its first, the program names."""
        highest = {kind: region.first - 1 for kind, region in self.regions.items()}
        for _, plan, row in self.syllables:
            for kind, column in plan.renamed:
                if row[column] > highest[kind] and self.regions[kind].has(row[column]):
                    highest[kind] = row[column]
        return {kind: highest[kind] + 1 - region.first for kind, region in self.regions.items()}

    def _renames(self) -> bool:
        """Whether a name can come to mean another register, or none."""
        frames = [
            self._allocated(syllable, plan, row)
            for syllable, plan, row in self.syllables
            if plan.makes_frame and plan.row.writes
        ]
        smallest = min(frames, default=self.machine.largest_frame)
        return (
            any(
                "rotates" in plan.row.flags
                or "ar.pfs" in plan.row.implicit_writes  # calls, and what tells returns their frame
                for _, plan, _ in self.syllables
            )
            or self._stretches["gr"] > smallest
        )

    def _allocated(self, syllable: int, plan: RowPlan, row: list[int]) -> int:
        """The size of the frame that `alloc` makes; its result must be in it."""
        names = [operand.name for operand in plan.row.operands]
        values = dict(zip(names, row[FIRST_OPERAND:], strict=False))
        size = values["inputs"] + values["locals"] + values["outputs"]
        if self._needed(plan, row) > size:
            locations = self.program.locations
            raise input_error(
                f"alloc makes a frame of {size} registers, of which its result is none",
                locations[syllable] if locations else None,
                hint="put the result in a register of the frame, or below r32",
            )
        return size

    def _needed(self, plan: RowPlan, row: Sequence[int]) -> int:
        region = self.regions["gr"]
        needed = 0
        for kind, column in plan.renamed:
            if kind == "gr" and region.has(row[column]):
                needed = max(needed, row[column] + 1 - region.first)
        return needed

    def needed(self, plan: RowPlan, row: list[int]) -> int:
        """Stacked registers that a frame must have for a syllable; 0 if that is not looked at."""
        return self._needed(plan, row) if self.renames and not plan.makes_frame else 0

    def concerns(self, plan: RowPlan, row: list[int]) -> bool:
        """Whether a syllable names a register that may be renamed."""
        return self.renames and any(
            self.regions[kind].has(row[column]) for kind, column in plan.renamed
        )

    @cached_property
    def representative(self) -> list[int]:
        """By register: one for all that may be renamed to each other; others stand for
        themselves."""
        found = list(range(at.REGISTERS))
        if self.renames:
            for start, first, count in self.regions.values():
                found[start + first : start + first + count] = [start + first] * count
        return found

    def named(self, kind: str) -> int:
        """How many registers of a region, counted from its first, the program names and may mean
        others by."""
        if not self.renames:
            return 0
        if kind == "pr" and any("rotates" in plan.row.flags for _, plan, _ in self.syllables):
            return self.regions[kind].count  # loop branches write the last one
        return self._stretches[kind]

    def parameters(self) -> dict[int, int]:
        """The entries of `CoreState.parameters` about renaming."""
        gr, fr, pr = (self.regions[kind] for kind in RENAMED)
        floating = self.stacked + at_least_one(gr.count)
        predicate = floating + 2 * at_least_one(fr.count)
        return {
            at.LARGEST_FRAME: self.machine.largest_frame,
            at.STACKED: self.stacked,
            at.BACKING: len(self.backing()),
            at.MOVES: self.machine.register_stack.moves,
            at.FIRST_GENERAL: gr.first,
            at.FIRST_FLOATING: fr.first,
            at.FIRST_ROTATING_PREDICATE: pr.first,
            at.NAMED_GENERAL: self.named("gr"),
            at.NAMED_FLOATING: self.named("fr"),
            at.NAMED_PREDICATES: self.named("pr"),
            at.ROTATING_FLOATING: at_least_one(fr.count),
            at.ROTATING_PREDICATES: at_least_one(pr.count),
            at.FLOATING_RING: floating,
            at.PREDICATE_RING: predicate,
            at.REGION_RING: predicate + 2 * at_least_one(pr.count),
        }

    @property
    def stacked(self) -> int:
        return self.machine.register_stack.registers

    def rings(self) -> np.ndarray:
        """See `CoreState.rings`; the ring of the rotating general registers is filled later."""
        gr, fr, pr = (self.regions[kind] for kind in RENAMED)
        order = np.arange(self.stacked + at_least_one(gr.count)) % self.stacked
        last = np.array([self.last_predicate])
        predicates = np.arange(pr.count) + pr.start + pr.first if pr.count else last
        floats = np.arange(at_least_one(fr.count)) + fr.start + fr.first
        room = np.zeros(2 * at_least_one(gr.count), dtype=np.int64)
        parts = (order + gr.start + gr.first, floats, floats, predicates, predicates, room)
        return np.concatenate(parts).astype(np.uint16)

    def registers_named(self, kind: str, frame: np.ndarray) -> np.ndarray:
        """The registers that the names of a file mean in a frame."""
        start, first, count = self.regions[kind]
        said = Frame.of(int(frame[at.NAMED]))
        registers = start + np.arange(self.machine.registers[FILES[kind][0]].count)
        stretch = registers[first : first + count]
        if kind == "gr":
            stretch[:] = start + first + (int(frame[at.BOTTOM]) + np.arange(count)) % self.stacked
            stretch = stretch[: said.rotating]
        if len(stretch):
            stretch[:] = np.roll(stretch, -getattr(said, FILES[kind][0]))
        return registers

    def outside(self, frame: np.ndarray) -> slice:
        """The numbers of general registers that a frame does not have."""
        _, first, count = self.regions["gr"]
        return slice(first + Frame.of(int(frame[at.NAMED])).size, first + count)

    def backing(self) -> np.ndarray:
        """The registers of the backing store."""
        return np.zeros(self.machine.register_stack.backing_store // BYTES, dtype=np.int64)


def at_least_one(count: int) -> int:
    """A ring has an entry even if nothing turns in it."""
    return max(1, count)


def initial_names() -> np.ndarray:
    """Every name means the register of its number, every immediate itself."""
    names = np.arange(at.IMMEDIATES + at.LARGEST_NARROW + 1)
    names[at.IMMEDIATES :] -= at.IMMEDIATES
    return names.astype(np.uint16)


def _region(machine: Epic, kind: str) -> Region:
    name, start = FILES[kind]
    first, last = machine.registers[name].rotating or (0, -1)
    return Region(start, first, last - first + 1)
