"""How long one waits for simrun, and how fast it simulates, now and at an earlier revision.

    python -m tests.benchmarks.speed --against REVISION [--pairs 7] [--programs FILE.ll:ENTRY …]
    python -m tests.benchmarks.speed --against REVISION --only quicksort sgemm
    python -m tests.benchmarks.speed --against REVISION --long      # also 10⁹ instructions, once

The revision is checked out beside this tree and runs with the same interpreter and packages.  Each
figure is processor time of both trees in turns, with caches of their own and byte code on disk: the
medians, the median of the pairs' ratios (below 1: faster now), and where the middle half of them
lies.  What one run printed can be compared; hosts differ by a factor of three.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from machines.cache.cache_folder import cache_folder
from tests.benchmarks._command import WORKLOADS, command_line
from tests.benchmarks.core_speed import CALIBRATION_STEPS, calibration
from tests.benchmarks.then_and_now.programs import measured
from tests.benchmarks.then_and_now.runs import simulation, suite
from tests.benchmarks.then_and_now.table import HEAD
from tests.benchmarks.then_and_now.trees import ROOT, Pair, trees
from tests.benchmarks.then_and_now.waits import compilations, first_compilations, starts

PAIRS, COMPILATIONS = 7, 3
Part = Callable[[Pair], Iterator[str]]
"""Rows of the table."""


def parts(options: argparse.Namespace) -> dict[str, Part]:
    """What is to be measured, by name, in the order of the table."""
    shortest = options.shortest
    pairs = 1 if shortest else options.pairs
    shipped = sorted(str(path.relative_to(ROOT)) for path in WORKLOADS.glob("*/workload.yaml"))
    programs = [str(Path(name).resolve()) for name in options.programs]
    rows = [row for row in measured() if options.long or not row.once]
    found: dict[str, Part] = {
        "starts": partial(starts, pairs=pairs),
        "compilations": partial(
            compilations,
            pairs=pairs,
            workloads=shipped[: 1 if shortest else None],
            programs=programs,
        ),
        "first": partial(first_compilations, pairs=min(pairs, COMPILATIONS)),
        **{row.name: partial(simulation, row, pairs=pairs, shortest=shortest) for row in rows},
        "suite": partial(suite, pairs=pairs, shortest=shortest),
    }
    if options.only is None:
        chosen = found.keys() - {"first", *(row.name for row in rows[1:-1])} if shortest else found
        return {name: part for name, part in found.items() if name in chosen}
    for word in options.only:
        if not any(name.startswith(word) for name in found):
            raise SystemExit(f"there is no row '{word}': {', '.join(found)}")
    return {name: part for name, part in found.items() if name.startswith(tuple(options.only))}


def host(steps: int) -> str:
    """What figures depend on: the processor, how fast it is just now, and who else is there."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    rate = calibration(steps)
    return f"{processor()}, {os.cpu_count()} CPUs, load {load}, calibration {rate:.0f} M steps/s"


def processor() -> str:
    """Its model, as far as the system says."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor() or platform.machine())


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--against", default="HEAD", metavar="REVISION")
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"measurements ({PAIRS})")
    parser.add_argument("--programs", nargs="*", default=[], metavar="FILE[:ENTRY]")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="rows, by how they begin")
    parser.add_argument("--long", action="store_true", help="also 10⁹ instructions, once")
    options = parser.parse_args(words)
    chosen = parts(options)
    steps = 1000 if options.shortest else CALIBRATION_STEPS
    print(host(steps))
    print(HEAD)
    with trees(options.against, cache_folder() if options.shortest else None) as pair:
        for part in chosen.values():
            for text in part(pair):
                print(text, flush=True)
    print(host(steps))


if __name__ == "__main__":
    main(sys.argv[1:])
