"""Random programs of rows, thread by thread and on the core under policies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from compiler.targets.simt.analyses.post_dominators import immediate_post_dominators
from compiler.targets.simt.interpret import interpret, memory_for
from compiler.targets.simt.interpreter.outcome import Outcome
from compiler.targets.simt.mark_program import _graph, _heads, mark_program
from machines.description.load import load_machine
from machines.kinds.simt.program import WarpProgram, parameter_bytes
from machines.layout import Memory
from sim.cores.returned import DONE, FAULTED, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.sim.simt.random_row_programs import RandomRows
from tests.warp_programs import kernel

POLICIES = ("markers", "min_pc", "ipdom")
CYCLES = 5_000_000
LIMIT = 20_000_000


def assembled(source: RandomRows) -> WarpProgram:
    """With markers, and the row where the lanes of each branch meet again."""
    program = mark_program(kernel(source.text, source.parameters, **source.frame), "sound")
    (made,) = program.kernels.values()
    heads = _heads(program, made)
    meets = immediate_post_dominators(_graph(program, made, heads))
    reconverge = program.reconverge.copy()
    for block, (end, meet) in enumerate(zip([*heads[1:], made.end], meets, strict=True)):
        reconverge[end - 1] = heads[meet] if 0 <= meet < len(heads) else -1
        assert block < len(heads)
    return replace(program, reconverge=reconverge)


def placed(source: RandomRows, program: WarpProgram) -> tuple[Memory, list[list]]:
    """Memory, and the arguments of each launch by name or value."""
    given = source.arguments
    arrays = {name: value for name, value in given.items() if isinstance(value, np.ndarray)}
    outs = ["out"]
    if source.launches == "in turn":
        outs = ["out", "out"]
    elif source.launches == "side by side":
        arrays["other"] = arrays["out"].copy()
        outs = ["out", "other"]
    rest = [name if name in arrays else value for name, value in given.items()][1:]
    return memory_for(program, arrays), [[out, *rest] for out in outs]


def run_threads(source: RandomRows, program: WarpProgram) -> tuple[Memory, Outcome]:
    """What the rows mean, thread by thread."""
    memory, launches = placed(source, program)
    machine = load_machine("teaching_gpu").description
    for given in launches:
        outcome = interpret(program, machine, memory, None, source.grid, given, limit=LIMIT)
        if outcome.status != "done":
            break
    return memory, outcome


def run_core(source: RandomRows, program: WarpProgram, policy: str) -> tuple[Memory, int, SimtCore]:
    memory, launches = placed(source, program)
    machine = load_machine("teaching_gpu", (f"reconvergence.policy={policy}",)).description
    core = SimtCore(program, machine, memory)
    frame = program.kernels["k"].frame
    status = DONE
    for number, given in enumerate(launches):
        values = [memory.address(v) if isinstance(v, str) else v for v in given]
        core.start(number, "k", source.grid, parameter_bytes(frame, values))
        if source.launches != "side by side" or number + 1 == len(launches):
            while (status := core.advance(CYCLES)) == QUANTUM and core.cycle < CYCLES:
                pass
            if status != DONE:
                break
    return memory, status, core


def check(seed: int, policies: tuple[str, ...] = ()) -> None:
    """The core leaves what the threads leave, or faults as one of them does."""
    source = RandomRows(seed)
    program = assembled(source)
    wanted, outcome = run_threads(source, program)
    assert outcome.status in ("done", "fault"), outcome
    for policy in policies or (POLICIES[seed % len(POLICIES)],):
        if policy == "ipdom" and (source.early_ends or "both sides" in str(source.features)):
            continue  # a stack keeps such threads apart for ever, which is reported
        found, status, core = run_core(source, program, policy)
        if outcome.status == "fault":
            assert status == FAULTED, (policy, status, outcome)
            continue
        assert status == DONE, (policy, status, core.fault, core.stuck_report()[:4])
        places = np.flatnonzero(found.bytes != wanted.bytes)
        assert len(places) == 0, f"{policy}: memory differs at {places[:8].tolist()}"
