"""Our code beside what ptxas makes of the same PTX: instructions, loops, pipes, registers.

    python -m tests.benchmarks.against_ptxas                       the kernels of workloads/gpu
    python -m tests.benchmarks.against_ptxas FILES --loops         any PTX, each loop of it
    python -m tests.benchmarks.against_ptxas FILES --machine a100  for sm_80
    python -m tests.benchmarks.against_ptxas --executed            workloads run, by both codes

needs ptxas and nvdisasm of a CUDA toolkit, or their packages (nvidia-cuda-nvcc,
nvidia-cuda-nvdisasm).  Our instructions are the issue slots of the rows: a division has as many as
the sequence that it stands for.  Both codes are counted from the kernel's start, without padding
and without what only calls reach (the slow paths of ptxas's divisions and roots).  Parameters,
which are mostly operands of the hardware's instructions, are rows of ours.

With --executed the FILES are workloads: each is run here, and ptxas's code is executed from the
same memory at each launch, without time.  So the instructions that warps issue are counted on both
sides; that the arrays are equal shows that the code was understood.  `stalls` are the cycles that
what issued keeps its warp from issuing by its stall count: what a warp alone needs if it waits for
no memory, by ptxas's real control bits and by ours.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median

from machines.description.load import Machine, load_machine
from sim.workload.schema import read_workload
from tests.benchmarks._command import WORKLOADS, command_line
from tests.benchmarks.sass import beside
from tests.benchmarks.sass.beside import Pair, Refused
from tests.benchmarks.sass.code import Code
from tests.benchmarks.sass.families import PIPES, PURPOSES
from tests.benchmarks.sass.launches import compared
from tests.benchmarks.sass.toolkit import PACKAGES, missing_tools

BY_CONTROL_BITS = "dependences.kind=control_bits"
"""So that our code has them, too."""
LONGEST = 60
"""Letters of a kernel's name in the table."""


def main(words: Sequence[str]) -> None:
    """Print a row for each kernel, then deviations and where the slots are."""
    parser = command_line(__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="PTX (default: that of workloads/gpu)")
    parser.add_argument("--machine", default="h100", help="whose target, and whose pipes (h100)")
    parser.add_argument("--loops", action="store_true", help="print each loop of each kernel")
    parser.add_argument("--executed", action="store_true", help="run workloads, count what issues")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all counts there, too")
    asked = parser.parse_args(words)
    if missing := missing_tools():
        wanted = " ".join(PACKAGES[tool] for tool in missing)
        print(f"there is no {' and no '.join(missing)}: pip install {wanted}", file=sys.stderr)
        sys.exit(2)
    if asked.executed:
        workloads = asked.files or sorted((WORKLOADS / "gpu").glob("*/workload.yaml"))
        executed(workloads[: 1 if asked.shortest else None], asked.machine)
        return
    machine = load_machine(asked.machine, [BY_CONTROL_BITS])
    files = asked.files or sorted((WORKLOADS / "gpu").glob("*/*.ptx"))
    report(files[: 1 if asked.shortest else None], machine, asked.loops, asked.json)


def report(
    files: Iterable[Path], machine: Machine, with_loops: bool = False, saved: Path | None = None
) -> None:
    """Compile the files and print the tables."""
    print(_table_row("kernel", *_both("slots", "in loops", "registers", "local bytes")))
    print(_table_row("---", *["---:"] * 8))
    pairs: list[Pair] = []
    refused: list[Refused] = []
    for found in beside.beside(files, machine):
        if isinstance(found, Refused):
            refused.append(found)
            continue
        pairs.append(found)
        print(_row(found))
        if with_loops:
            print("\n".join(_loop_rows(found)))
    for one in refused:
        print(f"refused by {one.by}: {one.path} {one.kernel or ''} {one.why}")
    if pairs:
        _deviations(pairs)
        _where(pairs, "purpose", PURPOSES)
        _where(pairs, "pipe", PIPES)
    if saved:
        saved.write_text(json.dumps([as_json(pair) for pair in pairs], indent=1))


