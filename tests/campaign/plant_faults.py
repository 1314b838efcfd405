"""Plant one-line faults in a copy of the project: do the tests that should find them do so?

    python -m tests.campaign.plant_faults                  # every fault
    python -m tests.campaign.plant_faults assembly fields  # those of some areas

The faults stand in `planted_faults/AREA.yaml`: what is wrong, the file, the text that stands there
once and what replaces it, the tests that judge, and the seeds they run (CAMPAIGN).  Each judge runs
on the sound copy first: one that fails there finds nothing.  A fault no test can find (the program
means the same) says why in `unfound`.  Exit code 1 if a fault without such a reason goes unfound.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import click
import yaml

from machines.cache.cache_folder import cache_folder

ROOT = Path(__file__).parents[2]
PLANS = Path(__file__).with_name("planted_faults")
JUDGE_SECONDS = 1800
PYTEST_FAILED = 1
EVERY_TEST = "-x", "-m", "campaign or not campaign"


class Verdict(Enum):
    FOUND = "found"
    HUNG = "found: does not end"
    UNFOUND = "NOT FOUND"
    EXPLAINED = "not found, as said"
    BROKEN = "JUDGE DID NOT RUN"

    @property
    def good(self) -> bool:
        return self in (Verdict.FOUND, Verdict.HUNG, Verdict.EXPLAINED)


@dataclass(frozen=True)
class PlantedFault:
    """One fault: `old`, which stands once in `file`, becomes `new`; `judge` must then fail."""

    fault: str
    file: str
    old: str
    new: str
    judge: str
    seeds: str = "0:100"
    unfound: str = ""

    def planted(self, text: str) -> str:
        """The text of the file with the fault in it; ValueError if it does not stand there once."""
        if self.old == self.new or text.count(self.old) != 1:
            raise ValueError(f"{self.file}: {self.old!r} stands there {text.count(self.old)} times")
        return text.replace(self.old, self.new)


def areas() -> list[str]:
    """Names of the plans."""
    return sorted(path.stem for path in PLANS.glob("*.yaml"))


def read_plans(wanted: Sequence[str] = ()) -> Iterator[PlantedFault]:
    """The faults of some areas, or of all."""
    for name in wanted or areas():
        for entry in yaml.safe_load((PLANS / f"{name}.yaml").read_text(encoding="utf-8")):
            yield PlantedFault(**entry)


class Copy:
    """A copy of the project as it stands, with a cache of its own beside the user's."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split("\0")
        for name in filter(None, names):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, self.root / name)
        self.environment = os.environ | {
            "PYTHONPATH": str(self.root),
            "SIMRUN_CACHE": os.pathsep.join([str(folder / "cache"), str(cache_folder())]),
            # A fault of the same length within one tick of the clock would run as old byte code.
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def run(
        self,
        judge: str,
        seeds: str,
        options: Sequence[str] = ("-x", "-m", "campaign or not campaign"),
    ) -> int | None:
        """The exit code of pytest on the copy; None if it does not end."""
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
        command += shlex.split(judge)
        try:
            return subprocess.run(
                command,
                cwd=self.root,
                env=self.environment | {"CAMPAIGN": seeds},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=JUDGE_SECONDS,
            ).returncode
        except subprocess.TimeoutExpired:
            return None

    @contextmanager
    def with_fault(self, fault: PlantedFault) -> Iterator[None]:
        """The fault is in the copy, which is sound again after."""
        file = self.root / fault.file
        sound = file.read_text(encoding="utf-8")
        file.write_text(fault.planted(sound), encoding="utf-8")
        try:
            yield
        finally:
            file.write_text(sound, encoding="utf-8")

    def judge_of(self, fault: PlantedFault) -> Verdict:
        """What the fault's judge says with the fault in the copy."""
        with self.with_fault(fault):
            code = self.run(fault.judge, fault.seeds)
        if code is None:
            return Verdict.HUNG
        if code == PYTEST_FAILED or code < 0:  # a fault in jitted code may end the process
            return Verdict.FOUND
        if code != 0:
            return Verdict.BROKEN
        return Verdict.EXPLAINED if fault.unfound else Verdict.UNFOUND


def judge_all(faults: Iterable[PlantedFault]) -> Iterator[tuple[PlantedFault, Verdict, float]]:
    """Each fault, what became of it, and the seconds its judge took."""
    sound: dict[tuple[str, str], bool] = {}
    with tempfile.TemporaryDirectory(prefix="simrun-faults-") as folder:
        copy = Copy(Path(folder))
        for fault in faults:
            judge = fault.judge, fault.seeds
            if judge not in sound:
                sound[judge] = copy.run(*judge) == 0
            begin = time.perf_counter()
            verdict = copy.judge_of(fault) if sound[judge] else Verdict.BROKEN
            yield fault, verdict, time.perf_counter() - begin


@click.command(help=__doc__.partition("\n")[0])
@click.argument("wanted", metavar="[AREA]...", nargs=-1, type=click.Choice(areas()))
def main(wanted: Sequence[str]) -> None:
    verdicts = []
    for fault, verdict, seconds in judge_all(list(read_plans(wanted))):
        verdicts.append(verdict)
        print(f"{verdict.value:20} {seconds:6.0f} s  {fault.file}: {fault.fault}", flush=True)
    good = sum(verdict.good for verdict in verdicts)
    print(f"{len(verdicts)} faults, {good} found or explained")
    sys.exit(good != len(verdicts))


if __name__ == "__main__":
    main()
