"""Colours of random graphs: none overlap, and all is as the plain algorithm says."""

from __future__ import annotations

from random import Random

import pytest

from compiler.machine_code.colouring import Bias, Colouring, Node, Palette
from tests.campaign.seeds import short_form

REGISTERS = 6
EVEN = 0b010101


def random_colouring(seed: int) -> Colouring:
    """A graph of up to 20 nodes that take a register or an even pair of six, some of which must be
    coloured, and some of which may not have all of them."""
    random = Random(seed)
    count = random.randrange(1, 21)
    beside: list[set[int]] = [set() for _ in range(count)]
    density = random.random()
    for one in range(count):
        for other in range(one):
            if random.random() < density:
                beside[one].add(other)
                beside[other].add(one)
    nodes = [
        Node(
            [f"%{k}"],
            "general",
            float(random.randrange(5)),
            random.getrandbits(REGISTERS) if random.random() < 0.2 else 0,
            sorted(beside[k]),
        )
        for k in range(count)
    ]
    with_pairs = random.random() < 0.5
    sizes = [random.choice((1, 2)) if with_pairs else 1 for _ in nodes]
    rooms = [REGISTERS - 2 * size if with_pairs else REGISTERS - 1 for size in sizes]
    palettes = [
        Palette((1 << REGISTERS) - 1, size, room) for size, room in zip(sizes, rooms, strict=True)
    ]
    keep = [random.random() < 0.3 for _ in nodes]
    return Colouring(nodes, palettes, keep)


def lowest(colouring: Colouring, number: int, free: int) -> int:
    if colouring.palettes[number].size == 1:
        return free & -free
    pairs = free & free >> 1 & EVEN
    return 3 * (pairs & -pairs)


def plain_order(colouring: Colouring) -> list[int]:
    """The nodes as they are taken off, everything counted anew each time."""
    nodes, palettes = colouring.nodes, colouring.palettes
    left, certain, order = set(range(len(nodes))), [], []

    def taken(k: int) -> int:
        beside = sum(palettes[other].size for other in nodes[k].neighbours if other in left)
        return nodes[k].forbidden.bit_count() + beside

    while left:
        certain = [k for k in certain if k in left]
        certain += [k for k in sorted(left) if k not in certain and taken(k) <= palettes[k].room]
        cost = {k: (colouring.keep[k], nodes[k].weight / max(1, taken(k)), k) for k in left}
        chosen = certain[-1] if certain else min(left, key=cost.__getitem__)
        left.remove(chosen)
        order.append(chosen)
    return order


def plain_colours(colouring: Colouring) -> tuple[dict[int, int], list[int]]:
    """The colours by that order, the lowest first, and what is spilled."""
    given: dict[int, int] = {}
    spilled: list[int] = []
    for k in reversed(plain_order(colouring)):
        node = colouring.nodes[k]
        allowed = (1 << REGISTERS) - 1 & ~node.forbidden
        free = allowed
        for other in node.neighbours:
            free &= ~given.get(other, 0)
        if lowest(colouring, k, free):
            given[k] = lowest(colouring, k, free)
        elif not colouring.keep[k] or not allowed:
            spilled.append(k)
        else:
            near = [n for n in node.neighbours if not colouring.keep[n]]
            if not set(near) & set(spilled):
                spilled.append(min([*near, k], key=lambda n: (n == k, colouring.nodes[n].weight)))
    return given, list(dict.fromkeys(spilled))


@pytest.mark.parametrize("seeds", short_form([range(k, k + 100) for k in range(0, 2000, 100)], 1))
def test_random_graphs(seeds: range):
    for seed in seeds:
        colouring = random_colouring(seed)
        given, spilled = colouring.colour(lambda k, free, c=colouring: lowest(c, k, free))
        for k, bits in given.items():
            node = colouring.nodes[k]
            assert bits.bit_count() == colouring.palettes[k].size
            assert not bits & node.forbidden and bits < 1 << REGISTERS
            assert not any(bits & given.get(other, 0) for other in node.neighbours), seed
        homeless = set(range(len(colouring.nodes))) - given.keys()
        for k in homeless - set(spilled):
            assert colouring.keep[k] and set(spilled) & set(colouring.nodes[k].neighbours), seed
        assert (given, spilled) == plain_colours(colouring), seed


def test_a_ring_of_four_needs_two_registers():
    """Nobody is certain of one, and pessimistic colouring would spill (the diamond of Briggs,
    Cooper and Torczon)."""
    beside = [[1, 3], [0, 2], [1, 3], [0, 2]]
    ring = [Node([f"%{k}"], "general", 1.0, 0, others) for k, others in enumerate(beside)]
    colouring = Colouring(ring, [Palette(0b11, 1, 1)] * 4, [False] * 4)
    given, spilled = colouring.colour(lambda k, free: free & -free)
    assert not spilled and given[0] == given[2] != given[1] == given[3]


def test_both_ends_of_a_copy_have_one_register_where_it_is_free():
    bias = Bias({"%a": ["r2"], "%b": ["%a"]}, {"r1": 1, "r2": 2, "r3": 4})
    assert bias.choose("%a", 0b111) == 2
    assert bias.choose("%b", 0b110) == 2
    assert bias.choose("%b", 0b101) == 1
    assert bias.choose("%c", 0b110, lambda free: 4) == 4
