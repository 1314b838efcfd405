"""Analyses are computed once per version of a function."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from compiler.ir.module import Function

Result = TypeVar("Result")


def cached_by_version(analyse: Callable[[Function], Result]) -> Callable[[Function], Result]:
    """Make an analysis of a function remember its result until the function's version changes."""
    results: WeakKeyDictionary[Function, tuple[int, Result]] = WeakKeyDictionary()

    @wraps(analyse)
    def cached(function: Function) -> Result:
        version, result = results.get(function, (None, None))
        if version != function.version:
            result = analyse(function)
            results[function] = (function.version, result)
        return result

    return cached
