"""ptx rows against numpy, which computes in the registers' own types."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machines.instructions import operations
from machines.vocabulary.lanes import lane_bits, read_lane
from tests.machines.instructions.test_ptx_cases import in_python

ROWS = operations().family("ptx")
NUMPY = {
    "s16": np.int16, "u16": np.uint16, "b16": np.uint16, "s32": np.int32, "u32": np.uint32,
    "b32": np.uint32, "s64": np.int64, "u64": np.uint64, "b64": np.uint64, "f32": np.float32,
    "f64": np.float64, "pred": np.uint8,
}  # fmt: skip
INTEGERS = ("s16", "u16", "s32", "u32", "s64", "u64")


def _patterns() -> dict[str, Callable]:
    """Row -> what numpy makes of operands of its types."""
    found: dict[str, Callable] = {
        "popc.b32": lambda a: bin(int(a)).count("1"),
        "mul.wide.s32": lambda a, b: np.int64(a) * np.int64(b),
        "mul.wide.u32": lambda a, b: np.uint64(a) * np.uint64(b),
        "mul.wide.s16": lambda a, b: np.int32(a) * np.int32(b),
        "mul.hi.s32": lambda a, b: np.int64(a) * np.int64(b) >> np.int64(32),
        "mul.hi.u32": lambda a, b: np.uint64(a) * np.uint64(b) >> np.uint64(32),
        "cvt.rn.f32.f64": np.float32, "cvt.f64.f32": np.float64,
    }  # fmt: skip
    for kind in ("s16", "s32", "s64"):
        found |= {f"add.{kind}": np.add, f"sub.{kind}": np.subtract, f"mul.lo.{kind}": np.multiply}
        found |= {f"neg.{kind}": np.negative, f"abs.{kind}": np.abs}
        found |= {f"setp.eq.{kind}": np.equal, f"setp.ne.{kind}": np.not_equal}
        found[f"mad.lo.{kind}"] = lambda a, b, c: a * b + c
    for kind in INTEGERS:
        found |= {f"min.{kind}": np.minimum, f"max.{kind}": np.maximum}
        found |= {f"setp.lt.{kind}": np.less, f"setp.le.{kind}": np.less_equal}
        found |= {f"setp.gt.{kind}": np.greater, f"setp.ge.{kind}": np.greater_equal}
        for other in INTEGERS:
            if kind != other:
                found[f"cvt.{kind}.{other}"] = lambda a, to=NUMPY[kind]: a.astype(to)
        for to in ("f32", "f64"):
            found[f"cvt.rn.{to}.{kind}"] = lambda a, to=NUMPY[to]: a.astype(to)
    for kind in ("b16", "b32", "b64"):
        found |= {f"and.{kind}": np.bitwise_and, f"or.{kind}": np.bitwise_or}
        found |= {f"xor.{kind}": np.bitwise_xor, f"not.{kind}": np.invert}
    for kind in ("f32", "f64"):
        found |= {f"add.rn.{kind}": np.add, f"sub.rn.{kind}": np.subtract}
        found |= {f"mul.rn.{kind}": np.multiply, f"div.rn.{kind}": np.divide}
        found |= {f"sqrt.rn.{kind}": np.sqrt, f"abs.{kind}": np.abs, f"neg.{kind}": np.negative}
        found |= {f"setp.lt.{kind}": np.less, f"setp.neu.{kind}": np.not_equal}
        found |= {f"setp.ge.{kind}": np.greater_equal, f"setp.eq.{kind}": np.equal}
        found |= {f"cvt.rni.{kind}.{kind}": np.rint, f"cvt.rzi.{kind}.{kind}": np.trunc}
        found |= {f"cvt.rmi.{kind}.{kind}": np.floor, f"cvt.rpi.{kind}.{kind}": np.ceil}
        found |= {f"min.{kind}": _fmin, f"max.{kind}": lambda a, b: -_fmin(-a, -b)}
    return found


def _fmin(a, b):
    """numpy's fmin does not tell zeros apart."""
    return (a if np.signbit(a) else b) if a == b else np.fmin(a, b)


EXPECTED = _patterns()


def _operand(kind: str):
    if kind in ("f32", "f64"):
        return st.floats(width=int(kind[1:]))
    bits = int(kind[1:])
    edges = st.sampled_from([0, 1, -1, 1 << (bits - 1), (1 << (bits - 1)) - 1])
    return st.one_of(st.integers(0, (1 << bits) - 1), edges).map(
        lambda value: read_lane(lane_bits(value, kind), kind)
    )


def _typed(value, kind: str):
    if kind in ("f32", "f64"):
        return NUMPY[kind](value)
    return np.array([value % (1 << int(kind[1:]))], dtype=np.uint64).astype(NUMPY[kind])[0]


@pytest.mark.parametrize("name", EXPECTED)
def test_same_as_numpy(name):
    row = ROWS[name]
    kinds, result = [o.kind.type for o in row.reads], row.writes[0].kind.type

    @settings(max_examples=10)
    @given(st.tuples(*map(_operand, kinds)))
    def agree(values):
        got = read_lane(lane_bits(in_python(row)(*values)[0], result), result)
        with np.errstate(all="ignore"):
            expected = EXPECTED[name](*map(_typed, values, kinds))
        if result in ("f32", "f64"):
            expected = float(expected)
            same = got == expected and math.copysign(1, got) == math.copysign(1, expected)
            assert same or (got != got and expected != expected)
        else:
            assert got == read_lane(lane_bits(int(expected), result), result)

    agree()
