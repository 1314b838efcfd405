"""Which packets get code of their own, and when.

A run begins in `advance`, which reads every syllable's fields.  Packets that issue often get code
(see `sim.cores.epic.bind_packets`), as soon as what they have cost without it is what making it
costs: so no run takes more than twice as long as it would have if that had been known beforehand.
What earlier runs of the same program on the same machine have cost counts, too.  The code is made
in a thread while the run goes on, and kept: a later run finds it.

When a packet gets its code cannot be seen in any result.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import llvmlite.binding as llvm
import numpy as np

from machines.cache.entries import Entries
from machines.diagnostics import InputError
from sim.cores.addresses import places_of
from sim.cores.bound_code import bound
from sim.cores.epic import state as at
from sim.cores.epic.bind_packets import in_functions, text_of
from sim.cores.epic.packets import packet_of
from sim.cores.epic.state import CoreState
from sim.cores.machine_code import Code, load_object

CODE, EARNED = "bound", "earned"
"""What is kept of a program: code, or the executions that runs without code have paid for it."""
LOOK_AFTER = 100_000
"""Packets issued: as long as it takes to find and load what was kept."""
LOOK_EVERY = 50_000
"""Cycles between looks, at least."""
WHOLE, EACH = 15_000_000, 1_000_000
"""What code costs: the executions of instructions without it that save as much, for any code, and
for each instruction in it.  Measured: 0.15 s, and 6 to 14 ms each; 6 to 13 ns are saved by each
execution (`python -m tests.benchmarks.bound_code`)."""
MOST_WITH_CODE = 2200
"""Instructions: the code of more of them and what it needs do not fit into the nearer caches of a
processor.  Measured on programs of `deciding_program`: twice as fast as `advance` at 400, 1.4 times
at 1 800, 1.1 times at 2 500."""
LOADED = 32
"""Parts of programs that a process keeps loaded for its next runs."""
HOT_SHARE = 256
"""A packet is hot that issues at least once when the hottest does so often."""


class Part(NamedTuple):
    """Code that was made at one time, and the packets that it is for."""

    packets: list[int]
    code: bytes


class HotPackets:
    """The packets of one run, and the code that they have."""

    def __init__(self, state: CoreState, buffer: np.ndarray, core: Code):
        self.state, self.buffer, self.core = state, buffer, core
        self.counts = state.packets.reshape(-1, at.PACKET_COLUMNS)[:, at.COUNT].astype(np.int64)
        self.parts: list[Part] = []
        self._engines: list[llvm.ExecutionEngine] = []
        self._before = np.zeros_like(state.packet_counts)
        self._earned = 0
        self._look_at = LOOK_EVERY
        self._has_asked = False
        self._making: _Making | None = None

    @property
    def next_look(self) -> int:
        """The cycle in which to look again, if that is not at the end of a quantum."""
        return at.NEVER if self._has_asked else self._look_at

    def look(self) -> None:
        """Give packets their code where it is there, and have it made where that pays."""
        cycle = self.state.scalars[at.CYCLE]
        if cycle < self._look_at:
            return
        self._look_at = int(cycle) + LOOK_EVERY
        if self._making is not None:
            if self._making.is_alive():
                return
            self._take(self._making.part())
            self._making = None
        if not self._has_asked and self._issued() >= LOOK_AFTER:
            self._ask()
        hot, executions, cost = self.hot()
        if self._has_asked and executions >= cost:
            self._making = _Making(self, hot)
            self._making.start()

    def rest(self) -> None:
        """Wait for code that is being made: it is made of what `parameters` says, too, which is
        about to change."""
        if self._making is not None:
            self._making.join()

    def end(self) -> None:
        """Note what a run without code has paid, for those that come."""
        if self._has_asked and not self.parts and self._making is None:
            _put(EARNED, self.key, str(self.hot()[1]).encode())

    @cached_property
    def key(self) -> str:
        """The name of what is kept: all that the code of any packet is made of."""
        digest = hashlib.sha256(self.core.digest.encode())
        digest.update(json.dumps(_fixed_places(self.state, self.buffer)).encode())
        for array in _constants(self.state):
            digest.update(array.tobytes())
        return digest.hexdigest()

    def bind(self, packets: Sequence[int]) -> Part:
        """Make code of packets."""
        functions = in_functions(packet_of(self.state, number) for number in packets)
        code = bound(text_of(self.state, self.buffer, functions), self.core.library)
        return Part(sorted(packets), code)

    def take(self, part: Part) -> None:
        """Let packets have their code from now on."""
        self.core.share()
        engine = _engine(part.code)
        self._engines.append(engine)
        functions = in_functions(packet_of(self.state, number) for number in part.packets)
        for name, packets in functions.items():
            address = engine.get_function_address(name)
            self.state.bound[[packet.number for packet in packets]] = address
        self.parts.append(part)

    def _take(self, part: Part) -> None:
        self.take(part)
        self._before[:] = self.state.packet_counts
        self._earned = 0

    def _issued(self) -> int:
        return int(self.state.packet_counts.sum())

    def hot(self) -> tuple[list[int], int, int]:
        """The packets that are hot and have no code, hottest first; executions of their
        instructions, those of earlier runs with them; and how many would pay for code.

        No packet is hot where those that are have too many instructions for code to be faster.
        """
        issues = np.where(self.state.bound == 0, self.state.packet_counts - self._before, 0)
        issues[-1] = 0  # the pipe has run off the code
        order = np.argsort(-issues, kind="stable")
        hot = order[issues[order] > issues.max() // HOT_SHARE].tolist()
        executions = int((issues[hot] * self.counts[hot]).sum()) + self._earned
        if executions < WHOLE:
            return hot, executions, WHOLE
        syllables = sum(len(packet_of(self.state, number).syllables) for number in hot)
        if syllables > MOST_WITH_CODE:
            return [], 0, WHOLE
        return hot, executions, WHOLE + EACH * syllables

    def _ask(self) -> None:
        self._has_asked = True
        for part in _parts(_get(CODE, self.key)):
            self._take(part)
        if not self.parts:
            self._earned = int(_get(EARNED, self.key) or 0)

    def keep(self, part: Part) -> None:
        """Keep a part, and those that there were before it."""
        _put(CODE, self.key, _written([*self.parts, part]))


class _Making(threading.Thread):
    """Makes code; the process does not end before it is done, as it may be kept then."""

    def __init__(self, hot: HotPackets, packets: list[int]):
        super().__init__(name="simrun: code of packets")
        self._hot, self._packets = hot, packets
        self._part: Part | None = None
        self._failure: BaseException | None = None

    def run(self) -> None:
        try:
            self._part = self._hot.bind(self._packets)
            self._hot.keep(self._part)
        except BaseException as failure:  # the run tells of it
            self._failure = failure

    def part(self) -> Part:
        """What was made.  Raises what was raised meanwhile."""
        if self._failure is not None:
            raise self._failure
        assert self._part is not None
        return self._part


@lru_cache(maxsize=LOADED)
def _engine(code: bytes) -> llvm.ExecutionEngine:
    return load_object(code)


def _fixed_places(state: CoreState, buffer: np.ndarray) -> list[int]:
    """The places of what is in the arena."""
    return [word for word in places_of(state, buffer) if 0 <= word < buffer.nbytes]


def _constants(state: NamedTuple) -> Iterator[np.ndarray]:
    for name, value in state._asdict().items():
        if not isinstance(value, np.ndarray):
            yield from _constants(value)
        elif name in type(state).CONSTANT:
            yield value


def _written(parts: Sequence[Part]) -> bytes:
    header = [[part.packets, len(part.code)] for part in parts]
    return b"\n".join([json.dumps(header).encode(), b"".join(part.code for part in parts)])


def _parts(content: bytes | None) -> Iterator[Part]:
    if content is None:
        return
    header, _, code = content.partition(b"\n")
    for packets, length in json.loads(header):
        yield Part(packets, code[:length])
        code = code[length:]


def _get(kind: str, key: str) -> bytes | None:
    try:
        return Entries().get(kind, key)
    except InputError:  # no cache folder
        return None


def _put(kind: str, key: str, content: bytes) -> None:
    try:
        Entries().put(kind, key, content)
    except InputError:
        return
