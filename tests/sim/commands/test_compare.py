"""Two results beside each other: at the keyboard, from Python, and against what was accepted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sim
from machines.diagnostics import InputError
from sim.kinds.epic.vocabulary import VOCABULARY
from sim.results.compared import compare
from sim.results.shown import shown
from sim.results.vocabulary import Counter
from tests.sim.conftest import KERNEL, UPDATE, WORKLOAD

SLOW = "memory.main.latency_cycles=500 cycles"
VARIANTS = "variants:\n  one: {arguments: {a: 1.0}}\n  two: {arguments: {a: 2.0}}\n"


@pytest.fixture
def written(tiny: Path, simrun) -> Callable[..., Path]:
    """Write the result of a run of the tiny workload with these options to a file of this name."""

    def write(name: str, *words: str) -> Path:
        ended = simrun("workload.yaml", "--json", *words)
        assert ended.out, ended.err
        path = tiny.parent / name
        path.write_text(ended.out)
        return path

    return write


def _changed(path: Path, name: str, **changes: Any) -> Path:
    """A result with other content, in a file of its own."""
    made = path.with_name(name)
    made.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return made


def test_two_results(written, simrun):
    """What moved is what the results say, the biggest first, and it adds up."""
    a, b = written("a.json"), written("b.json", "--set", SLOW)
    ended = simrun("compare", "a.json", "b.json")
    assert ended.code == 0 and "WARNING" not in ended.out and "not compared" not in ended.out
    assert ended.out.startswith(
        "A  tiny on itanium2: done, outputs right\n"
        f"B  tiny on itanium2 with {SLOW}: done, outputs right\n"
    )
    assert "\n  memory.main.latency_cycles: 34 → 500 cycles\n" in ended.out
    assert "\noutputs: the same\n" in ended.out
    before, after = (json.loads(path.read_text()) for path in (a, b))
    told = json.loads(simrun("compare", "a.json", "b.json", "--json").out)
    cycles = after["cycles"] - before["cycles"]
    assert told["cycles"] == {"a": before["cycles"], "b": after["cycles"], "change": cycles}
    changes = [one["change"] for one in told["reasons"]]
    assert sum(changes) == told["breakdown"]["change"] == cycles > 0
    assert changes == sorted(changes, key=abs, reverse=True) and 0 not in changes
    lines = told["lines"]
    assert sum(one["lost"]["change"] for one in lines["moved"]) == lines["lost"]["change"] > 0
    assert [one["name"] for one in told["provenance"]] == ["machine", "overrides"]
    figures = (before["cycles"], after["cycles"], cycles)
    total = r"\n  total +{} +{} +\+{} ".format(*map(shown, figures))
    assert re.search(total, ended.out)


def test_nothing_differs(written, simrun):
    written("a.json")
    ended = simrun("compare", "a.json", "a.json")
    assert ended.code == 0 and "\nnothing that was compared differs\n" in ended.out
    assert "moved" not in ended.out


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"status": "limit", "complete": False, "ok": False}, "B did not come to its end"),
        ({"ok": False}, "B has WRONG OUTPUTS"),
        ({"workload": "other"}, "of other workloads: 'tiny' and 'other'"),
        ({"variant": "small"}, "of other variants: 'default' and 'small'"),
        ({"provenance": {"arguments": {"n": 4}}}, 'other arguments: {} and {"n": 4}'),
        ({"provenance": {"model": 99}}, "the timing model has changed: version 2 and 99"),
        ({"vocabulary": {"version": 7}}, "the words of results have changed: version 1 and 7"),
    ],
)
def test_what_makes_figures_doubtful_is_said_loudly(changes: dict, said: str, tiny: Path):
    a = sim.run(tiny).to_dict()
    b = {**a, **{key: {**a[key], **value} if isinstance(value, dict) else value
                 for key, value in changes.items()}}  # fmt: skip
    compared = compare(a, b)
    assert len(compared.warnings) == 1 and said in compared.warnings[0]
    assert f"\nWARNING: {compared.warnings[0]}\n" in str(compared)
    assert (compared.outputs is None) == ("status" in changes)


def test_of_other_kinds_only_what_both_have_is_compared(tiny: Path):
    """Although both have reasons, counters and lines of the same names."""
    a = sim.run(tiny).to_dict()
    b = {**a, "vocabulary": {"name": "abacus", "version": 1}, "cycles": 2 * a["cycles"]}
    compared = compare(a, b)
    assert compared.cycles.fraction == compared.seconds.fraction == 1.0
    assert not compared.equal
    unknown = (compared.reasons, compared.counters, compared.lines, compared.fields)
    assert unknown == (None, None, None, None) and compared.outputs == []
    said = "breakdown, counters, source lines, fields of the machines: the machines are of kinds"
    assert f"\n  {said} 'epic' and 'abacus'" in str(compared)


def test_results_of_a_kind_that_is_not_here_are_compared(tiny: Path):
    a = sim.run(tiny).to_dict() | {"vocabulary": {"name": "abacus", "version": 1}}
    b = a | {"breakdown": {**a["breakdown"], "float": a["breakdown"]["float"] + 3}}
    assert re.search(r"where the cycles went: what moved\n  float .* \+3 ", str(compare(a, b)))


def test_what_is_printed_adds_up(tiny: Path):
    """Ten reasons and ten lines that moved, and lines that nobody can match: every change stands in
    a row, or in one that says of how many it is the sum."""
    a = sim.run(tiny).to_dict()
    changes = {f"reason {n}": 10 * n for n in range(1, 11)}
    numbered = [(n, f"line {n};") for n in range(1, 11)] + [(11, "x();"), (12, "x();")]

    def lines(first: int, factor: int) -> list[dict[str, Any]]:
        return [
            {**a["lines"][0], "line": first + n, "text": text, "lost": {"load": factor * n}}
            for n, text in numbered
        ]

    before = a | {"breakdown": dict.fromkeys(changes, 1), "lines": lines(0, 10)}
    after = a | {"breakdown": {n: 1 + c for n, c in changes.items()}, "lines": lines(3, 21)}
    reasons, counted = str(compare(before, after)).split("source lines that moved")
    rows = re.findall(r"^  (.*\S) +\d+ +\d+ +\+(\d+) ", reasons.split("moved\n")[1], re.M)
    assert rows[:2] == [("reason 10", "100"), ("reason 9", "90")] and len(rows) == 11
    assert sum(int(change) for _, change in rows[:-1]) == int(rows[-1][1]) == 550
    rows = re.findall(r"^  (\S.*?)  +[\d ]+  +[\d ]+  +\+([\d ]+?)  ", counted, re.M)
    assert [name for name, _ in rows[8:]] == ["2 more", "not matched", "all lines"]
    numbers = [int(change.replace(" ", "")) for _, change in rows]
    assert sum(numbers[:-1]) == numbers[-1] == 11 * sum(n for n, _ in numbered)


def test_a_machine_that_is_not_what_it_was_is_not_asked(tiny: Path):
    """A machine file that has changed since: its fields are no longer the result's, which says
    what they were."""
    machine = tiny.parent / "mine.yaml"
    machine.write_text("extends: itanium2\nname: mine\n")
    known = [sim.run(tiny, machine="mine.yaml", overrides=some) for some in ((), SLOW)]
    plain, slow = (replace(one, described=None) for one in known)
    [field] = plain.compare(slow).fields
    assert (field.a.value, field.b.value) == (34, 500)
    machine.write_text(
        "extends: itanium2\nname: mine\nsource: 'assumed: test'\nmemory: {main: "
        "{latency_cycles: 77 cycles}}\n"
    )
    [again] = plain.compare(slow).fields
    assert (again.a.value, again.b.value) == (34, 500)
    silent = [{k: v for k, v in one.provenance.items() if k != "described"} for one in known]
    plain, slow = (
        replace(one, described=None, provenance=said)
        for one, said in zip(known, silent, strict=True)
    )
    compared = plain.compare(slow)
    assert compared.fields is None
    assert "fields of the machines: not both machines are there" in compared.not_compared[0]
    assert str(known[0].compare(known[1]).fields) == str([field])  # they are at hand


def test_from_python(tiny: Path):
    plain, slow = sim.run(tiny), sim.run(tiny, overrides=SLOW)
    compared = plain.compare(slow)
    assert compared.cycles.change == slow.cycles - plain.cycles and not compared.equal
    assert slow.compare(plain).cycles.change == -compared.cycles.change
    assert plain.compare(plain).equal and str(compared).startswith("A  tiny on itanium2")
    with pytest.raises(InputError, match="other: expected a Result, found a int"):
        plain.compare(3)


def test_outputs_and_returned_values_that_differ(tiny: Path):
    a = sim.run(tiny).to_dict()
    array = {**a["outputs"]["y"], "sha256": "0" * 64}
    b = a | {"outputs": {"y": array, "z": array}, "returned": 3}
    found = {one.name: (one.a, one.b) for one in compare(a, b).outputs}
    assert found == {
        "return": (None, 3), "x": (a["outputs"]["x"], None), "y": (a["outputs"]["y"], array),
        "z": (None, array),
    }  # fmt: skip
    timed = a | {"provenance": {**a["provenance"], "timing_only": True}}
    assert "outputs: B computed none (--timing-only)" in compare(a, timed).not_compared


def test_two_workloads_are_run(tiny: Path, simrun):
    """With the machine and its changes that are given, whatever they name themselves."""
    twin = tiny.with_name("twin.yaml")
    twin.write_text(tiny.read_text().replace("workload: tiny", "workload: twin"))
    words = ("--machine", "epic3", "--set", SLOW)
    ended = simrun("compare", ".", "twin.yaml", *words)
    assert ended.code == 0 and f"\nB  twin on epic3 with {SLOW}: done, outputs right\n" in ended.out
    assert "WARNING: they are of other workloads: 'tiny' and 'twin'" in ended.out
    assert "nothing that was compared differs" in ended.out


def test_variants_are_compared_one_by_one(tiny: Path, simrun, written):
    tiny.write_text(tiny.read_text() + VARIANTS)
    written("both.json")
    written("one.json", "--variant", "one")
    alone = "WARNING: variants of one alone, compared with nothing: two"
    some = simrun("compare", "both.json", "both.json")
    assert some.code == 0 and some.out.count("A  tiny (") == 2 and alone not in some.out
    assert len(json.loads(simrun("compare", ".", "workload.yaml", "--json").out)) == 2
    assert alone in simrun("compare", "both.json", "one.json").out
    chosen = simrun("compare", "both.json", "one.json", "--variant", "one")
    assert chosen.code == 0 and alone not in chosen.out
    missing = simrun("compare", "both.json", "one.json", "--variant", "two")
    assert (missing.code, "one.json holds no result of variant 'two'" in missing.err) == (2, True)


def test_two_machines(simrun):
    ended = simrun("compare", "itanium2", "epic3")
    assert ended.code == 0 and ended.out == simrun("machines", "diff", "itanium2", "epic3").out


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A result of the tiny workload as JSON."""
    folder = tmp_path_factory.mktemp("told")
    (folder / "tiny.py").write_text(KERNEL)
    (folder / "workload.yaml").write_text(WORKLOAD)
    return sim.run(folder / "workload.yaml").to_json()


