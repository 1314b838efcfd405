"""Timelines of EPIC machines: as worked out by hand, and adding up to the figures of any run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from compiler import compile
from compiler.ir.printer import print_module
from machines.description.load import Machine, load_machine
from machines.kinds.epic.program import BundleProgram
from sim.cores import Outcome, Request
from sim.cores.epic import state as at
from sim.cores.epic.drive import EpicCore
from sim.cores.epic.timeline import Noted
from sim.kinds.epic.vocabulary import VOCABULARY
from sim.results.laws import check_sums
from sim.simulate import simulate
from sim.timeline import window as windows
from sim.timeline.recording import Recording
from sim.timeline.span import Happening
from tests.campaign.seeds import campaign, check_all
from tests.programs.random_programs import Options, generate
from tests.sim.epic.random_assembly import Generator
from tests.sim.epic.random_frames import FrameGenerator
from tests.sim.epic.test_core_against_reference import CYCLES, VARIANTS, machine_of, memory_of
from tests.sim.epic.test_hand_worked import FILES, LOST, MACHINE

SHORTENED = ("load_from_l3", "second_line_of_code")
"""Files whose tables leave packets out."""
ISSUED = re.compile(r"^// +(\d+)(?:-(\d+))?  ", re.MULTILINE)


def timeline(
    program: BundleProgram,
    machine: Machine,
    arguments: Mapping[str, object] | None = None,
    limit: int = CYCLES,
) -> tuple[list[Happening], Outcome]:
    """The timeline of a run, which adds up to its figures; a run without is the same."""
    memory = memory_of(program, arguments or {})
    request = Request(program, machine, memory, arguments or {}, cycle_limit=limit)
    plain, left = simulate(request), memory.bytes.tobytes()
    memory = memory_of(program, arguments or {})
    happened: list[Happening] = []
    recording = Recording(VOCABULARY, happened.append)
    outcome = simulate(replace(request, memory=memory, on_trace=recording.take))
    check_sums(VOCABULARY, recording.summary, outcome.statistics)
    for name in ("status", "cycles", "breakdown", "value", "state", "failure", "waits_for"):
        assert repr(getattr(outcome, name)) == repr(getattr(plain, name)), name
    assert VOCABULARY.count(outcome.statistics) == VOCABULARY.count(plain.statistics)
    assert np.array_equal(outcome.stalls, plain.stalls) and memory.bytes.tobytes() == left
    check_cover(happened, outcome.cycles)
    return happened, outcome


def check_cover(happened: list[Happening], cycles: int) -> None:
    """What issues and what is lost is every cycle once; in none where the run was cut off there is
    more than one span of what is lost to one thing."""
    own = [one for one in happened if one.track.family == "issue"]
    assert [one.begin for one in own] == [0, *(one.end for one in own)][: len(own)]
    assert (own[-1].end if own else 0) == cycles
    for before, after in pairwise(own):
        assert before.name == "issue" or before.arguments is not after.arguments


def program_of(path) -> tuple[BundleProgram, Machine]:
    named = MACHINE.search(path.read_text())
    machine = load_machine(named.group(1) if named else "itanium2")
    return compile(path, machine=machine).program, machine


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_packets_issue_in_the_cycles_that_were_worked_out(path):
    """As the table in each file says, and its causes have the cycles between them."""
    listed = [
        cycle
        for first, last in ISSUED.findall(path.read_text())
        for cycle in range(int(first), int(last or first) + 1)
    ]
    happened, _ = timeline(*program_of(path))
    lost: dict[str, int] = {}
    for one in happened:
        if one.name == "stall":
            reason = one.arguments["reason"]
            lost[reason] = lost.get(reason, 0) + one.end - one.begin
    said = dict(pair.rsplit(" ", 1) for pair in LOST.search(path.read_text()).group(1).split(", "))
    assert lost == {cause: int(cycles) for cause, cycles in said.items()}
    issued = [one.begin for one in happened if one.name == "issue"]
    assert issued == listed or (path.stem in SHORTENED and {*listed} < {*issued})


def of_file(stem: str) -> list[Happening]:
    path = next(path for path in FILES if path.stem == stem)
    return timeline(*program_of(path))[0]


def test_accesses_are_on_the_level_that_answers():
    """The first load waits for main memory, the second hits the L2 in six cycles."""
    accesses = [
        (str(one.track), one.arguments["request"], one.begin, one.end)
        for one in of_file("floating_load_to_fma")
        if one.name == "access"
    ]
    assert accesses == [("memory", "load", 194, 389), ("L2", "load", 391, 397)]


def test_a_wrong_prediction_and_what_it_costs():
    happened = of_file("branch_not_taken_against_its_hint")
    told = [(one.cycle, *one.arguments.values()) for one in happened if one.name == "branch"]
    assert [one[:3] for one in told] == [(193, "wrong path", False), (200, "predicted", True)]
    own = [one for one in happened if one.name == "stall"]
    lost = [(one.begin, one.end, one.arguments["reason"]) for one in own]
    assert lost == [(0, 193, "instruction_miss"), (194, 200, "branch_flush")]
    loop = [one.arguments["taken"] for one in of_file("counted_loop") if one.name == "branch"]
    assert loop == [*9 * [True], False, True]


def test_calls_lie_within_one_another():
    (call,) = (one for one in of_file("call_and_return") if one.name == "call")
    assert (call.begin, call.end, call.arguments["function"]) == (193, 195, "callee")


ROTATING = """
        mov ar.lc = 4
        mov ar.ec = 2
        mov pr.rot = 0x10000 ;;
