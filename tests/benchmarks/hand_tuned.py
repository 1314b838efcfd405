"""Cycles of the hand-written loops beside published figures: python -m tests.benchmarks.hand_tuned

What a pass over data in the caches takes is the difference between three passes and two, so that
neither the first misses nor the program's beginning and end count.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import sim
from tests.benchmarks._command import command_line

FOLDER = Path(__file__).parents[2] / "workloads" / "hand_tuned"


class Figure(NamedTuple):
    """Units of work in a pass of a loop, cycles of a unit, and where that is from."""

    units: int
    unit: str
    cycles: float
    source: str


FIGURES = {
    "copy": Figure(1000, "word", 0.5, "measured: GMP copyi"),
    "add": Figure(1000, "word", 1.25, "measured: GMP add_n"),
    "shift": Figure(1000, "word", 1.0, "measured: GMP lshift"),
    "multiply_accumulate": Figure(1000, "word", 2.0, "measured: GMP addmul_1"),
    "daxpy": Figure(1200, "element", 9 / 16, "9 groups for 16 elements: OpenBLAS daxpy"),
    "ddot": Figure(1000, "element", 8 / 16, "8 groups for 16 elements: OpenBLAS ddot"),
    "dgemm": Figure(200 * 16, "fma", 0.5, "64 fma in 32 groups: OpenBLAS dgemm"),
    "strlen": Figure(1946, "byte", 6 / 8, "derived: load 2, search 3, test and branch 1"),
    "chase": Figure(10_000, "hop", 2.0, "measured: 7-cpu.com, L1 hit"),
}


def measure(name: str) -> float:
    """Cycles of a unit of work on itanium2."""
    return (_cycles(name, "three") - _cycles(name, "two")) / FIGURES[name].units


def _cycles(name: str, variant: str) -> int:
    result = sim.run(FOLDER / name / "workload.yaml", machine="itanium2", variant=variant)
    if not result.ok:
        raise RuntimeError(f"{name}: {result.fault or [str(check) for check in result.checks]}")
    return result.cycles


def main(words: Sequence[str]) -> None:
    shortest = command_line(__doc__).parse_args(words).shortest
    print("| loop | cycles a | here | figure | difference | |")
    print("| --- | --- | ---: | ---: | ---: | --- |")
    for name, figure in list(FIGURES.items())[: 1 if shortest else None]:
        measured = measure(name)
        apart = f"{measured / figure.cycles - 1:+.1%}".replace("%", " %")
        print(
            f"| {name} | {figure.unit} | {measured:.3f} | {figure.cycles:.4g} | {apart} "
            f"| {figure.source} |"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