def executed(workloads: Iterable[Path], machine: str) -> None:
    """Run the workloads and print a row for each kernel: warp instructions of all its launches."""
    head = ("kernel", "launches", "slots", "of ptxas", "ratio", "stalls", "of ptxas", "ratio")
    print(_table_row(*head, "differing bytes"))
    print(_table_row("---", *["---:"] * 8))
    ratios, stalls = [], []
    for workload in workloads:
        program = workload.parent / read_workload(workload).form.program
        if program.suffix != ".ptx":
            continue
        for found in compared(workload, program, machine, [BY_CONTROL_BITS]):
            name, ours, theirs = found.kernel[:LONGEST], found.ours, found.theirs
            if theirs is None:
                why = f"not executed: {found.why}"
                print(
                    _table_row(name, found.launches, ours.issued, "", "", ours.stalls, "", "", why)
                )
                continue
            ratios.append(ours.issued / theirs.issued)
            stalls.append(ours.stalls / theirs.stalls)
            issued = (ours.issued, theirs.issued, f"{ratios[-1]:.3f}")
            stalled = (ours.stalls, theirs.stalls, f"{stalls[-1]:.3f}")
            differing = f"{found.differing} of {found.written}"
            print(_table_row(name, found.launches, *issued, *stalled, differing))
    for what, found in (("instructions executed", ratios), ("cycles by stall counts", stalls)):
        if found:
            off = [abs(ratio - 1) for ratio in found]
            print(
                f"{len(found)} kernels; {what}: off by {median(off):.1%} in the median,"
                f" {median(found) - 1:+.1%} with its sign, {sum(off) / len(off):.1%} on average"
            )


def _row(pair: Pair) -> str:
    ours, theirs = pair.ours, pair.theirs
    cells = [
        ours.name[:LONGEST],
        ours.slots(),
        theirs.slots(),
        ours.slots(ours.in_loops),
        theirs.slots(theirs.in_loops),
        ours.registers,
        theirs.registers,
        ours.local,
        theirs.local,
    ]
    return _table_row(*cells)


def _both(*names: str) -> list[str]:
    return [cell for name in names for cell in (name, "of ptxas")]


def _table_row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _loop_rows(pair: Pair) -> Iterable[str]:
    for whose, code in (("ours", pair.ours), ("ptxas", pair.theirs)):
        for number, loop in enumerate(code.loops):
            lines = code.lines(loop.places)
            where = f"lines {min(lines)}–{max(lines)}" if lines else "no lines"
            pipes = _in_words(code.by("pipe", loop.places), PIPES)
            name = f"{whose} {'  ' * loop.depth}loop {number}, {where}"
            cycles = f"{code.cycles(loop.places)} cycles by stall counts"
            yield f"    {name:44} {code.slots(loop.places):5}, {cycles}: {pipes}"


def _in_words(counts: Counter[str], order: Sequence[str]) -> str:
    return ", ".join(f"{name} {counts[name]}" for name in order if counts[name])


def _deviations(pairs: Sequence[Pair]) -> None:
    def off(what: Callable[[Code], int], of: Sequence[Pair]) -> str:
        found = [what(p.ours) / what(p.theirs) - 1 for p in of]
        return (
            f"off by {median(map(abs, found)):.1%} in the median, {median(found):+.1%} with its"
            f" sign, {sum(map(abs, found)) / len(found):.1%} on average"
        )

    looping = [p for p in pairs if p.ours.in_loops and p.theirs.in_loops]
    beyond = [p.ours.name for p in pairs if abs(p.ours.registers - p.theirs.registers) > 8]
    print(f"{len(pairs)} kernels")
    print(f"slots: {off(lambda c: c.slots(), pairs)}")
    if looping:
        print(f"slots in loops: {off(lambda c: c.slots(c.in_loops), looping)}")
    print(f"registers: {off(lambda c: c.registers, pairs)}; more than 8 apart: {len(beyond)}")


def _where(pairs: Sequence[Pair], what: str, order: Sequence[str]) -> None:
    """Slots of all kernels by pipe or purpose, whole and in loops."""
    print(_table_row(what, *_both("slots", "in loops")))
    print(_table_row("---", *["---:"] * 4))
    whole = [Counter[str](), Counter[str]()]
    inside = [Counter[str](), Counter[str]()]
    for pair in pairs:
        for side, code in enumerate((pair.ours, pair.theirs)):
            whole[side] += code.by(what)
            inside[side] += code.by(what, code.in_loops)
    for name in order:
        cells = [whole[0][name], whole[1][name], inside[0][name], inside[1][name]]
        if any(cells):
            print(_table_row(name, *cells))


def as_json(pair: Pair) -> dict[str, object]:
    """All counts of a pair."""

    def side(code: Code) -> dict[str, object]:
        return {
            "slots": code.slots(),
            "registers": code.registers,
            "local": code.local,
            "subroutines": code.subroutines,
            "pipes": code.by("pipe"),
            "purposes": code.by("purpose"),
            "loops": [
                {
                    "depth": loop.depth,
                    "innermost": loop.innermost,
                    "lines": sorted(code.lines(loop.places)),
                    "slots": code.slots(loop.places),
                    "cycles": code.cycles(loop.places),
                    "pipes": code.by("pipe", loop.places),
                    "purposes": code.by("purpose", loop.places),
                }
                for loop in code.loops
            ],
        }

    return {
        "file": pair.path.name,
        "kernel": pair.ours.name,
        "ours": side(pair.ours),
        "ptxas": side(pair.theirs),
    }


if __name__ == "__main__":
    main(sys.argv[1:])
