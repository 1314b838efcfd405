"""Four ways for threads of a warp to meet again, measured side by side, as Markdown tables.

    python -m tests.benchmarks.reconvergence                     all GPU workloads, all tables
    python -m tests.benchmarks.reconvergence bfs short_circuit   some workloads
    python -m tests.benchmarks.reconvergence --write             into workloads/gpu/RECONVERGENCE.md

For each workload and policy: warp instructions, SIMD efficiency, checks, and cycles on h200 with a
check that costs 0, 1, 4 and 16 cycles.  `markers` stands twice: with the sound rules and with the
seed's.  Outputs are checked in every run.  Simulated figures do not depend on the computer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sim.prepared_case import prepare
from sim.runner import compile_workload, execute
from sim.workload.schema import read_workload
from tests.benchmarks._command import command_line

GPU = Path(__file__).parents[2] / "workloads" / "gpu"
PAGE = GPU / "RECONVERGENCE.md"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
MACHINE = "h200"
POLICIES = {
    "ipdom": ("reconvergence.policy=ipdom",),
    "markers": ("reconvergence.policy=markers",),
    "markers, seed": ("reconvergence.policy=markers", "reconvergence.rules=seed"),
    "min_pc": ("reconvergence.policy=min_pc",),
    "barriers": ("reconvergence.policy=barriers",),
}
COSTS = (0, 1, 4, 16)


@dataclass(frozen=True)
class Measured:
    """One case under one policy; `cycles` by the cost of a check."""

    instructions: int
    efficiency: float
    checks: int
    diverged_checks: int
    cycles: dict[int, int]


def measure(path: Path, variant: str, policy: str, costs: Sequence[int] = COSTS) -> Measured:
    """Run a case under a policy at every cost of a check."""
    workload = read_workload(path)
    cycles, counters = {}, {}
    for cost in costs:
        overrides = (*POLICIES[policy], f"reconvergence.check_cost={cost} cycles")
        compiled = compile_workload(workload, MACHINE, overrides)
        result = execute(prepare(compiled, workload.case(variant)))
        if not result.ok:
            raise RuntimeError(
                f"{path} ({variant}) under {policy}: {result.status}, {result.fault}"
            )
        cycles[cost] = result.cycles
        counters = counters or result.counters
    threads = counters["THREAD_INSTRUCTIONS"]
    return Measured(
        counters["WARP_INSTRUCTIONS"],
        threads / (threads + counters["IDLE_LANES"]),
        counters["RECONVERGENCE_CHECKS"],
        counters["RECONVERGENCE_CHECKS_DIVERGED"],
        cycles,
    )


def table(figures: dict[tuple[str, str], Measured]) -> Iterator[str]:
    """One line a workload and policy."""
    costs = next(iter(figures.values())).cycles
    titles = " | ".join(f"cycles at {cost}" for cost in costs)
    yield f"| workload | policy | instructions | efficiency | checks | while diverged | {titles} |"
    yield "| --- | --- |" + " ---: |" * (4 + len(costs))
    shown = ""
    for (name, policy), one in figures.items():
        cycles = " | ".join(f"{one.cycles[cost]}" for cost in costs)
        yield (
            f"| {name if name != shown else ''} | {policy} | {one.instructions} "
            f"| {one.efficiency:.3f} | {one.checks} | {one.diverged_checks} | {cycles} |"
        )
        shown = name


def ratios(figures: dict[tuple[str, str], Measured]) -> Iterator[str]:
    """Warp instructions beside ipdom's, and checks beside min_pc's."""
    names = list(dict.fromkeys(name for name, _ in figures))
    titles = ("markers / ipdom", "seed / ipdom", "barriers / ipdom", "markers = min_pc")
    yield f"| workload | {' | '.join(titles)} | checks / min_pc |"
    yield "| --- | ---: | ---: | ---: | --- | ---: |"
    for name in names:
        base = figures[name, "ipdom"].instructions
        least = figures[name, "min_pc"]
        own = figures[name, "markers"]
        beside = [
            f"{figures[name, policy].instructions / base:.3f}"
            for policy in ("markers", "markers, seed", "barriers")
        ]
        same = "yes" if own.instructions == least.instructions else "no"
        checks = f"{own.checks / least.checks:.3f}" if least.checks else "-"
        yield f"| {name} | {' | '.join(beside)} | {same} | {checks} |"


def cases(names: Sequence[str]) -> list[tuple[str, Path, str]]:
    """Every case of the workloads: what it is called, the file, the variant."""
    found = []
    for path in sorted(GPU.glob("*/workload.yaml")):
        if not names or path.parent.name in names:
            for case in read_workload(path).cases():
                suffix = "" if case.name == "default" else f" {case.name}"
                found.append((path.parent.name + suffix, path, case.name))
    return found


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(words)
    if given.shortest:
        given.names, given.write = ["two_breaks"], False
    jobs = [(n, p, v, policy) for n, p, v in cases(given.names) for policy in POLICIES]
    costs = COSTS[:1] if given.shortest else COSTS
    with ProcessPoolExecutor() as pool:
        spread = map if given.shortest else pool.map
        results = spread(measure, *zip(*[(*job[1:], costs) for job in jobs], strict=True))
        figures = {(job[0], job[3]): one for job, one in zip(jobs, results, strict=True)}
    text = "\n".join([*ratios(figures), "", *table(figures)]) + "\n"
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        page = before + BEGIN + text + END + rest.split(END)[1]
        PAGE.write_text(page, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main(sys.argv[1:])
