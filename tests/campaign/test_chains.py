"""DU and UD chains against the fixpoint, and SSA form in and out, on thousands of programs.

pytest -m campaign -n 2 tests/campaign/test_chains.py
CAMPAIGN=100000:102000 pytest -m campaign -n 2 tests/campaign/test_chains.py     other seeds
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from machines.description.load import Machine, load_machine
from tests.campaign.seeds import campaign, check_all
from tests.compiler import ssa_in_and_out
from tests.compiler.analyses import chain_properties
from tests.compiler.analyses.random_graphs import random_graph
from tests.programs.random_programs import generate


def graph(seed: int, machine: Machine) -> None:
    """Irreducible graphs, self loops, unreachable blocks, jumps to the entry."""
    chain_properties.check(random_graph(seed))


def program(seed: int, machine: Machine) -> None:
    chain_properties.check(generate(seed, ssa_in_and_out.options(seed)).function)


@pytest.mark.parametrize("property", (graph, program, ssa_in_and_out.check))
@campaign(250)
def test_campaign(property: Callable[[int, Machine], None], seeds: range):
    machine = load_machine("itanium2")
    check_all(lambda seed: property(seed, machine), seeds)
