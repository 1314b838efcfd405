"""Analyses are computed once per version of a function."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TypeVar

from compiler.ir.module import Function

Result = TypeVar("Result")


def cached_by_version(analyse: Callable[[Function], Result]) -> Callable[[Function], Result]:
    """Make an analysis of a function remember its result until the function's version changes.

    The function has the result, which may refer to it: both go together.
    """

    @wraps(analyse)
    def cached(function: Function) -> Result:
        version, result = function.known.get(analyse, (None, None))
        if version != function.version:
            with collector_paused():
                result = analyse(function)
            function.known[analyse] = (function.version, result)
        return result

    return cached


@contextmanager
def collector_paused() -> Iterator[None]:
    """A compilation, an analysis makes many small objects, few of which form cycles; the garbage
    collector would look at all of them again and again: a third of the time at 10 000 instructions,
    for a twentieth of the memory."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
