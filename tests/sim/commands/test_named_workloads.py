"""Who names a workload is told its file; an array without a type what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.workload.named import hint_for, workload_files

pytestmark = pytest.mark.quick


def test_every_listed_name_is_one_that_is_understood(simrun):
    listed = [line.split()[0] for line in simrun("list", "workloads").out.splitlines()]
    assert len(listed) == len(workload_files()) > 50
    assert not [name for name in listed[::5] if hint_for(name) is None]  # each reads all files


@pytest.mark.parametrize("words", [("tiny",), ("run", "tiny")])
def test_a_name_in_place_of_a_file(words, tmp_path: Path, monkeypatch, simrun):
    folder = tmp_path / "workloads" / "other"
    folder.mkdir(parents=True)
    (folder / "workload.yaml").write_text("workload: tiny  # small\nmachine: [\n")
    monkeypatch.chdir(tmp_path)
    ended = simrun(*words)
    assert ended.code == 2
    assert "the workload of that name is workloads/other/workload.yaml" in ended.err


def test_the_folder_counts_where_no_workload_has_the_name(tmp_path: Path, monkeypatch):
    folder = tmp_path / "workloads" / "other_still"
    folder.mkdir(parents=True)
    (folder / "workload.yaml").write_text("nothing: of it")
    monkeypatch.chdir(tmp_path)
    told = "the workload of that name is workloads/other_still/workload.yaml"
    assert hint_for("other_still") == told
    assert hint_for("nothing_of_this_name") is None


@pytest.mark.parametrize(
    "array, hint",
    [
        ('{text: "abca"}', "a text has bytes: dtype: u8"),
        ("{shape: [8], value: 0}", "dtype: one of i4, i8, i16, i32, i64, u4, u8"),
    ],
)
def test_an_array_without_a_type(array: str, hint: str, tiny: Path, simrun):
    text = tiny.read_text()
    tiny.write_text(text.replace("{dtype: f32, shape: [8], value: 1}", array))
    ended = simrun(tiny.name)
    assert ended.code == 2 and "'dtype' is missing" in ended.err and hint in ended.err
