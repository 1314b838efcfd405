"""The kinds of machine that can be compiled for: what differs between them, a plugin each."""

from __future__ import annotations

import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from compiler.ir.module import Function, Module
from machines.description.load import Machine
from machines.diagnostics import Diagnostic
from machines.plugins import discover


@dataclass(frozen=True)
class Target:
    """How code becomes a program of one kind of machine; `description` is the machine's.

    select    select(function, description): IR operations become machine operations over virtual
              registers, in place
    allocate  allocate(function, description, options) -> counts: virtual registers become
              registers, in place; `options` are those of pass `allocate_registers`
    verify    verify(function) -> findings in machine code over virtual registers
    called    called(function) -> names, with '@', of the functions that machine code calls
    emit      emit(functions, module, description) -> the program; the entry comes first
    listing   listing(program, description) -> the program as text
    several   whether a program may have several functions that can be run
    """

    name: str
    select: Callable[[Function, Any], None]
    allocate: Callable[[Function, Any, Any], dict[str, int]]
    verify: Callable[[Function], Iterable[Diagnostic]]
    called: Callable[[Function], Sequence[str]]
    emit: Callable[[Sequence[Function], Module, Any], Any]
    listing: Callable[[Any, Any], str]
    several: bool = False


def folders_of_targets(name: str) -> tuple[ModuleType, ...]:
    """The folders of that name beside the built-in targets."""
    found = []
    for info in pkgutil.iter_modules(__path__):
        folder = f"{__name__}.{info.name}.{name}"
        if importlib.util.find_spec(folder):
            found.append(importlib.import_module(folder))
    return tuple(found)


def target_of(machine: Machine) -> Target:
    """The target of a machine's kind (entry-point group `simrun.targets`)."""
    return discover("targets", sys.modules[__name__], Target)[machine.kind]
