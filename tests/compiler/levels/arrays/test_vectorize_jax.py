"""Random functions of regular arrays, vectorized here and by JAX: `vmap(P)` is what /P/ is.

pytest -m campaign -n 2 tests/compiler/levels/arrays/test_vectorize_jax.py
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import pytest

from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.vectorize import vectorize
from tests.campaign.seeds import campaign, check_all
from tests.compiler.levels.arrays.test_vectorize_random import columns
from tests.programs import lane_judge
from tests.programs.functions.program import Program, random_program
from tests.programs.functions.subset import Subset
from tests.programs.lane_judge import bits

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
from tests.programs import jax_judge  # noqa: E402

CI = 24
BLOCK = 12
LEAST_JUDGED = 0.8


def makes_denormals(program: Program, arguments: list[Any]) -> bool:
    """Whether some operation does, for one lane."""
    found = []

    def noticing(function: Callable) -> Callable:
        @wraps(function)
        def wrapper(*values: Any) -> Any:
            made = function(*values)
            if isinstance(made, np.floating) and 0 < abs(made) < np.finfo(made).tiny:
                found.append(made)
            return made

        return wrapper

    names = dict(lane_judge.NAMES)
    names.update({name: noticing(names[name]) for name in ("binary", "unary", "cast")})
    held = [
        lane_judge.held(program.types[name], value)
        for (name, _), value in zip(program.parameters, arguments, strict=True)
    ]
    program.by(names)(*held)
    return bool(found)


def by_vmap(program: Program, uniform: dict[str, Any], lanes: list[dict[str, Any]]) -> list[Any]:
    """What JAX gives for every lane."""
    arguments, axes = [], []
    for name, _ in program.parameters:
        type, varies = program.types[name], name in program.over
        values = [lane[name] for lane in lanes] if varies else [uniform[name]]
        shape = (len(lanes),) if varies else ()
        arguments.append(jax_judge.column(type, values, shape, program.subset.length))
        axes.append(0 if varies else None)
    entry = program.by(jax_judge.NAMES)

    def whole(*lane: Any) -> Any:
        return jax.tree.map(jax.numpy.asarray, entry(*lane))

    made = jax.jit(jax.vmap(whole, axes))(*arguments)
    made = jax.tree.map(np.asarray, made)
    return [jax_judge.element(program.result, made, k) for k in range(len(lanes))]


def check(seed: int) -> bool:
    """/P/ gives what vmap(P) does; False if P computes what XLA would flush."""
    program = random_program(seed, Subset(faults=False, length=seed % 5, denormals=False))
    graph = read_functions(program.text, f"{seed}.py")
    made = vectorize(graph, program.entry, program.over)
    uniform, lanes = program.inputs(seed)
    if any(makes_denormals(program, program.arguments({**uniform, **lane})) for lane in lanes):
        return False
    arguments = program.arguments(columns(program, uniform, lanes))
    found = evaluate(made.graph, made.function, arguments)
    wanted = by_vmap(program, uniform, lanes)
    assert bits(found) == bits(wanted), f"found {found}, wanted {wanted}"
    return True


def check_most(seeds: range) -> None:
    """Check every seed; nearly all are judged."""
    judged = []
    check_all(lambda seed: judged.append(check(seed)), seeds)
    assert sum(judged) >= LEAST_JUDGED * len(seeds)


@pytest.mark.parametrize("first", range(0, CI, BLOCK))
def test_vectorized_functions_do_what_vmap_does(first):
    check_most(range(first, first + BLOCK))


@campaign(part=250, first=1000, end=6000)
def test_many_vectorized_functions_do_what_vmap_does(seeds):
    check_most(seeds)
