"""The door: a file of a model as a module, if the package onnx is there to read it."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any

from compiler.ir.module import Module
from compiler.levels.network.bound import bound, further_outputs
from machines.description.load import Machine
from machines.diagnostics import input_error
from machines.levels import NO_OPTIONS


def require_onnx(file: str) -> None:
    """Raises InputError if the package onnx is missing."""
    if importlib.util.find_spec("onnx") is None:
        raise input_error(
            f"{file}: ONNX models are read with the package onnx, which is not installed",
            hint="pip install 'simrun[networks]'",
        )


def read(
    source: bytes | None,
    file: str,
    machine: Machine | None = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module of a model in a file, or of its bytes if they are given.

    The options are those of `model.read_model` (see `compiler.levels.network.bound`).
    Raises InputError.
    """
    require_onnx(file)
    from compiler.frontends.onnx.model import read_model

    dimensions, values = bound(options)
    return read_model(file, dimensions, values, source, further_outputs(options)).module
