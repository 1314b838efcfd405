"""Syllables, and the bundles that a row of them becomes.

    row of syllables         PackedBundle("MII;", slots M I I, filling (1, 0, None), stops (2,))
    0: extr.u  1: ld8   ->   { .mii  ld8 …   extr.u …   nop.i 0 ;; }

What is in a bundle is said by the number of the operation in its row, so that rows of machine
instructions and rows of a scheduling problem are packed alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from compiler.ir.module import Block, Instruction
from machines.diagnostics import InputError, input_error
from machines.instructions import operations
from machines.kinds.epic.dispersal import BundleView, NeverIssues, disperse
from machines.kinds.epic.fields import Epic
from machines.operations.row import Operation

SLOTS = 3


class Syllable(NamedTuple):
    """What of an operation decides where it can issue; a tuple, since tables are full of them.

    slot_kind   'A' (an M or I slot), 'M', 'I', 'F', 'B' or 'LX' (two slots)
    last_slot   only slot 2 of a bundle takes it
    """

    scheduling_class: str
    slot_kind: str
    last_slot: bool = False

    def fits(self, kind: str, slot: int) -> bool:
        """True if slot number `slot` of a bundle, of this kind, may hold it."""
        if self.last_slot and slot != SLOTS - 1:
            return False
        if self.slot_kind == "A":
            return kind in ("M", "I")
        return kind == ("L" if self.slot_kind == "LX" else self.slot_kind)


def syllable_of(operation: Operation) -> Syllable:
    """The syllable of a row of the operation table."""
    found = _SYLLABLES.get(operation.name)
    if found is None:
        last = "last_slot" in operation.flags
        found = Syllable(operation.scheduling_class, operation.slot_kind, last)
        _SYLLABLES[operation.name] = found
    return found


_SYLLABLES: dict[str, Syllable] = {}
"""By name of the row: hashing a whole row each time is slow."""


def nop(kind: str) -> Operation:
    """The nop of a slot kind (of a long pair for 'L')."""
    unit = "x" if kind == "L" else kind.lower()
    return operations()["ia64", f"nop.{unit}"]


@dataclass(frozen=True, slots=True)
class PackedBundle:
    """A bundle of a packed row.

    template  its name in the machine's description
    slots     slot kinds, ('M', 'I', 'I')
    filling   for each slot the number of the operation in it; None: a nop, or the second half of a
              long operation
    stops     slots after which a group ends
    """

    template: str
    slots: tuple[str, ...]
    filling: tuple[int | None, ...]
    stops: tuple[int, ...] = ()

    @property
    def nops(self) -> tuple[str, ...]:
        """The slot kinds of its nops; a long nop counts once, as 'L'."""
        return tuple(
            kind
            for kind, node in zip(self.slots, self.filling, strict=True)
            if node is None and kind != "X"
        )


@dataclass(frozen=True, slots=True)
class Packing:
    """Operations packed so that they issue in one cycle; a stop ends the last bundle.

    ports   by number of the operation
    """

    bundles: tuple[PackedBundle, ...]
    ports: dict[int, str]

    @property
    def nops(self) -> int:
        return sum(len(bundle.nops) for bundle in self.bundles)

    def renumbered(self, numbers: Sequence[int] | Mapping[int, int]) -> Packing:
        """The same packing, of operations that have other numbers."""
        bundles = tuple(
            replace(b, filling=tuple(n if n is None else numbers[n] for n in b.filling))
            for b in self.bundles
        )
        return Packing(bundles, {numbers[node]: port for node, port in self.ports.items()})


@dataclass(frozen=True, slots=True)
class Issue:
    """How a machine issues bundles: in how many cycles; the port and the cycle, counted from 0,
    of each operation."""

    cycles: int
    ports: dict[int, str]
    groups: dict[int, int]


def issue(bundles: Sequence[PackedBundle], syllables: Sequence[Syllable], machine: Epic) -> Issue:
    """Issue bundles one group after the other, by the machine's dispersal; raises NeverIssues."""
    views = [_view(bundle, syllables) for bundle in bundles]
    filling = [node for bundle in bundles for node in bundle.filling]
    ports: dict[int, str] = {}
    groups: dict[int, int] = {}
    cycles = position = 0
    while position < len(filling):
        bundle, start = divmod(position, SLOTS)
        window = views[bundle : bundle + machine.dispersal.bundles_per_cycle]
        group = disperse(machine, window, start)
        issued = filling[position : position + group.count]
        for node, port in zip(issued, group.ports, strict=True):
            if node is not None:
                ports[node], groups[node] = port, cycles
        position, cycles = position + group.count, cycles + 1
    return Issue(cycles, ports, groups)


def _view(bundle: PackedBundle, syllables: Sequence[Syllable]) -> BundleView:
    classes: list[str | None] = []
    for kind, node in zip(bundle.slots, bundle.filling, strict=True):
        if node is not None:
            classes.append(syllables[node].scheduling_class)
        else:
            classes.append(None if kind == "X" else nop(kind).scheduling_class)
    return BundleView(bundle.template, tuple(classes))


def does_not_issue(instruction: Instruction, machine: Epic) -> InputError:
    """The error of an instruction that no cycle of a machine takes."""
    operation = instruction.operation
    return input_error(
        f"no bundle of machine '{machine.name}' takes '{operation}', "
        f"of class '{operation.scheduling_class}'",
        instruction.location,
        hint="give the machine a template and ports for it",
    )


@dataclass(slots=True)
class PackedRows:
    """Rows of instructions that share bundles, `rows` of them, and the bundles; often it is one."""

    code: list[Instruction]
    rows: int
    bundles: list[PackedBundle]

    def cycles(self, machine: Epic) -> int:
        """In how many cycles a machine issues them; raises NeverIssues."""
        syllables = [syllable_of(i.operation) for i in self.code]
        try:
            return issue(self.bundles, syllables, machine).cycles
        except NeverIssues as error:
            raise error.at(self.code[0].location) from None

    @property
    def first(self) -> int:
        """How many bundles the first cycle needs."""
        return next(n for n, bundle in enumerate(self.bundles, start=1) if bundle.stops)


def instructions_of(bundle: PackedBundle, code: Sequence[Instruction]) -> list[Instruction]:
    """A bundle as instructions, the first marked with the template's name."""
    bundled = [
        code[node] if node is not None else Instruction(nop(kind), (), (0,))
        for kind, node in zip(bundle.slots, bundle.filling, strict=True)
        if node is not None or kind != "X"
    ]
    bundled[0].attributes["template"] = bundle.template
    return bundled


def bundles_of(block: Block) -> Iterator[list[Instruction]]:
    """The instructions of each bundle of a block; of code that is in none, what stands before the
    first bundle is one list."""
    bundle: list[Instruction] = []
    for instruction in block.instructions:
        if bundle and "template" in instruction.attributes:
            yield bundle
            bundle = []
        bundle.append(instruction)
    if bundle:
        yield bundle
