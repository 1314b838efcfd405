"""Random functions as code: what it leaves in memory, and how it ends, against the judge of lanes.

python -m tests.programs.lowered_functions MACHINE FIRST END    on a machine
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import yaml

from compiler.interpret.functions import interpret
from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Module
from compiler.levels.arrays.programs import (
    lower_function,
    parse,
    rewrite_function,
    vectorize_function,
)
from compiler.targets.simt.interpret import interpret as interpret_rows
from compiler.verify.ir import verify
from machines.description.strict_yaml import read_yaml
from machines.elements import DTYPES
from machines.layout import Memory
from machines.levels.arrays.function import ArrayFunction
from machines.levels.arrays.types import ARENA, ARENA_TOO_SMALL, Array, Tuple, arena_head, passing
from sim.levels.arrays.array_call import array_call
from sim.prepared_case import PreparedCase, prepare
from sim.results.result import Result
from sim.runner import compile_workload, execute
from sim.workload.given_arguments import as_arguments
from sim.workload.schema import Case, read_workload
from tests.programs.functions.program import Program, random_program
from tests.programs.lane_judge import Fault, merged

ARENA_BYTES = 1 << 25
"""Lanes of lanes that compute for each element what may fault take a few megabytes."""
MACHINE_BYTES = 1 << 20
MOST_SMALL = 12
"""Of an arena that may be too small: the logarithm of bytes behind its head, at most."""
STEPS = 5_000_000
INPUTS = 3


class Differs(Exception):
    """A program does not do what the judge says."""


class Ended(NamedTuple):
    """How a run ended: its outputs by name, or the kind of its fault and the line; and how many
    instructions it executed, if they were counted."""

    outputs: Mapping[str, np.ndarray] | None
    fault: str | None = None
    line: int | None = None
    steps: int = 0


Run = Callable[[list[Any]], Ended]


# Arguments and results ---------------------------------------------------------------------------


def written(type: Any, value: Any) -> Any:
    """An argument as a caller of a workload gives it."""
    if isinstance(type, Tuple):
        parts = zip(type.parts, value, strict=True)
        return {"parts": [written(part, own) for part, own in parts]}
    if not isinstance(type, Array):
        return np.asarray(value).astype(DTYPES[type])[()]
    element = type.element
    if isinstance(element, Tuple):
        columns = [[v[k] for v in value] for k in range(len(element.parts))]
        pairs = zip(element.parts, columns, strict=True)
        return {"parts": [written(Array(part), own) for part, own in pairs]}
    if isinstance(element, Array):
        values = [v for row in value for v in row]
        lengths = np.array([len(row) for row in value], np.int64)
        return {"values": written(element, values), "lengths": lengths}
    return np.array(list(value)).astype(DTYPES[element])


def outputs_of(type: Any, value: Any, name: str = "return") -> Iterator[tuple[str, np.ndarray]]:
    """The outputs that a value is, as `sim.levels.arrays.array_call` names them."""
    if isinstance(type, Tuple):
        for k, part in enumerate(type.parts):
            yield from outputs_of(part, value[k], f"{name}.{k}")
    elif isinstance(type, Array):
        yield from _elements_of(type.element, value, name)
    else:
        yield name, np.asarray(value).astype(DTYPES[type])


def _elements_of(type: Any, values: Any, name: str) -> Iterator[tuple[str, np.ndarray]]:
    if isinstance(type, Tuple):
        for k, part in enumerate(type.parts):
            yield from _elements_of(part, [v[k] for v in values], f"{name}.{k}")
    elif isinstance(type, Array):
        yield f"{name}.lengths", np.array([len(v) for v in values], np.int64)
        yield from _elements_of(type.element, [x for v in values for x in v], f"{name}.values")
    else:
        yield name, np.array(list(values)).astype(DTYPES[type])


def same_bits(found: np.ndarray, wanted: np.ndarray) -> bool:
    """Equal type, shape and bits; every NaN is one."""
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return False
    if found.dtype.kind == "f":
        both = np.isnan(found) & np.isnan(wanted)
        found, wanted = np.where(both, 0, found), np.where(both, 0, wanted)
    return found.tobytes() == wanted.tobytes()


def expect_same(what: str, found: Ended, wanted: Any, type: Any) -> None:
    """Equal outputs, or a fault that there is."""
    if isinstance(wanted, Fault) or found.fault is not None:
        faults = wanted.faults if isinstance(wanted, Fault) else frozenset()
        if (found.fault, found.line) not in faults:
            raise Differs(f"{what}: found {found}, wanted {wanted}")
        return
    for name, array in outputs_of(type, wanted):
        if not same_bits(found.outputs[name], array):
            raise Differs(f"{what}: {name} is {found.outputs[name]}, wanted {array}")


# Runs --------------------------------------------------------------------------------------------


def lowered(
    text: str, entry: str, over: list[list[str]], rules: str = "", allow: tuple[str, ...] = ()
) -> Function:
    """The IR of a function that is vectorized as often as `over` has lists."""
    module = parse(text, "random.py")
    function = copy_function(module.functions[entry])
    for names in over:
        vectorize_function(function, names, rules, allow)
    if not over and rules != "none":
        rewrite_function(function, rules, allow)
    lower_function(function, allow)
    verify(Module({function.name: function}))
    return function


def interpreted(function: Function, scratch: int = ARENA_BYTES) -> Run:
    """Runs the IR with so many bytes of scratch memory."""
    arrays: ArrayFunction = replace(function.body, lanes=())  # unequal ones are its own fault
    compiled = SimpleNamespace(
        workload=SimpleNamespace(
            tree=read_yaml("{}", "none"), folder=Path(), form=SimpleNamespace(scratch=scratch)
        ),
    )

    def run(values: list[Any]) -> Ended:
        pairs = zip(arrays.parameters, values, strict=True)
        given = as_arguments({name: written(type, v) for (name, type), v in pairs})
        call = array_call(compiled, Case("random", given, {}, 0), arrays)
        columns = {name: a for name, a in call.carried.items() if a.ndim}
        memory = Memory([*((n, a.nbytes) for n, a in columns.items()), (ARENA, scratch)])
        for name, array in columns.items():
            memory.view(name)[:] = array.reshape(-1).view(np.uint8)
        call.write(memory)
        arguments = {
            name: name if name in columns or name == ARENA else call.carried[name].item()
            for name, _ in function.parameters
        }
        ended = interpret(function, arguments, memory, limit=STEPS)
        if ended.unassigned:
            raise Differs(f"read before they are assigned: {ended.unassigned}")
        if ended.fault is not None:
            return Ended(None, ended.fault.kind, ended.fault.location.line)
        if ended.status != "done":
            raise Differs(f"ended with {ended.status}")
        fault = call.fault(memory)
        if fault is not None:
            return Ended(None, fault[0], fault[1].line)
        return Ended(call.outputs(memory), steps=ended.steps)

    return run


ROWS = 200_000
"""Rows that the interpreter of a GPU executes at most: longer runs are not judged by it."""
GRIDS = (1, 32), (2, 32), (1, 64)
"""Blocks and their threads, fewer and more than there are lanes."""


def on_machine(machine: str, folder: Path, program: Program, over: list[str]) -> Run:
    """Runs a workload on a machine; the rows of a GPU also thread by thread, in both orders,
    between one barrier and the next, so that one that is missing changes what comes out."""
    (folder / "random.py").write_text(program.text)
    form: dict[str, Any] = {
        "workload": "random",
        "program": "random.py",
        "entry": program.entry,
        "machine": machine,
        "scratch": f"{MACHINE_BYTES >> 10}KiB",
        "arguments": {name: 0 for name, _ in program.parameters},
    }
    form |= {"vectorize": {"over": over}} if over else {}
    if "gpu" in machine:
        grid, block = random.Random(len(program.text)).choice(GRIDS)
        form |= {"launch": {"grid": [grid], "block": [block], "cooperative": True}}
    path = folder / "workload.yaml"
    path.write_text(yaml.safe_dump(form))
    workload = read_workload(path)
    compiled = compile_workload(workload, print_after=lambda name: False)
    parameters = compiled.declared.body.parameters

    def run(values: list[Any]) -> Ended:
        pairs = zip(parameters, values, strict=True)
        given = as_arguments({name: written(type, v) for (name, type), v in pairs})
        case = workload.case().with_arguments(given)
        result = execute(prepare(compiled, case))
        if "gpu" in machine:
            by_rows(prepare(compiled, case), result, backward=False)
            by_rows(prepare(compiled, case), result, backward=True)
        if result.status == "fault":
            return Ended(None, result.fault["kind"], (result.fault["location"] or {}).get("line"))
        if result.status != "done":
            raise Differs(f"ended with {result.status}")
        if result.returned is None:
            return Ended(result.outputs)
        scalar = DTYPES[compiled.declared.body.result]
        return Ended({"return": np.asarray(result.returned).astype(scalar)})

    return run


def by_rows(prepared: PreparedCase, result: Result, backward: bool) -> None:
    """The interpreter of rows leaves what the core did; raises Differs."""
    machine = prepared.compiled.machine.description
    for launch in prepared.bound.actions(prepared.memory):
        ended = interpret_rows(
            prepared.program, machine, prepared.memory, launch.kernel, launch.grid,
            launch.parameters, limit=ROWS, backward=backward,
        )  # fmt: skip
        if ended.status == "limit" or ended.status == result.status == "fault":
            return
        if ended.status != "done":
            raise Differs(f"rows end with {ended.status}, the core: {result.status}")
    fault = prepared.fault()
    if (fault is None) != (result.status == "done"):
        raise Differs(f"rows, backward={backward}: fault {fault}, the core: {result.status}")
    found = prepared.outputs() if fault is None else {}
    for name, array in found.items():
        core = result.outputs[name] if name in result.outputs else np.asarray(result.returned)
        if array.tobytes() != core.astype(array.dtype).tobytes():
            raise Differs(f"rows, backward={backward}: {name} is {array}, the core's {core}")


# Programs ----------------------------------------------------------------------------------------


def of_lanes(results: list[Any]) -> Any:
    """The values of all lanes, or the faults that some lane has."""
    return merged(results) or list(results)


def groups(program: Program, seed: int) -> Iterator[tuple[dict, list[dict], list[Any]]]:
    """Uniform values, lanes, and what the judge says of each."""
    for k in range(INPUTS):
        uniform, lanes = program.inputs(seed * INPUTS + k)
        yield (
            uniform,
            lanes,
            [program.judge(program.arguments({**uniform, **lane})) for lane in lanes],
        )


def check_runs(
    program: Program, seed: int, one: Run, all: Mapping[str, Run], result: Any, lanes_of_one: int
) -> None:
    """P of the first lanes, and versions of /P/ of all."""
    for k, (uniform, lanes, judged) in enumerate(groups(program, seed)):
        for i, lane in enumerate(lanes[:lanes_of_one]):
            found = one(program.arguments({**uniform, **lane}))
            expect_same(f"P, inputs {k}, lane {i}", found, judged[i], result)
        values = {name: [lane[name] for lane in lanes] for name in program.over}
        for what, run in all.items():
            found = run(program.arguments({**uniform, **values}))
            expect_same(f"{what}, inputs {k}", found, of_lanes(judged), Array(result))


def check_small_arenas(program: Program, seed: int, function: Function) -> None:
    """/P/ in an arena of few bytes, whole words or not, has too little or does what the judge
    says."""
    arrays, draw = function.body, random.Random(seed)
    least = arena_head(passing(arrays.parameters), arrays.result)
    for k, (uniform, lanes, judged) in enumerate(groups(program, seed)):
        size = least + int(2 ** draw.uniform(0, MOST_SMALL))
        values = {name: [lane[name] for lane in lanes] for name in program.over}
        found = interpreted(function, size)(program.arguments({**uniform, **values}))
        if found.fault != ARENA_TOO_SMALL:
            what = f"/P/ in {size} bytes, inputs {k}"
            expect_same(what, found, of_lanes(judged), arrays.result)


def check(seed: int) -> None:
    """The IR of P, of /P/ with and without rewrites and in a small arena, and of //P// does what
    the judge says."""
    program = random_program(seed)
    text, entry, over = program.text, program.entry, program.over
    scalar = lowered(text, entry, [], "none" if seed % 2 else "")
    versions = {rules or "/P/": lowered(text, entry, [over], rules) for rules in ("", "none")}
    runs = {what: interpreted(function) for what, function in versions.items()}
    check_runs(program, seed, interpreted(scalar), runs, scalar.body.result, 2)
    check_small_arenas(program, seed, versions["/P/"])
    twice = interpreted(lowered(text, entry, [over, over]))
    every = list(groups(program, seed))
    uniform = every[0][0]
    rows = [lanes for _, lanes, _ in every]
    judged = [
        of_lanes([program.judge(program.arguments({**uniform, **lane})) for lane in lanes])
        for lanes in rows
    ]
    values = {name: [[lane[name] for lane in lanes] for lanes in rows] for name in over}
    found = twice(program.arguments({**uniform, **values}))
    expect_same("//P//", found, of_lanes(judged), Array(Array(scalar.body.result)))


def check_on(machine: str, seed: int) -> None:
    """P and /P/ on a machine do what the judge says."""
    program = random_program(seed)
    result = lowered(program.text, program.entry, []).body.result
    with tempfile.TemporaryDirectory() as folder:
        one = on_machine(machine, Path(folder), program, [])
        every = on_machine(machine, Path(folder), program, program.over)
        check_runs(program, seed, one, {"/P/": every}, result, 1)


def main(words: list[str]) -> int:
    machine, first, end = words[0], int(words[1]), int(words[2])
    failed = 0
    for seed in range(first, end):
        try:
            check_on(machine, seed)
        except Exception as error:
            failed += 1
            print(f"{seed}: {type(error).__name__}: {str(error)[:300]}", flush=True)
    print(f"{end - first} programs on {machine}, {failed} differ")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
