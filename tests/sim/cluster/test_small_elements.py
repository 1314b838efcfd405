"""Elements of few bits on chips: images of u8, two i4 in a byte, the 8-bit floats, products of
bf16; what a machine has not is refused by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from machines.elements import as_elements, as_numbers, in_memory

SMALL = ["clusters=1", "cores=1"]


def run(text: str, machine: str = "teaching_chip", overrides=(), expect=None, **arguments):
    """Arguments are arrays, or what is written of them."""
    workload = {
        "workload": "w",
        "machine": machine,
        "arguments": arguments,
        "expect": expect or {},
    }
    return sim.run(workload, source=text, language=".sir", overrides=[*SMALL, *overrides])


def random(type: str, count: int, low: float, high: float) -> dict:
    return {"dtype": type, "shape": [count], "random": {"seed": 7, "low": low, "high": high}}


def zeros(type: str, count: int) -> dict:
    return {"dtype": type, "shape": [count], "value": 0}


IMAGE = """
x, y: u8[64] in dram
total: i32[1] in dram
a: u8[64] in nram
f: f32[64] in nram
t: i32[1] in nram

func @main() {
entry:
    tensor.copy.u8 a[0:64], x[0:64]
    sum = tensor.sum.u8 a[0:64]
    tensor.store.i32 t[0:1], sum
    tensor.copy.i32 total[0:1], t[0:1]
    tensor.convert.u8.f32 f[0:64], a[0:64]
    tensor.mul_scalar.f32 f[0:64], f[0:64], 1.5
    tensor.convert_round.f32.u8 a[0:64], f[0:64]
    tensor.max_scalar.u8 a[0:64], a[0:64], 16
    tensor.copy.u8 y[0:64], a[0:64]
    return
}
"""


def test_an_image_of_bytes():
    """Brighter, saturated, and no pixel darker than 16; its sum as an i32."""
    result = run(IMAGE, x=random("u8", 64, 0, 255), y=zeros("u8", 64), total=zeros("i32", 1))
    x, y = result.outputs["x"].astype(np.int64), result.outputs["y"]
    assert np.array_equal(y, np.clip(np.rint(x * 1.5), 16, 255))
    assert result.outputs["total"].tolist() == [x.sum()] and x.sum() > 255


PACKED = """
x, y: i4[32] in dram
z: i8[32] in dram
a: i4[32] in nram
b: i8[32] in nram

func @main() {
entry:
    tensor.copy.i4 a[0:16], x[0:4, 4 by 8]
    tensor.copy.i4 a[16:32], x[4:8, 4 by 8]
    tensor.convert.i4.i8 b[0:32], a[0:32]
    tensor.mul_scalar.i8 b[0:32], b[0:32], 3
    tensor.copy.i8 z[0:32], b[0:32]
    tensor.convert_saturate.i8.i4 a[0:32], b[0:32]
    tensor.copy.i4 y[0:32], a[0:32]
    return
}
"""


def test_two_in_a_byte():
    """Segments of whole bytes, unpacked, computed with, saturated and packed again."""
    numbers = np.arange(32) % 16 - 8
    result = run(PACKED, x=as_elements(numbers, "i4"), y=zeros("i4", 32), z=zeros("i8", 32))
    folded = numbers.reshape(4, 2, 4).transpose(1, 0, 2).reshape(-1)
    assert np.array_equal(result.outputs["z"], folded * 3)
    assert np.array_equal(as_numbers(result.outputs["y"]), np.clip(folded * 3, -8, 7))


def test_packed_buffers_are_files_of_half_bytes(tmp_path: Path):
    numbers = np.arange(32) % 16 - 8
    (tmp_path / "x.bin").write_bytes(in_memory(as_elements(numbers, "i4")).tobytes())
    assert (tmp_path / "x.bin").stat().st_size == 16
    (tmp_path / "p.sir").write_text(PACKED)
    (tmp_path / "w.yaml").write_text(
        "workload: w\nprogram: p.sir\nmachine: teaching_chip\narguments:\n"
        "  x: {dtype: i4, file: x.bin}\n  y: {dtype: i4, shape: [32], value: 0}\n"
        "  z: {dtype: i8, shape: [32], value: 0}\nexpect:\n"
        '  z: {equals: "3 * concatenate(x[0:4], x[8:12], x[16:20], x[24:28], x[4:8], x[12:16], '
        'x[20:24], x[28:32])"}\n  y: {equals: "max(min(3 * concatenate(x[0:4], x[8:12], x[16:20], '
        'x[24:28], x[4:8], x[12:16], x[20:24], x[28:32]), 7), -8)"}\n'
    )
    assert sim.run(tmp_path / "w.yaml", overrides=SMALL).ok


FLOATS = """
x: f32[32] in dram
y, s: {type}[32] in dram
z: f32[32] in dram
f: f32[32] in nram
a: {type}[32] in nram

