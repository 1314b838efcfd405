"""What is written around a value that lives in memory, and what is made again."""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.simt.registers.spilling import LocalMemory
from machines.kinds.simt.program import KernelFrame
from tests.compiler.code_of_lines import code


def spilled(lines: list[str], *names: str) -> list[str]:
    """The operations of a block after registers of 32 bits were spilled."""
    function: Function = code("ptx", entry=[*lines, "exit"])
    function.frame = KernelFrame()
    LocalMemory(function).spill(names, dict.fromkeys(names, "b32"))
    return [i.operation.name for i in function.entry.instructions[:-1]]


USE = "st.shared.b32 0, 0, %x"


def test_a_write_is_stored_and_a_read_loaded():
    lines = ["%x = ld.shared.b32 0, 0", USE]
    loaded = ["ld.shared.b32", "st.local.b32", "ld.local.b32", "st.shared.b32"]
    assert spilled(lines, "%x") == loaded


def test_what_a_guard_may_leave_is_loaded_before_it_is_stored_again():
    lines = ["%x = ld.shared.b32 0, 0", "@%p %x = ld.shared.b32 0, 4"]
    twice = ["ld.shared.b32", "st.local.b32", "ld.local.b32", "ld.shared.b32", "st.local.b32"]
    assert spilled(lines, "%x") == twice


def test_only_what_one_instruction_makes_of_nothing_is_made_again():
    assert spilled(["%x = mov.b32 7", USE, USE], "%x") == ["mov.b32", "st.shared.b32"] * 2
    two = ["mov.b32", "st.local.b32", "mov.b32", "st.local.b32", "ld.local.b32", "st.shared.b32"]
    assert spilled(["%x = mov.b32 7", "%x = mov.b32 8", USE], "%x") == two


def test_a_value_that_an_instruction_reads_twice_is_loaded_once():
    lines = ["%x = ld.shared.b32 0, 0", "%y = add.s32 %x, %x"]
    assert spilled(lines, "%x").count("ld.local.b32") == 1