@pytest.fixture
def things(tiny: Path, told: str) -> Path:
    """A folder of a workload, a result, and files that are neither, nor a machine."""
    result = tiny.with_name("r.json")
    result.write_text(told)
    _changed(result, "old.json", format=1)
    _changed(result, "negative.json", cycles=-1)
    _changed(result, "damaged.json", lines=[{"file": "tiny.py", "line": "7"}])
    _changed(result, "stopped.json", clock_hz=0)
    result.with_name("cut.json").write_text(result.read_text()[:300])
    result.with_name("deep.json").write_text("[" * 100_000)
    result.with_name("twice.json").write_text(f"[{result.read_text()}, {result.read_text()}]")
    result.with_name("host.json").write_text('{"r.json": {}}')
    result.with_name("note.yaml").write_text("text: something\n")
    result.with_name("base.yaml").write_text("model: 1\ncases: {}\n")
    (tiny.parent / "out").mkdir()
    (tiny.parent / "out" / "r.json").write_text(result.read_text())
    return tiny.parent


@pytest.mark.parametrize(
    "words, said",
    [
        ("itanium2 r.json", "itanium2 is a machine, and r.json is a result"),
        (". r.json", "hint: simrun run WORKLOAD --versus RESULT runs the one and compares"),
        (
            "itanium epic4",
            "no file, folder or machine 'epic4'  [usage]\n    hint: did you mean 'epic3'?",
        ),
        ("r.json old.json", "old.json holds a result of format 1, not 2"),
        ("r.json negative.json", "negative.json holds a damaged result: cycles: "),
        ("damaged.json r.json", "damaged.json holds a damaged result: lines.0.line: "),
        ("r.json stopped.json", "stopped.json holds a damaged result: clock_hz: "),
        ("r.json cut.json", "cut.json:18:3: error: this is no result of simrun"),
        ("r.json deep.json", "deep.json holds no result"),
        ("r.json twice.json", "twice.json holds two results of variant 'default'"),
        ("r.json host.json", "host.json holds no result"),
        ("r.json tiny.py", "tiny.py:1:1: error: this is no result of simrun"),
        ("r.json note.yaml", "note.yaml is no result, no machine and no workload"),
        ("r.json base.yaml", "simrun run WORKLOAD --versus baseline compares with one"),
        ("out out", "out is a folder of results  [usage]\n    hint: name two of its files"),
        ("r.json r.json --machine epic3", "--machine has no effect: r.json and r.json are results"),
        ("itanium epic3 --set clock=1GHz", "--set has no effect: itanium and epic3 are machines"),
        ("workload.yaml workload.yaml --machine h200", "h200 runs kernels on a grid of threads"),
    ],
)
def test_what_cannot_be_compared_is_one_message(words: str, said: str, things: Path, simrun):
    ended = simrun("compare", *words.split())
    assert (ended.code, ended.out) == (2, "") and said in ended.err
    assert ended.err.count("error:") == 1


