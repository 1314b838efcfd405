"""Pictures show what tables say; those of one table are the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.studies.plan import Plan
from sim.studies.plots import check_plots, draw, elasticities, figure, main_effect, pareto_front
from sim.studies.study_file import read_study
from sim.studies.table import Table, TableRow

DONE = "done"


def table(rows: list[tuple[dict, int | None]]) -> Table:
    found = [
        TableRow(at, {}, DONE if cycles else "refused", {"cycles": cycles} if cycles else {})
        for at, cycles in rows
    ]
    return Table(list(rows[0][0]), [], ["cycles"], found)


def test_a_level_at_which_little_runs_does_not_seem_better():
    """The slow program alone runs with little memory: that memory is not what makes it slow."""
    rows = table(
        [
            ({"program": "slow", "memory": 1}, 100),
            ({"program": "slow", "memory": 2}, 100),
            ({"program": "fast", "memory": 1}, None),
            ({"program": "fast", "memory": 2}, 10),
        ]
    )
    assert main_effect(rows, "memory", "cycles") == {1: 100, 2: 100}
    assert main_effect(rows, "program", "cycles") == {"slow": 100, "fast": 10}


def test_levels_that_nothing_is_known_of_are_left_out():
    rows = table([({"a": 1}, None), ({"a": 2}, 7)])
    assert main_effect(rows, "a", "cycles") == {2: 7}
    disjoint = table([({"a": 1, "b": 1}, 5), ({"a": 2, "b": 2}, 7)])
    assert main_effect(disjoint, "a", "cycles") == {}


def test_the_front_is_beaten_by_nobody():
    points = [(1, 9), (2, 9), (3, 5), (3, 6), (4, 5), (9, 1)]
    assert pareto_front(points) == [(1, 9), (3, 5), (9, 1)]
    assert pareto_front([]) == []
    assert pareto_front(points, 1, -1) == [(1, 9)]  # more of the second is better
    assert pareto_front(points, -1, 1) == [(9, 1)]
    assert pareto_front(points, -1, -1) == [(2, 9), (3, 6), (4, 5), (9, 1)]


def test_per_cent_of_cycles_for_one_per_cent_of_a_figure(tmp_path: Path):
    """Cycles that follow a figure's square have a slope of two, whatever another figure does."""
    path = tmp_path / "study.yaml"
    path.write_text(
        "study: s\nworkload: w\nbase: {x: 2, y: 1}\naxes:\n"
        "  x: {argument: x, values: [1, 2, 4]}\n  y: {argument: y, values: [1, 3]}\n"
    )
    plan = Plan(read_study(path))
    rows = [
        (point.coordinates, point.coordinates["x"] ** 2 * 100 * (1 + point.coordinates["y"]))
        for point in plan.points
    ]
    found = elasticities(plan, table(rows))
    assert found["x"] == pytest.approx(2)
    assert found["y"] == pytest.approx(0.631, abs=1e-3)  # log 2 / log 3


def test_what_cannot_be_drawn_is_told_before_anything_runs(studied: Callable, tmp_path: Path):
    plan = Plan(read_study(studied().path))
    for plot, message in (
        ("effects", "'effects' is no plot"),
        ("effect=a.svg", "there is no plot 'effect'"),
        ("effects=a.pdf", "its name ends in .svg or .png"),
        ("pareto=a.svg", "needs two figures"),
        ("speedup=a.svg", "needs a base"),
        ("tornado=a.svg", "needs a base"),
    ):
        with pytest.raises(InputError, match=message):
            check_plots([plot], plan)
    seeds = Plan(read_study(studied("\n  s: {seed: x, values: [1, 2]}").path))
    with pytest.raises(InputError, match="needs an axis of two levels"):
        check_plots(["effects=a.svg"], seeds)


def test_effects_need_levels_that_have_the_same_others(studied: Callable):
    pytest.importorskip("matplotlib")
    study = studied(combine="zip")
    study.run()
    with pytest.raises(InputError, match="no two levels were run with the same others"):
        figure("effects", Plan(read_study(study.path)), study.table())


def test_labels_are_drawn_as_they_are(studied: Callable, tmp_path: Path):
    pytest.importorskip("matplotlib")
    study = studied('\n  a: {levels: {"$\\\\frac{$": {}, "$x$": {arguments: {a: 3.5}}}}')
    study.run()
    draw(f"effects={tmp_path / 'a.svg'}", Plan(read_study(study.path)), study.table())
    assert "$x$" in (tmp_path / "a.svg").read_text()


def test_a_range_without_levels_has_no_slopes(studied: Callable):
    axes = "\n  l2: {set: memory.l2.latency, from: 5 cycles, to: 9 cycles}"
    keys = {"combine": "{random: 4, seed: 1}", "base": "{l2: 5 cycles}"}
    with pytest.raises(InputError, match="no axis of the base has levels of numbers"):
        check_plots(["tornado=a.svg"], Plan(read_study(studied(axes, **keys).path)))


def test_the_front_is_of_what_the_study_praises(studied: Callable, tmp_path: Path):
    """A speed-up is the better the more it is: of equal cost the fastest is on the front."""
    pytest.importorskip("matplotlib")
    derive = '{cost: "cycles * 0 + 1", speedup: "base_cycles / cycles"}'
    keys = {"show": "[cost, speedup]", "base": "{l2: 5 cycles}", "derive": derive}
    axes = "\n  l2: {set: memory.l2.latency, values: [5 cycles, 8 cycles]}"
    for praised, best in (("[]", "8 cycles"), ("[speedup]", "5 cycles")):
        study = studied(axes, more_is_better=praised, **keys)
        study.run()
        picture = figure("pareto", Plan(read_study(study.path)), study.table())
        [note] = picture.axes[0].texts
        assert note.get_text() == best


def test_pictures_are_the_same_bytes(studied: Callable, tmp_path: Path):
    pytest.importorskip("matplotlib")
    study = studied(base="{l2: 5 cycles, a: 2.5}", derive='{each: "cycles / 8"}')
    study.run()
    plan, found = Plan(read_study(study.path)), study.table()
    for kind in ("effects", "pareto", "speedup", "tornado"):
        paths = [tmp_path / f"{kind}{k}.svg" for k in range(2)]
        for path in paths:
            draw(f"{kind}={path}", plan, found)
        assert paths[0].read_bytes() == paths[1].read_bytes()
        assert "<svg" in paths[0].read_text()
