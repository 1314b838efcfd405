"""exp and log of a core: the bits of the vector unit, as tiles and on the chip."""

from __future__ import annotations

import numpy as np

from tests.programs.random_tiles import TileProgram
from tests.programs.tile_runs import ONE_CORE, machine_named, runs_that_agree

TEXT = """
x, each, all: f32[32] in dram

func @main() {
    for i in 0:32 {
        a = tensor.load x[i]
        e = exp.f32 a
        e = add.f32 e, 1.0
        l = log.f32 e
        tensor.store each[i], l
    }
    b in nram = x
    tensor.exp b, b
    tensor.add_scalar b, b, 1.0
    tensor.log b, b
    tensor.copy all, b
}
"""


def test_a_core_computes_what_its_vector_unit_does():
    sizes = dict.fromkeys(("x", "each", "all"), ("f32", 32))
    program = TileProgram(TEXT, sizes, seed=3)
    _, ended = runs_that_agree(program, machine_named("teaching_chip", *ONE_CORE))
    each, found = (ended.memory.view(name).view("f4") for name in ("each", "all"))
    assert each.tobytes() == found.tobytes()
    x = program.contents()["x"].astype("f8")
    np.testing.assert_allclose(each, np.log(np.exp(x) + 1), rtol=1e-6, atol=2e-7)