# ── run --versus ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def accepted(tiny: Path, simrun) -> Path:
    assert simrun("check", str(tiny), *UPDATE).code == 0
    return tiny.parent / "baselines" / "itanium2.yaml"


def test_what_a_change_did_against_the_accepted_run(accepted: Path, tiny: Path, simrun):
    ended = simrun("workload.yaml", "--versus", "baseline", "--set", SLOW)
    report = simrun("workload.yaml", "--set", SLOW).out
    assert ended.code == 0 and ended.out.startswith(report)
    compared = ended.out.removeprefix(report)
    assert compared.startswith(
        f"\nA  tiny on itanium2: accepted baseline\nB  tiny on itanium2 with {SLOW}: done, outputs"
    )
    held = "time, source lines, outputs, simrun, fields of the machines, program, passes"
    assert f"not compared\n  {held}: A holds none\n" in compared
    plain = sim.run(tiny)
    told = json.loads(simrun("workload.yaml", "--versus", "baseline", "--set", SLOW, "--json").out)
    versus = told.pop("versus")
    assert told == json.loads(simrun("workload.yaml", "--set", SLOW, "--json").out)
    slow = sim.run(tiny, overrides=SLOW)
    assert versus["cycles"]["a"] == plain.cycles and versus["cycles"]["b"] == slow.cycles
    expected = plain.compare(slow).to_dict()  # what is 0 is not in the file, and was 0 all the same
    assert (versus["reasons"], versus["counters"]) == (expected["reasons"], expected["counters"])


