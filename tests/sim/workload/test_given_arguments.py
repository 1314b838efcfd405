"""Arguments of the command line and of a caller, as nodes and as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from machines.diagnostics import InputError
from machines.elements import DTYPES
from sim.forms import Wanted
from sim.workload.given_arguments import as_arguments, read_arguments, recorded
from sim.workload.inputs import make_input

ANY = Wanted("x", None, ())


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_arrays_of_every_type_order_and_layout(dtype: str):
    array = (np.arange(24) % 2 if dtype == "boolean" else np.arange(24)).astype(DTYPES[dtype])
    array = array.reshape(4, 6)
    for given in (array, array.astype(array.dtype.newbyteorder(">")), np.asfortranarray(array),
                  array[::-1, ::2], array.T):  # fmt: skip
        made = make_input(as_arguments({"x": given})["x"], ANY, Path())
        assert made.dtype == DTYPES[dtype] and made.flags.c_contiguous
        assert made.tolist() == given.tolist()


def test_a_callers_array_is_its_own_afterwards():
    array = np.zeros(3)
    node = as_arguments({"x": array})["x"]
    array[:] = 1
    assert make_input(node, ANY, Path()).tolist() == [0, 0, 0]


def test_numbers_lists_and_forms():
    given = as_arguments(
        {
            "n": np.int16(3),
            "a": np.float32(0.5),
            "zero": np.array(0),
            "x": ({"dtype": "i32", "values": [[1, 2], [3, 4]]}),
            "rows": [(1, 2), [np.int8(3), 4]],
        }
    )
    plain = {name: node.plain() for name, node in given.items()}
    assert plain == {
        "n": 3,
        "a": 0.5,
        "zero": 0,
        "x": {"dtype": "i32", "values": [[1, 2], [3, 4]]},
        "rows": [[1, 2], [3, 4]],
    }


def test_texts_of_the_command_line():
    given = read_arguments(["n = 3", "x={dtype: u8, text: 'a=b'}", "p=null"])
    assert {name: node.plain() for name, node in given.items()} == {
        "n": 3, "x": {"dtype": "u8", "text": "a=b"}, "p": None
    }  # fmt: skip


def test_files_are_those_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "here").mkdir()
    np.save(tmp_path / "here" / "x.npy", np.ones(2))
    monkeypatch.chdir(tmp_path / "here")
    (node,) = read_arguments(["x={dtype: f64, file: x.npy}"]).values()
    assert make_input(node, ANY, tmp_path).tolist() == [1, 1]


def test_what_is_recorded():
    array = np.arange(3, dtype=np.float32)
    record = recorded(as_arguments({"n": 2, "x": array, "a": float("inf")}))
    assert record["n"] == 2 and record["a"] == "inf"
    assert (record["x"]["dtype"], record["x"]["shape"]) == ("f32", [3])
    other = recorded(as_arguments({"x": array + 1}))
    assert record["x"]["array"] != other["x"]["array"]


@pytest.mark.parametrize(
    "text, message",
    [
        ("n", "'n' is no argument"),
        ("=3", "'=3' is no argument"),
        ("n=", "'n' is given no value"),
        ("n= ", "'n' is given no value"),
        ("n=[1, x]", "expected a number or an array, found 'x'"),
        ("x={dtype: f32, array: 3, value: 1, shape: [1]}", "unknown key 'array'"),
    ],
)
def test_what_is_no_argument(text: str, message: str):
    with pytest.raises(InputError, match=message):
        read_arguments([text])
