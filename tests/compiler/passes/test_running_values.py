"""Loops of running values, unrolled, on every EPIC machine, against the IR interpreter.

Copies in them meet their own registers: what a running value is between turns, what an element
leaves as it was, what is read after the loop.
"""

from __future__ import annotations

from compiler.text_form import parse
from machines.description.load import load_machine
from tests.campaign.seeds import campaign, check_all
from tests.compiler.both_ways import build, differences, run_ir, run_program
from tests.programs.running_values import RunningValues

MACHINES = {name: load_machine(name) for name in ("itanium2", "itanium", "epic3")}
TURNS = (0, 1, 2, 3, 5, 9)


def check(seed: int) -> None:
    loop = RunningValues(seed)
    module = parse(loop.text, "running.sir")
    (function,) = module.functions.values()
    runs = [loop.arguments(turns) for turns in TURNS]
    expected = [run_ir(function, module, run) for run in runs]
    for machine in MACHINES.values():
        program = build(function, module, machine)
        for run, meant in zip(runs, expected, strict=True):
            assert not differences(meant, run_program(program, run)), (machine.name, run["n"])


def test_unrolled_loops_of_running_values():
    check_all(check, range(6))


@campaign(part=100, first=12, end=1000)
def test_campaign(seeds: range):
    check_all(check, seeds)