def test_a_counter_that_the_baseline_could_not_hold_was_not_0(accepted: Path, simrun, monkeypatch):
    """A word of the next version of the vocabulary."""
    new = Counter("TWICE", "packets", "Twice the packets.", lambda run: 2 * run.issuing, since=9)
    made = replace(VOCABULARY, counters=(*VOCABULARY.counters, new))
    monkeypatch.setattr("sim.kinds.epic.vocabulary.VOCABULARY", made)
    told = json.loads(simrun("workload.yaml", "--versus", "baseline", "--json").out)["versus"]
    [moved] = told["counters"]
    assert (moved["name"], moved["a"], moved["change"]) == ("TWICE", None, None)


def test_versus_a_baseline_says_that_inputs_moved(tiny: Path, simrun):
    """A shorter loop is no better machine."""
    assert simrun("check", ".", *UPDATE).code == 0
    same = simrun("workload.yaml", "--versus", "baseline")
    assert "other inputs" not in same.out
    tiny.write_text(tiny.read_text().replace("a: 2.5", "a: 1.5"))
    assert "they have other inputs" in simrun("workload.yaml", "--versus", "baseline").out


def test_versus_a_result_of_each_variant(tiny: Path, simrun, written):
    tiny.write_text(tiny.read_text() + VARIANTS)
    written("both.json")
    written("two.json", "--variant", "two")
    ended = simrun("workload.yaml", "--versus", "both.json", "--set", SLOW, "--out", "results")
    assert ended.code == 0
    titles = re.findall(r"^[AB]  (tiny \(\w+\) on itanium2)|^(tiny \(\w+\))", ended.out, re.M)
    assert [a or b for a, b in titles] == [
        "tiny (one)", *2 * ["tiny (one) on itanium2"],
        "tiny (two)", *2 * ["tiny (two) on itanium2"],
    ]  # fmt: skip
    results = {path.name.split("+")[0] for path in Path("results").iterdir()} - {"host.json"}
    assert results == {"tiny.one.itanium2", "tiny.two.itanium2"}
    assert len(json.loads(simrun("workload.yaml", "--versus", "both.json", "--json").out)) == 2
    one = simrun("workload.yaml", "--versus", "two.json", "--variant", "one")
    assert "WARNING: they are of other variants: 'two' and 'one'" in one.out


