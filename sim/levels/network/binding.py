"""What a workload says of a network beyond its inputs; its outputs have names of their own."""

from __future__ import annotations

from sim.levels import Binding, Keys


class NetworkKeys(Keys):
    """The keys of a workload."""


BINDING = Binding(NetworkKeys, names_outputs=(".net", ".onnx"))
