"""Generators: programs that compile functions of Python to PTX, and what they leave on the disk.

    workload: softmax
    program: cache/E6586F8B            # a folder of Triton's cache
    launch: {grid: [8]}                # block, shared memory and hidden arguments are said in it

    sim.run(softmax, (8,), {"x": x, "y": y, "n": 300, "BLOCK": 512})   # the function itself

A workload whose program a generator left becomes, as it is read, one of the PTX in it: its launches
get what the generator's files say (`expansion.py`).  A generator is a plugin, a module here or an
entry point `simrun.generators`; what it needs of itself is imported when a function is compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machines.levels import not_callable
from machines.plugins import discover, load_part
from sim.kinds import Generators


@dataclass(frozen=True)
class Generator:
    """A program that writes PTX.

    name       of it, and of the extra of simrun that brings it
    sentence   what it compiles, for lists
    claims     whether a file or a folder is one that it left; asked of every program of a workload,
               so it looks at names and first lines only
    kernels    'module:function': function(path) gives a `GeneratedKernel` for each that is there;
               raises InputError where files lack what they had when this was written
    compiles   whether something that `sim.run` is given is a function of it
    makes      'module:function': function(kernel, call) compiles one for a machine, a `Call` of
               `calls.py`, and gives a `Made`
    """

    name: str
    sentence: str
    claims: Callable[[Path], bool]
    kernels: str
    compiles: Callable[[object], bool] = lambda function: False
    makes: str = ""

    def part(self, field: str) -> Callable[..., Any]:
        """What one of the references names, imported now."""
        return load_part(f"generator '{self.name}'", field, getattr(self, field), not_callable)


def generators() -> dict[str, Generator]:
    """All of them by name."""
    return discover("generators", sys.modules[__name__], Generator)


def that_left(path: Path) -> Generator | None:
    """The generator that left a file or a folder, None if none did."""
    return next((one for one in generators().values() if one.claims(path)), None)


def that_compiles(function: object) -> Generator | None:
    """The generator whose function something is, None if it is none's."""
    return next((one for one in generators().values() if one.compiles(function)), None)


def is_one_of(*classes: str) -> Callable[[object], bool]:
    """Whether something is of one of some classes, 'module.Class' each, without importing them."""

    def compiles(function: object) -> bool:
        own = {f"{one.__module__}.{one.__qualname__}" for one in type(function).__mro__}
        return not own.isdisjoint(classes)

    return compiles


GENERATORS = Generators(
    listed=generators,
    expanded="sim.kinds.simt.generators.expansion:expanded",
    compiles=lambda function: that_compiles(function) is not None,
    called="sim.kinds.simt.generators.called:workload_of_call",
    default_machine="h200",
)