def test_the_exit_code_is_that_of_the_run(accepted: Path, simrun):
    ended = simrun("workload.yaml", "--versus", "baseline", "--cycle-limit", "10")
    assert ended.code == 3 and "WARNING: B did not come to its end" in ended.out


@pytest.mark.parametrize(
    "words, said",
    [
        (
            ["baseline", "--machine", "epic3"],
            "there is no baseline baselines/epic3.yaml to compare",
        ),
        (["baseline", "--emit", "tiny.s"], "--emit runs nothing: --versus has no effect"),
        (["basline"], "there is no file basline"),
        (["tiny.py"], "tiny.py:1:1: error: this is no result of simrun"),
        (["baseline", "--report", "mine"], "--versus is written as text or JSON, not by report"),
    ],
)
def test_nothing_runs_if_there_is_nothing_to_compare_with(
    words: list[str], said: str, accepted: Path, simrun, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sim.runner.execute", None)
    monkeypatch.setattr("sim.reports.output.find_report", lambda name: None)
    ended = simrun("workload.yaml", "--versus", *words)
    assert (ended.code, ended.out) == (2, "") and said in ended.err


def test_a_variant_that_the_baseline_has_not(accepted: Path, tiny: Path, simrun):
    tiny.write_text(tiny.read_text() + VARIANTS)
    ended = simrun("workload.yaml", "--versus", "baseline")
    assert ended.code == 2
    assert "baselines/itanium2.yaml holds nothing of variant 'one'" in ended.err


def test_a_baseline_of_another_kind(accepted: Path, simrun):
    accepted.write_text(accepted.read_text().replace("name: epic", "name: simt"))
    ended = simrun("workload.yaml", "--versus", "baseline")
    assert ended.code == 0 and "the machines are of kinds 'simt' and 'epic'" in ended.out
    assert "what moved" not in ended.out


def test_machines_of_files_are_compared_field_by_field(written, simrun, tiny):
    """Though their files are gone since: a result says what its name does not tell."""
    text = 'extends: itanium2\nname: mine\nsource: "assumed: to try"\nclock: CLOCK\n'
    for name, clock in (("mine", "1 GHz"), ("yours", "2 GHz")):
        machine = tiny.with_name(f"{name}.yaml")
        machine.write_text(text.replace("mine", name).replace("CLOCK", clock))
        written(f"{name}.json", "--machine", machine.name, "--set", SLOW)
        machine.unlink()
    written("itanium2.json")
    ended = simrun("compare", "mine.json", "yours.json")
    assert "not compared" not in ended.out
    assert "\n  name: mine → yours\n  clock: 1000000000 → 2000000000 Hz\n" in ended.out
    assert "main.latency_cycles: " not in ended.out
    ended = simrun("compare", "itanium2.json", "yours.json")
    assert "not compared" not in ended.out
    assert "\n  memory.main.latency_cycles: 34 → 500 cycles\n" in ended.out


def test_machines_of_mappings_are_compared_field_by_field(tiny):
    given = {"extends": "itanium2", "name": "mine", "source": "assumed: to try"}
    a, b = (sim.run(tiny, machine={**given, "clock": clock}) for clock in ("1 GHz", "2 GHz"))
    [field] = a.compare(b).fields
    assert (field.one.path, field.a.value, field.b.value) == ("clock", 10**9, 2 * 10**9)


def test_a_machine_that_is_none_any_more_is_not_compared(written, simrun, tiny):
    tiny.with_name("mine.yaml").write_text("extends: itanium2\nname: mine\n")
    path = written("mine.json", "--machine", "mine.yaml")
    content = json.loads(path.read_text())
    content["provenance"]["described"]["clock"] = "a while"
    path.write_text(json.dumps(content))
    written("b.json")
    assert "not both machines are there" in simrun("compare", "mine.json", "b.json").out
