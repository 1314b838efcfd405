"""Random accesses of warps to memory, of all kinds, that press on caches and tables."""

from __future__ import annotations

import random
from collections.abc import Iterator

from machines.kinds.simt.fields import Simt
from sim.cores.simt.memory.parameters import (
    ANYHOW,
    ATOMIC,
    COMPARE,
    EXCHANGE,
    FLOAT_SUM,
    LOAD,
    REDUCTION,
    STORE,
)
from tests.sim.simt.play_memory import CONSTANT, FENCE, GLOBAL, LOCAL, SHARED, Access

WAYS = (ANYHOW, FLOAT_SUM, EXCHANGE, COMPARE)
FENCES = 0.01
"""How many of the accesses are fences."""
FIRST = 1 << 16
"""Where global memory begins."""


def random_accesses(machine: Simt, seed: int, count: int) -> Iterator[Access]:
    """`count` accesses in the order of their cycles."""
    draw = random.Random(seed)
    cycle, footprint = 0, draw.choice((4096, 64 << 10, 1 << 20))
    busy = draw.choice((1, 4, 40))
    for _ in range(count):
        cycle += draw.randrange(2 * busy)
        space = draw.choice((GLOBAL, GLOBAL, GLOBAL, GLOBAL, LOCAL, SHARED, CONSTANT))
        kind = draw.choice((LOAD, LOAD, STORE, ATOMIC, REDUCTION))
        if draw.random() < FENCES:
            space = FENCE
        size = draw.choice((4, 4, 4, 8, 16, 1, 2))
        if space == LOCAL:
            kind = draw.choice((LOAD, STORE))
        if kind in (ATOMIC, REDUCTION):
            size = draw.choice((2, 4, 8))
        first = 0 if space in (LOCAL, SHARED) else FIRST
        room = {LOCAL: 256, SHARED: 8192, CONSTANT: 2048}.get(space, footprint)
        yield Access(
            cycle=cycle,
            addresses=_addresses(draw, machine.warp_width, first, room, size),
            space=space,
            kind=LOAD if space == CONSTANT else kind,
            how=draw.choice(WAYS) if kind in (ATOMIC, REDUCTION) and space != CONSTANT else ANYHOW,
            size=size,
            sm=draw.randrange(machine.sms),
            mask=_mask(draw, machine.warp_width),
            slot=draw.randrange(machine.limits.warps),
            frame=256,
        )


def _mask(draw: random.Random, width: int) -> int:
    if draw.random() < 0.5:
        return (1 << width) - 1
    return draw.randrange(1, 1 << width) | 1 << draw.randrange(width)


def _addresses(draw: random.Random, width: int, first: int, room: int, size: int) -> list[int]:
    places = room // size
    begin, stride = draw.randrange(places), draw.choice((0, 1, 1, 1, 2, 3, 8, 33, places // width))
    chosen = [(begin + lane * stride) % places for lane in range(width)]
    if draw.random() < 0.2:
        chosen = [draw.randrange(places) for _ in range(width)]
    return [first + place * size for place in chosen]
