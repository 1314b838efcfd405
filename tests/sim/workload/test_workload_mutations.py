"""However a workload file is damaged, the reader says so in findings and never fails itself."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.forms import Wanted
from sim.workload.inputs import make_input
from sim.workload.schema import read_workload

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "workloads").glob("*/workload.yaml"))
PIECES = [
    *"{}[]:,-#&*!|>'\"%@`\t\n ",
    "1e999",
    "-1",
    "0x",
    ".nan",
    "null",
    "true",
    "é",
    "\u2028",
    "\0",
]
TIMES = 100
"""Each workload is damaged."""


def _damage(text: str, dice: random.Random) -> str:
    for _ in range(dice.randint(1, 3)):
        start = dice.randrange(len(text))
        end = min(len(text), start + dice.choice([0, 0, 1, 1, 5, 20]))
        text = text[:start] + dice.choice(PIECES) * dice.randint(0, 2) + text[end:]
    return text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_damaged_workloads(path: Path, tmp_path: Path):
    dice = random.Random(path.parent.name)
    text = path.read_text(encoding="utf-8")
    (tmp_path / f"{path.parent.name}.py").touch()
    refused = 0
    for _ in range(TIMES):
        damaged = tmp_path / "workload.yaml"
        damaged.write_text(_damage(text, dice), encoding="utf-8", newline="")
        try:
            workload = read_workload(damaged)
            for case in workload.cases():
                for name, node in case.arguments.items():
                    is_array = isinstance(node.value, list | dict)
                    make_input(node, Wanted(name, None, () if is_array else None), tmp_path)
        except InputError as error:
            refused += 1
            assert str(error) and error.diagnostics
    assert refused > TIMES / 6
