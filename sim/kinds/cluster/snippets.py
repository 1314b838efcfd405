"""Snippets on chips of clusters: lines of commands, one copy behind the other, that one core gives.

    x: f32[4096] in dram                          the buffers, once
    a: f32[512] in nram
    tensor.copy.f32 a[0:512], x[0:512]            the snippet, copy 0, copy 1, … copy N - 1
    tensor.add.f32 a[0:512], a[0:512], a[0:512]

Commands stay as they are written and in their order; a core waits for what a command needs
(`place_waits`).  All other cores do nothing, unless the SRAM of a cluster is used.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from machines.description.load import Machine
from machines.diagnostics import Location, input_error
from machines.kinds.cluster.program import ClusterProgram, Interval, StreamInstruction
from machines.kinds.cluster.queues import IPU, MEM
from machines.operations.row import Label
from sim.cores.cluster.core import BARRIER, IDLE, QUEUE, RESULT, SCALAR, WAIT
from sim.prepared_case import PreparedCase
from sim.snippets import CHAIN, ISSUE, MEMORY, OTHER, PORTS, Snippets, Text, Wrapped
from sim.snippets.functions import has_function, of_function
from sim.timeline.span import Span, Track

PASSES = ("allocate_scratchpads", "place_waits")
BUFFER = re.compile(r"^\s*\w+\s*:\s*\w+\[.*\]\s+in\s+\w+")
LABEL = re.compile(r"^\s*[\w.]+:\s*$")
OTHERS = re.compile(r"^\s*(jump|branch|return|call|func|\})")
AHEAD = 8
"""Copies behind those that are looked at: a core gives commands ahead of what engines do."""
TENSOR_WAITS = {"wait_compute": PORTS}
ENTRY = "buffers hold zeros; one core gives the commands, and no other has anything to do"
ENTRY_OF_CLUSTER = (
    "buffers hold zeros; all cores of a cluster give the commands, as they share its SRAM; the "
    "first is looked at"
)


def wrap(text: Text, iterations: int, machine: Machine) -> Wrapped:
    """The program of a snippet; raises InputError."""
    if has_function(text, ".sir"):
        return function(text, iterations, machine)
    buffers: list[tuple[int, str]] = []
    body: list[tuple[int, str]] = []
    for number, line in enumerate(text.lines):
        code = re.split("//|#", line)[0].rstrip()
        if BUFFER.match(code):
            buffers.append((number, code))
        else:
            _check(text, number, code)
            body.append((number, code))
    if not any(code.strip() for _, code in body):
        message = f"{text.name} has no command"
        raise input_error(message, hint="a line is a command: tensor.copy.f32 a[0:64], x[0:64]")
    lines = [code for _, code in buffers]
    origins: list[tuple[int, int] | None] = [(number, 0) for number, _ in buffers]
    lines += ["func @snippet() {", "entry:"]
    origins += [None, None]
    for iteration in range(iterations + AHEAD):
        lines += [code for _, code in body]
        origins += [(number, iteration) for number, _ in body]
    lines += ["return", "}"]
    origins += [None, None]
    shares = any(re.search(r"\bin\s+sram\b", code) for _, code in buffers)
    task = {"kernel": "snippet", "type": "block", "dim": 1}
    if shares:
        task |= {"type": "union1", "dim": machine.description.cores}
    workload = {"entry": "snippet", "tasks": [task]}
    entry = ENTRY_OF_CLUSTER if shares else ENTRY
    return Wrapped("\n".join(lines) + "\n", origins, workload, PASSES, 0, entry)


def _check(text: Text, number: int, code: str) -> None:
    """Raise InputError where a line is none of straight code."""
    if LABEL.match(code) or OTHERS.match(code):
        word = code.split()[0]
        hint = "leave it out: the snippet is repeated; a whole function is a workload's: --trace it"
        raise text.wrong(number, f"a snippet is straight code, without '{word}'", hint, word)


class ClusterCode:
    """The commands of a program, by the line that each stands in.

    What they wait for are stretches of buffers between the bounds that occur: that they are
    written, and, for who writes them, that they have been read.
    """

    has_flow = True

    def __init__(self, prepared: PreparedCase):
        program = prepared.program
        assert isinstance(program, ClusterProgram)
        [task, *_] = prepared.compiled.workload.form.tasks
        self._is_of_several = task.type != "block"
        self._at: dict[int, tuple[StreamInstruction, Location]] = {}
        for code in program.codes:
            for position, one in enumerate(code.code):
                place = program.locations[code.first + position]
                if one.queue is not None and place is not None:
                    self._at[place.line] = one, place
        bounds: dict[str, set[int]] = {}
        for one, _ in self._at.values():
            for _, interval in _intervals(one):
                bounds.setdefault(interval.buffer, set()).update(_ends(interval))
        self._bounds = {buffer: sorted(found) for buffer, found in bounds.items()}

    def issued(self, one: Span) -> Sequence[int]:
        place = one.arguments.get("location") if one.name == "command" else None
        return (place.line,) if place is not None and place.line in self._at else ()

    def thread(self, one: Span) -> Hashable:
        """Tasks of one core may be on different ones; of several, each has its own."""
        return one.track.parent if self._is_of_several else None

    def accessed(self, one: Span) -> int | None:
        return next(iter(self.issued(one)), None)

    def is_memory(self, number: int) -> bool:
        return self._at[number][0].queue != "compute"

    def text(self, number: int) -> str:
        return str(self._at[number][0])

    def location(self, number: int) -> Location | None:
        return self._at[number][1]

    def writes(self, number: int) -> Sequence[Hashable]:
        return [(writes, *stretch) for writes, stretch in self._touched(number)]

    def reads(self, number: int) -> Sequence[tuple[Hashable, Any]]:
        found: list[tuple[Hashable, Any]] = []
        for writes, stretch in self._touched(number):
            found.append(((True, *stretch), None))
            if writes:
                found.append(((False, *stretch), None))
        return found

    def _touched(self, number: int) -> Iterator[tuple[bool, tuple[str, int]]]:
        """Whether it writes, and which stretch."""
        for writes, interval in _intervals(self._at[number][0]):
            low, high = _ends(interval)
            for bound in self._bounds[interval.buffer]:
                if low <= bound < high:
                    yield writes, (interval.buffer, bound)

    def cycles(self, producer: int, use: Any, what: Hashable, took: int | None) -> int:
        return self.latency(producer, took)

    def latency(self, number: int, took: int | None) -> int:
        return took or 0


def _intervals(one: StreamInstruction) -> Iterator[tuple[bool, Interval]]:
    """Those of a command, and whether it writes them."""
    kinds = [operand.kind for operand in one.row.reads if not isinstance(operand.kind, Label)]
    for kind, given in zip(kinds, one.operands, strict=True):
        if isinstance(given, Interval):
            yield kind.access == "store", given


def _ends(interval: Interval) -> tuple[int, int]:
    """Its first element and the one behind its last; of bounds that registers hold, everything."""
    low, high = interval.low, interval.high
    for count, stride in interval.steps:
        if not isinstance(count, int) or not isinstance(stride, int):
            return 0, 1 << 62
        if isinstance(high, int):
            high += (count - 1) * stride
    if not isinstance(low, int) or not isinstance(high, int):
        return 0, 1 << 62
    return low, high


def is_of(own: Track | None, other: Track) -> bool:
    """Whether a queue is of the core on whose track that is."""
    return own is not None and own.parent is other


def _tasks(entry: str, count: int, machine: Machine) -> dict[str, Any]:
    """Of one core."""
    return {"tasks": [{"kernel": entry, "type": "block", "dim": 1}] * count}


function = of_function(".sir", _tasks, 0)


def _limits() -> dict[str, str]:
    """By what a core does; roles stand before it."""
    own = {SCALAR: ISSUE, QUEUE: PORTS, RESULT: CHAIN, BARRIER: OTHER, IDLE: OTHER}
    own |= {wait: TENSOR_WAITS.get(wait, MEMORY) for wait in WAIT.values()}
    return {f"{role}.{what}": limit for role in (IPU, MEM) for what, limit in own.items()}


SNIPPETS = Snippets(
    wraps={".sir": wrap, ".py": of_function(".py", _tasks, 0)},
    code=ClusterCode,
    instruction="command",
    spends=("core",),
    limits=_limits(),
    resources=("engine", "link"),
    machines={".sir": "mlu370"},
    is_of=is_of,
)
