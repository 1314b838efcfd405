"""Follow a ring of indices through memory: every load waits for the one before."""

from compiler.kernel import i64, kernel


@kernel
def pointer_chase(hops: i64, ring: i64[:]) -> i64:
    """The place reached from ring[0] after `hops` steps."""
    place = 0
    for _ in range(hops):
        place = ring[place]
    return place
