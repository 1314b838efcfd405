"""How the simulator's functions are compiled."""

from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType, SimpleNamespace

from numba import njit

from sim.cores.lowering import OPTIONS, LoweringApart, LoweringChosen

jitted = njit(**OPTIONS, forceinline=False)
"""Decorator of parts of a core.  That LLVM need not put them into their callers is said, because
what an `inlined` function calls would be inlined, too."""

inlined = njit(**OPTIONS, forceinline=True)
"""The same for what is short, or called all the time."""

apart = njit(**OPTIONS | {"pipeline_class": LoweringApart}, forceinline=False)
"""The same for what is seldom called and long: it is in no caller."""

chosen = njit(**OPTIONS | {"pipeline_class": LoweringChosen}, forceinline=False)
"""The same for what is inlined, but of which one argument chooses a small part: into pieces it is
put when that is known."""


def entry_point(function: FunctionType) -> FunctionType:
    """Decorator of what Python calls: a function of int64 numbers, such as addresses of tables,
    that gives one back (see `sim.cores.machine_code`)."""
    function.is_entry_point = True
    return function


def piece(kind: type) -> Callable[[FunctionType], FunctionType]:
    """Decorator of a part of code that is made for one program (see `sim.cores.bound_code`): a
    function of a state of this class and int64 numbers, which gives numbers back."""

    def mark(function: FunctionType) -> FunctionType:
        function.piece_of = kind
        return function

    return mark


def jitted_twins(
    module: ModuleType,
    others: Mapping[str, Callable] | None = None,
    how: Callable[[FunctionType], Callable] = jitted,
) -> SimpleNamespace:
    """What a module of plain Python has, its functions jitted: the same code, in which they call
    each other's twins; `others` are twins of what it has from elsewhere, `how` is `inlined` if they
    are short."""
    space = vars(module) | (others or {})
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            defaults = function.__defaults__
            space[name] = how(FunctionType(function.__code__, space, name, defaults))
    return SimpleNamespace(**space)
