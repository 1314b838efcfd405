"""Functions of arrays that all threads of a grid execute together: each size beside each grid, on
the core, and by the rows in both orders of threads, so that a barrier that is missing shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from machines.kinds.simt.occupancy import occupancy
from sim.prepared_case import prepare
from sim.runner import compile_workload, execute
from sim.workload.given_arguments import as_arguments
from sim.workload.schema import read_workload
from tests.programs.lowered_functions import by_rows
from tests.sim.array_functions import workload_of

FUNCTIONS = """
from __future__ import annotations
from compiler.kernel import f32, flatten, function, i32, i64, replicate, scan, scatter_add

@function
def kept(xs: i32[:], limit: i32) -> i32[:]:
    return [x for x in xs if x < limit]

@function
def total_of_kept(xs: i32[:], limit: i32) -> i64:
    return sum([i64(x) for x in xs if x < limit])

@function
def centred(xs: i32[:], limit: i32) -> i32[:]:
    most = max(xs) if len(xs) > 0 else limit
    return [x - most for x in xs]

@function
def running(xs: i32[:], limit: i32) -> i32[:]:
    return [s * 2 for s in scan(lambda a, b: a + b, limit, xs)]

@function
def shares(xs: i32[:], limit: i32) -> f32[:]:
    whole = sum([f32(x) for x in xs])
    return [f32(x) / whole for x in xs]

@function
def counts(xs: i32[:], limit: i32) -> i32[:]:
    none = [i32(0) for _ in range(8)]
    places = [i64(x & 7) for x in xs]
    return scatter_add(none, places, [i32(1) for _ in xs])

@function
def triangle(xs: i32[:], limit: i32) -> i32[:][:]:
    return [[xs[i] + i32(j) for j in range(i)] for i in range(len(xs))]

@function
def rows_in_one(xs: i32[:], limit: i32) -> i32[:]:
    return flatten([[x * i32(j) for j in range(i64(x))] for x in xs])

@function
def smoothed(xs: i32[:], limit: i32) -> i32[:]:
    now = [x for x in xs]
    for _ in range(3):
        now = [now[i - 1] + now[i] if i > 0 else now[i] for i in range(len(now))]
    return now

@function
def again_and_again(xs: i32[:], limit: i32) -> i32[:]:
    total = limit
    for _ in range(4):
        mixed = [((x * total) ^ (x + total)) * (x - total) + (total >> 1) for x in xs]
        total = mixed[0] - mixed[len(xs) - 1] if len(xs) > 0 else total
    return [x + total for x in xs]

@function
def running_floats(xs: i32[:], limit: i32) -> f32[:]:
    return scan(lambda a, b: a + b, f32(0.1), [f32(x) / f32(3.0) for x in xs])

@function
def weights(xs: i32[:], limit: i32) -> f32[:]:
    thirds = [f32(x) / f32(3.0) for x in xs]
    return scatter_add(replicate(f32(0.0), 4), [i64(x & 3) for x in xs], thirds)

