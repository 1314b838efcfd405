"""Random functions of ragged arrays, vectorized here and computed by Awkward Array.

pytest -m campaign -n 2 tests/compiler/levels/arrays/test_vectorize_awkward.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.vectorize import vectorize
from tests.campaign.seeds import campaign, check_all
from tests.compiler.levels.arrays.test_vectorize_random import columns
from tests.programs.functions.program import Program, random_program
from tests.programs.functions.subset import Subset
from tests.programs.lane_judge import bits

pytest.importorskip("awkward", reason="Awkward Array is not installed: pip install awkward")
from tests.programs import awkward_judge
from tests.programs.awkward_judge import ONE, Judge, Lanes, Value

CI = 75
BLOCK = 25


def by_awkward(program: Program, uniform: dict[str, Any], lanes: list[dict[str, Any]]) -> list[Any]:
    """What Awkward Array gives for every lane."""
    count = len(lanes)
    judge = Judge(Lanes(count, np.zeros(count, np.int64), ONE))
    arguments = []
    for name, _ in program.parameters:
        type, varies = program.types[name], name in program.over
        values = [lane[name] for lane in lanes] if varies else [uniform[name]]
        array = awkward_judge.column(type, values)
        arguments.append(Value(judge.lanes if varies else ONE, array))
    made = program.by(judge.names)(*arguments)
    return awkward_judge.results(program.result, judge.here(made))


def check(seed: int) -> None:
    """/P/ gives what Awkward Array does."""
    program = random_program(seed, Subset(faults=False))
    graph = read_functions(program.text, f"{seed}.py")
    made = vectorize(graph, program.entry, program.over)
    uniform, lanes = program.inputs(seed)
    arguments = program.arguments(columns(program, uniform, lanes))
    found = evaluate(made.graph, made.function, arguments)
    wanted = by_awkward(program, uniform, lanes)
    assert bits(found) == bits(wanted), f"found {found}, wanted {wanted}"


@pytest.mark.parametrize("first", range(0, CI, BLOCK))
def test_vectorized_functions_do_what_awkward_arrays_do(first):
    check_all(check, range(first, first + BLOCK))


@campaign(part=250, first=1000, end=6000)
def test_many_vectorized_functions_do_what_awkward_arrays_do(seeds):
    check_all(check, seeds)
