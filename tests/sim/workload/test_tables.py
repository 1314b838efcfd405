"""Tables: jitted code sees the arrays of a state, each its own; other arrays are refused."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from machines.array_fields import F64, I32, U8, of
from sim.cores.addresses import table_of
from sim.cores.machine_code import COMPILER, Text, load_code

SOURCE = """
from sim.cores.jit import apart, entry_point, inlined, jitted
from sim.cores.tables import beyond, view_of
from tests.sim.workload.test_tables import State

view = view_of(State)


@apart
def add(state, k):
    state.bytes[k] += 1
    return state.bytes[k]


@entry_point
def add_everywhere(table, count):
    state = view(table)
    total = 0
    for k in range(count):
        total += add(state, k)
        state.inner.words[k] = -state.inner.words[k]
        state.floats[k] *= 0.5
    return total


@entry_point
def cell(table, row, plane, column):
    return view(table).inner.cube[row, plane, column]


@entry_point
def extents(table):
    cube = view(table).inner.cube
    return cube.shape[0] * 10_000 + cube.shape[1] * 100 + cube.shape[2]


@entry_point
def second_row(table, columns):
    return beyond(view(table).inner.words, columns)[0]
"""


class Inner(NamedTuple):
    words: I32
    cube: Annotated[NDArray[np.int64], of(np.int64, None, None, None)]


class State(NamedTuple):
    bytes: U8
    inner: Inner
    floats: F64


@pytest.fixture
def state() -> State:
    cube = np.arange(2 * 3 * 5).reshape(2, 3, 5)
    inner = Inner(np.arange(10, 22, dtype=np.int32), cube)
    return State(np.array([255, 7, 9], np.uint8), inner, np.array([1.0, 3.0, 5.0]))


def call(name: str, state: State, *numbers: int) -> int:
    code = load_code(
        "test", "tables of a test", "test_tables", lambda: Text(SOURCE, [*COMPILER, __name__])
    )
    return code[name](table_of(state), *numbers)


def test_every_field_is_read_and_written_by_its_own_type(state: State):
    assert call("add_everywhere", state, 3) == 0 + 8 + 10
    assert state.bytes.tolist() == [0, 8, 10]
    assert state.inner.words[:4].tolist() == [-10, -11, -12, 13]
    assert state.floats.tolist() == [0.5, 1.5, 2.5]


def test_arrays_of_several_axes_have_their_extents(state: State):
    assert call("extents", state) == 2_03_05
    for place in np.ndindex(2, 3, 5):
        assert call("cell", state, *place) == state.inner.cube[place]


def test_a_pointer_can_begin_further_on(state: State):
    assert call("second_row", state, 4) == 14


@pytest.mark.parametrize(
    "wrong",
    [
        {"bytes": np.zeros(3, np.int8)},
        {"bytes": np.zeros((1, 3), np.uint8)},
        {"floats": np.zeros(6)[::2]},
        {"floats": np.zeros(3, np.float32)},
    ],
    ids=["sign", "axes", "gaps", "size"],
)
def test_what_is_no_such_array_gets_no_address(state: State, wrong: dict[str, np.ndarray]):
    (name,) = wrong
    with pytest.raises(TypeError, match=name):
        table_of(state._replace(**wrong))
