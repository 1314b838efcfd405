"""Factors and shifts of channels behind a product or a convolution become part of its weights and
of one shift, as those of a batch normalization:

h = nn.conv(x, w)                      h = nn.conv(x, w_scaled)
a = nn.mul(h, s)                 ->    c = nn.add(h, b_scaled)
c = nn.add(a, b)

They are constants, as many as there are channels or one.  Weights are worked out in f64 and rounded
once, so that only the rounding changes; so it is with division by a constant.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from compiler.ir.module import Function
from compiler.levels.network.constants import elements_of
from compiler.levels.network.editing import (
    add_constant,
    edit,
    note,
    read_once,
    remove,
    substitute,
)
from compiler.levels.network.network import Network, Node
from compiler.levels.network.operators import OPERATORS
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.elements import as_elements, as_numbers

FOLDED = ("add", "sub", "mul", "div")


@dataclass
class Scaled:
    """Nodes behind a head, of which the last is head * factor + shift."""

    head: Node
    factor: np.ndarray
    shift: np.ndarray
    nodes: list[Node] = field(default_factory=list)


def run(function: Function, machine: Machine | None, options: NoOptions) -> Changes:
    return edit(function, fold)


def fold(network: Network, changes: Changes) -> None:
    """Put scaled weights and one shift in the place of each chain that has a factor."""
    once, readers = read_once(network), network.readers()
    for head in list(network.nodes):
        if not _has_weights(network, head, once):
            continue
        with np.errstate(all="ignore"):
            found = _chain(network, head, once, readers)
        if not any(node.operator.name in ("mul", "div") for node in found.nodes):
            continue
        weights, shift = _scaled(network, found)
        if np.isfinite(as_numbers(weights)).all() and np.isfinite(as_numbers(shift)).all():
            for node in found.nodes:
                note(changes, "folded into weights", node)
            _replace(network, found, weights, shift)


def _has_weights(network: Network, head: Node, once: set[str]) -> bool:
    """Whether it is a product of floats with a constant that nobody else reads, in one type."""
    if head.operator.name not in ("conv", "matmul"):
        return False
    weights = head.operands[1]
    type = network.types[weights]
    is_plain = type.element.is_float and head.attributes["to"] is type.element
    is_matrix = head.operator.name == "conv" or len(type.shape) == 2
    return is_plain and is_matrix and weights in network.constants and weights in once


def _chain(network: Network, head: Node, once: set[str], readers: dict[str, list[Node]]) -> Scaled:
    found = Scaled(head, np.ones(1), np.zeros(1))
    last = head
    while last.results[0] in once:
        (node,) = readers[last.results[0]]
        number = _number(network, node, last.results[0])
        if number is None or network.types[node.results[0]] != network.types[head.results[0]]:
            break
        match node.operator.name:
            case "mul":
                found.factor, found.shift = found.factor * number, found.shift * number
            case "div":
                found.factor, found.shift = found.factor / number, found.shift / number
            case "add":
                found.shift = found.shift + number
            case "sub" if node.operands[0] == last.results[0]:
                found.shift = found.shift - number
            case "sub":
                found.factor, found.shift = -found.factor, number - found.shift
        found.nodes.append(node)
        last = node
    return found


def _number(network: Network, node: Node, tensor: str) -> np.ndarray | None:
    """What a node combines a tensor with: numbers of channels, or one; in f64."""
    if node.operator.name not in FOLDED:
        return None
    others = [name for name in node.operands if name != tensor]
    if len(others) != 1 or others[0] not in network.constants:
        return None
    if node.operator.name == "div" and node.operands[0] != tensor:
        return None
    shape, whole = network.types[others[0]].shape, network.types[tensor].shape
    if len(shape) > len(whole) or any(extent != 1 for extent in shape[:-1]):
        return None
    found = as_numbers(elements_of(network.constants[others[0]]))
    with np.errstate(all="ignore"):
        return found.astype(np.float64).reshape(-1)


def _scaled(network: Network, found: Scaled) -> tuple[np.ndarray, np.ndarray]:
    """The weights times the factor, and the shift of each channel, as elements."""
    head = found.head
    weights = network.constants[head.operands[1]]
    element, numbers = weights.type.element, as_numbers(elements_of(weights)).astype(np.float64)
    with np.errstate(all="ignore"):
        if head.operator.name == "conv":
            scaled = numbers * np.broadcast_to(found.factor, numbers.shape[:1])[:, None, None, None]
        else:
            scaled = numbers * (
                found.factor[:, None] if head.attributes["transposed"] else found.factor
            )
        channels = network.types[head.results[0]].shape[-1:]
        shift = np.broadcast_to(found.shift, channels)
        return as_elements(scaled, element), as_elements(shift, element)


def _replace(network: Network, found: Scaled, weights: np.ndarray, shift: np.ndarray) -> None:
    head, last = found.head, found.nodes[-1]
    name = add_constant(network, f"{head.operands[1]}_scaled", weights)
    head.operands = (head.operands[0], name)
    if not as_numbers(shift).any():
        substitute(network, {last.results[0]: head.results[0]})
        remove(network, found.nodes)
        return
    # The last node gives what it gave; those before it go.
    last.operator, last.attributes = OPERATORS["add"], {}
    last.operands = (head.results[0], add_constant(network, f"{last.results[0]}_shift", shift))
    remove(network, found.nodes[:-1])


PLUGIN = Pass(
    "fold_scales",
    "Fold factors and shifts of channels into weights.",
    run,
    forms={"network": "network"},
)
