"""Pictures show what tables say; those of one table are the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.studies.axis_plots import main_effect
from sim.studies.directions import Directions
from sim.studies.drawing import apart
from sim.studies.plan import Plan
from sim.studies.plots import KINDS, check_plots, draw, figure
from sim.studies.point_plots import elasticities, pareto_front, speedups
from sim.studies.study_file import read_study, study_of
from sim.studies.study_result import told
from sim.studies.table import Table, TableRow, dead_axes
from tests.campaign.seeds import short_form

DONE = "done"


def figures(cycles: int, clock: int = 10**9) -> dict:
    return {"cycles": cycles, "seconds": cycles / clock}


def table(rows: list[tuple[dict, int | None]]) -> Table:
    found = [
        TableRow(at, {}, DONE if cycles else "refused", figures(cycles) if cycles else {})
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


def test_per_cent_of_time_for_one_per_cent_of_a_figure(tmp_path: Path):
    """Time that follows a figure's square has a slope of two, whatever another figure does."""
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


@pytest.mark.parametrize(
    ("derived", "is_more"),
    [
        ("base_cycles / cycles", True),
        ("cycles / base_cycles", False),
        ("1 / seconds", True),
        ("-cycles", True),
        ("nothing / cycles + 5", True),
        ("USEFUL_INST_RETIRED / cycles", True),
        ("(base_cycles - cycles) / base_cycles", True),
        ("n / 1024", False),
        ("cycles / (1 / cycles)", False),
        ("cycles * (1 / cycles)", False),  # it says nothing
        ("1 / twice", True),
        ("sqrt(cycles)", False),
    ],
)
def test_what_is_better_is_known_from_the_figure(derived: str, is_more: bool):
    derive = {"nothing": "n * 0", "twice": "2 * cycles", "found": derived}
    content = {"study": "s", "workload": "w", "axes": {"n": {"argument": "n", "values": [1, 2]}},
               "base": {"n": 1}, "derive": derive}  # fmt: skip
    assert Directions(study_of(content, Path())).is_more("found") == is_more
    for key, said in (("more_is_better", True), ("less_is_better", False)):
        study = study_of({**content, key: ["found"]}, Path())
        assert Directions(study).is_more("found") == said
    with pytest.raises(InputError, match="cannot both be better"):
        both = {"more_is_better": ["found"], "less_is_better": ["found"]}
        Directions(study_of({**content, **both}, Path()))


def test_a_front_of_cost_and_speedup_has_the_fast_and_the_cheap():
    """More speed-up is better: of points that trade it for cost all are on the front, of others
    only the best."""
    pytest.importorskip("matplotlib")
    axes = {"n": {"argument": "n", "values": [1, 2, 3, 4]}}
    derive = {"cost": "n * 1", "speedup": "base_cycles / cycles"}
    content = {"study": "s", "workload": "w", "axes": axes, "base": {"n": 1}, "derive": derive,
               "show": ["cost", "speedup"]}  # fmt: skip
    plan = Plan(study_of(content, Path()))
    for cycles, front in (((100, 50, 40, 45), [(1, 1), (2, 2), (3, 2.5)]),
                          ((100, 110, 120, 130), [(1, 1)])):  # fmt: skip
        rows = [
            TableRow({"n": n}, {"n": n}, DONE, {"cost": n, "speedup": 100 / cycles[n - 1]})
            for n in range(1, 5)
        ]
        picture = figure("pareto", plan, Table(["n"], [], ["cost", "speedup"], rows))
        [cell] = picture.axes
        assert sorted(cell.lines[1].get_xydata().tolist()) == [[*map(float, one)] for one in front]
        assert "more is better" in cell.get_ylabel() and "less is better" in cell.get_xlabel()
        [legend] = picture.legends
        assert [one.get_text() for one in legend.texts] == [f"{k}  {n}" for k, (n, _) in
                                                            enumerate(front, 1)]  # fmt: skip


