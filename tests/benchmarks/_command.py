"""What all benchmarks share: their command line, and the workloads that a kind of machine runs.

Every benchmark is a module with `main(words)`, the words of its command line.  With `--shortest` it
does all it does on the least there is: that shows that it runs to its end, and measures nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from machines.description.load import load_machine
from sim.baselines.checking import find_workloads
from sim.workload.schema import read_workload

WORKLOADS = Path(__file__).parents[2] / "workloads"


def command_line(module_docstring: str) -> argparse.ArgumentParser:
    """A parser of the options that a benchmark has, to which it adds its own."""
    summary = module_docstring.splitlines()[0]
    parser = argparse.ArgumentParser(description=summary)
    parser.add_argument("--shortest", action="store_true", help="run to the end, measure nothing")
    return parser


def workloads_of(kind: str) -> list[Path]:
    """The workloads whose machine is of a kind; the others do not run there."""
    kinds = {}
    found = []
    for path in find_workloads([WORKLOADS]):
        machine = read_workload(path).form.machine
        if machine not in kinds:
            kinds[machine] = load_machine(machine).kind
        if kinds[machine] == kind:
            found.append(path)
    return found
