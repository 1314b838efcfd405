"""What a study costs beside plain loops over the same points.

    python -m tests.benchmarks.studies                 # 7 pairs, 60 points each

Points are clocks of crc32 on an itanium2, whose program is kept.  First one process: seconds of a
point as a worker runs it, and of `sim.run` on the same machine, in turn.  Then two: a whole study
with two workers (its start, its store), and two loops of `sim.run` over halves of the points, in
processes as warm as the workers, in turn; the loops have the time that the later one takes.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import sim
from machines.cache.results import kept_results
from sim.studies.plan import Setting
from sim.studies.point import run_point
from tests.benchmarks._command import WORKLOADS, command_line

CRC32 = WORKLOADS / "crc32"
STUDY = """study: clocks
workload: {workload}
axes:
  clock: {{set: clock, from: {first} MHz, to: {last} MHz, step: 1 MHz}}
"""
LOOP = """
import sys, sim
for clock in sys.argv[2:]:
    assert sim.run(sys.argv[1], overrides=[f"clock={clock} MHz"]).ok
"""


def main(words: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--points", type=int, default=60)
    parser.add_argument("--pairs", type=int, default=7)
    given = parser.parse_args(words)
    points, pairs = (2, 1) if given.shortest else (given.points, given.pairs)
    print("one process, milliseconds of the processor a point")
    as_point, as_run = _one_process(2 if given.shortest else 10 * pairs)
    _print("a worker's point", as_point, 1e3)
    _print("sim.run", as_run, 1e3)
    print(f"ratio {statistics.median(as_point) / statistics.median(as_run):.2f}")
    print(f"two processes, seconds for {points} points")
    study, loops = [], []
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(pairs):
            first = 1000 + pair * points
            study.append(_study(Path(folder), first, points))
            loops.append(_loops(first, points))
    _print("a study", study, 1)
    _print("two loops", loops, 1)
    print(f"rate {statistics.median(loops) / statistics.median(study):.3f} of the loops'")


def _one_process(count: int) -> tuple[list[float], list[float]]:
    """Seconds of the processor: of points, of `sim.run`, in turn."""
    found: tuple[list[float], list[float]] = [], []
    with kept_results():
        for k in range(count + 1):
            changes = [f"clock={3000 + k} MHz"]
            setting = Setting(str(CRC32), overrides=tuple(changes))
            for seconds, run in zip(
                found,
                (lambda: run_point(setting), lambda: sim.run(CRC32, overrides=changes)),  # noqa: B023
                strict=True,
            ):
                begin = time.process_time()
                run()
                seconds.append(time.process_time() - begin)
    return found[0][1:], found[1][1:]


def _study(folder: Path, first: int, points: int) -> float:
    """Seconds of a whole study."""
    path = folder / f"{first}.yaml"
    path.write_text(STUDY.format(workload=CRC32, first=first, last=first + points - 1))
    begin = time.perf_counter()
    command = [sys.executable, "-m", "sim", "study", str(path), "--jobs", "2"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def _loops(first: int, points: int) -> float:
    """Seconds of two loops, each over every second point."""
    begin = time.perf_counter()
    clocks = [str(first + k) for k in range(points)]
    loops = [
        subprocess.Popen([sys.executable, "-c", LOOP, str(CRC32), *clocks[half::2]])
        for half in range(2)
    ]
    codes = [loop.wait() for loop in loops]
    assert codes == [0, 0]
    return time.perf_counter() - begin


def _print(name: str, seconds: Sequence[float], unit: float) -> None:
    least, middle, most = (f(seconds) * unit for f in (min, statistics.median, max))
    print(f"  {name:18} {middle:8.2f}  ({least:.2f} to {most:.2f})")


if __name__ == "__main__":
    main()