def test_a_faster_clock_is_faster(studied: Callable):
    """Twice the clock with a few cycles more is nearly twice as fast; cycles would say slower."""
    pytest.importorskip("matplotlib")
    axes = {"clock": {"set": "clock", "values": ["1 GHz", "2 GHz"]}}
    content = {"study": "s", "workload": "w", "axes": axes, "base": {"clock": "1 GHz"}}
    plan = Plan(study_of(content, Path()))
    rows = [TableRow({"clock": "1 GHz"}, {}, DONE, figures(1000)),
            TableRow({"clock": "2 GHz"}, {}, DONE, figures(1020, 2 * 10**9))]  # fmt: skip
    found = Table(["clock"], [], ["cycles"], rows)
    assert [factor for _, factor in speedups(plan, found)] == pytest.approx([1, 1.9608], abs=1e-4)
    slopes = elasticities(plan, found)
    assert slopes["clock"] == pytest.approx(-0.971, abs=1e-3)  # of cycles it would be +0.03


def dead_study(**levels: list) -> Plan:
    axes = {name: {"argument": name, "values": values} for name, values in levels.items()}
    return Plan(study_of({"study": "s", "workload": "w", "axes": axes}, Path()))


def test_an_axis_that_changes_nothing_is_named():
    plan = dead_study(n=[1, 2], m=[3, 4, 5], k=[6])
    rows = table([(point.coordinates, 100 * point.coordinates["n"]) for point in plan.points])
    assert dead_axes(rows) == ["m"]
    assert "note: axis 'm' changes nothing: no level of it moves a cycle" in list(told(plan, rows))
    fits = [(at, None if at["m"] == 3 else cycles) for at, cycles in
            ((row.coordinates, row.figures["cycles"]) for row in rows.rows)]  # fmt: skip
    assert dead_axes(table(fits)) == []  # it decides what can be run
    assert dead_axes(table([(at, c and c + at["m"]) for at, c in fits])) == []
    assert dead_axes(table([({"n": 1, "m": 1}, 5), ({"n": 2, "m": 2}, 5)])) == []  # nobody knows
    pytest.importorskip("matplotlib")
    picture = figure("effects", plan, rows)
    assert picture.get_supxlabel().startswith("axis 'm' changes nothing")
    assert [cell.get_title() for cell in picture.axes] == ["", "changes nothing"]


