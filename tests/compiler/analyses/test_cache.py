"""What analyses found goes with the function that it is of."""

from __future__ import annotations

import gc
import weakref

from compiler.analyses.cache import cached_by_version
from compiler.ir.copy import copy_function
from compiler.ir.module import Function


class Found:
    """Refers to its function, as many results do."""

    def __init__(self, function: Function):
        self.function = function


@cached_by_version
def found(function: Function) -> Found:
    return Found(function)


def test_it_is_found_once_per_version():
    function = Function("f")
    assert found(function) is found(function)
    before = found(function)
    function.version += 1
    assert found(function) is not before


def test_a_copy_has_results_of_its_own():
    function = Function("f")
    assert found(function).function is function
    copy = copy_function(function)
    assert found(copy).function is copy


def test_nothing_is_left_of_a_function():
    function = Function("f")
    gone = weakref.ref(function)
    found(function)
    del function
    gc.collect()
    assert gone() is None
