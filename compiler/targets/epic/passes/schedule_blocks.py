"""Order the instructions of each block into issue rows by list scheduling.

    ld4 r14 = [r15]              cycle 0   ld4 r14 = [r15]    adds r17 = 4, r17
    sxt4 r16 = r14          ->   cycle 1   sxt4 r16 = r14
    adds r17 = 4, r17

Each cycle takes, among the instructions whose inputs have arrived, those on the longest path to the
end of the block first, as long as the machine can issue them together.  It runs twice: before
registers are allocated, so that overlapping lives get different registers, and after, when the rows
are final.  Order is only changed where the dependence graph allows it, so results and faults stay
as they are.  What stands behind a side exit may be executed before it, for nothing if need be (see
`dependences`).  Kernels of pipelined loops are scheduled already.

Before allocation a row that would keep more values alive than a register file can hold is filled
in source order instead, which is what keeps long unrolled blocks from spilling.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.machine_code.liveness import MachineLiveness
from compiler.targets.epic.bundling.bundles import Syllable, does_not_issue, syllable_of
from compiler.targets.epic.dependences import Dependences, dependences
from compiler.targets.epic.kernels import is_kernel
from compiler.targets.epic.registers.operands import machine_liveness
from compiler.targets.epic.registers.pressure import Pressure, room_of
from compiler.targets.epic.scheduling.problem import Fits
from compiler.targets.epic.scheduling.ready_list import ReadyList
from compiler.targets.epic.scheduling.reservation import reservation
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.kinds.epic.fields import Epic


def schedule(
    code: list[Instruction],
    description: Epic,
    fits: Fits,
    pressure: Pressure | None = None,
    live: MachineLiveness | None = None,
) -> list[tuple[int, int]]:
    """(position in the code, issue cycle) of each instruction of a block, in issue order.

    With `live` (of its function) instructions may pass branches in the middle of the block.
    """
    graph = dependences(code, description, live)
    syllables = [syllable_of(instruction.operation) for instruction in code]
    ready = ReadyList(syllables, heights(graph))
    waiting = [len(before) for before in graph.before]
    earliest = [0] * len(code)
    for node, count in enumerate(waiting):
        if not count:
            ready.add(node, 0)
    issued: list[tuple[int, int]] = []
    now = 0
    while ready:
        ready.begin(now)
        row = _Row(graph, syllables, fits)
        while True:
            node = ready.best(pressure is not None and pressure.is_high)
            if node is None:
                break
            if not row.takes(node):
                ready.put_off(node, all_like_it=row.is_full_for(node))
                continue
            issued.append((node, now))
            ready.remove(node)
            if pressure is not None:
                pressure.issue(code[node])
            for later, latency in graph.after[node].items():
                waiting[later] -= 1
                earliest[later] = max(earliest[later], now + latency)
                if not waiting[later]:
                    ready.add(later, earliest[later])
        arrival = ready.next_arrival
        if not row.nodes and arrival is None:
            raise does_not_issue(code[ready.oldest], description)
        now = now + 1 if ready.has_arrived or arrival is None else max(now + 1, arrival)
    return sorted(issued, key=lambda one: (one[1], one[0]))


class _Row:
    """The nodes that issue in a cycle, and which of them have to stand before which."""

    def __init__(self, graph: Dependences, syllables: list[Syllable], fits: Fits):
        self._graph, self._syllables, self._fits = graph, syllables, fits
        self.nodes: list[int] = []
        self._kinds: tuple[Syllable, ...] = ()
        self._order: frozenset[tuple[int, int]] = frozenset()

    def takes(self, node: int) -> bool:
        """Whether one more issues with those that are there; then it joins them."""
        kinds, size = (*self._kinds, self._syllables[node]), len(self.nodes)
        before = self._graph.before[node]
        pairs = [(k, size) for k, other in enumerate(self.nodes) if other in before]
        order = self._order.union(pairs) if pairs else self._order
        if not self._fits(kinds, order):
            return False
        self.nodes.append(node)
        self._kinds, self._order = kinds, order
        return True

    def is_full_for(self, node: int) -> bool:
        """Whether it takes nothing of a node's kind, wherever that stands."""
        return not self._fits((*self._kinds, self._syllables[node]), self._order)


def heights(graph: Dependences) -> list[int]:
    """The longest latency from each node to the end of the block."""
    found = [0] * len(graph.after)
    for node in reversed(range(len(found))):
        for later, latency in graph.after[node].items():
            found[node] = max(found[node], found[later] + latency)
    return found


@dataclass(frozen=True, slots=True)
class ScheduleOptions:
    limit_pressure: bool = option(True, "Fall back to source order where registers run short.")
    reservation: str = option("automaton", "What tells which instructions issue in one cycle.")


def run(function: Function, machine: Machine, options: ScheduleOptions) -> Changes:
    description = machine.description
    fits = reservation(options.reservation, description)
    live = machine_liveness(function)
    room = room_of(description)
    builder, changes = Builder(function), Changes()
    for name, block in function.blocks.items():
        code = block.instructions
        if is_kernel(block):
            continue
        pressure = None
        if options.limit_pressure:
            pressure = Pressure(code, live, name, room)
        issued = schedule(code, description, fits, pressure, live)
        for node, cycle in issued:
            code[node].attributes["cycle"] = cycle
        builder.set_instructions(block, [code[node] for node, _ in issued])
        changes.count("rows", len({cycle for _, cycle in issued}))
    return changes


PLUGIN = Pass(
    "schedule_blocks",
    "Order each block into issue rows by list scheduling on the critical path.",
    run,
    forms={"virtual": "virtual", "allocated": "scheduled"},
    options=ScheduleOptions,
    kinds=("epic",),
)
