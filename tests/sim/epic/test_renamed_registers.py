"""Rotation and the register stack, on the machine interpreter and on the core.

A program is its instructions, one a line, each alone in its group; a function is a label.
"""

from __future__ import annotations

import pytest

from compiler.frontends.ia64 import PLUGIN
from compiler.targets.epic.interpret import interpret
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.instructions.ia64_frame import Frame
from machines.layout import Memory
from machines.vocabulary.numbers import wrap
from tests.sim.epic.epic_runs import simulate

MACHINE = load_machine("itanium2")


def program(text: str, machine=MACHINE):
    """A program with a stop after each instruction."""
    lines = [line if line.endswith(":") else f"{line} ;;" for line in text.strip().splitlines()]
    source = "\n".join(["        .text", "        .global main", *lines, ""])
    return PLUGIN.read(source, "test.s", machine)


@pytest.fixture(params=["interpreter", "core"])
def run(request):
    """Runs a program; gives its outcome and the registers: gr, pr, ar."""

    def run_it(text: str, machine=MACHINE):
        made = program(text, machine)
        if request.param == "interpreter":
            outcome = interpret(made, Memory([]), machine=machine)
            return outcome, outcome
        outcome = simulate(made, machine, Memory([]), {}, cycle_limit=10_000_000)
        return outcome, outcome.registers

    return run_it


LEAVE = "br.ret.sptk b0"


def general(eights: int, count: int) -> str:
    """A frame whose registers hold their numbers, turned `count` times."""
    size = 8 * eights
    return "\n".join((
        f"main:\nalloc r2 = ar.pfs, 0, {size}, 0, {size}",
        *(f"adds r{n} = {n}, r0" for n in range(32, 32 + size)),
        f"mov ar.lc = {count - 1}", "mov ar.ec = 1", "again:", "br.ctop.sptk again", LEAVE,
    ))  # fmt: skip


@pytest.mark.parametrize(("eights", "turns"), [(1, 1), (1, 3), (2, 5), (12, 100)])
def test_a_value_is_found_one_register_further_on(run, eights, turns):
    _, registers = run(general(eights, turns))
    size = 8 * eights
    for number in range(size):
        assert registers.gr[32 + (number + turns) % size] == 32 + number


def test_floating_registers_and_predicates_turn_too(run):
    _, registers = run(
        "main:\nmov r14 = 127\nsetf.sig f127 = r14\nmov r15 = 33\nsetf.sig f33 = r15\n"
        "cmp.eq p20, p0 = r0, r0\nmov ar.ec = 1\nbr.ctop.sptk main2\nmain2:\n" + LEAVE
    )
    assert (registers.fr[32][1], registers.fr[34][1]) == (127, 33)
    assert [n for n in range(1, 64) if registers.pr[n]] == [21]


def test_moves_see_predicates_as_if_none_had_rotated(run):
    """The stage that br.ctop brings in is logical p16, and bit 63 of `mov r = pr`."""
    _, registers = run(
        f"main:\nmov ar.lc = 1\nmov ar.ec = 1\nbr.ctop.sptk on\non:\nmov r14 = pr\n{LEAVE}"
    )
    assert registers.pr[16] == 1
    assert registers.gr[14] == wrap(1 << 63 | 1)


@pytest.mark.parametrize("clear", ["clrrrb", "clrrrb.pr"])
def test_clearing_the_rotation(run, clear):
    _, registers = run(
        "main:\nalloc r2 = ar.pfs, 0, 8, 0, 8\nadds r32 = 7, r0\ncmp.eq p16, p0 = r0, r0\n"
        f"mov ar.ec = 2\nbr.ctop.sptk on\non:\n{clear}\n{LEAVE}"
    )
    assert (registers.pr[16], registers.pr[17]) == (1, 0)
    assert registers.gr[32 if clear == "clrrrb" else 33] == 7


def test_the_recipe_of_a_counted_loop(run):
    """N = 5 iterations of S = 3 stages are 7 turns; each stage executes 5 times."""
    _, registers = run(
        "main:\nmov ar.lc = 4\nmov ar.ec = 3\nmov pr.rot = 0x10000\nkernel:\n"
        "adds r14 = 1, r14\n(p16) adds r15 = 1, r15\n(p18) adds r16 = 1, r16\n"
        f"br.ctop.sptk kernel\n{LEAVE}"
    )
    assert registers.gr[14:17] == [7, 5, 5]
    assert (registers.ar["ar.lc"], registers.ar["ar.ec"]) == (0, 0)


ROTATED = "main:\nalloc r2 = ar.pfs, 0, 16, 0, 8\nmov ar.ec = 2\nbr.ctop.sptk on\non:\n"


