"""Arrays of every element type in workloads of kernels: made in every way, moved by a kernel byte
for byte, expected, and given back; also as arrays of ml_dtypes."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

import sim
from machines.elements import bytes_in_memory
from machines.types import ELEMENTS

COPY = """.version 8.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 .ptr .global a, .param .u64 .ptr .global b, .param .u32 n)
{
    .reg .pred %p<2>; .reg .b16 %h<2>; .reg .b32 %r<3>; .reg .b64 %d<6>;
    ld.param.u64 %d1, [a];
    ld.param.u64 %d2, [b];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra done;
    cvt.u64.u32 %d3, %r2;
    add.s64 %d4, %d1, %d3;
    add.s64 %d5, %d2, %d3;
    ld.global.b8 %h1, [%d4];
    st.global.b8 [%d5], %h1;
done:
    ret;
}
"""
COUNT = 15
"""Odd, so that half a byte is left of types of four bits."""


def copied(given: object, to: object, bytes: int, expected: object = None):
    workload = {
        "workload": "elements", "machine": "teaching_gpu", "entry": "copy", "program": "copy.ptx",
        "arguments": {"a": given, "b": to, "n": bytes}, "launch": {"grid": [1], "block": [128]},
    }  # fmt: skip
    if expected is not None:
        workload["expect"] = {"b": expected}
    return sim.run(workload, source=COPY, language=".ptx")


def empty(name: str) -> dict:
    return {"dtype": name, "shape": [COUNT], "value": 0}


def numbers(name: str) -> np.ndarray:
    """A few that the type holds."""
    type = ELEMENTS[name]
    if type.is_float:
        return np.linspace(-1.75, 1.75, COUNT)
    return np.arange(COUNT) % 2 if name == "boolean" else np.arange(COUNT) % 8


@pytest.mark.parametrize("name", ELEMENTS)
def test_arrays_of_python(name: str):
    array = sim.as_elements(numbers(name), name)
    result = copied(array, empty(name), bytes_in_memory(array), array)
    assert result.ok and np.array_equal(result.outputs["b"], array)
    assert np.array_equal(sim.as_numbers(result.outputs["b"]), numbers(name))
    wrong = numbers(name)
    wrong[-1] = wrong[1]
    differs = copied(array, empty(name), bytes_in_memory(array), sim.as_elements(wrong, name))
    assert not differs.ok and differs.checks[0].first == (COUNT - 1,)


@pytest.mark.parametrize("name", [name for name in ELEMENTS if name != "boolean"])
@pytest.mark.parametrize("content", ["random", "values"])
def test_arrays_that_a_workload_makes(name: str, content: str):
    type = ELEMENTS[name]
    low, high = (-1, 1) if type.is_float else (0, 7)
    made = {
        "random": {"random": {"seed": 3, "low": low, "high": high}, "shape": [COUNT]},
        "values": {"values": numbers(name).tolist()},
    }
    given = {"dtype": name, **made[content]}
    result = copied(given, empty(name), type.size(COUNT), {"equals": "a"})
    assert result.ok and len(set(sim.as_numbers(result.outputs["b"]).tolist())) > 2


@pytest.mark.parametrize("name", ["f16", "bf16", "e4m3", "e5m2"])
def test_arrays_of_a_file(name: str, tmp_path: Path):
    array = sim.as_elements(numbers(name), name)
    np.save(tmp_path / "a.npy", array)
    given = {"dtype": name, "file": str(tmp_path / "a.npy")}
    assert copied(given, empty(name), array.nbytes, array).ok


JUDGES = {
    "bf16": "bfloat16", "e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2", "i4": "int4", "u4": "uint4",
}  # fmt: skip


@pytest.mark.parametrize("name", JUDGES)
def test_arrays_of_ml_dtypes(name: str):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    judge = getattr(ml_dtypes, JUDGES[name])
    theirs = numbers(name).astype(judge)
    size = ELEMENTS[name].size(COUNT)
    result = copied(theirs, np.zeros_like(theirs), size, theirs)
    assert result.ok and np.array_equal(result.outputs["b"].view(judge), theirs)


def test_an_array_that_is_expected_costs_what_a_comparison_costs():
    """Not what printing a quarter of a million elements costs: 80 microseconds an element."""
    large = np.random.default_rng(1).random(1 << 18, dtype=np.float32)
    begin = time.process_time()
    result = copied(large, large.copy(), 64, large)
    assert result.ok and time.process_time() - begin < 1
