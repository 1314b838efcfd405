"""Benchmarks run here, a workload at a time, by several processes if there are jobs for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from machines.diagnostics import InputError
from sim.prepared_case import prepare
from sim.runner import Compiled, compile_workload, execute, machine_of
from sim.status import INTERRUPTED
from sim.validation.benchmarks import Benchmark
from sim.validation.measured import Measured, differing
from sim.workers import Died, results_in_order
from sim.workload.schema import read_workload


@dataclass(frozen=True)
class Ran:
    """What became of a benchmark: its figure, and the arrays that are not those measured; or what
    is wrong with it, and the exit code for that."""

    benchmark: Benchmark
    figure: float | None = None
    differing: tuple[str, ...] = ()
    broken: str = ""
    code: int = 0


@dataclass(frozen=True)
class Settings:
    """What holds for all benchmarks: the machine (None: that of each workload), changes of it, the
    compiler's passes (None: those of each workload), and whether oracles of workloads may run."""

    machine: str | None = None
    overrides: tuple[str, ...] = ()
    passes: tuple[str, ...] | None = None
    trust: bool = False


@dataclass(frozen=True)
class _Task:
    """Benchmarks of one workload, and what was measured of them."""

    path: Path
    benchmarks: tuple[Benchmark, ...]
    measured: Mapping[str, Measured]
    settings: Settings


def run_all(
    benchmarks: Sequence[Benchmark], measured: Mapping[str, Measured], settings: Settings, jobs: int
) -> Iterator[Ran]:
    """Run benchmarks in their order; raises InputError for a workload that cannot be read or a
    machine that there is not, before anything runs.  What is wrong with one ends no other."""
    paths = dict.fromkeys(one.workload for one in benchmarks)
    for path in paths:
        machine_of(read_workload(path), settings.machine, settings.overrides)
    tasks = []
    for path in paths:
        own = tuple(one for one in benchmarks if one.workload == path)
        there = {one.name: measured[one.name] for one in own if one.name in measured}
        tasks.append(_Task(path, own, there, settings))
    if jobs == 1:
        for task in tasks:
            yield from _runs(task)
        return
    for task, found in zip(tasks, results_in_order(_run_whole, tasks, jobs), strict=True):
        if isinstance(found, Died):
            yield from (Ran(one, broken=str(found), code=3) for one in task.benchmarks)
        else:
            yield from found


def _run_whole(task: _Task) -> list[Ran]:
    return list(_runs(task))


def _runs(task: _Task) -> Iterator[Ran]:
    settings = task.settings
    passes = None if settings.passes is None else list(settings.passes)
    try:
        compiled = compile_workload(
            read_workload(task.path), settings.machine, settings.overrides, passes
        )
    except InputError as error:
        yield from (Ran(one, broken=str(error), code=2) for one in task.benchmarks)
        return
    for one in task.benchmarks:
        try:
            yield _run(one, compiled, task.measured.get(one.name), settings.trust)
        except InputError as error:
            yield Ran(one, broken=str(error), code=2)


def _run(benchmark: Benchmark, compiled: Compiled, measured: Measured | None, trust: bool) -> Ran:
    """Raises KeyboardInterrupt if Ctrl-C ended the run: a part of it is nothing to judge."""
    result = execute(prepare(compiled, compiled.workload.case(benchmark.name), trust))
    if result.status == INTERRUPTED:
        raise KeyboardInterrupt
    if result.fault:
        return Ran(benchmark, broken=result.fault["message"], code=3)
    if not result.ok:
        return Ran(benchmark, broken="its outputs are wrong", code=1)
    others = differing(benchmark, result, measured.outputs) if measured else ()
    return Ran(benchmark, benchmark.simulated(result), others)
