"""The targets: how code becomes a program of one kind of machine, a package a kind."""

from __future__ import annotations

import importlib.util
import pkgutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from compiler.costs import Costs
from compiler.ir.module import Function, Module
from machines.description.load import Machine
from machines.diagnostics import Diagnostic
from machines.kinds import kind_named, parts
from machines.program import ProgramBuffer


class Listed(NamedTuple):
    """A line of a listing; `instruction` is its place among the program's `locations`, None of one
    that has no instruction."""

    text: str
    instruction: int | None = None


def _as_it_is(program: Any, description: Any) -> Any:
    return program


@dataclass(frozen=True)
class Emit:
    """A file that `--emit` makes of a program with its arguments, for other tools.

    suffixes  of files that are meant
    sentence  what it is
    write     write(program, description, arrays, scalars) -> its text; `arrays` are the initial
              array arguments as `machines.program.ProgramBuffer`s, `scalars` the others by name.
              It raises InputError for what cannot be written so
    usage     usage(path, program, arrays) -> what to do with it, as text
    """

    suffixes: tuple[str, ...]
    sentence: str
    write: Callable[[Any, Any, Sequence[ProgramBuffer], Mapping[str, int | float]], str]
    usage: Callable[[Path, Any, Sequence[ProgramBuffer]], str]


@dataclass(frozen=True)
class Target:
    """How code becomes a program of one kind of machine; `description` is the machine's.

    passes     names of the default passes in their order, from IR to `last_form`
    lowers     how code of a level of code above the IR (see `machines.levels`) becomes code that
               `passes` take: names of passes, by level; the others it does not lower, unless the
               level itself says how
    last_form  the form of code that is emitted (see `compiler.transformation`)
    verify     verify(function, form, description) -> findings in machine code of a form; what holds
               for all of them, `compiler.verify.machine_code` finds
    called     called(function) -> names, with '@', of the functions that machine code calls
    emit       emit(functions, module, description) -> the program; the entry comes first
    listing    listing(program, description) -> the program as text, line by line
    finish     finish(program, description) -> what runs: what is done once a program is whole, be
               it compiled or written in assembly
    several    whether a program may have several functions that can be run
    calls      whether its code calls functions; if not, all calls are inlined
    costs      what operations cost, for passes that weigh one against another
    emits      files that are made of its programs for other tools
    plugins    plugins that only it has: what one is called -> all of them by name
    records    the dataclasses that attributes of its code may hold
    threads    threads(description) -> how many threads exchange values at once (a warp's), where
               all threads of a grid execute a function of a level together; 0: one thread does
    pace       pace(description) -> the figures that say how fast a program runs and not whether:
               paths, or beginnings of paths.  On a machine that differs from its own in others
               that the compiler asked, a program cannot run as it is
    """

    passes: tuple[str, ...]
    last_form: str
    verify: Callable[[Function, str, Any], Iterable[Diagnostic]]
    called: Callable[[Function], Sequence[str]]
    emit: Callable[[Sequence[Function], Module, Any], Any]
    listing: Callable[[Any, Any], Iterable[Listed]]
    finish: Callable[[Any, Any], Any] = _as_it_is
    several: bool = False
    calls: bool = True
    lowers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    costs: Costs = field(default_factory=Costs)
    emits: tuple[Emit, ...] = ()
    plugins: Mapping[str, Callable[[], Mapping[str, Any]]] = field(default_factory=dict)
    records: tuple[type, ...] = ()
    threads: Callable[[Any], int] = lambda description: 0
    pace: Callable[[Any], Collection[str]] = lambda description: ()


def target_for(kind: str) -> Target:
    """The target of a kind of machine."""
    return kind_named(kind).part("target", Target)


def targets() -> dict[str, Target]:
    """Those of all kinds, by kind."""
    return parts("target", Target)


def target_of(machine: Machine) -> Target:
    """The target of a machine's kind."""
    return target_for(machine.kind)


def costs_of(machine: Machine | None) -> Costs:
    """What operations cost on a machine; where none is known, on a plain processor."""
    return target_of(machine).costs if machine else Costs()


def threads_of(machine: Machine | None) -> int:
    """How many threads of a machine exchange values at once, where all threads of a grid execute a
    function of a level together; else, or where no machine is known, 0."""
    return target_of(machine).threads(machine.description) if machine else 0


@cache
def folders_of_targets(name: str, kind: str | None = None) -> tuple[ModuleType, ...]:
    """The folders of that name beside the built-in targets, or beside that of one kind, which is
    called like it; only these targets are imported."""
    found = []
    for info in pkgutil.iter_modules(__path__):
        folder = f"{__name__}.{info.name}.{name}"
        if kind in (None, info.name) and importlib.util.find_spec(folder):
            found.append(importlib.import_module(folder))
    return tuple(found)
