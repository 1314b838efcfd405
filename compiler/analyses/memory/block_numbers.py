"""The blocks of a function as numbers, in the order in which they are visited, for kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from compiler.analyses.control_flow import control_flow
from compiler.analyses.memory.descriptors import MemoryAccesses
from compiler.ir.module import Function


@dataclass(frozen=True, slots=True)
class BlockNumbers:
    """The reached blocks.

    order              their names; the others are lists over their numbers
    begins, ends       of every block its accesses begin … end - 1
    next_first, nexts  its successors, as `relations`
    in_layout          the blocks in the order of their accesses
    is_reverse_postorder  whether every edge back leads to where a walk in depth came from
    """

    order: Sequence[str]
    begins: Sequence[int]
    ends: Sequence[int]
    next_first: Sequence[int]
    nexts: Sequence[int]
    in_layout: Sequence[int]
    is_reverse_postorder: bool


def block_numbers(
    function: Function, memory: MemoryAccesses, order: Sequence[str], is_reverse_postorder: bool
) -> BlockNumbers:
    """The blocks in this order."""
    number = {name: position for position, name in enumerate(order)}
    bounds = dict(zip(function.blocks, pairwise(memory.begins), strict=True))
    successors = control_flow(function).successors
    return BlockNumbers(
        order,
        [bounds[name][0] for name in order],
        [bounds[name][1] for name in order],
        *partners([number[target] for target in successors[name]] for name in order),
        [number[name] for name in function.blocks if name in number],
        is_reverse_postorder,
    )


def partners(lists: Iterable[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Lists of partners as `relations` have them."""
    lists = list(lists)
    first = [0]
    for some in lists:
        first.append(first[-1] + len(some))
    return first, list(chain.from_iterable(lists))
