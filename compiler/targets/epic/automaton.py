"""Which operations fit one cycle of a machine, and how they are packed into bundles."""

from __future__ import annotations

from dataclasses import dataclass

from machines.isa import Operation


@dataclass(frozen=True, slots=True, order=True)
class Syllable:
    """What of an operation decides where it can issue.

    slot_kind   'A' (an M or I slot), 'M', 'I', 'F', 'B' or 'LX' (two slots)
    last_slot   only slot 2 of a bundle takes it
    """

    scheduling_class: str
    slot_kind: str
    last_slot: bool = False


def syllable_of(operation: Operation) -> Syllable:
    """The syllable of a row of the operation table."""
    last = "last_slot" in operation.flags
    return Syllable(operation.scheduling_class, operation.slot_kind, last)


@dataclass(frozen=True, slots=True)
class PackedBundle:
    """A bundle of a packed row.

    slots    slot kinds, ('M', 'I', 'I')
    filling  for each slot the number of the operation in it; None: a nop, or the second half of a
             long operation
    stops    slots after which a group ends; the last bundle of a row ends with one
    """

    slots: tuple[str, ...]
    filling: tuple[int | None, ...]
    stops: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Packing:
    """A row packed so that it issues in one cycle; `ports` by number of the operation."""

    bundles: tuple[PackedBundle, ...]
    ports: tuple[str, ...]
    nops: int
