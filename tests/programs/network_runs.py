"""Networks on chips: what they leave, against what the level's operators say they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from compiler import compile
from compiler.interpret.functions import memory_for
from compiler.ir.printer import print_module
from compiler.levels.network.network import Network, TensorType
from compiler.targets.cluster.network.lowering import tile_text
from compiler.text_form import parse
from machines.description.load import Machine
from machines.elements import DTYPES, as_elements, as_numbers
from machines.kinds.cluster.code import SCRATCH
from sim.cores import Outcome, Request
from sim.simulate import simulate

TOLERANCES = {"f64": 1e-9, "f32": 3e-5, "f16": 2e-2, "bf16": 1.5e-1}
"""Of a tensor's largest number, beside those of each of its numbers."""
LIMIT = 10**9


@dataclass(frozen=True)
class Ran:
    """values: of the outputs, by name; text: the tile form"""

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


def on_chip(network: Network, machine: Machine, inputs: Mapping[str, np.ndarray]) -> Ran:
    """Run the tile form; races end it."""
    text, _, plan = tile_text(network, "main", machine.description)
    module = parse(text)
    SCRATCH.say(
        module.functions["main"],
        tuple(one.name for one in module.buffers.values() if one.space != "dram"),
    )
    code = compile("network.sir", source=print_module(module), machine=machine, entry="main")
    memory = memory_for(code.module, {})

    def held(tensor: str, type: TensorType) -> np.ndarray:
        place = plan.places[tensor]
        first = place.first * type.element.bytes
        return memory.view(place.buffer)[first : first + type.size]

    known = {name: one.elements for name, one in network.constants.items()}
    for tensor, values in {**inputs, **known}.items():
        held(tensor, network.types[tensor])[:] = np.frombuffer(values.tobytes(), np.uint8)
    outcome = simulate(Request(code.program, machine, memory, {}, cycle_limit=LIMIT))
    assert outcome.status == "done", outcome.failure or outcome.waits_for
    values = {
        name: held(tensor, type).view(DTYPES[type.element.name]).reshape(type.shape)
        for name, tensor in network.outputs.items()
        for type in [network.types[tensor]]
    }
    return Ran(outcome, values, text)


def check(
    network: Network,
    machine: Machine,
    inputs: Mapping[str, np.ndarray],
    exact: set[str] = frozenset(),
) -> Ran:
    """Outputs are what the operators say: those in `exact` and integers bit by bit."""
    wanted = meaning(network, inputs)
    ran = on_chip(network, machine, inputs)
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
            tolerance * finite.max(initial=1e-3),
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