def test_alloc_may_not_change_the_region_of_rotated_registers(run):
    outcome, _ = run(f"{ROTATED}alloc r3 = ar.pfs, 0, 16, 0, 16\n{LEAVE}")
    assert outcome.fault.kind == "rotating region changed while rotated"
    outcome, _ = run(f"{ROTATED}alloc r3 = ar.pfs, 0, 24, 0, 8\n{LEAVE}")
    assert outcome.status == "done"
    outcome, _ = run(f"{ROTATED}clrrrb\nalloc r3 = ar.pfs, 0, 16, 0, 16\n{LEAVE}")
    assert outcome.status == "done"


# --------------------------------------------------------------------------------- frames

RETURN = "mov ar.pfs = r14\nmovl r15 = there\nmov b6 = r15\nbr.ret.sptk b6\nthere:\n"

CALL = """
main:
alloc r33 = ar.pfs, 0, 3, 2, 0
mov r34 = b0
adds r35 = 40, r0
adds r36 = 2, r0
mov ar.ec = 5
br.call.sptk b0 = sum
mov r16 = ar.ec
mov r17 = r35
mov b0 = r34
mov ar.pfs = r33
br.ret.sptk b0
sum:
alloc r35 = ar.pfs, 2, 2, 0, 0
add r8 = r32, r33
adds r32 = 1, r32
mov ar.ec = 9
mov r14 = ar.pfs
mov ar.pfs = r35
br.ret.sptk b0
"""


def test_outputs_become_inputs_and_the_frame_comes_back(run):
    _, registers = run(CALL)
    assert registers.gr[8] == 42
    assert registers.gr[17] == 41  # the callee's r32 is the caller's r35
    assert registers.gr[16] == 5  # br.ret brings ar.ec back
    assert Frame.of(registers.gr[14]) == (5, 3, 0, 0, 0, 0)
    assert registers.gr[14] >> 52 == 5


def test_a_call_starts_unrotated_and_a_return_turns_registers_back(run):
    _, registers = run(
        "main:\nalloc r40 = ar.pfs, 0, 10, 1, 8\nmov r41 = b0\nadds r32 = 7, r0\nmov ar.ec = 2\n"
        "br.ctop.sptk on\non:\nadds r42 = 1, r0\nbr.call.sptk b0 = inner\nmov r14 = r33\n"
        f"mov b0 = r41\n{LEAVE}\n"
        "inner:\nalloc r34 = ar.pfs, 1, 7, 0, 8\nadds r32 = 5, r32\nmov ar.ec = 1\n"
        "br.ctop.sptk next\nnext:\nmov r15 = r33\nmov r16 = ar.pfs\n" + LEAVE
    )
    assert (registers.gr[14], registers.gr[15]) == (7, 6)
    assert Frame.of(registers.gr[16])[3:] == (7, 95, 47)


