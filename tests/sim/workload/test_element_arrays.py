"""Arrays of every element type are given, expected, kept in files and found in results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from machines.elements import DTYPES, as_elements, as_numbers, in_memory, rounded
from machines.types import ELEMENTS

PROGRAM = """\
x: {type}[8] in dram
y: {type}[8] in dram
a: {type}[8] in nram

func @main() {{
entry:
    tensor.copy.{type} a[0:8], x[0:8]
    {work}
    tensor.copy.{type} y[0:8], a[0:8]
    return
}}
"""
SQUARE = "tensor.mul.{type} a[0:8], a[0:8], a[0:8]"
NUMBERS = [0.1, -2.5, 3.0, 200.0, 1e-3, -0.0, 7.25, 12.1]
HALVES = np.array(NUMBERS, np.float16)
CHIP = ["clusters=1", "cores=1"]
KERNEL = Path(__file__).with_name("copied_bytes.ptx")


def run(folder: Path, x: str, y: str, type: str = "f16", expect: str = '{equals: "x * x"}', **more):
    """`x` and `y` as they stand in the file."""
    work = more.pop("work", SQUARE).format(type=type)
    (folder / "p.sir").write_text(PROGRAM.format(type=type, work=work))
    (folder / "w.yaml").write_text(
        f"workload: w\nprogram: p.sir\nmachine: teaching_chip\n"
        f"arguments:\n  x: {x}\n  y: {y}\nexpect:\n  y: {expect}\n"
    )
    return sim.run(folder / "w.yaml", overrides=CHIP, **more)


def zero(type: str) -> str:
    return f"{{dtype: {type}, shape: [8], value: 0}}"


FORMS = {
    "a list": f"{{dtype: TYPE, values: {NUMBERS}}}",
    "random": "{dtype: TYPE, shape: [8], random: {seed: 1, low: -2, high: 2}}",
    "a range": "{dtype: TYPE, shape: [8], range: {start: 0.5, step: 0.25}}",
    "a value": "{dtype: TYPE, shape: [8], value: 0.1}",
    "a .npy file": "{dtype: TYPE, file: x.npy}",
    "a raw file": "{dtype: TYPE, file: x.bin}",
    "a table": "{dtype: TYPE, file: x.csv}",
}


@pytest.mark.parametrize("type", ["f16", "bf16"])
@pytest.mark.parametrize("form", FORMS)
def test_halves_are_given_and_expected(form, type, tmp_path):
    given = as_elements(NUMBERS, type)
    np.save(tmp_path / "x.npy", given)
    (tmp_path / "x.bin").write_bytes(given.tobytes())
    (tmp_path / "x.csv").write_text(", ".join(map(str, NUMBERS)))
    result = run(tmp_path, FORMS[form].replace("TYPE", type), zero(type), type)
    x, y = (as_numbers(result.outputs[name]).astype(np.float64) for name in "xy")
    assert result.ok and result.outputs["y"].dtype == DTYPES[type]
    assert np.array_equal(y, rounded(x * x, ELEMENTS[type]))
    if "file" in form or form == "a list":
        assert np.array_equal(result.outputs["x"], given)


@pytest.mark.parametrize("type", ["f16", "bf16"])
def test_halves_of_a_caller(type, tmp_path):
    given = as_elements(NUMBERS, type)
    wanted = as_elements(as_numbers(given).astype(np.float64) ** 2, type)
    result = run(tmp_path, zero(type), zero(type), type, arguments={"x": given})
    assert result.ok and np.array_equal(result.outputs["y"], wanted)
    assert called(given, wanted, type).ok and called(given, {"values": wanted, "ulps": 0}, type).ok
    assert not called(given, {"values": given, "ulps": 0}, type).ok


def called(x: np.ndarray, expect: object, type: str) -> sim.Result:
    """The same from arrays of a caller, who expects one too."""
    workload = {
        "workload": "w",
        "machine": "teaching_chip",
        "arguments": {"x": x, "y": np.zeros_like(x)},
        "expect": {"y": expect},
    }
    text = PROGRAM.format(type=type, work=SQUARE.format(type=type))
    return sim.run(workload, source=text, language=".sir", overrides=CHIP)


def test_arrays_of_ml_dtypes_of_a_caller(tmp_path):
    bfloat16 = pytest.importorskip("ml_dtypes", reason="whose arrays are given").bfloat16
    given = np.array(NUMBERS).astype(bfloat16)
    result = run(tmp_path, zero("bf16"), zero("bf16"), "bf16", arguments={"x": given})
    assert result.ok and np.array_equal(result.outputs["y"].view(bfloat16), given * given)
    assert called(given, {"values": given * given, "ulps": 0}, "bf16").ok
    assert not called(given, given, "bf16").ok


def test_integers_are_the_encodings_of_what_a_buffer_holds(tmp_path):
    given = "{dtype: u16, shape: [8], value: 0x4000}"  # 2.0
    expect = "{values: [" + "0x4080, " * 7 + "0x4080]}"  # 4.0
    assert run(tmp_path, given, "{dtype: u16, shape: [8], value: 0}", "bf16", expect).ok


# ---- What is expected ---------------------------------------------------------------------------


def one_off(type: str, by: int) -> str:
    """The squares of NUMBERS, one of which is so many numbers of the type too large."""
    given = as_numbers(as_elements(NUMBERS, type)).astype(np.float64)
    codes = as_elements(given * given, type)
    words = codes if codes.dtype.names is None else codes[type]
    words.view(np.uint16)[3] += by
    return str(as_numbers(codes).tolist())


@pytest.mark.parametrize("type", ["f16", "bf16"])
@pytest.mark.parametrize(
    ("off", "more", "is_right"),
    [
        (0, "", True),
        (1, "", True),
        (2, "", False),
        (1, ", ulps: 0", False),
        (0, ", ulps: 0", True),
        (3, ", ulps: 3", True),
        (4, ", ulps: 3", False),
        (1, ", rtol: 0, atol: 0", False),
        (4, ", rtol: 0.05, atol: 0", True),
    ],
)
def test_how_far_an_output_may_be_off(type, off, more, is_right, tmp_path):
    expect = f"{{values: {one_off(type, off)}{more}}}"
    x = FORMS["a list"].replace("TYPE", type)
    result = run(tmp_path, x, zero(type), type, expect)
    assert result.ok == is_right
    if not is_right:
        assert result.checks[0].first == (3,) and result.checks[0].differing == 1


@pytest.mark.parametrize("type", ["f16", "bf16"])
def test_what_is_computed_exactly_is_equal(type, tmp_path):
    """Where the expression rounds nothing nothing may be off; elsewhere that can be asked for."""
    x = FORMS["a list"].replace("TYPE", type)
    work = "tensor.abs.{type} a[0:8], a[0:8]"
    right = run(tmp_path, x, zero(type), type, '{equals: "abs(x)"}', work=work)
    assert right.ok and right.checks[0].ulps == 0 and "within" not in str(right.checks[0])
    assert run(tmp_path, x, zero(type), type, f'{{equals: "{type}(x * x)", ulps: 0}}').ok
    other = f'{{equals: "{type}({type}(x * 1.01) * x)", ulps: 0}}'
    assert not run(tmp_path, x, zero(type), type, other).ok


def test_a_tolerance_of_halves_knows_subnormals(tmp_path):
    """Beside a stated rtol atol is the error of rounding: of 1e-6 that of the least normal f16."""
    x = FORMS["a list"].replace("TYPE", "f16")
    result = run(tmp_path, x, zero("f16"), "f16", '{equals: "x * x", rtol: 0}')
    assert result.ok and result.checks[0].ulps is None and result.checks[0].absolute > 0
    wrong = '{equals: "x * x + 4e-7", rtol: 0}'
    assert not run(tmp_path, x, zero("f16"), "f16", wrong).ok


def test_no_number_and_no_end(tmp_path):
    """NaN is NaN, an infinity only itself, and both zeros are one number."""
    x = "{dtype: bf16, values: [.nan, .inf, -.inf, 0.0, 1.0, 3.0e38, 2.0, 5.0]}"
    keep = {"work": ""}
    for changed, is_right in (
        ("", True), (".nan 1.0", False), (".inf 3.3895e38", False), ("3.0e38 .inf", False),
        ("-.inf .inf", False), ("0.0 -0.0", True),
    ):  # fmt: skip
        values = ".nan, .inf, -.inf, 0.0, 1.0, 3.0e38, 2.0, 5.0"
        values = values.replace(*changed.split()) if changed else values
        expect = f"{{values: [{values}], ulps: 1}}"
        assert run(tmp_path, x, zero("bf16"), "bf16", expect, **keep).ok == is_right, changed


def test_results_say_type_and_ulps(tmp_path):
    result = run(tmp_path, FORMS["a list"].replace("TYPE", "bf16"), zero("bf16"), "bf16")
    written = json.loads(result.to_json())
    assert written["outputs"]["y"]["dtype"] == "bfloat16" and written["checks"][0]["ulps"] == 1
    assert "within 1 ulp of bf16" in str(result.checks[0])
    wrong = run(tmp_path, FORMS["a list"].replace("TYPE", "bf16"), zero("bf16"), "bf16",
                '{equals: "x + 2"}')  # fmt: skip
    assert "expected 2.09375" in str(wrong.checks[0])
    assert json.loads(wrong.to_json())["checks"][0]["expected"] == 2.09375


# ---- On a GPU: bytes are copied, whatever they are ----------------------------------------------


def copied(folder: Path, x: str, y: str, wanted: str, count: int, **more):
    (folder / "w.yaml").write_text(
        f"workload: w\nprogram: {KERNEL}\nmachine: v100\n"
        f"arguments:\n  x: {x}\n  y: {y}\n  n: {count}\n"
        f"launch: {{grid: [1], block: [96]}}\nexpect:\n  y: {wanted}\n"
    )
    return sim.run(folder / "w.yaml", **more)


@pytest.mark.parametrize("type", ELEMENTS)
def test_every_type_is_an_argument_of_a_kernel(type, tmp_path):
    """Through memory and back; in a file of each kind; compared to the last number."""
    low, high = ("false", "true") if type == "boolean" else (0, 6)
    random = f"{{dtype: {type}, shape: [10], random: {{seed: 3, low: {low}, high: {high}}}}}"
    size = ELEMENTS[type].size(10)
    result = copied(tmp_path, random, f"{{dtype: {type}, shape: [10], value: 0}}",
                    '{equals: "x"}', size)  # fmt: skip
    x, y = result.outputs["x"], result.outputs["y"]
    assert result.ok and np.array_equal(x, y) and np.any(as_numbers(x))
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "x.bin").write_bytes(in_memory(x).tobytes())
    (tmp_path / "x.csv").write_text("\n".join(str(v + 0) for v in as_numbers(x).tolist()))
    for name in ("x.npy", "x.bin", "x.csv"):
        given = f"{{dtype: {type}, file: {name}}}"
        again = copied(tmp_path, given, f"{{dtype: {type}, shape: [10], value: 0}}",
                       f"{{file: {name}}}", size)  # fmt: skip
        assert again.ok and np.array_equal(again.outputs["y"], x), name
    other = as_numbers(x).copy()
    other[7] = 0 if other[7] else 6
    np.save(tmp_path / "other.npy", as_elements(other, type))
    wrong = copied(tmp_path, random, f"{{dtype: {type}, shape: [10], value: 0}}",
                   "{file: other.npy}", size)  # fmt: skip
    assert not wrong.ok and wrong.checks[0].first == (7,)


@pytest.mark.parametrize(
    ("expect", "is_right"),
    [('{equals: "x * x", ulps: 0}', True), ('{equals: "x * x"}', True),
     ('{equals: "x * x * 1.002"}', False)],
)  # fmt: skip
def test_a_kernel_computes_with_halves(expect, is_right, tmp_path):
    (tmp_path / "w.yaml").write_text(
        f"workload: w\nprogram: {KERNEL.with_name('squared_halves.ptx')}\nmachine: v100\n"
        "arguments:\n  x: {dtype: f16, shape: [32], random: {seed: 4, low: -9, high: 9}}\n"
        "  y: {dtype: f16, shape: [32], value: 0}\n"
        f"launch: {{grid: [1], block: [32]}}\nexpect:\n  y: {expect}\n"
    )
    assert sim.run(tmp_path / "w.yaml").ok == is_right


# ---- What is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ("{dtype: f16, shape: [8], value: 70000}", "70000 does not fit into f16"),
        ("{dtype: f16, values: [1, 2, 3, 65520, 5, 6, 7, 8]}", "65520 does not fit into f16"),
        ("{dtype: bf16, shape: [8], value: 3.4e38}", "does not fit into bf16"),
        ("{dtype: e4m3, shape: [8], value: 465}", "465 does not fit into e4m3"),
        ("{dtype: e4m3, shape: [8], value: .inf}", "e4m3 has no infinity"),
        ("{dtype: e5m2, shape: [8], value: 61440}", "61440 does not fit into e5m2"),
        ("{dtype: i4, values: [8, 0, 0, 0, 0, 0, 0, 0]}", "8 does not fit into i4"),
        ("{dtype: u4, shape: [8], random: {seed: 1, low: -1, high: 3}}", "does not fit into u4"),
        ("{dtype: i4, shape: [9], permutation: {seed: 1}}", "indices up to 8 do not fit into i4"),
        ("{dtype: e5m2, shape: [8], permutation: {seed: 1}}", "they need an integer type"),
        ("{dtype: bf16, file: f.npy}", "f.npy holds float32, not bf16"),
        ("{dtype: e4m3, file: t.csv}", "t.csv, line 2: 500.0 does not fit into e4m3"),
        ("{dtype: bf16, file: odd.bin}", "has 3 bytes, no whole number of bf16"),
        ("{dtype: bf17, shape: [8], value: 0}", "bf17"),
        ("{dtype: f32, shape: [8], value: 0}", "elements of type f16, and f32 are given"),
        ("{dtype: bf16, shape: [8], value: 0}", "elements of type f16, and bf16 are given"),
    ],
)
def test_what_is_no_element_is_refused(x, message, tmp_path):
    np.save(tmp_path / "f.npy", np.zeros(8, np.float32))
    (tmp_path / "t.csv").write_text("1, 2, 3\n500, 1, 1, 1, 1\n")
    (tmp_path / "odd.bin").write_bytes(b"abc")
    with pytest.raises(InputError, match=message):
        run(tmp_path, x, zero("f16"))


@pytest.mark.parametrize(
    ("type", "expect", "message"),
    [
        ("bf16", '{equals: "x * 1e39"}', "which bf16 cannot hold"),
        ("bf16", '{equals: "x", ulps: 2, rtol: 0.1}', "in place of 'rtol' and 'atol'"),
        ("bf16", '{equals: "x * x", ulps: 40000}', "would accept zeros"),
        ("bf16", '{equals: "x", ulps: -1}', "ulps"),
    ],
)
def test_what_cannot_be_expected_is_refused(type, expect, message, tmp_path):
    with pytest.raises(InputError, match=message):
        run(tmp_path, FORMS["a list"].replace("TYPE", type), zero(type), type, expect)


def test_pointers_into_packed_arrays_begin_at_bytes(tmp_path):
    (tmp_path / "w.yaml").write_text(
        f"workload: w\nprogram: {KERNEL}\nmachine: v100\n"
        "arguments:\n  x: {dtype: i4, shape: [8], value: 0}\n"
        "  y: {dtype: i4, shape: [8], value: 0}\n"
        "launch: {grid: [1], block: [32], arguments: [x + 3, y, 1]}\n"
    )
    with pytest.raises(InputError, match="the offset into 'x' is 3, which is within a byte"):
        sim.run(tmp_path / "w.yaml")
