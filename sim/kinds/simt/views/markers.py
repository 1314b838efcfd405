"""View `markers`: where threads of a warp should look for others.

example: markers before B0, B3, B4, B5 (rules sound)
block  leads to  frontier  meets at
B0  *  B1 B5     B5        B5
…

The blocks are those of the function as it is written, in the order in which it is written; of a
compiled one those of the machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from compiler import Compilation
from compiler.ir.module import Function
from compiler.targets.simt.analyses.convergence import RULES
from compiler.targets.simt.passes.place_convergence import POSITIONS
from sim.kinds.simt.views.marker_facts import ItemFacts, MarkerFacts, ScheduleFacts, marker_facts
from sim.views import COMPILED, DOT, JSON, SOURCE, TEXT, Option, Shown, View, several
from sim.views.graphs import digraph
from sim.views.tables import aligned


def show_markers(
    function: Function, rules: str = RULES[0], marker_position: str = POSITIONS[0], paths: str = ""
) -> Shown:
    """The data has the markers and the queue after every step, and schedules where `paths` of
    threads are given.  Raises InputError for paths that the function has not."""
    facts = marker_facts(function, rules, paths)
    content: dict[str, Any] = {
        "function": facts.function,
        "markers": facts.markers,
        "queue": [[_item(item) for item in step.queue] for step in facts.steps],
    }
    if facts.schedules:
        content["schedules"] = [_schedule(schedule) for schedule in facts.schedules]
    nodes = [(b.name, b.name + ("\nmarker" if b.is_marked else "")) for b in facts.blocks]
    edges = [(b.name, target, "") for b in facts.blocks for target in b.successors]
    text = "\n".join(_lines(facts, marker_position)) + "\n"
    return Shown(text, content, digraph(facts.function, nodes, edges))


def show_compiled_markers(compilation: Compilation, **options: str) -> Shown:
    """Those of the machine code, whose blocks are in their final order, kernel by kernel."""
    return several({f.name: show_markers(f, **options) for f in compilation.functions})


def _item(item: ItemFacts) -> dict[str, Any]:
    return {"last": item.last, "blocks": item.blocks, "edges": [list(edge) for edge in item.edges]}


def _schedule(schedule: ScheduleFacts) -> dict[str, Any]:
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


def _lines(facts: MarkerFacts, position: str) -> Iterator[str]:
    yield f"{facts.function}: markers {_where(facts, position)} (rules {facts.rules})"
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


def _where(facts: MarkerFacts, position: str) -> str:
    if not facts.markers:
        return "nowhere"
    if position == "before":
        return f"before {', '.join(facts.markers)}"
    if position == "first_in_block":
        return f"first in {', '.join(facts.markers)}"
    marked = set(facts.markers)
    ends = [block.name for block in facts.blocks if marked & set(block.successors)]
    return f"at the end of {', '.join(ends)}"


def _table(facts: MarkerFacts) -> Iterator[str]:
    rows = [("block", "", "leads to", "frontier", "threads meet at")]
    for block in facts.blocks:
        meets = block.meets_at if len(block.successors) > 1 else None
        star = "*" if block.is_marked else ""
        cells = (" ".join(block.successors), " ".join(block.frontier), meets or "")
        rows.append((block.name, star, *cells))
    yield from (f"  {line}" for line in aligned(rows))


def _schedules(schedules: Sequence[ScheduleFacts]) -> Iterator[str]:
    rows = [("policy", "issued", "checks", "while diverged", "divergences", "merges", "groups")]
    for one in schedules:
        counts = (
            len(one.steps), one.checks, one.diverged_checks, one.divergences, one.merges,
            one.most_groups,
        )  # fmt: skip
        rows.append((one.policy, *map(str, counts)))
    yield "blocks issued for the given paths"
    yield from (f"  {line}" for line in aligned(rows))
    for one in schedules:
        yield ""
        yield f"{one.policy}: each block with its threads"
        for block, threads in one.steps:
            yield f"  {block} {{{', '.join(map(str, threads))}}}"


def _view(needs: str, make: Callable[..., Shown]) -> View:
    return View(
        "markers",
        "Where threads of a warp should look for others, in the source or in compiled code.",
        needs,
        make,
        (TEXT, JSON, DOT),
        (
            Option("rules", "How blocks are chosen.", "NAME", lambda: RULES),
            Option("marker-position", "Where a marker stands.", "NAME", lambda: POSITIONS, (TEXT,)),
            Option(
                "paths",
                "What a warp issues if its threads take these paths: B0-B1-B3,B0-B2-B3.",
                "PATHS",
                formats=(TEXT, JSON),
            ),
        ),
    )


VIEWS = (_view(SOURCE, show_markers), _view(COMPILED, show_compiled_markers))
