"""`simrun explain --show mappings`: of each layer that multiplies the mapping that takes least when
it is simulated, as a file that option `mapping` of `lower_network` reads.

The model ranks the best mapping of each way to do a layer.  The network runs once with all layers
done in the first way, once in the second, and so on, and each layer keeps the one with which it
took the fewest cycles.  Layers know of one another by what they leave in DRAM and in queues, so
the network runs once more with what was found; is it not faster, the model's mappings stay.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compiler.targets.cluster.passes.lower_network import PLUGIN, Tiles
from machines.diagnostics import input_error
from sim.views import RUNNABLE, Option, Shown, View

KEYS = ("tile", "stays", "served", "split")
"""What such a file says of a layer."""
BEST = 3

Way = dict[str, Any]
Ways = Mapping[str, Sequence[Way]]
"""Of each layer its mappings, the model's first."""


@dataclass(frozen=True)
class Taken:
    """Cycles of a run, and of its layers by name."""

    cycles: int
    layers: Mapping[str, int]


def show(compiled: Any, best: str | None = None) -> Shown:
    """Raises InputError for a program that is not one network."""
    count = _count(best)
    ways = {layer: found[:count] for layer, found in _ways(compiled).items()}
    runs = [_run(compiled, _places(ways, place)) for place in range(max(map(len, ways.values())))]
    chosen = {
        layer: min(range(len(found)), key=lambda place: (runs[place].layers[layer], place))
        for layer, found in ways.items()
    }
    together = _run(compiled, {layer: ways[layer][place] for layer, place in chosen.items()})
    if together.cycles >= runs[0].cycles:
        chosen, together = dict.fromkeys(chosen, 0), runs[0]
    content = {
        "cycles": together.cycles,
        "cycles_by_the_model": runs[0].cycles,
        "layers": {
            layer: {
                "chosen": place,
                "cycles": [runs[k].layers[layer] for k in range(len(ways[layer]))],
                "estimates": [way["cycles"] for way in ways[layer]],
                "mapping": _said(ways[layer][place]),
            }
            for layer, place in chosen.items()
        },
    }
    return Shown(_file(content), content)


def _count(best: str | None) -> int:
    if best is None:
        return BEST
    if not best.isdecimal() or not 1 <= int(best) <= 7:
        message = f"--best is how many ways of each layer are tried, 1 to 7, not '{best}'"
        raise input_error(message, hint=f"left out it is {BEST}")
    return int(best)


def _ways(compiled: Any) -> Ways:
    """The mappings of each layer, as the model ranks them."""
    from sim.runner import compile_workload

    passes = compiled.passes
    made = compile_workload(
        compiled.workload, compiled.machine, passes=passes, print_after=lambda name: False
    )
    steps = made.compilation.report.steps
    found = [step.changes.shown for step in steps if isinstance(step.changes.shown, Tiles)]
    if len(found) != 1:
        message = f"{compiled.workload.name} is {'no' if not found else 'more than one'} network"
        raise input_error(message, hint="a file of mappings names the layers of one")
    layers = {layer["layer"]: layer["mapping"] for layer in found[0].layers if layer["mapping"]}
    if not layers:
        message = f"no layer of {compiled.workload.name} multiplies"
        raise input_error(message, hint="--show tiles shows how each is done")
    return {name: mapping["ranked"] for name, mapping in layers.items()}


def _places(ways: Ways, place: int) -> dict[str, Way]:
    """Every layer in its way of this place, or the last that it has."""
    return {layer: found[min(place, len(found) - 1)] for layer, found in ways.items()}


def _run(compiled: Any, mappings: Mapping[str, Way]) -> Taken:
    """The network with these mappings, without values if they do not count."""
    from sim.prepared_case import prepare
    from sim.runner import compile_workload, needs_values, request_of
    from sim.simulate import simulate

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mappings.yaml"
        file.write_text(json.dumps({layer: _said(way) for layer, way in mappings.items()}))
        passes = _with_mapping(compiled.passes, str(file))
        made = compile_workload(
            compiled.workload, compiled.machine, passes=passes, print_after=lambda name: False
        )
        prepared = prepare(made, made.workload.case(None))
        outcome = simulate(request_of(prepared, values=needs_values(made)))
    layers = {layer.name: layer.cycles for layer in outcome.statistics.layers}
    return Taken(outcome.cycles, layers)


def _said(way: Way) -> dict[str, Any]:
    return {key: way[key] for key in KEYS}


def _with_mapping(passes: str | list, file: str) -> list:
    """The same passes, of which the one that lowers networks reads a file."""
    name, options = PLUGIN.name, {"mapping": file}
    entries = [passes] if isinstance(passes, str) else list(passes)
    others = []
    for entry in entries:
        if isinstance(entry, Mapping) and name in entry:
            options = {**entry[name], **options}
        else:
            others.append(entry)
    return [*others, {name: options}]


def _file(content: Mapping[str, Any]) -> str:
    cycles, before = content["cycles"], content["cycles_by_the_model"]
    lines = [f"# {cycles} cycles; with the model's mappings {before}"]
    for layer, found in content["layers"].items():
        place, each = found["chosen"], found["cycles"]
        simulated = ", ".join(map(str, each))
        lines.append(f"# {layer}: {simulated} cycles by the ways that the model ranks first")
        if place:
            lines.append(f"{json.dumps(layer)}: {json.dumps(found['mapping'])}")
    if not any(found["chosen"] for found in content["layers"].values()):
        lines.append("{}")
    return "\n".join(lines) + "\n"


VIEW = View(
    "mappings",
    "How each product is best laid on the cores, of some ways that are simulated (it runs a case).",
    RUNNABLE,
    show,
    options=(Option("best", f"How many ways of each layer are tried, {BEST} if left out.", "N"),),
)
