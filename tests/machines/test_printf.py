"""printf's texts beside those of the C library."""

from __future__ import annotations

import ctypes
import math
import random
import struct

import pytest

from machines import printf
from tests.campaign.seeds import short_form

LIBRARY = ctypes.CDLL(None)
TEXT = b"a text of the caller"
FLOATS = [0.0, -0.0, 1.0, math.inf, -math.inf, math.nan, 5e-324, 1e-310, 0.5, 2.5, 1e16, 123456.5]
INTEGERS = [0, 1, (1 << 64) - 1, 1 << 63, 1 << 31, 255, 128, 0x7FFF_FFFF]
ONLY_TEXT = "csp"
"""Letters of which C leaves the flags but '-' undefined."""


def conversion(rng: random.Random) -> tuple[bytes, bytes, object]:
    """A format with one conversion, its argument's bytes, and the argument as C is given it."""
    letter = rng.choice("diouxXeEfFgGaAcsp")
    flags = "".join(rng.sample("-+ #0", rng.randint(0, 3)))
    if letter in ONLY_TEXT:
        flags = "-" * ("-" in flags)
    width = rng.choice(["", "", "5", "12", "30"])
    precision = rng.choice(["", "", "", ".", ".0", ".1", ".3", ".12", ".20"])
    if letter in "cp":
        precision = ""
    size = rng.choice(["", "", "l", "ll", "h", "hh"]) if letter in "diouxX" else ""
    format = f"<%{flags}{width}{precision}{size}{letter}>".encode()
    if letter in "diouxX":
        value = rng.choice([*INTEGERS, rng.getrandbits(64), rng.getrandbits(31)])
        if "l" in size:
            return format, value.to_bytes(8, "little"), ctypes.c_uint64(value)
        value &= 0xFFFF_FFFF
        return format, value.to_bytes(4, "little"), ctypes.c_uint32(value)
    if letter in "eEfFgGaA":
        some = struct.unpack("<d", rng.getrandbits(64).to_bytes(8, "little"))[0]
        value = rng.choice([*FLOATS, rng.uniform(-1e3, 1e3), some, rng.randint(-100, 100) / 8])
        return format, struct.pack("<d", value), ctypes.c_double(value)
    if letter == "c":
        value = rng.randint(1, 127)
        return format, value.to_bytes(4, "little"), ctypes.c_int(value)
    value = rng.choice([0, rng.getrandbits(48)]) if letter == "p" else 1 << 40
    given = ctypes.c_void_p(value) if letter == "p" else ctypes.c_char_p(TEXT)
    return format, value.to_bytes(8, "little"), given


def of_the_library(format: bytes, *values: object) -> bytes:
    room = ctypes.create_string_buffer(2000)
    length = LIBRARY.snprintf(room, len(room), format, *values)
    assert 0 <= length < len(room)
    return room.raw[:length]


@pytest.mark.parametrize("seed", short_form(range(40), 2))
def test_a_conversion_is_that_of_the_library(seed: int):
    rng = random.Random(seed)
    for _ in range(500):
        format, data, value = conversion(rng)
        assert printf.text(format, data, lambda _: TEXT) == of_the_library(format, value), format


@pytest.mark.parametrize("value", [1.03125, 1.09375, 1.96875, 15.96875, 5e-324])
@pytest.mark.parametrize("format", [b"%.1a", b"%.0a", b"%a", b"%#.0a"])
def test_halves_go_to_the_even_digit(format: bytes, value: float):
    made = printf.text(format, struct.pack("<d", value), lambda _: b"")
    assert made == of_the_library(format, ctypes.c_double(value))


def test_arguments_stand_behind_one_another():
    format = b"%*.*f|%d|%lld|%%|%-*s|%c\n"
    of = printf.parts(format)
    places = [(0, 4), (4, 4), (8, 8), (16, 4), (24, 8), (32, 4), (40, 8), (48, 4)]
    assert printf.arguments(of) == places
    values = [9, 2, 2.675, -7, 1 << 40, -8, 1 << 30, ord("z")]
    data = bytearray(52)
    for (offset, size), value in zip(places, values, strict=True):
        packed = struct.pack("<d", value) if isinstance(value, float) else None
        data[offset : offset + size] = packed or value.to_bytes(size, "little", signed=True)
    given = (
        ctypes.c_int(9), ctypes.c_int(2), ctypes.c_double(2.675), ctypes.c_int(-7),
        ctypes.c_longlong(1 << 40), ctypes.c_int(-8), ctypes.c_char_p(TEXT), ctypes.c_int(122),
    )  # fmt: skip
    assert printf.text(format, bytes(data), lambda _: TEXT) == of_the_library(format, *given)


@pytest.mark.parametrize(
    "format, data, text",
    [
        (b"%y %n %", b"", b"%y %n %"),
        (b"100%%", b"", b"100%"),
        (b"%s", bytes(8), b"(null)"),
        (b"%p", bytes(8), b"(nil)"),
        (b"", b"", b""),
    ],
)
def test_what_is_no_conversion_is_text(format: bytes, data: bytes, text: bytes):
    assert printf.text(format, data, lambda _: TEXT) == text
