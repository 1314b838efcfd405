"""Arrays of halves are given and expected like all others; those of bf16 as their bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError

PROGRAM = """\
x: {type}[8] in dram
y: {type}[8] in dram
a: {type}[8] in nram

func @main() {{
entry:
    tensor.copy.{type} a[0:8], x[0:8]
    tensor.mul.{type} a[0:8], a[0:8], a[0:8]
    tensor.copy.{type} y[0:8], a[0:8]
    return
}}
"""
NUMBERS = [0.1, -2.5, 3.0, 200.0, 1e-3, -0.0, 7.25, 12.1]
HALVES = np.array(NUMBERS, np.float16)
CHIP = ["clusters=1", "cores=1"]


def run(folder: Path, x: str, y: str, type: str = "f16", expect: str = '{equals: "x * x"}', **more):
    """`x` and `y` as they stand in the file."""
    (folder / "p.sir").write_text(PROGRAM.format(type=type))
    (folder / "w.yaml").write_text(
        f"workload: w\nprogram: p.sir\nmachine: teaching_chip\n"
        f"arguments:\n  x: {x}\n  y: {y}\nexpect:\n  y: {expect}\n"
    )
    return sim.run(folder / "w.yaml", overrides=CHIP, **more)


ZERO = "{dtype: f16, shape: [8], value: 0}"
FORMS = {
    "a list": f"{{dtype: f16, values: {NUMBERS}}}",
    "random": "{dtype: f16, shape: [8], random: {seed: 1, low: -2, high: 2}}",
    "a range": "{dtype: f16, shape: [8], range: {start: 0.5, step: 0.25}}",
    "a value": "{dtype: f16, shape: [8], value: 0.1}",
    "a .npy file": "{dtype: f16, file: x.npy}",
    "a raw file": "{dtype: f16, file: x.bin}",
}


@pytest.mark.parametrize("form", FORMS)
def test_halves_are_given_and_expected(form, tmp_path):
    np.save(tmp_path / "x.npy", HALVES)
    (tmp_path / "x.bin").write_bytes(HALVES.astype("<f2").tobytes())
    result = run(tmp_path, FORMS[form], ZERO)
    assert result.ok and result.outputs["y"].dtype == np.float16
    assert np.array_equal(result.outputs["y"], result.outputs["x"] * result.outputs["x"])
    if "file" in form or form == "a list":
        assert np.array_equal(result.outputs["x"], HALVES)


def test_halves_of_a_caller(tmp_path):
    result = run(tmp_path, ZERO, ZERO, arguments={"x": HALVES})
    assert result.ok and np.array_equal(result.outputs["y"], HALVES * HALVES)


def test_another_half_is_wrong(tmp_path):
    result = run(tmp_path, FORMS["a list"], ZERO, expect='{equals: "x * x * 1.02"}')
    assert not result.ok and result.checks[0].relative == 1e-3
    exact = run(tmp_path, FORMS["a list"], ZERO, expect='{equals: "f16(x * x)", rtol: 0, atol: 0}')
    assert exact.ok


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ("{dtype: f16, shape: [8], value: 70000}", "70000 does not fit into f16"),
        ("{dtype: f16, values: [1, 2, 3, 65520, 5, 6, 7, 8]}", "65520 does not fit into f16"),
        ("{dtype: f32, shape: [8], value: 0}", "elements of type f16, and f32 are given"),
    ],
)
def test_what_is_no_half_is_refused(x, message, tmp_path):
    with pytest.raises(InputError, match=message):
        run(tmp_path, x, ZERO)


def test_bf16_is_given_as_its_bits(tmp_path):
    zero = "{dtype: u16, shape: [8], value: 0}"
    given = "{dtype: u16, shape: [8], value: 0x4000}"  # 2.0
    assert run(tmp_path, given, zero, "bf16", "{values: [" + "0x4080, " * 7 + "0x4080]}").ok  # 4.0
