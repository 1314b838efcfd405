"""The tiles that an H100 SXM (driver 580.159, CUDA 13.0) multiplied on 2026-11-27, made again.

The measuring programs drew them from an xorshift generator, type after type; here it is the same,
so that only digests of what came out have to be kept (`measured_tiles.json`).  Of a quarter of the
tiles each: any bits, exponents near 1, exponents far apart, and chosen numbers with accumulators
that are mostly 0.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

import numpy as np
from numba import njit

DIGESTS = json.loads(Path(__file__).with_name("measured_tiles.json").read_text())
"""SHA-256 of the words of all results of a type, lane by lane: {"mma": {type: …}, "wgmma": …}."""
MMA_TYPES = ("f16", "bf16", "tf32", "e4m3", "e5m2", "f16 accumulators")
WGMMA_TYPES = ("f16", "bf16", "tf32", "e4m3", "e5m2")
MMA_TILES, WGMMA_TILES = 500, 300
_SEED = np.uint64(88172645463325252)
_CHOSEN = np.array(
    [0, 0x3C00, 0x4000, 0x4200, 0x4400, 0xBC00, 0xC000, 0x0001, 0x8000], dtype=np.int64
)
_BITS = np.array([16, 16, 32, 8, 8, 16], dtype=np.int64)
_BIAS = np.array([15, 127, 127, 7, 15, 15], dtype=np.int64)
_FRACTION = np.array([10, 7, 23, 3, 2, 10], dtype=np.int64)


@njit
def _draw(state):
    s = state[0]
    s ^= s << np.uint64(13)
    s ^= s >> np.uint64(7)
    s ^= s << np.uint64(17)
    state[0] = s
    return np.int64((s >> np.uint64(16)) & np.uint64(0xFFFFFFFF))


@njit
def _near_or_far(state, mode, near, spread, far, far_spread):
    """An exponent of mode 1 or 2."""
    if mode == 1:
        return near + _draw(state) % spread
    return far + _draw(state) % far_spread


@njit
def _mma_word(state, kind, mode):
    word, bits = np.int64(0), _BITS[kind]
    for k in range(32 // bits):
        v = _draw(state)
        if kind == 0 or kind == 5:
            if mode == 1 or mode == 2:
                e = _near_or_far(state, mode, 14, 3, 0, 31)
            else:
                e = 0 if mode == 3 else _draw(state) % 32
            v = (v & 0x83FF) | e << 10
            if mode == 3:
                v = _CHOSEN[_draw(state) % 9]
        elif kind == 1 or kind == 2:
            if mode == 1 or mode == 2:
                e = _near_or_far(state, mode, 126, 3, 100, 56)
            else:
                e = 127 if mode == 3 else _draw(state) % 256
            v = (v & (0x807F if kind == 1 else 0x807FFFFF)) | e << _FRACTION[kind]
            if kind == 2 and mode != 0:
                v &= 0xFFFFE000
        else:
            v &= 0xFF
            if mode:
                if mode == 3:
                    e = _BIAS[kind]
                else:
                    e = _near_or_far(state, mode, _BIAS[kind] - 1, 3, 0, 15 if kind == 3 else 31)
                v = (v & (0x87 if kind == 3 else 0x83)) | e << _FRACTION[kind]
        word |= (v & ((1 << bits) - 1)) << (k * bits)
    return word


@njit
def _mma_accumulator(state, kind, mode):
    if kind == 5:
        return _mma_word(state, 0, mode)
    if mode == 1 or mode == 2:
        e = _near_or_far(state, mode, 126, 6, 90, 70)
    else:
        e = 0 if mode == 3 else _draw(state) % 256
    v = (_draw(state) & 0x807FFFFF) | e << 23
    if mode == 3:
        v = 0 if _draw(state) % 2 else 0x3F800000
    return v


@njit
def _mma_inputs(state, kind, tiles):
    found = np.empty((tiles, 32, 10), np.uint32)
    for t in range(tiles):
        for lane in range(32):
            for k in range(10):
                mode = t * 4 // tiles
                if k < 6:
                    found[t, lane, k] = _mma_word(state, kind, mode)
                else:
                    found[t, lane, k] = _mma_accumulator(state, kind, mode)
    return found


@cache
def mma_inputs() -> dict[str, np.ndarray]:
    """By type uint32[tiles, lanes, words]: A 4, B 2, C 4 (of halves the first 2 count)."""
    state = np.array([_SEED])
    return {name: _mma_inputs(state, kind, MMA_TILES) for kind, name in enumerate(MMA_TYPES)}


@njit
def _wgmma_word(state, kind, mode):
    word, bits = np.int64(0), _BITS[kind]
    for k in range(32 // bits):
        v = _draw(state)
        if kind == 0:
            e = _near_or_far(state, 1 if mode == 1 else 2, 14, 3, 0, 31)
            v = (v & 0x83FF) | e << 10
        elif kind == 1 or kind == 2:
            if mode == 1 or mode == 2:
                e = _near_or_far(state, mode, 126, 3, 100, 56)
            else:
                e = 120 + _draw(state) % 16
            v = (v & (0x807F if kind == 1 else 0x807FE000)) | e << _FRACTION[kind]
        else:
            e = _near_or_far(
                state, 1 if mode == 1 else 2, _BIAS[kind] - 1, 3, 0, 15 if kind == 3 else 31
            )
            v = (v & (0x87 if kind == 3 else 0x83)) | e << _FRACTION[kind]
        word |= (v & ((1 << bits) - 1)) << (k * bits)
    return word


@njit
def _wgmma_accumulator(state, mode):
    if mode == 1 or mode == 2:
        e = _near_or_far(state, mode, 126, 6, 100, 56)
    else:
        e = 0 if mode == 3 else 118 + _draw(state) % 20
    v = (_draw(state) & 0x807FFFFF) | e << 23
    return 0 if mode == 3 else v


@njit
def _wgmma_inputs(state, kind, tiles):
    a = np.empty((tiles, 512), np.uint32)
    b = np.empty((tiles, 64), np.uint32)
    c = np.empty((tiles, 512), np.uint32)
    for t in range(tiles):
        mode = t * 4 // tiles
        for i in range(512):
            a[t, i] = _wgmma_word(state, kind, mode)
            c[t, i] = _wgmma_accumulator(state, mode)
        for i in range(64):
            b[t, i] = _wgmma_word(state, kind, mode)
    return a, b, c


@cache
def wgmma_inputs() -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """By type A uint32[tiles, 128, 4], B uint32[tiles, 64] as it lies in shared memory, C as A."""
    state, found = np.array([_SEED]), {}
    for kind, name in enumerate(WGMMA_TYPES):
        a, b, c = _wgmma_inputs(state, kind, WGMMA_TILES)
        found[name] = a.reshape(-1, 128, 4), b, c.reshape(-1, 128, 4)
    return found


def digest(words: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(words, "<u4").tobytes()).hexdigest()
