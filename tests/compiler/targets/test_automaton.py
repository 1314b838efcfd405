"""The automaton against an exhaustive search, on every machine; what it prefers; other machines."""

from __future__ import annotations

import random

import pytest

from compiler.targets.epic.bundling.automaton import Automaton, automaton
from compiler.targets.epic.bundling.bundles import Packing, Syllable, syllable_of
from machines.description.load import load_machine
from machines.instructions import operations
from tests.compiler.packing import check_packing, check_row

MACHINES = ("itanium2", "itanium", "epic3")


def row(names: str) -> list[Syllable]:
    return [syllable_of(operations()["ia64", name]) for name in names.split()]


def shapes(packing: Packing | None) -> str | None:
    return packing and " ".join("".join(bundle.slots) for bundle in packing.bundles)


@pytest.mark.parametrize("name", MACHINES)
def test_a_packing_exactly_where_there_is_one(name):
    description = load_machine(name).description
    for seed in range(25 if name == "epic3" else 75):
        check_row(random.Random(seed), description)


@pytest.mark.parametrize(
    "overrides",
    [
        ["templates.MFI=null", "templates.MFI;=null", "templates.MMF=null", "templates.MMF;=null"],
        ["dispersal.ordered_slots.I=[I0]"],
        ["dispersal.spill_classes=[]"],
        ["dispersal.bundles_per_cycle=1"],
        ["dispersal.exclusive_classes={fp_arithmetic: [integer_load], compare: [alu]}"],
    ],
)
def test_other_machines(overrides):
    description = load_machine("itanium2", overrides).description
    for seed in range(40):
        check_row(random.Random(seed), description)


def test_six_operations_without_a_nop(itanium2):
    """The third I slot's syllable spills to an M port."""
    example = row("adds extr.u add lfetch xor ld8")
    packing = automaton(itanium2.description).fits(example)
    check_packing(packing, example, [], itanium2.description)
    assert packing.nops == 0


@pytest.mark.parametrize(
    ("names", "order", "packed"),
    [
        ("", [], "MII"),
        ("ld8 add", [], "MII"),
        ("ld8 fma.d.s0", [], "MFI"),
        ("ld8 ld8 fma.d.s0", [], "MMF"),
        ("fma.d.s0 fma.d.s0", [], "MFI MFI"),
        ("movl add", [], "MLX"),
        ("movl movl", [], "MLX MLX"),
        ("br.cloop", [], "MIB"),
        ("br.cloop br.cond", [], "MBB"),
        ("br.cloop br.cloop", [], None),
        ("ld8 ld8 ld8", [], None),
        ("extr.u extr.u", [], None),
        ("ldfd ldfd ldfd ldfd", [], "MMI MMI"),
        ("br.cond add add add", [], "MII MIB"),
        ("br.cond add", [(0, 1)], None),
        ("add extr.u", [(1, 0)], "MII"),
        ("cmp.lt br.cond br.cond br.cond", [(0, 1), (1, 2), (2, 3)], "MII BBB"),
        # The I slots' first syllable goes to port I0.
        ("sxt4 extr.u", [(0, 1)], None),
        # What follows an implicit stop are nops.
        ("xchg8", [], "MII"),
        ("xchg8 add", [], "MMI"),
        ("xchg8 add", [(0, 1)], None),
    ],
)
def test_fewest_bundles(itanium2, names, order, packed):
    assert shapes(automaton(itanium2.description).fits(row(names), order)) == packed


def test_states_are_made_as_they_are_reached():
    packer = Automaton(load_machine("itanium2").description)
    before = packer.states
    packer.fits(row("ld8 add"))
    assert packer.states == before + 2
    packer.fits(row("add st8 ld8"))
    assert packer.states == before + 3
    packer.fits(row("add ld8 st8"))
    assert packer.states == before + 3


def test_machines_that_issue_alike_share_an_automaton():
    ours, faster, wider = (
        automaton(load_machine(name, overrides).description)
        for name, overrides in (
            ("itanium2", []),
            ("itanium2", ["clock=1.1 GHz"]),
            ("itanium2", ["dispersal.bundles_per_cycle=1"]),
        )
    )
    assert ours is faster
    assert ours is not wider
