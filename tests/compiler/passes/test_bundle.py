"""The pass that packs rows: counts, shared bundles, aligned targets, rows of kernels, errors."""

from __future__ import annotations

import pytest

from compiler.ir.module import Function
from compiler.targets.epic.passes.bundle import PLUGIN
from compiler.transformation import Changes, make_options
from machines.description.load import Machine
from machines.diagnostics import InputError
from tests.compiler.code_of_lines import code


def add(number: int) -> str:
    return f"r{number} = add r2, r3"


def branch(label: str, guard: str) -> str:
    return f"@{guard} br.cond 0, {label}"


def function(**blocks: list[list[str]]) -> Function:
    """A function of blocks of rows."""
    lines = {
        name: [f"{line} {{cycle: {cycle}}}" for cycle, row in enumerate(rows) for line in row]
        for name, rows in blocks.items()
    }
    return code("ia64", "scheduled", **lines)


def bundle(function: Function, machine: Machine, **options) -> tuple[Changes, dict[str, list[str]]]:
    """The pass's counts, and 'MII: add nop.i nop.i' for each bundle by block."""
    changes = PLUGIN.run(function, machine, make_options(PLUGIN, options))
    shown: dict[str, list[str]] = {}
    for name, block in function.blocks.items():
        for instruction in block.instructions:
            if template := instruction.attributes.get("template"):
                shown.setdefault(name, []).append(f"{template}:")
            shown[name][-1] += f" {instruction.operation}"
    return changes, shown


def test_rows_and_their_counts(itanium2):
    made = function(entry=[[add(14), add(15), "f6 = fma.d.s0 f7, f8, f9"]])
    changes, shown = bundle(made, itanium2)
    assert shown == {"entry": ["MFI;: add fma.d.s0 add"]}
    assert changes.counts["rows"] == changes.counts["bundles"] == 1
    assert changes.counts["split issues"] == 0


def loads(count: int) -> list[str]:
    return [f"r{14 + n} = ld8 r2" for n in range(count)]


@pytest.mark.parametrize("bundler", ["linear", "microschedule"])
def test_a_row_that_the_ports_do_not_take_splits(itanium2, bundler):
    changes, _ = bundle(function(entry=[loads(3)]), itanium2, bundler=bundler)
    assert changes.counts["split issues"] == 1


def test_nops_are_counted_by_kind(itanium2):
    rows = [[f"f{n} = fma.d.s0 f9, f9, f9"] for n in (6, 7)]
    changes, _ = bundle(function(entry=rows), itanium2)
    assert (changes.counts["nop.m"], changes.counts["nop.i"]) == (2, 2)


def test_rows_share_bundles(itanium2):
    rows = [loads(1), [add(15), "r16 = sxt4 r14"]]
    changes, shown = bundle(function(entry=rows), itanium2)
    assert shown == {"entry": ["M;MI;: ld8 add sxt4"]}
    assert changes.counts["rows that share bundles"] == 2
    rows = [loads(1), [add(15), "r16 = sxt4 r14"]]
    _, shown = bundle(function(entry=rows), itanium2, share_bundles=False)
    assert shown == {"entry": ["MII;: ld8 nop.i nop.i", "MII;: add sxt4 nop.i"]}


def body(label: str) -> list[list[str]]:
    """A row of two bundles that branches back."""
    return [[*(add(14 + n) for n in range(5)), branch(label, "p6")]]


RETURN = [["br.ret 0, b0"]]


def test_the_head_of_a_loop_is_aligned_by_a_row_with_room(itanium2):
    """The bundle of nops issues with the row before, so entering the loop costs no cycle."""
    made = function(entry=[[add(20)]], loop=body("loop"), after=RETURN)
    changes, shown = bundle(made, itanium2)
    assert changes.counts["alignment bundles"] == 1
    assert shown["entry"] == ["MII: add nop.i nop.i", "MMB;: nop.m nop.m nop.b"]


def test_a_row_that_gets_longer_keeps_the_stops_inside_its_last_bundle(itanium2):
    rows = [[add(20)], ["r16 = sxt4 r20"]]
    _, shown = bundle(function(entry=rows, loop=body("loop"), after=RETURN), itanium2)
    assert shown["entry"] == ["MI;I: add nop.i sxt4", "MMI;: nop.m nop.m nop.i"]


def no_room() -> list[list[str]]:
    """A row of one bundle that is branched to, so that it should not get longer."""
    return [[add(20), branch("entry", "p7")]]


def test_the_head_of_a_loop_is_aligned_even_where_no_row_has_room(itanium2):
    made = function(entry=no_room(), loop=body("loop"), after=RETURN)
    changes, shown = bundle(made, itanium2)
    assert changes.counts["alignment bundles"] == 1
    assert shown["entry"] == ["MIB;: add nop.i br.cond", "MII: nop.m nop.i nop.i"]


def test_other_targets_are_aligned_only_where_it_costs_nothing(itanium2):
    row = [*(add(14 + n) for n in range(5)), branch("after", "p6")]
    entry = no_room()
    entry[0].append(branch("there", "p6"))
    changes, _ = bundle(function(entry=entry, there=[row], after=RETURN), itanium2)
    assert changes.counts["alignment bundles"] == 0
    entry = [[add(20), branch("there", "p6")]]
    changes, _ = bundle(function(entry=entry, there=[row], after=RETURN), itanium2)
    assert changes.counts["alignment bundles"] == 1


def test_an_unknown_bundler(itanium2):
    with pytest.raises(InputError, match="there is no bundler 'linaer'"):
        bundle(function(entry=[[add(14)]]), itanium2, bundler="linaer")
