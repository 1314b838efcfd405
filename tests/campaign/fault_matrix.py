"""Which tests of every run find which planted fault, and which dear tests a run needs for that.

    python -m tests.campaign.fault_matrix              # what the table lacks
    python -m tests.campaign.fault_matrix memory       # of some areas; --again: what it has, too
    python -m tests.campaign.fault_matrix --needed     # runs nothing: what follows from the table

A fault of `planted_faults` is planted in a copy of the project, and those tests of its judges are
run that are in every run, the cheapest first, until FEW have failed (with `--all`, not only those
of its judges).  `fault_matrix.yaml` keeps the tests that fail there and not on the sound copy, with
their CPU seconds on that.  It is written after every fault: a run that was ended is taken up where
it was.  With `--times FILE` the seconds are those that `pytest --cpu-times FILE` wrote.

`--needed` prints the faults that no test of every run finds, and a greedy cover of those that only
dear tests find, which take more than DEAR seconds; what is dear and not in it may go to the
campaign.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import yaml

from tests.campaign.plant_faults import Copy, PlantedFault, areas, read_plans
from tests.ceiling import read_times

TABLE = Path(__file__).with_name("fault_matrix.yaml")
DEAR = 0.3
FEW = 3
ENDED = "the process ends"
HUNG = "the process does not end"
NO_TESTS = 5
"""Exit code of pytest: none of the judges is in every run."""

Found = dict[str, float]
"""Tests that find a fault, with their CPU seconds on the sound copy, the cheapest first."""
Table = dict[str, dict[str, Found]]
"""By area and fault."""


def read_table() -> Table:
    """In the file a test that finds a fault is a line: its seconds, a space, its name."""
    if not TABLE.exists():
        return {}
    areas = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return {
        area: {
            fault: {test: float(seconds) for seconds, test in (one.split(" ", 1) for one in found)}
            for fault, found in faults.items()
        }
        for area, faults in areas.items()
    }


def write_table(table: Table) -> None:
    lines = {
        area: {
            fault: [f"{seconds:.2f} {test}" for test, seconds in table[area][fault].items()]
            for fault in sorted(table[area])
        }
        for area in sorted(table)
    }
    text = yaml.safe_dump(lines, sort_keys=False, width=10_000, allow_unicode=True)
    TABLE.write_text(text, encoding="utf-8")


class Finders:
    """Finds the tests of every run that find a fault, in a copy of the project."""

    def __init__(self, folder: Path, times: Path | None) -> None:
        self.copy = Copy(folder)
        self.written, self.order = folder / "times", folder / "order"
        self.sound = read_times(times) if times else {}
        """Of each test its seconds on the sound copy, and how it ends there."""
        self.given = frozenset(self.sound)
        self.timed: set[tuple[str, str]] = set() if times is None else None

    def found(self, fault: PlantedFault, judge: str) -> Found:
        """Tests that fail because of the fault, with their seconds."""
        if self.timed is not None and (judge, fault.seeds) not in self.timed:
            self._run(judge, fault.seeds)
            self.sound |= read_times(self.written)
            self.timed.add((judge, fault.seeds))
        lines = [f"{seconds} {ended} {test}\n" for test, (seconds, ended) in self.sound.items()]
        self.order.write_text("".join(lines), encoding="utf-8")
        options = "--cheapest-first", str(self.order), f"--maxfail={FEW}"
        with self.copy.with_fault(fault):
            code = self._run(judge, fault.seeds, *options)
        ended = read_times(self.written)
        failed = {test for test in ended if ended[test][1] == "failed"}
        self._check_given(failed, fault.seeds)
        found = {test: self.sound[test][0] for test in failed if self.sound[test][1] == "passed"}
        if code is None or code < 0:
            found[HUNG if code is None else ENDED] = 0.0
        elif code not in (0, 1, NO_TESTS):  # what cannot be collected is found at once
            found[ENDED] = 0.0
        return dict(sorted(found.items(), key=lambda one: (one[1], one[0])))

    def _check_given(self, failed: set[str], seeds: str) -> None:
        """What is only said to pass on the sound copy, or not said at all, is run on it."""
        asked = sorted(test for test in failed if test in self.given or test not in self.sound)
        if asked:
            self._run(shlex.join(asked), seeds)
            self.sound |= dict.fromkeys(asked, (0.0, "failed")) | read_times(self.written)
            self.given -= set(asked)

    def _run(self, judge: str, seeds: str, *options: str) -> int | None:
        self.written.unlink(missing_ok=True)
        times = "--cpu-times", str(self.written)
        return self.copy.run(judge, seeds, ("-m", "not campaign", *times, *options))


def fill(
    table: Table, wanted: Sequence[str], again: bool, all_tests: bool, times: Path | None
) -> Iterator[str]:
    """Run what the table lacks; yields a line for each fault."""
    with tempfile.TemporaryDirectory(prefix="simrun-matrix-") as folder:
        finders = Finders(Path(folder), times)
        for area in wanted or areas():
            rows = table.setdefault(area, {})
            for fault in read_plans([area]):
                if fault.fault in rows and not again:
                    continue
                judge = " ".join(word for word in fault.judge.split() if word != "-x")
                try:
                    found = finders.found(fault, "tests" if all_tests else judge)
                except ValueError as error:  # its text is gone: `test_planted_faults.py` fails, too
                    yield f"{area}: {fault.fault}: {error}"
                    continue
                rows[fault.fault] = found
                write_table(table)
                yield f"{area}: {fault.fault}: {', '.join(found) or 'NOT FOUND'}"


def needed(table: Table) -> Iterator[str]:
    """What follows from the table, line by line."""
    faults = {f"{area}: {fault}": found for area in table for fault, found in table[area].items()}
    none = [fault for fault, found in faults.items() if not found]
    yield f"{len(faults)} faults, {len(none)} that no test of every run among their judges finds"
    yield from (f"  {fault}" for fault in none)
    seconds = {test: found[test] for found in faults.values() for test in found}
    dear = {test for test in seconds if seconds[test] > DEAR}
    left = [set(found) for found in faults.values() if found and set(found) <= dear]
    yield f"{len(left)} that only dear tests find; of those every run needs"
    while left:
        finds = {test: sum(test in tests for tests in left) for test in dear}
        best = max(sorted(dear), key=lambda test: finds[test] / seconds[test])
        yield f"  {seconds[best]:.1f} s, {finds[best]} faults: {best}"
        left = [tests for tests in left if best not in tests]


@click.command(help=__doc__.partition("\n")[0])
@click.argument("wanted", metavar="[AREA]...", nargs=-1, type=click.Choice(areas()))
@click.option("--again", is_flag=True, help="What the table has, too.")
@click.option("--all", "all_tests", is_flag=True, help="All tests of every run, not the judges'.")
@click.option("--times", type=click.Path(path_type=Path), help="Seconds that a run wrote.")
@click.option("--needed", "only", is_flag=True, help="Run nothing; what follows from the table.")
def main(
    wanted: Sequence[str], again: bool, all_tests: bool, times: Path | None, only: bool
) -> None:
    table = read_table()
    for line in needed(table) if only else fill(table, wanted, again, all_tests, times):
        print(line, flush=True)


if __name__ == "__main__":
    main()
