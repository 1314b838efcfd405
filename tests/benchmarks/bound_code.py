"""What code of packets costs and saves: the figures of `sim.cores.epic.hot_packets`.

    python -m tests.benchmarks.bound_code [WORKLOAD.yaml[@CASE] …]

For each workload: the instructions of its hot packets that do something, processor seconds to make
their code and to load it, nanoseconds of an executed instruction without it and with it.  Seconds
are those of the simulation alone; of several runs the fastest counts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from sim.cores.epic.hot_packets import HotPackets
from sim.cores.epic.packets import packet_of
from sim.prepared_case import prepare
from sim.runner import Compiled, compile_workload, execute
from sim.workload.schema import read_workload
from tests.benchmarks._command import WORKLOADS, command_line
from tests.benchmarks.core_speed import MIXTURE, PIPELINED
from tests.sim.epic.switched_code import with_code, without_code

NAMES = ("quicksort", "mandelbrot", "sieve", "crc32", "matrix_multiply")
REPEATS = 3
ROW = "{:28} {:>12} {:>9} {:>8} {:>11} {:>9} {:>9}"


def seconds_of(compiled: Compiled, case: str, repeats: int) -> tuple[int, float]:
    """Instructions of a run, and the least seconds that it took."""
    found = []
    for _ in range(repeats):
        result = execute(prepare(compiled, compiled.workload.case(case)))
        found.append(result.host["simulate_seconds"])
    return result.counters["IA64_INST_RETIRED"], min(found)


def measure(name: str, repeats: int) -> tuple[int, float]:
    """Prints a row; instructions with code, and seconds to make it."""
    path, _, case = name.partition("@")
    compiled = compile_workload(read_workload(path))
    case = case or compiled.workload.cases()[0].name
    with without_code() as cores:
        instructions, before = seconds_of(compiled, case, repeats)
    core: HotPackets = cores[0]
    hot, _, _ = core.hot()
    begin = time.process_time()
    part = core.bind(hot)
    made = time.process_time() - begin
    core.take(part)
    loaded = time.process_time() - begin - made
    with with_code(part):
        _, after = seconds_of(compiled, case, repeats)
    count = sum(len(packet_of(core.state, packet).syllables) for packet in hot)
    print(ROW.format(
        Path(path).parent.name if case == "default" else Path(path).stem,
        f"{instructions:,}".replace(",", " "), count, f"{made:.2f}", f"{loaded * 1000:.0f} ms",
        f"{before / instructions * 1e9:.1f}", f"{after / instructions * 1e9:.1f}",
    ), flush=True)  # fmt: skip
    return count, made


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD.yaml[@CASE]")
    options = parser.parse_args(words)
    suite = [f"{MIXTURE}@2e7", f"{PIPELINED}@2e7",
             *(str(WORKLOADS / name / "workload.yaml") for name in NAMES)]  # fmt: skip
    if options.shortest:
        suite = [f"{PIPELINED}@one_round"]
    print(
        ROW.format("program", "instructions", "with code", "made", "loaded", "ns before", "after")
    )
    repeats = 1 if options.shortest else REPEATS
    made = [measure(name, repeats) for name in options.workloads or suite]
    count, seconds = (sum(column) for column in zip(*made, strict=True))
    print(f"{seconds / count * 1000:.1f} ms to make the code of an instruction")


if __name__ == "__main__":
    main(sys.argv[1:])
