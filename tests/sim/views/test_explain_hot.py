"""`simrun explain --show hot`: the listing with what each instruction cost, on every kind."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import sim

WORKLOADS = Path(__file__).parents[3] / "workloads"
EACH_KIND = ("crc32", "gpu/two_breaks", "gpu/bfs", "chip/gemm/f32", "chip/tasks/mixed")


@pytest.mark.parametrize("name", EACH_KIND)
def test_what_instructions_cost_is_what_lines_cost(name: str, simrun):
    """Each instruction stands there once; those of a line add up to what the result says of it."""
    path = str(WORKLOADS / name / "workload.yaml")
    found = json.loads(simrun("explain", path, "--show", "hot", "--format", "json").out)
    assert found["status"] == "done"
    numbers = [one["number"] for one in found["instructions"]]
    assert numbers == sorted(set(numbers))
    executed, lost = Counter(), Counter()
    for one in found["instructions"]:
        executed[one["file"], one["line"]] += one["executed"]
        lost[one["file"], one["line"]] += sum(one["cycles"].values())
    result = sim.run(path)
    assert found["cycles"] == result.cycles
    issuing = result.vocabulary.issuing
    for line in result.lines:
        assert executed[line.file, line.line] == line.executed
        own = sum(one["cycles"].get(issuing, 0) for one in found["instructions"]
                  if (one["file"], one["line"]) == (line.file, line.line))  # fmt: skip
        assert lost[line.file, line.line] - own == line.lost_cycles
    spent = sum(lost.values())
    assert found["whole"] == (sum(result.breakdown.values()) if name == "crc32" else spent)
    if name == "crc32":
        assert abs(spent - result.cycles) <= len(numbers)  # each is rounded


def test_as_text(simrun):
    path = str(WORKLOADS / "saxpy" / "workload.yaml")
    out = simrun("explain", path, "--show", "hot").out.splitlines()
    assert out[0] == "saxpy on itanium2: done, 728 528 cycles"
    assert out[1].split() == ["executed", "cycles", "share", "mostly"]
    at = out.index("saxpy.py:9  y[i] = a * x[i] + y[i]")
    numbers, code = out[at + 1].split("queue_full")
    assert numbers.split() == ["100", "019", "585", "242", "80.3", "%"]
    assert code.split() == ["(p16)", "ldfs", "f47", "=", "[r33],", "4"]
    assert out[at + 1].index("(p16)") == out[at - 1].index("{ .mmf")
    assert not any("data" in line.split()[0] for line in out if line.split())


def test_a_run_that_faults_says_so(tiny: Path, simrun):
    kernel = tiny.with_name("tiny.py")
    kernel.write_text(kernel.read_text().replace("x[i]", "x[i + 9000000]"))
    shown = simrun("explain", str(tiny), "--show", "hot")
    assert shown.code == 0 and shown.out.startswith("tiny on itanium2: the program faulted, ")
    assert "out of bounds" in shown.out.splitlines()[1]
    found = json.loads(simrun("explain", str(tiny), "--show", "hot", "--format", "json").out)
    assert found["status"] == "fault" and "out of bounds" in found["message"]


def test_one_of_several_cases(tiny: Path, simrun):
    few = "{n: 4, x: {dtype: f32, shape: [4], range: {}}, y: {dtype: f32, shape: [4], value: 1}}"
    tiny.write_text(f"{tiny.read_text()}variants:\n  a: {{}}\n  b: {{arguments: {few}}}\n")
    words = ("explain", str(tiny), "--show", "hot", "--format", "json")
    most = [
        max(one["executed"] for one in json.loads(simrun(*words, *more).out)["instructions"])
        for more in ((), ("--variant", "a"), ("--variant", "b"))
    ]
    assert most[0] == most[1] > most[2]
    refused = simrun("explain", str(tiny.with_name("tiny.py")), "--show", "hot")
    assert refused.code == 2 and "runs a workload" in refused.err
