"""Accesses to the memory of a program: whether they are served, and bytes at any offset."""

from numba import int64, uint64

from machines.layout import BASE
from sim.cores.bounds import owner_of
from sim.cores.epic import state as at
from sim.cores.jit import apart, inlined


@inlined
def bytes_of(size_code):
    """The size of an access."""
    return 10 if size_code == at.TEN_BYTES else 1 << size_code


@inlined
def is_served(state, address, size_code):
    """Whether an access is aligned and lies in a buffer, as most do: what `check_bounds` looks at
    more slowly."""
    offset = address - BASE
    if uint64(offset) >= uint64(state.extents[at.SPAN]):
        return False
    alignment = 1 << min(size_code, 4)
    if address & (alignment - 1) != 0:
        return False
    if state.whole[offset >> state.extents[at.UNIT_SHIFT]]:
        return True
    return check_bounds(state, address, size_code, alignment) == at.NO_FAULT


@apart
def check_bounds(state, address, size_code, alignment):
    """The fault of an access, if any; see `machines.layout.Memory.check`."""
    if address < BASE:
        return at.OUT_OF_BOUNDS
    owner = owner_of(state.starts, state.extents[at.BUFFERS], address)
    if bytes_of(size_code) > state.ends[owner] - address:
        return at.OUT_OF_BOUNDS
    return at.MISALIGNED if address & (alignment - 1) else at.NO_FAULT


@inlined
def load(state, offset, size_code):
    """What stands at an offset that is aligned: the first eight bytes and the rest."""
    if size_code == 3:
        return state.bytes8[offset >> 3], 0
    if size_code == 2:
        return int64(state.bytes4[offset >> 2]), 0
    if size_code == 0:
        return int64(state.bytes1[offset]), 0
    if size_code == 1:
        return int64(state.bytes2[offset >> 1]), 0
    if size_code == at.TEN_BYTES:
        return state.bytes8[offset >> 3], int64(state.bytes2[(offset >> 1) + 4])
    return state.bytes8[offset >> 3], state.bytes8[(offset >> 3) + 1]


@inlined
def store(state, offset, size_code, low, high):
    """Write the first eight bytes and the rest at an offset that is aligned."""
    if size_code == 3:
        state.bytes8[offset >> 3] = low
    elif size_code == 2:
        state.bytes4[offset >> 2] = low
    elif size_code == 0:
        state.bytes1[offset] = low
    elif size_code == 1:
        state.bytes2[offset >> 1] = low
    else:
        state.bytes8[offset >> 3] = low
        if size_code == at.TEN_BYTES:
            state.bytes2[(offset >> 1) + 4] = high
        else:
            state.bytes8[(offset >> 3) + 1] = high


@apart
def load_bytes(memory, offset, size_code):
    """What stands at any offset: the first eight bytes and the rest."""
    low, high = 0, 0
    for k in range(bytes_of(size_code)):
        byte = int64(memory[offset + k])
        if k < 8:
            low |= byte << 8 * k
        else:
            high |= byte << 8 * (k - 8)
    return low, high


@apart
def store_bytes(memory, offset, size_code, low, high):
    """Write the first eight bytes and the rest at any offset."""
    for k in range(bytes_of(size_code)):
        memory[offset + k] = (low >> 8 * k if k < 8 else high >> 8 * (k - 8)) & 255
