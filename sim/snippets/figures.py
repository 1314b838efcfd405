"""What a snippet's run comes to: cycles of an iteration, what they go to, what limits them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sim.snippets import CHAIN, IN_ORDER, ISSUE, LIMITS, MEMORY, OTHER, Code, Snippets
from sim.snippets.flow import Flow, Step, Way
from sim.timeline.span import Span

NEARLY = 0.95
"""A bound limits where it is at least so much of what an iteration takes."""


@dataclass(frozen=True)
class Figures:
    """Of a run of a snippet.

    iterations  how many; instructions: of one
    first, last  the iterations between whose begins is measured: those before fill the pipe
    cycles      of an iteration there; None of a single one
    latency     cycles from the first issue of an iteration until all that it does is done, if only
                data is waited for: that of its longest way.  None where registers rotate
    chain       cycles of the longest way from an instruction to the same one of the next iteration;
                None of a single one, and of calls
    spent       cycles of an iteration by what they went to (LIMITS) and by reason
    resources   cycles of an iteration in which a part was busy, by its name; most first
    limits      what is nearly as long as the iteration
    critical    the longest way within the last iteration: steps, and cycles from the one before
    carried     the steps there of the longest way from an instruction of one iteration to the same
                one of the next: the latency chain
    are_calls   whether an iteration is a call of a function
    """

    iterations: int
    instructions: int
    first: int
    last: int
    cycles: float | None
    latency: int | None
    chain: float | None
    spent: Mapping[str, Mapping[str, float]]
    resources: Mapping[str, float]
    limits: Sequence[str]
    critical: Sequence[tuple[Step, int]]
    carried: Sequence[tuple[Step, int]]
    are_calls: bool = False

    def to_dict(self, code: Code) -> dict[str, Any]:
        """As plain data."""
        return {
            "iterations": self.iterations,
            "instructions": self.instructions,
            "measured": {"from": self.first, "to": self.last},
            "cycles_per_iteration": self.cycles,
            "latency": self.latency,
            "latency_chain": self.chain,
            "limits": list(self.limits),
            "spent": {name: dict(by) for name, by in self.spent.items()},
            "resources": dict(self.resources),
            "critical_path": _plain(self.critical, code),
            "carried_path": _plain(self.carried, code),
        }


def _plain(steps: Sequence[tuple[Step, int]], code: Code) -> list[dict[str, Any]]:
    return [
        {
            "instruction": code.text(step.number),
            "location": str(code.location(step.number)),
            "cycles": cycles,
        }
        for step, cycles in steps
    ]


def figures_of(
    flow: Flow,
    spans: Sequence[Span],
    snippets: Snippets,
    iterations: int,
    calls: Sequence[tuple[int, int]] = (),
) -> Figures:
    """What a flow and its timeline come to; `calls`: when each iteration began and ended, if one is
    a call.  Else it lasts until the next one begins."""
    first = max(0, min(iterations // 2, iterations - 2))
    last = iterations - 1
    begins = [min(step.issue for step in flow.of(number)) for number in range(first, last + 1)]
    within = calls[first:last] if calls else [*pairwise(begins)]
    count = last - first
    cycles = chain = None
    carried = Way()
    spent: dict[str, dict[str, float]] = {}
    resources: dict[str, float] = {}
    if count:
        cycles = sum(end - begin for begin, end in within) / count
        if not calls and flow.code.has_flow:
            carried = flow.chain(first, last)
            chain = carried.cycles / count
        spent = _spent(flow, spans, snippets, within)
        resources = _busy(spans, snippets, within)
    own = flow.of(last)
    longest = flow.longest(last) if flow.code.has_flow else None
    limits = []
    if cycles is not None:
        through = any(flow.code.is_memory(step.number) for step, _ in carried.steps)
        limits = _limits(cycles, chain or 0.0, spent, resources, through)
    return Figures(
        iterations, len(own), first, last, cycles, longest.cycles if longest else None, chain,
        spent, resources, limits, longest.steps if longest else (), carried.steps, bool(calls),
    )  # fmt: skip


Within = Sequence[tuple[int, int]]
"""From which cycle up to which each iteration lasts, in the order of time."""


def _within(one: Span, within: Within) -> int:
    """Cycles of a span in iterations."""
    if one.end <= within[0][0] or one.begin >= within[-1][1]:
        return 0
    return sum(max(0, min(one.end, end) - max(one.begin, begin)) for begin, end in within)


def _spent(
    flow: Flow, spans: Sequence[Span], snippets: Snippets, within: Within
) -> dict[str, dict[str, float]]:
    """Cycles of the part that the instructions are of, by what they go to and by reason."""
    found: dict[str, dict[str, int]] = {}
    held = {id(one): step for step in flow.steps for one in step.waits}
    for one in spans:
        if one.name not in snippets.spends or not snippets.is_of(flow.track, one.track):
            continue
        reason = one.arguments.get("reason")
        limit = ISSUE if reason is None else limit_of(flow.code, snippets, one, held.get(id(one)))
        if cycles := _within(one, within):
            by = found.setdefault(limit, {})
            name = reason or ISSUE
            by[name] = by.get(name, 0) + cycles
    return {
        limit: {name: cycles / len(within) for name, cycles in found[limit].items()}
        for limit in LIMITS
        if limit in found
    }


def _busy(spans: Sequence[Span], snippets: Snippets, within: Within) -> dict[str, float]:
    """Cycles of parts in which they did something, by name, however much at once."""
    found: dict[str, int] = {}
    ends: dict[str, int] = {}
    for one in sorted(spans, key=lambda one: one.begin):
        if one.track.family in snippets.resources:
            name = "/".join(one.track.path[1:])
            rest = one._replace(begin=max(one.begin, ends.get(name, 0)))
            if rest.begin < rest.end:
                found[name] = found.get(name, 0) + _within(rest, within)
                ends[name] = rest.end
    most = sorted(found.items(), key=lambda item: -item[1])
    return {name: cycles / len(within) for name, cycles in most if cycles}


def _limits(
    cycles: float,
    chain: float,
    spent: Mapping[str, Mapping[str, float]],
    resources: Mapping[str, float],
    through: bool,
) -> list[str]:
    """The bounds that are nearly as long as an iteration; else what takes most of it.  `through`:
    whether the latency chain goes through memory."""
    enough = NEARLY * cycles
    found = []
    if chain >= enough:
        found.append(f"{CHAIN} through {MEMORY}" if through else CHAIN)
    if sum(spent.get(ISSUE, {}).values()) >= enough:
        found.append(ISSUE)
    found += [name for name, busy in resources.items() if busy >= enough]
    if not found and spent:
        sums = {limit: sum(by.values()) for limit, by in spent.items() if limit != ISSUE}
        most = max(sums, key=lambda limit: sums[limit]) if sums else ISSUE
        found = [f"{most}, {IN_ORDER}" if most in (CHAIN, MEMORY) else most]
    return found


def limit_of(code: Code, snippets: Snippets, wait: Span, step: Step | None) -> str:
    """What cycles go to that pass before a step: what it waits for longest may be an access."""
    limit = snippets.limits.get(wait.arguments.get("reason", ""), OTHER)
    if limit == CHAIN and step is not None and step.held is not None:
        return MEMORY if code.is_memory(step.held.number) else CHAIN
    return limit
