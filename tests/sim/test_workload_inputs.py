"""Inputs: every form gives the array it says, the same one in every process."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from machines.diagnostics import InputError
from machines.strict_yaml import read_yaml
from sim.inputs import Wanted, check_form, make_input

ANY = Wanted("x", None, ())


def make(text: str, wanted: Wanted = ANY, folder: Path = Path()) -> np.ndarray:
    node = read_yaml(text, "x.yaml")
    assert check_form(node) == []
    return make_input(node, wanted, folder)


@pytest.mark.parametrize(
    "text, dtype, expected",
    [
        ("{dtype: i32, shape: [3], value: 7}", "int32", [7, 7, 7]),
        ("{dtype: f32, shape: [2, 2], value: 0.5}", "float32", [[0.5, 0.5], [0.5, 0.5]]),
        ("{dtype: u8, values: [1, 255]}", "uint8", [1, 255]),
        ("{dtype: i16, shape: [2, 1], values: [1, 2]}", "int16", [[1], [2]]),
        ("{dtype: i64, shape: [4], range: {start: 1, step: -2}}", "int64", [1, -1, -3, -5]),
        ("{dtype: f64, shape: [3], range: {step: 0.25}}", "float64", [0, 0.25, 0.5]),
        ('{dtype: u8, text: "aé"}', "uint8", [97, 0xC3, 0xA9]),
        ("{dtype: u64, values: [18446744073709551615]}", "uint64", [2**64 - 1]),
        ("{dtype: f64, values: [.inf, -.inf, 1e-300]}", "float64", [np.inf, -np.inf, 1e-300]),
        ("{dtype: i32, shape: [0], value: 1}", "int32", []),
    ],
)
def test_forms(text: str, dtype: str, expected: list):
    array = make(text)
    assert array.dtype.name == dtype
    assert array.tolist() == expected


def test_random_numbers_are_these_in_every_process():
    """A change of these numbers would change every workload."""
    integers = make("{dtype: i32, shape: [4], random: {seed: 1, low: -10, high: 10}}")
    assert integers.tolist() == [-1, 0, 5, 9]
    floats = make("{dtype: f64, shape: [2], random: {seed: 1, low: 0, high: 1}}")
    assert floats.tolist() == [0.5118216247002567, 0.9504636963259353]


def test_random_integers_include_both_ends():
    array = make("{dtype: i8, shape: [5000], random: {seed: 3, low: -128, high: 127}}")
    assert (array.min(), array.max()) == (-128, 127)


def test_random_floats_have_no_subnormals():
    array = make("{dtype: f32, shape: [999], random: {seed: 1, low: 0, high: 1e-37}}")
    assert np.all((array == 0) | (array >= np.finfo(np.float32).tiny))


def test_permutation_holds_every_index_once():
    array = make("{dtype: i32, shape: [100], permutation: {seed: 5}}")
    assert sorted(array.tolist()) == list(range(100)) != array.tolist()


@pytest.mark.parametrize("count, stride", [(1, 1), (64, 1), (64, 16), (65, 16)])
def test_cycle_visits_every_place_once(count: int, stride: int):
    array = make(f"{{dtype: i64, shape: [{count}], cycle: {{seed: 2, stride: {stride}}}}}").tolist()
    seen, place = [], 0
    for _ in range(0, count, stride):
        seen.append(place)
        place = array[place]
    assert place == 0
    assert sorted(seen) == list(range(0, count, stride))


def test_files(tmp_path: Path):
    numbers = np.array([[1, 2], [3, 4]], dtype=np.int32)
    np.save(tmp_path / "a.npy", numbers)
    (tmp_path / "a.bin").write_bytes(numbers.tobytes())
    (tmp_path / "a.txt").write_text("1, 2 # first row\n3 4\n")
    for form in ("file: a.npy", "file: a.bin", "file: a.txt, format: numbers"):
        array = make(f"{{dtype: i32, shape: [2, 2], {form}}}", folder=tmp_path)
        assert array.tolist() == numbers.tolist()
    window = make("{dtype: i32, shape: [2], file: a.bin, offset: 1}", folder=tmp_path)
    assert window.tolist() == [2, 3]


def test_a_list_takes_the_programs_type():
    assert make("[[1, 2], [3, 4]]", Wanted("x", "f32", (None, 2))).dtype == np.float32
    with pytest.raises(InputError, match="does not say the element type"):
        make("[1, 2]")


def test_scalars():
    assert make("3", Wanted("a", "f32")).item() == 3.0
    assert make("-1", Wanted("a", "i8")).item() == -1
    assert make("true", Wanted("a", "boolean")).item() == 1
    assert make("4294967295", Wanted("a", "u32")).dtype == np.uint32
    with pytest.raises(InputError, match="does not fit"):
        make("256", Wanted("a", "u8"))
