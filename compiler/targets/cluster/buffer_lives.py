"""Where buffers are alive: from where they may be written to where they may be read.

    tensor.copy.f32 a[0:64], x[0:64]         a
    tensor.add.f32 b[0:64], a[0:64], …       a, b
    tensor.add.f32 b[0:8], b[0:8], c[0:8]    b, c     and c from the beginning: it is read as it was
    tensor.copy.f32 y[0:64], b[0:64]         b

What may be read before it is written holds zeros, so it is alive from the beginning, unless the
function says that it is not read so (note `scratch`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

from compiler.analyses.control_flow import control_flow
from compiler.analyses.memory.intervals import NONE, Intervals, covers, intersected, united
from compiler.interpret.tensors import candidates
from compiler.ir.module import Descriptor, Function, Instruction
from machines.kinds.cluster.code import SCRATCH
from machines.tensors.segments import span

MOST_SEGMENTS = 256
"""Of an interval, to be looked at one by one."""
Written = dict[str, Intervals]
"""Of every buffer the elements that have certainly been written."""


def alive_together(function: Function, names: set[str]) -> dict[str, set[str]]:
    """For each of these buffers the others that are alive where it is.

    Where a buffer is written it is alive at once.  What it held before is kept, so a write of a
    part ends nothing.
    """
    flow = control_flow(function)
    order = flow.reverse_postorder
    early = read_as_they_were(function, names - set(SCRATCH.of(function)))
    written = _spread(function, order, flow.successors, names, stores=True)
    predecessors = {name: [p for p in order if name in flow.successors[p]] for name in order}
    read = _spread(function, order[::-1], predecessors, names, stores=False)
    together: dict[str, set[str]] = {name: set() for name in names}
    for name in order:
        before, later = written[name] | early, _later(function, name, read[name], names)
        for instruction, after in zip(function.blocks[name].instructions, later, strict=True):
            before |= _touched(instruction, names, stores=True)
            alive = before & after | _touched(instruction, names, None)
            for one in alive:
                together[one] |= alive - {one}
    return together


def _later(function: Function, block: str, behind: set[str], names: set[str]) -> list[set[str]]:
    """For every instruction of a block the buffers that it or a later one may read."""
    found, state = [], set(behind)
    for instruction in reversed(function.blocks[block].instructions):
        state |= _touched(instruction, names, stores=False)
        found.append(set(state))
    return found[::-1]


def _spread(
    function: Function,
    order: Iterable[str],
    onward: Mapping[str, Iterable[str]],
    names: set[str],
    *,
    stores: bool,
) -> dict[str, set[str]]:
    """The buffers that may be written on the way to each block, or read on the way from it."""
    found: dict[str, set[str]] = {name: set() for name in order}
    own = {
        name: set().union(*(_touched(i, names, stores) for i in function.blocks[name].instructions))
        for name in order
    }
    pending = list(order)
    while pending:
        name = pending.pop(0)
        passed = found[name] | own[name]
        for target in onward[name]:
            if passed - found[target]:
                found[target] |= passed
                pending.append(target)
    return found


def _touched(instruction: Instruction, names: set[str], stores: bool | None) -> set[str]:
    """The buffers that it writes (or reads, or touches)."""
    return {
        one.buffer
        for kind, interval in instruction.intervals
        if stores is None or (kind.access == "store") == stores
        for one in candidates(interval)
        if one.buffer in names
    }


def read_as_they_were(function: Function, names: set[str]) -> set[str]:
    """The buffers of which an element may be read before it has been written."""
    flow = control_flow(function)
    heads: dict[str, Written] = {function.entry.name: dict.fromkeys(names, NONE)}
    pending, found = dict.fromkeys(flow.reverse_postorder), set()
    while pending:
        name = next(iter(pending))
        del pending[name]
        state = dict(heads[name])
        for instruction in function.blocks[name].instructions:
            found |= _step(function, instruction, state)
        for target in flow.successors[name]:
            head = {b: intersected(heads.get(target, state)[b], state[b]) for b in names}
            if heads.get(target) != head:
                heads[target] = head
                pending[target] = None
    return found


def _step(function: Function, instruction: Instruction, state: Written) -> set[str]:
    """What an instruction reads that may not have been written; notes what it certainly writes."""
    early, writes = set(), []
    for kind, interval in instruction.intervals:
        for one in candidates(interval):
            if one.buffer not in state:
                continue
            if kind.access == "load" and not _has_been_written(function, one, state[one.buffer]):
                early.add(one.buffer)
            elif kind.access == "store" and interval is one and instruction.guard is None:
                writes.append(one)
    for one in writes:
        for low in _segments(one):
            state[one.buffer] = united(state[one.buffer], low, low + one.high - one.low - 1)
    return early


def _has_been_written(function: Function, one: Descriptor, written: Intervals) -> bool:
    """Whether all that an interval may touch has; of bounds that are not known, all of a buffer."""
    low, high = 0, function.buffers[one.buffer].count
    if one.is_exact:
        if one.size == 0:
            return True
        segments = _segments(one)
        if segments:
            return all(covers(written, low, low + one.high - one.low - 1) for low in segments)
        low, high = span(one.low, one.high, one.steps)
    return covers(written, low, high - 1)


def _segments(one: Descriptor) -> list[int]:
    """Where the segments of an interval begin; none where that is not known, or they are many."""
    if not one.is_exact or one.size == 0 or prod(count for count, _ in one.steps) > MOST_SEGMENTS:
        return []
    begins = [one.low]
    for count, stride in one.steps:
        begins = [begin + k * stride for begin in begins for k in range(count)]
    return begins
