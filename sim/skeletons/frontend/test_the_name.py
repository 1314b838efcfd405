"""A program in the language, and what is said of a line that is none of it."""

from pathlib import Path

import pytest

import sim

HERE = Path(__file__).parent


def test_a_program_runs():
    result = sim.run(HERE / "workload.yaml")
    assert result.ok, result.checks


def test_what_is_wrong_has_its_place():
    with pytest.raises(sim.InputError, match="2:1: error: this is no formula"):
        sim.compile(source="a + b\na b\n", language=".the_name", machine="itanium2")
