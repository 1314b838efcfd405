"""The file of benchmarks: what may stand in it, and what is refused, with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.validation.benchmarks import CLASSES, read_suite
from sim.validation.measured import read_measured
from sim.validation.running import Ran
from workloads.validation import measure

FOLDER = Path(measure.__file__).parent
GOOD = """\
mechanisms:
  banks: "of shared memory"
  rows: "of DRAM"
ladders:
  versions: [naive, tiled]
one.yaml:
  naive: {value: kernel, unit: us, mechanism: rows, class: chosen_by, shows: "columns"}
  tiled: {value: kernel, unit: us, mechanism: banks, class: held_out}
  other: {value: clock, held_out: true}
  plain: {value: clock}
"""


def suite(folder: Path, text: str):
    (folder / "benchmarks.yaml").write_text(text)
    (folder / "one.yaml").touch()
    return read_suite(folder)


def refused(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as caught:
        suite(folder, text)
    return str(caught.value).replace(f"{folder}/", "")


def test_what_a_file_says(tmp_path):
    found = suite(tmp_path, GOOD)
    classes = {one.name: one.form.class_ for one in found.benchmarks}
    assert classes == {
        "naive": "chosen_by", "tiled": "held_out", "other": "held_out", "plain": "chosen_by",
    }  # fmt: skip
    assert found.ladders == {"versions": ("naive", "tiled")}
    assert list(found.mechanisms) == ["banks", "rows"]


@pytest.mark.parametrize(("names", "mechanisms", "classes", "chosen"), [
    ([], [], [], "naive tiled other plain"),
    (["tiled", "naive"], [], [], "naive tiled"),
    ([], ["banks", "rows"], [], "naive tiled"),
    ([], ["banks"], ["chosen_by"], ""),
    ([], [], ["held_out"], "tiled other"),
    (["plain", "other"], [], ["held_out"], "other"),
])  # fmt: skip
def test_some_are_chosen(names, mechanisms, classes, chosen, tmp_path):
    found = suite(tmp_path, GOOD).chosen(names, mechanisms, classes)
    assert [one.name for one in found] == chosen.split()


@pytest.mark.parametrize(("good", "bad", "said"), [
    ("class: held_out", "class: heldout", "benchmarks.yaml:8:61: error: 'heldout' is not one of "
     "'chosen_by', 'held_out' or 'never_looked_at'\n{}\nhint: did you mean 'held_out'?"),
    ("class: held_out", "clas: held_out", "8:54: error: unknown key 'clas'\n{}\n"
     "hint: did you mean 'class'?"),
    ("mechanism: banks", "mechanism: bank", "8:47: error: there is no mechanism 'bank'\n{}\n"
     "hint: did you mean 'banks'?"),
    ("mechanisms:\n  banks: \"of shared memory\"\n  rows: \"of DRAM\"\n", "",
     "4:47: error: there is no mechanism 'rows'\n{}\n"
     "hint: name it, with a sentence, under 'mechanisms:' of this file"),
    ("other: {value: clock, held_out: true}",
     "other: {value: clock, held_out: true, class: chosen_by}",
     "9:10: error: it is held out, and its class is chosen_by"),
    ("[naive, tiled]", "[naive, tield]", "5:21: error: there is no benchmark 'tield'\n{}\n"
     "hint: did you mean 'tiled'?"),
    ("[naive, tiled]", "[naive, naive]", "5:21: error: 'naive' stands in this ladder already"),
    ("[naive, tiled]", "[naive, plain]", "5:21: error: 'plain' has another unit than 'naive'"),
    ("[naive, tiled]", "[naive]", "5:13: error: expected a list of at least two benchmarks"),
    ("versions: [naive, tiled]", "- naive", "5:3: error: expected ladders, each a list"),
    ('banks: "of shared memory"', "banks: [1]", "2:10: error: expected a sentence"),
    ("one.yaml:\n", "two.yaml:\n", "6:1: error: there is no workload two.yaml"),
])  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(good, bad, said, tmp_path):
    assert good in GOOD
    text = refused(tmp_path, GOOD.replace(good, bad))
    place, _, hint = said.partition("\n{}\n")
    assert place in text and hint in text


def test_two_workloads_have_no_benchmark_of_one_name(tmp_path):
    (tmp_path / "two.yaml").touch()
    text = refused(tmp_path, GOOD + "two.yaml:\n  plain: {value: clock}\n")
    assert "12:10: error: there is a benchmark 'plain' already" in text


@pytest.mark.parametrize(("option", "name", "hint"), [
    ("--only", "navie", "did you mean 'naive'?"),
    ("--mechanism", "bank", "did you mean 'banks'?"),
    ("--class", "heldout", "did you mean 'held_out'?"),
])  # fmt: skip
def test_a_name_that_none_has_is_refused(option, name, hint, tmp_path, simrun):
    suite(tmp_path, GOOD)
    ended = simrun("validate", str(tmp_path), option, name)
    assert ended.code == 2 and f"'{name}'" in ended.err and hint in ended.err


@pytest.mark.parametrize("folder", ["", "kernels", "probes"])
def test_what_is_measured_here_is_described(folder):
    found = read_suite(FOLDER / folder)
    used = {one.form.mechanism for one in found.benchmarks}
    assert set(found.mechanisms) == used - {None}
    assert {one.form.class_ for one in found.benchmarks} <= set(CLASSES)


def test_every_probe_shows_a_mechanism():
    found = read_suite(FOLDER / "probes")
    assert len(found.benchmarks) == 68
    assert all(one.form.mechanism and one.form.shows for one in found.benchmarks)


@pytest.mark.parametrize(("runs", "least", "largest"), [
    ({"runs": [7.5, 9, 8]}, 7.5, 9), ({}, 8, 8),
])  # fmt: skip
def test_what_was_measured_has_a_figure_and_what_runs_were_between(runs, least, largest, tmp_path):
    one = {"value": 8, "outputs": {"x": "00"}, **runs}
    (tmp_path / "gpu.json").write_text(json.dumps({"benchmarks": {"one": one}}))
    found = read_measured(tmp_path / "gpu.json")["one"]
    assert (found.value, found.low, found.high) == (8, least, largest)


RING = """
workload: ring
program: ring.ptx
machine: h100
limits: {cycles: 5000}
variants:
  good: {launches: [{kernel: brief, grid: [1], block: [32]}]}
  hangs: {launches: [{kernel: hang, grid: [1], block: [32]}]}
  wrong: {launches: [{kernel: fault, grid: [1], block: [32]}]}
