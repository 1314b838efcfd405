"""Workloads as tests of pytest: `pytest --simrun workloads`, or `simrun = true` in its settings.

Each case of a workload on each machine is a test, which is right as `simrun check` says: the
`workload.yaml` below the folders that pytest goes through, and workload files that are named.
pytest imports this file wherever simrun is installed, so that it imports nothing until it is asked
for workloads.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("simrun", "workloads of simrun")
    group.addoption(
        "--simrun", action="store_true", help="check workloads against their baselines, too"
    )
    group.addoption(
        "--simrun-trust", action="store_true", help="let oracles of the workloads' own run"
    )
    parser.addini("simrun", "check workloads against their baselines, too", "bool", False)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    config = parent.config
    if file_path.suffix not in (".yaml", ".yml"):
        return None
    if not (config.getoption("simrun") or config.getini("simrun")):
        return None
    if file_path.name != "workload.yaml" and file_path not in _named(config):
        return None
    return WorkloadFile.from_parent(parent, path=file_path)


@lru_cache(1)
def _named(config: pytest.Config) -> set[Path]:
    """The files that the command line names, also those in a folder that it names, too."""
    here = config.invocation_params.dir
    return {Path(os.path.abspath(here / word.partition("::")[0])) for word in config.args}


def _kept() -> AbstractContextManager[None]:
    """In which what simrun kept is found, and what it makes is kept, as `simrun check` does, unless
    a test has changed code of it in memory."""
    from machines.cache.results import kept_as_a_rule

    return kept_as_a_rule()


class Failed(Exception):
    """A verdict that fails a test, for people."""


class _Told(pytest.Collector):
    """What is wrong with the input is told in its message, without a traceback."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo) -> Any:
        return _told(excinfo) or super().repr_failure(excinfo)


class WorkloadFile(_Told, pytest.File):
    """A workload on its own machine, and on those it has baselines of."""

    def collect(self) -> Iterator[pytest.Collector]:
        from sim.baselines.checking import machine_name, machines_held
        from sim.workload.schema import read_workload

        with _kept():
            workload = read_workload(self.path)
            own = machine_name(workload)
            held = machines_held(self.path)
        yield OnMachine.from_parent(self, name=own, machine=None, workload=workload)
        for name, given in held.items():
            if name != own:
                yield OnMachine.from_parent(self, name=name, machine=given, workload=workload)


class OnMachine(_Told):
    """A workload on one machine; `machine` is None for the one that it names."""

    def __init__(self, machine: str | None, workload: Any, **options: Any):
        super().__init__(**options)
        self.machine, self.workload = machine, workload

    def collect(self) -> Iterator[pytest.Item]:
        from sim.baselines.checking import cases_of

        with _kept():
            cases = list(cases_of(self.workload, self.name))
        for case in cases:
            yield CaseOnMachine.from_parent(self, name=case)


class CaseOnMachine(pytest.Item):
    """A case, held against its baseline."""

    parent: OnMachine

    def runtest(self) -> None:
        from sim.baselines.checking import verdict_on

        trust = self.config.getoption("simrun_trust")
        with _kept():
            verdict = verdict_on(self.path, self.parent.machine, self.name, trust)
        if verdict.exit_code:
            raise Failed("\n".join([f"{verdict.status}: {verdict.title}", *verdict.details]))

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"simrun: {self.name} on {self.parent.name}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo) -> Any:
        return _told(excinfo) or super().repr_failure(excinfo)


def _told(excinfo: pytest.ExceptionInfo) -> str | None:
    """What an error says, if it is one of the input; of a mistake the traceback is wanted."""
    from machines.diagnostics import InputError

    return str(excinfo.value) if isinstance(excinfo.value, Failed | InputError) else None
