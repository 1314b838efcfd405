"""What a command costs is worked out once for the same scalars; what it computes is not kept."""

import numpy as np

from tests.sim.cluster.chip_runs import run

FILLS_TWICE = """
y: f32[4] in dram

func @main() {
entry:
    v = copy.f32 0.0
    i = copy.i64 0
    jump loop
loop:
    tensor.fill.f32 y[0:4], v
    sync_io 0
    v = neg.f32 v
    i = add.i64 i, 1
    p = lt_s.i64 i, 2
    branch p, loop, end
end:
    return
}
"""


def test_the_sign_of_zero_counts():
    found = run(FILLS_TWICE, overrides=("clusters=1", "cores=1")).memory.view("y", np.float32)
    assert np.signbit(found).all()
