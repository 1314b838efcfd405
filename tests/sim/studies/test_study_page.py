"""The page of a study says what its table does."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from sim.pages import document
from tests.sim.pages.read_pages import drawable, holds_together, read, rows_of

pytest.importorskip("vl_convert", reason="pip install 'simrun[page]'")

AXES = """
  latency: {set: memory.main.latency_cycles, values: [100 cycles, 200 cycles, 900 cycles]}
  a: {argument: a, values: [2.5, 3.5]}
"""


def test_points_figures_and_charts(
    studied, in_this_process, simrun, monkeypatch: pytest.MonkeyPatch
):
    from vl_convert import vegalite_to_vega

    monkeypatch.setattr(document, "script", lambda: "/* the library */")
    studied(AXES, derive="{per: 'cycles / 8'}")
    monkeypatch.setattr(sys, "argv", ["simrun", "study", "study.yaml"])
    ended = simrun("study", "study.yaml", "--store", "s.sqlite", "--page", "page.html")
    assert ended.code == 0, ended.err
    page = read(Path("page.html").read_text(encoding="utf-8"))
    data, charts = holds_together(page), page.json("charts")
    simrun("study", "export", "study.yaml", "--out", "t.json", "--store", "s.sqlite")
    table = json.loads(Path("t.json").read_text())
    for name in ("cycles", "per"):
        assert [row[name] for row in data["rows"]] == [row[name] for row in table]
    assert [row["number of latency"] for row in data["rows"][:3]] == [100, 100, 200]
    titles = [one.text for one in page.all("figcaption")]
    assert titles == ["cycles along latency", "per along latency", "per over cycles",
                      "Time of each point by what it went to"]  # fmt: skip
    for chart in charts.values():
        rows = {name: rows_of(data, one) for name, one in chart["rows"].items()}
        assert vegalite_to_vega({**drawable(chart["spec"]), "width": 400, "datasets": rows})


def test_points_that_failed_are_said(studied, in_this_process, simrun, monkeypatch):
    monkeypatch.setattr(document, "script", lambda: "/* the library */")
    studied("\n  n: {argument: n, values: [8, 9]}\n")
    ended = simrun("study", "study.yaml", "--store", "s.sqlite", "--page", "page.html")
    assert ended.code == 1
    page = read(Path("page.html").read_text(encoding="utf-8"))
    holds_together(page)
    assert "✗ some points have no right result" in [one.text for one in page.all("p")]
    assert any(one.text.startswith("✗ refused") for one in page.all("td"))
