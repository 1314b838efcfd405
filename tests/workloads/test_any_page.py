"""The table of functions that run everywhere shows the cycles of their baselines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from machines.description.strict_yaml import read_yaml_file

FOLDER = Path(__file__).parents[2] / "workloads" / "any"
ROW = re.compile(r"^\| \[(\w+)\]\(.*?\) \| .*? \| ([\d ]+) \| ([\d ]+) \| (?:([\d ]+), .*)?", re.M)
ROWS = ROW.findall((FOLDER / "README.md").read_text(encoding="utf-8"))
KERNELS = {"axpy": "saxpy", "histogram": "histogram", "gravity": "nbody"}


def accepted(folder: Path, machine: str) -> int:
    tree = read_yaml_file(folder / "baselines" / f"{machine}.yaml")
    return tree.plain()["cases"]["default"]["cycles"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_cycles_are_those_of_the_baselines(row: tuple[str, ...]):
    name, *shown = row
    wanted = [accepted(FOLDER / name, machine) for machine in ("itanium2", "h200")]
    if name in KERNELS:
        wanted.append(accepted(FOLDER.parent / "gpu" / KERNELS[name], "h200"))
    assert [int(text.replace(" ", "")) for text in shown if text] == wanted


def test_every_one_has_a_row():
    assert {row[0] for row in ROWS} == {path.parent.name for path in FOLDER.glob("*/workload.yaml")}
