"""Packets that have code of their own do what they do without it: every cycle, counter, register,
byte, fault and cost is the same, whenever code is given to them or taken away, in calls of any
length.

    CAMPAIGN=0:5000 pytest -m campaign -n 2 tests/campaign/test_bound_code.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from compiler import compile
from machines.description.load import Machine
from machines.kinds.epic.program import BundleProgram
from tests.campaign.assembly_features import MACHINES, Mixture, _machine
from tests.campaign.seeds import campaign, check_all, spread
from tests.sim.epic.epic_runs import EpicRun, simulate
from tests.sim.epic.random_assembly import Generator
from tests.sim.epic.random_frames import FrameGenerator
from tests.sim.epic.switched_code import switched_code, without_code
from tests.sim.epic.test_core_against_reference import VARIANTS, machine_of, memory_of

CUT = """
        mov r9 = 300 ;;
top:
{ .mbb  adds r9 = -1, r9
  (p6)  br.cond.dptk on
        br.cond.sptk on ;; }
on:     cmp.ne p7, p6 = r9, r0 ;;
{ .bbb
  (p7)  br.cond.dptk top
        nop.b 0
        br.ret.sptk b0 ;; }
"""
MIXED = """
        mov r9 = 300 ;;
top:    getf.sig r14 = f1
        fma.d f9 = f1, f1, f1 ;;
        add r15 = r14, r9
        fma.d f10 = f9, f9, f9
        adds r9 = -1, r9 ;;
        cmp.ne p6, p7 = r9, r0
  (p6)  br.cond.dptk top ;;
        br.ret.sptk b0
"""
ROTATED = """
        alloc r31 = ar.pfs, 0, 8, 0, 8 ;;
        mov r33 = 7
        mov r34 = 5
        mov ar.lc = 100
        mov ar.ec = 4 ;;
        setf.sig f34 = r33
        mov pr.rot = 0x10000 ;;
top:
  (p16) add r32 = r33, r34
  (p18) add r9 = r9, r34
        fma.d f32 = f34, f1, f33
        br.ctop.sptk top ;;
        br.ret.sptk b0
"""
OUTSIDE = """
        alloc r31 = ar.pfs, 0, 2, 0, 0
        mov r9 = 3 ;;
top:    adds r9 = -1, r9 ;;
        cmp.ne p6, p7 = r9, r0
  (p6)  br.cond.dptk top ;;
        add r8 = r40, r9
        br.ret.sptk b0
"""
"""A taken branch with others behind it in its packet; a packet that waits for two causes; the first
and the last register of each file that rotates and has a name; a register outside the frame."""
STEP = "        adds r14 = 1, r14 ;;\n"
LATE = (
    "        adds r2 = -64, r12\n        mov r9 = 4 ;;\ntop:\n"
    + "".join(
        f"        fma.d f8 = f1, f1, f1 ;;\n{STEP * steps}        stfd [r2] = f8 ;;\n"
        f"        fma.d f9 = f1, f1, f1 ;;\n{STEP * steps}        getf.sig r15 = f9 ;;\n"
        for steps in range(8)
    )
    + """
        adds r9 = -1, r9 ;;
        cmp.ne p6, p7 = r9, r0
  (p6)  br.cond.dptk top ;;
        br.ret.sptk b0
"""
)
"""Results used as many cycles later as they take, and around that."""
ELSEWHERE = (
    """
        mov r20 = ip
        mov r9 = 90 ;;
        adds r20 = {distance}, r20 ;;
        mov b6 = r20
        mov f10 = f0 ;;
top:    and r10 = 3, r9 ;;
        cmp.eq p6, p7 = 0, r10
        fma.d f8 = f1, f1, f1
  (p6)  br.cond.sptk b6 ;;
"""
    + 5 * "{{ .mii adds r14 = 1, r14\n nop.i 0\n nop.i 0 ;; }}\n"
    + """
{{ .mii  getf.sig r15 = f8
        adds r9 = -1, r9
        nop.i 0 ;; }}
        cmp.ne p6, p7 = r9, r0
  (p6)  br.cond.dptk top ;;
        br.ret.sptk b0
