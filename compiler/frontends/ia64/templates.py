"""Which template takes the next instructions best, and which has a stop where.

Source: what GNU as 2.40 does (gas/config/tc-ia64.c, `md_begin` and `extra_goodness`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from machines.kinds.epic.fields import Epic, Template

ANY = "any"
"""Kind of an instruction that goes into every slot: a nop that names none."""
SLOTS = 3
FIT, FREE = 3, 2
"""What an instruction in a slot, and a nop in a slot of kind M or I, count for a template."""


@dataclass(frozen=True)
class Kind:
    """What bundling must know of an instruction.

    slot          'A', 'M', 'I', 'F', 'B', 'LX', or ANY
    last_slot     it goes into the last slot of its bundle
    first, final  it begins or ends a group
    """

    slot: str
    last_slot: bool = False
    first: bool = False
    final: bool = False


def takes(slot: str, kind: str) -> bool:
    return kind == ANY or slot == kind or (kind == "A" and slot in "MI") or (
        kind == "LX" and slot == "L"
    )  # fmt: skip


@lru_cache(maxsize=64)
def shapes(description: Epic) -> tuple[Template, ...]:
    """Templates without a stop, by code."""
    return tuple(
        t for t in sorted(description.templates.values(), key=lambda t: t.code) if not t.stops
    )


def _worth(template: Template, kinds: Sequence[str]) -> int:
    """How good a template is for the next instructions, which keep their order."""
    free, slot, worth = set(range(SLOTS)), 0, 0
    for kind in kinds:
        taken = next((k for k in range(slot, SLOTS) if takes(template.slots[k], kind)), None)
        if taken is None:
            break
        slot = taken + (2 if kind == "LX" else 1)
        free -= set(range(taken, slot))
        worth += FIT * (slot - taken)
    nops = sum(1 for k in free if k and template.slots[k] in "MI")
    return worth + FREE * nops if slot else 0


@lru_cache(maxsize=1 << 12)
def best(description: Epic, kinds: tuple[str, ...]) -> Template:
    """The template for the next instructions; of several the first by code."""
    return max(shapes(description), key=lambda template: _worth(template, kinds))


@lru_cache(maxsize=1 << 12)
def with_stops(description: Epic, slots: tuple[str, ...], stops: tuple[int, ...]):
    """The template with these slots and stops, None if there is none."""
    found = description.templates.values()
    return next((t for t in found if t.slots == slots and tuple(t.stops) == stops), None)
