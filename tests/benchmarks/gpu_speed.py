"""How fast the SIMT core runs: warp instructions a second on a full h200, caches and stalls on.

    python -m tests.benchmarks.gpu_speed            # saxpy and sgemm at several lengths
    python -m tests.benchmarks.gpu_speed --long     # also a sgemm of 10⁸ warp instructions
    python -m tests.benchmarks.gpu_speed --all      # also every GPU workload as it is

Beside them stands the rate of a bare loop on the same computer; compare only what one run printed.
The lengths run in turns, so that a slow spell of the computer meets all of them.  Memory is the
process's largest resident size after the runs of that length.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sim.prepared_case import prepare
from sim.results.result import Result
from sim.runner import compile_workload, execute
from sim.workload.schema import read_workload
from tests.benchmarks._command import command_line
from tests.benchmarks.core_speed import CALIBRATION_STEPS, calibration

GPU = Path(__file__).parents[2] / "workloads" / "gpu"
ROUNDS = 2
SAXPY = """\
workload: saxpy
program: saxpy.ptx
machine: h200
arguments:
  n: {n}
  a: 2.5
  x: {{dtype: f32, shape: [{n}], random: {{seed: 1, low: -1, high: 1}}}}
  y: {{dtype: f32, shape: [{n}], random: {{seed: 2, low: -1, high: 1}}}}
launch: {{grid: [{grid}], block: [256]}}
expect:
  y: {{equals: "a * x + y"}}
"""
SGEMM = """\
workload: sgemm
program: sgemm.ptx
machine: h200
arguments:
  a: {{dtype: f32, shape: [{n}, {n}], random: {{seed: 1, low: -1, high: 1}}}}
  b: {{dtype: f32, shape: [{n}, {n}], random: {{seed: 2, low: -1, high: 1}}}}
  c: {{dtype: f32, shape: [{n}, {n}], value: 0}}
  n: {n}
launch: {{grid: [{grid}, {grid}], block: [16, 16]}}
"""
LENGTHS = {
    "saxpy": [SAXPY.format(n=n, grid=n // 256) for n in (1 << 20, 1 << 22, 1 << 23)],
    "sgemm": [SGEMM.format(n=n, grid=n // 16) for n in (128, 256, 512)],
}
SHORTEST = {
    "saxpy": [SAXPY.format(n=256, grid=1)],
    "sgemm": [SGEMM.format(n=16, grid=1)],
}
LONG = SGEMM.format(n=1024, grid=64)


def run(name: str, text: str) -> tuple[Result, float]:
    """A run of a workload's text with the program of a GPU workload, and its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workload.yaml"
        program = GPU / name / f"{name}.ptx"
        (path.parent / program.name).write_bytes(program.read_bytes())
        path.write_text(text)
        workload = read_workload(path)
        prepared = prepare(compile_workload(workload), workload.case())
    begin = time.perf_counter()
    result = execute(prepared)
    seconds = time.perf_counter() - begin
    if not result.ok:
        raise RuntimeError(f"{name}: {result.status}, {result.fault or result.checks}")
    return result, seconds


def line(name: str, result: Result, seconds: float) -> str:
    """One run: instructions, simulated cycles, seconds, rate, memory."""
    instructions = result.counters["WARP_INSTRUCTIONS"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{name:28} {instructions:12,} instructions {result.cycles:11,} cycles {seconds:7.2f} s "
        f"{instructions / seconds / 1e6:7.2f} M/s {peak:7.0f} MB"
    )


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--long", action="store_true")
    given = parser.parse_args(words)
    shortest = given.shortest
    print(f"calibration: {calibration(1000 if shortest else CALIBRATION_STEPS):.0f} M steps/s")
    for name, texts in (SHORTEST if shortest else LENGTHS).items():
        best: dict[int, tuple[Result, float]] = {}
        for _ in range(1 if shortest else ROUNDS):
            for number, text in enumerate(texts):
                result, seconds = run(name, text)
                if number not in best or seconds < best[number][1]:
                    best[number] = result, seconds
        for result, seconds in best.values():
            print(line(name, result, seconds))
    if given.long:
        print(line("sgemm", *run("sgemm", LONG)))
    if given.all or shortest:
        for path in sorted(GPU.glob("*/workload.yaml"))[: 1 if shortest else None]:
            workload = read_workload(path)
            compiled = compile_workload(workload)
            for case in workload.cases():
                prepared = prepare(compiled, case)
                begin = time.perf_counter()
                result = execute(prepared)
                seconds = time.perf_counter() - begin
                print(line(f"{path.parent.name} {case.name}", result, seconds))


if __name__ == "__main__":
    main(sys.argv[1:])
