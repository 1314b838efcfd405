"""Random functions of arrays that take and give scalars mean in a kernel what their graph does.

pytest -m campaign tests/compiler/frontends/test_python_random_functions.py
"""

from __future__ import annotations

import random
import struct
from collections import Counter
from collections.abc import Callable

from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.operations.hierarchy import GraphFault
from compiler.levels.arrays.table import Graph
from compiler.python_syntax.scalars import SCALARS
from machines.diagnostics import InputError
from tests.campaign.seeds import campaign, check_all
from tests.programs.functions.inputs import random_value
from tests.programs.functions.program import random_program

SEEDS = range(170)
INPUTS = 4


def scalar_functions(graph: Graph) -> list[str]:
    """Names of those that take and give scalars."""
    return [
        name
        for name, (kinds, result) in graph.kinds.items()
        if name in graph.functions and {*kinds.values(), result} <= SCALARS.keys()
    ]


def pattern(value: int | float, type: str) -> object:
    """A value as bits; one NaN is as good as another."""
    scalar = SCALARS[type]
    if scalar.is_float:
        return "nan" if value != value else struct.pack("<d", value)
    return value & ((1 << scalar.bits) - 1)


def kernels(name: str, kinds: dict[str, str], result: str) -> str:
    """One that gives what a function does, and one that compares what two calls give."""
    one = [f"{p}: {kind}" for p, kind in kinds.items()]
    other = [f"{p}_: {kind}" for p, kind in kinds.items()]
    call, again = f"{name}({', '.join(kinds)})", f"{name}({', '.join(f'{p}_' for p in kinds)})"
    return f"""
@kernel
def value({", ".join(one)}) -> {result}:
    return {call}

@kernel
def equal({", ".join([*one, *other])}) -> boolean:
    return {call} == {again} and {again} == {call}
"""


def check(seed: int, run: Callable, done: Counter[str]) -> None:
    """Call every function of a program from kernels."""
    program = random_program(seed)
    graph = read_functions(program.text, "f.py")
    for name in scalar_functions(graph):
        kinds, result = graph.kinds[name]
        text = program.text + kernels(name, kinds, result)
        source = random.Random(f"arguments {seed}")
        before, value_before = {}, None
        for _ in range(INPUTS):
            given = {p: random_value(source, kind) for p, kind in kinds.items()}
            try:
                found = run(text, entry="value", **given)
            except InputError as refused:
                assert "memory of its own" in str(refused) or "may fault with" in str(refused)
                done["refused"] += 1
                break
            try:
                wanted = evaluate(graph, graph.functions[name], list(given.values()))
            except GraphFault as fault:
                assert found.fault is not None and found.fault.kind == fault.kind, (name, given)
                done["fault"] += 1
                continue
            assert found.fault is None, (name, given)
            assert pattern(found.value, result) == pattern(wanted, result), (name, given)
            if before:
                both = {**given, **{f"{p}_": value for p, value in before.items()}}
                is_equal = run(text, entry="equal", **both).value
                assert is_equal == (wanted == value_before), (name, both)
            before, value_before = given, wanted
            done["same"] += 1


def test_random_functions(run_once):
    done: Counter[str] = Counter()
    check_all(lambda seed: check(seed, run_once, done), SEEDS)
    assert done["same"] >= 30 and done["refused"] >= 3, done


@campaign(part=500, first=1000, end=5000)
def test_many_random_functions(seeds: range, run_once: Callable):
    done: Counter[str] = Counter()
    check_all(lambda seed: check(seed, run_once, done), seeds)
    assert done["same"] and done["refused"], done
