"""The pool's workers die, are slow, and cannot be started; who asks is answered all the same.

In place of processes there are workers of this one, so that each end comes when it should.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.serve import pool as pools
from sim.serve.messages import AskedToRun
from sim.serve.pool import Busy, Pool
from sim.serve.work import Answered, Place
from sim.workers import Died

PLACE = Place(Path("store"), 1 << 30)
RIGHT = Answered(200, b"{}", 100)
KILLED = Died(-9)


class Worker:
    """One of them; `starts` says whether it is warm in the end."""

    def __init__(self, starts: bool):
        self.starts, self.dead, self.asked = starts, False, 0
        self._killed = threading.Event()

    def is_there(self) -> bool:
        return not self.dead

    def kill(self) -> None:
        self.dead = True
        self._killed.set()

    end = kill

    def ask(self, task: object, seconds: float) -> object:
        if isinstance(task, Place):
            self.dead |= not self.starts
        if self.dead:
            return KILLED
        if isinstance(task, Place):
            return 100
        self.asked += 1
        if task.name == "long" and self._killed.wait(seconds):
            return KILLED
        return RIGHT


class Workers:
    """Those that are started; the numbers are of those that die as they start."""

    def __init__(self, *dying: int):
        self.all: list[Worker] = []
        self.dying = dying

    def start(self, work: Callable) -> Worker:
        self.all.append(Worker(len(self.all) not in self.dying))
        return self.all[-1]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "GRACE", 0.05)
    monkeypatch.setattr(pools, "PAUSES", (0.0, 0.0))


def in_pool(workers: Workers, monkeypatch: pytest.MonkeyPatch, do: Callable, jobs: int = 1):
    monkeypatch.setattr(pools, "start", workers.start)

    async def run() -> object:
        pool = await Pool.open(PLACE, jobs, waiting=2, seconds=20)
        try:
            return await asyncio.wait_for(do(pool), 20)
        finally:
            await asyncio.wait_for(pool.rest(), 20)
            pool.close()

    return asyncio.run(run())


def asked(name: str = "short") -> AskedToRun:
    return AskedToRun(name=name)


def test_who_comes_after_a_death_at_rest_is_answered(monkeypatch: pytest.MonkeyPatch):
    workers = Workers()

    async def do(pool: Pool) -> Answered:
        workers.all[0].dead = True
        return await pool.ask(asked())

    assert in_pool(workers, monkeypatch, do) is RIGHT
    assert [worker.asked for worker in workers.all] == [0, 1]


@pytest.mark.parametrize("dying", [(1,), (1, 2), (1, 2, 3, 4)])
def test_a_worker_that_dies_as_it_starts_is_started_again(
    monkeypatch: pytest.MonkeyPatch, dying: tuple[int, ...], capsys: pytest.CaptureFixture
):
    """By whoever replaced it, or else by who asks next: nobody meets a dead one."""
    workers = Workers(*dying)

    async def do(pool: Pool) -> list[Answered]:
        workers.all[0].dead = True
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(workers.all[0], "is_there", lambda: True)  # it dies as it is asked
            first = await pool.ask(asked())
        await pool.rest()
        return [first, await pool.ask(asked())]

    first, second = in_pool(workers, monkeypatch, do)
    assert first.status == 422 and b"this cannot be done here" in first.body
    assert second is RIGHT
    assert "no worker could be started" in capsys.readouterr().err


def test_where_none_can_be_started_it_is_said_and_tried_again(monkeypatch: pytest.MonkeyPatch):
    workers = Workers(1, 2, 3)

    async def do(pool: Pool) -> Answered:
        workers.all[0].dead = True
        with pytest.raises(Busy):
            await pool.ask(asked())
        await pool.rest()
        return await pool.ask(asked())

    assert in_pool(workers, monkeypatch, do) is RIGHT


def test_what_nobody_waits_for_holds_no_worker(monkeypatch: pytest.MonkeyPatch):
    workers = Workers()

    async def do(pool: Pool) -> Answered:
        for _ in range(3):
            left = asyncio.ensure_future(pool.ask(asked("long")))
            await asyncio.sleep(0.01)
            left.cancel()
            answered = await pool.ask(asked())  # as soon as another worker is there
            assert pool._asked == 0
        return answered

    assert in_pool(workers, monkeypatch, do) is RIGHT
    assert len(workers.all) == 4


def test_what_is_nearly_done_is_let_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pools, "GRACE", 10.0)
    workers = Workers()

    async def do(pool: Pool) -> Answered:
        left = asyncio.ensure_future(pool.ask(asked()))
        await asyncio.sleep(0)
        left.cancel()
        return await pool.ask(asked())

    assert in_pool(workers, monkeypatch, do) is RIGHT
    assert len(workers.all) == 1
