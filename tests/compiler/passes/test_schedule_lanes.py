"""The order of rows: what may pass what, and what goes first."""

from __future__ import annotations

import pytest

from compiler.ir.module import Instruction
from compiler.ir.printer import print_instruction
from compiler.targets.simt.passes.schedule_lanes import free_registers, schedule
from compiler.targets.simt.row_order import order
from machines.description.load import load_machine
from tests.compiler.code_of_lines import code


@pytest.fixture(scope="module")
def description():
    return load_machine("teaching_gpu").description


def rows(*lines: str) -> list[Instruction]:
    return code("ptx", entry=list(lines)).entry.instructions


def follows(*lines: str) -> list[list[int]]:
    """For each row the rows before it that it has to follow."""
    return [sorted(rows) for rows in order(rows(*lines))]


def ordered(description, *lines: str, registers: int = 0) -> list[str]:
    made = code("ptx", entry=[*lines, "exit"])
    schedule(made, description, registers)
    return [print_instruction(i) for i in made.entry.instructions[:-1]]


def test_what_is_written_is_written_before_it_is_read_and_after_what_was_read():
    assert follows("%a = mov.b32 1", "%b = add.s32 %a, 1", "%a = mov.b32 2", "%c = mov.b32 %a") == [
        [], [0], [0, 1], [2],
    ]  # fmt: skip


def test_a_guarded_write_follows_the_write_before():
    assert follows("%a = mov.b32 1", "@%p %a = mov.b32 2", "%b = mov.b32 %a") == [[], [0], [1]]


def test_what_follows_a_store_to_the_same_bytes_follows_what_that_stood_for():
    again = ["st.global.b64 %p, 0, %x", "st.global.b32 %p, 4, 1"]
    assert follows(*again, "st.global.b32 %p, 4, 2") == [[], [0], [0, 1]]
    load = "%a = ld.global.b32 %p, 4"
    assert follows(load, "st.global.b64 %p, 0, %x", load, load) == [[], [0], [0, 1], [1, 2]]
    assert sum(map(len, follows(*(200 * ["st.global.b32 %p, 0, 1"])))) == 199


@pytest.mark.parametrize(
    ("first", "second", "keeps"),
    [
        ("%a = ld.global.b32 %p, 0", "%b = ld.global.b32 %p, 0", False),
        ("st.global.b32 %p, 0, 1", "%b = ld.global.b32 %q, 0", True),
        ("st.global.b32 %p, 0, 1", "%b = ld.global.b32 %p, 4", False),
        ("st.global.b32 %p, 0, 1", "%b = ld.global.b64 %p, -4", True),
        ("st.global.v2.b32 %p, 0, 1, 2", "%b = ld.global.b32 %p, 4", True),
        ("st.global.b32 %p, 0, 1", "%b = ld.shared.b32 0, 0", False),
        ("st.shared.b32 0, 4, 1", "%b = ld.shared.b32 4, 0", True),
        ("st.shared.b32 0, 4, 1", "%b = ld.shared.b32 0, 0", False),
        ("st.global.b32 %p, 0, 1", "%b = ld.generic.b32 %q, 0", True),
        ("st.global.b32 %p, 0, 1", "%b = ld.param.b32 0", False),
        ("%a = ld.global.b32 %p, 0", "bar.sync 0, 0", True),
        ("bar.sync 0, 0", "%b = ld.global.b32 %p, 0", True),
        ("%c = add.s32 %r, 1", "bar.sync 0, 0", False),
        ("%a = ld.global.b32 %p, 0", "%c = atom.global.add.u32 %q, 0, 1", True),
        ("@%z trap.division", "%b = ld.global.b32 %p, 0", True),
        ("%a = vote.sync.ballot.b32 %z, -1", "%b = vote.sync.ballot.b32 %z, -1", True),
        ("%c = add.s32 %r, 1", "%t = mov.clock", True),
        ("%t = mov.clock64", "%b = ld.global.b32 %p, 0", True),
    ],
)
def test_which_rows_keep_their_order(first, second, keeps):
    assert follows(first, second)[1] == ([0] if keeps else [])


def test_volatile_accesses_keep_their_order_and_constant_ones_have_none():
    store, far, other = (
        "st.global.b32 %p, 0, 1",
        "%a = ld.global.b32 %p, 128",
        "%a = ld.global.b32 %q, 0",
    )
    assert follows(store, far)[1] == []
    assert follows(store + " {ordered: true}", far)[1] == [0]
    assert follows(store, other)[1] == [0]
    assert follows(store, other + " {constant: true}")[1] == []


def test_an_address_that_changes_in_between_is_another():
    lines = ["st.global.b32 %p, 0, 1", "%p = add.s64 %p, 4", "%a = ld.global.b32 %p, 4"]
    assert follows(*lines)[2] == [0, 1]


def test_loads_go_before_what_waits_for_them(description):
    assert ordered(
        description,
        "%a = ld.shared.b32 0, 0",
        "%b = add.s32 %a, 1",
        "%c = ld.shared.b32 0, 4",
        "%d = add.s32 %c, %b",
        "st.shared.b32 0, 8, %d",
    ) == [
        "%a = ld.shared.b32 0, 0",
        "%c = ld.shared.b32 0, 4",
        "%b = add.s32 %a, 1",
        "%d = add.s32 %c, %b",
        "st.shared.b32 0, 8, %d",
    ]


def test_registers_that_cost_warps_are_not_taken(description):
    loads = 12
    lines = []
    for k in range(loads):
        lines += [f"%x{k} = ld.shared.b32 0, {4 * k}", f"%s{k} = add.s32 %x{k}, {k}"]
        lines += [f"st.global.b32 %p, {4 * k}, %s{k}"]

    def alive_at_once(rows: list[str]) -> int:
        loaded = stored = most = 0
        for text in rows:
            loaded += "ld.shared" in text
            stored += "st.global" in text
            most = max(most, loaded - stored)
        return most

    assert alive_at_once(ordered(description, *lines, registers=64)) == loads
    assert alive_at_once(ordered(description, *lines, registers=6)) <= 4  # two hold the address


def test_a_full_sm_leaves_a_thread_so_many_registers():
    assert free_registers(load_machine("h200").description) == 32