"""
PTX = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry brief() { ret; }
.visible .entry hang() { $again: bra $again; }
.visible .entry fault() {
    .reg .b64 %rd1;
    mov.b64 %rd1, 0;
    st.global.b64 [%rd1], %rd1;
    ret;
}
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_one_that_does_not_run_costs_no_other(jobs, tmp_path, simrun):
    (tmp_path / "ring.yaml").write_text(RING)
    (tmp_path / "ring.ptx").write_text(PTX)
    (tmp_path / "benchmarks.yaml").write_text(
        "ring.yaml:\n  wrong: {value: kernel}\n  hangs: {value: kernel}\n"
        "  good: {value: kernel, published: 100}\n"
    )
    ended = simrun("validate", str(tmp_path), "--json", "--jobs", jobs)
    content = json.loads(ended.out)
    assert ended.code == 3 and list(content["did_not_run"]) == ["wrong", "hangs"]
    assert list(content["chosen_by"]["figures"]) == ["good"]


def test_passes_are_those_asked_for(tmp_path, simrun):
    (tmp_path / "ring.yaml").write_text(RING)
    (tmp_path / "ring.ptx").write_text(PTX)
    (tmp_path / "benchmarks.yaml").write_text("ring.yaml:\n  good: {value: kernel}\n")
    ended = simrun("validate", str(tmp_path), "--passes", "default,-contract_produkts")
    assert ended.code == 2 and "did you mean 'contract_products'?" in ended.out + ended.err
    ended = simrun("validate", str(tmp_path), "--passes", "default,-contract_products")
    assert ended.code == 0 and "nothing to compare with\n  good" in ended.out


def test_what_was_run_before_ctrl_c_is_said(tmp_path, simrun, monkeypatch):
    suite(tmp_path, GOOD)

    def interrupted(benchmarks, *_):
        yield Ran(benchmarks[0], 3.0)
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.validation.running.run_all", interrupted)
    ended = simrun("validate", str(tmp_path))
    assert ended.code not in (0, 1, 2) and "nothing to compare with\n  naive" in ended.out
