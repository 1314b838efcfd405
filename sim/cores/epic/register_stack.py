"""The register stack and rotation in the core: `names`, which says the register that a name means.

    alloc r34 = ar.pfs, 2, 3, 4, 8      names[r32 … r127] = stacked registers from BOTTOM on
    br.ctop                             names[r33] = names[r32] before it, names[r32] = names[r39]

The stacked registers of all frames follow each other round a ring.  A frame that does not fit into
what is left makes the register stack engine save the oldest registers in the backing store; a
return to a frame that is there makes it restore its locals.  (Both as in the architecture; the
engine never works ahead.)
"""

from __future__ import annotations

from machines.instructions.ia64_frame import (
    FLOATING_SHIFT,
    GENERAL_SHIFT,
    LOCALS_SHIFT,
    NUMBER_MASK,
    PREDICATE_MASK,
    PREDICATE_SHIFT,
    REGION_MASK,
    REGION_SHIFT,
    REGION_UNIT,
    SIZES,
)
from sim.cores.epic import state as at
from sim.cores.jit import apart, inlined
from sim.cores.tables import beyond, copy_elements


@inlined
def copy_names(names, start, count, rings, ring):
    """Let `count` names from `start` on mean what stands in `rings` from `ring` on."""
    copy_elements(beyond(names, start), beyond(rings, ring), count)


@inlined
def turned_back(rotated, count):
    """One less in a ring of `count`."""
    return rotated - 1 if rotated > 0 else count - 1


@inlined
def move_registers(state, bottom, size):
    """Save or restore stacked registers until a frame of `size` at `bottom` is in registers.

    Returns how many moved.
    """
    frame, general, backing = state.frame, state.general, state.backing
    parameters = state.parameters
    stacked, first = parameters[at.STACKED], at.GENERAL + parameters[at.FIRST_GENERAL]
    saved = frame[at.SAVED]
    restored = max(0, saved - bottom)
    for _ in range(restored):
        saved -= 1
        general[first + saved % stacked] = backing[saved]
    excess = max(0, bottom + size - stacked - saved)
    for _ in range(excess):
        backing[saved] = general[first + saved % stacked]
        saved += 1
    frame[at.SAVED] = saved
    frame[at.REGISTERS_SAVED] += excess
    frame[at.REGISTERS_RESTORED] += restored
    return restored + excess


@apart
def enter_frame(state, move):
    """Make frame[MARKER] the frame, after a call (move 1), a return (-1) or in place (0).

    Returns a fault, and the cycles the register stack engine takes.
    """
    frame, names, rings, parameters = state.frame, state.names, state.rings, state.parameters
    marker, before = frame[at.MARKER], frame[at.NAMED]
    size = marker & NUMBER_MASK
    locals_ = (marker >> LOCALS_SHIFT) & NUMBER_MASK
    region = ((marker >> REGION_SHIFT) & REGION_MASK) * REGION_UNIT
    bottom = frame[at.BOTTOM]
    if move > 0:
        bottom += (before >> LOCALS_SHIFT) & NUMBER_MASK
    elif move < 0:
        bottom -= locals_
    if size > parameters[at.LARGEST_FRAME] or locals_ > size or region > size:
        return at.BAD_FRAME, 0
    if bottom < 0:
        return at.STACK_IS_EMPTY, 0
    if bottom + size > parameters[at.STACKED] + parameters[at.BACKING]:
        return at.STACK_IS_FULL, 0
    moved = move_registers(state, bottom, size)
    general = ((marker >> GENERAL_SHIFT) & NUMBER_MASK) % max(region, 1)
    floating = ((marker >> FLOATING_SHIFT) & NUMBER_MASK) % parameters[at.ROTATING_FLOATING]
    predicate = ((marker >> PREDICATE_SHIFT) & PREDICATE_MASK) % parameters[at.ROTATING_PREDICATES]
    marker &= SIZES
    marker |= general << GENERAL_SHIFT | floating << FLOATING_SHIFT | predicate << PREDICATE_SHIFT
    frame[at.BOTTOM], frame[at.NAMED], frame[at.MARKER] = bottom, marker, marker
    first, stack = at.GENERAL + parameters[at.FIRST_GENERAL], bottom % parameters[at.STACKED]
    copy_names(names, first, parameters[at.NAMED_GENERAL], rings, stack)
    if region:
        ring = parameters[at.REGION_RING]
        for k in range(region):  # all that rotate: a value passes through registers nobody names
            rings[ring + k] = rings[ring + region + k] = rings[stack + k]
        copy_names(names, first, min(region, parameters[at.NAMED_GENERAL]), rings, ring + general)
    if (marker ^ before) >> FLOATING_SHIFT:
        start = at.FLOATING + parameters[at.FIRST_FLOATING]
        ring = parameters[at.FLOATING_RING] + floating
        copy_names(names, start, parameters[at.NAMED_FLOATING], rings, ring)
        start = at.PREDICATE + parameters[at.FIRST_ROTATING_PREDICATE]
        ring = parameters[at.PREDICATE_RING] + predicate
        copy_names(names, start, parameters[at.NAMED_PREDICATES], rings, ring)
    return at.NO_FAULT, (moved + parameters[at.MOVES] - 1) // parameters[at.MOVES]


@inlined
def rotate_registers(state):
    """What a loop branch does: write the last rotating predicate, then, if frame[ROTATES_NOW], turn
    every rotating register by one; what was in r32 is in r33 then."""
    frame, names, rings, predicates = state.frame, state.names, state.rings, state.predicates
    parameters = state.parameters
    marker = frame[at.MARKER]
    ring, count = parameters[at.PREDICATE_RING], parameters[at.ROTATING_PREDICATES]
    predicate = (marker >> PREDICATE_SHIFT) & PREDICATE_MASK
    predicates[rings[ring + predicate + count - 1]] = frame[at.STAGE]
    if frame[at.ROTATES_NOW]:
        predicate = turned_back(predicate, count)
        start = at.PREDICATE + parameters[at.FIRST_ROTATING_PREDICATE]
        copy_names(names, start, parameters[at.NAMED_PREDICATES], rings, ring + predicate)
        floating = turned_back(
            (marker >> FLOATING_SHIFT) & NUMBER_MASK, parameters[at.ROTATING_FLOATING]
        )
        start = at.FLOATING + parameters[at.FIRST_FLOATING]
        ring = parameters[at.FLOATING_RING] + floating
        copy_names(names, start, parameters[at.NAMED_FLOATING], rings, ring)
        region = ((marker >> REGION_SHIFT) & REGION_MASK) * REGION_UNIT
        general = 0
        if region:
            general = turned_back((marker >> GENERAL_SHIFT) & NUMBER_MASK, region)
            start = at.GENERAL + parameters[at.FIRST_GENERAL]
            ring = parameters[at.REGION_RING] + general
            copy_names(names, start, min(region, parameters[at.NAMED_GENERAL]), rings, ring)
        marker &= SIZES
        marker |= general << GENERAL_SHIFT
        marker |= floating << FLOATING_SHIFT
        marker |= predicate << PREDICATE_SHIFT
        frame[at.MARKER] = frame[at.NAMED] = marker
