"""Finding operators that are written out: what stands behind a tensor, step by step backwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from compiler.levels.network.constants import elements_of
from compiler.levels.network.network import Attribute, Network, Node
from machines.elements import as_numbers

T = TypeVar("T")


class NoMatch(Exception):
    """What was looked for is not there."""


@dataclass(frozen=True)
class Found:
    """One operator that stands for several.

    nodes  those that are written out; the result is that of the first
    """

    operator: str
    operands: tuple[str, ...]
    nodes: tuple[Node, ...]
    attributes: dict[str, Attribute] = field(default_factory=dict)


class Matcher:
    """Walks backwards from a node; every step that fails raises NoMatch.

    nodes  that were gone through
    """

    def __init__(self, network: Network, producer: dict[str, Node], root: Node):
        self.network, self._producer = network, producer
        self.root, self.nodes = root, [root]

    def made(self, tensor: str, *operators: str) -> Node:
        """The node that makes a tensor, if it is one of these operators."""
        node = self._producer.get(tensor)
        if node is None or node.operator.name not in operators:
            raise NoMatch
        if node not in self.nodes:
            self.nodes.append(node)
        return node

    def first(self, pattern: Callable[..., T], *choices: Sequence[str]) -> T:
        """What a pattern finds with the first of some arguments with which it finds anything."""
        before = list(self.nodes)
        for arguments in choices:
            try:
                return pattern(self, *arguments)
            except NoMatch:
                self.nodes = list(before)
        raise NoMatch

    def number(self, tensor: str) -> float:
        """The number that all elements of a constant are."""
        constant = self.network.constants.get(tensor)
        if constant is None:
            raise NoMatch
        values = as_numbers(elements_of(constant)).reshape(-1)
        if (values != values[0]).any():
            raise NoMatch
        return float(values[0])

    def with_number(self, node: Node) -> tuple[str, float]:
        """Of a node that commutes the tensor, and the number that it is combined with."""
        first, second = node.operands
        if second in self.network.constants:
            return first, self.number(second)
        return second, self.number(first)

    def require(self, condition: bool) -> None:
        if not condition:
            raise NoMatch

    def of_rows(self, tensor: str, operator: str) -> str:
        """What is reduced along the last axis to what a tensor is, with that axis as one of 1."""
        node = self.made(tensor, "reshape")
        before = self.made(node.operands[0], operator)
        whole = self.network.types[before.operands[0]].shape
        self.require(before.attributes["axes"] == (len(whole) - 1,))
        self.require(self.network.types[tensor].shape == (*whole[:-1], 1))
        return before.operands[0]

    def mean_of_rows(self, tensor: str) -> str:
        """What the means of rows are, which a tensor is, with the last axis as one of 1; the
        division by their length may stand before or behind the reshape."""
        if self._is(tensor, "reshape"):
            node = self.made(tensor, "reshape")
            whole = self._sum(node.operands[0])
        else:
            scaled, count = self._scaled(tensor)
            whole = self.of_rows(scaled, "reduce_sum")
            self._require_length(whole, count)
        shape = self.network.types[whole].shape
        self.require(self.network.types[tensor].shape == (*shape[:-1], 1))
        return whole

    def _sum(self, tensor: str) -> str:
        scaled, count = self._scaled(tensor)
        node = self.made(scaled, "reduce_sum")
        (whole,) = node.operands
        self.require(node.attributes["axes"] == (len(self.network.types[whole].shape) - 1,))
        self._require_length(whole, count)
        return whole

    def _scaled(self, tensor: str) -> tuple[str, float]:
        node = self.made(tensor, "mul", "div")
        if node.operator.name == "div":
            return node.operands[0], self.number(node.operands[1])
        scaled, factor = self.with_number(node)
        return scaled, 1 / factor if factor else 0.0

    def _require_length(self, tensor: str, count: float) -> None:
        length = self.network.types[tensor].shape[-1]
        self.require(bool(np.isclose(count, length, rtol=4e-3, atol=0)))

    def _is(self, tensor: str, operator: str) -> bool:
        node = self._producer.get(tensor)
        return node is not None and node.operator.name == operator

    def row(self, tensor: str, length: int) -> str:
        """A tensor that is one row of so many elements."""
        self.require(self.network.types[tensor].shape == (length,))
        return tensor
