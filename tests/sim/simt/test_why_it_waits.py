"""An instruction waits for all that it needs; of results that come at once the one that is read
first is the reason."""

from __future__ import annotations

from machines.description.load import load_machine
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE
from sim.cores.simt import stall_reasons as why
from sim.cores.simt.drive import SimtCore
from tests.warp_programs import kernel

CODE = """
    r1 = ex2.approx.f32 r10
    {between}
    r2 = mul.lo.s32 r11, r12
    r3 = add.s32 {sources}
    exit
"""


def waits_at(pc: int, text: str) -> dict[str, int]:
    """What a warp waits for in front of an instruction, and for how many cycles."""
    machine, memory = load_machine("teaching_gpu").description, Memory([("x", 256)])
    core = SimtCore(kernel(text), machine, memory)
    core.start(0, "k", Grid((1, 1, 1), (32, 1, 1)), b"")
    assert core.advance(100_000) == DONE
    stalls = core.state.stalls.reshape(-1, why.COUNT)[pc].tolist()
    return {why.REASONS[k].name: cycles for k, cycles in enumerate(stalls) if cycles and k > 1}


def reason(between: int, sources: str) -> tuple[str, int]:
    """(what the sum waits for after so many other instructions, for how long)."""
    lines = "\n".join(f"r{20 + k} = mov.b32 0" for k in range(between))
    ((name, cycles),) = waits_at(between + 2, CODE.format(between=lines, sources=sources)).items()
    return name, cycles


def test_the_first_of_two_that_come_at_once_is_the_reason():
    """The function's result comes last behind few instructions, the product's behind many."""
    found = [(reason(k, "r1, r2"), reason(k, "r2, r1")) for k in range(40)]
    names = [(one[0], other[0]) for one, other in found]
    assert all(one[1] == other[1] for one, other in found)
    assert names[0] == ("short_scoreboard",) * 2
    assert names[-1] == ("wait",) * 2
    tied = [pair for pair in names if pair[0] != pair[1]]
    assert tied == [("short_scoreboard", "wait")]


def test_a_guard_is_waited_for_behind_four_others():
    """Three sources and what is written stand before it; nothing else is on its way."""
    text = "p0 = setp.gt.s32 r5, 4\n{guard}r3 = mad.lo.s32 r1, r2, r4\nexit"
    assert waits_at(1, text.format(guard="@p0 "))["wait"] > 1
    assert waits_at(1, text.format(guard="")) == {}


def test_waiting_is_charged_to_who_waits():
    """At a barrier to that, for stores that have not come to the end of the warp."""
    text = "d4 = mov.address x\nbar.sync 0, 0\nst.global.b32 d4, 0, r1\nexit"
    found = [waits_at(pc, text) for pc in range(4)]
    assert [set(waits) & {"barrier", "drain"} for waits in found] == [
        set(),
        {"barrier"},
        set(),
        {"drain"},
    ]
