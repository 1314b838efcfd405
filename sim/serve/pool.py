"""The workers of the service: each takes one request at a time, for so long, and then the next.

    pool = await Pool.open(Place(store, memory), jobs=2, waiting=16, seconds=120)
    answered = await pool.ask(asked)                          # raises Busy

A worker that takes too long, dies, has grown, ran out of memory, or is at what nobody waits for any
more, is ended, and another one takes its place.
"""

from __future__ import annotations

import asyncio
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from machines.diagnostics import Diagnostic
from sim.serve import messages
from sim.serve.messages import Asked
from sim.serve.work import Answered, Place, work
from sim.workers import Died, Worker, start

GRACE = 2.0
"""Seconds for a worker to end what it has begun for one who has left; a new one takes about as
long to be warm."""
PAUSES = (0.1, 1.0)
"""Seconds until a worker is started again that died as it started."""
START = 600.0
"""Seconds within which a worker is warm, even where cores are compiled for the first time."""


class Busy(Exception):
    """As many requests wait as may."""


@dataclass(eq=False)
class Desk:
    """A worker with its place, and the bytes of memory that it took when it was warm."""

    worker: Worker
    warm: int


class Pool:
    """Some workers, and those who wait for one; see the module."""

    def __init__(self, place: Place, jobs: int, waiting: int, seconds: float):
        self.place, self.jobs, self.seconds = place, jobs, seconds
        self._most, self._asked = jobs + waiting, 0
        self._threads = ThreadPoolExecutor(jobs)
        self._is_closed = False
        self._free: asyncio.Queue[Desk] = asyncio.Queue()
        self._desks: set[Desk] = set()
        self._tasks: set[asyncio.Task] = set()

    @staticmethod
    async def open(place: Place, jobs: int, waiting: int, seconds: float) -> Pool:
        """A pool whose workers are warm; raises InputError if they cannot be."""
        pool = Pool(place, jobs, waiting, seconds)
        try:
            for ready in [pool._in_thread(pool._set_up) for _ in range(jobs)]:
                pool._free.put_nowait(await ready)
        except BaseException:
            pool.close()
            raise
        return pool

    def close(self) -> None:
        """End all workers, whatever they are at."""
        self._is_closed = True
        for desk in self._desks:
            desk.worker.end()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for desk in self._desks:  # one may have been set up meanwhile
            desk.worker.end()

    async def ask(self, asked: Asked) -> Answered:
        """The answer; raises Busy.  Who is cancelled while they wait have never been there; if a
        worker has begun what they asked, it is ended unless it is done within `GRACE`."""
        if self._asked >= self._most:
            raise Busy
        self._asked += 1
        try:
            desk = await self._free.get()
        except BaseException:
            self._asked -= 1
            raise
        work = self._keep(self._work(desk, asked))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            self._keep(self._give_up(desk, work))
            raise

    async def rest(self) -> None:
        """Wait until all that was begun is answered."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _give_up(self, desk: Desk, work: asyncio.Task) -> None:
        """End what nobody waits for any more: another worker takes the desk."""
        done, _ = await asyncio.wait([work], timeout=GRACE)
        if not done:
            desk.worker.kill()

    async def _work(self, desk: Desk, asked: Asked) -> Answered:
        spent = True
        try:
            answered, spent = await self._in_thread(self._answer, desk, asked)
            return answered
        finally:
            self._asked -= 1
            if spent:
                self._keep(self._replace(desk))
            else:
                self._free.put_nowait(desk)

    def _answer(self, desk: Desk, asked: Asked) -> tuple[Answered, bool]:
        """The answer, and whether the worker is good for nothing more; raises Busy if there is none
        and none can be had now."""
        if not desk.worker.is_there():  # it died at rest, or in the midst of starting
            self._try_to_seat(desk)
        try:
            answered = desk.worker.ask(asked, self.seconds)
        except TimeoutError:
            message = f"this takes longer than {self.seconds:g} s, the most that the server gives"
            return _refused(message, "ask for less, or run it yourself"), True
        if isinstance(answered, Died):
            message = f"this cannot be done here: {answered}"
            return _refused(message, "it may need more memory than the server gives"), True
        has_grown = answered.resident > desk.warm + self.place.memory // 4
        return answered, has_grown or answered.is_spent

    async def _replace(self, desk: Desk) -> None:
        """Put another worker in the place of one; if none can be had now, who asks next tries."""
        with suppress(Busy):
            await self._in_thread(self._try_to_seat, desk)
        self._free.put_nowait(desk)

    def _try_to_seat(self, desk: Desk) -> None:
        """Another worker at a desk; raises Busy if several in turn cannot be started."""
        for pause in (*PAUSES, None):
            try:
                self._seat(desk)
                return
            except Exception as error:  # no memory for it, or somebody ended it
                print(f"simrun: no worker could be started: {error}", file=sys.stderr, flush=True)
                if pause is None or self._is_closed:
                    raise Busy from None
                time.sleep(pause)

    def _seat(self, desk: Desk) -> None:
        """Another worker at a desk; raises RuntimeError if it dies before it is warm."""
        desk.worker.end()
        desk.worker = start(work)
        self._warm_up(desk)

    def _set_up(self) -> Desk:
        """A desk with a worker that is warm."""
        desk = Desk(start(work), 0)
        self._desks.add(desk)
        self._warm_up(desk)
        return desk

    def _warm_up(self, desk: Desk) -> None:
        warm = desk.worker.ask(self.place, START)
        if isinstance(warm, Died):
            raise RuntimeError(str(warm))
        desk.warm = warm

    def _in_thread(self, function, *given) -> asyncio.Future:
        return asyncio.get_running_loop().run_in_executor(self._threads, function, *given)

    def _keep(self, coroutine) -> asyncio.Task:
        """A task that goes on though nobody waits for it."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _refused(message: str, hint: str) -> Answered:
    body = messages.written(messages.refused([Diagnostic(message, hint=hint)]))
    return Answered(messages.REFUSED, body)
