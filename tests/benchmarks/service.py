"""What a small run takes of a warm service, of its command, and of the command line, in turn.

    python -m tests.benchmarks.service                 # 15 of each

Seconds by the clock, of `workloads/saxpy` and `workloads/crc32`: a request over HTTP, `simrun
remote`, `simrun`; and of the processor, a request's those of the service and its workers together.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from sim.serve.client import ask
from tests.benchmarks._command import WORKLOADS, command_line
from tests.campaign.killed_studies import below

NAMES = ("saxpy", "crc32")
TICKS = os.sysconf("SC_CLK_TCK")


def main(words: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--times", type=int, default=15)
    given = parser.parse_args(words)
    command = [sys.executable, "-m", "sim"]
    serving = [*command, "serve", "--store", str(WORKLOADS), "--port", "0", "--jobs", "1"]
    with subprocess.Popen(serving, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        try:
            url = server.stdout.readline().decode().split()[-1]
            for name in NAMES:
                _measure(name, url, server.pid, command, 1 if given.shortest else given.times)
        finally:
            server.terminate()


def _measure(name: str, url: str, server: int, command: list[str], times: int) -> None:
    here = str(WORKLOADS / name)
    ways: dict[str, tuple[Callable[[], object], Callable[[], float]]] = {
        "request": (lambda: ask(url, "run", {"name": name}), lambda: _of_processes(server)),
        "simrun remote": (lambda: _run(*command, "remote", url, "run", name), _of_children),
        "simrun": (lambda: _run(*command, "run", here), _of_children),
    }
    seconds: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for turn in range(times + 1):
        for way, (run, processor) in ways.items():
            begin, busy = time.perf_counter(), processor()
            run()
            if turn:  # the first makes all warm
                seconds[way].append((time.perf_counter() - begin, processor() - busy))
    print(f"{name}: seconds by the clock (least, most), of the processor; medians")
    middle = {}
    for way, found in seconds.items():
        clock, busy = zip(*found, strict=True)
        middle[way] = statistics.median(clock), statistics.mean(busy)
        least, most = min(clock), max(clock)
        print(f"  {way:14} {middle[way][0]:.3f} ({least:.3f} to {most:.3f})  {middle[way][1]:.3f}")
    (clock, busy), (whole, all_busy) = middle["request"], middle["simrun"]
    print(
        f"  a request / simrun: {clock / whole:.3f} by the clock, {busy / all_busy:.3f} of the CPU"
    )


def _run(*words: str) -> None:
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def _of_children() -> float:
    """Seconds of the processor that processes took which have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _of_processes(pid: int) -> float:
    """Those that a process takes, and those that it has started."""
    total = 0
    for one in (pid, *below(pid)):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


if __name__ == "__main__":
    main()