"""
)
"""A branch to where no label is: who comes there by it waits for f8, who comes by another way does
not."""
QUANTA = (1, 7, 997, 10**6)
MOST = 16
"""Packets that have code, of those that issue: making it takes most of the time."""
CYCLES = 300_000
MOST_CALLS = 4000


def program_of(seed: int) -> tuple[BundleProgram, Machine]:
    """A random program: one that mixes whatever a program can do, or one that presses on timing or
    on frames, on one of the machines of the tests of those."""
    if seed % 2:
        machine = _machine(seed % len(MACHINES))
        source = Mixture(seed, machine.description.largest_frame).text
    else:
        machine = machine_of(list(VARIANTS)[seed // 2 % len(VARIANTS)])
        source = (Generator if seed % 4 else FrameGenerator)(seed).program()
    return compile("random.s", machine=machine, source=source).program, machine


def check(seed: int) -> int:
    """Raises AssertionError if anything differs; how many calls had code for some packet."""
    program, machine = program_of(seed)
    issued = run_without_code(program, machine).packets
    packets = Random(seed).sample(issued, min(MOST, len(issued)))
    return check_program(program, machine, packets, seed, CYCLES)


def check_program(
    program: BundleProgram, machine: Machine, packets: Sequence[int], seed: int, limit: int
) -> int:
    """The same of some packets of a program, up to a cycle."""
    before = run_without_code(program, machine, limit)
    called = 0
    for quantum in dict.fromkeys((QUANTA[seed % len(QUANTA)], QUANTA[-1])):
        if before.outcome.cycles > MOST_CALLS * quantum:
            continue
        memory = memory_of(program, {})
        with switched_code(packets, seed) as numbers:
            found = simulate(program, machine, memory, {}, cycle_limit=limit, quantum=quantum)
        called += np.count_nonzero(numbers)
        assert before.memory == memory.bytes.tobytes()
        for field in fields(found):
            one, other = (getattr(run, field.name) for run in (before.outcome, found))
            same = np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
            assert same or repr(one) == repr(other), (field.name, one, other)
    return called


class Before(NamedTuple):
    """A run in which no packet has code, its memory after it, and the packets that issued."""

    outcome: EpicRun
    memory: bytes
    packets: list[int]


def run_without_code(program: BundleProgram, machine: Machine, limit: int = CYCLES) -> Before:
    memory = memory_of(program, {})
    with without_code() as cores:
        outcome = simulate(program, machine, memory, {}, cycle_limit=limit)
    return Before(outcome, memory.bytes.tobytes(), cores[0].issued())


@pytest.mark.parametrize("source", spread([CUT, MIXED, ROTATED, OUTSIDE, LATE], 2))
@pytest.mark.parametrize("share", [1, 0.5], ids=["whole", "half"])
def test_what_is_seldom_made(source: str, share: float):
    """Also when a limit is met in the midst of it: no code may go on."""
    machine = machine_of("itanium2")
    program = compile("case.s", machine=machine, source=source).program
    whole = run_without_code(program, machine)
    assert whole.outcome.status == ("fault" if source is OUTSIDE else "done")
    for seed in range(2):
        limit = int(whole.outcome.cycles * share) + seed
        until = run_without_code(program, machine, limit).outcome
        assert until.status != "limit" or until.cycles == limit
        assert check_program(program, machine, whole.packets, 3 + 4 * seed, limit) > 0


def test_of_operands_that_are_met_together_the_first_is_blamed():
    """Both sums wait for sums of the cycle before, and are in one packet."""
    source = """
        fma.d f8 = f1, f1, f1
        fma.d f9 = f1, f1, f1 ;;
        fma.d f10 = f8, f8, f8
        fma.d f11 = f9, f9, f9 ;;
        br.ret.sptk b0
    """
    program = compile("case.s", machine=machine_of("itanium2"), source=source).program
    outcome = run_without_code(program, machine_of("itanium2")).outcome
    names = [program.operations[row[0]] if row[0] >= 0 else "" for row in program.code.tolist()]
    sums = [k for k, name in enumerate(names) if name.startswith("fma")]
    lost = [int(outcome.stalls[k, list(outcome.lost).index("float")]) for k in sums]
    assert lost == [0, 0, outcome.lost["float"], 0] and outcome.lost["float"] > 0


def test_branches_that_nobody_could_foresee():
    """From the first of them on no packet has code; until then the waits differ."""
    machine = machine_of("itanium2")
    program = compile("case.s", machine=machine, source=ELSEWHERE.format(distance=0)).program
    names = [program.operations[row[0]] if row[0] >= 0 else "" for row in program.code.tolist()]
    bundles = (names.index("getf.sig") - names.index("mov.from_ip")) // 3
    source = ELSEWHERE.format(distance=16 * bundles)
    program = compile("case.s", machine=machine, source=source).program
    whole = run_without_code(program, machine)
    assert whole.outcome.status == "done" and whole.outcome.lost["float"] > 0
    assert (
        sum(check_program(program, machine, whole.packets, seed, CYCLES) for seed in range(8)) > 8
    )


@pytest.mark.parametrize("seed", range(5))
def test_some_programs(seed: int):
    assert check(seed) > 0


@campaign(50, first=0, end=5000)
def test_campaign(seeds: range):
    check_all(check, seeds)
