"""Every order of dimensions, by copies alone and by blocks that are permuted in NRAM."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.network import Network, TensorType
from compiler.targets.cluster.network.lowering import tile_text
from machines.description.load import load_machine
from machines.types import TYPES
from tests.campaign.seeds import spread
from tests.programs.network_runs import check, some

SHAPE = (6, 37, 20, 11)
ORDERS = list(permutations(range(4)))
PERMUTED = {"transpose", "permute_021", "permute_102", "permute_210"}


def transposed(order: tuple[int, ...], element: str = "f32") -> Network:
    build = NetworkBuilder()
    x = build.input("x", TensorType(TYPES[element], SHAPE))
    build.output("y", build.emit("transpose", x, order=order))
    return build.network()


@pytest.mark.parametrize("order", spread(ORDERS, 6, 3))
def test_every_order(order):
    network = transposed(order)
    values = {"x": some(np.random.default_rng(0), network.types["x"])}
    for machine in ("mlu370", "teaching_chip"):
        check(network, load_machine(machine), values, {network.outputs["y"]})


def test_all_rows_that_permute_are_chosen():
    chip = load_machine("mlu370").description
    texts = "".join(tile_text(transposed(order), "main", chip)[0] for order in ORDERS)
    assert {row for row in PERMUTED if f"tensor.{row} " in texts} == PERMUTED
