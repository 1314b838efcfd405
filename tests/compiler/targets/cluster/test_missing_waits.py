"""Waits that are missing are found: by the interpreter's order, and by every run."""

from __future__ import annotations

import pytest

from compiler.targets.cluster.passes import place_waits
from tests.programs.random_tiles import Options, generate
from tests.programs.tile_runs import (
    ONE_CORE,
    check_that_all_agree,
    compiled,
    machine_named,
    program_of,
    run_streams,
    run_tiles,
    simulate,
)

CHIP = machine_named("teaching_chip")
ONE = machine_named("teaching_chip", *ONE_CORE)

TWO_READERS = program_of("""
x: f32[64] in dram
y: f32[128] in dram
a: f32[64] in nram
b: f32[64] in nram
s: f32[64] in sram

func @main() {
entry:
    tensor.copy.f32 a[0:64], x[0:64]
    tensor.sqrt.f32 b[0:64], a[0:64]
    tensor.copy.f32 s[0:64], a[0:64]
    tensor.copy.f32 a[0:64], y[64:128]
    tensor.copy.f32 y[0:64], b[0:64]
    tensor.copy.f32 b[0:64], s[0:64]
    tensor.add.f32 b[0:64], b[0:64], a[0:64]
    tensor.copy.f32 y[64:128], b[0:64]
    return
}
""")


def test_rules_of_the_seed_forget_a_reader():
    """Exchanged to the letter, the second reader of `a` takes the first one away: what overwrites
    `a` waits for the copy alone."""
    code = compiled(TWO_READERS, ONE, seed_rules=True)
    races = run_streams(code, TWO_READERS, ONE).outcome.races
    assert [str(race) for race in races] == [
        "'tensor.sqrt.f32' in line 11 of core 0 of cluster 0 and 'tensor.copy.f32' in line 13 of "
        "core 0 of cluster 0 both touch bytes 0 to 255 of nram of 0, 0, and nothing says which "
        "comes first"
    ]
    failure = simulate(code, TWO_READERS, ONE).outcome.failure
    assert (
        failure.kind.startswith("a race for bytes 0 to 255 of nram") and failure.location.line == 13
    )
    check_that_all_agree(TWO_READERS, ONE)


@pytest.mark.parametrize("rules", ["none", "seed_rules"])
def test_without_waits_programs_race(rules):
    """The run ends with a race where the interpreter says that there is one, and nowhere else."""
    options = Options(mem=False, most=12)
    found = 0
    for seed in range(2):
        program = generate(seed, CHIP, options)
        code = compiled(program, CHIP, **{rules: True})
        ended = simulate(code, program, CHIP)
        races = run_streams(code, program, CHIP).outcome.races
        assert (ended.outcome.status == "fault") == bool(races)
        assert races or ended.bytes == run_tiles(program, CHIP).bytes
        found += bool(races)
    assert found == 2 or rules == "seed_rules"


def test_waits_behind_every_command_are_enough():
    for seed in range(3):
        program = generate(seed, CHIP)
        code = compiled(program, CHIP, everywhere=True)
        assert not run_streams(code, program, CHIP).outcome.races
        assert simulate(code, program, CHIP).bytes == run_tiles(program, CHIP).bytes


@pytest.mark.parametrize("analysis", ["conflicts_of_queues", "before_barriers"])
def test_without_an_analysis_programs_race(analysis, monkeypatch):
    empty = {"conflicts_of_queues": [], "before_barriers": {}}[analysis]
    monkeypatch.setattr(place_waits, analysis, lambda *arguments: empty)
    with pytest.raises(AssertionError):
        for seed in range(8):
            check_that_all_agree(generate(seed, CHIP), CHIP)
