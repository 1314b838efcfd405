"""Calls of networks: inputs, constants and outputs at their places in DRAM, whatever a lowering
makes of a network.  The program here is written by hand, and what a lowering leaves is said of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from machines.diagnostics import InputError
from machines.elements import as_elements, in_memory
from machines.levels.network.function import NetworkFunction, Placed
from machines.levels.network.tensors import Constant, Stored, TensorType
from machines.program import Declared
from machines.types import ELEMENTS, F32
from sim.levels.network.binding import BINDING
from sim.levels.network.constants import write_constant
from sim.prepared_case import PreparedCase, prepare
from sim.runner import Compiled, compile_workload, execute
from sim.workload.schema import Source, workload_of

PROGRAM = """
tensors: f32[48] in dram
weights: f32[24] in dram
a, b: f32[24] in nram

func @net() {
entry:
    k = core_id
    c = cluster_id
    i = add.i64 k, c
    first = eq.i64 i, 0
    branch first, work, done
work:
    tensor.copy.f32 a[0:24], tensors[0:24]
    tensor.copy.f32 b[0:24], weights[0:24]
    tensor.mul.f32 a[0:24], a[0:24], b[0:24]
    tensor.copy.f32 tensors[24:48], a[0:24]
    jump done
done:
    return
}
"""
X, W = TensorType(F32, (2, 3, 4)), TensorType(F32, (4, 3, 2))
INPUT = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 8
WEIGHTS = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 7


@pytest.fixture(autouse=True)
def only_networks(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sim.levels.bindings", lambda: {"network": BINDING})


def network(elements: np.ndarray | Stored) -> NetworkFunction:
    """x times w, which is stored as the transposed one, in the order of memory."""
    return NetworkFunction(
        (Placed("x", X, "tensors"),),
        (Placed("y/out", X, "tensors", 96), Placed("as given", W, "tensors", 0)),
        ((Placed("", W, "weights"), Constant(W, elements, (2, 1, 0))),),
    )


def prepared(body: NetworkFunction, values: bool = True, **content: Any) -> PreparedCase:
    workload = workload_of(
        {"workload": "net", "program": "net.onnx", "machine": "teaching_chip", **content},
        Source("net.sir", PROGRAM),
    )
    compiled: Compiled = compile_workload(workload)
    made = replace(compiled.made, functions={compiled.made.entry: Declared(body=body)})
    return prepare(replace(compiled, made=made), workload.case(), values=values)


def stored(folder: Path) -> Stored:
    path = folder / "weights.bin"
    path.write_bytes(b"head" + WEIGHTS.tobytes())
    return Stored(str(path), 4)


@pytest.mark.parametrize("is_stored", [False, True])
def test_tensors_have_their_names_and_shapes(tmp_path: Path, is_stored: bool):
    elements = stored(tmp_path) if is_stored else WEIGHTS
    expected = INPUT.reshape(-1) * WEIGHTS.transpose(2, 1, 0).reshape(-1)
    np.save(tmp_path / "y.npy", expected.reshape(2, 3, 4))
    case = prepared(
        network(elements),
        arguments={"x": INPUT},
        expect={"y/out": {"file": str(tmp_path / "y.npy"), "rtol": 1e-6}},
    )
    result = execute(case)
    assert result.ok
    assert result.outputs["y/out"].shape == (2, 3, 4)
    assert (result.outputs["as given"] == INPUT.reshape(4, 3, 2)).all()


def message(content: Mapping[str, Any]) -> str:
    with pytest.raises(InputError) as error:
        prepared(network(WEIGHTS), **content)
    return str(error.value)


def test_what_does_not_fit_is_told():
    assert "input 'x' is missing: the network wants f32[2, 3, 4]" in message({})
    assert "has no input 'X'" in message({"arguments": {"X": [1.0]}})
    wrong = message({"arguments": {"x": INPUT.reshape(6, 4)}})
    assert "'x' is an array f32[2, 3, 4], the workload gives shape [6, 4]" in wrong
    given = {"arguments": {"x": INPUT}}
    assert "'y' cannot be compared" in message({**given, "expect": {"y": 0.0}})
    shape = message({**given, "expect": {"y/out": [0.0, 1.0]}})
    assert "an array of shape [2, 3, 4]" in shape


def test_a_file_that_ends_too_early_is_told(tmp_path: Path):
    body = network(Stored(stored(tmp_path).file, 12))
    with pytest.raises(InputError, match="it ends 8 bytes too early"):
        prepared(body, arguments={"x": INPUT})
    with pytest.raises(InputError, match="No such file"):
        prepared(network(Stored(str(tmp_path / "nothing"), 0)), arguments={"x": INPUT})


def test_time_alone_reads_no_constants(tmp_path: Path):
    """Of which there may be gigabytes; cycles are the same."""
    nothing = Stored(str(tmp_path / "nothing"), 0)
    given = {"arguments": {"x": INPUT}}
    timed = execute(prepared(network(nothing), values=False, **given), values=False)
    assert timed.cycles == execute(prepared(network(WEIGHTS), **given)).cycles


def test_inputs_that_nobody_says_differ():
    places = [Placed(name, X, "tensors") for name in ("a", "b")]
    places.append(Placed("n", TensorType(ELEMENTS["i32"], ()), "tensors"))
    made = BINDING.seeded(NetworkFunction(tuple(places), ()))
    assert [made[name]["random"]["seed"] for name in ("a", "b")] == [1, 2]
    assert made["a"]["shape"] == [2, 3, 4] and made["n"] == 1


ORDERS = {(2, 3, 4): (2, 0, 1), (1, 5, 1, 3): (2, 1, 0, 3), (7,): (), (3, 5): (1, 0), (): ()}


@pytest.mark.parametrize("element", ["f32", "i8", "bf16", "u4"])
@pytest.mark.parametrize("shape", ORDERS)
def test_constants_are_the_same_from_files_and_arrays(
    tmp_path: Path, shape: tuple[int, ...], element: str, monkeypatch: pytest.MonkeyPatch
):
    """Also where a file is read in many stretches."""
    monkeypatch.setattr("sim.levels.network.constants.STRETCH", 16)
    order = ORDERS[shape]
    values = np.random.default_rng(1).integers(0, 7, shape)
    elements = as_elements(values, element)
    transposed = as_elements(values.transpose(order or None), element)
    path = tmp_path / "stored"
    path.write_bytes(b"x" + in_memory(elements).tobytes())
    type = TensorType(ELEMENTS[element], transposed.shape)
    for source in (elements, Stored(str(path), 1)):
        space = np.full(type.size, 255, np.uint8)
        write_constant(Constant(type, source, order), space)
        assert space.tobytes() == in_memory(transposed).tobytes()
