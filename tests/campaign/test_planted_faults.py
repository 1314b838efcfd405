"""The planned faults can still be planted: `python -m tests.campaign.plant_faults` judges them."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from tests.campaign.plant_faults import PLANS, ROOT, PlantedFault, areas, read_plans

FAULTS = list(read_plans())


@cache
def text_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def test_every_area_has_faults():
    assert FAULTS
    for plan in PLANS.glob("*.yaml"):
        assert list(read_plans([plan.stem])), plan.name


@pytest.mark.parametrize("area", areas())
def test_faults_can_be_planted(area: str):
    """All of an area that cannot are named, with why."""
    cannot = {}
    for fault in read_plans([area]):
        try:
            damaged = fault.planted(text_of(fault.file))
            if fault.file.endswith(".py"):  # a file that does not parse would be found by any test
                ast.parse(damaged)
        except (ValueError, SyntaxError) as error:
            cannot[fault.fault] = str(error)
        for judge in fault.judge.split():
            if "/" in judge and not (ROOT / judge.split("::")[0]).exists():  # no option of pytest
                cannot[fault.fault] = f"there is no {judge}"
    assert cannot == {}


@pytest.mark.campaign
def test_each_is_a_fault():
    of_files = (fault for fault in FAULTS if fault.file.endswith(".py"))
    for fault in of_files:
        text = text_of(fault.file)
        assert ast.dump(ast.parse(fault.planted(text))) != ast.dump(ast.parse(text)), fault


def test_a_fault_whose_text_is_gone_is_refused():
    fault = PlantedFault("gone", "x.py", "a = 1", "a = 2", "tests")
    with pytest.raises(ValueError, match="stands there 0 times"):
        fault.planted("b = 1")
    with pytest.raises(ValueError, match="stands there 2 times"):
        fault.planted("a = 1\na = 1")
