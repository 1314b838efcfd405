"""Rows of `told`, from which timelines are made (see `sim.cores.epic.timeline`): packets that
issue, cycles that are lost, accesses, branches.

Who notes something asks first whether a trace is wanted (TRACES).  Code that is made for the
packets of a program knows that none is.
"""

from numba import int64

from sim.cores.epic import state as at
from sim.cores.epic.memory import hierarchy as mem
from sim.cores.epic.memory.cache import counts_of, shape_of
from sim.cores.jit import apart, inlined


@inlined
def note_row(state, kind, cycle, first, second, third, fourth):
    """A row; what finds no room is counted, and lost."""
    told = state.told
    number = min(told[at.ROWS], state.parameters[at.TRACES] - 1)
    told[at.ROWS] += 1
    base = at.FIRST_ROW + number * at.ROW_COLUMNS
    told[base], told[base + 1] = kind, cycle
    told[base + 2], told[base + 3] = first, second
    told[base + 4], told[base + 5] = third, fourth


@apart
def note_issue(state, packet, cycle):
    """A packet issues."""
    note_row(state, at.ISSUE_ROW, cycle, packet, int64(0), int64(0), int64(0))


@apart
def note_lost(state, cycle, end, cause, syllable):
    """Cycles up to `end` are lost to a cause, by a syllable."""
    note_row(state, at.LOST_ROW, cycle, end, cause, syllable, int64(0))


@apart
def note_branch(state, syllable, cycle, flags, outcome, taken, target):
    """A branch is predicted; it is taken, to a bundle's address if it is an indirect one; registers
    rotate."""
    does = int64(at.IS_TAKEN if taken else 0)
    if flags & at.ROTATES and state.frame[at.ROTATES_NOW]:
        does |= at.HAS_ROTATED
    note_row(state, at.BRANCH_ROW, cycle, syllable, outcome, target, does)


@apart
def note_fetch(state, cycle, come, syllable):
    """Lines of code of the packet of a syllable have been asked for, and come."""
    note_row(state, at.FETCH_ROW, cycle, come, syllable, answering(state, int64(mem.L1I)), int64(0))


@apart
def note_memory(state, cycle, ready, syllable, level, address):
    """An access that entered the caches at a level is done; what it met there was looked at before
    it came, see `look`."""
    note_row(state, at.ACCESS_ROW, cycle, ready, syllable, answering(state, level), address)


@inlined
def answers(caches, level):
    """Accesses that a level has answered, or whose line was on its way there."""
    counts, found = counts_of(caches, level), int64(0)
    for request in range(len(mem.REQUESTS)):
        found += counts[mem.HIT + request] + counts[mem.MERGE + request]
    return found


@apart
def look(state, level):
    """Note how much each level from this one on has answered."""
    while level != mem.OUTSIDE:
        state.told[at.ANSWERED + level] = answers(state.caches, level)
        level = shape_of(state.caches, level)[mem.NEXT]


@inlined
def answering(state, level):
    """The farthest level that has answered since `look`; mem.OUTSIDE if none has."""
    found = int64(mem.OUTSIDE)
    while level != mem.OUTSIDE:
        if answers(state.caches, level) != state.told[at.ANSWERED + level]:
            found = level
        level = shape_of(state.caches, level)[mem.NEXT]
    return found
