"""Analyses written once over integers in lists: plain Python for small functions, numba for large.

    def counted(values, most):                     kernel = Kernel("counts", counted, at_least=5000)
        count = zeros(most + 1)
        for value in values:                       kernel(len(values), values, 7)
            count[value] += 1
        return count

A *kernel* is such a function with those it calls.  Below a measured size it runs as it stands, on
lists, and nothing waits for a compiler; from that size on the same text is compiled by numba, once
per version (`machines.cache.compiled_cache`), and runs on arrays of integers.  Both give the same
if the text keeps to what means the same in both:

* numbers are integers of 64 bits, truth values are stored as 0 and 1; what is stored fits into the
  `bits` of the kernel
* lists come from the words below and keep their length; no slices (of a list a copy, of an array
  none), no negative index, no function or constant of a file that the kernel does not name
* results are lists made here, or a tuple of such
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Integers: TypeAlias = "list[int] | np.ndarray"
"""A list, of a small function; an array of int64, of a large one."""


# The words of kernels, for lists


def zeros(count: int) -> Integers:
    """A list of zeros."""
    return [0] * count


def filled(count: int, value: int) -> Integers:
    """A list of one value."""
    return [value] * count


def longer(items: Integers, count: int) -> Integers:
    """The same items, and zeros behind them: `count` in all."""
    return items + [0] * (count - len(items))


def shorter(items: Integers, count: int) -> Integers:
    """The first `count` items."""
    return items[:count]


_COMPILED_WORDS = '''\
"""Written by compiler.analyses.jitted."""

from __future__ import annotations

import numpy as np
from numba import njit

compiled = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
entered = njit(error_model="numpy", cache=True)
index = np.uintp


@compiled
def zeros(count):
    return np.zeros(count, np.int64)


@compiled
def filled(count, value):
    return np.full(count, value, np.int64)


@compiled
def longer(items, count):
    found = np.zeros(count, np.int64)
    for k in range(len(items)):
        found[index(k)] = items[index(k)]
    return found


@compiled
def shorter(items, count):
    found = np.empty(min(count, len(items)), np.int64)
    for k in range(len(found)):
        found[index(k)] = items[index(k)]
    return found
'''
"""The same words for arrays; an assignment of arrays takes two seconds more to compile."""


class Kernel:
    """A function over integers that is compiled when there is much to do.

    name       one word for the cache and the user, who is told: "compiling the … analysis"
    entry      the function; what it calls is in its file or in those of `uses`
    at_least   the size from which on it is compiled, in what the caller counts
    bits       of the integers in arrays: 64, or 32 if they are all numbers of parts of a program
    """

    def __init__(
        self,
        name: str,
        entry: Callable,
        at_least: int,
        uses: Sequence[ModuleType] = (),
        bits: int = 64,
    ):
        self.name, self.entry, self.at_least, self.bits = name, entry, at_least, bits
        self.modules = (*uses, sys.modules[entry.__module__])
        self._jitted: Callable | None = None  # once it has run

    def __call__(self, size: int, *arguments: Sequence[int] | int) -> Integers | tuple:
        """What the function returns: lists if `size` is below `at_least`, else arrays."""
        if size < self.at_least:
            return self.entry(*arguments)
        import numpy as np

        type = np.dtype(f"int{self.bits}")
        arrays = (np.asarray(a, type) if hasattr(a, "__len__") else a for a in arguments)
        return self._compiled(*arrays)

    def _compiled(self, *arguments: np.ndarray | int) -> np.ndarray | tuple:
        if self._jitted is not None:
            return self._jitted(*arguments)
        from machines.cache.compiled_cache import load_written, run_announced

        module = load_written(f"analysis_{self.name}", self.text, ())
        function, found = getattr(module, self.entry.__name__), []
        run_announced(function, self.name, lambda: found.append(function(*arguments)), "analysis")
        self._jitted = function
        return found[-1] if found else function(*arguments)

    @property
    def text(self) -> str:
        """The module that numba compiles: the words, and all functions and constants of the files.

        Raises ValueError if two files define one name, of which only one would be taken.
        """
        parts, known = [_COMPILED_WORDS.replace("int64", f"int{self.bits}")], set()
        for module in self.modules:
            for names, part in _definitions(inspect.getsource(module)):
                if known & names:
                    raise ValueError(f"kernel '{self.name}': {known & names} defined twice")
                known |= names
                if isinstance(part, ast.FunctionDef):
                    decorator = "entered" if self.entry.__name__ in names else "compiled"
                    parts.append(f"\n@{decorator}")
                parts.append(ast.unparse(_Indices().visit(part)))
        return "\n".join(parts) + "\n"


class _Indices(ast.NodeTransformer):
    """Says of all indices that they are not negative, so that nothing asks at each access."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Constant):
            name = ast.Name("index", ast.Load())
            node.slice = ast.Call(name, [node.slice], [])
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        for argument in node.args:
            argument.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        return self.generic_visit(node)


def _definitions(text: str) -> Iterator[tuple[set[str], ast.stmt]]:
    """Of each function and constant of a file the names it defines, and itself."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            names = {node.name}
        elif isinstance(node, ast.Assign):
            found = (inner for target in node.targets for inner in ast.walk(target))
            names = {inner.id for inner in found if isinstance(inner, ast.Name)}
        else:
            continue
        yield names, node
