"""Cycles of every workload with each optimization left out, as a Markdown table.

    python -m tests.benchmarks.passes_off                    on itanium2, all workloads
    python -m tests.benchmarks.passes_off itanium saxpy      on another machine, some workloads

Of a workload with variants the first runs.  Simulated cycles do not depend on the
computer; a run takes some minutes because every workload is compiled and run a dozen times.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from compiler.pass_lists import optimizations
from sim.door import run
from sim.results.result import Result
from sim.workload.schema import read_workload
from tests.benchmarks._command import command_line, workloads_of

PASSES = (
    *optimizations("epic"),
    "convert_branches",
    "modulo_schedule",
    "increment_addresses",
    "form_superblocks",
)
"""Those left out, one after the other."""


def main(words: Sequence[str]) -> None:
    """Print the table; the first column of numbers is cycles, the others are ratios to it."""
    parser = command_line(__doc__)
    parser.add_argument("machine", nargs="?", default="itanium2")
    parser.add_argument("names", nargs="*", help="of workloads; all without")
    given = parser.parse_args(words)
    machine, names = given.machine, ["crc32"] if given.shortest else given.names
    passes = PASSES[:2] if given.shortest else PASSES
    print(f"cycles on {machine}; then how many times as many without one pass, and without all")
    print()
    print("| workload | cycles | " + " | ".join(f"-{name}" for name in passes) + " | none |")
    print("| --- | ---: |" + " ---: |" * (len(passes) + 1))
    for path in workloads_of("epic"):
        is_compiled = read_workload(path).program.suffix != ".s"
        if is_compiled and (not names or path.parent.name in names):
            print(row(path, machine, passes), flush=True)


def row(path: Path, machine: str, passes: Sequence[str] = PASSES) -> str:
    """One workload's row; raises RuntimeError if an output is wrong."""

    def cycles(*left_out: str) -> int:
        chosen = ["default", *(f"-{name}" for name in left_out)]
        result: Result = run(path, machine=machine, passes=chosen)
        if result.exit_code:
            raise RuntimeError(f"{path} without {', '.join(left_out)}: {result.status}")
        return result.cycles

    whole = cycles()
    ratios = [cycles(name) / whole for name in passes] + [cycles(*passes) / whole]
    shown = " | ".join("=" if ratio == 1 else f"{ratio:.3f}" for ratio in ratios)
    return f"| {path.parent.name} | {whole:,} | {shown} |".replace(",", " ")


if __name__ == "__main__":
    main(sys.argv[1:])
