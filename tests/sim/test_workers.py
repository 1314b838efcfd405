"""Tasks done by several processes: results in order, errors in their turn, deaths survived."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time

import pytest

from machines.diagnostics import InputError, Location, input_error
from sim import workers
from sim.workers import Died, results_in_order


def work(task):
    """A number is slept for and squared, anything else is a way to fail."""
    match task:
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "ended":
            os._exit(7)
        case "wrong":
            raise input_error("wrong", Location("file", 3))
        case "unsendable":
            raise Unsendable("one", "two")
        case "process":
            return os.getpid()
    time.sleep(task)
    return task * task


def test_workers_are_not_forked():
    """A lock that another thread holds, as Python 3.11's cached properties do, stays held in a
    process that is forked meanwhile: what it loads then would never be there."""
    assert workers._CONTEXT.get_start_method() == "spawn"


class Unsendable(Exception):
    """Cannot be made again of what pickling keeps of it."""

    def __init__(self, first: str, second: str):
        super().__init__(first)
        self.second = second


def test_results_come_in_order_and_as_they_are_ready():
    tasks = [0.3, 0, 0, 0.01]
    assert list(results_in_order(work, tasks, jobs=2)) == [task * task for task in tasks]
    assert list(results_in_order(work, [], jobs=2)) == []
    assert not multiprocessing.active_children()


def test_a_death_loses_one_task():
    found = list(results_in_order(work, [0, "killed", 0.01, "ended", "killed", 0], jobs=2))
    assert found == [0, Died(-signal.SIGKILL), 0.01**2, Died(7), Died(-signal.SIGKILL), 0]
    assert [str(found[1]), str(found[3])] == [
        "its process was ended by SIGKILL", "its process ended with code 7"
    ]  # fmt: skip


def test_an_error_is_raised_when_its_turn_comes():
    results = results_in_order(work, [0.2, "wrong", 0], jobs=2)
    assert next(results) == 0.2 * 0.2
    with pytest.raises(InputError, match="file:3:1: error: wrong") as raised:
        next(results)
    assert "in work" in raised.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Unsendable: one"):
        list(results_in_order(work, ["unsendable"], jobs=2))
    assert not multiprocessing.active_children()


def test_who_stops_asking_leaves_no_process():
    results = results_in_order(work, ["process", 60, 60], jobs=2)
    process = next(results)
    results.close()
    assert not multiprocessing.active_children()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
