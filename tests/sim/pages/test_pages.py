"""Pages of runs, comparisons and studies: what is in them, without a browser."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import sim
from sim.pages import document, library
from sim.pages.colours import of_reasons
from sim.pages.content import GREY, Data, number, pointer
from sim.pages.making import page_of_runs
from sim.pages.recorded import MOST_SPANS, Recorded
from sim.results.energy import Amount, Estimate
from sim.results.vocabulary import Reason, Vocabulary
from sim.timeline.declared import Event
from sim.timeline.span import Instant, Span, Track
from tests.sim.conftest import KERNEL
from tests.sim.pages.read_pages import ReadPage, drawable, holds_together, read, rows_of

pytest.importorskip("vl_convert", reason="pip install 'simrun[page]'")

ROOT = Path(__file__).parent.parent.parent.parent
HOSTILE = "</script><script>alert(1)</script><b>&amp;"


@pytest.fixture(autouse=True)
def _without_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """To put the library together takes seconds, and what it is no test here asks."""
    monkeypatch.setattr(document, "script", lambda: "/* the library */")


@pytest.fixture
def paged(tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    """Run the command with `--page`, and read the page."""

    def run(*words: str, code: int = 0) -> ReadPage:
        words = (*words, "--page", "page.html")
        monkeypatch.setattr(sys, "argv", ["simrun", *words])
        ended = simrun(*words)
        assert ended.code == code, ended.err
        return read(Path("page.html").read_text(encoding="utf-8"))

    return run


def test_a_page_has_the_result_and_every_cell_shows_it(paged, simrun):
    """The page's data are what --json prints; cells show what is there."""
    page = paged("workload.yaml")
    data = holds_together(page)
    result = data["runs"][0]["result"]
    assert result == json.loads(simrun("workload.yaml", "--json").out)
    shown = {cell.attributes["data-at"] for cell in page.cells()}
    parts = ("cycles", "counters/CPU_CYCLES", "breakdown/issuing", "lines/0/executed")
    assert {f"/runs/0/result/{part}" for part in parts} <= shown
    assert {f"/runs/0/result/counters/{name}" for name in result["counters"]} <= shown
    titles = [one.text for one in page.elements if one.tag in ("h1", "h2")]
    assert titles[0] == "tiny on itanium2"
    wanted = ["Outputs", "Where the time went", "Hottest source lines", "Timeline", "Memory map",
              "Counters", "Machine code", "Provenance"]  # fmt: skip
    assert [title for title in titles if title in wanted] == wanted
    assert data["runs"][0]["command"] == "simrun workload.yaml --page page.html"


def test_a_page_from_python(paged, tiny: Path):
    of_command = paged("workload.yaml").json("data")["runs"][0]
    result = sim.run(tiny, page="python.html")
    data = holds_together(read(Path("python.html").read_text(encoding="utf-8")))
    del of_command["command"]
    assert data == {"runs": [of_command]} and result.cycles == of_command["result"]["cycles"]


def test_equal_runs_have_equal_pages(paged):
    paged("workload.yaml")
    first = Path("page.html").read_bytes()
    paged("workload.yaml")
    assert Path("page.html").read_bytes() == first


def test_figures_of_instructions_and_lines_add_up_to_the_breakdown(paged):
    [run] = paged("workload.yaml").json("data")["runs"]
    code = [row for row in run["code"] if row["instruction"] is not None]
    for line, spent in zip(run["result"]["lines"], run["spent"], strict=True):
        own = [row for row in code if (row["file"], row["line"]) == (line["file"], line["line"])]
        assert sum(row["executed"] for row in own) == line["executed"]
        for reason, cycles in line["lost"].items():
            assert sum(row["spent"].get(reason, 0) for row in own) == cycles == spent[reason]
    assert {row["address"] % 16 for row in run["memory"]} == {0}
    assert [row["name"] for row in run["memory"]][:2] == ["x", "y"]


