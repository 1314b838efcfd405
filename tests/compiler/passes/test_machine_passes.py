"""Passes over machine operations: reuse, combination, extensions, copies, dead code, scheduling."""

from __future__ import annotations

import pytest

from compiler.ir.copy import copy_function
from compiler.ir.printer import print_instruction
from compiler.pass_lists import default_passes, make_steps, passes
from compiler.pipelines import run_steps
from compiler.targets.epic.dependences import dependences
from compiler.targets.epic.passes.schedule_blocks import schedule
from compiler.targets.epic.registers.allocation import allocate
from compiler.targets.epic.scheduling.reservation import reservation
from compiler.targets.epic.selection.select import select_function
from compiler.text_form import parse
from compiler.transformation import make_options
from machines.description.load import load_machine
from machines.diagnostics import InputError
from tests.compiler.both_ways import compare_text
from tests.compiler.code_of_lines import code, instructions


def after(name: str, lines: list[str]) -> list[str]:
    """A block of machine code after a pass, one string an instruction."""
    function = code("ia64", entry=[*lines, "br.ret 0, b0"])
    plugin = passes("epic")[name]
    plugin.run(function, None, make_options(plugin, {}))
    return [print_instruction(i) for i in function.entry.instructions[:-1]]


def test_a_value_is_computed_once():
    assert after(
        "reuse_values",
        [
            "%1 = dep.z %i, 3, 61",
            "%2 = dep.z %i, 3, 61",
            "%3 = add %p, %2",
        ],
    ) == ["%1 = dep.z %i, 3, 61", "%2 = adds 0, %1", "%3 = add %p, %1"]


def test_a_value_is_computed_again_when_its_operand_changed():
    code = [
        "%1 = dep.z %i, 3, 61",
        "%i = adds 1, %i",
        "%2 = dep.z %i, 3, 61",
    ]
    assert after("reuse_values", code)[2] == "%2 = dep.z %i, 3, 61"


def test_a_value_is_computed_again_when_its_holder_changed():
    code = [
        "%1 = dep.z %i, 3, 61",
        "%1 = adds 1, %1",
        "%2 = dep.z %i, 3, 61",
    ]
    assert after("reuse_values", code)[2] == "%2 = dep.z %i, 3, 61"


def test_shift_and_add_become_one():
    assert (
        after(
            "combine_operations",
            ["%1 = dep.z %i, 3, 61", "%2 = add %p, %1"],
        )[1]
        == "%2 = shladd %i, 3, %p"
    )


def test_a_shift_by_five_is_too_long_for_shladd():
    code = ["%1 = dep.z %i, 5, 59", "%2 = add %p, %1"]
    assert after("combine_operations", code)[1] == "%2 = add %p, %1"


def test_extension_and_shift_become_one():
    code = ["%1 = zxt4 %i", "%2 = dep.z %1, 2, 62"]
    assert after("combine_operations", code)[1] == "%2 = dep.z %i, 2, 32"


def test_a_mask_and_a_compare_become_a_bit_test():
    code = [
        "%1 = and.imm 4, %x",
        "%c, %!c = cmp.eq.imm 0, %1",
    ]
    assert after("combine_operations", code)[1] == "%c, %!c = tbit.z %x, 2"


@pytest.mark.parametrize(
    ("maker", "extension", "dropped"),
    [
        ("%1 = ld1 %p", "zxt1", True),
        ("%1 = ld1 %p", "sxt1", False),
        ("%1 = ld1 %p", "sxt2", True),
        ("%1 = ld4 %p", "zxt2", False),
        ("%1 = extr.u %x, 8, 24", "sxt4", True),
        ("%1 = extr.u %x, 8, 32", "sxt4", False),
        ("%1 = add %x, %y", "zxt4", False),
    ],
)
def test_extensions_of_short_values_are_dropped(maker, extension, dropped):
    code = after("drop_extensions", [maker, f"%2 = {extension} %1"])
    assert code[1] == ("%2 = adds 0, %1" if dropped else f"%2 = {extension} %1")


