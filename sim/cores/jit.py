"""How the simulator's functions are compiled."""

from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType, SimpleNamespace

from numba import njit

from sim.cores.lowering import OPTIONS, LoweringApart

jitted = njit(**OPTIONS, forceinline=False)
"""Decorator of parts of a core.  That LLVM need not put them into their callers is said, because
what an `inlined` function calls would be inlined, too."""

inlined = njit(**OPTIONS, forceinline=True)
"""The same for what is short, or called all the time."""

apart = njit(**OPTIONS | {"pipeline_class": LoweringApart}, forceinline=False)
"""The same for what is seldom called and long: it is in no caller."""


def entry_point(function: FunctionType) -> FunctionType:
    """Decorator of what Python calls: a function of int64 numbers, such as addresses of tables,
    that gives one back (see `sim.cores.machine_code`)."""
    function.is_entry_point = True
    return function


def jitted_twins(
    module: ModuleType, others: Mapping[str, Callable] | None = None
) -> SimpleNamespace:
    """What a module of plain Python has, its functions jitted: the same code, in which they call
    each other's twins; `others` are twins of what it has from elsewhere."""
    space = vars(module) | (others or {})
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            defaults = function.__defaults__
            space[name] = jitted(FunctionType(function.__code__, space, name, defaults))
    return SimpleNamespace(**space)
