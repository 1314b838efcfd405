"""Which points a study has."""

from __future__ import annotations

from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.studies import plan as planning
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
    def strata(is_cut: bool) -> list[list[int]]:
        rows = _shares(50, 3, 4, is_cut)
        return [sorted(int(50 * share) for share in column) for column in zip(*rows, strict=True)]

    assert strata(True) == [list(range(50))] * 3
    assert list(range(50)) not in strata(False)


AXES = {
    "whole numbers": {"argument": "n", "from": 0, "to": 3},
    "negative ones": {"argument": "n", "from": -4, "to": 5},
    "cycles": {"set": "a.b", "from": "3 cycles", "to": "9 cycles"},
    "bytes": {"set": "a.b", "from": "1 KiB", "to": "1027 B"},
    "levels": {"argument": "n", "values": [1, 10, 100]},
}


@pytest.mark.parametrize("name", AXES)
@pytest.mark.parametrize("times", [1, 3])
def test_a_latin_hypercube_has_each_level_equally_often(name: str, times: int):
    """As many points as levels, or a multiple: the definition (McKay, Beckman, Conover 1979)."""
    x = {"argument": "x", "from": 0.0, "to": 1.0}  # so that no two points are equal
    drawn = plan({"a": AXES[name], "x": x}, combine={"random": 99, "seed": 1})
    levels = {label for label, _ in coordinates(drawn)}
    count = times * len(levels)
    for seed in range(5):
        found = coordinates(
            plan({"a": AXES[name], "x": x}, combine={"latin_hypercube": count, "seed": seed})
        )
        labels = [label for label, _ in found]
        assert {labels.count(label) for label in levels} == {times}


def test_levels_are_drawn_evenly():
    """0 to 3 in 6 000 draws: each within five standard deviations (34) of 1 500."""
    x = {"argument": "x", "from": 0.0, "to": 1.0}
    found = coordinates(
        plan({"n": AXES["whole numbers"], "x": x}, combine={"random": 6000, "seed": 1})
    )
    drawn = [label for label, _ in found]
    assert len(drawn) == 6000
    assert all(abs(drawn.count(n) - 1500) < 170 for n in range(4))


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


def test_who_is_a_machine_is_asked_once(monkeypatch: pytest.MonkeyPatch):
    """However many points there are: the names are those of files in folders."""
    looks = []

    def names() -> list[str]:
        looks.append(1)
        return ["itanium2"]

    monkeypatch.setattr("sim.studies.plan.machine_names", names)
    found = plan({"n": {"argument": "n", "values": list(range(50))}}, machine="itanium2")
    assert {point.setting.machine for point in found.points} == {"itanium2"}
    assert len(looks) == 1


def test_a_grid_of_too_many_is_refused_before_a_point_is_made(monkeypatch: pytest.MonkeyPatch):
    many = {name: {"argument": name, "from": 1, "to": 1000, "step": 1} for name in "abc"}
    monkeypatch.setattr(Plan, "_combinations", lambda plan: pytest.fail("points are made"))
    message = "study s has 1000000000 points, 100000 at most are planned"
    with pytest.raises(InputError, match=message) as refused:
        _ = plan(many).points
    assert "combine: {latin_hypercube: 1000, seed: 1}" in str(refused.value)
    with pytest.raises(InputError, match="1000000000 combinations of levels, 500000 at most"):
        _ = plan(many, where=["a == b"]).points


def test_what_is_the_same_for_all_points_is_asked_once(monkeypatch: pytest.MonkeyPatch):
    """Of 3 000 points each condition as often as the axes that it names have levels."""
    asked: dict[str, int] = {}

    def counted(name: str):
        made = getattr(planning, name)

        def count(*given: object) -> object:
            asked[name] = asked.get(name, 0) + 1
            return made(*given)

        monkeypatch.setattr(planning, name, count)

    counted("is_true")
    counted("_below")
    a, b = ({"argument": name, "from": 1, "to": to, "step": 1} for name, to in (("a", 3), ("b", 5)))
    axes = {"a": a, "b": b, "c": {"argument": "c", "from": 1, "to": 200, "step": 1}}
    assert len(plan(axes, where=["a < 9", "a + b < 99"]).points) == 3000
    assert asked == {"is_true": 3 + 15, "_below": 1}