def test_a_width_ends_with_a_guarded_write():
    code = [
        "%1 = ld1 %p",
        "@%c %1 = add %x, %y",
        "%2 = zxt1 %1",
    ]
    assert after("drop_extensions", code)[2] == "%2 = zxt1 %1"


def test_a_copy_is_written_directly():
    code = [
        "%1 = fma.d.s0 %a, %b, %c",
        "%d = fmerge.s %1, %1",
        "stfd %p, %d",
    ]
    assert after("coalesce_copies", code) == ["%d = fma.d.s0 %a, %b, %c", "stfd %p, %d"]


def test_a_copy_stays_if_its_target_is_read_in_between():
    code = [
        "%1 = add %a, %b",
        "st8 %p, %d",
        "%d = adds 0, %1",
        "st8 %q, %d",
    ]
    assert len(after("coalesce_copies", code)) == 4


def test_unread_results_and_operations_go():
    code = [
        "%1 = add %a, %b",
        "%c, %!c = cmp.lt %a, %b",
        "@%c st8 %p, %a",
        "%2 = ld8 %p",
    ]
    assert after("remove_unread_results", code) == [
        "%c, p0 = cmp.lt %a, %b",
        "@%c st8 %p, %a",
        "%2 = ld8 %p",
    ]


# ── scheduling ───────────────────────────────────────────────────────────────────────────────


def cycles(lines: list[str], machine, by: str = "automaton") -> list[int]:
    code = instructions("ia64", *lines)
    issued = schedule(code, machine.description, reservation(by, machine.description))
    found = [0] * len(code)
    for node, cycle in issued:
        found[node] = cycle
    return found


def test_latencies_and_bypasses(itanium2):
    """A load's value reaches an add after 1 cycle, an address after 2."""
    code = [
        "r14 = ld8 r15",
        "r16 = add r14, r17",
        "r18 = ld8 r14",
    ]
    assert cycles(code, itanium2) == [0, 1, 2]


def test_a_compare_and_its_branch_share_a_cycle_but_a_guarded_operation_waits(itanium2):
    code = [
        "p6, p7 = cmp.lt r14, r15",
        "@p6 r16 = adds 1, r17",
        "@p7 br.cond 0, there",
    ]
    assert cycles(code[::2], itanium2) == [0, 0]
    assert cycles(code, itanium2) == [0, 1, 1]


def test_the_ports_take_two_loads_a_cycle(itanium2):
    code = [f"r{n} = ld8 r40" for n in range(14, 19)]
    assert cycles(code, itanium2) == [0, 0, 1, 1, 2]


def test_five_operations_that_the_ports_take_and_no_two_bundles(itanium2):
    code = [f"r{n} = shl r20, r21" for n in (14, 15)]
    code += [f"f{n} = fma.d.s0 f9, f10, f11" for n in (6, 7)]
    code.append("@p6 br.cond 0, there")
    assert cycles(code, itanium2, by="ports") == [0, 0, 0, 0, 0]
    assert max(cycles(code, itanium2)) == 1


def test_a_writer_may_share_the_cycle_of_an_earlier_reader(itanium2):
    code = ["r16 = add r14, r15", "r14 = adds 1, r17"]
    assert cycles(code, itanium2) == [0, 0]


def test_a_load_stays_behind_a_store_and_a_break(itanium2):
    code = [
        "f6 = setf.sig r20",
        "r14 = getf.sig f6",
        "st8 r15, r14",
        "r16 = ld8 r17",
    ]
    assert cycles(code, itanium2) == [0, 6, 11, 11]
    graph = dependences(instructions("ia64", *code), itanium2.description)
    assert graph.after[2] == {3: 0}
    broken = ["@p6 break.m 1", "r16 = ld8 r17"]
    broken = instructions("ia64", *broken)
    assert dependences(broken, itanium2.description).after[0] == {1: 0}


