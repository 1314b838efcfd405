"""The benchmark of the loop suite reads schedules right, and fills in what a README asks for."""

from __future__ import annotations

import pytest

from tests.benchmarks.loop_suite import (
    LIKE_BZIP2,
    LINEAR,
    NEW,
    SUITE,
    TABLES,
    Configuration,
    Results,
    compiled_with,
    kernels_of,
    measure,
    update,
)


@pytest.fixture(scope="module")
def results() -> Results:
    """Of the one loop, as if it were the suite, and as if all configurations were two."""
    path = SUITE / f"{LIKE_BZIP2}.yaml"
    new, linear = measure(path, NEW.passes), measure(path, LINEAR.passes)
    by_configuration = {
        Configuration(reservation, bundler): new if bundler == NEW.bundler else linear
        for reservation in ("automaton", "ports")
        for bundler in ("linear", "microschedule")
    }
    return Results({LIKE_BZIP2: by_configuration}, {LIKE_BZIP2: 100}, {"other": (300, 100)})


def test_the_loop_like_bzip2_splits_without_need(results: Results):
    """Six operations of a row: the linear bundler gives the first M slot to an addition."""
    (new,) = results.by_loop[LIKE_BZIP2][NEW].kernels
    (linear,) = results.by_loop[LIKE_BZIP2][LINEAR].kernels
    assert (new.facts.ii, new.cycles, new.splits) == (2, 2, 0)
    assert (linear.facts.ii, linear.cycles, linear.splits, linear.avoidable) == (2, 3, 1, 1)
    fewer = 1 - results.by_loop[LIKE_BZIP2][NEW].cycles / results.by_loop[LIKE_BZIP2][LINEAR].cycles
    assert fewer >= 0.02


def test_registers_are_counted_from_the_first_that_rotates():
    """daxpy has an iteration begin every cycle, so that each value needs a register a cycle."""
    (kernel,) = kernels_of(compiled_with(SUITE / "vectors" / "daxpy.yaml", NEW.passes))
    assert kernel.facts.ii == kernel.least == 1
    assert kernel.registers[1] >= kernel.facts.stages


def test_every_table_is_filled_in(results: Results):
    text = "".join(f"<!-- {name} -->\nold\n<!-- end -->\n" for name in TABLES)
    filled = update(text, results)
    assert "old" not in filled
    assert filled.count(LIKE_BZIP2) >= 3
    assert "| other | 300 | 100 | 3.00 |" in filled
    assert update(filled, results) == filled