def test_texts_of_others_are_texts(paged, tiny: Path):
    """A source, a name, what was printed or failed: none ends an element, and none begins one."""
    Path("tiny.py").write_text(KERNEL.replace("+ y[i]", f"+ y[i]  # {HOSTILE}"))
    page = paged("workload.yaml")
    assert len(page.all("script")) == 4 and not page.all("b")
    data = holds_together(page)
    assert any(one.text.endswith(HOSTILE) for one in page.all("summary"))
    [run] = data["runs"]
    run["result"] |= {"workload": HOSTILE, "machine": HOSTILE, "stdout": HOSTILE}
    run["result"]["fault"] = {"message": HOSTILE, "hint": HOSTILE}
    run["memory"][0]["name"] = run["command"] = HOSTILE
    run["timeline"]["tracks"][0] = run["timeline"]["names"][0] = HOSTILE
    text = page_of_runs(data["runs"])
    page = read(text)
    assert len(page.all("script")) == 4 and not page.all("b") and "<!--" not in text
    assert holds_together(page) == data
    assert page.all("h1")[0].text == page.all("title")[0].text == f"{HOSTILE} on {HOSTILE}"


def test_what_went_wrong_is_in_sight(paged, tiny: Path):
    tiny.write_text(tiny.read_text().replace("a * x + y", "a * x"))
    page = paged("workload.yaml", code=1)
    holds_together(page)
    ending = [one for one in page.all("p") if "ending" in one.attributes.get("class", "")]
    assert [one.text for one in ending] == ["✗ done, OUTPUTS WRONG"]
    assert any(one.text.startswith("✗ 8 differ, first at [0]") for one in page.all("td"))
    page = paged("workload.yaml", "--cycle-limit", "50", code=3)
    holds_together(page)
    assert "had not ended after 50 cycles" in "".join(one.text for one in page.all("p"))


def test_variants_are_chapters_of_one_page(paged, tiny: Path):
    variants = "variants:\n  one: {arguments: {a: 1.0}}\n  two: {arguments: {a: 2.0}}\n"
    tiny.write_text(tiny.read_text() + variants)
    page = paged("workload.yaml")
    data = holds_together(page)
    assert [run["result"]["variant"] for run in data["runs"]] == ["one", "two"]
    assert [one.text for one in page.all("h2")] == [
        "tiny (one) on itanium2",
        "tiny (two) on itanium2",
    ]


def test_without_the_library_it_is_said_before_anything_runs(
    paged, monkeypatch: pytest.MonkeyPatch, simrun
):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    ended = simrun("workload.yaml", "--page", "page.html")
    assert ended.code == 2 and not ended.out
    assert "this needs vl_convert, which is not installed" in ended.err
    assert "pip install 'simrun[page]'" in ended.err


def test_a_baseline_that_was_accepted_stands_beside(paged, simrun):
    simrun("check", "workload.yaml", "--update", "--reason", "a test")
    page = paged("workload.yaml", "--set", "memory.main.latency_cycles=500 cycles")
    data = holds_together(page)
    versus = data["runs"][0]["versus"]
    assert versus["cycles"]["b"] == data["runs"][0]["result"]["cycles"] > versus["cycles"]["a"]
    assert "Beside what it was compared with" in [one.text for one in page.all("h2")]


def test_a_comparison_has_a_page(paged, simrun):
    for name, change in (("a", ()), ("b", ("--set", "memory.main.latency_cycles=500 cycles"))):
        Path(f"{name}.json").write_text(simrun("workload.yaml", "--json", *change).out)
    page = paged("compare", "a.json", "b.json")
    data = holds_together(page)
    compared = json.loads(simrun("compare", "a.json", "b.json", "--json").out)
    assert data == {"comparisons": [compared]}


def _can_be_drawn(page: ReadPage) -> None:
    """Vega-Lite takes each chart with the rows that the page gives it, and draws all of these."""
    from vl_convert import vegalite_to_vega

    data, charts = page.json("data"), page.json("charts")
    assert len(charts) >= 3
    for chart in charts.values():
        rows = {name: rows_of(data, one) for name, one in chart["rows"].items()}
        made = vegalite_to_vega({**drawable(chart["spec"]), "width": 400, "datasets": rows})
        assert made["marks"] and {*rows} <= {one["name"] for one in made["data"]}