def test_clearing_register_names_ends_a_group_and_a_frame_begins_one(itanium2):
    def one(number: int) -> str:
        return f"r{number} = adds 1, r0"

    clearing = [one(14), "clrrrb", one(15)]
    assert cycles(clearing, itanium2) == [0, 0, 1]
    framing = [one(14), "r16 = alloc 0, 1, 0, 0", one(15)]
    assert cycles(framing, itanium2) == [0, 1, 1]


def test_spill_slots_are_memories_of_their_own(itanium2):
    code = instructions(
        "ia64",
        "st8 r15, r14",
        "st8 r16, r14 {spill_slot: 0}",
        "r17 = ld8 r18",
        "r19 = ld8 r20 {spill_slot: 0}",
    )
    graph = dependences(code, itanium2.description)
    assert graph.after[0] == {2: 0}
    assert graph.after[1] == {3: 0}


# ── registers ────────────────────────────────────────────────────────────────────────────────

MANY = "\n".join(
    ["func @many(a: i64) -> i64 {", "entry:"]
    + [f"    x{n} = xor.i64 a, {n + 200}" for n in range(40)]
    + ["    s = const.i64 0"]
    + [f"    s = add.i64 s, x{39 - n}" for n in range(40)]
    + ["    return s", "}"]
)


def test_many_values_spill_and_come_back(cramped, itanium2):
    module = parse(MANY, "many.sir")
    for machine, spilled in ((itanium2, False), (cramped, True)):
        function = copy_function(module.functions["many"])
        select_function(function, machine.description)
        counts = allocate(function, machine.description, 24)
        assert bool(counts) == spilled
        compare_text(MANY, {"a": 12345}, machine)


def test_every_register_file_spills(cramped):
    """Forty floats, then forty booleans, all alive together."""
    floats = ["func @f(a: f64) -> f64 {", "entry:"]
    floats += [f"    x{n} = add.f64 a, {n}.5" for n in range(40)]
    floats += ["    s = const.f64 0.0"] + [f"    s = sub.f64 s, x{n}" for n in range(40)]
    compare_text("\n".join([*floats, "    return s", "}"]), {"a": 0.3}, cramped)
    booleans = ["func @g(a: i64) -> i1 {", "entry:"]
    booleans += [f"    p{n} = lt_s.i64 a, {n * 7 % 40}" for n in range(40)]
    booleans += ["    s = const.i1 0"] + [f"    s = xor.i1 s, p{n}" for n in range(40)]
    for a in (-1, 11, 50):
        compare_text("\n".join([*booleans, "    return s", "}"]), {"a": a}, cramped)


def test_too_few_registers_are_said_so():
    """Two registers cannot hold an address, a value and what it is added to."""
    machine = load_machine(
        "itanium2",
        [
            "registers.general.count=40",
            "registers.general.rotating=[32, 39]",
            "registers.general.arguments=[32]",
            f"registers.general.reserved={[*range(8), *range(9, 32), *range(33, 40)]}",
        ],
    )
    with pytest.raises(InputError, match="too few general registers for 'many'"):
        compare_text(MANY, {"a": 1}, machine)


def test_the_frame_covers_the_stacked_registers(itanium2):
    function = parse(MANY, "many.sir").functions["many"]
    steps = make_steps("epic", default_passes("epic"))
    run_steps(steps, function, parse(MANY, "many.sir"), itanium2)
    alloc = function.entry.instructions[0]
    named = [v for _, i in function.instructions() for v in (*i.results, *i.operands)]
    highest = max(
        int(v[1:]) for v in named if isinstance(v, str) and v[0] == "r" and v[1:].isdigit()
    )
    assert alloc.operation.name == "alloc"
    assert alloc.operands == (1, max(highest - 32, 0), 0, 0)