func @main() {{
entry:
    tensor.copy.f32 f[0:32], x[0:32]
    tensor.convert_saturate.f32.{type} a[0:32], f[0:32]
    tensor.copy.{type} s[0:32], a[0:32]
    tensor.convert.f32.{type} a[0:32], f[0:32]
    tensor.copy.{type} y[0:32], a[0:32]
    tensor.convert.{type}.f32 f[0:32], a[0:32]
    tensor.copy.f32 z[0:32], f[0:32]
    return
}}
"""


@pytest.mark.parametrize("type", ["e4m3", "e5m2"])
def test_floats_of_8_bits(type):
    """Converted and back; what is too large saturates only where that is asked for."""
    x = random("f32", 32, -3e5, 3e5)
    expect = {
        "y": {"equals": f"{type}(x)", "ulps": 0},
        "s": {"equals": f"{type}_saturated(x)", "ulps": 0},
        "z": {"equals": f"{type}(x)", "rtol": 0, "atol": 0},
    }
    given = {"x": x, "y": zeros(type, 32), "s": zeros(type, 32), "z": zeros("f32", 32)}
    result = run(FLOATS.format(type=type), expect=expect, **given)
    assert result.ok
    lost = ~np.isfinite(result.outputs["z"])
    assert lost.any() and np.isfinite(as_numbers(result.outputs["s"])).all()
    swapped = expect | {"y": expect["s"]}
    assert not run(FLOATS.format(type=type), expect=swapped, **given).ok


PRODUCT = """
x, w: {source}[64] in dram
y: {target}[64] in dram
a: {source}[64] in nram
b: {source}[64] in wram
c: {target}[64] in nram

func @main() {{
entry:
    tensor.copy.{source} a[0:64], x[0:64]
    tensor.copy.{source} b[0:64], w[0:64]
    tensor.matmul_t.{types} c[0:64], a[0:64], b[0:64], 8, 8, 8
    tensor.copy.{target} y[0:64], c[0:64]
    return
}}
"""
MATRICES = "reshape(x, 8, 8) @ transpose(reshape(w, 8, 8))"


def product(types: str, machine: str = "mlu370", overrides=(), more=None, expression=MATRICES):
    source, target = types.split(".")[0], types.split(".")[-1]
    text = PRODUCT.format(source=source, target=target, types=types)
    low, high = (-2, 2) if source[0] in "fbe" else ((0, 15) if source[0] == "u" else (-8, 7))
    expect = {"y": {"equals": f"reshape({expression}, 64)", **(more or {})}}
    given = {name: random(source, 64, low, high) for name in "xw"}
    given["w"]["random"]["seed"] = 8
    return run(text, machine, overrides, expect, **given, y=zeros(target, 64))


@pytest.mark.parametrize("types", ["f16", "bf16", "f16.f32", "bf16.f32", "i8.i32"])
def test_products_that_the_mlu370_has(types):
    assert product(types).ok
    more = {"ulps": 0} if "f16" in types.split(".")[-1] else None
    scaled = f"({MATRICES}) * 1.02" if "f" in types else f"({MATRICES}) + 1"
    assert not product(types, more=more, expression=scaled).ok


@pytest.mark.parametrize("types", ["e4m3.f32", "e5m2.f32", "i4.i32", "u4.i32", "u8.i32"])
def test_products_that_it_has_not(types):
    source = types.split(".")[0]
    message = f"the matrix unit of this machine does not multiply {source} by {source}"
    with pytest.raises(InputError, match=message):
        product(types)
    rates = [f"matrix.rates.{source}={{{source}: 64}}"]
    assert product(types, overrides=rates).ok


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tensor.copy.i4 a[1:5], x[0:4]", r"a\[1:5\] begins or ends within a byte"),
        ("tensor.copy.i4 a[0:4], x[0:2, 2 by 3]", "begins or ends within a byte"),
        ("tensor.load.i4 a[0:2]", "unknown operation 'tensor.load.i4'"),
        ("tensor.add.i4 a[0:2], a[0:2], a[0:2]", "unknown operation 'tensor.add.i4'"),
    ],
)
def test_what_packed_elements_cannot_be(line, message):
    text = "x: i4[32] in dram\na: i4[32] in nram\nfunc @main() {\nentry:\n    LINE\n    return\n}\n"
    text = text.replace("LINE", line)
    with pytest.raises(InputError, match=message) as error:
        run(text)
    assert error.value.diagnostics[0].location.line == 5


def test_a_bound_within_a_byte_is_a_fault():
    text = (
        "x: i4[32] in dram\na: i4[32] in nram\nfunc @main(n: i64) {\nentry:\n"
        "    tensor.copy.i4 a[0:n], x[0:n]\n    return\n}\n"
    )
    assert run(text, n=4).status == "done"
    result = run(text, n=5)
    assert result.status == "fault" and "within a byte" in result.fault["message"]


def test_there_are_no_scalars_of_them():
    for type, instead in (("f16", "f32"), ("bf16", "f32"), ("e4m3", "f32"), ("u8", "i32")):
        text = f"func @main(v: {type}) {{\nentry:\n    return\n}}\n"
        with pytest.raises(InputError, match=f"is {type}, and there are no scalars") as error:
            run(text, v=1)
        assert f"v: {instead}" in error.value.diagnostics[0].hint
