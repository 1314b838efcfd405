"""What is written for a layer: a template a family of layers, a file each.

A template is `write(function)`, which writes the body of the layer's function in tile form.  The
operator of the layer's first node says which; further nodes are elementwise, and every template
does them on what it holds.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.templates import (
    elementwise,
    indexed,
    movement,
    products,
    reductions,
    windows,
)
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.diagnostics import input_error

Template = Callable[[TileFunction], None]
FAMILIES: dict[str, Template] = {
    "elementwise": elementwise.write,
    "normalizing": elementwise.write,
    "indexed": indexed.write,
    "product": products.write,
    "movement": movement.write,
    "reduction": reductions.write,
    "window": windows.write,
}
"""By the family of the first node's operator."""


def template_of(layer: Layer) -> Template:
    """Raises InputError for a layer that cannot be lowered."""
    operator = layer.head.operator
    found = FAMILIES.get(operator.family)
    if found is None:
        message = f"{layer.title}: chips of clusters do not compute this operator"
        raise input_error(message, layer.location)
    return found
