"""What the passes over rows of SIMT machines make of a few rows."""

from __future__ import annotations

import re

import pytest

from compiler.ir.module import Function
from compiler.ir.printer import print_instruction
from compiler.pass_lists import passes
from compiler.transformation import NoOptions
from machines.description.load import load_machine
from tests.compiler.code_of_lines import code, findings

ALL = ("propagate_lanes", "combine_lanes", "propagate_lanes", "reuse_lanes", "propagate_lanes",
       "remove_dead_lanes")  # fmt: skip


@pytest.fixture(scope="module")
def machine():
    return load_machine("teaching_gpu")


def after(made: Function, machine, names=ALL) -> dict[str, list[str]]:
    for name in names:
        passes("simt")[name].run(made, machine, NoOptions())
        assert findings(made, "teaching_gpu") == [], name
    return {n: [print_instruction(i) for i in b.instructions] for n, b in made.blocks.items()}


def straight(machine, *lines: str, names=ALL) -> list[str]:
    return after(code("ptx", entry=[*lines, "exit"]), machine, names)["entry"][:-1]


def test_constants_and_copies_reach_what_reads_them(machine):
    assert straight(
        machine,
        "%t = mov.tid.x",
        "%a = mov.b32 4",
        "%b = shl.b32 %a, 1",
        "%c = mov.b32 %t",
        "%d = mul.lo.s32 %c, %b",
        "st.shared.b32 0, 0, %d",
    ) == ["%t = mov.tid.x", "%d = mul.lo.s32 %t, 8", "st.shared.b32 0, 0, %d"]


def test_the_bits_of_a_constant_become_the_number_that_a_float_row_reads(machine):
    assert (
        straight(
            machine,
            "%one = mov.b32 1065353216",
            "%x = ld.shared.b32 0, 0",
            "%y = add.rn.f32 %x, %one",
            "st.shared.b32 0, 0, %y",
        )[1]
        == "%y = add.rn.f32 %x, 1.0"
    )


def test_what_is_written_twice_is_not_followed(machine):
    lines = [
        "%p = ld.shared.b32 0, 0",
        "%x = mov.b32 1",
        "%c = setp.lt.s32 %p, 0",
        "@%c %x = mov.b32 2",
        "st.shared.b32 0, 0, %x",
    ]
    assert straight(machine, *lines) == lines


def test_an_element_of_an_array_is_one_row(machine):
    assert straight(
        machine,
        "%a = ld.param.b64 0",
        "%t = mov.tid.x",
        "%w = cvt.s64.s32 %t",
        "%o = shl.b64 %w, 2",
        "%p = add.s64 %a, %o",
        "%q = add.s64 %p, 16",
        "%x = ld.global.b32 %p, 0",
        "st.global.b32 %q, 4, %x",
    ) == [
        "%a = ld.param.b64 0",
        "%t = mov.tid.x",
        "%p = mad.wide.s32 %t, 4, %a",
        "%x = ld.global.b32 %p, 0",
        "st.global.b32 %p, 20, %x",
    ]


def test_what_is_wanted_in_32_bits_is_computed_in_32(machine):
    assert straight(
        machine,
        "%t = mov.tid.x",
        "%w = cvt.s64.s32 %t",
        "%o = mul.lo.s64 %w, 4",
        "%s = add.s64 %o, 8",
        "%n = cvt.u32.u64 %s",
        "%x = ld.shared.b32 %n, 0",
        "st.shared.b32 %n, 4, %x",
    ) == [
        "%t = mov.tid.x",
        "%c1 = mul.lo.s32 %t, 4",
        "%x = ld.shared.b32 %c1, 8",
        "st.shared.b32 %c1, 12, %x",
    ]


def test_a_generic_address_of_shared_memory_is_one_of_shared_memory(machine):
    assert straight(
        machine,
        "%t = mov.tid.x",
        "%w = cvt.u64.u32 %t",
        "%g = add.s64 %w, 123145302310912",
        "%x = ld.generic.b32 %g, 4",
        "st.generic.b32 %g, 8, %x",
    ) == ["%t = mov.tid.x", "%x = ld.shared.b32 %t, 4", "st.shared.b32 %t, 8, %x"]


@pytest.mark.parametrize(
    ("relation", "opposite"),
    [("lt.s32", "ge.s32"), ("eq.s64", "ne.s64"), ("le.u32", "gt.u32"),
     ("lt.f32", "geu.f32"), ("equ.f64", "ne.f64"), ("neu.ftz.f32", "eq.ftz.f32")],
)  # fmt: skip
def test_the_opposite_of_a_comparison_is_one(relation, opposite, machine):
    wide = "64" in relation
    load = f"ld.shared.b{64 if wide else 32}"
    found = straight(
        machine,
        f"%a = {load} 0, 0",
        f"%b = {load} 0, 8",
        f"%p = setp.{relation} %a, %b",
        "%q = not.pred %p",
        "@%q st.shared.b32 0, 0, 1",
    )
    assert f"%q = setp.{opposite} %a, %b" in found
    assert "%p" not in " ".join(found)


def test_a_branch_on_an_opposite_goes_the_other_way(machine):
    made = code(
        "ptx",
        entry=["%a = ld.shared.b32 0, 0", "%p = setp.lt.s32 %a, 0", "%q = not.pred %p",
               "%n = selp.b32 %a, 7, %q", "@%p st.shared.b32 0, 0, %n", "bra %q, one, two"],
        one=["exit"],
        two=["exit"],
    )  # fmt: skip
    rows = after(made, machine, ("combine_lanes", "remove_dead_lanes"))["entry"]
    assert rows[2:] == ["%n = selp.b32 7, %a, %p", "@%p st.shared.b32 0, 0, %n", "bra %p, two, one"]


