"""What is said of several elements together is what is said of each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from machines.array_fields import I64, U8
from sim.cores.addresses import table_of
from sim.cores.host import HOST_LINE
from sim.cores.machine_code import COMPILER, Text, load_code

SOURCE = """
from sim.cores.jit import entry_point
from sim.cores.tables import view_of
from sim.cores.together import equal_bytes, least_above, up_to, with_any_of
from tests.sim.test_together import State

view = view_of(State)


@entry_point
def up_to_here(table, first, number):
    return up_to(view(table).words, first, number)


@entry_point
def with_any(table, first, number):
    return with_any_of(view(table).words, first, number)


@entry_point
def least(table, first, number):
    return least_above(view(table).words, first, number)


@entry_point
def equal(table, first, number):
    return equal_bytes(view(table).bytes, first, number)
"""
FILES = (*COMPILER, "sim.cores.together", __name__)
"""What is compiled: where one says something else it is compiled anew."""
LARGEST, SMALLEST = (1 << 63) - 1, -(1 << 63)
NUMBERS = (SMALLEST, -5, -1, 0, 1, 6, 1 << 40, LARGEST)
EDGES = (*NUMBERS, 2, 3, -2, 1 << 50)
"""Elements and numbers are taken from few, so that some are equal."""


class State(NamedTuple):
    words: I64
    bytes: U8


def call(name: str, state: State, *numbers: int) -> int:
    code = load_code("test", "a test", "test_together", lambda: Text(SOURCE, FILES))
    return code[name](table_of(state), *numbers)


def bits(of: list[bool]) -> int:
    return sum(1 << k for k, one in enumerate(of) if one)


@pytest.mark.parametrize("seed", range(40))
def test_of_each_element(seed: int):
    random = np.random.default_rng(seed)
    words = random.choice(np.array(EDGES, dtype=np.int64), 3 * HOST_LINE)
    state = State(words, random.integers(0, 4, 80).astype(np.uint8))
    first, number = int(random.integers(0, 2 * HOST_LINE)), int(random.choice(NUMBERS))
    line = words[first : first + HOST_LINE].tolist()
    assert call("up_to_here", state, first, number) == bits([one <= number for one in line])
    assert call("with_any", state, first, number) == bits([one & number != 0 for one in line])
    above = [one for one in line if one > number]
    assert call("least", state, first, number) == min(above, default=LARGEST)
    byte = int(random.integers(0, 4))
    there = state.bytes[first : first + 32].tolist()
    assert call("equal", state, first, byte) == bits([one == byte for one in there])
