"""The benchmark measures what it says: one program per size, the same chains both ways."""

from __future__ import annotations

import pytest

from compiler.ir.module import Module
from compiler.ir.printer import print_function
from compiler.verify.ir import findings_of
from tests.benchmarks.chains import Measured, crossover, exponent, program, report


def test_programs_are_well_formed_and_fixed():
    function = program(1000)
    assert findings_of(Module({function.name: function})) == []
    assert sum(i.guard is not None for _, i in function.instructions()) > 10
    assert print_function(function) == print_function(program(1000))


@pytest.mark.campaign  # it compiles the fixpoint, which nothing else does
def test_the_report_has_a_line_for_every_size():
    lines = report((100, 300), runs=1)
    sizes = [int(line.split()[0]) for line in lines[2:4]]
    assert 100 <= sizes[0] < 200 and 300 <= sizes[1] < 400
    assert lines[-1].startswith(("crossover", "no crossover"))


def test_crossover_and_exponents():
    a = Measured(100, 1, 1, 0.0, 0.0, 0.0, (2.0, 1.0), (1, 1))
    b = Measured(10000, 1, 1, 0.0, 0.0, 0.0, (20.0, 40.0), (1, 10000))
    assert crossover([a, b]).endswith("from about 1000 instructions on")
    assert exponent(a, b, lambda m: m.seconds[0]) == pytest.approx(0.5)
    assert exponent(a, b, lambda m: m.bytes[1]) == pytest.approx(2.0)
    assert "the fixpoint is faster" in crossover([a, a])
