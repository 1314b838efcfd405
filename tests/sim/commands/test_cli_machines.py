"""`simrun machines`: two machines beside each other, and the fields below a path."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick


def test_what_an_override_changes(simrun):
    ended = simrun("machines", "diff", "itanium2", "--set", "memory.l2.latency=8 cycles")
    assert ended.code == 0 and ended.out.count("\n") == 3
    assert ended.out.endswith("\n  memory.l2.latency: 5 → 8 cycles\n")


def test_two_machines(tmp_path: Path, simrun):
    path = tmp_path / "flat.yaml"
    path.write_text("extends: itanium2\nname: flat\nmemory: {l3: null}\n")
    out = simrun("machines", "diff", "itanium2", str(path)).out
    assert "\n  memory.l3: (no such field) → none\n" in out
    assert "\n  memory.l3.size: 3145728 → (no such field) bytes\n" in out
    told = json.loads(simrun("machines", "diff", "itanium2", str(path), "--json").out)
    assert told["a"]["name"] == "itanium2" and told["b"]["name"] == "flat" and told["same_kind"]
    assert {"path": "memory.l3", "unit": None, "b": None} in told["fields"]


def test_what_is_not_a_difference_of_fields_is_said(simrun):
    ended = simrun("machines", "diff", "itanium2", "mlu370")
    assert ended.code == 0 and "\nWARNING: they are of other kinds" in ended.out
    assert "\n  clock: 1000000000 → 1300000000 Hz\n" in ended.out
    assert "\n  for people: title, modelled," in ended.out
    same = simrun("machines", "diff", "itanium2", "itanium2")
    assert same.code == 0 and same.out.endswith("\nevery field is the same\n")


def test_only_fields_below_paths_are_shown(simrun):
    """By whole keys, in the order of the machine, and as they stand among all."""
    whole = simrun("machines", "show", "itanium2").out.splitlines()
    for only, count in (("memory.l1d", 20), ("memory.l1d.size", 1), ("clock", 1)):
        lines = simrun("machines", "show", "itanium2", "--only", only).out.splitlines()
        begin = whole.index(lines[2])
        assert lines == whole[:2] + whole[begin : begin + len(lines) - 2], only
        fields = [line for line in lines[2:] if not line.startswith(" ")]
        assert 1 <= len(fields) <= count
        assert all(f"{field} ".startswith((f"{only} ", f"{only}.")) for field in fields)
    assert "\ndram_path = " not in simrun("machines", "show", "mlu370", "--only", "dram").out
    words = ("--only", "memory.l1d.size", "--only", "clock", "--only", "memory.l1d.ways")
    lines = simrun("machines", "show", "itanium2", *words).out.splitlines()
    assert [line.split(" = ")[0] for line in lines[2::2]] == [
        "clock", "memory.l1d.size", "memory.l1d.ways"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "words, said",
    [
        (["diff", "itanium2"], "there is one machine, and nothing that --set changes"),
        (["diff", "itanium2", "epic4"], "there is no machine 'epic4'"),
        (["diff", "itanium2", "--set", "memory.l9.size=1KiB"], "there is no 'l9' in 'memory'"),
        (["show", "itanium2", "--only", "memory.l1"], "hint: did you mean 'memory.l1"),
        (["show", "itanium2", "--only", "memory.l1d.siz"], "did you mean 'memory.l1d.size'?"),
        (["show", "itanium2", "--only", "clock.x"], "itanium2 has no field 'clock.x'"),
        (["show", "epic", "--schema", "--only", "clock"], "--schema and --only exclude"),
    ],
)
def test_what_cannot_be_shown(words: list[str], said: str, simrun):
    ended = simrun("machines", *words)
    assert (ended.code, ended.out) == (2, "") and said in ended.err
