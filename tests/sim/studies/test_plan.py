"""Which points a study has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from machines.diagnostics import InputError
from sim.studies.plan import Plan, _shares
from sim.studies.study_file import study_of

L2 = {"set": "memory.l2.latency", "values": ["5 cycles", "8 cycles"]}
N = {"argument": "n", "from": 1, "to": 3, "step": 1}


def plan(axes: dict, **keys: object) -> Plan:
    return Plan(study_of({"study": "s", "workload": "w", "axes": axes, **keys}, Path("folder")))


def coordinates(found: Plan) -> list[tuple]:
    return [tuple(point.coordinates.values()) for point in found.points]


def test_a_grid_varies_its_last_axis_fastest():
    found = plan({"l2": L2, "n": N})
    assert coordinates(found) == [(l2, n) for l2 in L2["values"] for n in (1, 2, 3)]
    setting = found.points[4].setting
    assert setting.overrides == ("memory.l2.latency=8 cycles",)
    assert (setting.arguments, setting.workload) == ({"n": 2}, "folder/w")


def test_axes_that_go_together():
    assert coordinates(plan({"l2": L2, "n": {**N, "to": 2}}, combine="zip")) == [
        ("5 cycles", 1),
        ("8 cycles", 2),
    ]


def test_constraints_compare_in_base_units():
    sizes = {"set": "a.b", "values": ["1 KiB", "1536 B", "2 KiB"]}
    found = plan({"a": sizes, "n": N}, where=["a > 1024", "n != 2"])
    assert coordinates(found) == [("1536 B", 1), ("1536 B", 3), ("2 KiB", 1), ("2 KiB", 3)]


def test_drawn_points_are_the_same_every_time():
    axes = {"x": {"argument": "x", "from": 0.0, "to": 1.0}, "l2": L2}
    for how in ({"random": 20, "seed": 1}, {"latin_hypercube": 20, "seed": 1}):
        found = plan(axes, combine=how)
        assert coordinates(found) == coordinates(plan(axes, combine=how))
        assert coordinates(found) != coordinates(plan(axes, combine={**how, "seed": 2}))
        assert {label for _, label in coordinates(found)} == {"5 cycles", "8 cycles"}
    strata = sorted(int(20 * x) for x, _ in coordinates(found))
    assert strata == list(range(20))


def test_a_point_is_found_by_a_text():
    x = {"argument": "x", "values": [1, [2, 3], "a,b"]}
    found = plan({"l2": L2, "x": x})
    for text, point in (
        ("", ("5 cycles", 1)),
        ("x=[2, 3]", ("5 cycles", "[2, 3]")),
        ("x=a,b, l2=8.0 cycles", ("8 cycles", "a,b")),
    ):
        assert tuple(found.point_at(text).coordinates.values()) == point
    for text, message in (("x=1,x=a,b", "names axis 'x' twice"), ("y=1,x=1", "names no axis")):
        with pytest.raises(InputError, match=message):
            found.point_at(text)


def test_each_stratum_of_a_latin_hypercube_is_used_once():
    shares = _shares(50, 3, 4, is_cut=True)
    assert (np.sort((shares * 50).astype(int), axis=0) == np.arange(50)[:, None]).all()
    assert not (
        np.sort((_shares(50, 3, 4, False) * 50).astype(int), axis=0)[:, 0] == range(50)
    ).all()


def test_named_levels_change_several_things():
    levels = {
        "small": {"set": {"a.b": 1}, "arguments": {"n": 8}, "machine": "epic3"},
        "large": {"passes": ["default", "-mine"], "seeds": {"x": 3}},
    }
    small, large = plan({"size": {"levels": levels}}, set={"c.d": True}).points
    assert small.setting.overrides == ("c.d=true", "a.b=1")
    assert small.setting.machine == "epic3"
    assert large.setting.passes == ["default", "-mine"]
    assert (large.setting.seeds, large.setting.overrides) == ({"x": 3}, ("c.d=true",))


def test_the_fixed_program_is_that_of_the_base():
    axes = {"l2": L2, "n": N, "program": {"program": ["recompiled", "fixed"]}}
    found = plan(axes, base={"l2": "5 cycles"})
    fixed = [point for point in found.points if point.setting.base is not None]
    assert len(fixed) == len(found.points) / 2
    for point in fixed:
        assert point.setting.base.overrides == ("memory.l2.latency=5 cycles",)
        assert point.setting.base.arguments == point.setting.arguments
    assert [p.coordinates["l2"] for p in map(found.base_of, found.points)] == ["5 cycles"] * 12


def test_a_base_beside_the_points_is_none_of_them():
    found = plan({"l2": L2, "n": N}, base={"l2": "5 cycles", "n": 1}, where="n == 2")
    assert coordinates(found) == [("5 cycles", 2), ("8 cycles", 2)]
    assert [base.coordinates for base in found.bases] == [{"l2": "5 cycles", "n": 1}]


@pytest.mark.parametrize("label", ["8 cycles", "8 cycle"])
def test_a_point_is_found_by_its_labels(label: str):
    found = plan({"l2": L2, "n": N})
    assert found.point_called({"l2": label, "n": 3}).coordinates == {"l2": "8 cycles", "n": 3}
    assert found.point_called({"l2": label}) is None
    assert found.point_called({"l2": label, "n": 4}) is None
    assert found.point_called({"l2": label, "n": 3, "m": 1}) is None
