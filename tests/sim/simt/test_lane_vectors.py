"""Lanes that are moved together move as each of them would by itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from machines.array_fields import I64, U32, U64
from sim.cores.addresses import table_of
from sim.cores.machine_code import COMPILER, Text, load_code
from sim.cores.simt.host.lane_vectors import AT_ONCE

SOURCE = """
from sim.cores.jit import entry_point
from sim.cores.simt.host.lane_merges import merge_b32, merge_b64, spread_b32
from sim.cores.simt.host.lane_vectors import (
    gather_words, gather_words_at, scatter_words, scatter_words_at,
)
from sim.cores.simt.host.lane_words import address_of
from sim.cores.tables import view_of
from tests.sim.simt.test_lane_vectors import State

view = view_of(State)


@entry_point
def merge_words(table, mask, width):
    state = view(table)
    merge_b32(address_of(state.register), address_of(state.fresh), mask, width)
    return 0


@entry_point
def merge_pairs(table, mask, width):
    state = view(table)
    merge_b64(address_of(state.register), address_of(state.pairs), mask, width)
    return 0


@entry_point
def spread(table, value, mask, width):
    spread_b32(address_of(view(table).register), value, mask, width)
    return 0
"""
MOVE = """

@entry_point
def {name}(table, first):
    state = view(table)
    memory, register = address_of(state.memory), address_of(state.register)
    {function}(memory, address_of(state.{offsets}), register, first)
    return 0
"""
MOVES = [
    MOVE.format(name=f"{move}{at}", function=f"{move}_words{at}", offsets=offsets)
    for move in ("gather", "scatter")
    for at, offsets in (("", "offsets"), ("_at", "wide_offsets"))
]
TEXT = SOURCE + "".join(MOVES)
FILES = (
    *COMPILER,
    *(f"sim.cores.simt.host.{name}" for name in ("lane_merges", "lane_vectors", "lane_words")),
    __name__,
)
"""What is compiled: where one says something else it is compiled anew."""
LANES = 64
ODD = (0, 1, AT_ONCE // 2, AT_ONCE - 1)


class State(NamedTuple):
    register: U32
    fresh: U32
    pairs: U64
    memory: U32
    offsets: U32
    wide_offsets: I64


def call(name: str, state: State, *numbers: int) -> None:
    code = load_code("test", "a test", "test_lane_vectors", lambda: Text(TEXT, FILES))
    code[name](table_of(state), *numbers)


def offsets_of(random: np.random.Generator, how: str, odd: int) -> np.ndarray:
    """Bytes from the beginning of the memory, of 64 lanes; `odd`: which one of a few is apart."""
    words = random.integers(0, 100, LANES)
    first = int(random.integers(0, 60))
    if how == "that follow each other":
        words = first + np.arange(LANES)
    elif how == "that are one":
        words = np.full(LANES, first)
    elif how == "that nearly follow each other":
        words = first + np.arange(LANES)
        words[odd::AT_ONCE] += 1
    elif how == "that nearly are one":
        words = np.full(LANES, first)
        words[odd::AT_ONCE] += 1
    elif how == "backwards":
        words = first + LANES - np.arange(LANES)
    elif how == "every second":
        words = 2 * np.arange(LANES)
    return words * 4


HOW = (
    "anywhere", "that follow each other", "that are one", "that nearly follow each other",
    "that nearly are one", "backwards", "every second",
)  # fmt: skip


def state_of(seed: int, how: str = "anywhere") -> tuple[State, np.random.Generator]:
    random = np.random.default_rng(seed)
    offsets = offsets_of(random, how, ODD[seed % len(ODD)])
    largest = 1 << 32
    return State(
        register=random.integers(0, largest, 2 * LANES).astype(np.uint32),
        fresh=random.integers(0, largest, LANES).astype(np.uint32),
        pairs=random.integers(0, 1 << 64, LANES, dtype=np.uint64),
        memory=random.integers(0, largest, 4 * LANES).astype(np.uint32),
        offsets=offsets.astype(np.uint32),
        wide_offsets=offsets.astype(np.int64),
    ), random


def mask_of(random: np.random.Generator, width: int) -> int:
    """Any lanes, often all and sometimes none; lane 63 is the sign."""
    every = (1 << width) - 1
    mask = [every, 0, int(random.integers(0, 1 << 64, dtype=np.uint64)) & every][
        int(random.choice(3, p=(0.3, 0.1, 0.6)))
    ]
    return mask - (1 << 64) if mask >> 63 else mask


@pytest.mark.parametrize("width", [4, 8, 16, 32, 64])
@pytest.mark.parametrize("seed", range(8))
def test_results_go_into_the_lanes_of_the_mask(seed: int, width: int):
    state, random = state_of(seed)
    mask, value = mask_of(random, width), int(random.integers(0, 1 << 62))
    before = state.register.copy()
    lanes = [lane for lane in range(width) if mask >> lane & 1]
    wanted = before.copy()
    wanted[lanes] = state.fresh[lanes]
    call("merge_words", state, mask, width)
    assert (state.register == wanted).all()

    wanted[lanes] = (state.pairs[lanes] & 0xFFFF_FFFF).astype(np.uint32)
    wanted[[width + lane for lane in lanes]] = (state.pairs[lanes] >> 32).astype(np.uint32)
    call("merge_pairs", state, mask, width)
    assert (state.register == wanted).all()

    wanted[lanes] = value & 0xFFFF_FFFF
    call("spread", state, value, mask, width)
    assert (state.register == wanted).all()


@pytest.mark.parametrize("name", ["gather", "gather_at"])
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("seed", range(4))
def test_lanes_get_the_words_that_they_want(seed: int, how: str, name: str):
    state, random = state_of(seed, how)
    first = AT_ONCE * int(random.integers(0, LANES // AT_ONCE))
    wanted, memory = state.register.copy(), state.memory.copy()
    lanes = slice(first, first + AT_ONCE)
    wanted[lanes] = memory[state.offsets[lanes] // 4]
    call(name, state, first)
    assert (state.register == wanted).all()
    assert (state.memory == memory).all()


@pytest.mark.parametrize("name", ["scatter", "scatter_at"])
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("seed", range(4))
def test_of_lanes_that_meet_the_last_one_stays(seed: int, how: str, name: str):
    state, random = state_of(seed, how)
    first = AT_ONCE * int(random.integers(0, LANES // AT_ONCE))
    wanted, register = state.memory.copy(), state.register.copy()
    for lane in range(first, first + AT_ONCE):
        wanted[state.offsets[lane] // 4] = register[lane]
    call(name, state, first)
    assert (state.memory == wanted).all()
    assert (state.register == register).all()
