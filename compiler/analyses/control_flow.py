"""The control-flow graph of a function: successors, predecessors, orders, unreachable blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from compiler.analyses.cache import cached_by_version
from compiler.ir.module import Function


@dataclass(frozen=True, slots=True)
class ControlFlow:
    """The graph over block names; every order is a function of the layout, never of hashing.

    successors, predecessors   for every block, each neighbour once: successors in the
                               terminator's order, predecessors in layout order
    reverse_postorder          the blocks the entry reaches; a block stands before its successors
                               except along back edges
    unreachable                the other blocks, in layout order
    """

    successors: dict[str, tuple[str, ...]]
    predecessors: dict[str, tuple[str, ...]]
    reverse_postorder: tuple[str, ...]
    unreachable: tuple[str, ...]


@cached_by_version
def control_flow(function: Function) -> ControlFlow:
    """The control-flow graph; every block must end in a terminator with existing labels."""
    successors = {name: block.successors for name, block in function.blocks.items()}
    predecessors: dict[str, list[str]] = {name: [] for name in successors}
    for name, targets in successors.items():
        for target in targets:
            predecessors[target].append(name)
    order = reverse_postorder(function.entry.name, successors)
    reached = set(order)
    return ControlFlow(
        successors,
        {name: tuple(sources) for name, sources in predecessors.items()},
        order,
        tuple(name for name in successors if name not in reached),
    )


Block = TypeVar("Block", str, int)


def reverse_postorder(
    entry: Block, successors: Mapping[Block, tuple[Block, ...]] | Sequence[tuple[Block, ...]]
) -> tuple[Block, ...]:
    """Depth-first reverse post-order from `entry`, without recursion.

    Successors are visited last to first, so that of two branch targets the first comes first.
    """
    finished: list[str] = []
    seen = {entry}
    stack = [(entry, iter(reversed(successors[entry])))]
    while stack:
        name, pending = stack[-1]
        for target in pending:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(reversed(successors[target]))))
                break
        else:
            stack.pop()
            finished.append(name)
    return tuple(reversed(finished))
