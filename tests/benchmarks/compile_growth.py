"""How compile time grows with a program, pass by pass and outside of the passes.

    python -m tests.benchmarks.compile_growth
    python -m tests.benchmarks.compile_growth --machine teaching_gpu --shapes diamonds live
    python -m tests.benchmarks.compile_growth --sizes 1000 3000 10000 --most 60 --until select

The programs are those of `tests.programs.growing_programs`.  Figures are microseconds of processor
time for an instruction; the exponent is the slope of the straight line that fits the logarithms of
time and size best, for what takes a hundredth of the whole or more: 1 is time that grows as the
program does.  `reading` is the text's way to a module, `outside` what else lies between the passes:
copying, verifying, emission.  The passes of a target work on its own instructions, which may grow
faster than those that are read (values that find no register are loaded at each use): how many
there are in the end is shown under the sizes.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections.abc import Sequence

from compiler import compile, read_source
from compiler.analyses.cache import collector_paused
from compiler.ir.copy import copy_function
from compiler.ir.module import IR_FORMS, Function, Module
from compiler.ir.printer import print_module
from compiler.pass_lists import default_passes, make_neutral_steps, passes
from compiler.pipelines import Report, run_steps
from machines.description.load import Machine, load_machine
from tests.benchmarks._command import command_line
from tests.programs.growing_programs import SHAPES, growing

SIZES = (1_000, 10_000, 100_000)
MOST_SECONDS = 300
READING, OUTSIDE, WHOLE = "reading", "outside", "whole"
SIZE, CODE = "instructions", "left by the passes"


def measure(shape: str, size: int, machine: Machine, until: str | None) -> dict[str, float]:
    """Seconds by pass, of the reading, of the rest and of the whole; and instructions, as read
    (`size`) and as left by the passes (`code`)."""
    source = print_module(growing(shape, size))
    gc.collect()
    begin = time.process_time()
    with collector_paused():
        module = read_source("grow.sir", machine=machine, source=source)
    read = time.process_time()
    (function,) = module.functions.values()
    left = copy_function(function)
    if until is None:
        again = time.process_time()
        compilation = compile("grow.sir", machine=machine, source=source)
        whole = time.process_time() - again
        left, report = compilation.function, compilation.report
    else:
        report = _run_neutral(left, module, machine, until)
        whole = time.process_time() - begin
    seconds: dict[str, float] = {}
    for step in report.steps:
        seconds[step.name] = seconds.get(step.name, 0.0) + step.seconds
    seconds |= {
        READING: read - begin,
        OUTSIDE: whole - (read - begin) - sum(seconds.values()),
        WHOLE: whole,
    }
    counts = {SIZE: function, CODE: left}
    return {name: sum(1 for _ in f.instructions()) for name, f in counts.items()} | seconds


def _run_neutral(function: Function, module: Module, machine: Machine, until: str) -> Report:
    """The passes in front of the first of a name, which leave IR."""
    order = default_passes(machine.kind)
    if until not in order:
        raise SystemExit(f"'{until}' is no pass of {machine.name}: {', '.join(order)}")
    names = list(order[: order.index(until)])
    known = passes(machine.kind)
    assert all(known[name].forms.keys() & set(IR_FORMS) for name in names)
    return run_steps(make_neutral_steps(names, machine.kind), function, module, machine)


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of the line of least squares through the logarithms."""
    points = [(math.log(n), math.log(max(s, 1e-6))) for n, s in zip(sizes, seconds, strict=True)]
    x, y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def report(
    shape: str, sizes: Sequence[int], machine: Machine, most: float, until: str | None
) -> list[str]:
    """A line for each pass; sizes whose compilation would take more than `most` are left out."""
    taken: list[dict[str, float]] = []
    for size in sizes:
        if taken and taken[-1][WHOLE] * size / taken[-1][SIZE] > most:
            break
        taken.append(measure(shape, size, machine, until))
    found, code = ([one[name] for one in taken] for name in (SIZE, CODE))
    lines = [
        f"{shape} on {machine.name}",
        _line(SIZE, [f"{n:.0f}" for n in found]),
        _line(CODE, [f"{n:.0f}" for n in code], _slope(found, code)),
    ]
    for name in sorted(taken[-1].keys() - {SIZE, CODE}, key=lambda name: -taken[-1][name]):
        seconds = [one.get(name, 0.0) for one in taken]
        if seconds[-1] >= taken[-1][WHOLE] / 100:
            shown = [f"{1e6 * s / n:.1f}" for s, n in zip(seconds, found, strict=True)]
            lines.append(_line(name, shown, _slope(found, seconds)))
    return lines


def _slope(sizes: Sequence[float], figures: Sequence[float]) -> str:
    return f"{exponent(sizes, figures):.2f}" if len(sizes) > 1 else ""


def _line(name: str, columns: Sequence[str], slope: str = "") -> str:
    return f"{name:24}" + "".join(f"{column:>10}" for column in columns) + f"{slope:>8}".rstrip()


def main(words: Sequence[str]) -> int:
    parser = command_line(__doc__)
    parser.add_argument("--machine", default="itanium2")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="instructions")
    parser.add_argument(
        "--most", type=float, default=MOST_SECONDS, help="seconds for one, if time grew evenly"
    )
    parser.add_argument("--until", help="only the passes before the first of this name")
    given = parser.parse_args(words)
    sizes = (30, 60) if given.shortest else given.sizes
    machine = load_machine(given.machine)
    for shape in given.shapes:
        if not given.shortest:  # what is loaded by need
            report(shape, [100], machine, given.most, given.until)
        print("\n".join(report(shape, sizes, machine, given.most, given.until)), "\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
