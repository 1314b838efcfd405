"""What of a packet is certain: which operands it never waits for, that its line is held, that
nothing holds the pipe."""

from __future__ import annotations

import pytest

from compiler import compile
from sim.cores.epic.certainties import Certain, Certainties
from sim.cores.epic.packets import packet_of, shape_of
from tests.sim.epic.epic_runs import simulate
from tests.sim.epic.switched_code import without_code
from tests.sim.epic.test_core_against_reference import machine_of, memory_of

STEP = "        adds r14 = 1, r14 ;;\n"
PLACE = "        adds r2 = -64, r12 ;;\n"
END = "        br.ret.sptk b0\n"
NOTHING = Certain((), False, False)


def certain(source: str) -> list[tuple[str, Certain]]:
    """The operations of each packet that issued, and what is certain of it."""
    machine = machine_of("itanium2")
    program = compile("case.s", machine=machine, source=source).program
    with without_code() as cores:
        run = simulate(program, machine, memory_of(program, {}), {}, cycle_limit=100_000)
    assert run.status == "done"
    state, found = cores[0].state, Certainties(cores[0].state)
    operations = [
        program.operations[row[0]] if row[0] >= 0 else "" for row in program.code.tolist()
    ]
    packets = [packet_of(state, number) for number in cores[0].issued()]
    return [
        (" ".join(operations[syllable] for syllable in packet.syllables), found.of(packet.number))
        for packet in packets
    ]


def may_wait(source: str) -> set[str]:
    """The packets that may wait for an operand, by their operations."""
    return {operations for operations, one in certain(source) if one.checks}


def test_a_result_of_known_latency_is_waited_for_until_it_is_there():
    """f8 takes 4 cycles towards arithmetic."""
    for steps, waits in (0, True), (2, True), (3, False), (4, False):
        source = (
            f"        fma.d f8 = f1, f1, f1 ;;\n{steps * STEP}        fms.d f9 = f8, f1, f1 ;;\n"
        )
        assert ("fms.d.s0" in may_wait(source + END)) == waits, steps


def test_who_has_waited_has_waited_for_those_behind_it():
    source = PLACE + "        ld8 r8 = [r2] ;;\n" + 9 * STEP
    source += "        xor r9 = r8, r14 ;;\n        andcm r10 = r8, r14 ;;\n" + END
    assert may_wait(source) & {"xor", "andcm"} == {"xor"}


def test_to_wait_for_one_use_says_when_another_is_met():
    """Multimedia operations get an application register two cycles later than integer ones."""
    source = "        mov r8 = ar.lc ;;\n        xor r9 = r8, r14 ;;\n"
    assert "czx1.l" in may_wait(source + "        czx1.l r10 = r8 ;;\n" + END)
    assert "czx1.l" not in may_wait(source + STEP + "        czx1.l r10 = r8 ;;\n" + END)


def test_a_definition_ends_the_wait_for_the_one_before_but_not_under_a_guard():
    for guard, waits in ("", False), ("(p6)", True):
        source = PLACE + "        ld8 r8 = [r2]\n        cmp.eq p6, p7 = r0, r0 ;;\n" + STEP
        source += f"  {guard} addl r8 = 5, r0 ;;\n{STEP}        xor r9 = r8, r14 ;;\n"
        assert ("xor" in may_wait(source + END)) == waits


def test_where_ways_meet_the_later_result_counts():
    source = (
        PLACE
        + "        cmp.eq p6, p7 = r0, r2\n        mov r8 = 3 ;;\n  (p6)  br.cond.sptk on ;;\n"
        + "        ld8 r8 = [r2] ;;\n"
        + 5 * STEP
        + "on:     xor r9 = r8, r14 ;;\n"
    )
    assert "xor" in may_wait(source + END)
    assert "xor" not in may_wait(source.replace("ld8 r8", "ld8 r10") + END)