def test_counters_over_time_and_histograms(paged):
    """Intervals add up to the run, in the picture's rows as in the result; each can be drawn."""
    page = paged("workload.yaml", "--series", "20", "--histograms")
    data, charts = holds_together(page), page.json("charts")
    [run] = data["runs"]
    result = run["result"]
    shown = {title: charts[name] for name in charts for title in [name.removeprefix("chart-")]}
    over_time = rows_of(data, shown["where-the-time-went-over-time"]["rows"]["rows"])
    for reason, cycles in result["breakdown"].items():
        assert sum(row["value"] for row in over_time if row["key"] == reason) == cycles
    assert {row["end"] - row["begin"] for row in over_time[:3]} == {20}
    assert max(row["end"] for row in over_time) == result["cycles"]
    sizes = rows_of(data, shown["how-often-each-size-was-there"]["rows"]["rows"])
    for k, one in enumerate(result["histograms"]):
        assert sum(row["count"] for row in sizes if row["number"] == k) == one["count"]
    _can_be_drawn(page)


def test_estimates_of_energy_and_area(paged):
    data = paged("workload.yaml").json("data")
    events = {"add": Amount.of(2.5e9, 2.0), "load": Amount.of(12.0, 1.5)}
    lines = [("tiny.py", 6, 12.0), ("tiny.py", 7, 2.5e9)]
    areas = {"core": Amount.of(10.0, 1.2)}
    made = Estimate("7 nm", events, {"jump": 3}, 0.001, lines, areas=areas)
    data["runs"][0]["result"]["energy"] = made.to_dict()
    page = read(page_of_runs(data["runs"]))
    assert holds_together(page) == data
    _can_be_drawn(page)
    texts = {one.text for one in page.all("td")}
    assert {"2.5 mJ", "1.25 mJ", "5 mJ", "12 pJ", "100.0 %"} <= texts
    assert any("of 7 nm in the machine's file: 2.5 mJ" in one.text for one in page.all("p"))


def test_loops_of_a_kernel_have_their_reservation_table(paged):
    """As `explain --show schedule` says it: each operation once, at its row and port."""
    page = paged(str(ROOT / "workloads/saxpy/workload.yaml"), "--arg", "n=64", "--arg",
                 "x={dtype: f32, shape: [64], value: 1}", "--arg",
                 "y={dtype: f32, shape: [64], value: 1}")  # fmt: skip
    [loop] = holds_together(page)["runs"][0]["kind"]["loops"]
    assert loop["ii"] == len(loop["rows"])
    for row in loop["rows"]:
        units = [one["unit"] for one in row["operations"]]
        assert len(units) == len({*units}) and {*units} <= {*loop["ports"]}
        packed = [slot for bundle in row["bundles"] for slot in bundle["slots"] if slot[0]]
        assert sorted(unit for _, unit in packed) == sorted(units)
    texts = [one.text for one in page.all("td") if "fill" in one.attributes.get("class", "")]
    assert len(texts) == sum(len(row["operations"]) for row in loop["rows"])


