"""The table of element types: encodings, rounding and packing, against ml_dtypes and numpy."""

from __future__ import annotations

import numpy as np
import pytest

from machines.elements import (
    DTYPES,
    as_elements,
    as_numbers,
    bytes_in_memory,
    decoded,
    encodings,
    from_memory,
    in_memory,
    known_array,
    ordinals,
    rounded,
)
from machines.types import ELEMENTS

ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes judges the types numpy has not")

pytestmark = pytest.mark.filterwarnings("ignore:.*encountered in cast:RuntimeWarning")
JUDGES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "i4": ml_dtypes.int4,
    "u4": ml_dtypes.uint4,
}
FLOATS = ("f16", "bf16", "e4m3", "e5m2")
OURS = ("bf16", "e4m3", "e5m2")


def same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Where f64 are the same number, sign of zeros included, or both NaN."""
    return ((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))


def all_codes(name: str) -> np.ndarray:
    type = ELEMENTS[name]
    return np.arange(1 << type.bits, dtype=f"u{type.bytes}")


def judged(codes: np.ndarray, name: str) -> np.ndarray:
    return codes.view(JUDGES[name]).astype(np.float64)


@pytest.mark.parametrize("name", OURS)
def test_every_encoding(name):
    """Each is the number that the judge says, and the encoding of it; NaN the one we make."""
    type, codes = ELEMENTS[name], all_codes(name)
    values = decoded(codes, type).astype(np.float64)
    assert same(values, judged(codes, name)).all()
    back, is_nan = encodings(values, type), np.isnan(values)
    assert np.array_equal(back[~is_nan], codes[~is_nan])
    assert set(back[is_nan].tolist()) == {type.format.nan}
    assert type.format.nan in codes[is_nan]


@pytest.mark.parametrize("name", [*FLOATS, "f32", "f64"])
def test_what_the_format_says(name):
    """Largest, least, epsilon and bits, against finfo."""
    form = ELEMENTS[name].format
    info = ml_dtypes.finfo(JUDGES.get(name, DTYPES[name]))
    said = (form.largest, form.least, form.epsilon, form.digits - 1, form.least_exponent)
    assert said == (
        float(info.max), float(info.smallest_normal), float(info.eps), info.nmant, info.minexp
    )  # fmt: skip


def hard_values(name: str) -> np.ndarray:
    """f32 that are random over all exponents, numbers of the type, halfway between two of them, and
    beside halfway; what is too large; what is no number."""
    values = judged(all_codes(name), name)
    values = np.unique(values[np.isfinite(values)])
    draw = np.random.default_rng(5)
    random = draw.integers(0, 1 << 32, 20_000, dtype=np.uint32).view(np.float32)
    near = (draw.standard_normal(20_000) * ELEMENTS[name].format.largest).astype(np.float32)
    halfway = (values[1:] + values[:-1]) / 2
    ends = np.array([464, 464.0001, 480, 61439, 61440, 65519, 65520, 3.4e38, np.inf, np.nan])
    found = np.concatenate([values, halfway, ends, -ends]).astype(np.float32)
    beside = [np.nextafter(found, np.float32(to)) for to in (np.inf, -np.inf)]
    return np.concatenate([found, *beside, random, near])


@pytest.mark.parametrize("name", FLOATS)
def test_rounding(name):
    """To the nearest, ties to even, overflow as the type has it; from f32: judges round once."""
    values = hard_values(name)
    wanted = values.astype(JUDGES[name]).astype(np.float64)
    found = rounded(values.astype(np.float64), ELEMENTS[name])
    wrong = ~same(found, wanted)
    assert not wrong.any(), values[wrong][:5]
    if name != "f16":
        codes = as_elements(values, name)[name]
        assert same(judged(codes, name), wanted).all()


@pytest.mark.parametrize("name", OURS)
def test_one_rounding_from_f64(name):
    """A number just beside halfway, by less than an f32 tells, goes to its own side."""
    values = judged(all_codes(name), name)
    values = np.unique(values[np.isfinite(values)])
    middle = (values[1:] + values[:-1]) / 2
    for away, wanted in ((-1, values[:-1]), (1, values[1:])):
        beside = middle + away * np.abs(np.spacing(middle))
        assert np.array_equal(rounded(beside, ELEMENTS[name]), wanted)


def test_saturation():
    values = np.array([1e9, -1e9, np.inf, -np.inf, np.nan, 448, 449, 1.0])
    found = rounded(values, ELEMENTS["e4m3"], saturate=True)
    assert same(found, np.array([448, -448, 448, -448, np.nan, 448, 448, 1.0])).all()
    found = rounded(values, ELEMENTS["e5m2"], saturate=True)
    assert same(found, np.array([57344, -57344, 57344, -57344, np.nan, 448, 448, 1.0])).all()
    assert as_numbers(as_elements([300, -300], "i4", saturate=True)).tolist() == [7, -8]
    assert as_numbers(as_elements([300, -300], "u8", saturate=True)).tolist() == [255, 0]


@pytest.mark.parametrize("name", [*FLOATS, "f32"])
def test_order(name):
    """Places go up by one from number to number; both zeros have 0."""
    type = ELEMENTS[name]
    if name == "f32":
        codes = np.arange(0, 1 << 31, 12_345, dtype=np.uint32)
        values = np.sort(codes.view(np.float32).astype(np.float64))
        after = np.nextafter(values.astype(np.float32), np.float32(np.inf)).astype(np.float64)
        is_number = np.isfinite(values) & np.isfinite(after)
        steps = ordinals(after[is_number], type) - ordinals(values[is_number], type)
    else:
        values = judged(all_codes(name), name)
        steps = np.diff(ordinals(np.unique(values[np.isfinite(values)]), type))
    assert set(steps.tolist()) == {1}
    assert ordinals(np.array([0.0, -0.0]), type).tolist() == [0, 0]


@pytest.mark.parametrize("name", ("i4", "u4"))
def test_two_in_a_byte(name):
    """All pairs of numbers, of whole bytes and of an odd number of elements."""
    type = ELEMENTS[name]
    numbers = np.arange(type.lowest, type.highest + 1)
    pairs = np.array([(a, b) for a in numbers for b in numbers]).reshape(-1)
    for values in (pairs, pairs[:-1], pairs[:0]):
        array = as_elements(values, name)
        space = in_memory(array)
        assert len(space) == bytes_in_memory(array) == -(-len(values) // 2)
        assert [byte & 15 for byte in space] == [int(v) & 15 for v in values[::2]]
        assert [byte >> 4 for byte in space[: len(values) // 2]] == [
            int(v) & 15 for v in values[1::2]
        ]
        assert np.array_equal(as_numbers(from_memory(space, array.dtype, array.shape)), values)


@pytest.mark.parametrize("name", sorted(JUDGES))
def test_arrays_of_ml_dtypes(name):
    """Are taken as what they are, and got back by a view."""
    values = np.array([[0, 1, 3], [2, 6, 7]])
    theirs = values.astype(JUDGES[name])
    ours = known_array(theirs.T)
    assert ours.dtype == DTYPES[name] and ours.shape == (3, 2)
    assert np.array_equal(as_numbers(ours), values.T)
    assert np.array_equal(ours.view(JUDGES[name]), theirs.T)


def test_arrays_of_no_type():
    for dtype in ("c8", "U3", "O", "M8[s]", "V2"):
        assert known_array(np.zeros(2, dtype)) is None


@pytest.mark.parametrize("type", ELEMENTS)
def test_one_number_has_no_axis(type: str):
    assert as_elements(1, type).shape == () and as_elements(np.float64(0.0), type).shape == ()
