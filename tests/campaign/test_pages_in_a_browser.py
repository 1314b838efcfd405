"""Pages in headless Chromium, from file://: no error, no request, no fault that axe-core finds, no
scrolling to the side at the width of a phone, and charts that draw what the data say.

Needs Chromium on the PATH (Debian: `apt install chromium`) and the packages playwright and
axe-playwright-python, of which only axe-core's script is used.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sim.pages.read_pages import at, rows_of, shows

pytestmark = pytest.mark.campaign

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WORKLOADS = (
    "saxpy", "gpu/bfs", "chip/overlap/double", "chip/layers", "quicksort",
)  # fmt: skip
WIDTHS = {"wide": (1280, 900), "phone": (390, 844)}
MOST_BYTES = 3_000_000
LINES = "section[aria-labelledby=lines]"
CELLS = """[...document.querySelectorAll("[data-at]")].map(one => [
    one.dataset.at, one.textContent])"""
"""Where the figures stand that cells show, and what these show."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium on the PATH: apt install chromium")
    driver = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with driver.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def axe() -> str:
    found = pytest.importorskip("axe_playwright_python", reason="pip install axe-playwright-python")
    [script] = Path(found.__file__).parent.rglob("axe.min.js")
    return script.read_text(encoding="utf-8")


class Opened:
    """A page that was opened and has drawn its charts; what it said and asked for."""

    def __init__(self, browser: Any, path: Path, width: str, scheme: str):
        across, down = WIDTHS[width]
        size = {"width": across, "height": down}
        self.tab = browser.new_context(viewport=size, color_scheme=scheme).new_page()
        self.said: list[str] = []
        self.tab.on("console", lambda message: self.said.append(message.text))
        self.tab.on("pageerror", lambda error: self.said.append(str(error)))
        self.tab.on("request", lambda request: self._asked(request.url))
        self.tab.goto(path.as_uri())
        self.tab.wait_for_function("document.documentElement.dataset.drawn", timeout=60_000)

    def _asked(self, url: str) -> None:
        if not url.startswith(("file:", "data:")):
            self.said.append(f"asked for {url}")

    def faults(self, axe: str) -> list[tuple[str, str, str]]:
        """What axe-core finds that is serious; what is within pictures is hidden from readers, and
        looking at thousands of their marks takes minutes."""
        self.tab.evaluate(
            "text => { const s = document.createElement('script'); s.textContent = text;"
            " document.head.append(s) }",
            axe,
        )
        found = self.tab.evaluate("axe.run({exclude: [['.chart svg']]})")["violations"]
        return [
            (one["id"], one["impact"], one["nodes"][0]["html"])
            for one in found
            if one["impact"] in ("serious", "critical")
        ]


def holds(browser: Any, axe: str, path: Path) -> None:
    """What is true of every page."""
    assert path.stat().st_size < MOST_BYTES
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            opened = Opened(browser, path, width, scheme)
            tab = opened.tab
            assert opened.said == [], (path, width, scheme)
            assert opened.faults(axe) == [], (path, width, scheme)
            across = tab.evaluate("document.documentElement.scrollWidth")
            assert across <= WIDTHS[width][0], (path, across)
            data, charts = (
                tab.evaluate(f"JSON.parse(document.getElementById('{name}').textContent)")
                for name in ("data", "charts")
            )
            assert tab.locator(".chart svg").count() == len(charts)
            cells = tab.evaluate(CELLS)
            assert len(cells) > 10
            for pointer, text in cells:
                assert shows(text, at(data, pointer)), (path, pointer, text)
            tab.context.close()


@pytest.mark.parametrize("workload", WORKLOADS)
def test_pages_of_runs(workload: str, browser: Any, axe: str, tmp_path: Path, simrun, monkeypatch):
    path = tmp_path / "page.html"
    words = [str(ROOT / "workloads" / workload / "workload.yaml"), "--page", str(path), "--quiet"]
    monkeypatch.setattr(sys, "argv", ["simrun", *words])
    assert simrun(*words).code == 0
    holds(browser, axe, path)


def test_pages_of_comparisons_and_studies(
    browser: Any, axe: str, tmp_path: Path, simrun, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    saxpy = str(ROOT / "workloads/saxpy/workload.yaml")
    for name, latency in (("a", 5), ("b", 9)):
        made = simrun(saxpy, "--json", "--set", f"memory.l2.latency={latency} cycles")
        Path(f"{name}.json").write_text(made.out)
    assert simrun("compare", "a.json", "b.json", "--page", "compared.html").code == 0
    holds(browser, axe, Path("compared.html").resolve())
    study = str(ROOT / "workloads/studies/reconvergence.yaml")
    ended = simrun("study", study, "--store", "s.sqlite", "--page", "study.html")
    assert ended.code == 0, ended.err
    holds(browser, axe, Path("study.html").resolve())


def test_charts_draw_the_data_and_the_page_is_used_by_keyboard(
    browser: Any, tmp_path: Path, simrun, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "page.html"
    words = [str(ROOT / "workloads/gpu/bfs/workload.yaml"), "--page", str(path), "--quiet"]
    monkeypatch.setattr(sys, "argv", ["simrun", *words])
    simrun(*words)
    tab = Opened(browser, path, "wide", "light").tab
    data, charts = (
        tab.evaluate(f"JSON.parse(document.getElementById('{name}').textContent)")
        for name in ("data", "charts")
    )
    # The first chart is the breakdown: what its bars are of is what the result says.
    breakdown = data["runs"][0]["result"]["breakdown"]
    drawn = tab.evaluate("window.pageViews[0].data('data_0').map(d => [d.key, d.value])")
    idle = {"empty"}
    assert dict(drawn) == {k: v for k, v in breakdown.items() if v and k not in idle}
    box = tab.locator(".vega-bind input")
    box.focus()
    tab.keyboard.press("Space")
    drawn = tab.evaluate("window.pageViews[0].data('data_0').map(d => [d.key, d.value])")
    assert dict(drawn) == {k: v for k, v in breakdown.items() if v}
    # Rows of all charts are as many as the data have.
    for chart in charts.values():
        for rows in chart["rows"].values():
            assert rows_of(data, rows)
    # The theme, the filter of counters, the order of a table.
    tab.locator("#theme").focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    assert tab.locator("#theme").text_content() == "Light"
    tab.locator(".find").fill("DRAM_BYTES")
    shown = [row for row in tab.locator("table:has(caption:text-is('counters')) tbody tr").all()
             if row.is_visible()]  # fmt: skip
    assert shown and all("DRAM_BYTES" in row.text_content() for row in shown)
    head = tab.locator(f"{LINES} > .scroll > table > thead th button")
    head.nth(1).focus()
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    cells = tab.locator(f"{LINES} > .scroll > table > tbody > tr > td:nth-child(2)")
    values = [int(one.replace("\u00a0", "")) for one in cells.all_text_contents()]
    assert values == sorted(values) and len(values) > 5
    opened = tab.locator("details.opened").first
    opened.locator("summary").focus()
    tab.keyboard.press("Enter")
    assert opened.evaluate("one => one.open")
