"""Figures of points: derived, compared, and means of repetitions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sim.studies.report import export, lines, number, to_frame
from sim.studies.table import Table, TableRow, interval, t_quantile


@pytest.mark.parametrize(
    "freedom, quantile",
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (30, 2.0423), (120, 1.9799)],
)
def test_students_t(freedom: int, quantile: float):
    """Against published tables, two-sided, 95 %."""
    assert t_quantile(freedom) == pytest.approx(quantile, abs=5e-5)


def test_an_interval():
    found = interval([10, 12, 14])
    assert (found.count, found.mean) == (3, 12)
    assert found.half == pytest.approx(4.3027 * 2 / 3**0.5, abs=1e-3)
    assert interval([7]).half is None


@pytest.mark.parametrize(
    "value, text",
    [
        (3, "3"),
        (1234567.0, "1 234 567"),
        (0.12345, "0.1235"),
        (10000.4, "10000.4"),
        (2.00004, "2.00004"),
    ],
)
def test_a_number_that_is_not_whole_does_not_look_so(value: float, text: str):
    assert number(value) == text


def test_repetitions_of_which_one_failed_have_no_mean():
    rows = [
        TableRow({"s": k}, {}, "done" if figures else "wrong", figures)
        for k, figures in enumerate([{"cycles": 5}, {}, {"cycles": 7}])
    ]
    [mean] = Table(["s"], ["s"], ["cycles"], rows).means()
    assert (mean.figures, mean.statuses) == ({}, {"done": 2, "wrong": 1})


def test_derived_figures(studied: Callable):
    study = studied(
        base="{l2: 5 cycles}",
        derive='{each: "cycles / 8", more: "each * a", speedup: "base_cycles / cycles", '
        'both: "base_more + more", far: "l2 * 2", warps: "RECONVERGENCE_DIVERGENCES * 1"}',
    )
    study.run()
    table = study.table()
    assert table.shown == ["cycles", "each", "more", "speedup", "both", "far", "warps"]
    first, second, third, _ = (row.figures for row in table.rows)
    assert first["each"] == first["cycles"] / 8
    assert second["more"] == second["each"] * 3.5
    assert (first["speedup"], first["far"], third["far"]) == (1, 10, 16)
    assert third["speedup"] == first["cycles"] / third["cycles"]
    assert third["both"] == first["more"] + third["more"]
    assert first["warps"] is None  # another kind's counter


def test_figures_that_are_no_numbers_are_empty(studied: Callable, tmp_path: Path):
    study = studied(
        "\n  a: {argument: a, values: [2.5]}",
        derive='{none: "cycles / 0", unknown: "0 / 0 * cycles", huge: "cycles ** 500", '
        'large: "cycles ** 9"}',
    )
    study.run()
    table = study.table()
    [row] = table.rows
    assert [row.figures[name] for name in ("none", "unknown", "huge")] == [None] * 3
    assert row.figures["large"] == float(row.figures["cycles"]) ** 9
    assert len(list(lines(table))) == 2
    export(table, tmp_path / "out.json")


def test_it_is_printed_and_written(studied: Callable, tmp_path: Path):
    study = studied(derive='{each: "cycles / 8"}')
    study.run()
    table = study.table()
    printed = list(lines(table))
    assert printed[0].split() == ["l2", "a", "cycles", "each"]
    shown = replace(table, shown=["cycles"])
    assert "each" in shown.figures  # derived ones that are not shown are exported all the same
    assert len(printed) == 5
    export(table, tmp_path / "out.csv")
    export(table, tmp_path / "out.json")
    head, first, *_ = (tmp_path / "out.csv").read_text().splitlines()
    assert head.startswith("l2,a,status,cycles,each,")
    assert first.startswith("5 cycles,2.5,done,")
    records = json.loads((tmp_path / "out.json").read_text())
    assert records[0]["CPU_CYCLES"] == records[0]["cycles"]
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    export(table, tmp_path / "out.parquet")
    frame = pandas.read_parquet(tmp_path / "out.parquet")
    assert frame["cycles"].tolist() == [record["cycles"] for record in records]


def test_labels_of_several_types_are_one_column(studied: Callable, tmp_path: Path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    study = studied("\n  a: {argument: a, values: [2.5, [2.5], text]}")
    study.run()
    export(study.table(), tmp_path / "out.parquet")
    assert pandas.read_parquet(tmp_path / "out.parquet")["a"].tolist() == ["2.5", "[2.5]", "text"]


def test_integers_stay_integers_where_a_point_has_none(studied: Callable, tmp_path: Path):
    """Cycles beyond 2**53 would lose their last digits as doubles."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    many = (1 << 53) + 1
    rows = [TableRow({"n": 1}, {}, "done", {"cycles": many, "seconds": 0.5}),
            TableRow({"n": 2}, {}, "refused", {})]  # fmt: skip
    table = Table(["n"], [], ["cycles"], rows)
    export(table, tmp_path / "out.parquet")
    for frame in (to_frame(table), pandas.read_parquet(tmp_path / "out.parquet")):
        assert frame["cycles"].dtype == "Int64"
        assert frame["cycles"][0] == many and frame["cycles"].isna().tolist() == [False, True]
        assert frame["seconds"].dtype == "float64"
