"""How fast the cores simulate: processor seconds of the simulation alone, of both trees in turns.

A process of each tree has compiled a workload and run it, unmeasured, before it is measured: cores
are loaded by then, and what is compiled aside or kept on disk is there.  Rows are of programs that
have run long enough to have code of their own, if they ever get any: a tree that makes such code is
told, before it is measured, that it costs little (what it costs: `bound_code`).  Those of the
suite are not.  A measurement is as many runs as take 0.3 s, the process's threads all counted;
memory is new for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.benchmarks._command import WORKLOADS, workloads_of
from tests.benchmarks.then_and_now.programs import Measured
from tests.benchmarks.then_and_now.table import line, ratios_of
from tests.benchmarks.then_and_now.trees import ROOT, Pair, Worker

LEAST_SECONDS = 0.3
"""Of a measurement."""
LEAST_OF_THE_SUITE = 0.1
FIRST_LOOK = 3
"""Pairs of each workload of the suite; those that look slowest are measured as often as a row."""
SLOWEST = 5
SCRIPT = """
import gc, json, resource, sys, threading, time
from dataclasses import replace
from sim.prepared_case import prepare
from sim.runner import compile_workload, execute
from sim.workload.schema import read_workload

COUNTERS = "IA64_INST_RETIRED", "WARP_INSTRUCTIONS"
compiled = {}

def answer(path, least):
    if path not in compiled:
        compiled[path] = compile_workload(read_workload(path))
        gc.collect()
        gc.freeze()  # or the collector takes longer than a short run
    case = compiled[path].workload.case()
    runs = seconds = 0
    while not runs or seconds < least:
        prepared = replace(prepare(compiled[path], case, True), expected={})
        gc.collect()
        begin = time.process_time()
        result = execute(prepared)
        seconds += time.process_time() - begin
        runs += 1
    if result.status != "done":
        raise SystemExit(f"{path}: {result.status} {result.fault}")
    (instructions,) = (result.counters[name] for name in COUNTERS if name in result.counters)
    return {
        "instructions": instructions,
        "seconds": seconds / runs,
        "nanoseconds": seconds / runs / instructions * 1e9,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }

def prepare_code(path):
    try:
        from sim.cores.epic import hot_packets
    except ImportError:
        return answer(path, 0)
    cost = hot_packets.WHOLE, hot_packets.EACH
    hot_packets.WHOLE, hot_packets.EACH = 1_000_000, 0
    for _ in range(3):
        found = answer(path, 0)
        for thread in threading.enumerate():
            if thread is not threading.current_thread():
                thread.join()
    hot_packets.WHOLE, hot_packets.EACH = cost
    return found

for line in sys.stdin:
    path, least = json.loads(line)
    found = prepare_code(path) if least is None else answer(path, least)
    print(json.dumps(found), flush=True)
"""
"""Reads [workload's file, least seconds of a measurement (null: none, but code is made)]; uses
nothing that earlier trees lack, but for that code."""


@contextmanager
def workers(pair: Pair) -> Iterator[tuple[Worker, Worker]]:
    """A process of each tree."""
    with pair[0].opened(SCRIPT) as then, pair[1].opened(SCRIPT) as now:
        yield then, now


@dataclass
class Compared:
    """What both trees answered, pair by pair."""

    then: list[dict] = field(default_factory=list)
    now: list[dict] = field(default_factory=list)

    def measure(
        self, both: Sequence[Worker], files: Sequence[Path], pairs: int, least: float | None
    ):
        """More pairs; who is first changes from one to the next, lest a drift favour one tree."""
        turns = list(zip(both, files, (self.then, self.now), strict=True))
        for _ in range(pairs):
            for worker, file, found in turns:
                found.append(worker.ask(str(file), least))
            turns.reverse()

    def each(self, what: str) -> tuple[list[float], list[float]]:
        """One of the figures, then and now."""
        return [run[what] for run in self.then], [run[what] for run in self.now]

    @property
    def ratios(self) -> list[float]:
        """Of what an instruction takes, now to then, pair by pair."""
        return ratios_of(*self.each("nanoseconds"))


def simulation(row: Measured, pair: Pair, pairs: int, shortest: bool) -> Iterator[str]:
    """The seconds of a run.  Ratios are of an instruction: compilers may differ."""
    found = Compared()
    with TemporaryDirectory() as folder, workers(pair) as both:
        files = [row.write(Path(folder), shortest)] * 2
        if not shortest:
            Compared().measure(both, files, 1, None)
        single = row.once or shortest
        found.measure(both, files, 1 if single else pairs, 0 if single else LEAST_SECONDS)
    before, after = (side[0]["instructions"] for side in (found.then, found.now))
    yield line(row.name, *found.each("seconds"), instructions=after, ratios=found.ratios)
    if before != after:
        yield f"    then it was {before} instructions"
    if row.memory:
        yield line("    nanoseconds of an instruction", *found.each("nanoseconds"), digits=2)
        yield line("    most memory, MB", *found.each("megabytes"), digits=0)


def suite(pair: Pair, pairs: int, shortest: bool) -> Iterator[str]:
    """Every workload's first case, then the ratio in the middle, and those that looked slowest
    again, more often."""
    names = [str(path.relative_to(ROOT)) for path in workloads_of("epic")]
    names += sorted(str(path.relative_to(ROOT)) for path in WORKLOADS.glob("loops/*/*.yaml"))
    there = [name for name in names if (pair[0].path / name).exists()]
    found: dict[str, Compared] = {}
    least = 0 if shortest else LEAST_OF_THE_SUITE

    def look(name: str, pairs: int) -> str:
        """Measure a workload: its row."""
        files = [tree.path / name for tree in pair]
        found[name] = one = Compared()
        one.measure(both, files, pairs, least)
        counted = one.now[0]["instructions"]
        title = name.removeprefix("workloads/").removesuffix(".yaml").removesuffix("/workload")
        seconds = one.each("seconds")
        return line(title, *seconds, digits=4, instructions=counted, ratios=one.ratios)

    def slowness(name: str) -> float:
        return median(found[name].ratios)

    with workers(pair) as both:
        for name in there[:2] if shortest else there:
            Compared().measure(both, [tree.path / name for tree in pair], 1, 0)
            yield look(name, 1 if shortest else FIRST_LOOK)
        ordered = sorted(found, key=slowness)
        yield f"in the middle of {len(ordered)}: {slowness(ordered[len(ordered) // 2]):.2f}; again:"
        for name in [] if shortest else reversed(ordered[-SLOWEST:]):
            yield look(name, pairs)
