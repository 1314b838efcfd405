"""How the cores share the tiles of a layer: as many for each, in as few steps as memory allows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import gcd, prod

from compiler.targets.cluster.network.expressions import Expression, least, less, times
from compiler.targets.cluster.network.memory import ALIGNMENT
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.kinds.cluster.fields import Cluster

START = 500
"""Cycles that a tile takes beside those for its bytes: to begin copies, and to wait for them."""


@dataclass(frozen=True)
class Chunks:
    """A dimension of `extent` in parts of `size`, of which the last may be smaller."""

    extent: int
    size: int

    @property
    def count(self) -> int:
        return -(-self.extent // self.size)


@dataclass(frozen=True)
class Part:
    """A part of a dimension: where it begins, and how much it is."""

    first: Expression
    size: Expression


def chunk_sizes(extent: int, most: int, others: int, cores: int, unit: int = 1) -> list[int]:
    """Sizes that are worth a try where `others` times as many chunks are shared by the cores: as
    large as may be, and those by which each core has as many; multiples of `unit` where there is
    room for that.
    """
    fewest = -(-extent // most)
    rounds = -(-fewest * others // cores)
    wanted = {fewest, *(max(fewest, (rounds + more) * cores // others) for more in range(3))}
    found = set()
    for count in wanted:
        size = -(-extent // min(max(count, 1), extent))
        rounded = -(-size // unit) * unit
        found.add(rounded if rounded <= min(most, extent) else size)
    return sorted(found, reverse=True)


def whole_lines(bytes_each: int) -> int:
    """How many of something of so many bytes fill whole lines of DRAM."""
    return ALIGNMENT // gcd(ALIGNMENT, bytes_each)


def cycles(chip: Cluster, tiles: int, bytes_each: float) -> float:
    """What a layer is expected to take whose tiles move so many bytes each."""
    rate = float(chip.dram_bytes_per_cycle) / chip.core_count
    return -(-tiles // chip.core_count) * (START + bytes_each / min(rate, chip.iodma.width))


@contextmanager
def shared(
    function: TileFunction, *counts: int | Chunks, turn: int = 0
) -> Iterator[list[Expression | Part]]:
    """The loop of a core over its share of so many tiles: of each the index in each dimension, of
    `Chunks` the part.  Where they are fewer than the cores, `turn` says who begins."""
    numbers = [one.count if isinstance(one, Chunks) else one for one in counts]
    cores = function.chip.core_count
    turn %= cores
    low, high = function.part(prod(numbers), f"(task_id + {turn}) % {cores}" if turn else "task_id")
    index = function.fresh("tile")
    with function.loop(index, low, high):
        yield [
            part_of(function, one, at) if isinstance(one, Chunks) else at
            for one, at in zip(counts, _indices(function, index, numbers), strict=True)
        ]


def _indices(function: TileFunction, index: str, numbers: list[int]) -> list[Expression]:
    """What the number of a tile is in each dimension."""
    found: list[Expression] = []
    behind = prod(numbers)
    for axis, number in enumerate(numbers):
        behind //= number
        if number == 1:
            found.append(0)
            continue
        text = index if behind == 1 else f"{index} / {behind}"
        if any(other > 1 for other in numbers[:axis]):
            text = f"{text} % {number}"
        found.append(named(function, text))
    return found


def part_of(function: TileFunction, chunks: Chunks, at: Expression) -> Part:
    """The part of a number."""
    first = times(at, chunks.size)
    if chunks.count == 1:
        return Part(0, chunks.extent)
    first = named(function, first)
    if chunks.count * chunks.size == chunks.extent:
        return Part(first, chunks.size)
    return Part(first, named(function, least(chunks.size, less(chunks.extent, first))))


def named(function: TileFunction, text: Expression) -> Expression:
    """A variable for an expression that is more than a name or a number."""
    if isinstance(text, int) or text.isidentifier():
        return text
    name = function.fresh("at")
    function.line(f"{name} = {text}")
    return name
