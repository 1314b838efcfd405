"""What is wrong in a study is told at its place, before anything runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.studies.figures import Derived
from sim.studies.levels import number_of
from sim.studies.plan import Plan
from sim.studies.study_file import read_study, study_of

L2 = "\n  l2: {set: memory.l2.latency, values: [5 cycles, 8 cycles]}"


@pytest.mark.parametrize(
    "axes, keys, message",
    [
        ("\n  l2: {sets: memory.l2.latency, values: [1]}", {}, ":4:8: error: unknown key 'sets'"),
        ("\n  l2: {values: [1]}", {}, "exactly one of set, argument, .*; found none"),
        ("\n  l2: {set: a, argument: b, values: [1]}", {}, "found 'set' and 'argument'"),
        ("\n  l2: {set: memory.l2.latency}", {}, "either 'values', or 'from' and 'to'"),
        ("\n  l2: {set: a, values: [1], from: 1, to: 2}", {}, "either 'values'"),
        ("\n  l2: {set: a, from: 1, step: 2}", {}, "a range needs 'from' and 'to'"),
        ("\n  l2: {machine: [itanium2], values: [1]}", {}, "leave out 'values'"),
        ("\n  l2: {set: a, from: 9, to: 2, step: 1}", {}, ":4:7: error: 'from' \\(9\\) must not"),
        ("\n  l2: {set: a, from: 1, to: 2}", {}, ":4:7: error: axis 'l2' has no levels"),
        ("\n  l2: {set: a, values: []}", {}, "axis 'l2' has no levels"),
        ("\n  l2: {set: a, values: [1, 1]}", {}, "axis 'l2' has a level twice: 1 and 1"),
        ("\n  l-2: {set: a, values: [1]}", {}, "'l-2' is no name of an axis"),
        ("\n  s: {seed: x, values: [-1]}", {}, "axis 's': -1 is no seed"),
        (
            "\n  n: {argument: 3, values: [1]}",
            {},
            "'argument': should be a valid string or .*, not 3",
        ),
        ("\n  m: {machine: [3]}", {}, "axis 'm': 3 is no name of a machine"),
        ("\n  p: {passes: {a: 3}}", {}, "axis 'p': 3 is no list of passes"),
        ("\n  p: {program: [fixed]}", {}, "which program is fixed is not said"),
        (L2, {"program": "fixed"}, "which program is fixed is not said"),
        (L2, {"program": "fixd"}, "'fixd' is not one of"),
        (L2, {"base": "{l3: 1}"}, "there is no axis 'l3'"),
        (L2, {"base": "{l2: 6 cycles}"}, "axis 'l2' has no level '6 cycles'"),
        (L2, {"where": "l2 <"}, "cannot be read"),
        (L2, {"where": "l3 < 2"}, "l3"),
        (L2, {"combine": "cube"}, "combine"),
        (L2, {"combine": "{random: 3, latin_hypercube: 2, seed: 1}"}, "exactly one of 'random'"),
        (L2, {"combine": "{random: 1000001, seed: 1}"}, "less than or equal to 100000"),
        (L2, {"combine": "{latin_hypercube: 10000000000000, seed: 1}"}, "or equal to 100000"),
        (L2, {"search": "{goal: minimise cycles, trials: 3, seed: 4294967296}"}, "'seed'"),
        (L2 + "\n  b: {set: c, values: [1]}", {"combine": "zip"}, "equally many levels"),
        (L2, {"derive": "{x: cycls}"}, "cycls"),
        (L2, {"derive": "{cycles: '1'}"}, "'cycles' cannot be the name"),
        (L2, {"derive": "{l2: '1'}"}, "'l2' cannot be the name"),
        (L2, {"derive": "{x: base_cycles}"}, "is not a figure, or an axis"),
        (L2, {"show": "[cycle]"}, "there is no figure 'cycle'.*\n.*\n.*\n    hint: .*cycles"),
        (
            L2 + "\n  b: {set: memory.l2.latency, values: [1]}",
            {},
            "both change 'memory.l2.latency'",
        ),
        ("\n  a: {machine: [itanium2]}\n  b: {levels: {x: {machine: epic3}}}", {}, "both change"),
    ],
)
def test_what_is_wrong_is_told(studied: Callable, axes: str, keys: dict, message: str):
    path = studied(axes, **keys).path
    with pytest.raises(InputError, match=message):
        plan = Plan(read_study(path))
        Derived(plan.study)
        assert plan.points


def test_a_workload_is_needed(tmp_path: Path):
    with pytest.raises(InputError, match="'workload' is missing"):
        study_of({"study": "s", "axes": {"a": {"argument": "a", "values": [1]}}}, tmp_path)


def test_what_is_no_study(tmp_path: Path):
    (tmp_path / "a.py").write_text("")
    with pytest.raises(InputError, match="is no study"):
        read_study(tmp_path / "a.py")
    with pytest.raises(InputError, match="cannot read"):
        read_study(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="'study' is of type object"):
        study_of({"study": object()}, tmp_path)


def test_an_axis_is_read_in_time_that_grows_with_its_levels(monkeypatch: pytest.MonkeyPatch):
    """Each level is looked at a few times, however many there are."""
    counts = []
    for levels in (300, 600):
        looked = 0

        def counted(value: object) -> object:
            nonlocal looked
            looked += 1
            return number_of(value)

        monkeypatch.setattr("sim.studies.study_file.number_of", counted)
        axes = {"n": {"argument": "n", "values": list(range(levels))}}
        content = {"study": "s", "workload": "w", "axes": axes, "base": {"n": 1}}
        [axis] = study_of(content, Path()).axes
        assert all(axis.level_called(n).label == n for n in range(levels))
        counts.append(looked)
    assert counts[1] <= 2.1 * counts[0] < 12 * 300
