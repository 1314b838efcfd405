"""Of what a chip can do, what a network is lowered with: for studies of what each brings."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.targets.cluster.network.given_mappings import GivenMapping, GivenMappings
from compiler.targets.cluster.network.layer import Layer


@dataclass(frozen=True, slots=True)
class Means:
    """buffers  of each operand that comes step by step, and of results: with 2 of them loads,
             computing and stores of tiles are beside one another, with 1 after one another
    serve    whether MEM cores may load operands, and send them to the cores of their clusters
    given    mappings of layers that are not to be chosen
    """

    buffers: int = 2
    serve: bool = True
    given: GivenMappings | None = None

    def given_of(self, layer: Layer) -> GivenMapping | None:
        """The mapping that a layer is given, if it is."""
        return self.given.of_layers.get(layer.name) if self.given is not None else None


ALL = Means()
