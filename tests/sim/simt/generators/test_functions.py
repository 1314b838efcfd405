"""Functions of generators, handed to `sim.run`; what is not installed is skipped.

pip install 'simrun[triton]'        # or numba-cuda, warp, cute
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError

X = np.linspace(-1, 1, 100, dtype="f4")


def needs(module: str, extra: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(
        find_spec(module) is None, reason=f"'{extra}' is not installed: pip install simrun[{extra}]"
    )


needs_triton, needs_numba = needs("triton", "triton"), needs("numba_cuda", "numba-cuda")
needs_warp, needs_cute = needs("warp", "warp"), needs("cutlass", "cute")


def test_what_is_no_function_of_a_generator():
    said = refused(lambda x: x, (1,), {"x": X})
    assert "found a function" in said and "functions of cute, numba-cuda, triton, warp" in said
    own = "grid, block and compiled_with are those of a function"
    assert own in refused("workloads/gpu/saxpy", (1,))


def refused(*given: Any, **named: Any) -> str:
    with pytest.raises(InputError) as found:
        sim.run(*given, **named)
    return str(found.value)


@needs_triton
@pytest.mark.parametrize("machine", ["v100", "a100", "h200"])
@pytest.mark.parametrize("stride", [1, 2])
def test_triton(machine: str, stride: int):
    from tests.sim.simt.generators.functions.of_triton import scaled

    n = 96 // stride
    arguments = {"x": X, "y": np.zeros(n, "f4"), "n": n, "stride": stride, "factor": 2.5}
    constants = {"BLOCK": 64}
    result = sim.run(
        scaled, (2,), {**arguments, **constants}, machine=machine, compiled_with={"num_warps": 2}
    )
    np.testing.assert_array_equal(result.outputs["y"], X[: n * stride : stride] * np.float32(2.5))


@needs_triton
def test_triton_takes_arrays_of_halves_and_arguments_in_order():
    from tests.sim.simt.generators.functions.of_triton import scaled

    halves = X[:64].astype("f2")
    result = sim.run(scaled, 1, [halves, np.zeros_like(halves), 50, 1, 2.0, 64])
    np.testing.assert_array_equal(result.outputs["y"][:50], halves[:50] * 2)
    assert not result.outputs["y"][50:].any()


@needs_triton
def test_what_is_refused_of_triton():
    from tests.sim.simt.generators.functions.of_triton import scaled

    given = {"x": X, "y": X, "n": 50, "stride": 1, "factor": 2.0, "BLOCK": 64}
    assert "has a parameter 'n', which is given nothing" in refused(scaled, 1, {"x": X, "y": X})
    assert "there is no parameter 'z'" in refused(scaled, 1, {**given, "z": 1})
    assert "7 are given, the function takes 6" in refused(scaled, 1, [*given.values(), 1])
    assert "no program takes an array of complex64" in refused(scaled, 1, {**given, "x": X * 1j})
    assert "'x' is a list, which has no type" in refused(scaled, 1, {**given, "x": [1.0]})
    assert "power of 2" in refused(scaled, 1, {**given, "BLOCK": 65})
    assert "grid: expected" in refused(scaled, None, given)
    assert "grid: expected positive integers, found (0,)" in refused(scaled, (0,), given)
    assert "runs no code of CUDA's" in refused(scaled, 1, given, machine="itanium2")


@needs_numba
def test_numba():
    from tests.sim.simt.generators.functions.of_numba import columns

    a = np.arange(300, dtype="f4").reshape(100, 3)
    result = sim.run(columns, 2, {"a": a, "x": X, "y": np.zeros_like(X)}, block=64)
    np.testing.assert_allclose(result.outputs["y"], X + a.sum(1), rtol=1e-6)
    assert "block: expected threads" in refused(columns, 2, [a, X, X])
    assert "Numba does not compile 'columns'" in refused(columns, 2, [X, X, X], block=64)


@needs_warp
@pytest.mark.parametrize("block", [None, 32])
def test_warp(block: int | None):
    from tests.sim.simt.generators.functions.of_warp import thrown

    x, v, g = np.ones((70, 3), "f4"), np.zeros((70, 3), "f4"), [0.0, -9.75, 0.5]
    result = sim.run(thrown, (70,), {"x": x, "v": v, "g": g, "dt": 0.5}, block=block)
    np.testing.assert_array_equal(result.outputs["x"].reshape(x.shape), x + np.array(g, "f4") / 4)
    assert "'x' has 1 axes, its elements 1" in refused(thrown, 70, [X, v, g, 0.5])


@needs_warp
def test_tiles_of_warp():
    from tests.sim.simt.generators.functions.of_warp import rows

    x = np.arange(5 * 64, dtype="f4").reshape(5, 64)
    result = sim.run(rows, 5, [x, np.zeros(5, "f4")], block=64, compiled_with={"tiles": True})
    np.testing.assert_allclose(result.outputs["y"], x.sum(1), rtol=1e-6)


@needs_cute
def test_cute():
    from tests.sim.simt.generators.functions.of_cute import doubled_first, scaled

    a = np.arange(128, dtype="f4")
    result = sim.run(scaled, None, {"c": np.zeros_like(a), "a": a, "s": 1.5, "n": 9})
    first = a[:9] * np.float32(1.5) + 3
    np.testing.assert_array_equal(result.outputs["c"][:9], first)
    np.testing.assert_array_equal(result.outputs["a"][:7], first[:7] * 2 + 5)
    assert "says the grids of its launches" in refused(scaled, 1, [a, a, 1.0, 9])
    assert "is computed by the host" in refused(doubled_first, None, [a, 9])
