"""Networks on chips: what they leave, against what the level's operators say they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from compiler import compile
from compiler.interpret.functions import memory_for
from compiler.levels.network.network import Network, TensorType
from compiler.levels.network.printing import print_network
from compiler.targets.cluster.pipeline import PASSES
from machines.description.load import Machine
from machines.elements import DTYPES, as_elements, as_numbers, from_memory, in_memory
from machines.levels.network.function import Placed
from sim.cores import Outcome, Request
from sim.simulate import simulate

TOLERANCES = {"f64": 1e-9, "f32": 3e-5, "f16": 2e-2, "bf16": 1.5e-1}
"""Of a tensor's largest number, beside those of each of its numbers."""
LIMIT = 10**9


@dataclass(frozen=True)
class Ran:
    """values: of the outputs, by name; text: the network"""

    outcome: Outcome
    values: Mapping[str, np.ndarray]
    text: str


def meaning(network: Network, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """All tensors, by what each operator says."""
    found = {**inputs, **{name: one.elements for name, one in network.constants.items()}}
    for node in network.nodes:
        operands = [found[name] for name in node.operands]
        types = [network.types[name] for name in node.results]
        found |= zip(
            node.results, node.operator.evaluate(operands, node.attributes, types), strict=True
        )
    return found


def on_chip(
    network: Network,
    machine: Machine,
    inputs: Mapping[str, np.ndarray],
    all_passes: bool = False,
    waits: Mapping[str, bool] | None = None,
) -> Ran:
    """Run it as it is lowered, with or without the passes of its level; races end it.  `waits`:
    options of the pass that places them."""
    text = print_network("main", network)
    passes = None if all_passes else ["lower_network", *PASSES]
    if waits:
        passes = ["lower_network", *PASSES[:-1], {"place_waits": dict(waits)}]
    code = compile("network.net", source=text, machine=machine, entry="main", passes=passes)
    memory = memory_for(code.module, {})
    called = code.function.body

    def held(place: Placed) -> np.ndarray:
        return memory.view(place.buffer)[place.offset : place.offset + place.type.size]

    for place in called.inputs:
        held(place)[:] = in_memory(inputs[place.name])
    for place, constant in called.constants:
        held(place)[:] = in_memory(constant.elements)
    outcome = simulate(Request(code.program, machine, memory, {}, cycle_limit=LIMIT))
    assert outcome.status == "done", outcome.failure or outcome.waits_for
    values = {
        one.name: from_memory(held(one), DTYPES[one.type.element.name], one.type.shape)
        for one in called.outputs
    }
    return Ran(outcome, values, text)


def check(
    network: Network,
    machine: Machine,
    inputs: Mapping[str, np.ndarray],
    exact: set[str] = frozenset(),
    all_passes: bool = False,
) -> Ran:
    """Outputs are what the operators say: those in `exact` and integers bit by bit; no layer moves
    less than it has to."""
    wanted = meaning(network, inputs)
    # What a normalization takes from one another may be equal, and rounding is all that is left.
    least = 1.0 if any(n.operator.name == "layer_norm" for n in network.nodes) else 1e-3
    ran = on_chip(network, machine, inputs, all_passes)
    for layer in ran.outcome.statistics.layers:
        assert layer.moved_again is None or layer.moved_again >= 1, f"{layer}\n{ran.text}"
    for name, tensor in network.outputs.items():
        given, asked = as_numbers(ran.values[name]), as_numbers(np.asarray(wanted[tensor]))
        element = network.types[tensor].element
        if tensor in exact or not element.is_float:
            np.testing.assert_array_equal(given, asked, err_msg=f"{name}\n{ran.text}")
            continue
        given, asked = (np.asarray(one, np.float64) for one in (given, asked))
        finite = np.abs(asked[np.isfinite(asked)])
        tolerance = TOLERANCES[element.name]
        np.testing.assert_allclose(
            given,
            asked,
            tolerance,
            tolerance * finite.max(initial=least),
            err_msg=f"{name}\n{ran.text}",
        )
    return ran


def some(numbers: np.random.Generator, type: TensorType) -> np.ndarray:
    """Elements of a tensor."""
    element = type.element
    if element.is_float:
        return np.asarray(as_elements(numbers.uniform(-2, 2, type.shape), element.name)).reshape(
            type.shape
        )
    low, high = max(element.lowest, -100), min(element.highest, 100)
    return np.asarray(numbers.integers(low, high, type.shape), DTYPES[element.name])
