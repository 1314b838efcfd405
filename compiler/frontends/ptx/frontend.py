"""From PTX text to a module of `ptx` rows over virtual registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.frontends.ptx.lowering.lower_module import read_module
from compiler.ir.module import Module
from machines.description.load import Machine
from machines.levels import NO_OPTIONS

USUAL_WARP = 32


def read(
    text: str,
    file: str,
    machine: Machine | None = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module of a file: one function per kernel, calls of device functions inlined.

    A kernel that uses what is not supported is in `Module.refused`.  Raises InputError with every
    finding if the text is wrong, or if no kernel is left.  The text ends at its first NUL:
    C's texts have one behind them, and `nvrtcGetPTX` counts it.
    """
    text = text.partition("\0")[0]
    if machine is None:
        return read_module(text, file, USUAL_WARP)
    described = machine.description
    capability = described.compute_capability
    runs_on = None if capability is None else (machine.name, capability)
    return read_module(text, file, described.warp_width, runs_on, described.classes)
