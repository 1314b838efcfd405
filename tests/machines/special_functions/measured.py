"""What an H100 returned (README.md): inputs and outputs as u32 bits."""

from __future__ import annotations

import hashlib
import json
import lzma
from functools import cache
from pathlib import Path

import numpy as np
from numba import njit

HERE = Path(__file__).parent
RANGES = json.loads((HERE / "ranges.json").read_text())
QUOTIENTS = json.loads((HERE / "quotients.json").read_text())
INSTRUCTIONS = (
    *(
        f"{name}.approx{suffix}.f32"
        for name in ("rcp", "rsqrt", "sqrt", "ex2", "lg2", "sin", "cos")
        for suffix in ("", ".ftz")
    ),
    "tanh.approx.f32",
)
MANTISSAS = (
    0, 1, 2, 3, 0x7FFFFF, 0x7FFFFE, 0x400000, 0x3FFFFF, 0x555555, 0x2AAAAA, 0x123456, 0x076543,
    0x490FDB, 0x35C28F, 0x6A09E6, 0x3504F3,
)  # fmt: skip
STEP = 8191
"""Of the inputs of a range, every so manyth is in the sample."""
HALF, WHOLE = 1 << 19, 1 << 20
"""Quotients: all, and those of operands near 1."""


def single_inputs() -> np.ndarray:
    """The inputs that each instruction got."""
    fields = np.arange(512, dtype=np.uint32)[:, None] << 23
    return (fields | np.array(MANTISSAS, np.uint32)).ravel()


def single_outputs() -> dict[str, np.ndarray]:
    """What each instruction gave for them."""
    raw = np.frombuffer(lzma.decompress((HERE / "single_values.xz").read_bytes()), np.uint8)
    outputs = raw.reshape(4, -1).T.copy().view("<u4").reshape(len(INSTRUCTIONS), -1)
    positive = outputs.shape[1] // 2
    outputs[:, positive:] ^= outputs[:, :positive]
    outputs[1::2] ^= outputs[:-1:2]
    return dict(zip(INSTRUCTIONS, outputs, strict=True))


def range_inputs(name: str, step: int = 1) -> np.ndarray:
    """The inputs of a range."""
    first = int(RANGES[name]["first"], 16)
    return np.arange(first, first + (1 << 23), step, dtype=np.int64)


@cache
def quotient_operands() -> tuple[np.ndarray, np.ndarray]:
    """Dividends and divisors: the first half with exponents from -27 to 36."""
    words = np.empty(2 * WHOLE, np.uint32)
    _draw(words)
    operands = words.reshape(-1, 2).T.copy()
    near = operands[:, :HALF]
    near[:] = near & 0x807FFFFF | (100 + (near >> 23 & 63)) << 23
    return operands[0], operands[1]


@njit
def _draw(words):
    word = 2463534242
    for k in range(words.size):
        word ^= word << 13 & 0xFFFFFFFF
        word ^= word >> 17
        word ^= word << 5 & 0xFFFFFFFF
        words[k] = word


def digest(outputs: np.ndarray) -> str:
    """SHA-256 of outputs as they are kept."""
    return hashlib.sha256(outputs.astype("<u4").tobytes()).hexdigest()
