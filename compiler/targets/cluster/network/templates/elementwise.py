"""Layers that do something with each element: tiles of all that they read, one after the other."""

from __future__ import annotations

from compiler.targets.cluster.network.tile_text import TileFunction


def write(function: TileFunction) -> None:
    layer, chip = function.layer, function.chip
    (result,) = layer.results
    count, element = layer.type(result).count, layer.type(result).element
    held = len(layer.reads) + len(layer.nodes)
    tile = max(min(chip.usable("nram") // (held * element.bytes), -(-count // chip.core_count)), 1)
    at = {name: function.buffer("a", element, [tile]) for name in layer.reads}
    for node in layer.nodes:
        at[node.results[0]] = function.buffer("a", element, [tile])
    low, high = function.part(count)
    for tensor in function.names:
        function.see(tensor, count)
    with function.loop("i", low, high, tile):
        function.line(f"n = min({tile}, {high} - i)")
        for name in layer.reads:
            function.line(f"tensor.copy {at[name]}[0 +: n], {function.names[name]}[i +: n]")
        for node in layer.nodes:
            operands = ", ".join(f"{at[name]}[0 +: n]" for name in node.operands)
            function.line(f"tensor.{node.operator.name} {at[node.results[0]]}[0 +: n], {operands}")
        function.line(f"tensor.copy {function.names[result]}[i +: n], {at[result]}[0 +: n]")
