"""CPU seconds of each test, and the ceiling that the run itself keeps.

With `--ceiling 1`, as `.ci/run` gives it, a test whose body takes more than one CPU second fails;
`dear_tests.txt` has the exceptions, each with what it may take and why.  Seconds are those of the
processor, children that were waited for included, so that other work on the computer does not
count, and they are reduced by what the same small loop takes here and now beside the computer on
which the ceiling was set, so that a slow one does not count either.  Whatever takes more is run
once more before it fails: what it imported or compiled first, or another test's garbage, does not
come again.

With `--cpu-times FILE` the seconds of every test are written there, with how it ended;
`--cheapest-first FILE` runs tests in the order of what stands in such a file.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

EXCEPTIONS = Path(__file__).with_name("dear_tests.txt")
MARGIN = 2.5
"""By what a test may go beyond the ceiling: beside other work, with which it shares caches and
perhaps a core, the same takes more CPU seconds, and no small loop shows that."""
LOOP_SECONDS = 0.0075
"""What `_loop` takes on the computer of the ceiling: two virtual cores of a Xeon, Python 3.11."""
SECONDS = pytest.StashKey[float]()


@dataclass(frozen=True)
class DearTest:
    """A test, or all of a function's, that may take more."""

    test: str
    seconds: float
    reason: str


def exceptions() -> list[DearTest]:
    """What `dear_tests.txt` says: seconds, test and reason, in columns."""
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines()
    split = [line.split(None, 2) for line in lines if line and not line.startswith("#")]
    return [DearTest(test, float(seconds), reason) for seconds, test, reason in split]


def read_times(file: Path) -> dict[str, tuple[float, str]]:
    """Of each test in a file of `--cpu-times` its seconds and how it ended."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    split = [line.split(" ", 2) for line in lines]
    return {test: (float(seconds), ended) for seconds, ended, test in split}


def cpu_seconds() -> float:
    """Those of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def slowness() -> float:
    """How many times as long as on the computer of the ceiling work takes here, 1 at the least."""
    return max(1.0, min(_loop() for _ in range(3)) / LOOP_SECONDS)


def _loop() -> float:
    begin, value = time.process_time(), 1
    for k in range(100_000):
        value = value * 5 + k & 0xFFFFFFFF
    return time.process_time() - begin


class CpuTimes:
    """A plugin of pytest: notes the seconds of each test and holds the ceiling, if there is one."""

    def __init__(self, ceiling: float | None, written: Path | None) -> None:
        self.ceiling, self.written = ceiling, written
        self.allowed = {one.test: one.seconds for one in exceptions()}

    def limit(self, item: pytest.Item) -> float:
        """Seconds that this test may take on the computer of the ceiling."""
        name = item.nodeid.partition("[")[0]
        allowed = self.allowed.get(item.nodeid, self.allowed.get(name, 0.0))
        return max(allowed, self.ceiling)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        begin = cpu_seconds()
        yield
        item.stash[SECONDS] = cpu_seconds() - begin

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        hook, place = item.ihook, item.location
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=place)
        begin = cpu_seconds()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        whole = cpu_seconds() - begin
        if self.ceiling is not None and item.stash.get(SECONDS, 0.0) > self.limit(item):
            reports = self._again(item, nextitem, reports)
        if self.written:
            with self.written.open("a", encoding="utf-8") as file:
                file.write(f"{whole:.3f} {_ended(reports)} {item.nodeid}\n")
        for report in reports:
            hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=place)
        return True

    def _again(
        self, item: pytest.Item, nextitem: pytest.Item | None, reports: list[pytest.TestReport]
    ) -> list[pytest.TestReport]:
        """The reports of a test that took too long; of a second run, unless the computer is so."""
        limit = self.limit(item)
        if _ended(reports) != "passed" or item.stash[SECONDS] <= MARGIN * limit * slowness():
            return reports
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        slow = slowness()
        seconds = item.stash[SECONDS] / slow
        if _ended(reports) == "passed" and seconds > MARGIN * limit:
            (called,) = (report for report in reports if report.when == "call")
            called.outcome = "failed"
            called.longrepr = (
                f"{item.nodeid} took {seconds:.2f} CPU seconds, and {limit:g} are the ceiling "
                f"(this computer is {slow:.1f} times as slow as that of the ceiling, which is "
                f"allowed for). Make it cheaper, or move it to the campaign with a short form in "
                f"every run; {EXCEPTIONS.name} has the exceptions."
            )
        return reports


def _ended(reports: list[pytest.TestReport]) -> str:
    """The first outcome that is not `passed`, if there is one."""
    return next((one.outcome for one in reports if one.outcome != "passed"), "passed")
