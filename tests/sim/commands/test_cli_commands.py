"""The commands: what they print, what they write, and how they end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sim
from sim.workload.schema import Limits
from tests.campaign.seeds import short_form

ROOT = Path(__file__).parents[3]


def test_the_main_job(tiny: Path, simrun):
    ended = simrun("workload.yaml")
    assert ended.code == 0
    assert ended.out.startswith("tiny on itanium2: done, outputs right\n")
    shares = [line for line in ended.out.splitlines() if " %  " in line and "█" in line]
    assert shares


def test_the_breakdown_adds_up(tiny: Path):
    result = sim.run(tiny)
    assert sum(result.breakdown.values()) == result.cycles == result.counters["CPU_CYCLES"]
    assert sum(line.lost_cycles for line in result.lines) <= result.cycles
    assert result.ok and result.exit_code == 0


def test_json_is_the_result(tiny: Path, simrun):
    content = json.loads(simrun("workload.yaml", "--json").out)
    assert content == json.loads(sim.run(tiny).to_json())
    assert str(tiny.parent) not in json.dumps(content)


def test_results_are_written(tiny: Path, simrun):
    assert simrun("workload.yaml", "--out", "results").code == 0
    written = tiny.parent / "results" / "tiny.itanium2.json"
    assert written.read_text() == sim.run(tiny).to_json()
    host = json.loads((tiny.parent / "results" / "host.json").read_text())
    assert host["tiny.itanium2.json"]["workload"] == str(tiny)


def test_the_same_bytes_whatever_the_hash_seed(tiny: Path, simrun):
    """Here, and in a process where strings have other hashes."""
    there = subprocess.run(
        [sys.executable, "-m", "sim", str(tiny), "--json"],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert simrun("workload.yaml", "--json").out == there


def test_variants_run_one_after_the_other(tiny: Path, simrun):
    tiny.write_text(
        tiny.read_text() + "variants:\n  one: {arguments: {a: 1.0}}\n  two: {arguments: {a: 2.0}}\n"
    )
    out = simrun("workload.yaml").out
    assert "tiny (one) on itanium2" in out and "tiny (two) on itanium2" in out
    assert "tiny (two)" not in simrun("workload.yaml", "--variant", "one").out
    assert sim.run(tiny, variant="two").outputs["y"].tolist() == [1.0 + 2 * i for i in range(8)]


def test_a_slower_memory_takes_longer(tiny: Path):
    plain = sim.run(tiny)
    slow = sim.run(tiny, overrides=["memory.main.latency_cycles=500 cycles"])
    assert slow.cycles > plain.cycles
    assert slow.provenance["machine"] != plain.provenance["machine"]


def test_results_do_not_depend_on_the_quantum(tiny: Path):
    assert sim.run(tiny, quantum=1).to_json() == sim.run(tiny, quantum=10**6).to_json()


def test_the_cycle_limit_ends_a_run(tiny: Path, simrun):
    ended = simrun("workload.yaml", "--cycle-limit", "10")
    assert ended.code == 3
    assert "stopped at the cycle limit" in ended.out


@pytest.mark.parametrize(
    "what", ["machines", "workloads", "passes", "counters", "plugins", "frontends", "oracles"]
)
def test_lists_are_not_empty(what: str, simrun):
    ended = simrun("list", what)
    assert ended.code == 0 and ended.out.count("\n") >= 3


@pytest.mark.parametrize("view", ["ir", "asm", "dispersal"])
def test_views(tiny: Path, simrun, view: str):
    text = simrun("explain", "workload.yaml", "--show", view).out
    assert "saxpy" in text or "ldfs" in text
    assert json.loads(simrun("explain", "tiny.py", "--show", view, "--format", "json").out)


def test_a_machine_is_shown_with_its_overrides(simrun):
    out = simrun("machines", "show", "itanium2", "--set", "memory.l1d.size=32KiB").out
    assert "memory.l1d.size = 32768 bytes" in out
    assert "assumed: command line" in out
    assert json.loads(simrun("machines", "show", "epic", "--schema").out)["properties"]


def test_doctor(simrun):
    ended = simrun("doctor")
    assert ended.code == 0 and "cache folder" in ended.out


@pytest.mark.parametrize("words", [[], ["machines"]])
def test_without_a_command_the_help_is_printed(words: list[str], simrun):
    ended = simrun(*words)
    assert ended.code == 2 and ended.err.startswith("Usage: simrun")


def test_a_misspelt_option_is_suggested_once(tiny: Path, simrun):
    ended = simrun("workload.yaml", "--machne", "epic3")
    expected = "error: No such option '--machne'.  [usage]\n    hint: did you mean '--machine'?\n"
    assert (ended.code, ended.err) == (2, expected)


def test_the_help_says_the_limit_of_cycles(simrun):
    text = " ".join(simrun("run", "--help").out.split())
    limit = f"{Limits().cycles:,}".replace(",", " ")
    assert f"the workload's limit, {limit} if it has none" in text


def test_assembly_takes_arguments_in_order(tmp_path: Path):
    (tmp_path / "add.s").write_text(
        ".explicit\nf:\n"
        "{ .mii\n  ld8 r9 = [r33]\n  nop.i 0\n  nop.i 0 ;;\n}\n"
        "{ .mib\n  add r8 = r32, r9\n  nop.i 0\n  br.ret.sptk.many b0 ;;\n}\n"
    )
    path = tmp_path / "workload.yaml"
    path.write_text(
        "workload: add\nprogram: add.s\nmachine: itanium2\n"
        "arguments: {a: 4, x: {dtype: i64, values: [7]}}\nexpect: {return: 11}\n"
    )
    assert sim.run(path).ok


def test_our_own_mistakes_are_short(tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr("sim.workload.schema.read_workload", fail)
    ended = simrun("workload.yaml")
    assert ended.code == 70
    assert "Traceback" not in ended.err
    report = Path(ended.err.split("a report is in ")[1].strip())
    assert "ZeroDivisionError: on purpose" in report.read_text()
    report.unlink()


@pytest.mark.parametrize("ended", short_form([(signal.SIGINT, 130), (signal.SIGTERM, 143)], 1))
def test_what_ends_a_run_leaves_a_marked_part(ended: tuple[int, int], tiny: Path):
    """A loop of 10¹¹ turns, interrupted once it reports progress."""
    number, code = ended
    (tiny.parent / "long.sir").write_text(
        "func @f(n: i64) -> i64 {\nA:\n    x = const.i64 0\n    jump B\nB:\n"
        "    x = add.i64 x, 1\n    q = lt_s.i64 x, n\n    branch q, B, C\nC:\n    return x\n}\n"
    )
    tiny.write_text(
        "workload: long\nprogram: long.sir\nmachine: itanium2\nlimits: {cycles: 1000000000000}\n"
        "arguments: {n: 100000000000}\nexpect: {return: 100000000000}\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "sim", str(tiny), "--progress", "--out", "results"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tiny.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stderr:
        if "M cycles/s" in line:
            break
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert "long on itanium2: interrupted, incomplete" in out
    content = json.loads((tiny.parent / "results/long.itanium2.incomplete.json").read_text())
    assert content["complete"] is False
    assert sum(content["breakdown"].values()) == content["cycles"] > 0
