"""Random functions of arrays on a kind of machine from a package, against the judge of lanes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.campaign.seeds import campaign
from tests.outside.test_outside_kinds import ROOT, packages  # noqa: F401


def check_random(seeds: range, folder: Path, registers: int) -> None:
    """Random functions do there what the judge says of every lane."""
    machine = folder / f"of_{registers}_registers.yaml"
    lines = ("extends: scalar5", "source: 'assumed: a test'", f"registers: {registers}")
    machine.write_text("\n".join([f"name: {machine.stem}", *lines]))
    words = [str(machine), str(seeds.start), str(seeds.stop)]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.programs.lowered_functions", *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.endswith(f"{len(seeds)} programs on {machine}, 0 differ\n")


def test_random_functions_run(packages: Path):  # noqa: F811
    check_random(range(3), packages, registers=16)


@campaign(part=250, first=1000, end=3000)
def test_many_random_functions_run(seeds: range, packages: Path):  # noqa: F811
    check_random(seeds, packages, registers=(32, 24, 16)[seeds.start // len(seeds) % 3])