def test_a_register_that_rotates_brings_what_was_waited_for_under_another_name():
    source = (
        "        alloc r31 = ar.pfs, 0, 8, 0, 8 ;;\n"
        + PLACE
        + "        mov ar.lc = 9\n        mov ar.ec = 1 ;;\n"
        + "top:    {use} ;;\n        ld8 r32 = [r2] ;;\n"
        + 9 * STEP
        + "        br.ctop.sptk top ;;\n"
    )
    assert "xor" in may_wait(source.format(use="xor r9 = r33, r14") + END)
    assert "xor" in may_wait(source.format(use="xor r9 = r35, r14") + END)
    both = source.format(use="xor r9 = r34, r33 ;;\n andcm r9 = r34, r2")
    assert may_wait(both + END) & {"xor", "andcm"} == {"xor"}


@pytest.mark.parametrize("bundles", range(4))
def test_nothing_is_known_behind_a_call(bundles: int):
    """Wherever in a window of bundles it stands."""
    source = (
        "        alloc r41 = ar.pfs, 0, 16, 0, 0 ;;\n        mov r40 = b0\n        mov r8 = 1 ;;\n"
        + PLACE
        + bundles * "{ .mii adds r14 = 1, r14\n nop.i 0\n nop.i 0 ;; }\n"
        + "{ .mib nop.m 0\n nop.i 0\n br.call.sptk b0 = called ;; }\n"
        + "{ .mii xor r9 = r8, r14\n nop.i 0\n nop.i 0 ;; }\n"
        + "        mov ar.pfs = r41\n        mov b0 = r40 ;;\n"
        + END
        + "called: ld8 r8 = [r2] ;;\n        br.ret.sptk b0\n"
    )
    assert "xor" in may_wait(source)


def test_a_frame_that_is_made_gives_names_to_other_registers():
    source = (
        "        alloc r31 = ar.pfs, 0, 8, 0, 8 ;;\n        mov ar.lc = 1 ;;\n"
        + "        mov ar.ec = 1 ;;\ntop:    br.ctop.sptk top ;;\n"
        + "        fma.d f9 = f34, f1, f1 ;;\n"
        + "{clear}        fms.d f34 = f34, f1, f1 ;;\n"
    )
    assert "fms.d.s0" in may_wait(source.format(clear="        clrrrb ;;\n") + END)
    assert "fms.d.s0" not in may_wait(source.format(clear=STEP) + END)


def test_what_has_a_second_result_is_of_another_shape():
    source = "        fcmp.lt.s0 p6, p7 = f0, f1 ;;\n        fcmp.lt.s0 p8, p0 = f0, f1 ;;\n"
    source += "        fcmp.lt.s0 p9, p10 = f1, f0 ;;\n"
    source += "".join(f"  (p{number}) adds r14 = 1, r14 ;;\n" for number in range(6, 11))
    machine = machine_of("itanium2")
    program = compile("case.s", machine=machine, source=source + END).program
    with without_code() as cores:
        simulate(program, machine, memory_of(program, {}), {}, cycle_limit=100_000)
    names = [program.operations[row[0]] if row[0] >= 0 else "" for row in program.code.tolist()]
    compares = [k for k, name in enumerate(names) if name.startswith("fcmp")]
    first, single, third = (shape_of(cores[0].state, syllable) for syllable in compares)
    assert first == third != single


def test_lines_and_the_pipe():
    packets = certain(
        PLACE
        + "        xor r9 = r2, r2 ;;\n        ld8 r8 = [r2] ;;\n        andcm r9 = r2, r2 ;;\n"
        + "        sub r9 = r2, r2 ;;\n        br.cond.sptk on ;;\non:     or r9 = r2, r2 ;;\n"
        + END
    )
    found = dict(packets)
    assert found["adds"].line and found["adds"].pipe  # where the program begins
    assert found["xor"] == NOTHING
    assert found["andcm"] == Certain((), False, True)
    assert found["sub"] == NOTHING
    assert found["or"].pipe
    long = certain(PLACE + 12 * STEP + "        xor r9 = r2, r2 ;;\n" + END)
    assert [one.line for _, one in long].count(True) >= 2
