"""What an interpreter says of a run that simrun has just ended.

Of an EPIC machine the interpreters of the machine's code and of the IR (assembly has none); of a
SIMT one that of its rows, thread by thread, where the order of the threads does not matter.
"""

from __future__ import annotations

import numpy as np

from compiler.interpret.functions import interpret as interpret_ir
from compiler.interpret.functions import memory_for
from compiler.targets.cluster.interpret import ChipShape, interpret_chip
from compiler.targets.epic.interpret import interpret as interpret_program
from compiler.targets.simt.interpret import interpret as interpret_rows
from machines.layout import Memory
from sim.cores.simt.host_steps import Launch as KernelLaunch
from sim.prepared_case import PreparedCase, prepare
from sim.results.result import Result
from sim.status import DONE, FAULT, LIMIT
from tests.campaign.broken_inputs.races import watched

STEPS, THREADS = 100_000, 1000
"""What an interpreter is given at most: others are not judged."""
UNJUDGED = "not judged"


class Disagreement(AssertionError):
    """The core and an interpreter do not say the same."""


def judge(prepared: PreparedCase, result: Result) -> str:
    """Compare a run that ended with what interpreters say; who judged, or why nobody did.

    Raises Disagreement.
    """
    if result.status not in (DONE, FAULT):
        return UNJUDGED
    if prepared.compiled.machine.kind == "cluster":
        return _judge_cores(prepared, result)
    if prepared.compiled.machine.kind == "simt":
        return _judge_warps(prepared, result)
    fresh = prepare(prepared.compiled, prepared.case)
    machine = prepared.compiled.machine
    ended = interpret_program(fresh.program, fresh.memory, fresh.arguments, STEPS, machine)
    if ended.status == "limit":
        return UNJUDGED
    _compare("machine interpreter", ended.status, ended.value, fresh.memory, result)
    if ended.fault is not None and ended.fault.kind != result.fault["kind"]:
        raise Disagreement(f"fault {result.fault['kind']}, the interpreter says {ended.fault.kind}")
    function, module = prepared.compiled.function, prepared.compiled.compilation.module
    if function is None:
        return "machine"
    given = {name: a if a.ndim else a.item() for name, a in fresh.inputs.items()}
    memory = memory_for(module, given)
    meant = interpret_ir(function, given, memory, limit=STEPS)
    if meant.status == "limit":
        return "machine"
    whole = memory if meant.status == DONE else None  # a pipelined loop's fault leaves other bytes
    _compare("IR interpreter", meant.status, meant.value, whole, result)
    return "machine and IR"


def _compare(who: str, status: str, value: object, memory: Memory | None, result: Result) -> None:
    if status != result.status:
        raise Disagreement(f"{who}: {status}, the core: {result.status} {result.fault}")
    if status == DONE and result.returned is not None:
        returned = np.asarray(result.returned)
        said = np.asarray(value).astype(returned.dtype) if value is not None else None
        wrapped = isinstance(value, int) and isinstance(result.returned, int)
        same = (value - result.returned) % 2**32 == 0 if wrapped else _same(said, returned)
        if not same:
            raise Disagreement(f"{who}: returns {value!r}, the core {result.returned!r}")
    for name, array in result.outputs.items() if memory else ():
        said = memory.view(name)
        found = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        if not np.array_equal(said[: found.size], found):
            raise Disagreement(f"{who}: '{name}' differs after '{status}'")


def _same(one: np.ndarray | None, other: np.ndarray) -> bool:
    return one is not None and np.array_equal(one, other, equal_nan=other.dtype.kind == "f")


def _judge_cores(prepared: PreparedCase, result: Result) -> str:
    """Of chips the interpreter of all cores; where commands race nobody knows."""
    fresh = prepare(prepared.compiled, prepared.case)
    chip = prepared.compiled.machine.description
    shape = ChipShape(chip.clusters, chip.cores)
    code = prepared.compiled.compilation.functions
    wanted = {name for name, _ in code[0].parameters}
    given = {name: value for name, value in fresh.arguments.items() if name in wanted}
    ended = interpret_chip(code, given, fresh.memory, shape, form="stream", limit=STEPS)
    if ended.status not in (DONE, FAULT) or ended.races:
        return UNJUDGED
    memory = fresh.memory if ended.status == DONE else None
    _compare("interpreter of all cores", ended.status, None, memory, result)
    return "cores"


def _judge_warps(prepared: PreparedCase, result: Result) -> str:
    """By rows, threads forward and backward; a program whose result depends on it has a race."""
    memories, statuses = [], []
    for backward in (False, True):
        fresh = prepare(prepared.compiled, prepared.case)
        statuses.append(_run_rows(fresh, backward))
        memories.append(fresh.memory)
    if statuses[0] != statuses[1] or not np.array_equal(memories[0].bytes, memories[1].bytes):
        return "depends on the order of threads"
    if statuses[0] not in (DONE, FAULT):
        return UNJUDGED
    if result.status == FAULT == statuses[0]:
        return "faults in any order"  # what other threads had done by then is not the same
    try:
        _compare("row interpreter", statuses[0], None, memories[0], result)
    except Disagreement:
        if are_racing(prepared):
            return "depends on the order of threads"
        raise
    return "rows"


def are_racing(prepared: PreparedCase) -> bool:
    """Whether threads of a launch touch bytes that one of them writes."""
    with watched() as accesses:
        _run_rows(prepare(prepared.compiled, prepared.case), False)
    return accesses.collide


def _run_rows(fresh: PreparedCase, backward: bool) -> str:
    """Do the host's launches one after another; 'limit' if they are many or run side by side."""
    machine, threads, streams = fresh.compiled.machine.description, 0, set()
    for action in fresh.bound.actions(fresh.memory):
        if not isinstance(action, KernelLaunch):
            continue
        threads += action.grid.block_count * action.grid.block_threads
        streams.add(action.stream)
        if threads > THREADS or len(streams) > 1:
            return LIMIT
        ended = interpret_rows(
            fresh.program, machine, fresh.memory, action.kernel, action.grid, action.parameters,
            limit=STEPS, backward=backward,
        )  # fmt: skip
        if ended.status != DONE:
            return ended.status
    return DONE
