"""What an access of a warp to the memory system of a SIMT machine costs the host.

    python -m tests.benchmarks.memory_speed      # nanoseconds an access, the best of some rounds

Accesses come from all SMs of an h200 in turn, spaced so that bandwidths are not exceeded.  The
calibration of `core_speed` stands beside them; compare only what one run printed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import numpy as np

from sim.cores.simt.memory.parameters import ATOMIC, LOAD, STORE, build
from tests.benchmarks._command import command_line
from tests.benchmarks.core_speed import CALIBRATION_STEPS, calibration
from tests.sim.simt.play_memory import GLOBAL, SHARED, machine, repeat

ROUNDS, ACCESSES = 5, 100_000
BASE = 1 << 20
CASES = {
    # (space, kind, bytes between lanes, bytes from one access to the next, cycles between rounds)
    "load, 1 line, hits L1": (GLOBAL, LOAD, 4, 0, 4),
    "load, 1 line, from DRAM": (GLOBAL, LOAD, 4, 128, 12),
    "load, 8 lines, from DRAM": (GLOBAL, LOAD, 32, 1024, 96),
    "load, 32 lines, hits L1": (GLOBAL, LOAD, 128, 0, 40),
    "store, 1 line": (GLOBAL, STORE, 4, 128, 12),
    "atomic, 32 addresses of 1 line": (GLOBAL, ATOMIC, 4, 128, 12),
    "shared, no conflict": (SHARED, LOAD, 4, 0, 4),
    "shared, 32 words of a bank": (SHARED, LOAD, 128, 0, 40),
}


def nanoseconds(
    case: tuple[int, int, int, int, int], rounds: int = ROUNDS, accesses: int = ACCESSES
) -> float:
    """Host time of an access of a case, the best round."""
    space, kind, apart, step, gap = case
    described = machine("h200")
    first = 0 if space == SHARED else BASE
    best = float("inf")
    for _ in range(rounds):
        memory = build(described)
        addresses = first + apart * np.arange(described.warp_width, dtype=np.int64)
        repeat(memory, space, kind, 1000, step, described.sms, gap, 0, addresses)
        begin = time.perf_counter()
        repeat(memory, space, kind, accesses, step, described.sms, gap, 10_000, addresses)
        best = min(best, time.perf_counter() - begin)
    return best / accesses * 1e9


def main(words: Sequence[str]) -> None:
    shortest = command_line(__doc__).parse_args(words).shortest
    steps, *size = (1000, 1, 1000) if shortest else (CALIBRATION_STEPS, ROUNDS, ACCESSES)
    print(f"{'calibration':<34}{calibration(steps):>8.0f} M steps/s")
    for name, case in CASES.items():
        print(f"{name:<34}{nanoseconds(case, *size):>8.0f} ns")


if __name__ == "__main__":
    main(sys.argv[1:])
