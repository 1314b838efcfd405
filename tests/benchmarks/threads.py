"""What a second thread of the host gives a run on a GPU, beside what a second process gives.

    python -m tests.benchmarks.threads [--rounds 7]

Of each program, in turns: one thread, two threads, and two processes at the same time, each of them
with one thread.  Seconds of the wall clock, of the simulation alone: medians.  A second thread can
give no more than the host has to give, which two processes show.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from sim.prepared_case import prepare
from sim.runner import Compiled, compile_workload, execute
from sim.workload.schema import read_workload
from tests.benchmarks._command import command_line
from tests.benchmarks.then_and_now.programs import measured

PROGRAMS, ROUNDS = ("saxpy", "sgemm"), 7


def seconds(compiled: Compiled, threads: int) -> float:
    """Of one run."""
    prepared = replace(prepare(compiled, compiled.workload.case(), True), expected={})
    return execute(prepared, threads=threads).host["simulate_seconds"]


def serve(path: Path, pipe) -> None:
    """A process that runs a workload as often as it is asked."""
    compiled = compile_workload(read_workload(path))
    seconds(compiled, 1)
    while threads := pipe.recv():
        pipe.send(seconds(compiled, threads))


def compare(name: str, path: Path, rounds: int) -> str:
    """A line of the table."""
    context = get_context("spawn")
    ends = [context.Pipe() for _ in range(2)]
    processes = [context.Process(target=serve, args=(path, there)) for _, there in ends]
    for process in processes:
        process.start()
    first, second = (here for here, _ in ends)
    one, two, beside = [], [], []
    for _ in range(rounds):
        for threads, found in ((1, one), (2, two)):
            first.send(threads)
            found.append(first.recv())
        for pipe in (first, second):
            pipe.send(1)
        beside.append(max(first.recv(), second.recv()))
    for pipe, process in zip((first, second), processes, strict=True):
        pipe.send(0)
        process.join()
    alone = median(one)
    threads, both = alone / median(two), 2 * alone / median(beside)
    return (
        f"{name:10}{alone:12.3f}{median(two):14.3f}{threads:10.2f}{both:17.2f}"
        f"{threads / both:12.0%}"
    )


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of each ({ROUNDS})")
    options = parser.parse_args(words)
    print("program      one thread   two threads     gain   two processes   of these")
    with TemporaryDirectory() as folder:
        for row in measured():
            if row.name in PROGRAMS:
                path = row.write(Path(folder), options.shortest)
                print(compare(row.name, path, 1 if options.shortest else options.rounds))


if __name__ == "__main__":
    main(sys.argv[1:])
