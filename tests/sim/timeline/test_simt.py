"""Timelines of SIMT machines: as worked out by hand, and adding up to the figures of any run."""

from __future__ import annotations

import numpy as np
import pytest

from machines.description.load import load_machine
from machines.kinds.simt.program import parameter_bytes
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.unit import STEP, STEP_BITS
from sim.cores.simt.units.faults import MET
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.pipes import USE
from sim.timeline.span import Happening, Span
from tests.campaign.seeds import campaign, check_all
from tests.programs.random_kernels import generate
from tests.sim.simt.random_kernel_runs import POLICIES, compiled, machine_of, placed
from tests.sim.simt.test_faults_and_deadlocks import STORE_BY_THREAD
from tests.sim.simt.test_hand_worked import FILES, read_heading
from tests.sim.timeline.simt_runs import Launch, timeline
from tests.warp_programs import emitted, kernel


def launch_of(path, limit: int = 10**6) -> Launch:
    """The program of a file worked out by hand."""
    text = path.read_text()
    heading = read_heading(text)
    machine = load_machine("teaching_gpu", heading.get("machine", [])).description
    program = emitted(text, registers=int(heading.get("registers", ["0"])[0]))
    blocks, threads = (int(heading.get(k, [v])[0]) for k, v in (("blocks", "1"), ("threads", "32")))
    memory = Memory([("x", 16384), ("y", 16384)])
    return Launch(program, machine, memory, Grid((blocks, 1, 1), (threads, 1, 1)), b"", limit)


def spans(happened: list[Happening], track: str) -> list[tuple[int, int, str]]:
    """Those on a track, each as begin, end, and what it shows."""
    shown = {"issue": "operation", "stall": "reason", "pipe": "operation", "block": "block"}
    return [
        (one.begin, one.end, one.arguments[shown[one.name]] if one.name in shown else one.name)
        for one in happened
        if isinstance(one, Span) and str(one.track) == track
    ]


def named(stem: str) -> list[Happening]:
    return timeline(launch_of(next(path for path in FILES if path.stem == stem)))[0]


def test_two_warps_and_a_barrier():
    """The cycles are those of the working in the file."""
    happened = named("barrier_one_comes_late")
    assert spans(happened, "SM 0/warp 0") == [
        (0, 1, "mov.tid.x"), (1, 4, "wait"), (4, 5, "shr.u32"), (5, 8, "wait"),
        (8, 9, "setp.eq.s32"), (9, 16, "wait"), (16, 17, "bra"), (17, 18, "branch_resolving"),
        (18, 19, "mov.b32"), (19, 20, "bar.sync"), (20, 29, "barrier"), (29, 30, "exit"),
    ]  # fmt: skip
    assert spans(happened, "SM 0/warp 1")[-3:] == [
        (18, 19, "bar.sync"), (19, 29, "barrier"), (29, 30, "exit")
    ]  # fmt: skip
    assert spans(happened, "SM 0/block slot 0/barrier 0") == [(18, 19, "barrier phase")]
    (phase,) = (one for one in happened if one.name == "barrier phase")
    assert phase.arguments == {"block": 0, "threads": 64, "until": 29}
    assert spans(happened, "SM 0/block slot 0") == [(0, 30, 0)]
    control = [(16, 17, "bra"), (19, 20, "bar.sync"), (29, 30, "exit")]
    assert spans(happened, "SM 0/sub-core 0/control") == control


def test_a_warp_that_is_not_selected():
    happened = named("a_warp_fills_the_wait_of_another")
    assert spans(happened, "SM 0/warp 2") == [
        (0, 1, "not_selected"), (1, 2, "mov.b32"), (2, 5, "wait"), (5, 6, "not_selected"),
        (6, 7, "add.s32"), (7, 8, "exit"),
    ]  # fmt: skip
    alu = [(0, 1, "mov.b32"), (1, 2, "mov.b32"), (4, 5, "add.s32"), (6, 7, "add.s32")]
    assert spans(happened, "SM 0/sub-core 0/alu") == alu


def check_busy(happened: list[Happening], core: SimtCore) -> None:
    """Pipes are busy for as long as what they served takes; there is an access for each executed
    one that some lane took part in, and it is not done before its pipe has taken it."""
    decoded, names = core.decoded, core.program.operations
    intervals = decoded.code.reshape(len(core.program.code) + 1, -1)
    busy = np.zeros(len(core.program.code), np.int64)
    for one in happened:
        if one.name == "pipe":
            busy[one.arguments["pc"]] += one.end - one.begin
    for pc, code in enumerate(intervals[:-1].tolist()):
        whole = int(core.state.executed[pc]) * code[USE.INTERVAL]
        is_access = code[INSTRUCTION.KIND] >> STEP_BITS == STEP.ACCESSES
        name = names[core.program.code[pc, 0]]
        assert busy[pc] <= whole if is_access else busy[pc] == whole, (pc, name)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_worked_out_by_hand_adds_up(path):
    """Also where the run is cut off in the midst of it."""
    launch = launch_of(path)
    happened, core = timeline(launch)
    check_busy(happened, core)
    for limit in range(1, core.cycle, max(1, core.cycle // 6)):
        timeline(launch_of(path, limit))


def check_random(seed: int) -> None:
    """A random kernel, whole and cut off."""
    random = generate(seed)
    machine = machine_of(POLICIES[seed % len(POLICIES)])
    compilation = compiled(random, machine)
    whole = 10**6
    for part in (1, 2, 3):
        memory, given = placed(random, compilation)
        frame = compilation.program.kernels["main"].frame
        values = [memory.address(v) if isinstance(v, str) else v for v in given.values()]
        launch = Launch(
            compilation.program, machine.description, memory, random.grid,
            parameter_bytes(frame, values), whole // part,
        )  # fmt: skip
        happened, core = timeline(launch)
        check_busy(happened, core)
        whole = core.cycle if part == 1 else whole


@pytest.mark.parametrize("seed", range(2))
def test_timelines_of_random_kernels_add_up(seed: int):
    check_random(seed)


@campaign(part=25, end=1500)
def test_timelines_of_many_random_kernels_add_up(seeds: range):
    check_all(check_random, seeds)


@pytest.mark.parametrize("stride, block", [(4, 2), (9, 9)])
def test_a_fault_is_the_end_of_a_timeline_that_adds_up(stride: int, block: int):
    program = kernel(STORE_BY_THREAD.format(stride=stride, block=block, shift=80))
    machine = load_machine("teaching_gpu").description
    memory = Memory([("x", 256), ("y", 256)])
    happened, core = timeline(Launch(program, machine, memory, Grid((4, 1, 1), (64, 1, 1))))
    assert core.fault is not None
    sm, slot = core.place(int(core.state.scalars[MET.WARP]))
    own = [one for one in happened if str(one.track) == f"SM {sm}/warp {slot}"]
    issued = [one.begin for one in own if one.name == "issue"]
    assert issued and max(issued) < core.fault.cycle
