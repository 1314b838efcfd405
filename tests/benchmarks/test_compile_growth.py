"""The programs whose compilation is measured are well-formed, fixed, and of the size asked for."""

from __future__ import annotations

import pytest

from compiler.ir.printer import print_module
from compiler.verify.ir import findings_of
from machines.description.load import load_machine
from tests.benchmarks.compile_growth import exponent, report
from tests.programs.growing_programs import SHAPES, growing


@pytest.mark.parametrize("shape", SHAPES)
def test_programs_are_well_formed_and_fixed(shape: str):
    module = growing(shape, 3000)
    assert findings_of(module) == []
    assert print_module(module) == print_module(growing(shape, 3000))
    assert 3000 <= sum(1 for _ in module.functions["grow"].instructions()) < 3200


def test_the_report_has_a_column_for_every_size():
    lines = report("loops", (100, 300), load_machine("itanium2"), 100, "construct_ssa")
    assert lines[0] == "loops on itanium2" and len(lines[1].split()) == 3
    assert {"whole", "reading"} <= {line.split()[0] for line in lines[2:]}


def test_exponents():
    assert exponent((10, 100, 1000), (2, 20, 200)) == pytest.approx(1)
    assert exponent((10, 100), (1, 100)) == pytest.approx(2)
