"""What happens before what, whatever the times are, and where nothing says so: races.

    core 0   command 1 of io writes a      core 0   command 1 of compute reads a      a race
    core 0   command 1 of io writes a, sync_io, command 1 of compute reads a          none

A command comes behind those before it in its queue, and behind all that its core knew to have ended
when it gave the command: what it waited for, and what others knew when they met.  Knowledge is a
vector: of every queue of the chip, how many of its commands have ended (vector clocks: Fidge, 1988;
Mattern, 1989).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from compiler.ir.module import Instruction


class Span(NamedTuple):
    """Bytes first … end - 1 of a memory."""

    memory: tuple
    first: int
    end: int
    stores: bool


class Race(NamedTuple):
    """Two commands of which nothing says which comes first, and bytes that one of them writes and
    the other one touches; who gave each is in words."""

    first: Instruction
    second: Instruction
    who: tuple[str, str]
    span: Span

    def __str__(self) -> str:
        space, *where = self.span.memory
        owner = f" of {', '.join(map(str, where))}" if where else ""
        lines = [f"'{i.operation}' in line {i.location.line}" if i.location else f"'{i.operation}'"
                 for i in (self.first, self.second)]  # fmt: skip
        return (
            f"{lines[0]} of {self.who[0]} and {lines[1]} of {self.who[1]} both touch bytes "
            f"{self.span.first} to {self.span.end - 1} of {space}{owner}, and nothing says which "
            "comes first"
        )


class _Access(NamedTuple):
    first: int
    end: int
    stores: bool
    queue: int
    number: int
    instruction: Instruction


@dataclass
class _Queue:
    """`known`: what its youngest command comes behind; `behind`: that of every one."""

    known: np.ndarray
    behind: list[np.ndarray] = field(default_factory=list)


class Order:
    """The order of a run.

    names  of all queues of the chip, for messages
    """

    def __init__(self, names: Sequence[str]):
        self.names = names
        self.queues = [_Queue(np.zeros(len(names), np.int64)) for _ in names]
        self.accesses: dict[tuple, list[_Access]] = {}
        self.races: list[Race] = []

    def knowledge(self) -> np.ndarray:
        """That of a core that begins."""
        return np.zeros(len(self.names), np.int64)

    def command(
        self, queue: int, known: np.ndarray, instruction: Instruction, spans: Iterable[Span]
    ) -> None:
        """A core that knows so much gives a command, which touches these bytes."""
        state = self.queues[queue]
        state.known = np.maximum(state.known, known)
        state.known[queue] = len(state.behind)
        state.behind.append(state.known)
        number = len(state.behind)
        for span in spans:
            self._touch(span, queue, number, state.known, instruction)

    def _touch(
        self, span: Span, queue: int, number: int, behind: np.ndarray, instruction: Instruction
    ) -> None:
        kept = []
        for old in self.accesses.get(span.memory, ()):
            meets = old.first < span.end and span.first < old.end
            ordered = old.number <= behind[old.queue] or (old.queue, old.number) == (queue, number)
            if meets and (old.stores or span.stores) and not ordered:
                common = Span(span.memory, max(old.first, span.first), min(old.end, span.end), True)
                who = self.names[old.queue], self.names[queue]
                self.races.append(Race(old.instruction, instruction, who, common))
            covered = span.first <= old.first and old.end <= span.end
            same = span.stores or (old.queue == queue and not old.stores)
            if not (covered and same and ordered):
                kept.append(old)
        kept.append(_Access(span.first, span.end, span.stores, queue, number, instruction))
        self.accesses[span.memory] = kept

    def waited(self, queue: int, known: np.ndarray, left: int = 0) -> np.ndarray:
        """What a core knows behind a wait that leaves so many of a queue's youngest."""
        behind = self.queues[queue].behind
        ended = len(behind) - left
        if ended <= 0:
            return known
        known = np.maximum(known, behind[ended - 1])
        known[queue] = max(known[queue], ended)
        return known

    @staticmethod
    def met(knowledge: Iterable[np.ndarray]) -> np.ndarray:
        """What all know who have met."""
        return np.maximum.reduce(list(knowledge))
