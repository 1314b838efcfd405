"""A snippet's run as text: figures, the longest way, and the timeline as llvm-mca prints one."""

from __future__ import annotations

from collections.abc import Iterator

from sim.snippets import CHAIN, FRONT_END, ISSUE, MEMORY, PORTS, Code, Snippets
from sim.snippets.figures import Figures, limit_of
from sim.snippets.flow import Flow, Step

LETTERS = {CHAIN: "l", MEMORY: "m", PORTS: "p", FRONT_END: "f"}
OTHER_LETTER = "o"
ISSUES, EXECUTES, DONE = "I", "e", "E"
COLUMNS = 80
"""Of the picture."""
SHOWN, MOST_ROWS, MOST_STEPS = 3, 60, 24
"""Iterations of the timeline, its rows, and steps of a way."""
LONGEST = 36
"""Characters of an instruction."""


def text_of(title: str, entry: str, flow: Flow, figures: Figures, snippets: Snippets) -> str:
    """All that is printed."""
    one = figures
    lines = [title, f"At the begin: {entry}.", ""]
    if one.cycles is not None:
        between = f"iterations {one.first} to {one.last}"
        rate = one.instructions / one.cycles if one.cycles else 0.0
        lines += [
            f"Cycles per iteration   {one.cycles:8.2f}   {between}",
            f"Instructions per cycle {rate:8.2f}   {one.instructions} in an iteration",
        ]
    if one.latency is not None:
        lines.append(f"Latency of an iteration {one.latency:7}   cycles on its longest way")
    if one.chain is not None:
        held = "cycles by which it holds up the next one"
        lines.append(f"Latency chain          {one.chain:8.2f}   {held}")
    if one.cycles is not None:
        lines += [
            f"Limited by             {', '.join(one.limits)}",
            "",
            "Where the cycles of an iteration go",
        ]
        for limit, by in one.spent.items():
            reasons = ", ".join(f"{name} {cycles:.2f}" for name, cycles in by.items())
            total = f"{sum(by.values()):8.2f}"
            lines.append(f"  {limit:20} {total}   {reasons if limit != ISSUE else ''}".rstrip())
        if one.resources:
            lines += ["", "Cycles of an iteration in which parts are busy"]
            lines += [f"  {name:30} {busy:8.2f}" for name, busy in one.resources.items()]
    for name, steps in (("Longest way in an iteration", one.critical),
                        ("Latency chain", one.carried)):  # fmt: skip
        if steps:
            lines += ["", f"{name}: cycles from the issue before"]
            shown = steps[:MOST_STEPS]
            lines += [f"  {cycles:+6d}  {_named(flow.code, step)}" for step, cycles in shown]
            if len(steps) > MOST_STEPS:
                lines.append(f"  and {len(steps) - MOST_STEPS} more")
    return "\n".join([*lines, "", *_timeline(flow, one, snippets), ""])


def _named(code: Code, step: Step) -> str:
    place = code.location(step.number)
    where = f"{place.file.rpartition('/')[2]}:{place.line}" if place is not None else ""
    text = code.text(step.number)
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 1]}…"
    return f"{text:{LONGEST}}  {where}".rstrip()


def _timeline(flow: Flow, figures: Figures, snippets: Snippets) -> Iterator[str]:
    first = max(0, figures.last - (0 if figures.are_calls else SHOWN - 1))
    steps = [s for number in range(first, figures.last + 1) for s in flow.of(number)]
    left_out = len(steps) - MOST_ROWS
    steps = steps[:MOST_ROWS]
    begin, end = min(s.issue for s in steps), max(max(s.ready, s.issue + 1) for s in steps)
    scale = -(-(end - begin) // COLUMNS)
    of = f", a column for {scale} cycles" if scale > 1 else ""
    yield f"Timeline of iterations {first} to {figures.last} from cycle {begin} on{of}"
    index = 0
    rows = []
    number = -1
    for step in steps:
        index = index + 1 if step.iteration == number else 0
        number = step.iteration if step.iteration is not None else -1
        drawn = _drawn(flow.code, step, begin, end, scale, snippets)
        rows.append(
            f"[{number},{index}]".ljust(9) + f"{_named(flow.code, step):56} {drawn}".rstrip()
        )
    ticks = "".join(f"{k * scale:<10}" for k in range(0, -(-(end - begin) // scale), 10))
    yield f"{'':66}{ticks}".rstrip()
    yield from rows
    if left_out > 0:
        yield f"and {left_out} more: a trace by -o has them all"
    legend = ", ".join(f"{letter} {name}" for name, letter in LETTERS.items())
    yield ""
    yield f"I issue, e until its result is there, E the last cycle; waits: {legend}, o other"


def _drawn(code: Code, step: Step, begin: int, end: int, scale: int, snippets: Snippets) -> str:
    """The row of an instruction, of which what is nearer to its end is drawn over the rest."""
    columns = [" "] * (-(-(end - begin) // scale))

    def fill(first: int, last: int, letter: str) -> None:
        for cycle in range(max(first, begin), min(last, end), 1):
            columns[(cycle - begin) // scale] = letter

    for one in step.waits:
        limit = limit_of(code, snippets, one, step)
        fill(one.begin, one.end, LETTERS.get(limit, OTHER_LETTER))
    fill(step.issue + 1, step.ready - 1, EXECUTES)
    fill(max(step.issue, step.ready - 1), step.ready, DONE)
    fill(step.issue, step.issue + 1, ISSUES)
    return "".join(columns)
