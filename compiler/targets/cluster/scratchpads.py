"""Where buffers stand in the memories of a chip.

    a: f32[64] in nram            a  nram at   0      alive in lines 1 … 4
    b: f32[64] in nram      ->    b  nram at 256      alive in lines 2 … 9
    c: f32[64] in nram            c  nram at   0      alive in lines 5 … 9, where a is not

Every core has the same buffers at the same addresses.  What several functions reach, and what a
core is sent by others, has a place of its own.  The rest has, too, as long as there is room;
otherwise buffers that are never alive together share theirs, as
`compiler.targets.cluster.buffer_lives` says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from compiler.interpret.tensors import candidates
from compiler.ir.copy import copy_function
from compiler.ir.module import Buffer, Function
from compiler.passes.inline_calls import WHATEVER_THE_SIZE, inline
from compiler.passes.leave_ssa import leave
from compiler.targets.cluster.buffer_lives import alive_together
from machines.diagnostics import Diagnostic, InputError
from machines.instructions.cluster_control import is_send
from machines.kinds.cluster.code import ADDRESSES, BESIDE
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.queues import space_name

SCRATCHPADS = ("nram", "wram", "sram")


def beside(function: Function) -> list[Function]:
    """The functions of its module that run with it: the one beside which it runs, and those that
    run beside that or beside itself; itself left out.  They are as in the source, calls inlined."""
    known = function.functions
    hosts = [f for f in known.values() if function.name in BESIDE.of(f).values()] or [
        known.get(function.name, function)
    ]
    names = {name for host in hosts for name in (host.name, *BESIDE.of(host).values())}
    return [_with_its_calls(known[name]) for name in sorted(names - {function.name})]


def _with_its_calls(function: Function) -> Function:
    """The function, or if it calls others a copy that does itself what these do."""
    if not function.callees:
        return function
    whole = copy_function(function)
    leave(whole)
    inline(whole, WHATEVER_THE_SIZE)
    return whole


def shared_buffers(functions: Sequence[Function]) -> set[str]:
    """The buffers that several cores reach, of all functions that run on a chip."""
    shared = {
        name
        for name, buffer in functions[0].buffers.items()
        if space_name(buffer.space) in ("dram", "sram")
    }
    for function in functions:
        for _, instruction in function.instructions():
            if is_send(instruction.operation):
                shared |= {target.buffer for target in candidates(instruction.operands[0])}
    return shared


def _of_several(functions: Iterable[Function]) -> set[str]:
    """The buffers that more than one function names."""
    counted = Counter(name for function in functions for name in named_buffers([function]))
    return {name for name, count in counted.items() if count > 1}


def named_buffers(functions: Iterable[Function]) -> set[str]:
    """The buffers that functions work on."""
    return {
        one.buffer
        for function in functions
        for _, instruction in function.instructions()
        for _, interval in instruction.intervals
        for one in candidates(interval)
    }


def addresses(
    function: Function, sizes: Mapping[str, int], alignments: Mapping[str, int]
) -> dict[str, int]:
    """Where the buffers stand that a function, or what runs with it, works on in scratchpads.

    sizes, alignments  of each scratchpad, in bytes
    Raises InputError if there is no room.  A function may say itself where they stand (note
    `addresses`).
    """
    if given := ADDRESSES.of(function):
        _check_given(function, given, sizes)
        return dict(given)
    # All functions of a chip find the same places for what they share: each looks at the sources.
    everybody = [_with_its_calls(function.functions.get(function.name, function))]
    everybody += beside(function)
    shared = shared_buffers(everybody) | _of_several(everybody)
    named, used = named_buffers([function]), named_buffers(everybody)
    found: dict[str, int] = {}
    problems = []
    for space in SCRATCHPADS:
        buffers = [b for b in function.buffers.values() if b.space == space]
        fixed = [b for b in buffers if b.name in shared & used]
        own = [b for b in buffers if b.name not in shared and b.name in named]
        size, alignment = sizes.get(space, 0), alignments.get(space, 1)
        places, end = _one_behind_the_other([*fixed, *own], alignment)
        if end > size:
            places, end = _sharing(function, fixed, own, alignment)
        if end > size:
            problems.append(_no_room(space, size, end, [*fixed, *own]))
        found |= places
    if problems:
        raise InputError(problems)
    return found


def _check_given(function: Function, given: Mapping[str, int], sizes: Mapping[str, int]) -> None:
    problems = []
    for space in SCRATCHPADS:
        buffers = [function.buffers[name] for name in given]
        buffers = [buffer for buffer in buffers if buffer.space == space]
        end = max((given[buffer.name] + buffer.size for buffer in buffers), default=0)
        if end > sizes.get(space, 0):
            problems.append(_no_room(space, sizes.get(space, 0), end, buffers))
    if problems:
        raise InputError(problems)


def must_not_share(function: Function, chip: Cluster) -> None:
    """Raises InputError if two buffers have bytes in common, for a program that waits for none of
    them on account of the other."""
    problems, at = [], ADDRESSES.of(function)
    for space in SCRATCHPADS:
        placed = [b for b in function.buffers.values() if b.space == space and b.name in at]
        placed.sort(key=lambda buffer: at[buffer.name])
        ends = [at[buffer.name] + buffer.size for buffer in placed]
        if any(at[b.name] < end for end, b in zip(ends, placed[1:], strict=False)):
            _, wanted = _one_behind_the_other(placed, chip.alignment(space))
            largest = max(placed, key=lambda buffer: buffer.size)
            message = (
                f"{wanted} bytes of buffers do not fit in {chip.usable(space)} of {space} side by "
                "side, and a program that places its own waits shares no addresses"
            )
            hint = f"'{largest.name}' is the largest, {largest.size} bytes: work on smaller tiles"
            problems.append(Diagnostic(message, largest.location, hint=hint))
    if problems:
        raise InputError(problems)


def _no_room(space: str, size: int, wanted: int, buffers: list[Buffer]) -> Diagnostic:
    """Said of the largest buffer."""
    largest = max(buffers, key=lambda buffer: buffer.size)
    if not size:
        message = f"the machine has no {space} for '{largest.name}'"
        return Diagnostic(message, largest.location, hint="see 'simrun machines show'")
    message = f"{wanted} bytes of buffers that are alive together do not fit in {size} of {space}"
    hint = f"'{largest.name}' is the largest, {largest.size} bytes: work on smaller tiles"
    return Diagnostic(message, largest.location, hint=hint)


def _one_behind_the_other(buffers: Iterable[Buffer], alignment: int) -> tuple[dict[str, int], int]:
    """Address of every buffer, and where the last one ends."""
    addresses, end = {}, 0
    for buffer in buffers:
        addresses[buffer.name] = -(-end // alignment) * alignment
        end = addresses[buffer.name] + buffer.size
    return addresses, end


def _sharing(
    function: Function, fixed: list[Buffer], own: list[Buffer], alignment: int
) -> tuple[dict[str, int], int]:
    """The same where buffers that are never alive together may overlap: the largest first, each as
    low as it can stand."""
    addresses, end = _one_behind_the_other(fixed, alignment)
    base = -(-end // alignment) * alignment
    together = alive_together(function, {buffer.name for buffer in own})
    sizes = {buffer.name: buffer.size for buffer in own}
    for buffer in sorted(own, key=lambda buffer: -buffer.size):
        taken = sorted(
            (addresses[other], addresses[other] + sizes[other])
            for other in together[buffer.name]
            if other in addresses
        )
        address = base
        for low, high in taken:
            if low < address + buffer.size and address < high:
                address = -(-high // alignment) * alignment
        addresses[buffer.name] = address
        end = max(end, address + buffer.size)
    return addresses, end
