"""Registers: how few, what is put together, what lives in memory."""

from __future__ import annotations

import pytest

from compiler.ir.module import Function
from compiler.targets.simt.registers.allocate import allocate
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt.program import KernelFrame
from tests.compiler.code_of_lines import code


@pytest.fixture(scope="module")
def description():
    return load_machine("teaching_gpu").description


def kernel(*lines: str) -> Function:
    """A kernel of one block."""
    function = code("ptx", entry=[*lines, "exit"])
    function.frame = KernelFrame()
    return function


def allocated(function: Function, description, registers: int = 0) -> dict[str, int]:
    return allocate(function, description, 100, registers)


def texts(function: Function) -> list[str]:
    return [
        f"{' '.join(i.results)} = {i.operation} {' '.join(map(str, i.operands))}"
        for i in function.entry.instructions[:-1]
    ]


def test_what_is_read_for_the_last_time_makes_room(description):
    function = kernel(
        "%a = mov.tid.x",
        "%b = mov.ctaid.x",
        "%c = add.s32 %a, %b",
        "st.shared.b32 0, 0, %c",
    )
    assert allocated(function, description)["registers"] == 2


def test_a_move_between_values_that_do_not_disturb_each_other_is_gone(description):
    function = kernel(
        "%a = mov.tid.x",
        "%b = mov.b32 %a",
        "st.shared.b32 0, 0, %b",
    )
    allocated(function, description)
    assert texts(function) == ["r0 = mov.tid.x ", " = st.shared.b32 0 0 r0"]


def test_a_guarded_write_keeps_the_old_value_alive(description):
    function = kernel(
        "%a = mov.tid.x",
        "%p = setp.lt.s32 %a, 3",
        "%b = mov.ctaid.x",
        "@%p %b = mov.b32 %a",
        "st.shared.b32 0, 0, %b",
    )
    allocated(function, description)
    first, second = (function.entry.instructions[k].results[0] for k in (0, 2))
    assert first != second
    assert function.entry.instructions[3].results == (second,)


def test_pairs_begin_at_even_numbers_and_singles_leave_them_whole(description):
    function = kernel(
        "%a = mov.tid.x",
        "%w = cvt.s64.s32 %a",
        "%b = mov.ctaid.x",
        "%v = cvt.s64.s32 %b",
        "st.shared.b32 0, 0, %a",
        "st.shared.b32 0, 0, %b",
        "st.shared.b64 0, 0, %v",
        "st.shared.b64 0, 0, %w",
    )
    assert allocated(function, description)["registers"] == 6
    pairs = [int(function.entry.instructions[k].results[0][1:]) for k in (1, 3)]
    assert all(number % 2 == 0 for number in pairs)


def spilling(count: int) -> Function:
    """`count` doubles that are alive together, each made of a value of its own."""
    code = [f"%x{k} = ld.shared.b64 0, {8 * k}" for k in range(count)]
    code += [f"st.shared.b64 0, {8 * k}, %x{k}" for k in range(count)]
    return kernel(*code)


def test_what_finds_no_register_lives_in_local_memory(description):
    function = spilling(12)
    counts = allocated(function, description, registers=16)
    assert counts["registers"] <= 16 and counts["spilled"] >= 4
    assert function.frame.local == 8 * counts["spilled"]
    names = [i.operation.name for i in function.entry.instructions]
    assert "ld.local.b64" in names and "st.local.b64" in names


def test_the_frame_of_the_function_it_was_copied_from_stays_as_it_was(description):
    function = spilling(12)
    frame = function.frame
    allocated(function, description, registers=16)
    assert frame.local == 0 and function.frame is not frame


def test_what_a_row_makes_of_nothing_is_made_again(description):
    code = ["%t = mov.tid.x", "%c = mov.ctaid.x"]
    code += [f"%x{k} = ld.shared.b32 0, {4 * k}" for k in range(8)]
    code += [f"st.shared.b32 %t, {4 * k}, %x{k}" for k in range(8)]
    code += ["st.shared.b32 %t, 0, %c"]
    counts = allocated(kernel(*code), description, registers=9)
    assert counts["recomputed"] >= 1 and counts["registers"] <= 9