top:
  (p16) adds r8 = 1, r8 ;;
        br.ctop.sptk top ;;
        br.ret.sptk b0
"""


def test_iterations_of_a_pipelined_loop():
    """Five iterations and one more in which the last drains."""
    machine = load_machine("itanium2")
    happened, _ = timeline(compile("l.s", machine=machine, source=ROTATING).program, machine)
    own = [one for one in happened if one.name == "iteration"]
    assert len(own) == 6 and {one.end - one.begin for one in own} == {2}
    assert [one.begin for one in own[1:]] == [one.end for one in own[:-1]]
    taken = [one.arguments["taken"] for one in happened if one.name == "branch"]
    assert taken == [*5 * [True], False, True]  # the last rotates, too


def test_packets_have_their_code_but_while_something_is_noted(monkeypatch: pytest.MonkeyPatch):
    """Of a window of a run; the address is that of a packet in which the pipe never stands."""
    monkeypatch.setattr(windows, "MARGIN", 0)
    machine = load_machine("itanium2")
    program = compile("l.s", machine=machine, source=ROTATING).program
    noted = Noted(windows.TraceWindow(196, 199))
    core = EpicCore(program, machine.description, memory_of(program, {}), {}, noted)
    never, parameters = len(core.state.bound) - 1, core.state.parameters
    core.state.bound[never] = 7
    seen = []
    for cycle in (195, 197, 198, 199, 201):
        core.advance(cycle)
        seen.append((int(core.state.bound[never]), bool(parameters[at.TRACES])))
    assert seen == [(7, False), (0, True), (0, True), (7, False), (7, False)]
    assert {one.begin for one in core.happened() if one.name == "issue"} <= {196, 197, 198}


def check_random(seed: int) -> None:
    """A random program of each sort, whole and cut off."""
    machine = machine_of(list(VARIANTS)[seed % len(VARIANTS)])
    sort, arguments = seed % 3, {}
    if sort == 0:
        source = generate(seed, Options(size=8 + seed % 40, faults=seed % 2 == 0))
        name, text, arguments = "random.sir", print_module(source.module), source.arguments
    else:
        name, text = "random.s", (Generator if sort == 1 else FrameGenerator)(seed).program()
    program = compile(name, machine=machine, source=text).program
    _, outcome = timeline(program, machine, arguments)
    for part in (3, 2):
        timeline(program, machine, arguments, max(1, outcome.cycles // part))


@pytest.mark.parametrize("seed", range(3))
def test_timelines_of_random_programs_add_up(seed: int):
    check_random(seed)


@campaign(part=25, end=1500)
def test_timelines_of_many_random_programs_add_up(seeds: range):
    check_all(check_random, seeds)
