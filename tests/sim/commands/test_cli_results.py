"""What is written and printed of results: no result replaces one of something else."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import sim
import sim.runner

VARIANTS = "variants:\n  one: {arguments: {a: 1.0}}\n  two: {arguments: {a: 2.0}}\n"


def _files(tiny: Path) -> set[str]:
    return {path.name for path in (tiny.parent / "results").iterdir()} - {"host.json"}


def test_a_run_that_did_not_end_replaces_no_result(tiny: Path, simrun):
    simrun("workload.yaml", "--out", "results")
    done = (tiny.parent / "results" / "tiny.itanium2.json").read_bytes()
    assert simrun("workload.yaml", "--out", "results", "--cycle-limit", "10").code == 3
    assert _files(tiny) == {"tiny.itanium2.json", "tiny.itanium2.incomplete.json"}
    assert (tiny.parent / "results" / "tiny.itanium2.json").read_bytes() == done


def test_what_the_command_line_changed_has_a_file_of_its_own(tiny: Path, simrun):
    for words in (
        [],
        ["--set", "memory.main.latency_cycles=500 cycles"],
        ["--set", "memory.main.latency_cycles=600 cycles"],
        ["--passes", "default"],
    ):
        assert simrun("workload.yaml", "--out", "results", *words, *words).code == 0
    names = sorted(_files(tiny))
    assert len(names) == 4 and names[-1] == "tiny.itanium2.json"
    contents = [json.loads((tiny.parent / "results" / name).read_text()) for name in names]
    overrides = [content["provenance"]["overrides"] for content in contents]
    assert sorted(map(len, overrides)) == [0, 0, 2, 2]


def test_results_are_written_as_they_come(tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    tiny.write_text(tiny.read_text() + VARIANTS)
    monkeypatch.setattr("sim.runner.execute", _failing_after(1))
    assert simrun("workload.yaml", "--out", "results", "--json").code == 70
    assert _files(tiny) == {"tiny.one.itanium2.json"}


def _failing_after(runs: int) -> Callable:
    execute, left = sim.runner.execute, [runs]

    def fail_later(*arguments, **options):
        left[0] -= 1
        if left[0] < 0:
            raise ZeroDivisionError("on purpose")
        return execute(*arguments, **options)

    return fail_later


def test_a_folder_that_cannot_be_made_is_found_before_the_run(
    tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sim.runner.execute", _failing_after(0))
    ended = simrun("workload.yaml", "--out", "tiny.py")
    assert ended.code == 2 and ended.out == ""
    assert ended.err.startswith("error: cannot write into folder tiny.py: ")


def test_json_is_one_value(tiny: Path, simrun):
    tiny.write_text(tiny.read_text() + VARIANTS)
    several = json.loads(simrun("workload.yaml", "--json").out)
    assert [content["variant"] for content in several] == ["one", "two"]
    one = json.loads(simrun("workload.yaml", "--json", "--variant", "two").out)
    assert one == several[1]
    both = simrun("workload.yaml", "--json", "--variant", "two", "--variant", "one").out
    assert json.loads(both) == several[::-1]


def test_json_is_in_every_encoding(tiny: Path):
    result = replace(sim.run(tiny), workload="ä")
    assert result.to_json().isascii() and json.loads(result.to_json())["workload"] == "ä"


@pytest.mark.parametrize(
    "function, message",
    [
        (
            "prepared_case.make_input",
            "workload.yaml:7:6: error: 'x' needs more memory than there is",
        ),
        (
            "prepared_case.expect",
            "workload.yaml:10:6: error: what is expected of 'y' needs more memory than",
        ),
        (
            "prepared_case.Memory",
            "the program's memory (x, y: 0 MiB) needs more memory than there is",
        ),
        ("runner.execute", "the run needs more memory than there is: unable to allocate 3 GiB"),
    ],
)
def test_what_asked_for_too_much_memory_is_named(
    tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch, function: str, message: str
):
    def refuse(*arguments: object, **options: object) -> None:
        raise MemoryError("unable to allocate 3 GiB")

    monkeypatch.setattr(f"sim.{function}", refuse)
    ended = simrun("workload.yaml")
    assert ended.code == 2 and message in ended.err