def test_more_predicates_than_there_are_become_numbers(description):
    code = ["%t = mov.tid.x"]
    code += [f"%p{k} = setp.lt.s32 %t, {k}" for k in range(9)]
    code += [f"@%p{k} st.shared.b32 0, 0, %t" for k in range(9)]
    function = kernel(*code)
    counts = allocated(function, description)
    assert counts["predicates kept as numbers"] >= 2
    guards = {i.guard.name for i in function.entry.instructions if i.guard}
    assert guards <= {f"p{k}" for k in range(7)}


def test_a_promise_of_many_threads_leaves_each_fewer_registers(description):
    function = spilling(20)
    function.frame.most_threads = description.limits.registers // 16
    assert allocated(function, description)["registers"] <= 16


def test_too_few_registers_are_an_error(description):
    code = ["%a, %b, %c, %d = ld.shared.v4.b32 %e, 0"]
    code = ["%e = mov.tid.x", *code]
    code += ["st.shared.v4.b32 %e, 0, %a, %b, %c, %d"]
    limits = description.limits.model_copy(update={"registers_per_thread": 4})
    with pytest.raises(InputError, match="does not fit in 4 registers"):
        allocated(kernel(*code), description.model_copy(update={"limits": limits}))


def test_sources_of_a_row_lie_in_different_banks(description):
    lines = [
        "%a = mov.tid.x",
        "%b = mov.ctaid.x",
        "%c = mov.ntid.x",
        "%d = add.s32 %a, %c",
        "st.shared.b32 0, 0, %d",
        "st.shared.b32 0, 4, %b",
        "st.shared.b32 0, 8, %a",
    ]
    without, beside = kernel(*lines), kernel(*lines)
    allocated(without, description)
    allocated(beside, load_machine("h200").description)
    assert "add.s32 r0 r2" in texts(without)[3]
    assert "add.s32 r0 r3" in texts(beside)[3]


def held(number: int) -> Function:
    """`number` values at once, of which the last is read beside the one in r1."""
    tids = [f"%a{k} = mov.tid.x" for k in range(number)]
    last = number - 1
    others = [k for k in range(last) if k != 1]
    stores = [f"st.shared.b32 0, 4, %a{k}" for k in others]
    return kernel(*tids, f"%b = add.s32 %a1, %a{last}", "st.shared.b32 0, 0, %b", *stores)


def test_banks_cost_no_resident_warps():
    """The last value is read beside the one in r1, so it is better in r32 than in r31; but a warp
    would be given 40 registers for each of its threads then, and 64 warps have 32 each."""
    assert allocated(held(32), load_machine("h200").description)["registers"] == 32


def test_registers_that_no_warp_would_have_are_taken_for_a_quiet_bank():
    """Eight values fit in r0 to r7, but up to 32 registers a thread leave room for all warps."""
    function = held(8)
    assert allocated(function, load_machine("h200").description)["registers"] == 9
    assert "add.s32 r1 r8" in " ".join(texts(function))


def test_a_quiet_bank_is_taken_from_beyond_what_is_free_in_use():
    """%c is read beside %a in r0, and r2 is free when it is written, but r3 is as cheap."""
    function = kernel(
        "%a = mov.tid.x",
        "%b = mov.tid.y",
        "%d = mov.ctaid.x",
        "st.shared.b32 0, 4, %d",
        "%c = mov.tid.z",
        "%e = add.s32 %a, %c",
        "%f = add.s32 %b, %e",
        "st.shared.b32 0, 0, %f",
    )
    allocated(function, load_machine("h200").description)
    assert texts(function)[5].endswith("add.s32 r0 r3")


def test_values_make_room_for_what_is_read_beside_them_and_comes_later():
    """%a and %b are both read beside %c, so they go to one bank, and %c to the other."""
    function = kernel(
        "%a = mov.tid.x",
        "%b = mov.tid.y",
        "%c = mov.ctaid.x",
        "%d = add.s32 %a, %c",
        "%e = add.s32 %b, %c",
        "st.shared.b32 0, 0, %d",
        "st.shared.b32 0, 4, %e",
    )
    allocated(function, load_machine("h200").description)
    a, b, c = (int(i.results[0][1:]) % 2 for i in function.entry.instructions[:3])
    assert a == b != c
