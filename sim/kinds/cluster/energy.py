"""Events of a chip of clusters that energy is estimated of: what its rooflines count."""

from __future__ import annotations

from collections.abc import Mapping

from sim.kinds.cluster.roofline import LINKS, ROOFLINE
from sim.results.energy import Events
from sim.results.layer import Layer


def of_layer(layer: Layer) -> Mapping[str, int]:
    """What a layer computed, and moved: by links, and by engines."""
    moved = {LINKS.get(name, (name, ""))[0]: size for name, size in layer.bytes.items()}
    return {**layer.work, **moved}


ENERGY = Events(ROOFLINE.work, ROOFLINE.names, of_layer=of_layer)
