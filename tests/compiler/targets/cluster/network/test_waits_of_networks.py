"""Whatever rules say which waits a network needs, values are the same; without waits it races."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.levels.network.programs import parse
from compiler.targets.cluster.passes import place_waits
from machines.description.load import load_machine
from tests.programs.network_runs import meaning, on_chip

TEXT = """network @f(x: f32[24, 40]) -> (y: f32[24, 32]) {
    w: f32[40, 32] = random(1, 0.2)
    h = nn.matmul(x, w) in "product"
    a = nn.relu(h) in "product"
    y = nn.softmax(a) in "rows"
    return y = y
}
"""
NETWORK = parse(TEXT, "f.net").functions["f"].body
INPUTS = {"x": np.random.default_rng(1).uniform(-1, 1, (24, 40)).astype("f4")}


@pytest.mark.parametrize("waits", [{}, {"seed_rules": True}, {"everywhere": True}])
def test_values_are_those_of_the_network(waits):
    ran = on_chip(NETWORK, load_machine("teaching_chip"), INPUTS, waits=waits)
    np.testing.assert_allclose(ran.values["y"], meaning(NETWORK, INPUTS)["y"], 3e-5, 1e-6)


def test_without_the_analysis_it_races(monkeypatch):
    monkeypatch.setattr(place_waits, "conflicts_of_queues", lambda *given: ())
    with pytest.raises(AssertionError, match="a race for bytes"):
        on_chip(NETWORK, load_machine("teaching_chip"), INPUTS, waits={"seed_rules": True})
