"""Convergence markers as text, data and a graph: the view `markers` of `simrun explain`.

example: markers before B0, B3, B4, B5 (rules sound)
block  leads to  frontier  meets at
B0  *  B1 B5     B5        B5
…
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sim.explain import View
from sim.graphs import graph


def view_markers(facts: Any) -> View:
    """The data has the markers and the queue after every step, and schedules where paths are
    given."""
    content: dict[str, Any] = {
        "function": facts.function,
        "markers": facts.markers,
        "queue": [[_item(item) for item in step.queue] for step in facts.steps],
    }
    if facts.schedules:
        content["schedules"] = [_schedule(schedule) for schedule in facts.schedules]
    nodes = [(b.name, b.name + ("\nmarker" if b.is_marked else "")) for b in facts.blocks]
    edges = [(b.name, target, "") for b in facts.blocks for target in b.successors]
    return View("\n".join(_lines(facts)) + "\n", content, graph(facts.function, nodes, edges))


def _item(item: Any) -> dict[str, Any]:
    return {"last": item.last, "blocks": item.blocks, "edges": [list(edge) for edge in item.edges]}


def _schedule(schedule: Any) -> dict[str, Any]:
    return {
        "policy": schedule.policy,
        "issued": len(schedule.steps),
        "checks": schedule.checks,
        "checks_while_diverged": schedule.diverged_checks,
        "divergences": schedule.divergences,
        "merges": schedule.merges,
        "most_groups": schedule.most_groups,
        "blocks": [{"block": block, "threads": threads} for block, threads in schedule.steps],
    }


def _lines(facts: Any) -> Iterator[str]:
    yield f"{facts.function}: markers {_place(facts)} (rules {facts.rules})"
    yield from _table(facts)
    yield ""
    yield "queue of path items after every step: [last block: all blocks]"
    for number, step in enumerate(facts.steps):
        items = "  ".join(f"[{item.last}: {' '.join(item.blocks)}]" for item in step.queue)
        marked = f"    marked: {' '.join(step.marked)}" if step.marked else ""
        yield f"  {number}  {items or 'empty'}{marked}"
    if facts.by_frontier:
        yield f"  marked as running threads could pass waiting ones: {' '.join(facts.by_frontier)}"
    if facts.schedules:
        yield ""
        yield from _schedules(facts.schedules)


def _place(facts: Any) -> str:
    if not facts.markers:
        return "nowhere"
    if facts.position == "before":
        return f"before {', '.join(facts.markers)}"
    if facts.position == "first_in_block":
        return f"first in {', '.join(facts.markers)}"
    marked = set(facts.markers)
    ends = [block.name for block in facts.blocks if marked & set(block.successors)]
    return f"at the end of {', '.join(ends)}"


def _table(facts: Any) -> Iterator[str]:
    rows = [("block", "", "leads to", "frontier", "threads meet at")]
    for block in facts.blocks:
        meets = block.meets_at if len(block.successors) > 1 else None
        star = "*" if block.is_marked else ""
        cells = (" ".join(block.successors), " ".join(block.frontier), meets or "")
        rows.append((block.name, star, *cells))
    yield from _aligned(rows)


def _schedules(schedules: Sequence[Any]) -> Iterator[str]:
    rows = [("policy", "issued", "checks", "while diverged", "divergences", "merges", "groups")]
    for one in schedules:
        counts = (
            len(one.steps), one.checks, one.diverged_checks, one.divergences, one.merges,
            one.most_groups,
        )  # fmt: skip
        rows.append((one.policy, *map(str, counts)))
    yield "blocks issued for the given paths"
    yield from _aligned(rows)
    for one in schedules:
        yield ""
        yield f"{one.policy}: each block with its threads"
        for block, threads in one.steps:
            yield f"  {block} {{{', '.join(map(str, threads))}}}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield ("  " + "  ".join(cells)).rstrip()
