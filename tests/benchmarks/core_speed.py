"""How fast the EPIC core simulates, beside a loop that tells how fast this computer is today.

    python -m tests.benchmarks.core_speed

Caches, counters, laws: all on, as in every run.  Seconds are those of the simulation alone, without
compiling the program and checking outputs; of several runs the fastest counts.
"""

from __future__ import annotations

import math
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numba
import numpy as np

from sim.prepared_case import prepare
from sim.runner import Compiled, compile_workload, execute
from sim.workload.schema import read_workload
from tests.benchmarks._command import command_line, workloads_of

MIXTURE = Path(__file__).with_name("mixture.yaml")
PIPELINED = Path(__file__).with_name("pipelined.yaml")
REPEATS = 4
CALIBRATION_STEPS = 200_000_000
ROW = "{:32} {:>13} {:>8} {:>9} {:>8} {:>9}"


@numba.njit
def calibrate(steps: int) -> int:
    """Steps of xorshift64 (Marsaglia 2003): six dependent operations each, no memory."""
    x = np.uint64(88172645463325252)
    for _ in range(steps):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
    return x


def calibration(steps: int = CALIBRATION_STEPS) -> float:
    """Millions of calibration steps a second."""
    taken = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        calibrate(steps)
        taken.append(time.perf_counter() - begin)
    return steps / min(taken) / 1e6


def peak_memory() -> float:
    """The most memory this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def peak_memory_of_a_run(compiled: Compiled, case: str) -> float:
    """The same after a run of a case, in MB."""
    execute(prepare(compiled, compiled.workload.case(case)))
    return peak_memory()


def measure(
    compiled: Compiled, turns: Sequence[str], repeats: int = REPEATS
) -> dict[str, tuple[int, float]]:
    """Instructions of each case and the seconds it takes; prints a row a case.

    The cases run in turns, again and again: what slows the computer for a while slows them all.
    """
    found: dict[str, tuple[int, float]] = {}
    for case in turns * repeats:
        result = execute(prepare(compiled, compiled.workload.case(case)))
        least = found.get(case, (0, math.inf))[1]
        seconds = min(least, result.host["simulate_seconds"])
        found[case] = result.counters["IA64_INST_RETIRED"], seconds
    for case, (instructions, seconds) in found.items():
        print(ROW.format(
            f"{compiled.workload.form.workload} ({case})",
            f"{instructions:,}".replace(",", " "),
            f"{seconds:.3f}",
            f"{instructions / seconds / 1e6:.1f}",
            f"{seconds / instructions * 1e9:.2f}",
            f"{peak_memory():.0f}",
        ), flush=True)  # fmt: skip
    return found


def shipped() -> Iterator[tuple[Compiled, str]]:
    """The first case of every workload that the core runs."""
    for path in workloads_of("epic"):
        compiled = compile_workload(read_workload(path))
        yield compiled, compiled.workload.cases()[0].name


def main(words: Sequence[str]) -> None:
    shortest = command_line(__doc__).parse_args(words).shortest
    short, long, repeats = ("one_round", "two_rounds", 1) if shortest else ("2e7", "2e8", REPEATS)
    steps = 1000 if shortest else CALIBRATION_STEPS
    calibrate(1)
    print(f"calibration: {calibration(steps):.0f} M steps/s of a bare xorshift loop")
    print(ROW.format("program", "instructions", "seconds", "M instr/s", "ns/instr", "peak MB"))
    mixture = compile_workload(read_workload(MIXTURE))
    before = peak_memory_of_a_run(mixture, short)
    found = measure(mixture, [short, short, short, long], repeats)
    (few, few_seconds), (many, many_seconds) = found[short], found[long]
    growth = (many_seconds / many) / (few_seconds / few) - 1
    print(f"{many / few:.0f} times the length: {growth:+.1%} seconds an instruction, "
          f"{peak_memory() - before:+.1f} MB")  # fmt: skip
    measure(compile_workload(read_workload(PIPELINED)), [short], repeats)
    for compiled, case in islice(shipped(), 1) if shortest else shipped():
        measure(compiled, [case], repeats)
    print(f"calibration: {calibration(steps):.0f} M steps/s")


if __name__ == "__main__":
    main(sys.argv[1:])
