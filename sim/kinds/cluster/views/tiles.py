"""`simrun explain --show tiles`: the tile form of a network, and how each layer is mapped and why.

The text can be read again; what is said of a layer stands above its function.
"""

from __future__ import annotations

from compiler import Compilation
from compiler.targets.cluster.passes.lower_network import Tiles
from machines.diagnostics import input_error
from sim.views import COMPILED, Shown, View, several


def show(compilation: Compilation) -> Shown:
    """Raises InputError for a program that is no network."""
    made = {
        step.function: Shown(
            step.changes.shown.text,
            {"tiles": step.changes.shown.text, "layers": list(step.changes.shown.layers)},
        )
        for step in compilation.report.steps
        if isinstance(step.changes.shown, Tiles)
    }
    if not made:
        message = f"@{compilation.entry} is no network: nothing wrote its tiles"
        raise input_error(message, hint="--show ir prints IR")
    return several(made)


VIEW = View(
    "tiles",
    "The tile form of a network, and how each product is mapped, what bounds it, what was next.",
    COMPILED,
    show,
)
