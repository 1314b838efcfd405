"""A study that is killed again and again comes to what an uninterrupted one comes to.

    python -m tests.campaign.killed_studies              # local processes: five SIGKILLs
    python -m tests.campaign.killed_studies --dask       # workers killed, the scheduler restarted

Three kinds of machine, a clock of each level: 300 points.  After every kill of the process that
conducts, no worker of it is left; at the end the store is whole, each point ran once (what was
stored before a kill was not touched after it), and all that it says is equal, byte for byte.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
STUDY = """study: three_kinds
axes:
  code: {{workload: [{programs}]}}
  clock: {{set: clock, from: 1.00 GHz, to: 1.{last:02d} GHz, step: 0.01 GHz}}
"""
PROGRAMS = ("crc32", "gpu/two_breaks", "chip/gemm/f32")
KILLS = ("coordinator", "worker", "all", "coordinator", "worker")
PATIENCE = 5.0
"""Seconds within which workers end that nobody gives tasks to."""


def command(study: Path, store: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "sim", "study", str(study), "--store", str(store), *more]


def start(words: list[str]) -> subprocess.Popen:
    """In a group of its own, which can be killed as a whole."""
    return subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


def below(pid: int) -> list[int]:
    """The processes that a process started, and those that these did."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid:
                found += [int(folder.name), *below(int(folder.name))]
    return found


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return False


def count(store: Path) -> int:
    if not store.exists():
        return 0
    with suppress(sqlite3.Error), closing(sqlite3.connect(store)) as db:
        return db.execute("SELECT count(*) FROM results").fetchone()[0]
    return 0


def seconds(store: Path) -> dict[str, float]:
    with closing(sqlite3.connect(store)) as db:
        return dict(db.execute("SELECT * FROM seconds"))


def contents(store: Path) -> tuple[int, str]:
    """How many points have a right result, and a digest of all that is not seconds."""
    with closing(sqlite3.connect(store)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        points = db.execute("SELECT * FROM points ORDER BY study, position").fetchall()
        ended = [end for (end,) in db.execute("SELECT status FROM points")]
        results = db.execute("SELECT * FROM results ORDER BY key").fetchall()
    done = ended.count("done")
    assert len({point[1] for point in points}) == len(points)
    return done, hashlib.sha256(repr([points, results]).encode()).hexdigest()


def wait_for(store: Path, least: int, process: subprocess.Popen) -> None:
    """Until so many results are stored, or the process has ended."""
    while count(store) < least and process.poll() is None:
        time.sleep(0.05)


def kill(process: subprocess.Popen, whom: str, generator: random.Random) -> None:
    """Send SIGKILL, and see that no worker outlives the process that gives it tasks."""
    workers = below(process.pid)
    if whom == "worker":
        with suppress(ProcessLookupError):
            os.kill(generator.choice(workers), signal.SIGKILL)
        return
    if whom == "all":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        os.kill(process.pid, signal.SIGKILL)
    process.wait()
    until = time.monotonic() + PATIENCE
    while any(map(is_alive, workers)):
        assert time.monotonic() < until, f"left: {[pid for pid in workers if is_alive(pid)]}"
        time.sleep(0.05)


def killed(study: Path, store: Path, points: int, seed: int, jobs: int) -> None:
    """Run the study through five kills to its end."""
    generator = random.Random(seed)
    moments = sorted(generator.sample(range(points // 20, points - points // 10), len(KILLS)))
    process = start(command(study, store, "--jobs", str(jobs)))
    for whom, moment in zip(KILLS, moments, strict=True):
        wait_for(store, moment, process)
        time.sleep(generator.random() * 0.1)
        before = seconds(store)
        kill(process, whom, generator)
        print(f"killed: {whom} after {len(before)} results", flush=True)
        if whom != "worker":
            process = start(command(study, store, "--jobs", str(jobs)))
    assert process.wait() == 0, process.stderr.read().decode()
    after = seconds(store)
    assert all(after[key] == took for key, took in before.items()), "a stored point ran again"


class Cluster:
    """A Dask scheduler and its workers, as processes."""

    def __init__(self) -> None:
        with closing(socket.socket()) as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.start_scheduler()
        self.workers = [self.start_worker() for _ in range(2)]

    def _start(self, module: str, *words: str) -> subprocess.Popen:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        path = f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        return subprocess.Popen(
            [sys.executable, "-m", module, *words],
            start_new_session=True, env={**os.environ, "PYTHONPATH": path}, **quiet,
        )  # fmt: skip

    def start_scheduler(self) -> None:
        words = ("--port", str(self.port), "--no-dashboard", "--host", "127.0.0.1")
        self.scheduler = self._start("distributed.cli.dask_scheduler", *words)

    def start_worker(self) -> subprocess.Popen:
        words = (self.address, "--nthreads", "1", "--no-dashboard", "--nworkers", "1")
        return self._start("distributed.cli.dask_worker", *words)

    def wait(self) -> None:
        from distributed import Client

        with Client(self.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(len(self.workers), timeout=60)

    def kill_worker(self) -> None:
        os.killpg(self.workers[0].pid, signal.SIGKILL)
        self.workers[0] = self.start_worker()

    def restart_scheduler(self) -> None:
        """Workers end with the scheduler that they are of, or join the next one."""
        os.killpg(self.scheduler.pid, signal.SIGKILL)
        time.sleep(1)
        self.start_scheduler()
        for k, worker in enumerate(self.workers):
            with suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)
            self.workers[k] = self.start_worker()

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def on_dask(study: Path, store: Path, points: int, seed: int) -> None:
    """Run the study on a cluster whose workers are killed and whose scheduler is restarted."""
    generator = random.Random(seed)
    moments = sorted(generator.sample(range(points // 20, points - points // 10), 3))
    cluster = Cluster()
    try:
        cluster.wait()
        process = start(command(study, store, "--scheduler", cluster.address))
        steps = (cluster.kill_worker, cluster.restart_scheduler, cluster.kill_worker)
        for moment, step in zip(moments, steps, strict=True):
            wait_for(store, moment, process)
            print(f"{step.__name__} after {count(store)} results", flush=True)
            step()
        assert process.wait() == 0, process.stderr.read().decode()
    finally:
        cluster.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--points", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--dask", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder, "study.yaml")
        programs = ", ".join(f"{ROOT}/workloads/{name}" for name in PROGRAMS)
        study.write_text(STUDY.format(programs=programs, last=given.points // 3 - 1))
        whole, broken = Path(folder, "whole.sqlite"), Path(folder, "broken.sqlite")
        process = start(command(study, whole, "--jobs", str(given.jobs)))
        assert process.wait() == 0, process.stderr.read().decode()
        if given.dask:
            on_dask(study, broken, given.points, given.seed)
        else:
            killed(study, broken, given.points, given.seed, given.jobs)
        found, wanted = contents(broken), contents(whole)
        assert found == wanted, (found, wanted)
        print(f"{found[0]} points, all as in the uninterrupted study")


if __name__ == "__main__":
    main()