@function
def counted_behind(xs: i32[:], limit: i32) -> i32[:]:
    inverse = [limit // x for x in xs]
    given = [i32(1) if j == 0 else inverse[j - 1] + inverse[0] for j in range(len(xs))]
    return scatter_add(replicate(i32(0), 8), [i64(x & 7) for x in xs], given)

@function
def behind(xs: i32[:], limit: i32) -> i32[:]:
    inverse = [limit // x for x in xs]
    return [i32(0) if j == 0 else inverse[j - 1] + inverse[0] for j in range(len(xs))]

@function
def looked_up(xs: i32[:], limit: i32) -> i32[:]:
    return [xs[i64(x)] for x in xs]
"""


def _running(xs: np.ndarray, limit: int) -> np.ndarray:
    return (limit + np.cumsum(xs, dtype=np.int32)).astype(np.int32) * 2


def _shares(xs: np.ndarray, limit: int) -> np.ndarray:
    floats, whole = xs.astype(np.float32), np.float32(0)
    for x in floats:
        whole += x
    return floats / whole


def _smoothed(xs: np.ndarray, limit: int) -> np.ndarray:
    for _ in range(3):
        xs = xs + np.concatenate([np.zeros(1, np.int32), xs[:-1]])[: xs.size]
    return xs


def _behind(xs: np.ndarray, limit: int) -> np.ndarray:
    inverse = limit // xs
    return np.concatenate([np.zeros(1, np.int32), inverse[:-1] + inverse[:1]])[: xs.size]


def _again(xs: np.ndarray, limit: int) -> np.ndarray:
    total = np.int32(limit)
    with np.errstate(over="ignore"):
        for _ in range(4):
            mixed = ((xs * total) ^ (xs + total)) * (xs - total) + (total >> 1)
            total = mixed[0] - mixed[-1] if xs.size else total
        return xs + total


def _running_floats(xs: np.ndarray, limit: int) -> np.ndarray:
    thirds = xs.astype(np.float32) / np.float32(3)
    return np.cumsum(np.concatenate([[np.float32(0.1)], thirds]), dtype=np.float32)[1:]


def _weights(xs: np.ndarray, limit: int) -> np.ndarray:
    found = np.zeros(4, np.float32)
    np.add.at(found, xs & 3, xs.astype(np.float32) / np.float32(3))
    return found


def _counted_behind(xs: np.ndarray, limit: int) -> np.ndarray:
    found, given = np.zeros(8, np.int32), _behind(xs, limit)
    given[:1] = 1
    np.add.at(found, xs & 7, given)
    return found


MEANT: dict[str, Any] = {
    "kept": lambda xs, limit: xs[xs < limit],
    "total_of_kept": lambda xs, limit: xs[xs < limit].sum(dtype=np.int64),
    "centred": lambda xs, limit: xs - xs.max(initial=-(2**31) if xs.size else limit),
    "running": _running,
    "shares": _shares,
    "counts": lambda xs, limit: np.bincount(xs & 7, minlength=8).astype(np.int32),
    "triangle": lambda xs, limit: np.concatenate(
        [xs[i] + np.arange(i, dtype=np.int32) for i in range(xs.size)] or [xs]
    ),
    "rows_in_one": lambda xs, limit: np.concatenate(
        [x * np.arange(x, dtype=np.int32) for x in xs] or [xs]
    ),
    "smoothed": _smoothed,
    "again_and_again": _again,
    "running_floats": _running_floats,
    "weights": _weights,
    "counted_behind": _counted_behind,
    "behind": _behind,
}
SIZES = 0, 1, 2, 31, 32, 33, 70
GRIDS = ((1, 32), (2, 32), (1, 64))


class Launched:
    """A function, compiled once, that runs on any numbers on any grid."""

    def __init__(self, folder: Path, entry: str, **more: Any):
        launch = {"grid": [1], "block": [32], "cooperative": True}
        path = workload_of(
            folder, entry, {"xs": [1], "limit": 5}, FUNCTIONS, machine="teaching_gpu",
            launch=launch, **more,
        )  # fmt: skip
        self.compiled = compile_workload(read_workload(path))

    def case(self, xs: np.ndarray, limit: int, grid: tuple[int, int]) -> Any:
        case = self.compiled.workload.case().with_arguments(
            as_arguments({"xs": xs, "limit": np.int32(limit)})
        )
        [(node, form)] = case.steps
        given = zip(("grid", "block"), grid, strict=True)
        own = {key: replace_value(node.value[key], number) for key, number in given}
        changed = replace(node, value={**node.value, **own})
        return replace(case, steps=((changed, form),))

    def __call__(self, xs: np.ndarray, limit: int, grid: tuple[int, int]) -> Any:
        case = self.case(xs, limit, grid)
        result = execute(prepare(self.compiled, case))
        for backward in (False, True):
            by_rows(prepare(self.compiled, case), result, backward)
        return result


def replace_value(node: Any, number: int) -> Any:
    """The list of a node with this one number in it."""
    return replace(node, value=[replace(node.value[0], value=number)])


def numbers(size: int) -> np.ndarray:
    return np.random.default_rng(size).integers(1, 12, size, dtype=np.int32)


@pytest.mark.parametrize("entry", MEANT)
def test_every_size_on_every_grid(entry: str, tmp_path: Path):
    launched = Launched(tmp_path, entry)
    for k, size in enumerate(SIZES):
        xs = numbers(size)
        result = launched(xs, 6, GRIDS[k % len(GRIDS)])
        assert result.status == "done", result.fault
        wanted = MEANT[entry](xs, 6)
        found = {**result.outputs, "returned": result.returned}
        values = next(
            found[n] for n in ("return", "return.values", "returned") if found.get(n) is not None
        )
        assert np.array_equal(values, wanted), (size, values, wanted)


def test_what_some_thread_wants_is_computed_by_all_and_faults_only_if_it_is_wanted(tmp_path: Path):
    launched = Launched(tmp_path, "behind")
    assert launched(np.zeros(1, np.int32), 6, (1, 64)).outputs["return"].tolist() == [0]
    result = launched(np.zeros(40, np.int32), 6, (2, 32))
    assert result.status == "fault" and result.fault["location"]["line"] == 73


def test_it_is_computed_once_for_all_threads(tmp_path: Path):
    """Each for itself would want more than this memory has."""
    xs = numbers(70)
    found = Launched(tmp_path, "behind", scratch="2KiB")(xs, 6, (1, 64)).outputs["return"]
    assert np.array_equal(found, _behind(xs, 6))


def test_rows_that_all_threads_take_memory_for_may_be_too_many(tmp_path: Path):
    result = Launched(tmp_path, "triangle", scratch="8KiB")(numbers(70), 6, (1, 64))
    assert result.status == "fault" and "too small" in result.fault["kind"]


@pytest.mark.parametrize("grid", GRIDS)
def test_a_fault_of_one_thread_ends_all(grid: tuple[int, int], tmp_path: Path):
    launched = Launched(tmp_path, "looked_up")
    xs = np.arange(70, dtype=np.int32)
    assert launched(xs, 0, grid).outputs["return"].tolist() == xs.tolist()
    xs[50] = 70
    result = launched(xs, 0, grid)
    assert result.status == "fault" and result.fault["kind"] == "index out of range"


REFUSED = {
    "lie along x": {"grid": [1, 2], "block": [32], "cooperative": True},
    "lie along x alone": {"grid": [1], "block": [32, 2], "cooperative": True},
    "whole warps": {"grid": [1], "block": [40], "cooperative": True},
    "wait for each other": {"grid": [1], "block": [32]},
    "resident at once": {"grid": [99], "block": [32], "cooperative": True},
}


@pytest.mark.parametrize("why", REFUSED)
def test_grids_on_which_it_would_be_wrong_are_refused(why: str, tmp_path: Path):
    path = workload_of(
        tmp_path, "kept", {"xs": [1, 2], "limit": 5}, FUNCTIONS, machine="teaching_gpu",
        launch=REFUSED[why],
    )  # fmt: skip
    with pytest.raises(InputError, match=why):
        sim.run(path)


TOGETHER = {"grid": [1], "block": [32], "cooperative": True}


@pytest.mark.parametrize(
    "launches",
    [
        [TOGETHER, {"grid": [2], "block": [64], "cooperative": True}],
        [{"repeat": {"times": 2}, "steps": [TOGETHER]}],
    ],
    ids=["two", "loop"],
)
def test_a_second_launch_would_not_wait_for_anybody(launches: list, tmp_path: Path):
    path = workload_of(
        tmp_path, "kept", {"xs": [1, 2], "limit": 5}, FUNCTIONS, machine="teaching_gpu",
        launches=launches,
    )  # fmt: skip
    with pytest.raises(InputError, match="is launched once"):
        sim.run(path)


def test_without_a_launch_it_has_all_threads_that_are_resident(tmp_path: Path):
    path = workload_of(
        tmp_path, "kept", {"xs": [1, 9, 2], "limit": 5}, FUNCTIONS, machine="teaching_gpu"
    )
    compiled = compile_workload(read_workload(path))
    prepared = prepare(compiled, compiled.workload.case())
    [launch] = prepared.bound.actions(prepared.memory)
    kernel, machine = prepared.program.kernels["kept"], compiled.machine.description
    threads = launch.grid.block_threads
    found = occupancy(machine, threads, kernel.registers, 0)
    assert threads % 32 == 0 and launch.grid.block_count == machine.sms * found.ctas
    assert kernel.frame.meets
    assert sim.run(path).outputs["return"].tolist() == [1, 2]
