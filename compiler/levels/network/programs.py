"""Networks on their way to a machine: modules whose functions have a network instead of blocks.

What the level `network` names of itself (`machines.levels.Level`) stands here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from compiler.frontends import frontends
from compiler.ir.module import Function, Module
from compiler.levels.network.bound import bound, further_outputs
from compiler.levels.network.interpret import in_order, run_network
from compiler.levels.network.network import Network
from compiler.levels.network.parsing import SUFFIX, parse_networks
from compiler.levels.network.printing import print_network
from compiler.levels.network.verify import verify_network
from machines.diagnostics import InputError, Location, diagnostic, input_error
from machines.levels import NO_OPTIONS

FORM = "network"


def module_of(networks: Mapping[str, tuple[Network, Location | None]], source: str = "") -> Module:
    """A module of networks, by name, with the places where they begin."""
    module = Module(source=source, form=FORM)
    for name, (network, location) in networks.items():
        function = Function(name, location=location, body=network)
        function.functions, function.buffers = module.functions, module.buffers
        module.functions[name] = function
    module.entry = next(iter(networks)) if len(networks) == 1 else None
    return module


def parse(text: str, file: str, options: Mapping[str, Any] = NO_OPTIONS) -> Module:
    """The module of a `.net` file; raises InputError."""
    if Path(file).suffix != SUFFIX:
        raise input_error(f"{file} is no text of networks", hint=f"they stand in {SUFFIX} files")
    return module_of(parse_networks(text, file, partial(_model, Path(file))), text)


def _model(beside: Path, file: str, dimensions: dict[str, int], location: Location) -> Network:
    """The network of a model in a file of its own, which is named in one beside it."""
    path = beside.parent / file
    readers = {
        suffix: one
        for one in frontends().values()
        if one.level == FORM
        for suffix in one.suffixes
        if suffix != SUFFIX
    }
    if path.suffix not in readers:
        hint = f"models stand in files of {', '.join(sorted(readers))}"
        raise input_error(f"{file} is no model", location, hint=hint)
    try:
        module = readers[path.suffix].read(None, str(path), options={"dimensions": dimensions})
    except InputError as error:
        raise InputError(
            diagnostic(d.message, d.location or location, hint=d.hint, code=d.code)
            for d in error.diagnostics
        ) from None
    (function,) = module.functions.values()
    return function.body


def read(
    text: str,
    file: str,
    machine: object = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module of a `.net` file, for the front end; raises InputError, also if something is said
    of a network that its text has said."""
    for what, said in zip(("open dimension", "input"), bound(options), strict=True):
        for name in said:
            message = f"{file}: the network has no {what} '{name}' to be bound"
            raise input_error(message, hint="all shapes stand in its text: leave it out")
    if further_outputs(options):
        message = f"{file}: 'tensors' are those of a model; a text says what its outputs are"
        raise input_error(message, hint="name them behind 'return'")
    return parse(text, file, options)


def text_of(function: Function) -> str:
    """A network that is not lowered, as text."""
    return print_network(function.name, function.body)


def findings(function: Function) -> list[str]:
    """What is wrong with a network that is not lowered."""
    return verify_network(function.body)


def interpret(function: Function, arguments: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """The outputs of a network that is not lowered, by name, from its inputs in order; arrays as
    `machines.elements` encodes them."""
    return run_network(function.body, in_order(function.body, arguments))
