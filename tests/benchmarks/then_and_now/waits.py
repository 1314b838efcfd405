"""How long one waits until something runs: starts, first and further compilations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from tests.benchmarks.then_and_now.table import line
from tests.benchmarks.then_and_now.trees import Pair, in_turns

SIMRUN = ("-m", "sim")
"""The command line of whatever tree stands first on the path."""
SMALL = "workloads/crc32/workload.yaml"
FIRST = """
import resource, sys
from sim.runner import warm_up
warm_up(sys.argv[1])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
COMPILE = """
import gc, json, sys, time
from compiler import compile
from machines.description.load import load_machine
from sim import runner
from sim.workload.schema import read_workload

read = 0.0

def timed(*words):  # a machine of its own for each program, as each process has
    global read
    begin = time.process_time()
    machine = load_machine(*words)
    read += time.process_time() - begin
    return machine

def seconds(make):
    gc.collect()
    begin = time.process_time() - read
    make()
    return time.process_time() - read - begin

runner.load_machine = timed
names = [name for name in sys.argv[1:] if name.endswith(".yaml")]
for name in names[:1]:
    runner.compile_workload(read_workload(name))  # imports
found = {}
for name in names:
    workload = read_workload(name)
    found[name] = seconds(lambda: runner.compile_workload(workload))
for name in sys.argv[1:]:
    if name not in names:
        path, _, entry = name.partition(":")
        machine = load_machine("itanium2")
        found[name] = seconds(lambda: compile(path, machine=machine, entry=entry or None))
print(json.dumps(found))
"""


def starts(pair: Pair, pairs: int) -> Iterator[str]:
    """A small workload when everything is kept, and the least that numba takes to be imported."""
    words = (*SIMRUN, SMALL)
    in_turns(pair, min(pairs, 2), *words)  # compile and keep
    then, now = ([seconds for seconds, _ in side] for side in in_turns(pair, pairs, *words))
    numba = [pair[1].run("-c", "import numba")[0] for _ in range(pairs)]
    yield line(f"simrun {SMALL}", then, now)
    yield f"    of `import numba` ({median(numba):.2f} s): {median(now) / median(numba):.2f}"
    help = in_turns(pair, pairs, *SIMRUN, "--help")
    then, now = ([seconds for seconds, _ in side] for side in help)
    yield line("simrun --help", then, now)


def first_compilations(pair: Pair, pairs: int) -> Iterator[str]:
    """Every kind's core from an empty cache: seconds and megabytes."""
    for kind in ("epic", "simt"):
        then, now = in_turns(pair, pairs, "-c", FIRST, kind, fresh=True)
        yield line(f"first compilation, {kind}", *([s for s, _ in side] for side in (then, now)))
        sizes = ([float(out) for _, out in side] for side in (then, now))
        yield line("    most memory, MB", *sizes, digits=0)


def compilations(
    pair: Pair, pairs: int, workloads: Sequence[str], programs: Sequence[str]
) -> Iterator[str]:
    """Programs compiled, none kept, by a process that has compiled before; without the reading of
    machines, which are kept."""
    sides = in_turns(pair, pairs, "-c", COMPILE, *workloads, *programs)
    found = [[json.loads(out) for _, out in side] for side in sides]
    medians = [{name: median(run[name] for run in side) for name in side[0]} for side in found]
    ratios = [medians[1][name] / medians[0][name] for name in workloads]
    totals = [[sum(run[name] for name in workloads) for run in side] for side in found]
    yield line(f"{len(workloads)} programs of the suite, together", *totals)
    yield f"    ratio of the program in the middle: {median(ratios):.2f}"
    for name in programs:
        yield line(Path(name).name, *([run[name] for run in side] for side in found))
