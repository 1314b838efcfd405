"""The linear bundler: greedy, slot by slot, nothing moved once placed (the baseline).

    adds, shr.u, add, lfetch, xor, ld8   ->   MII {adds, shr.u, add}  MMF {lfetch, xor, nop.f}
                                              MFB {ld8, nop.f, nop.b}

For each slot the kinds are tried in a fixed order, and for each kind the first instruction of the
row that does not pass one it depends on.  An instruction that fits M and I slots counts as M where
the slot can still be M in some template, else as I.  A slot that stays empty gets a nop: nop.f,
then nop.b, then nop.i, if a template has it there and, while instructions wait, leaves one of them
a slot behind it; a first slot gets nop.m.  This is the packing of Open64's software pipeliner
(osprey/be/cg/ia64/cg_swp_bundle.cxx).
"""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.passes.bundle import Bundler
from compiler.targets.epic.bundles import SLOTS, Bundle, Templates, fits_slot, nop
from machines.kinds.epic import Epic

KIND_ORDER = (("M", "B"), ("F", "L", "I", "M", "B"), ("I", "F", "B"))
NOP_ORDER = (("M", "B"), ("F", "B", "I", "M"), ("F", "B", "I"))


def pack_linearly(
    row: list[Instruction], before: list[set[int]], templates: Templates, description: Epic
) -> list[Bundle]:
    """The bundles of one row, without stops; `before[k]` must not stand behind row[k]."""
    waiting = list(range(len(row)))
    placed: set[int] = set()
    bundles: list[Bundle] = []
    while waiting or not bundles:
        slots: tuple[str, ...] = ()
        filling: list[Instruction | None] = []
        while len(slots) < SLOTS:
            kinds = templates.continuations(slots)
            if kinds == {"X"}:
                slots, filling = (*slots, "X"), [*filling, None]
                continue
            kind, node = _choose(row, waiting, before, placed, slots, kinds, description)
            if node is None:
                kind = _nop_kind([row[node] for node in waiting], slots, kinds, templates)
                filling.append(nop(kind))
            else:
                filling.append(row[node])
                waiting.remove(node)
                placed.add(node)
            slots = (*slots, kind)
        bundles.append(Bundle(slots, tuple(filling)))
    return bundles


def _choose(row, waiting, before, placed, slots, kinds, description) -> tuple[str, int | None]:
    """The kind of the next slot and the instruction for it; None if no instruction fits."""
    place = len(slots)
    for kind in KIND_ORDER[place]:
        if kind not in kinds:
            continue
        for node in waiting:
            instruction = row[node]
            counts_as_m = instruction.operation.slot_kind == "A" and "M" in kinds
            if (
                fits_slot(instruction, kind)
                and not (kind == "I" and counts_as_m)
                and before[node] <= placed
                and _branch_allowed(instruction, slots, kind, waiting, description)
            ):
                return kind, node
    return "", None


def _nop_kind(waiting, slots, kinds, templates: Templates) -> str:
    """The kind of nop for the next slot."""
    allowed = [kind for kind in NOP_ORDER[len(slots)] if kind in kinds]
    for kind in allowed:
        behind = templates.behind((*slots, kind))
        if any(fits_slot(instruction, later) for instruction in waiting for later in behind):
            return kind
    return allowed[0]


def _branch_allowed(instruction, slots, kind, waiting, description: Epic) -> bool:
    """A branch goes where its port takes it, and so that what remains fits behind it."""
    if kind != "B":
        return True
    place = len(slots)
    if len(waiting) > SLOTS - place:
        return False
    if "last_slot" in instruction.operation.flags:
        return place == SLOTS - 1
    port = description.dispersal.branch_ports[place]
    return instruction.operation.scheduling_class in description.ports[port].accepts


BUNDLER = Bundler("linear", "Greedy, slot by slot, as Open64's software pipeliner.", pack_linearly)
