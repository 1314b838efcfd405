"""Neural networks: operators on tensors of known shapes, in an order in which each reads only what
is there.

A network is the body of a function (see `machines.levels`).  Copies of a function share it, so
passes put a changed copy in its place (`Network.copied`); what they leave is verified.  README.md
tells what operators there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import UnionType
from typing import ClassVar

import numpy as np

from machines.diagnostics import Location
from machines.levels.network.tensors import Constant, TensorType
from machines.types import Type

Attribute = int | float | str | bool | Type | tuple[int, ...]
"""What stands in the braces behind an operator."""


class Unfit(Exception):
    """Operands or attributes that an operator cannot have; the text says why."""


Types = Sequence[TensorType]
Attributes = Mapping[str, Attribute]


@dataclass(frozen=True, slots=True)
class AttributeKind:
    """What an attribute of an operator is.

    type     `tuple` is of integers; a `float` may be written as an integer
    default  what it is where it is not given, or default(types of the operands, attributes before
             it) -> that; without one it has to be given
    """

    type: type | UnionType
    sentence: str
    default: Attribute | Callable[[Types, Attributes], Attribute] | None = None


@dataclass(frozen=True)
class Operator:
    """One row of the table of operators; `nn.NAME` in the text form.

    operands    their names; a last one with '*' stands for any number, with '?' for none or one
    attributes  by name, in the order in which they are completed
    types       types(of the operands, all attributes) -> those of the results; raises Unfit
    evaluate    evaluate(arrays, attributes, types of the results) -> the results, as
                `machines.elements` encodes them
    """

    name: str
    sentence: str
    operands: tuple[str, ...]
    types: Callable[[Types, Attributes], tuple[TensorType, ...]]
    evaluate: Callable[[Sequence[np.ndarray], Attributes, Types], tuple[np.ndarray, ...]]
    attributes: Mapping[str, AttributeKind] = field(default_factory=dict)
    family: str = ""


@dataclass(slots=True, eq=False)
class Node:
    """An operator applied to tensors.

    operands, results  names of tensors
    attributes         all that the operator has, those that were not given too
    layer              the layer that it belongs to, which the source or a pass named.  The nodes of
                       a layer stand together; they are lowered together, and reported as one
    """

    operator: Operator
    results: tuple[str, ...]
    operands: tuple[str, ...]
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    layer: str = ""
    location: Location | None = None


@dataclass(slots=True, eq=False)
class Network:
    """A function of tensors: `types` has all of them by name, the others say which they are.

    inputs     in their order
    constants  by name; nodes read them as any tensor
    outputs    which tensors are the results, by the names under which the caller has them
    """

    inputs: list[str] = field(default_factory=list)
    constants: dict[str, Constant] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    types: dict[str, TensorType] = field(default_factory=dict)
    callees: ClassVar[tuple[str, ...]] = ()

    def copied(self) -> Network:
        """One that can be changed without changing this; operators, types and constants are
        shared."""
        nodes = [replace(node) for node in self.nodes]
        return Network(
            list(self.inputs), dict(self.constants), nodes, dict(self.outputs), dict(self.types)
        )

    def producer(self) -> dict[str, Node]:
        """The node that makes a tensor, by tensor."""
        return {name: node for node in self.nodes for name in node.results}

    def readers(self) -> dict[str, list[Node]]:
        """The nodes that read a tensor, by tensor, in their order."""
        found: dict[str, list[Node]] = {name: [] for name in self.types}
        for node in self.nodes:
            for name in dict.fromkeys(node.operands):
                found[name].append(node)
        return found

    def layers(self) -> dict[str, list[Node]]:
        """The nodes by layer, in their order."""
        found: dict[str, list[Node]] = {}
        for node in self.nodes:
            found.setdefault(node.layer, []).append(node)
        return found

    def operand_types(self, node: Node) -> Sequence[TensorType]:
        return [self.types[name] for name in node.operands]
