"""Views `network` and `layers`: a network as text, and what each of its layers cost in a run."""

from __future__ import annotations

from typing import Any

from compiler.ir.module import Function
from compiler.levels.network.network import Network
from compiler.levels.network.programs import text_of
from machines.diagnostics import input_error
from sim.results.layer import Layer
from sim.results.sections import scaled
from sim.results.shown import share, shown
from sim.views import RUNNABLE, SOURCE, Option, Shown, View
from sim.views.tables import aligned


def show_network(function: Function) -> Shown:
    """The network as text that can be read again."""
    if not isinstance(function.body, Network):
        message = f"@{function.name} is no network"
        raise input_error(message, function.location, hint="--show ir prints IR")
    text = text_of(function)
    return Shown(text, {"network": text})


HEAD = (
    "layer", "cycles", "share", "span", "bound by", "busy", "operations/s", "of peak", "DRAM",
    "least", "moved", "waits",
)  # fmt: skip


def show_layers(compiled: Any, variant: str | None = None) -> Shown:
    """All layers of one case, in their order; values are computed where cycles depend on them."""
    from sim.prepared_case import prepare
    from sim.runner import execute, needs_values

    values, case = needs_values(compiled), compiled.workload.case(variant)
    result = execute(prepare(compiled, case, values=values), values=values)
    if not result.layers:
        message = f"{result.title}: no instruction belongs to a layer"
        raise input_error(message, hint="an instruction says so: {layer: 0}")
    seen = (layer for layer in result.layers if layer.cycles or layer.number is not None)
    whole = ("", shown(result.cycles), "100.0 %", *[""] * (len(HEAD) - 3))
    rows = [HEAD, *(_row(layer, result) for layer in seen), whole]
    lines = aligned(rows, right=(1, 2, 3, 5, 6, 7, 8, 9, 10))
    content = [layer.to_dict(result.clock) for layer in result.layers]
    return Shown("\n".join(lines) + "\n", {"cycles": result.cycles, "layers": content})


def _row(layer: Layer, result: Any) -> tuple[str, ...]:
    bound = layer.bound
    best = max(layer.rates(result.clock), key=lambda one: one[1], default=None)
    waits = {reason: cycles for reason, cycles in layer.waits.items() if cycles}
    longest = max(waits, key=lambda reason: waits[reason], default="")
    return (
        layer.name,
        shown(layer.cycles),
        share(layer.cycles, result.cycles),
        shown(layer.span),
        bound[0] if bound else "",
        f"{100 * bound[1] / layer.span:.0f} %" if bound else "",
        f"{scaled(best[1])}" if best else "",
        f"{100 * best[1] / best[2]:.1f} %" if best else "",
        f"{scaled(layer.bytes['dram'])}B" if layer.bytes.get("dram") else "",
        f"{scaled(layer.least_bytes)}B" if layer.least_bytes else "",
        f"{layer.moved_again:.2f} ×" if layer.moved_again is not None else "",
        f"{longest} {100 * waits[longest] // sum(waits.values())} %" if waits else "",
    )


VIEWS = (
    View(
        "network",
        "A network as text, as it is read or after --passes.",
        SOURCE,
        show_network,
    ),
    View(
        "layers",
        "What each layer of a program cost: cycles, what bounds it, its rate, its bytes (it runs a "
        "case).",
        RUNNABLE,
        show_layers,
        options=(Option("variant", "The case that runs, of several.", "NAME"),),
    ),
)
