"""The levels of code above the IR: what differs between them comes in by one door, a package each.

A level is a `Level`, the attribute PLUGIN of a folder here or what an entry point of group
`simrun.levels` loads.  As a kind of machine it names its parts and imports none: who prepares a
workload loads no compiler, and who compiles no views.

A function that is not lowered yet has no blocks, but a `body`, an object of its level's own, of
which `callees` are the functions of its module that it calls; the form of its module is the level's
name.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Protocol

from machines.plugins import Wrong, discover, load_part, usable_parts

NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})
"""What a source is read with where no pass of a level is given any."""


@dataclass(frozen=True)
class Level:
    """A level of code; every part is where it is: 'module:attribute', '' where it has none.

    name       also the form of its code
    parse      parse(text, file, options) -> a `compiler.ir.module.Module` of that form; `options`
               are those that passes of the level, or a view, are given.  It raises InputError with
               every finding
    print      print(function) -> the text of a function that is not lowered
    verify     verify(function) -> findings, as texts: what is wrong with its body
    interpret  interpret(function, arguments) -> what it gives: it says what the level means
    passes     a tuple of `compiler.transformation.Pass`: in their order they lead to another level,
               or to IR
    binding    what it reads of a workload: a `sim.levels.Binding`
    views      views of `simrun explain` of its functions: a tuple of `sim.views.View`s
    plugins    plugins that only it has: a mapping from what one is called to a function that gives
               name and sentence of each
    kinds      of machines that run the IR to which its own passes lead; for another kind the target
               has to say how it `lowers` the level
    mark       the decorator by which its functions stand in Python files between kernels, which
               `parse` reads, too
    scalars    what kernels call of such a file, or of the library of the level:
               scalars(text, file, options) -> find(name, is_of_file) -> a
               `compiler.python_syntax.tree.ScalarFunction`
    """

    name: str
    parse: str
    print: str
    verify: str
    interpret: str
    passes: str
    binding: str = ""
    views: str = ""
    plugins: str = ""
    kinds: tuple[str, ...] = ()
    mark: str = ""
    scalars: str = ""

    def part(self, name: str, wanted: type | Wrong) -> Any:
        """A part; `wanted` is the class that it is to be an object of, or says what is wrong.

        Raises InputError that names the part if it cannot be loaded, or is something else.
        """
        return _loaded(self, name, wanted)

    def function(self, name: str) -> Any:
        """A part that is a function."""
        return _loaded(self, name, not_callable)


class Called(Protocol):
    """What a level leaves as the `body` of a function that is lowered: what a caller has to know.

    together  whether all threads of a grid execute it together, and wait for each other; else one
              thread does
    call      'module:attribute': call(compiled, case, this) -> the case as a machine is given it, a
              `sim.levels.Call`
    """

    together: bool
    call: str


def levels() -> dict[str, Level]:
    """All levels by name (entry-point group `simrun.levels`)."""
    return discover("levels", sys.modules[__name__], Level)


def level_of(form: str | None) -> Level | None:
    """The level whose code is in a form; None of IR and of machine code."""
    return levels().get(form)


def parts(name: str, wanted: type | Wrong) -> dict[str, Any]:
    """A part of every level that has one, by its name (see `machines.plugins.usable_parts`)."""
    return usable_parts(levels().values(), name, wanted)


def not_callable(part: object) -> str | None:
    """What is wrong with what should be a function."""
    return None if callable(part) else f"nobody can call {part!r}"


@cache
def _loaded(level: Level, name: str, wanted: type | Wrong) -> Any:
    return load_part(f"level '{level.name}'", name, getattr(level, name), wanted)
