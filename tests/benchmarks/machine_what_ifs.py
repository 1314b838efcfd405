"""What changes of a machine do to pipelined loops: II, split issues, cycles, as a Markdown table.

    python -m tests.benchmarks.machine_what_ifs                         all loops, all changes
    python -m tests.benchmarks.machine_what_ifs workloads/loops/bits    some loops
    python -m tests.benchmarks.machine_what_ifs --only width            some changes, by name

A change is a machine or overrides of Itanium 2, as `simrun --machine` and `--set` take them.  Every
loop is compiled for the changed machine and run on it; its output is checked.  It is also compiled
the old way, scheduled by ports alone and packed greedily, to see how many rows of kernels that
splits.  Simulated cycles do not depend on the computer.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sim.kinds.epic.views.schedule_facts import ScheduleFacts, kernel_facts
from sim.prepared_case import prepare
from sim.runner import Compiled, compile_workload, execute
from sim.workload.schema import read_workload
from tests.benchmarks._command import command_line

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


HEADS = ("what if", "loops pipelined", "at the bound", "II", "rows split", "by ports and linear",
         "cycles", "from … to")  # fmt: skip
OLD_WAY = [
    "default",
    {"modulo_schedule": {"reservation": "ports"}},
    {"schedule_blocks": {"reservation": "ports"}},
    {"bundle": {"bundler": "linear"}},
]


@dataclass(frozen=True)
class Measured:
    """One workload on one machine: cycles, and the pipelined loops with their schedules, compiled
    as usual and the old way."""

    cycles: int
    kernels: list[ScheduleFacts]
    old_kernels: list[ScheduleFacts]


def measure(path: Path, change: Change) -> Measured:
    """Compile and run; raises RuntimeError if an output is wrong."""
    workload = read_workload(path)
    compiled = compile_workload(workload, change.machine, change.overrides)
    result = execute(prepare(compiled, workload.case(None)))
    if result.exit_code:
        raise RuntimeError(f"{path}, {change.name}: {result.status}")
    old = compile_workload(workload, change.machine, change.overrides, OLD_WAY)
    return Measured(result.cycles, _kernels(compiled), _kernels(old))


def _kernels(compiled: Compiled) -> list[ScheduleFacts]:
    return kernel_facts(compiled.compilation.functions, compiled.machine.description)


def row(change: Change, base: Sequence[Measured], found: Sequence[Measured]) -> str:
    """A line of the table."""
    kernels = [kernel for measured in found for kernel in measured.kernels]
    ratios = [
        kernel.ii / same.ii
        for b, m in zip(base, found, strict=True)
        for kernel in m.kernels
        for same in b.kernels
        if same.name == kernel.name
    ]
    at_bound = sum(kernel.ii == max(kernel.res_mii, kernel.rec_mii) for kernel in kernels)
    old_kernels = [kernel for measured in found for kernel in measured.old_kernels]
    cycles = [m.cycles / b.cycles for b, m in zip(base, found, strict=True)]
    return (
        f"| {change.name} | {len(kernels)} | {at_bound} | {_mean(ratios):.2f} "
        f"| {_split(kernels)} | {_split(old_kernels)} "
        f"| {_mean(cycles):.2f} | {min(cycles):.2f} … {max(cycles):.2f} |"
    )


def _split(kernels: Sequence[ScheduleFacts]) -> str:
    """How many rows of kernels issue in more than one cycle."""
    rows = [row for kernel in kernels for row in kernel.rows]
    return f"{sum(row.split_issues > 0 for row in rows)} of {len(rows)}"


def _mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def programs(path: Path) -> list[Path]:
    """The workload that a path names, or those of a folder."""
    return sorted(path.rglob("*.yaml")) if path.is_dir() else [path]


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[LOOPS])
    parser.add_argument("--only", default="", help="changes whose name has this in it")
    given = parser.parse_args(words)
    paths = [found for path in given.paths for found in programs(path)]
    if given.shortest:
        paths, given.only = [LOOPS / "vectors" / "daxpy.yaml"], CHANGES[1].name
    print(f"{len(paths)} programs; ratios to Itanium 2 as it is, geometric means\n")
    print(f"| {' | '.join(HEADS)} |\n| --- |{' ---: |' * (len(HEADS) - 1)}")
    chosen = [CHANGES[0], *(c for c in CHANGES[1:] if given.only in c.name)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        spread = map if given.shortest else pool.map
        base: list[Measured] = []
        for change in chosen:
            found = list(spread(measure, paths, [change] * len(paths)))
            base = base or found
            print(row(change, base, found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
