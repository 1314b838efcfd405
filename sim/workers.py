"""Tasks done by several processes, their results in the tasks' order.

    for result in results_in_order(work, tasks, jobs=4): ...    # as map(work, tasks) gives them

`work` is a function of a module; tasks and results are pickled.  A process that dies loses the one
task it had: a new process takes its place, and the task's result is `Died`.

    worker = start(work)                  # one process, for who gives out tasks by rules of its own
    answer = worker.ask(task, seconds=60)
    worker.end()
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any

from machines.blame import note_blame
from machines.cache.results import are_kept, kept_results
from sim import collector

_CONTEXT = multiprocessing.get_context("spawn")  # nothing of this process but what is handed over
_one_at_a_time = threading.Lock()
"""While one is started, what holds for the whole process is changed."""


@dataclass(frozen=True)
class Died:
    """The process of a task ended without a result; the code is negative for a signal."""

    exit_code: int

    def __str__(self) -> str:
        if self.exit_code >= 0:
            return f"its process ended with code {self.exit_code}"
        return f"its process was ended by {signal.Signals(-self.exit_code).name}"


@dataclass
class Worker:
    """A process, our end of the pipe to it, and the numbered task it is at."""

    process: Any
    pipe: Connection
    task: tuple[int, Any] | None = None

    def ask(self, task: Any, seconds: float | None = None) -> Any | Died:
        """The result of a task; raises what `work` raised, and TimeoutError where there is nothing
        after so many seconds: then this worker is good for nothing more, `end` it."""
        _send(self, task)
        if not self.pipe.poll(seconds):
            raise TimeoutError
        return _result(_receive(self))

    def is_there(self) -> bool:
        """Whether the process has not ended."""
        return self.process.is_alive()

    def kill(self) -> None:
        """Have the process end, whatever it is at, and those that it leads (see `lead`); who waits
        for it is answered that it died."""
        pid = self.process.pid
        with suppress(ProcessLookupError):
            if self.process.exitcode is None and os.getpgid(pid) == pid:
                os.killpg(pid, signal.SIGKILL)
        self.process.kill()

    def end(self) -> None:
        """The same, and wait for that."""
        self.kill()
        self.process.join()
        self.pipe.close()


def lead() -> None:
    """Called in a worker: what it starts from now on ends when it is ended from outside."""
    os.setpgid(0, 0)


def results_in_order(
    work: Callable[[Any], Any], tasks: Sequence[Any], jobs: int
) -> Iterator[Any | Died]:
    """Yields the result of every task, in order, while later ones are at work already.

    Raises what `work` raised when that task's turn comes.  However it ends, no process is left.
    """
    found: dict[int, tuple[bool, Any]] = {}
    numbered = _answers(work, enumerate(tasks), min(jobs, len(tasks)))
    with closing(numbered):
        for number in range(len(tasks)):
            while number not in found:
                (done, _), answer = next(numbered)
                found[done] = answer
            yield _result(found.pop(number))


def results_as_they_come(
    work: Callable[[Any], Any], tasks: Iterable[Any], jobs: int
) -> Iterator[tuple[Any, Any | Died]]:
    """Yields each task with its result as soon as there is one; tasks are asked for when a process
    is free.

    Raises what `work` raises.  However it ends, no process is left.
    """
    numbered = _answers(work, enumerate(tasks), jobs)
    with closing(numbered):
        for (_, task), answer in numbered:
            yield task, _result(answer)


def _result(answer: tuple[bool, Any]) -> Any:
    is_result, value = answer
    if not is_result:
        raise value
    return value


def _answers(
    work: Callable[[Any], Any], tasks: Iterator[tuple[int, Any]], jobs: int
) -> Iterator[tuple[tuple[int, Any], tuple[bool, Any]]]:
    """Numbered tasks with their answers, as they come; see `_receive`.

    No process is started before there is a task for it.
    """
    workers: list[Worker] = []
    try:
        while True:
            while sum(worker.task is not None for worker in workers) < jobs:
                task = next(tasks, None)
                if task is None:
                    break
                worker = _free_one(workers, work)
                worker.task = task
                _send(worker, task[1])
            busy = {worker.pipe: worker for worker in workers if worker.task is not None}
            if not busy:
                return
            for pipe in wait(list(busy)):
                worker = busy[pipe]
                task, answer = worker.task, _receive(worker)
                worker.task = None
                if isinstance(answer[1], Died):
                    workers.remove(worker)
                yield task, answer
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join()


def _free_one(workers: list[Worker], work: Callable[[Any], Any]) -> Worker:
    """A worker that has nothing to do; a new one, if all have."""
    found = next((worker for worker in workers if worker.task is None), None)
    if found is None:
        workers.append(found := start(work))
    return found


def start(work: Callable[[Any], Any]) -> Worker:
    """A process that does `work`, for tasks that it is given one by one."""
    own, other = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_serve, args=(work, other, are_kept()))
    with _one_at_a_time, _ctrl_c_withheld(), _script_left_alone():
        process.start()
    other.close()
    return Worker(process, own)


@contextmanager
def _ctrl_c_withheld() -> Iterator[None]:
    """Ctrl-C reaches us alone, as what is started meanwhile inherits that it does not listen; we
    end it."""
    resource_tracker.ensure_running()  # multiprocessing's own process, which listens again after
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _script_left_alone() -> Iterator[None]:
    """What is started meanwhile does not import the script that we run, which would run it again:
    all that workers need is in modules."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _send(worker: Worker, task: Any) -> None:
    with suppress(OSError):  # it has died, which `_receive` finds
        worker.pipe.send(task)


def _receive(worker: Worker) -> tuple[bool, Any]:
    """Whether the answer is a result (else an error), and the answer."""
    try:
        return worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        return True, Died(worker.process.exitcode)


def _serve(work: Callable[[Any], Any], pipe: Connection, keeps: bool) -> None:
    """What a worker does until nobody is left to give it tasks; it keeps results if we do."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    collector.put_off()
    with kept_results() if keeps else nullcontext():
        _work_off(work, pipe)


def _end_with_parent() -> None:
    """End this process when the one that started it has ended, even in the midst of a task, and
    those that it leads."""
    wait([multiprocessing.parent_process().sentinel])
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _work_off(work: Callable[[Any], Any], pipe: Connection) -> None:
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            answer = True, work(task)
        except Exception as error:
            answer = False, _sendable(error)
        pipe.send(answer)


def _sendable(error: Exception) -> Exception:
    """The error with the way it came, and who is to blame, which pickling leaves out of it."""
    note_blame(error)
    error.add_note(f"In a worker:\n{traceback.format_exc()}")
    try:
        return pickle.loads(pickle.dumps(error))
    except Exception:
        other = RuntimeError("\n".join([f"{type(error).__name__}: {error}", *error.__notes__]))
        other.__dict__["blame"] = error.__dict__["blame"]
        return other
