"""The programs of the benchmark are right, as large as they say, and measured."""

from __future__ import annotations

import pytest

from compiler.analyses.memory_dependence import MemoryOptions
from compiler.ir.module import Module
from compiler.verify.ir import findings_of
from tests.benchmarks.memory_dependence import MIXES, growth, measure, program


@pytest.mark.parametrize("mix", MIXES, ids=lambda mix: mix.name)
def test_programs(mix):
    function = program(300, mix)
    module = Module({function.name: function}, dict(function.buffers))
    assert not findings_of(module)
    small, large = measure(program(100, mix), MemoryOptions()), measure(function, MemoryOptions())
    assert 300 <= large.instructions < 360 and large.pairs > large.instructions
    assert large.descriptors >= 25 and large.rounds > 1 and large.megabytes >= 0
    assert growth(small, large) < 10
