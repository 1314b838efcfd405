"""What random functions of regular arrays give by JAX: its names are those of `lane_judge`.

An array of tuples is a tuple of arrays, as JAX has it; a comprehension is a `vmap`, a branch
`lax.cond`, a `while` `lax.while_loop`.  What goes over elements one by one is unrolled: arrays are
short, and XLA takes 100 ms for a loop of its own.

XLA for processors computes floats otherwise than the language does: it contracts `a * b + c`, which
it cannot without instructions for it; it takes `a / b / c` for `a / (b * c)`, which one of its
passes does; and it takes `a + 0.0` for a, which it cannot where it does not see the literals
(`lax.optimization_barrier`).  It flushes denormals, too, which nothing forbids it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tests.programs import lane_judge
from tests.programs.functions.types import Type, is_tuple

EXACT = "--xla_cpu_max_isa=SSE4_2 --xla_disable_hlo_passes=algsimp"
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {EXACT}"
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)


def is_known(*values: Any) -> bool:
    """Whether JAX has nothing to do with scalars: literals, lengths, and what follows from them,
    which the shapes of arrays may depend on."""
    return all(isinstance(value, bool | int | float | np.generic) for value in values)


_OPERATORS = {
    "+": lax.add,
    "-": lax.sub,
    "*": lax.mul,
    "/": lax.div,
    "//": jnp.floor_divide,
    "%": jnp.remainder,
    "&": lax.bitwise_and,
    "|": lax.bitwise_or,
    "^": lax.bitwise_xor,
    "==": lax.eq,
    "!=": lax.ne,
    "<": lax.lt,
    "<=": lax.le,
    ">": lax.gt,
    ">=": lax.ge,
}


def binary(op: str, a: Any, b: Any) -> Any:
    if is_known(a, b):
        return lane_judge.binary(op, a, b)
    if op in ("min", "max"):
        return _extreme(a, b, op == "max")
    return _OPERATORS[op](a, b)


def _extreme(a: Any, b: Any, largest: bool) -> Any:
    """A number before NaN, and -0 less than 0."""
    better = lax.gt(b, a) if largest else lax.lt(b, a)
    if jnp.issubdtype(jnp.result_type(a), jnp.floating):
        zeros = (a == 0) & (b == 0) & (jnp.signbit(a) == largest)
        better = better | jnp.isnan(a) | zeros
    return lax.select(better, jnp.asarray(b), jnp.asarray(a))


def unary(op: str, a: Any) -> Any:
    if is_known(a):
        return lane_judge.unary(op, a)
    return {"-": lax.neg, "abs": jnp.abs, "sqrt": lax.sqrt, "not": lax.bitwise_not}[op](a)


def cast(type: str, value: Any) -> Any:
    if is_known(value):
        known = lane_judge.cast(type, value)
        return lax.optimization_barrier(known) if isinstance(known, np.floating) else known
    return lax.convert_element_type(value, lane_judge.SCALARS[type])


def choose(test: Any, then: Callable, other: Callable) -> Any:
    if isinstance(test, jax.core.Tracer):
        return lax.cond(test, then, other)
    return then() if test else other()


def when(test: Any, then: Callable, other: Callable, values: tuple) -> tuple:
    return choose(test, lambda: then(*values), lambda: other(*values))


def loop(test: Callable, step: Callable, states: tuple) -> tuple:
    states = jax.tree.map(jnp.asarray, states)
    return lax.while_loop(lambda s: test(*s), lambda s: step(*s), states)


def walk(step: Callable, values: Any, states: tuple) -> tuple:
    for k in range(length(values)):
        states = step(index(values, k), *states)
    return states


def make(*parts: Any) -> tuple:
    return parts


def item(value: tuple, index: int) -> Any:
    return value[index]


def length(values: Any) -> np.int64:
    return np.int64(jax.tree.leaves(values)[0].shape[0])


def index(values: Any, at: Any) -> Any:
    if length(values) == 0:  # in an arm that no lane takes
        return jax.tree.map(lambda leaf: jnp.zeros(leaf.shape[1:], leaf.dtype), values)
    return jax.tree.map(lambda leaf: lax.dynamic_index_in_dim(leaf, at, keepdims=False), values)


def iota(count: np.int64) -> Any:
    return jnp.arange(int(count), dtype=jnp.int64)


def replicate(value: Any, count: np.int64) -> Any:
    return jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (int(count), *jnp.shape(leaf))), value)


def gather(values: Any, indices: Any) -> Any:
    return jax.tree.map(lambda leaf: jnp.take(leaf, indices, axis=0, mode="clip"), values)


def scatter(array: Any, indices: Any, values: Any) -> Any:
    return jax.tree.map(lambda a, v: jnp.asarray(a).at[indices].set(v), array, values)


def scatter_add(array: Any, indices: Any, values: Any) -> Any:
    for k in range(length(indices)):  # in this order
        array = jnp.asarray(array).at[indices[k]].add(values[k])
    return array


def each(function: Callable, test: None, *arrays: Any) -> Any:
    return jax.vmap(lambda *lane: jax.tree.map(jnp.asarray, function(*lane)))(*arrays)


def reduce(function: Callable, start: Any, values: Any) -> Any:
    for k in range(length(values)):
        start = function(start, index(values, k))
    return start


def scan(function: Callable, start: Any, values: Any) -> Any:
    made = [start := function(start, index(values, k)) for k in range(length(values))]
    return jnp.stack(made) if made else values


NAMES: dict[str, Any] = {
    **{f.__name__: f for f in (binary, unary, cast, choose, when, loop, walk, make, item)},
    **{f.__name__: f for f in (length, index, iota, replicate, gather, scatter, scatter_add)},
    **{f.__name__: f for f in (each, reduce, scan)},
    "upto": iota,
}


def column(type: Type, values: Sequence[Any], shape: tuple[int, ...], length: int) -> Any:
    """Values of a type, in order, as arrays of a shape."""
    if isinstance(type, str):
        held = [lane_judge.held(type, value) for value in values]
        return np.array(held, lane_judge.SCALARS[type]).reshape(shape)
    if is_tuple(type):
        parts = enumerate(type[1:])
        return tuple(column(part, [v[k] for v in values], shape, length) for k, part in parts)
    return column(type[1], [e for value in values for e in value], (*shape, length), length)


def element(type: Type, arrays: Any, *at: int) -> Any:
    """The value at indices, in plain numbers, lists and tuples."""
    if isinstance(type, str):
        return lane_judge.plain(arrays[at])
    if is_tuple(type):
        return tuple(element(part, a, *at) for part, a in zip(type[1:], arrays, strict=True))
    count = jax.tree.leaves(arrays)[0].shape[len(at)]
    return [element(type[1], arrays, *at, k) for k in range(count)]
