"""Runs networks in the tile form that a chip gets, on its core."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import sim
from compiler.levels.network.network import Network
from compiler.targets.cluster.network.lowering import tile_text
from compiler.targets.cluster.network.means import ALL, Means
from compiler.targets.cluster.network.memory import Plan
from machines.description.load import load_machine
from machines.elements import DTYPES
from machines.types import F16, Type


def numbers(draw: np.random.Generator, element: Type, shape: tuple[int, ...]) -> np.ndarray:
    """Small numbers whose sums are exact, and do not depend on their order."""
    if element.is_float:
        return (draw.integers(-8, 9, shape) / 8).astype(DTYPES[element.name])
    low, high = (max(element.lowest, -20), min(element.highest, 20))
    return draw.integers(low, high + 1, shape).astype(DTYPES[element.name])


def evaluated(network: Network, given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """All tensors of a network, as its operators say."""
    found = dict(given) | {name: c.elements for name, c in network.constants.items()}
    for node in network.nodes:
        operands = [found[name] for name in node.operands]
        types = [network.types[name] for name in node.results]
        made = node.operator.evaluate(operands, node.attributes, types)
        made = made if isinstance(made, tuple) else (made,)
        found |= dict(zip(node.results, made, strict=True))
    return found


def simulated(
    network: Network,
    given: dict[str, np.ndarray],
    machine: str,
    folder: Path,
    means: Means = ALL,
) -> tuple[dict[str, np.ndarray], sim.Result]:
    """What a network gives on a machine, by the names of its results."""
    text, _, plan = tile_text(network, "main", load_machine(machine).description, means=means)
    file = folder / "network.sir"
    file.write_text(text)
    arrays = _arrays(network, given, plan)
    declared = {
        name: {"dtype": plan.buffers[name][0].name, "shape": [array.size], "value": 0}
        for name, array in arrays.items()
    }
    workload = {
        "workload": "network",
        "program": str(file),
        "machine": machine,
        "arguments": declared,
    }
    result = sim.run(workload, arguments=arrays)
    assert result.status == "done", result
    found = {}
    for name, tensor in network.outputs.items():
        place = plan.places[tensor]
        whole = np.asarray(result.outputs[place.buffer])
        found[name] = whole[place.first :][: place.type.count].reshape(place.type.shape)
    return found, result


def _arrays(network: Network, given: dict[str, np.ndarray], plan: Plan) -> dict[str, np.ndarray]:
    known = dict(given) | {name: c.elements for name, c in network.constants.items()}
    found = {
        name: np.zeros(count, DTYPES[element.name])
        for name, (element, count) in plan.buffers.items()
    }
    for tensor, array in known.items():
        if tensor in plan.places:
            place = plan.places[tensor]
            found[place.buffer][place.first :][: array.size] = array.reshape(-1)
    return found


def compare(
    network: Network, machine: str, folder: Path, seed: int = 0, means: Means = ALL
) -> sim.Result:
    """Whether a machine leaves what the operators say; sums are exact but those that are rounded
    to halves."""
    draw = np.random.default_rng(seed)
    given = {
        name: numbers(draw, network.types[name].element, network.types[name].shape)
        for name in network.inputs
    }
    found, result = simulated(network, given, machine, folder, means)
    wanted = evaluated(network, given)
    for name, tensor in network.outputs.items():
        of = wanted[tensor]
        if network.types[tensor].element is F16:
            np.testing.assert_allclose(found[name], of, rtol=2e-3, atol=2e-3)
        else:
            np.testing.assert_array_equal(found[name], of)
    return result
