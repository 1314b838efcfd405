"""What the pass makes of a function, and a run of a workload that names it."""

from pathlib import Path

import sim

HERE = Path(__file__).parent


def test_a_product_by_two_is_a_sum():
    made = sim.compile(
        HERE / "example.sir",
        machine="itanium2",
        passes="default,the_name@after=construct_ssa",
        keep="the_name",
    )
    (code,) = [step.printed for step in made.report.steps if step.name == "the_name"]
    assert "add.i64 x, x" in code and "mul.i64 y" in code


def test_the_program_gives_what_it_did():
    result = sim.run(HERE / "workload.yaml")
    assert result.ok, result.checks
