"""Follow a chain of indices, one cache line a node: every load waits for the one before."""

from compiler.kernel import i64, kernel

WORDS = 16  # i64 in a node: 128 bytes, the longest cache line


@kernel
def pointer_chase(nodes: i64, hops: i64, chain: i64[:]) -> i64:
    """Link `nodes` (a power of two) nodes into one ring, then walk `hops` links from node 0.

    Node k leads to (5k + 1) mod nodes, which visits every node before it returns (Hull and Dobell:
    the increment is odd, the factor is 1 modulo 4).  Returns the last node.
    """
    for k in range(nodes):
        chain[k * WORDS] = ((5 * k + 1) & (nodes - 1)) * WORDS
    place = 0
    for _ in range(hops):
        place = chain[place]
    return place // WORDS
