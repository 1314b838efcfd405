"""A program of the level runs as it is meant, and is refused where it is wrong."""

from pathlib import Path

import numpy as np
import pytest

import sim
from machines.levels import levels

HERE = Path(__file__).parent


def test_a_program_runs_as_it_is_meant():
    result = sim.run(HERE / "workload.yaml")
    assert result.ok, result.checks
    level = levels()["the_name"]
    module = level.function("parse")("of x\n2 0 1\n", "example.the_name")
    x = np.arange(64, dtype=np.float32)
    meant = level.function("interpret")(module.functions["example"], [x])
    again = sim.run(HERE / "workload.yaml", arguments={"x": x})
    assert again.outputs["return"].tolist() == meant


def test_what_is_wrong_has_its_place():
    with pytest.raises(sim.InputError, match="2:1: error: no coefficient"):
        sim.compile(source="of x\ntwo\n", language=".the_name", machine="itanium2")
