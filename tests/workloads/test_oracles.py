"""The oracles that are not a library's own function give values worked out by hand."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from sim.oracles.registry import Takes, built_in, oracle, parameters

ORACLES = built_in()


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def test_crc32_check_value():
    """0xCBF43926 is the check value that every description of this CRC gives for '123456789'."""
    assert ORACLES["crc32"](_bytes("123456789")) == 0xCBF43926


def test_sha256_of_abc():
    """The example of FIPS 180-4."""
    words = ORACLES["sha256"](_bytes("abc"))
    assert [f"{word:08x}" for word in words] == [
        "ba7816bf", "8f01cfea", "414140de", "5dae2223", "b00361a3", "96177a9c", "b410ff61",
        "f20015ad",
    ]  # fmt: skip


def test_prime_flags():
    flags = ORACLES["sieve"](np.zeros(30, dtype=np.uint8))
    assert np.flatnonzero(flags).tolist() == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    assert flags.dtype == np.uint8
    assert ORACLES["sieve_count"](np.zeros(1000, dtype=np.uint8)) == 168


@pytest.mark.parametrize("run, digits", [(1, [0]), (2, [1]), (3, [0, 0]), (4, [1, 0]), (5, [0, 1])])
def test_runs_in_bijective_base_2(run: int, digits: list[int]):
    """A run of the front byte: digit 0 counts 1, digit 1 counts 2, the k-th digit times 2^k."""
    coded = ORACLES["move_to_front_rle"](_bytes("a" * run), np.full(8, 99, dtype=np.uint16))
    assert coded.tolist()[: len(digits) + 1] == [*digits, 2]  # one byte occurs: end of block is 2
    assert set(coded.tolist()[len(digits) + 1 :]) == {99}


def test_move_to_front():
    """'abn' in front order; b is at 1, a at 1, n at 2, a at 1, n at 1, a at 1, then the end, 4."""
    coded = ORACLES["move_to_front_rle"](_bytes("banana"), np.zeros(7, dtype=np.uint16))
    assert coded.tolist() == [2, 2, 3, 2, 2, 2, 4]
    assert ORACLES["move_to_front_rle_length"](_bytes("banana")) == 7


@pytest.mark.parametrize(
    "a, b, distance",
    [("kitten ", "sitting", 3), ("same", "same", 0), ("abcd", "bcde", 2), ("aaaa", "bbbb", 4)],
)
def test_edit_distance(a: str, b: str, distance: int):
    assert ORACLES["levenshtein"](_bytes(a + b), 0, len(a), len(a)) == distance


def test_mandelbrot_counts():
    """c = -2, -1 and 0 never escape; c = 1 goes 0, 1, 2, 5: three values with |z| ≤ 2."""
    counts = ORACLES["mandelbrot"](np.zeros((1, 4), dtype=np.int32), -2.0, 0.0, 1.0, 50)
    assert counts.tolist() == [[50, 50, 50, 3]]


def test_pointer_chase():
    """The ring 0 → 2 → 3 → 0; place 1 is not on it."""
    ring = np.array([2, 1, 3, 0])
    assert [ORACLES["pointer_chase"](ring, hops) for hops in range(7)] == [0, 2, 3, 0, 2, 3, 0]
    with pytest.raises(ValueError, match="place 0 is not on a ring"):
        ORACLES["pointer_chase"](np.array([1, 2, 1]), 1)


def test_stencil_keeps_the_border_and_averages():
    grid = np.zeros((3, 4))
    grid[0, 1], grid[1, 2] = 8.0, 4.0
    assert ORACLES["stencil"](grid, 1).tolist() == [[0, 8, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]]


def test_fourier_of_an_impulse_is_flat():
    signal = np.zeros((8, 2))
    signal[0, 1] = 2.0
    assert np.array_equal(ORACLES["fft"](signal), np.tile([0.0, 2.0], (8, 1)))


def test_two_bodies_fall_towards_each_other():
    """Distance 2, masses 8 and 4: accelerations 4/4 and 8/4; a step of 0.5.

    The tiny softening keeps a body's own pull 0 instead of 0/0.
    """
    inputs = (np.array([[0.0, 0, 0], [2.0, 0, 0]]), np.zeros((2, 3)), np.array([8.0, 4.0]))
    velocity = ORACLES["nbody_velocity"](*inputs, 0.5, 1e-30)
    position = ORACLES["nbody_position"](*inputs, 0.5, 1e-30)
    assert velocity[:, 0].tolist() == [0.5, -1.0]
    assert position[:, 0].tolist() == [0.25, 1.5]


def test_a_name_is_given_once():
    with pytest.raises(ValueError, match="'crc32' is declared twice"):
        oracle("crc32")(lambda: 0)


@pytest.mark.parametrize("name", ORACLES)
def test_every_oracle_says_what_it_takes(name: str):
    taken = parameters(ORACLES[name])
    assert list(taken) == list(inspect.signature(ORACLES[name]).parameters)
    assert all(isinstance(takes, Takes) for takes in taken.values())


def test_counts_do_not_wrap_to_the_type_of_the_array():
    counts = ORACLES["mandelbrot"](np.zeros((1, 1), dtype=np.int8), 0.0, 0.0, 1.0, 200)
    assert counts.tolist() == [[200]]
    every_byte = np.arange(256, dtype=np.uint8)
    coded = ORACLES["move_to_front_rle"](every_byte, np.zeros(256 + 1, dtype=np.uint8))
    assert coded[-1] == 257
