"""How a front end came to a graph, step by step, as text: the context it had at each node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compiler.graph.table import Symbol

HEAD = ("node", "rule", "arguments", "symbol")
WIDEST = 48
"""Columns of a node's text that are shown."""


@dataclass(frozen=True, slots=True)
class Step:
    """A node of the source that was translated.

    node_text  the node as the source has it
    rule       what translated it
    arguments  the symbols of its parts
    symbol     what stands for it
    rewrites   what was rewritten on the way to that symbol, as text, in order
    """

    node_text: str
    rule: str
    arguments: tuple[Symbol, ...]
    symbol: Symbol
    rewrites: tuple[str, ...] = ()


def context_text(steps: Iterable[Step]) -> str:
    """A line for each step, in columns, and a line below it for each rewrite.

    >>> print(context_text([Step("x + 0", "binary", (1, 2), 1, ("x + 0 is x",))]), end="")
    node   rule    arguments  symbol
    x + 0  binary  s1, s2     s1
           rewritten: x + 0 is x
    """
    steps = list(steps)
    rows = [HEAD, *map(_row, steps)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = [_line(HEAD, widths)]
    for row, step in zip(rows[1:], steps, strict=True):
        lines.append(_line(row, widths))
        lines += [f"{' ' * widths[0]}  rewritten: {rewrite}" for rewrite in step.rewrites]
    return "\n".join([*lines, ""])


def _row(step: Step) -> tuple[str, ...]:
    text = " ".join(step.node_text.split())  # a node may go over several lines
    if len(text) > WIDEST:
        text = text[: WIDEST - 1] + "…"
    return text, step.rule, ", ".join(f"s{a}" for a in step.arguments), f"s{step.symbol}"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
