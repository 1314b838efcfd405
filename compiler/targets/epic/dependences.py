"""The dependence graph of a straight piece of machine code.

An arc a -> b with latency n says that b issues at least n cycles after a; with latency 0 both may
issue together, a in an earlier slot.

    read after write    the latency of the value towards its use (the machine's table), but at least
                        1 where the two may not share a group (see `groups`)
    write after read    0
    write after write   long enough for the second value to be the one that stays, at least 1
    memory              0: the hardware keeps the order of accesses within a group.  Loads may pass
                        loads; stores, breaks and volatile loads keep their order with everything
                        that may fault, so that a fault finds the effects of what came before it,
                        and no others
    control             0: whatever stands before a branch issues with it or earlier, what stands
                        after it not earlier.  A conditional branch is passed, in both
                        directions, by what has no effect and cannot fault and writes nothing that
                        is live where the branch leads.  What a callee is passed or may change
                        matters to no call itself
    groups              0 and 1: what has to be the first or the last of its group parts the others
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from compiler.analyses.code_flow import leads_away, targets
from compiler.ir.module import Instruction
from compiler.machine_code.liveness import MachineLiveness
from compiler.targets.epic.bundling.groups import may_read_in_group
from compiler.targets.epic.registers.operands import keeps_old_value, reads, writes
from machines.kinds.epic.fields import Epic
from machines.operations.row import Operation


@dataclass
class Dependences:
    """Arcs by node (position in the code): `after[a][b]` and `before[b][a]` are the latency."""

    after: list[dict[int, int]]
    before: list[dict[int, int]]

    def add(self, first: int, second: int, latency: int) -> None:
        """Add an arc, or lengthen the one that is there."""
        latency = max(latency, self.after[first].get(second, 0))
        self.after[first][second] = latency
        self.before[second][first] = latency


def dependences(
    code: list[Instruction], description: Epic, live: MachineLiveness | None = None
) -> Dependences:
    """The graph of a block's (or a row's) instructions in their order; without the liveness of its
    function nothing passes a branch."""
    graph = Dependences([{} for _ in code], [{} for _ in code])
    _register_arcs(code, description, graph)
    _order_arcs(code, graph)
    _control_arcs(code, graph, live)
    return graph


@dataclass
class _Register:
    """The last writes of a register that may still be seen, and the reads since."""

    writers: list[tuple[int, str]] = field(default_factory=list)
    readers: list[int] = field(default_factory=list)


def _register_arcs(code: list[Instruction], description: Epic, graph: Dependences) -> None:
    known: dict[str, _Register] = {}
    for node, instruction in enumerate(code):
        callees = {
            *instruction.attributes.get("passes", ()), *instruction.attributes.get("clobbers", ()),
        }  # fmt: skip
        for name, use in reads(instruction):
            if name in callees:
                continue
            register = known.setdefault(name, _Register())
            for writer, produced in register.writers:
                latency = description.latency(produced, use)
                next_group = not may_read_in_group(code[writer].operation, instruction.operation)
                graph.add(writer, node, max(latency, int(next_group)))
            register.readers.append(node)
        for name, produced in writes(instruction):
            if name in callees:
                continue
            register = known.setdefault(name, _Register())
            for reader in register.readers:
                if reader != node:
                    graph.add(reader, node, 0)
            for writer, earlier in register.writers:
                overlap = description.latency(earlier) - description.latency(produced)
                graph.add(writer, node, max(1, overlap + 1))
            if keeps_old_value(instruction):
                register.writers.append((node, produced))
            else:
                register.writers, register.readers = [(node, produced)], []


@dataclass
class _Accesses:
    """The last effect on a part of memory, and the loads since."""

    barrier: int | None = None
    loads: list[int] = field(default_factory=list)


def _order_arcs(code: list[Instruction], graph: Dependences) -> None:
    """Memory, breaks and control.  Each spill slot is a memory of its own: nothing else names it,
    and accesses to it do not fault."""
    memories: dict[object, _Accesses] = {}
    for node, instruction in enumerate(code):
        operation = instruction.operation
        memory = memories.setdefault(instruction.attributes.get("spill_slot"), _Accesses())
        _group_arcs(node, operation, graph)
        if operation.control:
            continue
        if is_load(instruction) and "ordered" not in instruction.attributes:
            if memory.barrier is not None:
                graph.add(memory.barrier, node, 0)
            memory.loads.append(node)
        elif operation.has_effect:
            for earlier in (*memory.loads, memory.barrier):
                if earlier is not None:
                    graph.add(earlier, node, 0)
            memory.barrier, memory.loads = node, []


def _group_arcs(node: int, operation: Operation, graph: Dependences) -> None:
    """What has to begin or to end an issue group parts what is before it from what is after it."""
    begins, ends = "first_in_group" in operation.flags, "last_in_group" in operation.flags
    if begins or ends:
        for earlier in range(node):
            graph.add(earlier, node, int(begins))
        for later in range(node + 1, len(graph.after)):
            graph.add(node, later, int(ends))


def _control_arcs(
    code: list[Instruction], graph: Dependences, live: MachineLiveness | None
) -> None:
    branches = [node for node, instruction in enumerate(code) if instruction.operation.control]
    written = {name for i in code for name in i.results} if live and branches else frozenset()
    for node in branches:
        there = live_at_exit(code[node], live, written) if live else None
        for other, instruction in enumerate(code):
            if other != node and (there is None or not may_pass(instruction, there)):
                graph.add(min(node, other), max(node, other), 0)


def live_at_exit(
    branch: Instruction, live: MachineLiveness, written: Collection[str]
) -> set[str] | None:
    """The registers that code has written and that are live where a branch leads if it is taken;
    None if more depends on it than where control goes next."""
    if not targets(branch) or leads_away(branch) or branch.operation.implicit_writes:
        return None
    mask = reduce(or_, (live.live_in[label] for label in targets(branch)))
    return live.among(mask, written)


def may_pass(instruction: Instruction, live: set[str]) -> bool:
    """True if nobody can tell whether an instruction was executed before control left for a place
    where these registers are live."""
    if instruction.operation.has_effect or instruction.operation.implicit_writes:
        return False
    return not any(name in live for name, _ in writes(instruction))


def is_load(instruction: Instruction) -> bool:
    """True if the only effect is reading memory."""
    access = instruction.operation.access
    return access is not None and access.kind == "load"