def test_where_warps_part(paged, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sim.kinds.simt.page.POLICIES", ("markers", "ipdom"))
    page = paged(str(ROOT / "workloads/gpu/two_breaks/workload.yaml"), "--machine", "teaching_gpu")
    run = holds_together(page)["runs"][0]
    found = run["kind"]["divergence"]
    counted = run["result"]["counters"]["RECONVERGENCE_DIVERGENCES"]
    parts = [one["divergences"] for one in found["branches"]]
    assert sum(parts) == counted > 0 and min(parts) > 0 and parts == sorted(parts, reverse=True)
    own, *others = found["policies"]
    assert (own["policy"], own["cycles"]) == ("markers", run["result"]["cycles"])
    assert [one["policy"] for one in others] == ["ipdom"]
    assert [one.get("refused") for one in found["policies"] if not one["ok"]] == []
    _can_be_drawn(page)


def test_a_chip_has_its_engines_on_tracks_and_idle_time_is_grey(paged):
    page = paged(str(ROOT / "workloads/chip/overlap/double/workload.yaml"))
    run = holds_together(page)["runs"][0]
    assert any("iodma" in track for track in run["timeline"]["tracks"])
    charts = page.json("charts")
    [shares] = [one for name, one in charts.items() if "cores-and-engines" in name]
    colours = shares["spec"]["encoding"]["color"]["scale"]
    tones = dict(zip(colours["domain"], colours["range"]["$tones"], strict=True))
    assert tones["idle"] == GREY and GREY not in {tones[name] for name in tones if name != "idle"}
    _can_be_drawn(page)


# ---- Parts ---------------------------------------------------------------------------------------


def test_pointers():
    data = Data({"a/b": [{"~": 1.25}, None], "text": "x"}, "/base")
    cell = data.cell(pointer("a/b", 0, "~"))
    assert (cell.text, cell.at, cell.side) == ("1.25", "/base/a~1b/0/~0", ">")
    assert data.cell(pointer("a/b", 1), "–").text == "–"
    assert data.part("/a~1b").cell("/0/~0").at == cell.at


@pytest.mark.parametrize(
    "value, text",
    [(1234567, "1 234 567"), (-1234, "-1 234"), (0.125, "0.125"), (1e-9, "1e-09"), (4.0, "4"),
     (12345.67, "12 345.7"), ("x", "x"), (True, "True")],
)  # fmt: skip
def test_numbers_for_people(value: object, text: str):
    assert number(value) == text


def test_colours_go_to_what_takes_most_and_none_to_idle_time():
    names = ("go", "wait", "a.idle", "b.idle", "rare")
    reasons = [Reason(name, "", idle="idle" in name) for name in names]
    words = Vocabulary(whole=lambda run: 0, reasons=reasons, issuing="go")
    breakdown = {"go": 5, "wait": 7, "a.idle": 900, "b.idle": 1, "rare": 6}
    found = of_reasons(breakdown, [], words)
    assert found == {"go": 0, "wait": 1, "rare": 2, "idle": GREY}


def test_a_recorded_timeline_is_bounded_and_in_order(monkeypatch: pytest.MonkeyPatch):
    events = (Event("did", ("what",), "", "part", lasts=True, label="what"),)
    recorded = Recorded(events)
    assert recorded.content() is None
    ten, two = Track("part 10", "part"), Track("part 2", "part")
    monkeypatch.setattr("sim.pages.recorded.MOST_KEPT", MOST_SPANS + 3)
    for begin in range(MOST_SPANS + 5):
        recorded.take(Span(ten if begin % 2 else two, begin, begin + 1, "did", {"what": "x"}))
    recorded.take(Span(two, 7, 7, "did", {"what": "nothing"}))
    recorded.take(Instant(two, 7, "did", {"what": "nothing"}))
    content = recorded.content()
    assert content["tracks"] == ["part 2", "part 10"]
    assert content["begin"] == list(range(MOST_SPANS)) and content["spans_left_out"] == 5
    assert content["track"][:3] == [0, 1, 0] and content["names"] == ["did", "x"]


def test_the_library_is_kept_and_made_anew_if_it_was_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    class Made:
        __version__ = "1"
        made = 0

        @staticmethod
        def get_vega_version() -> str:
            return "6"

        @classmethod
        def javascript_bundle(cls) -> str:
            cls.made += 1
            return "draw()"

    monkeypatch.setenv("SIMRUN_CACHE", str(tmp_path))
    monkeypatch.setattr(library, "optional", lambda *_: Made)
    first = library.script()
    assert "draw()" in first and library.NOTICE in first
    assert library.script() == first and Made.made == 1
    [kept] = tmp_path.glob("*.js")
    kept.write_text(first[:20])
    assert library.script() == first and Made.made == 2
