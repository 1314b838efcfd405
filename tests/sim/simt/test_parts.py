"""Several threads of the host give what one does, in every bit of the state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from machines.description.load import load_machine
from machines.description.schema import MOST_UNITS
from machines.diagnostics import InputError
from machines.kinds.simt.program import parameter_bytes
from machines.layout import Memory
from machines.threads.grid import Grid
from sim import runner
from sim.cores.kept_arrays import arrays_of
from sim.cores.returned import DONE, FAULTED, QUANTUM, STUCK
from sim.cores.simt import state as at
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.memory.parameters import SCRATCH
from sim.runner import processors
from tests.campaign.seeds import short_form
from tests.programs.random_kernels import generate
from tests.sim.simt.random_kernel_runs import compiled, machine_of, options_of, placed
from tests.warp_programs import kernel

WORKLOADS = Path(__file__).parents[3] / "workloads"
ATOMICS = """
    r0 = mov.tid.x
    r1 = mov.ctaid.x
    d4 = mov.address x
    {atomics}
    p0 = setp.eq.s32 r1, 13
    @p0 d4 = add.s64 d4, {moved}
    st.global.b32 d4, 4, r3
    exit
"""
ROUNDS, BLOCKS, THREADS = 12, 40, 64
APART = """
    r0 = mov.tid.x
    p0 = setp.lt.s32 r0, 32
    bra p0, one, other
one:
    bar.sync 0, 64
    exit
other:
    bar.sync 1, 64
    exit
"""


def run_whole(core: SimtCore, quantum: int) -> tuple[int, int]:
    while (status := core.advance(core.cycle + quantum)) == QUANTUM:
        pass
    return status, core.cycle


def differences(one: Any, other: Any, name: str = "") -> Iterator[str]:
    """Names of arrays that are not the same."""
    for field, value in one.items():
        if isinstance(value, dict):
            yield from differences(value, other[field], f"{name}{field}.")
        elif not np.array_equal(value, other[field]):
            yield name + field


def check(cores: list[SimtCore], quantum: int, wanted: int) -> None:
    """All end in the same way, in the same cycle, with the same state and memory."""
    ends = [run_whole(core, quantum) for core in cores]
    assert ends == [ends[0]] * len(cores) and ends[0][0] == wanted
    states = [arrays_of(core.state, at.FIXED) for core in cores]
    for core, state in zip(cores, states, strict=True):
        assert set(differences(states[0], state)) <= {f"memory.{name}" for name in SCRATCH}
        assert np.array_equal(core.memory.bytes, cores[0].memory.bytes)
        assert core.fault == cores[0].fault


@pytest.mark.parametrize("seed", short_form(range(24), 4))
def test_random_kernels(seed: int):
    """On as many SMs as threads and more, in several quanta."""
    sms, quantum = (2, 3, 7)[seed % 3], (1 << 40, 997, 101)[seed // 3 % 3]
    policy = "barriers" if seed % 2 else "markers"
    machine = machine_of(policy, f"sms={sms}")
    random = generate(seed, options_of(seed))
    compilation = compiled(random, machine)
    cores = []
    for threads in (1, 2, 3):
        memory, given = placed(random, compilation)
        values = [memory.address(v) if isinstance(v, str) else v for v in given.values()]
        core = SimtCore(compilation.program, machine.description, memory, threads=threads)
        frame = compilation.program.kernels["main"].frame
        core.start(0, "main", random.grid, parameter_bytes(frame, values))
        cores.append(core)
    check(cores, quantum, DONE)


def of_text(text: str, blocks: int, threads: int) -> SimtCore:
    machine = load_machine("teaching_gpu", ("sms=5",)).description
    core = SimtCore(kernel(text), machine, Memory([("x", 256)]), threads=threads)
    core.start(0, "k", Grid((blocks, 1, 1), (THREADS, 1, 1)), b"")
    return core


@pytest.mark.parametrize("quantum", [1 << 40, 50])
@pytest.mark.parametrize("moved", [0, 4096])
def test_atomics_of_all_sms_on_one_address(moved: int, quantum: int):
    """Each finds what the one before has left, and waits for it; one block may fault then."""
    text = ATOMICS.format(atomics="r3 = atom.global.add.u32 d4, 0, r1\n" * ROUNDS, moved=moved)
    cores = [of_text(text, BLOCKS, threads) for threads in (1, 2, 4)]
    check(cores, quantum, FAULTED if moved else DONE)
    if not moved:
        total = cores[0].memory.view("x").view(np.uint32)[0]
        assert total == ROUNDS * THREADS * sum(range(BLOCKS))


def test_constants_that_somebody_changes():
    """To change them is a race that PTX forbids; here it ends in one way all the same."""
    rounds = "st.global.b32 d4, 0, r1\nr3 = ld.const.b32 d4, 0\nr8 = add.s32 r8, r3\n" * 8
    text = f"""
        r1 = mov.ctaid.x
        r8 = mov.b32 0
        d4 = mov.address x
        {rounds}
        d6 = mul.wide.s32 r1, 4
        d6 = add.s64 d4, d6
        st.global.b32 d6, 4, r8
        exit
    """
    check([of_text(text, 40, threads) for threads in (1, 2)], 1 << 40, DONE)
    whole, cut = of_text(text, 40, 1), of_text(text, 40, 1)
    assert run_whole(whole, 1 << 40) == run_whole(cut, 3)
    assert np.array_equal(whole.memory.bytes, cut.memory.bytes)


def test_a_cycle_and_an_sm_fit_in_one_number():
    assert MOST_UNITS <= 1 << at.SM_BITS
    assert (at.NEVER << at.SM_BITS) + MOST_UNITS < 1 << 63


def test_who_waits_for_ever():
    """However the run is cut into calls, too."""
    cores = [of_text(APART, 7, threads) for threads in (1, 2)]
    check(cores, 1 << 40, STUCK)
    assert cores[0].stuck_report() == cores[1].stuck_report()
    for quantum in (1, 7):
        assert run_whole(of_text(APART, 7, 2), quantum) == (STUCK, cores[0].cycle)


@pytest.mark.skipif(processors() < 2, reason="this host has one processor")
def test_the_whole_way():
    one, two = (sim.run(WORKLOADS / "gpu/reduction/workload.yaml", threads=n) for n in (1, 2))
    assert (one.cycles, one.counters, one.breakdown) == (two.cycles, two.counters, two.breakdown)


@pytest.mark.parametrize(
    ("workload", "processors", "threads", "message"),
    [
        ("saxpy", 2, 2, "itanium2 runs on one thread of the host"),
        ("gpu/saxpy", 2, 3, "3 threads are more than the 2 processors of this host"),
        ("gpu/saxpy", 2, 0, "threads: expected an integer from 1"),
    ],
)
def test_what_is_refused(
    workload: str, processors: int, threads: int, message: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(runner, "processors", lambda: processors)
    with pytest.raises(InputError, match=message):
        sim.run(WORKLOADS / workload / "workload.yaml", threads=threads)
