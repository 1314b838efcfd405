"""Blocks laid out for warps, and what the pass puts into blocks and code."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from compiler.analyses.control_flow import control_flow
from compiler.analyses.loops import loops
from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Module
from compiler.targets.simt.emit import emit_program
from compiler.targets.simt.mark_program import mark_program
from compiler.targets.simt.passes.lay_out_for_warps import PLUGIN as LAY_OUT
from compiler.targets.simt.passes.lay_out_for_warps import lay_out_for_warps
from compiler.targets.simt.passes.place_convergence import PLUGIN as PLACE
from compiler.targets.simt.passes.place_convergence import place
from compiler.transformation import NoOptions, make_options
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt.code import MARKER, MARKER_AFTER, RECONVERGE
from machines.kinds.simt.program import GUARD, NOWHERE, OPERATION, WarpProgram
from machines.kinds.simt.reconvergence import AFTER, POLICIES
from tests.compiler.convergence_graphs import KINDS, function_of, random_edges
from tests.compiler.graphs import reached

LOOP = {
    "entry": ("head",),
    "head": ("body", "exit"),
    "exit": (),
    "body": ("head", "more"),
    "more": ("head",),
}


@pytest.fixture(scope="module")
def gpu():
    return load_machine("teaching_gpu")


def laid_out(edges: dict[str, tuple[str, ...]], *, with_code: bool = False) -> Function:
    function = function_of(edges, with_code=with_code)
    lay_out_for_warps(function)
    return function


def flow(function: Function) -> dict[str, tuple[str, ...]]:
    return {name: block.successors for name, block in function.blocks.items()}


def emitted(function: Function, gpu) -> WarpProgram:
    module = Module({function.name: function}, {})
    return emit_program([function], module, gpu.description)


def mnemonics(program: WarpProgram) -> list[str]:
    return [program.operations[row[OPERATION]] for row in program.code]


def test_a_loop_gets_one_latch_placed_last_and_its_exits_behind_it(gpu):
    function = function_of(LOOP)
    LAY_OUT.run(function, gpu, NoOptions())
    assert flow(function) == {
        "entry": ("head",),
        "head": ("body", "exit"),
        "body": ("head.latch.1", "more"),
        "more": ("head.latch.1",),
        "head.latch.1": ("head",),
        "exit": (),
    }


def test_a_branch_with_neither_way_behind_it_gets_a_block_that_jumps():
    function = laid_out({"a": ("b", "c"), "b": ("d", "e"), "c": ("d",), "d": ("e",), "e": ()})
    assert flow(function)["b"] == ("d", "b.on.1")
    assert list(function.blocks)[2] == "b.on.1" and flow(function)["b.on.1"] == ("e",)


def check_layout(edges: dict[str, tuple[str, ...]]) -> None:
    """What layout promises of any graph."""
    function = laid_out(edges)
    place_of = {name: k for k, name in enumerate(function.blocks)}
    found = loops(function)
    alive = set(control_flow(function).reverse_postorder)
    for loop in found.by_header.values():
        places = sorted(place_of[name] for name in loop.members)
        assert places[-1] - places[0] == len(places) - 1, "a loop is in one piece"
        if not loop.is_irreducible:
            assert [place_of[name] for name in loop.latches] == places[-1:], "one latch, last"
            assert place_of[loop.header] == places[0]
    back = {
        (source, target)
        for loop in found.by_header.values()
        for target in loop.entries
        for source in loop.latches
    }
    names = list(function.blocks)
    for name, targets in flow(function).items():
        if name not in alive:
            continue
        for target in targets:
            assert place_of[target] > place_of[name] or (name, target) in back
        following = names[place_of[name] + 1 : place_of[name] + 2]
        assert len(targets) < 2 or following[0] in targets


@pytest.mark.parametrize("kind", KINDS)
def test_layout_of_random_graphs(kind: str):
    for seed in range(60):
        edges = random_edges(seed, kind)
        check_layout(edges)
        old, new = function_of(edges), laid_out(edges)
        assert reached(flow(old), "entry" if "entry" in old.blocks else "b0") <= set(new.blocks)


def placed(policy: str, position: str, gpu) -> tuple[Function, WarpProgram]:
    function = laid_out(LOOP, with_code=True)
    options = {"policy": policy, "marker_position": position}
    PLACE.run(function, gpu, make_options(PLACE, options))
    return function, emitted(function, gpu)


def test_blocks_know_their_markers_and_meeting_blocks(gpu):
    function, program = placed("markers", "before", gpu)
    marked = [block.name for block in function.blocks.values() if MARKER.of(block)]
    assert marked == ["head", "head.latch.1", "exit"]
    assert {b.name: RECONVERGE.of(b) for b in function.blocks.values() if RECONVERGE.of(b)} == {
        "head": "exit",
        "body": "head.latch.1",
    }
    assert [name for name in mnemonics(program) if name != "mov.b32"] == [
        "bra", "bra", "bra.uni", "exit"
    ]  # fmt: skip
    assert [program.labels[row] for row in np.flatnonzero(program.markers)] == marked
    branches = program.reconverge[program.reconverge != NOWHERE]
    assert [program.labels[row] for row in branches] == ["exit", "head.latch.1"]


def test_markers_as_instructions_stand_first_in_their_blocks(gpu):
    _, program = placed("markers", "first_in_block", gpu)
    rows = [row for row, name in enumerate(mnemonics(program)) if name == "marker"]
    assert [program.labels[row] for row in rows] == ["head", "head.latch.1", "exit"]
    assert not program.markers.any()
    _, program = placed("ipdom", "first_in_block", gpu)
    assert "marker" not in mnemonics(program)


def test_markers_at_the_ends_of_blocks_are_bits_of_their_last_rows(gpu):
    function, program = placed("markers", "end_of_predecessors", gpu)
    marked = [block.name for block in function.blocks.values() if MARKER_AFTER.of(block)]
    assert marked == ["entry", "head", "body", "more", "head.latch.1"]
    assert program.markers.max() == AFTER and (program.markers == AFTER).sum() == len(marked)


def test_barriers_stand_around_what_diverges(gpu):
    _, program = placed("barriers", "before", gpu)
    names = [name for name in mnemonics(program) if name != "mov.b32"]
    assert names == ["bssy", "bra", "bssy", "bra", "bsync", "bra.uni", "bsync", "exit"]


def test_a_barrier_of_a_loop_at_the_entry_begins_in_a_new_entry(gpu):
    function = laid_out({"head": ("head", "exit"), "exit": ()}, with_code=True)
    place(function, "barriers", "sound", "before", marked=False)
    names = [name for name in mnemonics(emitted(function, gpu)) if name != "mov.b32"]
    assert names == ["bssy", "bra", "bsync", "exit"]


def test_lanes_do_not_meet_where_they_only_end(gpu):
    function = laid_out({"head": ("head", "exit"), "exit": ()})
    place(function, "barriers", "sound", "before", marked=False)
    assert mnemonics(emitted(function, gpu)) == ["bra", "exit"]


def test_options_are_checked_and_the_machine_decides_otherwise(gpu):
    with pytest.raises(InputError) as error:
        PLACE.run(laid_out(LOOP), gpu, make_options(PLACE, {"rules": "sond"}))
    assert "cannot be 'sond'" in str(error.value) and "sound" in str(error.value)
    later = load_machine("teaching_gpu", ["reconvergence.markers=at_load"])
    function = laid_out(LOOP)
    PLACE.run(function, later, make_options(PLACE, {}))
    assert not any(MARKER.of(block) for block in function.blocks.values())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", ["before", "end_of_predecessors"])
def test_markers_placed_at_load_are_those_of_the_compiler(kind: str, position: str, gpu):
    for seed in range(40):
        laid = laid_out(random_edges(seed, kind))
        for rules in ("sound", "seed"):
            function = copy_function(laid)
            place(function, "markers", rules, position, marked=True)
            program = emitted(function, gpu)
            bare = replace(program, markers=np.zeros_like(program.markers))
            assert mark_program(bare, rules, position).markers.tolist() == program.markers.tolist()


def test_markers_placed_at_load_cannot_be_instructions(gpu):
    program = emitted(laid_out(LOOP), gpu)
    with pytest.raises(InputError) as error:
        mark_program(program, "sound", "first_in_block")
    assert "cannot be placed at load" in str(error.value)


@pytest.mark.parametrize("policy", POLICIES)
def test_code_of_random_graphs_leads_where_the_blocks_do(policy: str, gpu):
    """Every branch is one row, every bsync has a bssy."""
    for seed in range(20):
        function = laid_out(random_edges(seed, "exits"))
        place(function, policy, "sound", "before", marked=True)
        program = emitted(function, gpu)
        names = mnemonics(program)
        assert (program.code[:, GUARD] != 0).sum() == names.count("bra")
        assert (policy == "barriers") or not {"bssy", "bsync", "break"} & set(names)
        assert names.count("bssy") == names.count("bsync")
