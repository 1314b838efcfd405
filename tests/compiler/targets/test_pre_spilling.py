"""Where far too many values are alive: what is spilled before registers are coloured, and what is
kept only around the loops that need it."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.ir.printer import print_module
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.registers import allocation
from compiler.targets.epic.registers.colouring import colour
from compiler.targets.epic.registers.operands import files_of, machine_liveness
from compiler.targets.epic.registers.pre_spilling import MOST_PRESSURE, pre_spilled
from compiler.targets.epic.registers.pressure import allocatable
from tests.compiler.both_ways import build_text, compare_text
from tests.programs.growing_programs import SHAPES, WORDS, growing


def most_alive(function, file: str, gone: set[str]) -> int:
    """The most virtual registers of a file that are alive before an instruction."""
    live, most = machine_liveness(function), 0
    named = {r for _, i in function.instructions() for r, f in files_of(i) if f == file}
    named = {name for name in named - gone if is_virtual(name)}
    for block in function.blocks.values():
        alive = live.among(live.at_end[block.name], named)
        for instruction in reversed(block.instructions):
            live.step_back(alive, instruction, named)
            most = max(most, len(alive & named))
    return most


@pytest.fixture
def chosen(monkeypatch):
    """What each call of `pre_spilled` chose, and the most alive before and after, by file."""
    seen = []

    def watched(function, description, kept):
        spilled = pre_spilled(function, description, kept)
        for file in ("general", "predicate"):
            limit = MOST_PRESSURE * len(allocatable(description, file))
            before, after = (most_alive(function, file, names) for names in (set(), {*spilled}))
            seen.append((len(spilled), before, after, limit))
        return spilled

    monkeypatch.setattr(allocation, "pre_spilled", watched)
    return seen


@pytest.mark.parametrize("shape", sorted(SHAPES.keys() - {"loop_nest"}))  # which runs for ever
def test_the_pressure_is_low_enough_and_results_stay(shape: str, cramped, chosen):
    words = np.arange(WORDS, dtype=np.int64)
    text = print_module(growing(shape, 250))
    compare_text(text, {"n": 5, "p": words}, cramped)
    assert all(after <= limit for _, _, after, limit in chosen)
    assert any(before > limit for _, before, _, limit in chosen) == any(n for n, *_ in chosen)


def test_it_is_too_high_in_a_program_that_grows(cramped, chosen):
    build_text(print_module(growing("live", 600)), cramped)
    gone, before, after, limit = chosen[0]
    assert gone and before > limit >= after > 0


def test_where_registers_suffice_nothing_is_spilled(itanium2, chosen):
    build_text(print_module(growing("diamonds", 300)), itanium2)
    assert chosen and all(not gone and before <= limit for gone, before, _, limit in chosen)


def test_what_a_kernel_reads_is_split_if_it_does_not_help_that_others_give_way(
    itanium2, monkeypatch: pytest.MonkeyPatch
):
    """As in programs of 20 000 instructions, where each round one of thousands gave way."""
    fixed: list[frozenset[str]] = []

    def colour_all_but_one(graph, description, reserved, static, unspillable):
        colours, uncoloured = colour(graph, description, reserved, static, unspillable)
        fixed.append(frozenset(unspillable & {n for n in graph.names if not n.startswith("%$")}))
        if fixed[-1] == fixed[0]:
            del colours[min(fixed[0])]
            uncoloured = [next(n for n in colours if n not in unspillable)]
        return colours, uncoloured

    monkeypatch.setattr(allocation, "colour", colour_all_but_one)
    words = np.arange(WORDS, dtype=np.int64)
    compare_text(print_module(growing("loops", 250)), {"n": 5, "p": words}, itanium2)
    assert fixed[0] and len(fixed) == 3 and not fixed[0] & fixed[2]
