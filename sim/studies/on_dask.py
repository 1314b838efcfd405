"""Points run by workers of Dask, on one computer or many (`pip install simrun[dask]`).

    simrun study FILE --scheduler tcp://HOST:8786

Workers need simrun, with the same text, and the same files under the same paths.  Whether a point
is tried again is decided here, as with local processes: Dask is told not to.  A scheduler that goes
away is waited for, and what it had is handed in again: points are found by their results.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from machines.diagnostics import input_error
from machines.optional import optional
from sim.studies.conduct import Scheduler
from sim.workers import Died

MOST_WAIT = 120.0
"""Seconds that a scheduler or its workers may be away."""
AHEAD = 2
"""Tasks handed in for each thread of a worker, so that none waits for us."""


def on_dask(address: str) -> Scheduler:
    """Its way to have tasks done; raises InputError if it does not answer or has no workers."""
    client = _connect(address, 10.0)
    threads = client.nthreads()
    client.close()
    if not threads:
        raise input_error(f"the Dask scheduler at {address} has no workers")

    def scheduler(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        yield from _Tasks(address, work, tasks).results()

    return scheduler


class _Tasks:
    """Tasks that Dask has."""

    def __init__(self, address: str, work: Callable[[Any], Any], tasks: Iterable[Any]):
        self.address, self.work, self.tasks = address, work, iter(tasks)
        self.client = _connect(address, MOST_WAIT)
        self.running: dict[Any, Any] = {}

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Each task with its result, as it comes."""
        try:
            while self._hand_in():
                try:
                    done = self._wait()
                except (OSError, TimeoutError):
                    self._connect_again()
                    continue
                for future in done:
                    yield self.running.pop(future), _result(future)
        finally:
            self._close()

    def _hand_in(self) -> bool:
        """Hand in as many tasks as the workers can use; whether there is anything to wait for."""
        while len(self.running) < AHEAD * max(1, sum(self.client.nthreads().values())):
            task = next(self.tasks, None)
            if task is None:
                break
            self._submit(task)
        return bool(self.running)

    def _submit(self, task: Any) -> None:
        future = self.client.submit(self.work, task, pure=False, retries=0)
        self.running[future] = task

    def _wait(self) -> list[Any]:
        """The tasks that have ended, one at least; raises OSError when the scheduler is lost."""
        distributed = optional("distributed", "dask")
        while True:
            ended = [future for future in self.running if future.done()]
            lost = [future for future in ended if future.status == "cancelled"]
            if lost or self.client.status != "running":
                raise OSError("the scheduler went away")
            if ended:
                return ended
            try:
                distributed.wait(list(self.running), timeout=1.0, return_when="FIRST_COMPLETED")
            except (TimeoutError, distributed.TimeoutError):
                continue
            except distributed.CancelledError:
                raise OSError("the scheduler went away") from None

    def _connect_again(self) -> None:
        """Hand everything in again to the scheduler that comes back."""
        tasks = list(self.running.values())
        self.running.clear()
        self._close()
        self.client = _connect(self.address, MOST_WAIT)
        for task in tasks:
            self._submit(task)

    def _close(self) -> None:
        self.client.close(timeout=2)


def _connect(address: str, patience: float) -> Any:
    """A client of the scheduler; raises InputError if it does not answer in time."""
    distributed = optional("distributed", "dask")
    until = time.monotonic() + patience
    while True:
        try:
            return distributed.Client(address, timeout=5)
        except (OSError, TimeoutError, ValueError) as error:
            if time.monotonic() > until or isinstance(error, ValueError):
                hint = "write it like tcp://host:8786"
                raise input_error(f"no Dask scheduler answers at {address}", hint=hint) from None


def _result(future: Any) -> Any:
    """The result of a task; `Died` where its worker did too often for Dask."""
    distributed = optional("distributed", "dask")
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, distributed.scheduler.KilledWorker):
        return Died(-9)
    raise error
