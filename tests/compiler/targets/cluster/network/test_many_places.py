"""More places than NRAM holds at once."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.network import TensorType
from machines.description.load import load_machine
from machines.types import F32, I32
from tests.campaign.seeds import short_form
from tests.programs.network_runs import check

PLACES = {"scatter": 600, "scatter_add": 600, "gather": 2400}
"""Of a gather, whose places are divided among cores, more."""


@pytest.mark.parametrize("name", short_form(tuple(PLACES), 1))
def test_places_come_in_parts(name: str):
    numbers, build = np.random.default_rng(4), NetworkBuilder()
    x, places = TensorType(F32, (7, 2)), TensorType(I32, (PLACES[name],))
    values = {
        "x": numbers.integers(-4, 5, x.shape).astype(np.float32),
        "places": numbers.integers(-7, 7, places.shape).astype(np.int32),
    }
    operands, attributes = [build.input("x", x), build.input("places", places)], {"axis": 0}
    if name != "gather":
        updates, attributes = TensorType(F32, (PLACES[name], 2)), {}
        values["updates"] = numbers.integers(-4, 5, updates.shape).astype(np.float32)
        operands.append(build.input("updates", updates))
    build.output("y", build.emit(name, *operands, **attributes))
    check(build.network(), load_machine("teaching_chip"), values, exact={"y"})
