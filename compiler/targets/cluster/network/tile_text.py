"""Writes the function of a layer in tile form (compiler/README.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any

from compiler.levels.network.network import TensorType
from compiler.targets.cluster.network.layer import Layer, names_of
from compiler.targets.cluster.network.means import ALL, Means
from machines.kinds.cluster.fields import Cluster
from machines.types import Type


@dataclass(frozen=True)
class Explanation:
    """How a layer is done, where there was a choice: in a sentence, in lines, and as JSON."""

    sentence: str
    lines: tuple[str, ...]
    content: dict[str, Any]


class TileFunction:
    """The parameters of the function are tensors in DRAM: what the layer makes, and what it reads.

    names  those of the parameters, by tensor
    axes   theirs, by tensor: the shape of the tensor, unless a template sees it otherwise
    beside what the MEM cores do meanwhile, if they do anything (see `serve`)
    shared buffers that both reach, as the module declares them
    held   bytes of buffers on the chip, by spaces, shared ones among them
    why    how the layer is done, where there was a choice
    """

    def __init__(
        self,
        layer: Layer,
        chip: Cluster,
        prefix: str = "",
        memo: dict[object, Any] | None = None,
        means: Means = ALL,
    ):
        """prefix  with which the names of the function and of shared buffers begin
        memo    what templates have found out of layers, for others that are like them
        means   of the chip that the layer may use
        """
        self.memo = {} if memo is None else memo
        self.means = means
        self.layer, self.chip, self.name = layer, chip, prefix + layer.function
        self.names = names_of((*layer.results, *layer.reads))
        self.axes = {tensor: layer.type(tensor).shape or (1,) for tensor in self.names}
        self.declared: list[str] = []
        self.shared: list[str] = []
        self.body: list[str] = []
        self.depth = 1
        self.taken = 0
        self.beside: TileFunction | None = None
        self.held: dict[str, int] = {}
        self.why: Explanation | None = None

    def see(self, tensor: str, *axes: int) -> str:
        """The name of a tensor that from now on has other axes, over the same elements."""
        self.axes[tensor] = axes
        return self.names[tensor]

    def line(self, text: str) -> None:
        self.body.append("    " * self.depth + text)

    def fresh(self, hint: str) -> str:
        """A name that the function does not have yet."""
        self.taken += 1
        return f"{hint}{self.taken}"

    def buffer(self, hint: str, element: Type, shape: Sequence[int], space: str = "nram") -> str:
        """A new buffer on the chip; the name of it."""
        name = self.fresh(hint)
        axes = ", ".join(map(str, shape))
        self.declared.append(f"    {name}: {element}[{axes}] in {space}")
        self._hold(element, shape, space)
        return name

    def shared_buffer(self, hint: str, element: Type, shape: Sequence[int], space: str) -> str:
        """A new buffer that this function and the one beside it reach."""
        name = f"{self.name}_{self.fresh(hint)}"
        axes = ", ".join(map(str, shape))
        self.shared.append(f"{name}: {element}[{axes}] in {space}")
        self._hold(element, shape, space)
        return name

    def _hold(self, element: Type, shape: Sequence[int], space: str) -> None:
        self.held[space] = self.held.get(space, 0) + element.size(prod(shape))

    def serve(self) -> TileFunction:
        """The function of the MEM cores, with the same parameters."""
        self.beside = TileFunction(self.layer, self.chip, means=self.means)
        self.beside.name = f"{self.name}_mem"
        return self.beside

    @contextmanager
    def aside(self) -> Iterator[list[str]]:
        """Lines that are written now are collected, to be put somewhere later (see `put`)."""
        kept, self.body = self.body, []
        yield self.body
        self.body = kept

    def put(self, lines: Sequence[str]) -> None:
        """Lines that were collected aside."""
        self.body += lines

    @contextmanager
    def loop(self, index: str, low: object, high: object, step: int = 1) -> Iterator[None]:
        by = f" by {step}" if step != 1 else ""
        self.line(f"for {index} in {low}:{high}{by} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self.line("}")

    def part(self, units: int, of: str = "task_id", parts: int | None = None) -> tuple[str, str]:
        """The first of a core's units and the one behind its last, where all cores share `units` of
        them as evenly as they can; `of` is the core's number among `parts`."""
        parts = self.chip.core_count if parts is None else parts
        if parts == 1:
            return "0", str(units)
        low, high = self.fresh("low"), self.fresh("high")
        self.line(f"{low} = {of} * {units} / {parts}")
        self.line(f"{high} = ({of} + 1) * {units} / {parts}")
        return low, high

    @property
    def lines(self) -> list[str]:
        """The whole function."""
        parameters = ", ".join(
            f"{name}: {TensorType(self.layer.type(tensor).element, self.axes[tensor])}"
            for tensor, name in self.names.items()
        )
        return [f"func @{self.name}({parameters}) {{", *self.declared, *self.body, "}"]
