"""What a program of many cores means: runs all cores of a chip without time, and finds races.

Cores run one after the other, each up to where it meets others.  In tile form a command has ended
when the next one begins.  In stream form nothing has ended but what is waited for; values are the
same, and commands of which nothing says which comes first are found
(`compiler.targets.cluster.order`).  A program without races gives the same memory whatever the
times of its commands are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from compiler.interpret.functions import (
    STEP_LIMIT,
    Fault,
    OpaqueStream,
    argument_values,
    report_unassigned,
)
from compiler.interpret.generate_python import source_name
from compiler.interpret.tensors import TensorUnit, candidates
from compiler.ir.facts import is_flat
from compiler.ir.module import Function, Instruction
from compiler.targets.cluster.generate_cores import Point, translate_core
from compiler.targets.cluster.order import Order, Race, Span
from compiler.targets.cluster.roles import queue_for, role_of
from compiler.targets.cluster.scratchpads import named_buffers
from machines.instructions.cluster_control import OF_ALL_CLUSTERS, OF_ALL_ROLES, WAITS, is_send
from machines.kinds.cluster.code import ADDRESSES
from machines.kinds.cluster.queues import IPU, MEM, QUEUES, space_name
from machines.layout import Memory, MemoryFault
from machines.operations.evaluate import OperationFault

CoreNumber = tuple[int, int]
"""Cluster and core; the MEM core comes behind the others."""


@dataclass(frozen=True, slots=True)
class ChipShape:
    """How many clusters a program runs on, and how many of a cluster's cores compute.

    first, tasks  of a job: number of its first task, and tasks of its launch; None: those of the
                  job are all
    """

    clusters: int
    cores: int
    first: int = 0
    tasks: int | None = None


@dataclass(frozen=True, slots=True)
class ChipOutcome:
    """How a run ended.

    status      'done', 'fault', 'deadlock' or 'limit'
    fault       what went wrong, and `at`: the core that did it
    waiting     of a deadlock: who waits where
    races       that were found
    unassigned  variables that were read before any assignment (they read 0), each once
    """

    status: str
    fault: Fault | None = None
    at: CoreNumber | None = None
    waiting: tuple[str, ...] = ()
    races: tuple[Race, ...] = ()
    unassigned: tuple[str, ...] = ()


def interpret_chip(
    functions: list[Function],
    arguments: Mapping[str, object],
    memory: Memory,
    shape: ChipShape,
    *,
    form: str = "ir",
    limit: int = STEP_LIMIT,
    opaque_seed: int = 0,
    backward: bool = False,
) -> ChipOutcome:
    """Run verified functions: what the cores that compute run, and what runs beside it; `memory`
    holds the buffers in DRAM and is changed.

    form      of the functions; only in 'stream' commands are in flight until they are waited for
    backward  run the cores from the last to the first
    Raises InputError for arguments that do not fit.
    """
    chip = _Chip(functions, memory, shape, form == "stream", limit, opaque_seed)
    return chip.run(arguments, backward)


class _Core:
    """A core: what it is, under the names of the rows that ask, and where it stands.

    waits   the barrier that it waits at, None if it does not
    known   which commands have ended, as far as it knows
    """

    def __init__(self, function: Function, number: CoreNumber, shape: ChipShape, order: Order):
        self.function, self.number = function, number
        self.role = role_of(function)
        self.cluster_id, self.core_id = number
        self.cluster_dim, self.core_dim = shape.clusters, shape.cores
        self.task_id = shape.first + self.cluster_id * shape.cores + self.core_id
        self.task_dim = shape.tasks or shape.clusters * shape.cores
        self.known = order.knowledge()
        self.code, self.given = None, None
        self.waits: Instruction | None = None
        self.units: dict[tuple[Point, CoreNumber], TensorUnit] = {}

    @property
    def name(self) -> str:
        cluster, core = self.number
        return f"core {core} of cluster {cluster}" if self.role == IPU else f"MEM core {cluster}"


class _Ended(Exception):
    def __init__(self, outcome: ChipOutcome):
        self.outcome = outcome


@dataclass
class _Pads:
    """All scratchpads; every buffer has an address in its own."""

    shape: ChipShape
    addresses: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    bytes: dict[tuple, np.ndarray] = field(default_factory=dict)

    def place(self, functions: list[Function]) -> None:
        """At their addresses, or one behind the other where they have none."""
        for function in functions:
            for name in sorted(named_buffers([function])):
                buffer = function.buffers[name]
                if not is_flat(buffer.space) and name not in self.addresses:
                    end = self.sizes.get(buffer.space, 0)
                    address = ADDRESSES.of(function).get(name, end)
                    self.addresses[name] = address
                    self.sizes[buffer.space] = max(end, -(-(address + buffer.size) // 16) * 16)

    def of(self, space: str, core: CoreNumber) -> np.ndarray:
        key = pad_of(space, core)
        if key not in self.bytes:
            self.bytes[key] = np.zeros(self.sizes[space], np.uint8)
        return self.bytes[key]


def pad_of(space: str, core: CoreNumber) -> tuple:
    """The memory of a space that a core works on."""
    name = space_name(space)
    return {"dram": (name,), "sram": (name, core[0])}.get(name, (name, *core))


class _View:
    """Memory as a core sees it.

    Addresses are within each memory; spaces are told apart by what is noted in `asked`.
    """

    def __init__(self, chip: _Chip, function: Function, core: CoreNumber):
        self.chip, self.function, self.core = chip, function, core

    def address(self, name: str) -> int:
        buffer = self.function.buffers[name]
        if is_flat(buffer.space):
            return self.chip.memory.address(name)
        return self.chip.pads.addresses[name]

    def view(self, name: str, dtype: np.dtype | str = "u1") -> np.ndarray:
        buffer = self.function.buffers[name]
        if is_flat(buffer.space):
            return self.chip.memory.view(name, dtype)
        start = self.address(name)
        pad = self.chip.pads.of(buffer.space, self.core)
        return pad[start : start + buffer.size].view(dtype)


class _Chip:
    def __init__(
        self,
        functions: list[Function],
        memory: Memory,
        shape: ChipShape,
        is_stream: bool,
        limit: int,
        seed: int,
    ):
        self.functions, self.memory, self.shape = functions, memory, shape
        self.is_stream, self.clock = is_stream, [0, limit]
        self.draw = OpaqueStream(seed).draw
        self.unassigned: list[str] = []
        self.pads = _Pads(shape)
        self.pads.place(functions)
        numbered = [*self._numbered()]
        queues = [(n, f, queue) for f, n in numbered for queue in QUEUES[role_of(f)]]
        self.queue_numbers = {(n, queue): k for k, (n, _, queue) in enumerate(queues)}
        self.order = Order([f"core {n[1]} of cluster {n[0]}" if role_of(f) == IPU
                            else f"MEM core {n[0]}" for n, f, _ in queues])  # fmt: skip
        self.cores = [_Core(f, n, shape, self.order) for f, n in numbered]
        self.spans: list[tuple[str, str, CoreNumber, int, int]] = []

    def _numbered(self) -> Iterator[tuple[Function, CoreNumber]]:
        for cluster in range(self.shape.clusters):
            for function in self.functions:
                if role_of(function) == MEM:
                    yield function, (cluster, self.shape.cores)
                else:
                    yield from ((function, (cluster, core)) for core in range(self.shape.cores))

    def run(self, arguments: Mapping[str, object], backward: bool) -> ChipOutcome:
        host = self.functions[0]
        values = dict(
            zip(
                (name for name, _ in host.parameters),
                argument_values(host, arguments, self.memory),
                strict=True,
            )
        )
        try:
            for core in self.cores:
                core.code = self._start(core, values)
            ready = self.cores
            while ready:
                for core in reversed(ready) if backward else ready:
                    self._advance(core)
                ready = self._released()
        except _Ended as end:
            return end.outcome
        waiting = tuple(
            f"{core.name} waits at '{core.waits.operation}'"
            + (f", {core.waits.location}" if core.waits.location else "")
            for core in self.cores
            if core.waits is not None
        )
        return self._outcome("deadlock" if waiting else "done", waiting=waiting)

    def _outcome(self, status: str, **more) -> ChipOutcome:
        unassigned = tuple(dict.fromkeys(self.unassigned))
        return ChipOutcome(status, races=tuple(self.order.races), unassigned=unassigned, **more)

    def _start(self, core: _Core, values: Mapping[str, int | float]):
        function = core.function
        run = translate_core(function).bind(
            accessors={},
            addresses=self.memory.address,
            opaque=self.draw,
            unassigned=partial(report_unassigned, function, self.unassigned),
            fault=OperationFault,
            observe=None,
            callees={},
            pointed={},
            clock=self.clock,
        )
        return run(0, core, *(values[name] for name, _ in function.parameters))

    def _advance(self, core: _Core) -> None:
        """Up to where it meets others, or to its end."""
        core.waits, given = None, None
        try:
            while core.waits is None:
                point, scalars = core.code.send(given)
                given = self._do(core, point, scalars)
        except StopIteration as end:
            core.code = None
            if end.value[0] == "limit":
                raise _Ended(self._outcome("limit")) from None
        except (MemoryFault, OperationFault) as error:
            fault = self._fault(core, error, locals().get("point"))
            raise _Ended(self._outcome("fault", fault=fault, at=core.number)) from None

    def _do(self, core: _Core, point: Point, scalars: tuple) -> int | float | None:
        instruction = core.function.blocks[point[0]].instructions[point[1]]
        row = instruction.operation
        if row.walk is not None:
            return self._command(core, point, instruction, scalars)
        if row.name in WAITS:
            queue = WAITS[row.name][0]
            if (core.number, queue) in self.queue_numbers:
                number = self.queue_numbers[core.number, queue]
                core.known = self.order.waited(number, core.known, scalars[0])
        else:
            core.waits = instruction
        return None

    def _command(
        self, core: _Core, point: Point, instruction: Instruction, scalars: tuple
    ) -> int | float | None:
        queue, why = queue_for(core.function, instruction)
        assert queue is not None, why
        number = self.queue_numbers[core.number, queue]
        self.spans, result = [], None
        for target in self._targets(core, instruction, scalars):
            result = self._unit(core, point, instruction, target)(*scalars)
        spans = [
            Span(pad_of(space, where), address, address + size, kind == "store")
            for kind, space, where, address, size in self.spans
        ]
        self.order.command(number, core.known, instruction, spans)
        if instruction.results or not self.is_stream:
            core.known = self.order.waited(number, core.known)
        return result

    def _targets(self, core: _Core, instruction: Instruction, scalars: tuple) -> list[CoreNumber]:
        """The cores in whose memories it writes."""
        if not is_send(instruction.operation):
            return [core.number]
        where, cores = instruction.operation.name.split(".")[1], range(self.shape.cores)
        if where == "broadcast":
            return [(core.cluster_id, k) for k in cores]
        if where == "multicast":
            if scalars[-1] >> self.shape.cores:
                raise OperationFault("no such core")
            return [(core.cluster_id, k) for k in cores if scalars[-1] >> k & 1]
        limit = self.shape.cores if where == "unicast" else self.shape.clusters
        if not 0 <= scalars[-1] < limit:
            raise OperationFault("no such core" if where == "unicast" else "no such cluster")
        if where == "unicast":
            return [(core.cluster_id, scalars[-1])]
        return [(scalars[-1], core.core_id)]

    def _unit(
        self, core: _Core, point: Point, instruction: Instruction, target: CoreNumber
    ) -> TensorUnit:
        if (point, target) not in core.units:
            function = core.function
            views = [_View(self, function, one) for one in (core.number, target)]

            def observe(position: int, kind: str, address: int, size: int) -> None:
                first, *_ = candidates(instruction.operands[position])
                space = function.buffers[first.buffer].space
                where = target if kind == "store" else core.number
                self.spans.append((kind, space, where, address, size))

            core.units[point, target] = TensorUnit(
                instruction, views[0], self.draw, observe, target=views[1]
            )
        return core.units[point, target]

    def _released(self) -> list[_Core]:
        """Those that can go on: all partners of a barrier are there."""
        for core in self.cores:
            if core.waits is None:
                continue
            partners = [one for one in self.cores if self._meets(core, one)]
            key = (core.waits.operation.name, core.waits.operands)
            if all(p.waits is not None and (p.waits.operation.name, p.waits.operands) == key
                   for p in partners):  # fmt: skip
                known = self.order.met(p.known for p in partners)
                for partner in partners:
                    partner.known = known.copy()
                return partners
        return []

    def _meets(self, core: _Core, other: _Core) -> bool:
        """Whether another core takes part in the barrier at which a core waits."""
        name = core.waits.operation.name
        same = core.cluster_id == other.cluster_id or name in OF_ALL_CLUSTERS
        computes = other.role == IPU or name in OF_ALL_ROLES
        return same and computes

    def _fault(
        self, core: _Core, error: MemoryFault | OperationFault, point: Point | None
    ) -> Fault:
        function = core.function
        traceback = error.__traceback__
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == source_name(function.name):
                point = translate_core(function).points[traceback.tb_lineno]
            traceback = traceback.tb_next
        location = function.blocks[point[0]].instructions[point[1]].location
        return Fault(error.kind, location, error.address, *point, function.name)
