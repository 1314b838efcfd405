"""From LLVM IR, as text or bitcode, to a module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.frontends.llvm.lowering.lower_module import ModuleLowering
from compiler.frontends.llvm.prepare import prepare
from compiler.ir.module import Module
from machines.levels import NO_OPTIONS


def read(
    source: str | bytes,
    file: str,
    machine: object = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module of a file's text or bitcode; of `entries` only, if some are named, and of what
    they reach.  Most calls are inlined.

    A function that cannot be had is in `Module.refused`.  Raises InputError if that is so of all,
    or if LLVM does not take the file.
    """
    module = ModuleLowering(prepare(source, file, entries), entries).run()
    if module.refused and not module.functions:
        raise next(iter(module.refused.values()))
    return module
