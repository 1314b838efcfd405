"""Factors and shifts of channels behind a product or a convolution become part of its weights and
of one shift, as those of a batch normalization:

h = nn.conv(x, w)                      h = nn.conv(x, w_scaled)
a = nn.mul(h, s)                 ->    c = nn.add(h, b_scaled)
c = nn.add(a, b)

They are constants, as many as there are channels or one.  Weights are worked out in f64 and rounded
once, so that only the rounding changes; so it is with division by a constant.

What stands behind no weights becomes one factor and one shift, if some of it goes by channels.  A
shift that is so large that it rounds to whole numbers is there for that, and ends a chain.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    """Nodes one behind another, of which the last is `tensor` * factor + shift."""

    tensor: str
    factor: np.ndarray = field(default_factory=lambda: np.ones(1))
    shift: np.ndarray = field(default_factory=lambda: np.zeros(1))
    nodes: list[Node] = field(default_factory=list)


def run(function: Function, machine: Machine | None, options: NoOptions) -> Changes:
    return edit(function, fold)


def fold(network: Network, changes: Changes) -> None:
    """Put scaled weights and one shift in the place of each chain that has a factor, and a factor
    and a shift in the place of others."""
    once, readers = read_once(network), network.readers()
    done: set[Node] = set()
    for head in list(network.nodes):
        if _has_weights(network, head, once) and head.results[0] in once:
            found = _chain(network, head.results[0], once, readers)
            done.update(found.nodes)
            if any(node.operator.name in ("mul", "div") for node in found.nodes):
                _into_weights(network, head, found, changes)
    for first in list(network.nodes):
        tensor = None if first in done else _scaled_by(network, first)
        if tensor is not None:
            found = _chain(network, tensor, once, readers, first)
            done.update(found.nodes)
            if max(found.factor.size, found.shift.size) > 1:
                _into_two(network, found, changes)


def _scaled_by(network: Network, node: Node) -> str | None:
    """What a node combines with numbers."""
    if node.operator.name not in FOLDED:
        return None
    found = [name for name in node.operands if name not in network.constants]
    if len(found) != 1 or not network.types[found[0]].element.is_float:
        return None
    return found[0]


def _has_weights(network: Network, head: Node, once: set[str]) -> bool:
    """Whether it is a product of floats with a constant that nobody else reads, in one type."""
    if head.operator.name not in ("conv", "matmul"):
        return False
    weights = head.operands[1]
    type = network.types[weights]
    is_plain = type.element.is_float and head.attributes["to"] is type.element
    is_matrix = head.operator.name == "conv" or len(type.shape) == 2
    return is_plain and is_matrix and weights in network.constants and weights in once


@np.errstate(all="ignore")
def _chain(
    network: Network,
    tensor: str,
    once: set[str],
    readers: dict[str, list[Node]],
    first: Node | None = None,
) -> Scaled:
    """What follows a tensor that one node reads, or begins with the first node."""
    found, last = Scaled(tensor), tensor
    while first is not None or last in once:
        node, first = first or readers[last][0], None
        number = _number(network, node, last)
        if number is None or network.types[node.results[0]] != network.types[tensor]:
            break
        match node.operator.name:
            case "mul":
                found.factor, found.shift = found.factor * number, found.shift * number
            case "div":
                found.factor, found.shift = found.factor / number, found.shift / number
            case "add":
                found.shift = found.shift + number
            case "sub" if node.operands[0] == last:
                found.shift = found.shift - number
            case "sub":
                found.factor, found.shift = -found.factor, number - found.shift
        found.nodes.append(node)
        last = node.results[0]
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
    found = as_numbers(elements_of(network.constants[others[0]])).astype(np.float64).reshape(-1)
    form = network.types[tensor].element.format
    rounds = form is None or (np.abs(found) >= 2.0 ** (form.digits - 2)).any()
    return None if rounds and node.operator.name in ("add", "sub") else found


def _into_weights(network: Network, head: Node, found: Scaled, changes: Changes) -> None:
    constant = network.constants[head.operands[1]]
    numbers = as_numbers(elements_of(constant)).astype(np.float64)
    if head.operator.name == "conv":
        factor = np.broadcast_to(found.factor, numbers.shape[:1])[:, None, None, None]
    else:
        factor = found.factor[:, None] if head.attributes["transposed"] else found.factor
    with np.errstate(all="ignore"):
        weights = as_elements(numbers * factor, constant.type.element)
    shift = _row(network, found, found.shift)
    if not _are_finite(weights, shift):
        return
    _tell(changes, found, "folded into weights")
    name = add_constant(network, f"{head.operands[1]}_scaled", weights)
    head.operands = (head.operands[0], name)
    _replace(network, found, [("add", "shift", shift)] if as_numbers(shift).any() else [])


def _into_two(network: Network, found: Scaled, changes: Changes) -> None:
    factor, shift = (_row(network, found, values) for values in (found.factor, found.shift))
    wanted = []
    if (found.factor != 1).any():
        wanted.append(("mul", "factor", factor))
    if (found.shift != 0).any():
        wanted.append(("add", "shift", shift))
    if len(wanted) < len(found.nodes) and _are_finite(factor, shift):
        _tell(changes, found, "folded into a factor and a shift")
        _replace(network, found, wanted)


def _row(network: Network, found: Scaled, values: np.ndarray) -> np.ndarray:
    """Numbers of all channels, as elements."""
    type = network.types[found.tensor]
    with np.errstate(all="ignore"):
        return as_elements(np.broadcast_to(values, type.shape[-1:]), type.element)


def _are_finite(*arrays: np.ndarray) -> bool:
    return all(np.isfinite(as_numbers(array)).all() for array in arrays)


def _tell(changes: Changes, found: Scaled, what: str) -> None:
    for node in found.nodes:
        note(changes, what, node)


def _replace(
    network: Network, found: Scaled, wanted: Sequence[tuple[str, str, np.ndarray]]
) -> None:
    """Let the last nodes of a chain be these, by operator, what the other operand is called, and
    its elements; the last one gives what it gave."""
    last, tensor = found.nodes[-1].results[0], found.tensor
    kept = found.nodes[len(found.nodes) - len(wanted) :]
    for node, (operator, what, elements) in zip(kept, wanted, strict=True):
        node.operator, node.attributes = OPERATORS[operator], {}
        node.operands = (tensor, add_constant(network, f"{last}_{what}", elements))
        tensor = node.results[0]
    if not kept:
        substitute(network, {last: tensor})
    remove(network, found.nodes[: len(found.nodes) - len(wanted)])


PLUGIN = Pass(
    "fold_scales",
    "Fold factors and shifts of channels into weights.",
    run,
    forms={"network": "network"},
)
