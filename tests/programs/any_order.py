"""Streams of commands carried out in some order that their waits and barriers allow.

The judge of races: cores and queues go on at random, each at a pace of its own, and a command does
what it does when its queue comes to it.  The results of a program without races do
not depend on that.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from compiler.ir.module import Function, Instruction
from compiler.targets.cluster.generate_cores import Point
from compiler.targets.cluster.interpret import _Chip, _Core
from compiler.targets.cluster.roles import queue_for
from machines.description.load import Machine
from machines.instructions.cluster_control import WAITS
from machines.layout import Memory
from tests.programs.tile_runs import LIMIT, shape_of

Lane = tuple[tuple[int, int], str]
"""A queue of a core."""


class _AnyOrder(_Chip):
    def __init__(self, functions: list[Function], memory: Memory, machine: Machine, seed: int):
        super().__init__(functions, memory, shape_of(machine), True, LIMIT, 0)
        self.stream = random.Random(seed)
        self.lanes: dict[Lane, deque[Callable[[], object]]] = {}
        self.paces: dict[object, float] = {}

    def go(self, arguments: dict[str, int]) -> None:
        """Raises AssertionError if somebody waits for ever."""
        values = {name: arguments[name] for name, _ in self.functions[0].parameters}
        for core in self.cores:
            core.code = self._start(core, values)
        while choices := [*self._choices()]:
            self._weighed(choices)()
        assert not any(core.waits for core in self.cores), "somebody waits for ever"

    def _choices(self) -> Iterator[tuple[object, Callable[[], object]]]:
        for core in self.cores:
            if core.code is not None and core.waits is None:
                yield core, partial(self._step, core)
        for lane, pending in self.lanes.items():
            if pending:
                yield lane, partial(self._next, lane)
        if any(core.waits for core in self.cores):
            met = self._released()
            if met:
                yield "barrier", partial(self._let_go, met)

    def _weighed(self, choices: list[tuple[object, Callable]]) -> Callable[[], object]:
        """One of them: some are a thousand times as slow as others."""
        for who, _ in choices:
            self.paces.setdefault(who, 10 ** self.stream.uniform(0, 3))
        weights = [self.paces[who] for who, _ in choices]
        return self.stream.choices([does for _, does in choices], weights)[0]

    def _step(self, core: _Core) -> None:
        """A core up to its next command, wait or barrier."""
        try:
            point, scalars = core.code.send(core.given)
            core.given = self._do(core, point, scalars)
        except StopIteration:
            core.code = None

    def _let_go(self, met: list[_Core]) -> None:
        for core in met:
            core.waits = None

    def _next(self, lane: Lane) -> object:
        return self.lanes[lane].popleft()()

    def _do(self, core: _Core, point: Point, scalars: tuple) -> int | float | None:
        instruction = core.function.blocks[point[0]].instructions[point[1]]
        row = instruction.operation
        if row.walk is not None:
            return self._command(core, point, instruction, scalars)
        if row.name in WAITS:
            self._drain((core.number, WAITS[row.name][0]), scalars[0])
        else:
            core.waits = instruction
        return None

    def _drain(self, lane: Lane, left: int) -> object:
        result = None
        while len(self.lanes.get(lane, ())) > left:
            result = self._next(lane)
        return result

    def _command(
        self, core: _Core, point: Point, instruction: Instruction, scalars: tuple
    ) -> int | float | None:
        queue, why = queue_for(core.function, instruction)
        assert queue is not None, why
        units = [self._unit(core, point, instruction, target)
                 for target in self._targets(core, instruction, scalars)]  # fmt: skip
        lane = core.number, queue
        self.lanes.setdefault(lane, deque()).append(
            lambda: [unit(*scalars) for unit in units][-1] if units else None
        )
        return self._drain(lane, 0) if instruction.results else None


def any_order(
    functions: list[Function],
    arguments: dict[str, int],
    memory: Memory,
    machine: Machine,
    seed: int,
) -> None:
    """Run functions in stream form in an order that the seed says; `memory` is changed."""
    _AnyOrder(functions, memory, machine, seed).go(arguments)
