"""Give the blocks of a function another order."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.transformation import Changes


def reorder(function: Function, builder: Builder, order: Sequence[str], changes: Changes) -> None:
    moved = sum(a != b for a, b in zip(order, function.blocks, strict=True))
    changes.count("blocks moved", moved)
    builder.order(order)
