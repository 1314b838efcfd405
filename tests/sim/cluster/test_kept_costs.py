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


GROWS = """
y: f32[8] in nram

func @main() {
entry:
    n = copy.i64 4
    jump loop
loop:
    tensor.abs.f32 y[0:4], y[0:n]
    sync_compute 0
    n = add.i64 n, 1
    p = lt_s.i64 n, 6
    branch p, loop, end
end:
    return
}
"""


def test_sizes_are_looked_at_again_where_they_change():
    failure = run(GROWS, overrides=("clusters=1", "cores=1"), status="fault").outcome.failure
    assert (failure.kind, failure.about.split(",")[0]) == ("size mismatch", "y[0:5] has 5 elements")