def test_a_branch_that_is_decided_leaves_its_other_way_out(machine):
    branch = ["%p = setp.lt.s32 1, 2", "bra %p, one, two"]
    made = code("ptx", entry=branch, one=["exit"], two=["exit"])
    assert after(made, machine) == {"entry": ["bra.uni one"], "one": ["exit"]}


def test_a_row_under_a_guard_that_is_known_runs_or_is_gone(machine):
    assert straight(
        machine,
        "%p = mov.pred 0",
        "@%p st.shared.b32 0, 0, 1",
        "@!%p st.shared.b32 0, 0, 2",
    ) == ["st.shared.b32 0, 0, 2"]


def test_an_atomic_whose_result_no_one_reads_is_a_reduction(machine):
    found = straight(
        machine,
        "%a = ld.shared.b32 0, 0",
        "%b = atom.shared.add.u32 0, 4, %a",
        "%c = atom.shared.add.u32 0, 8, %a",
        "%d = atom.shared.exch.b32 0, 12, %a",
        "st.shared.b32 0, 0, %c",
    )
    assert found[1:] == [
        "red.shared.add.u32 0, 4, %a",
        "%c = atom.shared.add.u32 0, 8, %a",
        "%d = atom.shared.exch.b32 0, 12, %a",
        "st.shared.b32 0, 0, %c",
    ]


@pytest.mark.parametrize(
    ("rows", "combined"),
    [
        (["%w = cvt.u64.u32 %a", "%r = add.s64 %l, %w"], ["%r = mad.wide.u32 %a, 1, %l"]),
        (["%w = cvt.s64.s32 %a", "%r = add.s64 %w, %l"], ["%r = mad.wide.s32 %a, 1, %l"]),
        (["%m = mul.lo.s32 %a, 29", "%s = sub.s32 %b, %m", "%r = cvt.u64.u32 %s"],
         ["%s = mad.lo.s32 %a, -29, %b", "%r = cvt.u64.u32 %s"]),
        (["%w = cvt.u64.u32 %a", "%r = and.b64 %w, 1020"],
         ["%t = and.b32 %a, 1020", "%r = cvt.u64.u32 %t"]),
        (["%w = cvt.u64.u32 %a", "%r = and.b64 %w, 1103806595072"],
         ["%t = and.b32 %a, 0", "%r = cvt.u64.u32 %t"]),
        (["%w = cvt.u64.u32 %a", "%r = and.b64 %w, 4294967280"],
         ["%t = and.b32 %a, 4294967280", "%r = cvt.u64.u32 %t"]),
        (["%w = mul.wide.u32 %a, 7", "%h = shr.u64 %w, 36", "%s = cvt.u32.u64 %h",
          "%r = cvt.u64.u32 %s"],
         ["%t = mul.hi.u32 %a, 7", "%s = shr.u32 %t, 4", "%r = cvt.u64.u32 %s"]),
        (["%w = mul.wide.s32 %a, 7", "%h = shr.s64 %w, 32", "%s = cvt.u32.u64 %h",
          "%r = cvt.u64.u32 %s"],
         ["%s = mul.hi.s32 %a, 7", "%r = cvt.u64.u32 %s"]),
        (["%w = mul.wide.u32 %a, 7", "%h = shr.u64 %w, 31", "%s = cvt.u32.u64 %h",
          "%r = cvt.u64.u32 %s"], None),
    ],
)  # fmt: skip
def test_halves_and_widened_numbers(machine, rows, combined):
    """What compilers write of divisions by constants, and of indices that are masked."""
    before = ["%a = ld.shared.b32 0, 0", "%b = ld.shared.b32 0, 4", "%l = ld.shared.b64 0, 8"]
    last = "st.shared.b64 0, 16, %r"
    found = straight(machine, *before, *rows, last)
    known = [row for row in before if row in found]
    rest = [re.sub("%c[0-9]+", "%t", row) for row in found[len(known) :]]
    assert rest == [*(combined or rows), last]


def test_what_has_been_computed_is_computed_once_where_it_dominates(machine):
    made = code(
        "ptx",
        entry=["%a = mov.tid.x", "%p = setp.lt.s32 %a, 4", "bra %p, one, two"],
        one=["%b = mov.tid.x", "%c = add.s32 %b, 1", "st.shared.b32 0, 0, %c", "bra.uni two"],
        two=["%d = add.s32 %a, 1", "st.shared.b32 0, 4, %d", "exit"],
    )
    rows = after(made, machine)
    assert rows["one"][0] == "%c = add.s32 %a, 1"
    assert rows["two"][0] == "%d = add.s32 %a, 1"  # `one` does not dominate it


def test_loads_atomics_barriers_and_clocks_stay(machine):
    lines = [
        "%a = ld.shared.b32 0, 0",
        "%b = ld.shared.b32 0, 0",
        "%c = atom.shared.exch.b32 0, 0, 1",
        "%d = mov.clock",
        "%e = mov.clock",
        "bar.sync 0, 0",
    ]
    assert straight(machine, *lines)[:3] == lines[:3]
    assert straight(machine, *lines)[-1] == lines[-1]
    assert sum("mov.clock" in text for text in straight(machine, *lines)) == 2


def test_narrow_stores_need_no_extension(machine):
    assert straight(
        machine,
        "%a = ld.shared.b32 0, 0",
        "%b = and.b32 %a, 255",
        "st.shared.u8 0, 0, %b",
        "%c = and.b32 %a, 127",
        "st.shared.u8 0, 1, %c",
    )[1:] == ["st.shared.u8 0, 0, %a", "%c = and.b32 %a, 127", "st.shared.u8 0, 1, %c"]
