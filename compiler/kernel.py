"""The names a kernel file imports, so that editors and linters know them.

A function marked `@kernel` is parsed by `compiler/frontends/python`, one marked `@function` by
`compiler/levels/arrays/language`; neither is executed: these objects only let the file be
imported and its annotations be evaluated.  PYTHON.md and LANGUAGE.md beside the readers describe
the languages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn


class KernelType:
    """An element type: `f32` annotates a scalar, `f32[:]`, `f32[n, m]` and `f32[64]` an array."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, dimensions: object) -> KernelType:
        return self

    def __call__(self, value: object) -> NoReturn:
        raise TypeError(f"{self.name}(…) is a cast inside kernels, which are compiled, not run")

    def __repr__(self) -> str:
        return self.name


i8, i16, i32, i64 = (KernelType(name) for name in ("i8", "i16", "i32", "i64"))
u8, u16, u32, u64 = (KernelType(name) for name in ("u8", "u16", "u32", "u64"))
f32, f64, boolean = (KernelType(name) for name in ("f32", "f64", "boolean"))


def kernel(function: Callable) -> Callable:
    """Mark a function as a kernel; calling it from Python is an error."""

    def refuse(*arguments: object) -> NoReturn:
        raise TypeError(f"{function.__name__} is a kernel: it is compiled, Python cannot run it")

    refuse.__name__, refuse.__doc__ = function.__name__, function.__doc__
    return refuse


def function(function: Callable) -> Callable:
    """Mark a function of arrays; calling it from Python is an error."""

    def refuse(*arguments: object) -> NoReturn:
        raise TypeError(f"{function.__name__} is compiled, Python cannot run it")

    refuse.__name__, refuse.__doc__ = function.__name__, function.__doc__
    return refuse


def sqrt(value: object) -> NoReturn:
    """The square root, rounded once, of an f32 or f64."""
    raise TypeError("sqrt is a kernel operation: kernels are compiled, not run")


def fma(a: object, b: object, c: object) -> NoReturn:
    """a * b + c, rounded once."""
    raise TypeError("fma is a kernel operation: kernels are compiled, not run")


def _threads(name: str, sentence: str) -> Callable:
    """A function of programs of threads, which only a machine that has threads runs."""

    def refuse(*arguments: object) -> NoReturn:
        raise TypeError(f"{name} is a kernel operation: kernels are compiled, not run")

    refuse.__name__, refuse.__doc__ = name, sentence
    return refuse


class _Names:
    """Names behind a dot: `threadIdx.x`, `shared.array(…)`."""

    def __init__(self, name: str, **names: object) -> None:
        self.__dict__.update(names)
        self.__doc__ = name


threadIdx, blockIdx, blockDim, gridDim = (  # noqa: N816  (as numba names them)
    _Names(name, x=0, y=0, z=0) for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")
)
laneid, warpsize = 0, 32
shared = _Names("shared", array=_threads("array", "An array that a block's threads share."))
local = _Names("local", array=_threads("array", "An array of each thread's own."))
atomic = _Names(
    "atomic",
    **{
        name: _threads(name, "Changes an element in one go; gives what it held.")
        for name in ("add", "min", "max", "and_", "or_", "xor", "exch", "cas")
    },
)
grid = _threads("grid", "The thread's index in the grid, along 1, 2 or 3 axes.")
syncthreads = _threads("syncthreads", "Wait for all threads of the block.")
threadfence = _threads("threadfence", "Writes before are seen before writes after.")
any_sync = _threads("any_sync", "Whether it is true in any thread of the warp.")
all_sync = _threads("all_sync", "Whether it is true in all threads of the warp.")
ballot_sync = _threads("ballot_sync", "A bit for each lane in which it is true.")
shfl_sync = _threads("shfl_sync", "The value in a lane of the warp.")
shfl_up_sync = _threads("shfl_up_sync", "The value some lanes below.")
shfl_down_sync = _threads("shfl_down_sync", "The value some lanes above.")
shfl_xor_sync = _threads("shfl_xor_sync", "The value in the lane that differs in these bits.")


def _arrays(name: str, sentence: str) -> Callable:
    """A function that stands in functions of arrays only."""

    def refuse(*arguments: object) -> NoReturn:
        raise TypeError(f"{name} stands in an @function, which is compiled, not run")

    refuse.__name__, refuse.__doc__ = name, sentence
    return refuse


reduce = _arrays("reduce", "reduce(f, start, xs): all elements combined, in ascending order.")
scan = _arrays("scan", "scan(f, start, xs): what reduce comes to after each element.")
iota = _arrays("iota", "iota(n): 0, 1, … below n.")
replicate = _arrays("replicate", "replicate(value, n): one value n times.")
gather = _arrays("gather", "gather(xs, indices): the elements at these indices.")
scatter = _arrays("scatter", "scatter(xs, indices, values): xs with other values there.")
scatter_add = _arrays("scatter_add", "xs with values added to what is at these indices.")
scatter_min = _arrays("scatter_min", "xs with the least of each element and its values.")
scatter_max = _arrays("scatter_max", "xs with the greatest of each element and its values.")
flatten = _arrays("flatten", "flatten(xss): the elements of all rows.")
rows = _arrays("rows", "rows(values, lengths): values cut into rows.")
filter = _arrays("filter", "filter(mask, xs): the elements where the mask is true.")
exp, log, sin, cos, tanh, erf = (
    _arrays(name, f"{name}(x) of an f32, from compiler/levels/arrays/library.")
    for name in ("exp", "log", "sin", "cos", "tanh", "erf")
)
