"""Snippets on `duo`: buffers, and tensor operations that are repeated."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Any

from duo.target import Command, intervals_of
from machines.description.load import Machine
from machines.diagnostics import Location
from sim.prepared_case import PreparedCase
from sim.snippets import ISSUE, MEMORY, PORTS, Snippets, Text, Wrapped
from sim.timeline.span import Span, Track

BUFFER = re.compile(r"^\w+: .* in \w+$")


def wrap(text: Text, iterations: int, machine: Machine) -> Wrapped:
    """Buffers first, then the copies."""
    lines, origins = [], []
    for number, line in enumerate(text.lines):
        if BUFFER.match(line):
            lines.append(line)
            origins.append((number, 0))
    lines += ["func @snippet() {", "entry:"]
    origins += [None, None]
    for iteration in range(iterations):
        for number, line in enumerate(text.lines):
            if not BUFFER.match(line):
                lines.append(line)
                origins.append((number, iteration))
    source = "\n".join([*lines, "return", "}", ""])
    origins += [None, None]
    return Wrapped(source, origins, {"entry": "snippet"}, None, 0, "buffers hold zeros")


class DuoCode:
    """The commands of both queues, numbered as their spans come."""

    has_flow = True

    def __init__(self, prepared: PreparedCase):
        self._left = {name: list(queue) for name, queue in prepared.program.queues.items()}
        self._commands: list[Command] = []
        self._numbers: dict[int, int] = {}

    def issued(self, one: Span) -> Sequence[int]:
        if one.name != "command":
            return ()
        if id(one) not in self._numbers:
            self._numbers[id(one)] = len(self._commands)
            self._commands.append(self._left[one.track.parent.name].pop(0))
        return (self._numbers[id(one)],)

    def thread(self, one: Span) -> Hashable:
        return None

    def accessed(self, one: Span) -> int | None:
        return self._numbers.get(id(one))

    def is_memory(self, number: int) -> bool:
        return self._commands[number].engine == "copy"

    def text(self, number: int) -> str:
        return self._commands[number].text

    def location(self, number: int) -> Location | None:
        return self._commands[number].instruction.location

    def writes(self, number: int) -> Sequence[Hashable]:
        return [(one.buffer, kind.access) for one, kind in self._touched(number)]

    def reads(self, number: int) -> Sequence[tuple[Hashable, Any]]:
        found = [((one.buffer, "store"), None) for one, _ in self._touched(number)]
        stored = [one for one, kind in self._touched(number) if kind.access == "store"]
        return found + [((one.buffer, "load"), None) for one in stored]

    def _touched(self, number: int):
        return intervals_of(self._commands[number].instruction)

    def cycles(self, producer: int, use: Any, what: Hashable, took: int | None) -> int:
        return took or 0

    def latency(self, number: int, took: int | None) -> int:
        return took or 0


def is_of(own: Track | None, other: Track) -> bool:
    return own is not None and own.parent is other


SNIPPETS = Snippets(
    wraps={".sir": wrap},
    code=DuoCode,
    instruction="command",
    spends=("engine",),
    limits={
        **{f"{engine}.begin": ISSUE for engine in ("compute", "copy")},
        **{f"{engine}.{what}": MEMORY for engine in ("compute", "copy")
           for what in ("transfer", "bus")},
        "compute.work": PORTS,
    },
    machines={},
    is_of=is_of,
)  # fmt: skip
