"""How the simulator's functions are compiled."""

from types import FunctionType, ModuleType, SimpleNamespace

from numba import njit

ON_ARRAYS = {"_nrt": False, "error_model": "numpy"}
"""Options of functions that work on arrays they are given and make none.

Without numba's reference counts: taking an array out of a tuple costs an atomic instruction with
them, which made the core six times slower.  Division by zero does not raise.
"""
FROM_JITTED_CODE = ON_ARRAYS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of what only jitted code calls: wrappers for other callers take long to compile."""

jitted = njit(**FROM_JITTED_CODE)
"""Decorator of parts of the core."""

inlined = njit(**FROM_JITTED_CODE, forceinline=True)
"""The same for what is called all the time: to pass an array costs seven words."""

written_out = njit(**FROM_JITTED_CODE, inline="always")
"""The same for what is long and called from one place: numba puts the text itself there.  To
compile it apart first, and then again as a part of its caller, takes twice as long."""

jitted_cached = njit(**ON_ARRAYS, cache=True)
"""The same for what is called from Python: its code is kept on disk."""


def jitted_twins(module: ModuleType) -> SimpleNamespace:
    """What a module of plain Python has, its functions jitted: the same code, in which they call
    each other's twins."""
    space = dict(vars(module))
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            defaults = function.__defaults__
            space[name] = jitted(FunctionType(function.__code__, space, name, defaults))
    return SimpleNamespace(**space)
