"""What a workload says of a network beyond its inputs; its outputs have names of their own.

    dimensions: {batch: 1, sequence: 128}     extents that a model leaves open
    values: {shape: [1, -1]}                  inputs on which shapes depend: then there is no such
                                              argument
    tensors: [conv1_relu]                     outputs beside those that a model has, by its names
                                              of them
    clusters: 2                               of the jobs that a network runs as, where it is not
                                              the whole chip

They are options of passes over networks, whichever passes are asked for.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError
from sim.levels import Binding, Keys

if TYPE_CHECKING:
    from machines.levels.network.function import NetworkFunction
    from machines.levels.network.tensors import TensorType

FIRST = "fold_constants"
"""The pass over networks that comes first, for whichever kind of machine."""
LAST = "lower_network"
"""The one that makes code of a machine of them."""

Extent = Annotated[int, Field(ge=1, lt=1 << 31)]
Passes = str | list[Any]


class NetworkKeys(Keys):
    """The keys of a workload."""

    dimensions: dict[str, Extent] = Field({}, description="Extents that a model leaves open.")
    values: dict[str, Any] = Field({}, description="Inputs of a network on which shapes depend.")
    tensors: list[str] = Field([], description="Tensors of a model that are outputs, too.")
    clusters: int | None = Field(
        None, ge=1, description="On how many clusters a network runs, if not on all of a chip."
    )


def passes_with(
    passes: Passes, form: NetworkKeys, tree: Node, folder: Path | None = None
) -> Passes:
    """Passes with the options that a workload gives; raises InputError if they leave out the one
    that takes them."""
    said = {"dimensions": form.dimensions, "values": form.values, "tensors": form.tensors}
    first = {key: json.dumps(one, sort_keys=True) for key, one in said.items() if one}
    given = {FIRST: first} if first else {}
    given |= {LAST: {"clusters": form.clusters}} if form.clusters else {}
    entries = [passes] if isinstance(passes, str) else list(passes)
    if not given:
        return passes
    if "default" in entries:
        at = entries.index("default") + 1
        return [*entries[:at], *({name: own} for name, own in given.items()), *entries[at:]]
    for name in given:
        if name not in entries:
            hint = "begin them with 'default', or name it without options"
            key = next(key for key in NetworkKeys.model_fields if key in tree.value)
            raise InputError(tree.finding(f"the passes leave out '{name}'", hint, key=key))
    return [
        {entry: given[entry]} if isinstance(entry, str) and entry in given else entry
        for entry in entries
    ]


def function_findings(tree: Node, function: Any) -> list[Diagnostic]:
    """Keys of what is no network."""
    keys = [key for key in NetworkKeys.model_fields if key in tree.value]
    message = "belongs to networks, and the program is none"
    return [] if function else [tree.finding(f"'{key}' {message}", key=key) for key in keys]


def seeded(function: NetworkFunction) -> dict[str, Any]:
    """Inputs of a network that nobody says, as a workload has them: floats from -1 to 1, integers 0
    and 1, with which any table can be indexed."""
    return {one.name: _content(one.type, seed) for seed, one in enumerate(function.inputs, 1)}


def _content(type: TensorType, seed: int) -> dict[str, Any] | float:
    if not type.shape:
        return 0.5 if type.element.is_float else 1
    ends = {"low": -1 if type.element.is_float else 0, "high": 1}
    shape = list(type.shape)
    return {"dtype": type.element.name, "shape": shape, "random": {"seed": seed, **ends}}


BINDING = Binding(
    NetworkKeys,
    passes=passes_with,
    function_findings=function_findings,
    names_outputs=(".net", ".onnx"),
    seeded=seeded,
    judges={"onnxruntime": "sim.levels.network.onnxruntime_judge:expectations"},
)
