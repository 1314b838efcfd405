"""Putting the results of a warp's lanes into its registers; comparing lanes; times.

merge_b32(register, fresh, mask)        lane k of `register` = that of `fresh`, for k in mask
"""

from __future__ import annotations

from numba import int64

from sim.cores.jit import inlined
from sim.cores.simt.host.lane_vectors import (
    AT_ONCE,
    choose_pairs,
    choose_words,
    copy_pairs,
    copy_words,
    spread_word,
)
from sim.cores.simt.host.lane_words import (
    read_b64,
    read_pair,
    read_u32,
    write_b32,
    write_b64,
    write_pair,
)


@inlined
def all_lanes(width):
    """The mask of a whole warp."""
    return -1 if width == 64 else (1 << width) - 1


@inlined
def merge_b32(register, fresh, mask, width):
    """Of registers of 32 bits."""
    if width % AT_ONCE != 0:
        for lane in range(width):
            is_in = (mask >> lane) & 1
            old, new = read_u32(register, lane), read_u32(fresh, lane)
            write_b32(register, lane, new if is_in else old)
    elif mask == all_lanes(width):
        for first in range(0, width, AT_ONCE):
            copy_words(register, fresh, first)
    else:
        for first in range(0, width, AT_ONCE):
            choose_words(register, fresh, mask, first)


@inlined
def spread_b32(register, value, mask, width):
    """Of a register of 32 bits all lanes of the mask get one value."""
    if width % AT_ONCE != 0:
        for lane in range(width):
            old = read_u32(register, lane)
            write_b32(register, lane, value if (mask >> lane) & 1 else old)
    else:
        for first in range(0, width, AT_ONCE):
            spread_word(register, value, mask, first)


@inlined
def merge_b64(register, fresh, mask, width):
    """Of pairs."""
    if width % AT_ONCE != 0:
        for lane in range(width):
            is_in = (mask >> lane) & 1
            old, new = read_pair(register, lane, width), read_b64(fresh, lane)
            write_pair(register, lane, width, new if is_in else old)
    elif mask == all_lanes(width):
        for first in range(0, width, AT_ONCE):
            copy_pairs(register, fresh, width, first)
    else:
        for first in range(0, width, AT_ONCE):
            choose_pairs(register, fresh, mask, width, first)


@inlined
def merge_pred(register, fresh, mask, width):
    """Of predicates: `fresh` has the bits themselves."""
    write_b64(register, 0, (read_b64(register, 0) & ~mask) | (fresh & mask))


@inlined
def equal_lanes_b32(register, lane, members, width):
    """The members whose 32 bits are those of a lane."""
    equal = 0
    for other in range(width):
        same = read_u32(register, other) == read_u32(register, lane)
        equal |= int64(same) << other
    return equal & members


@inlined
def equal_lanes_b64(register, lane, members, width):
    """The members whose 64 bits are those of a lane."""
    equal = 0
    for other in range(width):
        same = read_pair(register, other, width) == read_pair(register, lane, width)
        equal |= int64(same) << other
    return equal & members


@inlined
def nanoseconds(cycle, hertz):
    """Time since the start, in whole nanoseconds: exact, in halves that do not overflow."""
    seconds = cycle // hertz
    return seconds * 1000000000 + (cycle - seconds * hertz) * 1000000000 // hertz
