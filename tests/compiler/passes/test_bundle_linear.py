"""The linear bundler: the worked example to the letter, order inside a row, machines by name."""

from __future__ import annotations

import pytest

from compiler.ir.module import Guard, Instruction
from compiler.passes.bundle_linear import pack_linearly
from compiler.targets.epic.bundles import Bundle, Templates
from compiler.targets.epic.dependences import dependences
from machines.dispersal import BundleView, disperse
from machines.instructions import operations
from machines.kinds.epic import Epic


def op(name: str, results=(), operands=(), guard: str | None = None) -> Instruction:
    row = operations()["ia64", name]
    return Instruction(row, results, operands, Guard(guard) if guard else None)


def pack(row: list[Instruction], description: Epic) -> list[Bundle]:
    graph = dependences(row, description)
    before = [set(arcs) for arcs in graph.before]
    return pack_linearly(row, before, Templates(description), description)


def shown(bundles: list[Bundle]) -> list[str]:
    """'MII {adds, shr.u, add}' for each bundle."""
    return [
        f"{''.join(b.slots)} {{{', '.join(i.operation.name for i in b.instructions if i)}}}"
        for b in bundles
    ]


def cycles(bundles: list[Bundle], description: Epic) -> int:
    """Issue cycles of bundles without stops, by the machine's own dispersal."""
    views = [
        BundleView(
            "".join(b.slots),
            tuple(i.operation.scheduling_class if i else None for i in b.instructions),
        )
        for b in bundles
    ]
    count, start, position = 0, 0, 0
    window = description.dispersal.bundles_per_cycle
    while position < len(views):
        issued = disperse(description, views[position : position + window], start).count
        position, start = divmod(3 * position + start + issued, 3)
        count += 1
    return count


@pytest.fixture
def example() -> list[Instruction]:
    """adds, shr.u by a constant, add, lfetch, xor, ld8 without dependences among them."""
    return [
        op("adds", ("r14",), (8, "r20")),
        op("extr.u", ("r15",), ("r21", 3, 61)),
        op("add", ("r16",), ("r22", "r23")),
        op("lfetch", (), ("r24",)),
        op("xor", ("r17",), ("r25", "r26")),
        op("ld8", ("r18",), ("r27",)),
    ]


def test_the_worked_example(example, itanium2):
    """Six instructions that one cycle could hold: greedy packing takes two, with three nops."""
    bundles = pack(example, itanium2.description)
    assert shown(bundles) == [
        "MII {adds, extr.u, add}",
        "MMF {lfetch, xor, nop.f}",
        "MFB {ld8, nop.f, nop.b}",
    ]
    assert cycles(bundles, itanium2.description) == 2


def test_a_reader_stands_before_the_writer_of_its_register(itanium2):
    """The load could take the first slot, but the shift must read r14 first."""
    row = [op("extr.u", ("r15",), ("r14", 3, 61)), op("ld8", ("r14",), ("r16",))]
    assert shown(pack(row, itanium2.description)) == [
        "MIB {nop.m, extr.u, nop.b}",
        "MFB {ld8, nop.f, nop.b}",
    ]


def test_a_compare_stands_before_the_branch_it_decides(itanium2):
    row = [
        op("cmp.lt", ("p6", "p7"), ("r14", "r15")),
        op("br.cond", (), (0, "there"), guard="p6"),
    ]
    assert shown(pack(row, itanium2.description)) == ["MBB {cmp.lt, br.cond, nop.b}"]


def test_a_branch_waits_for_what_has_to_stand_before_it(itanium2):
    """Every instruction of the row stands in front of its branch."""
    row = [op("add", (f"r{n}",), ("r2", "r3")) for n in (14, 15, 16)]
    row.append(op("br.cond", (), (0, "there")))
    assert shown(pack(row, itanium2.description)) == [
        "MMI {add, add, add}",
        "BBB {br.cond, nop.b, nop.b}",
    ]


def test_a_loop_branch_takes_the_last_slot(itanium2):
    row = [op("br.cloop", (), (0, "there"))]
    assert shown(pack(row, itanium2.description)) == ["MFB {nop.m, nop.f, br.cloop}"]


def test_a_long_instruction_takes_two_slots(itanium2):
    row = [op("movl", ("r14",), (1 << 40,)), op("ld8", ("r15",), ("r16",))]
    assert shown(pack(row, itanium2.description)) == ["MLX {ld8, movl}"]


def test_floating_pairs_fill_two_bundles(itanium2):
    row = [op("ldfd", (f"f{n}",), ("r14",)) for n in (6, 7)]
    row += [op("fma.d.s0", (f"f{n}",), ("f9", "f10", "f11")) for n in (32, 33)]
    bundles = pack(row, itanium2.description)
    assert shown(bundles) == ["MFB {ldfd, fma.d.s0, nop.b}"] * 2
    assert cycles(bundles, itanium2.description) == 1


def test_an_empty_row_is_a_bundle_of_nops(itanium2):
    assert shown(pack([], itanium2.description)) == ["MFB {nop.m, nop.f, nop.b}"]
