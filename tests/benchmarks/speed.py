"""How long one waits for simrun, now and at an earlier revision: starts, compilations.

    python -m tests.benchmarks.speed --against REVISION [--pairs 7] [--programs FILE.ll:ENTRY …]

The revision is checked out beside this tree and runs with the same interpreter and packages.  Each
figure is processor time of both trees in turns, with caches of their own and byte code on disk: the
medians, their ratio, and where the middle half of the pairs' ratios lies.  What one run printed can
be compared; hosts differ by a factor of three.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from machines.kept.cache_folder import cache_folder
from tests.benchmarks._command import WORKLOADS, command_line
from tests.benchmarks.core_speed import CALIBRATION_STEPS, calibration

ROOT = Path(__file__).parents[2]
PAIRS, COMPILATIONS = 7, 3
ROW = "{:44} {:>9} {:>9} {:>7} {:>13}"
SIMRUN = ("-m", "sim")
"""The command line of whatever tree stands first on the path."""
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


@dataclass(frozen=True)
class Tree:
    """A checkout, and its own cache folder."""

    path: Path
    cache: Path

    def run(self, *words: str, fresh: bool = False) -> tuple[float, str]:
        """Processor seconds and output of Python with this tree first on its path."""
        cache = Path(tempfile.mkdtemp(dir=self.cache)) if fresh else self.cache
        names = ("PYTHONDONTWRITEBYTECODE", "SIMRUN_CACHE")
        inherited = {name: value for name, value in os.environ.items() if name not in names}
        environment = {**inherited, "PYTHONPATH": str(self.path), "SIMRUN_CACHE": str(cache)}
        before = os.times()
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.path,
            env=environment,
            capture_output=True,
            text=True,
        )
        after = os.times()
        if done.returncode:
            raise SystemExit(f"{self.path}: {done.stderr}")
        spent = after.children_user + after.children_system
        return spent - before.children_user - before.children_system, done.stdout


@contextmanager
def trees(revision: str, cache: Path | None = None) -> Iterator[tuple[Tree, Tree]]:
    """This tree as it is, and the revision's, checked out while this is open; with caches of their
    own, or both with one that is there."""
    with tempfile.TemporaryDirectory(prefix="simrun-speed-") as folder:
        then = Path(folder, "then")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "-q", str(then), revision], check=True)
        try:
            caches = [cache or Path(tempfile.mkdtemp(dir=folder)) for _ in range(2)]
            yield Tree(then, caches[0]), Tree(ROOT, caches[1])
        finally:
            subprocess.run([*git, "remove", "--force", str(then)], check=True)
            shutil.rmtree(then, ignore_errors=True)


def line(name: str, then: Sequence[float], now: Sequence[float], digits: int = 2) -> str:
    """A row of the table: medians, their ratio, and the middle half of the pairs' ratios."""
    ratios = [new / old for old, new in zip(then, now, strict=True)]
    low, _, high = quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    old, new = median(then), median(now)
    return ROW.format(
        name,
        f"{old:.{digits}f}",
        f"{new:.{digits}f}",
        f"{new / old:.2f}",
        f"{low:.2f} – {high:.2f}",
    )


def in_turns(
    pair: tuple[Tree, Tree], pairs: int, *words: str, fresh: bool = False
) -> list[list[tuple[float, str]]]:
    """(seconds, output) of the same words in both trees: of the first, of the second."""
    found: list[list[tuple[float, str]]] = [[], []]
    for _ in range(pairs):
        for tree, results in zip(pair, found, strict=True):
            results.append(tree.run(*words, fresh=fresh))
    return found


def starts(pair: tuple[Tree, Tree], pairs: int) -> Iterator[str]:
    """A small workload when everything is kept, and the least that numba takes to be imported."""
    workload = str(WORKLOADS / "crc32" / "workload.yaml")
    words = (*SIMRUN, workload)
    in_turns(pair, min(pairs, 2), *words)  # compile and keep
    then, now = ([seconds for seconds, _ in side] for side in in_turns(pair, pairs, *words))
    numba = [pair[1].run("-c", "import numba")[0] for _ in range(pairs)]
    yield line("simrun workloads/crc32/workload.yaml", then, now)
    yield f"    of `import numba` ({median(numba):.2f} s): {median(now) / median(numba):.2f}"
    help = in_turns(pair, pairs, *SIMRUN, "--help")
    then, now = ([seconds for seconds, _ in side] for side in help)
    yield line("simrun --help", then, now)


def first_compilations(pair: tuple[Tree, Tree], pairs: int) -> Iterator[str]:
    """Every kind's core from an empty cache: seconds and megabytes."""
    for kind in ("epic", "simt"):
        then, now = in_turns(pair, pairs, "-c", FIRST, kind, fresh=True)
        yield line(f"first compilation, {kind}", *([s for s, _ in side] for side in (then, now)))
        sizes = ([float(out) for _, out in side] for side in (then, now))
        yield line("    most memory, MB", *sizes, digits=0)


def compilations(
    pair: tuple[Tree, Tree], pairs: int, workloads: Sequence[str], programs: Sequence[str]
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


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--against", default="HEAD", metavar="REVISION")
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"measurements ({PAIRS})")
    parser.add_argument("--programs", nargs="*", default=[], metavar="FILE[:ENTRY]")
    options = parser.parse_args(words)
    suite = sorted(str(path.relative_to(ROOT)) for path in WORKLOADS.glob("*/workload.yaml"))
    pairs, steps = options.pairs, CALIBRATION_STEPS
    if options.shortest:
        pairs, steps, suite = 1, 1000, suite[:1]
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"calibration {calibration(steps):.0f} M steps/s, {os.cpu_count()} CPUs, load {load}")
    print(ROW.format("processor seconds", "then", "now", "ratio", "middle half"))
    with trees(options.against, cache_folder() if options.shortest else None) as pair:
        programs = [str(Path(name).resolve()) for name in options.programs]
        parts = [starts(pair, pairs), compilations(pair, pairs, suite, programs)]
        if not options.shortest:
            parts.append(first_compilations(pair, min(pairs, COMPILATIONS)))
        for part in parts:
            for text in part:
                print(text, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
