"""What is certain whenever a packet is due, so that its code need not look at it.

    add r8 = r9, r10 ;;        r8 is there a cycle later: no packet behind this one waits for it
    ld8 r11 = [r8] ;;          nobody knows when this comes
    add r12 = r11, r8 ;;       waits for r11, if it must
    xor r13 = r11, r12 ;;      r11 has been waited for

A forward data flow analysis (Kildall, POPL 1973) of the packets that the pipe can come to stand at.
Of every use of a register that some packet checks it finds for how many cycles at most, counted
from the cycle in which a packet is due, it may have to be waited for: each packet before has taken
a cycle at least.  Where ways meet the larger number holds, and a definition under a guard may not
have happened.

Nothing is known where a way begins that is no edge from packet to packet: at the packets that are
`foreseen`, where calls go to and come back.  If an indirect branch ever goes elsewhere the core
notes it (at.UNFORESEEN), and no packet's code is used any more.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sim.cores.epic import state as at
from sim.cores.epic.packets import Packet, flags_of, packet_of, target_of
from sim.cores.epic.state import CoreState

UNKNOWN = 1 << 14
"""Cycles, more than any latency that is known beforehand."""
LOUD = at.MEMORY | at.BRANCHES | at.MAY_FAULT
"""Flags of what may hold the pipe."""


class Certain(NamedTuple):
    """checks  entries of a packet's checks that may find something to wait for
    line    whether the front end may not hold its last line
    pipe    whether something before it may hold the pipe
    """

    checks: tuple[int, ...]
    line: bool
    pipe: bool


class Edge(NamedTuple):
    """A way to another packet, and for how many cycles each key may be waited for there."""

    to: int
    late: np.ndarray
    is_taken: bool


class Uses:
    """The uses of registers that packets check, numbered: register and column of `toward`.

    `renamed` are those of registers that may come to mean others.
    """

    def __init__(self, state: CoreState, packets: list[Packet]):
        self.state = state
        columns = int(state.parameters[at.USE_COLUMNS])
        self.toward = state.toward.reshape(-1, columns).astype(np.int64)
        found = {self.pair(entry) for packet in packets for entry in packet.checks}
        self.files = [file for file in _renamed_files(state.parameters) if len(file)]
        for file in self.files:  # what one of them is checked for, another may be after a rotation
            asked = {column for register, column in found if register in file}
            found |= {(register, column) for register in file for column in asked}
        self.number = {pair: k for k, pair in enumerate(sorted(found))}
        self.of_register: dict[int, list[int]] = {}
        for (register, _), k in self.number.items():
            self.of_register.setdefault(register, []).append(k)
        self.columns = np.array([column for _, column in self.number], dtype=np.int64)
        self.renamed = [k for (register, _), k in self.number.items() if self._file(register)]
        self.before = self._before()
        self.classes = self._classes(packets)

    def pair(self, entry: int) -> tuple[int, int]:
        check = int(self.state.checks[entry])
        return check & at.REGISTER_MASK, check >> at.COLUMN_SHIFT & at.COLUMN_MASK

    def defined(self, mark: int) -> list[int]:
        """The uses of the registers that a mark is about."""
        register = mark & at.REGISTER_MASK
        registers = at.PREDICATES if register == at.ALL_PREDICATES else [register]
        return [k for one in registers for k in self.of_register.get(one, ())]

    def cycles(self, mark: int, uses: list[int]) -> np.ndarray:
        """From the issue of what a mark says to each use."""
        return self.toward[mark >> at.MARK_SHIFT, self.columns[uses]]

    def known_with(self, entry: int) -> tuple[list[int], np.ndarray]:
        """Uses of the same register as an entry's, and how many cycles later at most than that one
        each of them may be."""
        register, column = self.pair(entry)
        uses = self.of_register[register]
        classes = sorted(self.classes.get(self._pool(register), ()))
        toward = self.toward[classes]
        more = toward[:, self.columns[uses]] - toward[:, column, None]
        return uses, np.maximum(more.max(axis=0, initial=0), 0)

    def rotated(self, late: np.ndarray) -> np.ndarray:
        """Behind a branch that may rotate: each name may mean what the one before it meant."""
        turned = np.append(late, UNKNOWN)[self.before]
        return np.maximum(late, turned)

    def _file(self, register: int) -> range | None:
        return next((file for file in self.files if register in file), None)

    def _pool(self, register: int) -> int:
        """One register for all that may come to mean each other."""
        file = self._file(register)
        return file[0] if file else register

    def _before(self) -> np.ndarray:
        """The use that a rotation turns into each; itself where none does, -1 where it is one of a
        register without a name."""
        found = list(range(len(self.number)))
        for (register, column), k in self.number.items():
            file = self._file(register)
            if file:
                found[k] = self.number[register - 1, column] if register > file[0] else -1
        return np.array(found, dtype=np.int64)

    def _classes(self, packets: list[Packet]) -> dict[int, set[int]]:
        """The classes of what defines each register, or one of its pool."""
        found: dict[int, set[int]] = {}
        for syllable in {one for packet in packets for one in packet.syllables}:
            row = self.state.code[syllable * at.CODE_COLUMNS :]
            for column in (at.MARK, at.SECOND_MARK, at.THIRD_MARK):
                mark = int(row[column])
                register = mark & at.REGISTER_MASK
                registers = at.PREDICATES if register == at.ALL_PREDICATES else [register]
                for one in registers if mark else ():
                    found.setdefault(self._pool(one), set()).add(mark >> at.MARK_SHIFT)
        return found


class Certainties:
    """What is certain of each packet of a program that the pipe can come to stand at."""

    def __init__(self, state: CoreState):
        self.state = state
        self.starts = set(np.flatnonzero(state.foreseen).tolist())
        self.packets = self._reached()
        self.uses = Uses(state, list(self.packets.values()))
        self.late: dict[int, np.ndarray] = {}
        self.sources: dict[int, set[tuple[int, bool]]] = {}
        self._flow()

    def of(self, number: int) -> Certain:
        packet = self.packets.get(number)
        if packet is None:  # no way leads here that was foreseen
            packet = packet_of(self.state, number)
            return Certain(tuple(packet.checks), True, True)
        late, numbers = self.late[number], self.uses.number
        checks = (entry for entry in packet.checks if late[numbers[self.uses.pair(entry)]] > 0)
        if number in self.starts:
            return Certain(tuple(checks), True, True)
        sources = [(self.packets[source], is_taken) for source, is_taken in self.sources[number]]
        line = any(source.line != packet.line for source, _ in sources)
        pipe = any(is_taken or self._is_loud(source) for source, is_taken in sources)
        return Certain(tuple(checks), line, pipe)

    def _is_loud(self, packet: Packet) -> bool:
        return any(flags_of(self.state, one) & LOUD for one in packet.syllables)

    def _reached(self) -> dict[int, Packet]:
        found: dict[int, Packet] = {}
        rest = list(self.starts)
        while rest:
            number = rest.pop()
            if number in found:
                continue
            packet = found[number] = packet_of(self.state, number)
            rest.append(packet.following)
            rest += [
                target_of(self.state, syllable)
                for syllable in packet.syllables
                if _goes_to_a_packet(flags_of(self.state, syllable))
            ]
        return found

    def _flow(self) -> None:
        """Let what is known flow along all edges until nothing changes."""
        nothing = np.full(len(self.uses.number), UNKNOWN, dtype=np.int64)
        self.late = dict.fromkeys(self.starts, nothing)
        rest = sorted(self.starts)
        while rest:
            number = heapq.heappop(rest)
            while rest and rest[0] == number:
                heapq.heappop(rest)
            for edge in self._edges(self.packets[number], self.late[number]):
                self.sources.setdefault(edge.to, set()).add((number, edge.is_taken))
                known = self.late.get(edge.to)
                late = edge.late if known is None else np.maximum(known, edge.late)
                if known is None or (late != known).any():
                    self.late[edge.to] = late
                    heapq.heappush(rest, edge.to)

    def _edges(self, packet: Packet, late: np.ndarray) -> Iterator[Edge]:
        """The ways on from a packet that is due when uses may be that late."""
        late, uses = late.copy(), self.uses
        for entry in packet.checks:
            if not int(self.state.checks[entry]) >> at.GUARD_SHIFT & at.GUARD_MASK:
                known, more = uses.known_with(entry)
                late[known] = np.minimum(late[known], more)
        late = np.where(late < UNKNOWN, np.maximum(late - 1, 0), UNKNOWN)
        for syllable in packet.syllables:
            flags = flags_of(self.state, syllable)
            self._define(late, syllable, flags)
            if flags & at.BRANCHES:
                if flags & at.ROTATES:
                    late = uses.rotated(late)
                if _goes_to_a_packet(flags):
                    yield Edge(target_of(self.state, syllable), late.copy(), True)
            elif flags & at.FRAMES and not flags & at.MEMORY:
                late[uses.renamed] = UNKNOWN
        yield Edge(packet.following, late, False)

    def _define(self, late: np.ndarray, syllable: int, flags: int) -> None:
        """Note what a syllable writes, and when it comes."""
        row = self.state.code[syllable * at.CODE_COLUMNS :][: at.CODE_COLUMNS].tolist()
        happens = row[at.GUARD] & at.REGISTER_MASK == at.PREDICATE and not flags & at.PREFETCHES
        columns = [
            at.MARK,
            at.SECOND_MARK,
            *[at.THIRD_MARK] * bool(flags & (at.MEMORY | at.BRANCHES)),
        ]
        for column in columns:
            mark = row[column]
            defined = self.uses.defined(mark) if mark else []
            if not defined:
                continue
            comes = np.maximum(self.uses.cycles(mark, defined) - 1, 0)
            if flags & at.LOADS and column != at.THIRD_MARK:
                comes = np.full(len(defined), UNKNOWN)
            late[defined] = comes if happens else np.maximum(late[defined], comes)


def _goes_to_a_packet(flags: int) -> bool:
    return bool(flags & at.BRANCHES and not flags & at.INDIRECT)


def _renamed_files(parameters: np.ndarray) -> Iterator[range]:
    """The names of each file that may come to mean others."""
    for start, first, named in (
        (at.GENERAL, at.FIRST_GENERAL, at.NAMED_GENERAL),
        (at.FLOATING, at.FIRST_FLOATING, at.NAMED_FLOATING),
        (at.PREDICATE, at.FIRST_ROTATING_PREDICATE, at.NAMED_PREDICATES),
    ):
        yield range(
            start + int(parameters[first]), start + int(parameters[first] + parameters[named])
        )
