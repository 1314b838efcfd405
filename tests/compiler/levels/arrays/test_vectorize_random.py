"""Random functions: what the graph means, and what vectorization makes of it, against the judge.

pytest -m campaign -n 2 tests/compiler/levels/arrays/test_vectorize_random.py
CAMPAIGN=10000:15000 pytest -m campaign …     other seeds
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from compiler.levels.arrays.interpret import Counter, evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.operations.hierarchy import GraphFault
from compiler.levels.arrays.vectorize import vectorize
from tests.campaign.seeds import campaign, check_all, spread
from tests.programs.functions.program import Program, pairs_covered, random_program
from tests.programs.lane_judge import Fault, bits, merged

CI = 200
BLOCK = 25
INPUTS = 3
LEAST_COVERED = 0.95


class Differs(Exception):
    """A program does not do what the judge says."""


def outcome(run: Callable[[], Any]) -> Any:
    """What a run gives, or its fault."""
    try:
        return run()
    except GraphFault as fault:
        if fault.location is None:
            raise Differs(f"{fault.kind} has no place in the source") from None
        return Fault(frozenset([(fault.kind, fault.location.line)]))


def expect_same(what: str, found: Any, wanted: Any) -> None:
    """Equal bits; or a fault that there is."""
    if isinstance(wanted, Fault) and isinstance(found, Fault):
        same = found.faults <= wanted.faults
    elif isinstance(wanted, Fault) or isinstance(found, Fault):
        same = False
    else:
        same = bits(found) == bits(wanted)
    if not same:
        raise Differs(f"{what}: found {found}, wanted {wanted}")


def of_lanes(results: Sequence[Any]) -> Any:
    """The values of all lanes, or the faults that some lane has."""
    return merged(results) or list(results)


def columns(
    program: Program, uniform: dict[str, Any], lanes: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """The arguments of /P/, by name."""
    return {**uniform, **{name: [lane[name] for lane in lanes] for name in program.over}}


def check(seed: int) -> None:
    """P, /P/ and //P// of the program of a seed do what the judge says of each lane."""
    program = random_program(seed)
    graph = read_functions(program.text, f"{seed}.py")
    entry = graph.functions[program.entry]
    once = {r: vectorize(graph, program.entry, program.over, rewrites=r) for r in (True, False)}
    twice = {
        r: vectorize(made.graph, f"/{program.entry}/", program.over, rewrites=r)
        for r, made in once.items()
    }
    groups = []
    for k in range(INPUTS):
        uniform, lanes = program.inputs(seed * INPUTS + k)
        counter, judged = Counter(), []
        for i, lane in enumerate(lanes):
            arguments = program.arguments({**uniform, **lane})
            judged.append(program.judge(arguments))
            found = outcome(lambda a=arguments, c=counter: evaluate(graph, entry, a, c))
            expect_same(f"P, inputs {k}, lane {i}", found, judged[-1])
        wanted = of_lanes(judged)
        groups.append((uniform, lanes, judged))
        arguments = program.arguments(columns(program, uniform, lanes))
        for rewrites, made in once.items():
            spent = Counter()
            found = outcome(
                lambda a=arguments, m=made, c=spent: evaluate(m.graph, m.function, a, c)
            )
            what = f"/P/, rewrites {rewrites}, inputs {k}"
            expect_same(what, found, wanted)
            allowed = 3 * counter.operations + 4 * max(1, len(lanes)) * len(graph)
            if rewrites and not isinstance(wanted, Fault) and spent.operations > allowed:
                raise Differs(f"{what}: {spent.operations} operations, {allowed} are allowed")
    check_twice(program, twice, groups)


def check_twice(program: Program, twice: dict, groups: list) -> None:
    """//P// over lists of lists of lanes, which have the uniform values of the first inputs."""
    uniform = groups[0][0]
    rows = [lanes for _, lanes, _ in groups]
    judged = [
        of_lanes([program.judge(program.arguments({**uniform, **lane})) for lane in lanes])
        for lanes in rows
    ]
    values = {name: [[lane[name] for lane in lanes] for lanes in rows] for name in program.over}
    for form, count in (("all", len(rows)), ("none", 0)):
        cut = {name: value[:count] for name, value in values.items()}
        arguments = program.arguments({**uniform, **cut})
        for rewrites, made in twice.items():
            found = outcome(lambda a=arguments, m=made: evaluate(m.graph, m.function, a))
            what = f"//P//, rewrites {rewrites}, {form} rows"
            expect_same(what, found, of_lanes(judged[:count]))


@pytest.mark.parametrize("first", spread(range(0, CI, BLOCK), 2))
def test_vectorized_functions_do_what_every_lane_does(first):
    check_all(check, range(first, first + BLOCK))


@campaign(part=250, first=1000, end=6000)
def test_many_vectorized_functions_do_what_every_lane_does(seeds):
    check_all(check, seeds)


@pytest.mark.campaign
def test_the_programs_have_the_constructs_beside_each_other():
    part, missing = pairs_covered(range(5000))
    print(f"{part:.2%} of the pairs of constructs; without: {sorted(missing)}")
    assert part >= LEAST_COVERED


def test_most_lanes_do_not_fault():
    lanes = [
        program.judge(program.arguments({**uniform, **lane}))
        for seed in range(CI)
        for program in [random_program(seed)]
        for uniform, lanes in [program.inputs(seed)]
        for lane in lanes
    ]
    assert 0.02 < sum(isinstance(lane, Fault) for lane in lanes) / len(lanes) < 0.35
