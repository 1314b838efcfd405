"""What changes of a machine do to pipelined loops: II, split issues, cycles, as a Markdown table.

    python -m tests.benchmarks.machine_what_ifs                         all loops, all changes
    python -m tests.benchmarks.machine_what_ifs workloads/loops/bits    some loops
    python -m tests.benchmarks.machine_what_ifs --only width            some changes, by name

A change is a machine or overrides of Itanium 2, as `simrun --machine` and `--set` take them.  Every
loop is compiled for the changed machine and run on it; its output is checked.  Simulated cycles do
not depend on the computer.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from compiler.scheduling.problem import LoopSchedule
from sim.runner import compile_workload, execute, launch
from sim.workload import read_workload

LOOPS = Path(__file__).parents[2] / "workloads" / "loops"
BASE = "itanium2"


@dataclass(frozen=True)
class Change:
    """A machine that is not Itanium 2, or not quite."""

    name: str
    machine: str = BASE
    overrides: tuple[str, ...] = ()


def without(*shapes: str) -> tuple[str, ...]:
    """Overrides that take templates away, with and without a stop at the end."""
    return tuple(f"templates.{shape}{stop}=null" for shape in shapes for stop in ("", ";"))


def added(shape: str, code: int) -> tuple[str, ...]:
    slots = ", ".join(shape)
    return (
        f"templates.{shape}={{code: {code}, slots: [{slots}]}}",
        f"templates.{shape};={{code: {code + 1}, slots: [{slots}], stops: [2]}}",
    )


LOADS = "integer_load, fp_load, fp_load_pair, prefetch, alu, compare, nop_m, break_m"
STORES = "integer_store, fp_store, fp_load, setf, semaphore, alu, compare, nop_m, break_m"
SHIFTS = ("alu, compare, extend, shift_variable, multimedia, long_immediate, bit_field, test_bit, "
          "population_count, nop_i, break_i, nop_x")  # fmt: skip
NO_MIDDLE_STOPS = tuple(f"templates.{name}=null" for name in ("MI;I", "MI;I;", "M;MI", "M;MI;"))

CHANGES = (
    Change("Itanium 2 as it is"),
    Change("width: one bundle a cycle", overrides=("dispersal.bundles_per_cycle=1",)),
    Change("width: three bundles, and ports for them (epic3)", machine="epic3"),
    Change("Itanium (Merced)", machine="itanium"),
    Change("templates: no MMF", overrides=without("MMF")),
    Change("templates: no MMI", overrides=(*without("MMI"), *NO_MIDDLE_STOPS)),
    Change("templates: no stop inside", overrides=NO_MIDDLE_STOPS),
    Change("templates: MMM added", overrides=added("MMM", 20)),
    Change("ports: a third for loads",
           overrides=(f"ports.M4={{accepts: [{LOADS}]}}",
                      "dispersal.matched_slots.M=[M0, M1, M2, M3, M4]")),
    Change("ports: loads on one only", overrides=(f"ports.M1.accepts=[{STORES}]",)),
    Change("ports: both I ports shift and extract", overrides=(f"ports.I1.accepts=[{SHIFTS}]",)),
    Change("ports: one for floating point", overrides=("ports.F1.accepts=[nop_f, break_f]",)),
    Change("latency: floating point 2 cycles", overrides=(
        "latencies.fp_arithmetic.result=2 cycles",
        "latencies.fp_arithmetic.bypasses={fp_store_data: 3 cycles}")),
    Change("latency: floating point 8 cycles", overrides=(
        "latencies.fp_arithmetic.result=8 cycles",
        "latencies.fp_arithmetic.bypasses={fp_store_data: 9 cycles}")),
    Change("latency: loads 3 cycles from the first cache",
           overrides=("memory.l1d.latency=3 cycles",)),
    Change("registers: 16 rotating floating ones",
           overrides=("registers.floating.rotating=[32, 47]",)),
    Change("registers: 16 rotating predicates",
           overrides=("registers.predicate.rotating=[16, 31]",)),
)  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """One workload on one machine.

    kernels   II and bounds of its pipelined loops, by block
    """

    cycles: int
    issues: int
    splits: int
    kernels: dict[str, tuple[int, int]]


def measure(path: Path, change: Change) -> Measured:
    """Compile and run; raises RuntimeError if an output is wrong."""
    workload = read_workload(path)
    compiled = compile_workload(workload, change.machine, change.overrides)
    result = execute(launch(compiled, workload.case(None)))
    if result.exit_code:
        raise RuntimeError(f"{path}, {change.name}: {result.status}")
    counters = result.counters
    kernels = {name: (k.ii, max(k.res_mii, k.rec_mii)) for name, k in _kernels(compiled)}
    return Measured(result.cycles, counters["ISSUE_CYCLES"], counters["SPLIT_ISSUES"], kernels)


def _kernels(compiled) -> Iterator[tuple[str, LoopSchedule]]:
    for name, block in compiled.compilation.function.blocks.items():
        for instruction in block.instructions:
            if kernel := instruction.attributes.get("kernel"):
                yield name, kernel


def row(change: Change, base: Sequence[Measured], found: Sequence[Measured]) -> str:
    """A line of the table."""
    kernels = [k for m in found for k in m.kernels.values()]
    both = [
        m.kernels[name][0] / b.kernels[name][0]
        for b, m in zip(base, found, strict=True)
        for name in b.kernels
        if name in m.kernels
    ]
    at_bound = sum(ii == bound for ii, bound in kernels)
    splits = sum(m.splits for m in found) / sum(m.issues for m in found)
    cycles = [m.cycles / b.cycles for b, m in zip(base, found, strict=True)]
    return (
        f"| {change.name} | {len(kernels)} | {_mean(both):.2f} | {at_bound} | {splits:.2%} "
        f"| {_mean(cycles):.2f} | {min(cycles):.2f} … {max(cycles):.2f} |"
    )


def _mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def programs(path: Path) -> list[Path]:
    """The workload that a path names, or those of a folder."""
    return sorted(path.rglob("*.yaml")) if path.is_dir() else [path]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[LOOPS])
    parser.add_argument("--only", default="", help="changes whose name has this in it")
    given = parser.parse_args()
    paths = [found for path in given.paths for found in programs(path)]
    print(f"{len(paths)} programs; ratios to Itanium 2 as it is, geometric means\n")
    print("| what if | loops pipelined | II | at the bound | split issues | cycles | from … to |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    chosen = [CHANGES[0], *(c for c in CHANGES[1:] if given.only in c.name)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        base: list[Measured] = []
        for change in chosen:
            found = list(pool.map(measure, paths, [change] * len(paths)))
            base = base or found
            print(row(change, base, found), flush=True)


if __name__ == "__main__":
    main()
