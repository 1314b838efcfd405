"""The linear bundler: the worked example to the letter, order inside a row, machines by name."""

from __future__ import annotations

import pytest

from compiler.analyses.dependence_graph import Arc
from compiler.ir.module import Instruction
from compiler.targets.epic.bundling.automaton import automaton
from compiler.targets.epic.bundling.bundles import PackedBundle, Syllable, issue, nop, syllable_of
from compiler.targets.epic.dependences import dependences
from compiler.targets.epic.passes.bundle_linear import BUNDLER
from machines.kinds.epic.fields import Epic
from tests.compiler.code_of_lines import instructions


def pack(lines: list[str], description: Epic) -> list[str]:
    """'MII {adds, shr.u, add}' for each bundle."""
    row = instructions("ia64", *lines)
    return [
        f"{''.join(bundle.slots)} {{{', '.join(names(bundle, row))}}}"
        for bundle in bundles_of(row, description)
    ]


def bundles_of(row: list[Instruction], description: Epic) -> list[PackedBundle]:
    after = dependences(row, description).after
    arcs = [Arc(a, b, 0, latency) for a, arcs in enumerate(after) for b, latency in arcs.items()]
    return BUNDLER.pack(syllables(row), arcs, [0] * len(row), automaton(description))


def names(bundle: PackedBundle, row: list[Instruction]) -> list[str]:
    return [
        str(nop(kind) if node is None else row[node].operation)
        for kind, node in zip(bundle.slots, bundle.filling, strict=True)
        if kind != "X"
    ]


def syllables(row: list[Instruction]) -> list[Syllable]:
    return [syllable_of(instruction.operation) for instruction in row]


def cycles(lines: list[str], description: Epic) -> int:
    """Issue cycles of a row, by the machine's own dispersal."""
    row = instructions("ia64", *lines)
    return issue(bundles_of(row, description), syllables(row), description).cycles


@pytest.fixture
def example() -> list[str]:
    """adds, shr.u by a constant, add, lfetch, xor, ld8 without dependences among them."""
    return [
        "r14 = adds 8, r20",
        "r15 = extr.u r21, 3, 61",
        "r16 = add r22, r23",
        "lfetch r24",
        "r17 = xor r25, r26",
        "r18 = ld8 r27",
    ]


def test_the_worked_example(example, itanium2):
    """Six instructions that one cycle could hold: greedy packing takes two, with three nops."""
    assert pack(example, itanium2.description) == [
        "MII {adds, extr.u, add}",
        "MMF {lfetch, xor, nop.f}",
        "MFB {ld8, nop.f, nop.b}",
    ]
    assert cycles(example, itanium2.description) == 2


def test_a_reader_stands_before_the_writer_of_its_register(itanium2):
    """The load could take the first slot, but the shift must read r14 first."""
    row = ["r15 = extr.u r14, 3, 61", "r14 = ld8 r16"]
    assert pack(row, itanium2.description) == [
        "MIB {nop.m, extr.u, nop.b}",
        "MFB {ld8, nop.f, nop.b}",
    ]


def test_a_compare_stands_before_the_branch_it_decides(itanium2):
    row = [
        "p6, p7 = cmp.lt r14, r15",
        "@p6 br.cond 0, there",
    ]
    assert pack(row, itanium2.description) == ["MBB {cmp.lt, br.cond, nop.b}"]


def test_a_branch_waits_for_what_has_to_stand_before_it(itanium2):
    """Every instruction of the row stands in front of its branch."""
    row = [f"r{n} = add r2, r3" for n in (14, 15, 16)]
    row.append("br.cond 0, there")
    assert pack(row, itanium2.description) == [
        "MMI {add, add, add}",
        "BBB {br.cond, nop.b, nop.b}",
    ]


def test_a_loop_branch_takes_the_last_slot(itanium2):
    row = ["br.cloop 0, there"]
    assert pack(row, itanium2.description) == ["MFB {nop.m, nop.f, br.cloop}"]


def test_a_long_instruction_takes_two_slots(itanium2):
    row = [f"r14 = movl {1 << 40}", "r15 = ld8 r16"]
    assert pack(row, itanium2.description) == ["MLX {ld8, movl}"]


def test_floating_pairs_fill_two_bundles(itanium2):
    row = [f"f{n} = ldfd r14" for n in (6, 7)]
    row += [f"f{n} = fma.d.s0 f9, f10, f11" for n in (32, 33)]
    assert pack(row, itanium2.description) == ["MFB {ldfd, fma.d.s0, nop.b}"] * 2
    assert cycles(row, itanium2.description) == 1


def test_an_empty_row_is_a_bundle_of_nops(itanium2):
    assert pack([], itanium2.description) == ["MFB {nop.m, nop.f, nop.b}"]
