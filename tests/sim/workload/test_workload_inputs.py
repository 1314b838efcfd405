"""Inputs: every form gives the array it says, the same one in every process."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from machines.description.strict_yaml import read_yaml
from machines.diagnostics import InputError
from sim.forms import Wanted
from sim.workload.inputs import check_form, make_input

pytestmark = pytest.mark.quick

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
        ("{dtype: f64, shape: [2], range: {start: -1e300}}", "float64", [-1e300, -1e300]),
        (
            "{dtype: u64, shape: [2], range: {start: 18446744073709551615, step: -1}}",
            "uint64",
            [2**64 - 1, 2**64 - 2],
        ),
        ("{dtype: boolean, values: [true, 0]}", "bool", [True, False]),
        ("{dtype: boolean, shape: [2], value: true}", "bool", [True, True]),
        ("{dtype: i32, values: [[1, 2], [3, 4]]}", "int32", [[1, 2], [3, 4]]),
        ("{dtype: i32, shape: [2, 1], values: [[1], [2]]}", "int32", [[1], [2]]),
    ],
)
def test_forms(text: str, dtype: str, expected: list):
    array = make(text)
    assert array.dtype.name == dtype
    assert array.tolist() == expected


@pytest.mark.parametrize(
    "text, column, message",
    [
        ("{dtype: f64, shape: [4], value: abc}", 33, "should be a number, not 'abc'"),
        ("{dtype: f64, values: [1, [2]]}", 22, "rows of this array differ in length"),
        ("{dtype: f64, values: [[1, 2], [3, x]]}", 35, "should be a number, not 'x'"),
        ("{dtype: f64, shape: [3], values: [[1, 2], [3, 4]]}", 21, "3 elements, 'values' gives 4"),
        ("{dtype: f64, shape: [4, 1], values: [[1, 2], [3, 4]]}", 21, "not that of 'values'"),
        ("{dtype: f64, values: " + 40 * "[" + "1" + 40 * "]" + "}", 22, "at most 32 axes, not 40"),
        ("{dtype: f64, file: ''}", 20, "at least 1 character"),
        (
            "{dtype: f64, shape: [1000000000000], value: 0}",
            22,
            "or equal to 274877906944",
        ),
        ("{dtype: f64, shape: [1000000, 100000], value: 0}", 21, "at most 256 GiB"),
        ("{dtype: f64, values: [1], member: a}", 1, "'member' belongs to 'file'"),
        ("{dtype: f64, shape: [4], value: true}", 33, "expected a number, found true"),
        ("{dtype: f32, values: [1e39]}", 23, "1e+39 does not fit into f32"),
        ("{dtype: i64, values: [2.0]}", 23, "2.0 is not an integer"),
        ("{dtype: boolean, values: [2]}", 27, "2 is not a boolean"),
        ("{dtype: f64, shape: [], value: 1}", 14, "1 to 32 axes, not 0"),
        (f"{{dtype: f64, shape: {[1] * 33}, value: 1}}", 14, "1 to 32 axes, not 33"),
        ("{dtype: f64, shape: [4], random: {seed: 1, low: 0, high: .inf}}", 58, "not finite"),
        ("{dtype: f64, shape: [4], random: {seed: 1, low: -1e308, high: 1e308}}", 34, "high - low"),
        ("{dtype: f64, shape: [4], range: {step: .inf}}", 40, "step: inf is not finite"),
        ("{dtype: f64, shape: [4], range: {step: 1e308}}", 33, "last element: inf"),
        ("{dtype: u8, shape: [4], range: {step: 100}}", 32, "last element: 300 does not fit"),
        ("{dtype: u8, shape: [4], range: {step: 0.5}}", 39, "0.5 is not an integer"),
        ("{dtype: f64, shape: [4], permutation: {seed: 1}}", 39, "an integer type, not f64"),
        ("{dtype: f64, shape: [4], cycle: {seed: 1}}", 33, "an integer type, not f64"),
        ("{dtype: i64, shape: [4], cycle: {seed: 1, stride: 999999999999}}", 51, "less than"),
        ("{dtype: i32, text: ab}", 20, "a text has bytes, not i32"),
    ],
)
def test_one_finding_at_its_place(
    text: str, column: int, message: str, recwarn: pytest.WarningsRecorder
):
    node = read_yaml(text, "x.yaml")
    with pytest.raises(InputError) as caught:
        make_input(node, ANY, Path())
    (finding,) = caught.value.diagnostics
    assert message in finding.message
    assert finding.location.column == column
    assert not recwarn


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


def test_a_npy_file_carries_its_shape(tmp_path: Path):
    matrix = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.int32)
    np.save(tmp_path / "c.npy", matrix)
    np.save(tmp_path / "f.npy", np.asfortranarray(matrix))
    np.save(tmp_path / "big.npy", matrix.astype(">i4"))
    for file in ("c.npy", "f.npy", "big.npy"):
        for shape in ("", "shape: [2, 3], "):
            array = make(f"{{dtype: i32, {shape}file: {file}}}", folder=tmp_path)
            assert array.tolist() == matrix.tolist()
            assert array.dtype == "<i4"
            assert array.flags.c_contiguous
        for shape in ("[3, 2]", "[6]"):
            with pytest.raises(InputError, match=r"has shape \[2, 3\], not"):
                make(f"{{dtype: i32, shape: {shape}, file: {file}}}", folder=tmp_path)
        window = make(f"{{dtype: i32, shape: [2], offset: 2, file: {file}}}", folder=tmp_path)
        assert window.tolist() == [3, 4]
    with pytest.raises(InputError, match=r"is an array i32\[n\], the workload gives shape"):
        make("{dtype: i32, file: c.npy}", Wanted("x", "i32", ("n",)), tmp_path)
    np.save(tmp_path / "one.npy", np.int32(1))
    with pytest.raises(InputError, match=r"the workload gives shape \[\]"):
        make("{dtype: i32, file: one.npy}", folder=tmp_path)


def _npy(header: str, data: bytes = b"") -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


def _header(shape: str, dtype: str = "<f8") -> str:
    return f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"


@pytest.mark.parametrize(
    "content, message",
    [
        (_npy(_header("(40000000000000,)"), bytes(32)), "has 32 bytes of elements, its shape"),
        (_npy(_header("(1,)"), bytes(16)), "has 16 bytes of elements, its shape"),
        (_npy(_header("(-1, -1)"), bytes(8)), "no .npy"),
        (_npy(_header("(2,)", "<f4"), bytes(8)), "holds float32"),
        (_npy(_header("(1,)", "|O"), bytes(8)), "holds object"),
        (_npy(_header(str((1,) * 65)), bytes(8)), "no .npy"),
        (_npy("{'descr': '<f8', 'shape': (1L"), "no .npy"),
        (_npy("((((" * 500), "no .npy"),
        (b"\x93NUMPY\x09\x00", "no .npy"),
        (b"", "no .npy"),
    ],
)
def test_damaged_npy_files(content: bytes, message: str, tmp_path: Path):
    (tmp_path / "x.npy").write_bytes(content)
    with pytest.raises(InputError, match=message):
        make("{dtype: f64, file: x.npy}", folder=tmp_path)


def test_only_regular_files_are_read(tmp_path: Path):
    os.mkfifo(tmp_path / "fifo")
    for name in ("fifo", "/dev/zero", "."):
        with pytest.raises(InputError, match=r"is not a regular file|is a folder"):
            make(f"{{dtype: u8, shape: [1], file: {name}}}", folder=tmp_path)
    with pytest.raises(InputError, match="cannot be the name of a file"):
        make('{dtype: u8, file: "a\\0b"}', folder=tmp_path)


def test_a_file_that_says_nothing_of_its_content_needs_a_format(tmp_path: Path):
    (tmp_path / "x.dat").write_bytes(bytes(8))
    assert make("{dtype: u8, file: x.dat}", folder=tmp_path).size == 8
    assert make("{dtype: f32, file: x.dat, format: raw}", folder=tmp_path).size == 2
    with pytest.raises(InputError, match=r"not said: '\.dat' is no suffix of arrays"):
        make("{dtype: f32, file: x.dat}", folder=tmp_path)


def test_arrays_of_npz_files(tmp_path: Path):
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.savez(tmp_path / "a.npz", x=matrix, y=matrix[0])
    np.savez_compressed(tmp_path / "b.npz", x=matrix)
    for file in ("a.npz", "b.npz"):
        found = make(f"{{dtype: f32, file: {file}, member: x}}", folder=tmp_path)
        assert found.tolist() == matrix.tolist()
    damaged = (tmp_path / "b.npz").read_bytes()
    (tmp_path / "c.npz").write_bytes(damaged[:60] + bytes(20) + damaged[80:])
    (tmp_path / "d.npz").write_bytes(b"PK")
    for text, message in [
        ("{dtype: f32, file: a.npz}", "which array of a.npz is wanted is not said"),
        ("{dtype: f32, file: a.npz, member: z}", "a.npz has no array 'z'"),
        ("{dtype: f32, file: c.npz, member: x}", "c.npz is no .npz file"),
        ("{dtype: f32, file: d.npz, member: x}", "d.npz is no .npz file"),
        ("{dtype: f32, shape: [6], file: a.npz, member: x}", "has shape"),
        ("{dtype: u8, file: a.npz, format: raw, member: x}", "has no members"),
    ]:
        with pytest.raises(InputError, match=message):
            make(text, folder=tmp_path)


@pytest.mark.parametrize(
    "dtype, word",
    [
        ("u8", "256"),
        ("f32", "1e39"),
        ("f64", "1e999"),
        ("f64", "9" * 5000),
        ("i64", "9" * 5000),
        ("i8", "1.5"),
        ("boolean", "2"),
    ],
)
def test_numbers_files_hold_numbers_of_the_type(dtype: str, word: str, tmp_path: Path):
    (tmp_path / "x.txt").write_text(f"0 1\n{word}\n")
    with pytest.raises(InputError, match=r"x\.txt, line 2: "):
        make(f"{{dtype: {dtype}, file: x.txt, format: numbers}}", folder=tmp_path)


def test_a_boolean_is_the_byte_0_or_1(tmp_path: Path):
    (tmp_path / "good").write_bytes(b"\0\1")
    assert make("{dtype: boolean, file: good}", folder=tmp_path).tolist() == [False, True]
    (tmp_path / "bad").write_bytes(b"\0\2")
    with pytest.raises(InputError, match="holds the byte 2"):
        make("{dtype: boolean, file: bad}", folder=tmp_path)


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