def large(n: int, m: int, named: bool) -> tuple[Plan, Table]:
    """A study of n latencies and m sizes, or as many programs."""
    sizes = {"set": "memory.l3.size", "values": [f"{2**k} KiB" for k in range(m)]}
    programs = {"workload": {f"a_program_{k}": "w" for k in range(m)}}
    axes = {"latency": {"set": "memory.l2.latency", "values": [f"{k} cycles"
                                                               for k in range(1, n + 1)]},
            "other": programs if named else sizes}  # fmt: skip
    base = {"latency": "1 cycles", "other": "a_program_0" if named else "1 KiB"}
    content = {"study": "many", "workload": "w", "axes": axes, "base": base,
               "derive": {"speedup": "base_cycles / cycles"}}  # fmt: skip
    if named:
        del content["workload"]
    plan = Plan(study_of(content, Path()))
    rows = []
    for k, point in enumerate(plan.points):
        cycles = 10_000_000 + 5000 * (k % 37) + 400 * k
        found = {**figures(cycles), "speedup": 10_000_000 / cycles}
        more = {"workload": "w", "machine": "itanium2"}
        parts = {"issuing": k + 1, "load": 5}
        at, numbers = point.coordinates, point.numbers
        rows.append(TableRow(at, numbers, DONE, found, breakdown=parts, **more))
    return plan, Table(["latency", "other"], [], ["cycles", "speedup"], rows)


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("size", short_form([(8, 8, True), (3, 2, False), (60, 2, False)], 1))
def test_texts_do_not_lie_on_each_other(kind: str, size: tuple[int, int, bool]):
    """Each picture has a head with the study, the workload and the machine, and names what its
    axes are; all texts of it that are drawn have room of their own."""
    agg = pytest.importorskip("matplotlib.backends.backend_agg")
    plan, rows = large(*size)
    picture = figure(kind, plan, rows)
    head = picture.get_suptitle()
    assert head.startswith("many: ") and head.endswith("\nw on itanium2")
    assert all(cell.get_ylabel() or cell.get_xlabel() or len(picture.axes) > 1
               for cell in picture.axes)  # fmt: skip
    canvas = agg.FigureCanvasAgg(picture).get_renderer()
    picture.draw_without_rendering()
    beyond = [tick.label1 for cell in picture.axes for axis in (cell.xaxis, cell.yaxis)
              for low, high in [sorted(axis.get_view_interval())]
              for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high]  # fmt: skip
    texts = [one for one in picture.findobj(lambda one: hasattr(one, "get_rotation"))
             if hasattr(one, "get_text") and one.get_visible() and one.get_text().strip()
             and one not in beyond]  # fmt: skip
    whole = picture.get_window_extent(canvas).padded(2)
    boxes = [(one.get_text(), one.get_window_extent(canvas), one.get_rotation()) for one in texts]
    drawn = [box for box in boxes if whole.overlaps(box[1])]
    assert len(drawn) > 5
    turned = [box for box in drawn if box[2] == 30.0]
    flat = sorted((box for box in drawn if box[2] != 30.0), key=lambda box: box[1].y0)
    for k, (text, one, _) in enumerate(flat):
        for other, two, _ in flat[k + 1 :]:
            if two.y0 > one.y1:
                break
            shared = one.intersection(one, two)
            assert shared is None or min(shared.width, shared.height) < 2, (text, other)
    ends = sorted(box[1].x1 for box in turned)  # a turned label ends at its tick
    apart = [b - a for a, b in pairwise(ends) if b - a > 0.5]
    assert all(gap > 12 for gap in apart), min(apart)  # pixels, of a line of 9 points


def test_labels_are_left_out_where_there_is_no_room():
    assert apart([0, 0.5, 1], 4.0) == [0, 1, 2]
    assert apart([0, 0.01, 0.02, 0.5, 0.98, 1], 4.0) == [0, 3, 5]
    assert apart([0.5], 4.0) == [0] and apart([], 4.0) == []
    assert len(apart([k / 9999 for k in range(10_000)], 4.0)) <= 12


def test_a_logarithmic_axis_says_so():
    pytest.importorskip("matplotlib")
    picture = figure("effects", *large(3, 4, False))
    labels = [cell.get_xlabel() for cell in picture.axes]
    assert labels[-2:] == ["latency: memory.l2.latency", "other: memory.l3.size (log scale)"]


def test_more_bars_than_a_picture_shows_are_refused():
    plan, rows = large(61, 2, False)
    for kind in ("speedup", "breakdown"):
        with pytest.raises(InputError, match="122 points are more than 120"):
            figure(kind, plan, rows)


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param(sorted(KINDS)[:2], id="two"),
        pytest.param(KINDS, id="all", marks=pytest.mark.campaign),
    ],
)
def test_pictures_are_the_same_bytes(studied: Callable, tmp_path: Path, kinds):
    pytest.importorskip("matplotlib")
    study = studied(base="{l2: 5 cycles, a: 2.5}", derive='{each: "cycles / 8"}')
    study.run()
    plan, found = Plan(read_study(study.path)), study.table()
    for kind in kinds:
        paths = [tmp_path / f"{kind}{k}.svg" for k in range(2)]
        for path in paths:
            draw(f"{kind}={path}", plan, found)
        assert paths[0].read_bytes() == paths[1].read_bytes()
        assert "<svg" in paths[0].read_text()