@pytest.mark.parametrize(("eights", "named"), [(2, 7), (2, 1), (1, 3), (4, 31), (12, 40)])
def test_values_pass_through_registers_that_nobody_names(run, eights, named):
    """A called function whose whole frame rotates, of which it names r32 and one other register."""
    size = 8 * eights
    _, registers = run(
        "main:\nalloc r34 = ar.pfs, 0, 8, 0, 0\nmov r35 = b0\nmov r39 = 77\n"
        "br.call.sptk b0 = inner\nmov r16 = r39\nmov ar.pfs = r34\nmov b0 = r35\n"
        f"{LEAVE}\ninner:\nalloc r2 = ar.pfs, 0, {size}, 0, {size}\nmov r14 = 0\nmov r8 = 0\n"
        f"mov ar.ec = 1\nmov ar.lc = {size - 1}\nfill:\nmov r32 = r14\nadds r14 = 1, r14\n"
        f"br.ctop.sptk fill\nmov ar.ec = 1\nmov ar.lc = {size - 1}\nsum:\n"
        f"add r8 = r8, r{32 + named}\nbr.ctop.sptk sum\n{LEAVE}"
    )
    assert (registers.gr[8], registers.gr[16]) == (size * (size - 1) // 2, 77)


def test_a_new_register_holds_what_its_physical_register_held(run):
    """Of 96 stacked registers, r32 of the 97th and later are those of frames that are saved."""
    made = "main:\nalloc r3 = ar.pfs, 0, 96, 0, 0\n" + "".join(
        f"mov r{n} = {n}\n" for n in range(32, 128)
    )
    _, registers = run(
        f"{made}br.call.sptk b6 = inner\ninner:\nalloc r4 = ar.pfs, 0, 20, 0, 0\n"
        f"mov r8 = r51\nmov r9 = r32\n{LEAVE}"
    )
    assert (registers.gr[8], registers.gr[9]) == (51, 32)


RECURSION = """
sum:
alloc r33 = ar.pfs, 1, 3, 1, 0
cmp.eq p6, p7 = 0, r32
(p6) br.cond.spnt zero
mov r34 = b0
adds r36 = -1, r32
br.call.sptk.many b0 = sum
add r8 = r8, r32
mov b0 = r34
mov ar.pfs = r33
br.ret.sptk.many b0
zero:
mov r8 = r0
mov ar.pfs = r33
br.ret.sptk.many b0
main:
alloc r33 = ar.pfs, 0, 3, 1, 0
mov r34 = b0
addl r35 = DEPTH, r0
br.call.sptk.many b0 = sum
mov b0 = r34
mov ar.pfs = r33
br.ret.sptk.many b0
"""


@pytest.mark.parametrize("depth", [0, 1, 20, 23, 24, 100, 5000])
def test_recursion_of_any_depth(run, depth):
    outcome, _ = run(RECURSION.replace("DEPTH", str(depth)))
    assert (outcome.status, outcome.value) == ("done", depth * (depth + 1) // 2)


def test_what_recursion_saves_it_restores():
    """main has 3 registers below, each call 4 more, the last frame 5 of which 96 are there."""
    depth = 1000
    made = program(RECURSION.replace("DEPTH", str(depth)))
    outcome = simulate(made, MACHINE, Memory([]), {})
    saved = 3 + 4 * depth + 5 - 96
    counters = outcome.counters
    assert counters["RSE_REFERENCES_RETIRED.STORE"] == saved
    assert counters["RSE_REFERENCES_RETIRED.LOAD"] == saved
    lost = counters["BE_RSE_BUBBLE.OVERFLOW"] + counters["BE_RSE_BUBBLE.UNDERFLOW"]
    assert lost == counters["BE_RSE_BUBBLE.ALL"] == outcome.lost["register_stack"]
    assert counters["BE_RSE_BUBBLE.OVERFLOW"] >= saved // 2


def test_the_backing_store_is_as_large_as_the_machine_says(run):
    """3 + 4 n + 5 registers of n calls; 96 of them and 1 KiB / 8 B fit."""
    small = load_machine("itanium2", ("register_stack.backing_store=1KiB",))
    room = (96 + 128 - 8) // 4
    outcome, _ = run(RECURSION.replace("DEPTH", str(room)), small)
    assert outcome.value == room * (room + 1) // 2
    outcome, _ = run(RECURSION.replace("DEPTH", str(room + 1)), small)
    assert (outcome.fault.kind, outcome.fault.location.line) == ("register stack full", 4)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("main:\nalloc r2 = ar.pfs, 0, 4, 0, 0\nadds r36 = 1, r0\n", "register outside the frame"),
        ("main:\nalloc r2 = ar.pfs, 0, 4, 0, 0\nadds r14 = 1, r36\n", "register outside the frame"),
        ("main:\nalloc r2 = ar.pfs, 0, 4, 0, 0\nadds r35 = 1, r0\n", None),
        (f"main:\nmov r14 = {Frame(4, 4, 0).marker}\n{RETURN}", "register stack empty"),
        (f"main:\nmov r14 = {Frame(4, 5, 0).marker}\n{RETURN}", "illegal frame"),
        (f"main:\nmov r14 = {Frame(97, 0, 0).marker}\n{RETURN}", "illegal frame"),
        (f"main:\nmov r14 = {Frame(4, 0, 8).marker}\n{RETURN}", "illegal frame"),
        (f"main:\nmov r14 = {Frame(4, 0, 0).marker}\n{RETURN}", None),
    ],
)  # fmt: skip
def test_frames_that_cannot_be(run, text, kind):
    outcome, _ = run(text + LEAVE)
    assert (outcome.fault.kind if outcome.fault else None) == kind


def test_a_frame_larger_than_the_registers(run):
    small = load_machine("itanium2", ("register_stack.registers=32",))
    outcome, _ = run(f"main:\nalloc r2 = ar.pfs, 0, 33, 0, 0\n{LEAVE}", small)
    assert outcome.fault.kind == "illegal frame"
    outcome, _ = run(RECURSION.replace("DEPTH", "100"), small)
    assert outcome.value == 5050


def test_rotating_regions_are_as_large_as_the_machine_says(run):
    small = load_machine("itanium2", ("registers.floating.rotating=[32, 63]",))
    text = "main:\nmov r14 = 7\nsetf.sig f63 = r14\nmov ar.ec = 2\nbr.ctop.sptk on\non:\n" + LEAVE
    assert run(text, small)[1].fr[32][1] == 7
    assert run(text)[1].fr[64][1] == 7


@pytest.mark.parametrize("calls", [False, True])
def test_the_result_of_alloc_is_in_the_frame_that_it_makes(calls):
    call = "br.call.sptk b6 = main\n" if calls else ""
    made = program(f"main:\nalloc r40 = ar.pfs, 0, 4, 0, 0\n{call}{LEAVE}")
    assert interpret(made, Memory([])).fault.kind == "register outside the frame"
    with pytest.raises(InputError, match="of which its result is none"):
        simulate(made, MACHINE, Memory([]), {})
