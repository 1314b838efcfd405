"""Which buffer of the flat memory an address may lie in."""

from sim.cores.jit import jitted


@jitted
def owner_of(starts, count, address):
    """The last of `count` buffers that begins at an address or below it, as in
    `machines.layout.Memory`; the address may lie behind its end, as all do behind entry 0's."""
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) >> 1
        if starts[middle] <= address:
            low = middle
        else:
            high = middle
    return low
