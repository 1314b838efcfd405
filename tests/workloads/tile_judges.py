"""What the programs in workloads/chip/tiles leave, by numpy: float64 but for whole numbers.

Each function has the program's name, takes its buffers by name, and gives those that it writes.
"""

from __future__ import annotations

import math

import numpy as np

Arrays = dict[str, np.ndarray]


def elementwise(x, y, z, d) -> Arrays:
    return {"d": np.maximum(x * y + z, 0)}


def gemv(a, x, y) -> Arrays:
    return {"y": a @ x}


def gemm(a, b, c) -> Arrays:
    return {"c": a @ b}


def quantized(a, b, y) -> Arrays:
    sums = a.astype(int) @ b.astype(int)
    return {"y": np.clip(np.rint(np.clip(sums / 64, -127, 127)), -128, 127)}


def transpose(x, y) -> Arrays:
    return {"y": x.T}


def batched(a, b, y) -> Arrays:
    return {"y": a @ b}


def reductions(x, sums, most, where) -> Arrays:
    return {"sums": x.sum(1), "most": x.max(1), "where": x.argmax(1)}


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def softmax(x, y) -> Arrays:
    return {"y": _softmax(x)}


def log_softmax(x, y) -> Arrays:
    return {"y": np.log(_softmax(x))}


def _norm(x: np.ndarray, scale: np.ndarray, shift: np.ndarray | float = 0.0, mean=True):
    x = x - x.mean(-1, keepdims=True) if mean else x
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale + shift


def layer_norm(x, y, scale, shift) -> Arrays:
    return {"y": _norm(x, scale, shift)}


def rms_norm(x, y, scale) -> Arrays:
    return {"y": _norm(x, scale, mean=False)}


def batch_norm(x, y, scale, shift) -> Arrays:
    return {"y": np.maximum(x * scale + shift, 0)}


def _gelu(x: np.ndarray) -> np.ndarray:
    return x / 2 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def perceptron(x, y, w1, b1, w2, b2) -> Arrays:
    return {"y": _gelu(x @ w1 + b1) @ w2 + b2}


def _attention(q, k, v, factor: float) -> np.ndarray:
    return _softmax(q @ k.T * factor) @ v


def attention(q, k, v, y) -> Arrays:
    return {"y": _attention(q, k, v, 0.25)}


def heads(q, k, v, y) -> Arrays:
    cut = [slice(h, h + 8) for h in range(0, 32, 8)]
    parts = [_attention(q[:, s], k[:, s], v[:, s], 8**-0.5) for s in cut]
    return {"y": np.concatenate(parts, 1)}


def encoder(x, wq, wk, wv, wo, w1, b1, w2, b2, scale, shift, **_) -> Arrays:
    keys, values = x @ wk, x @ wv
    mixed = _norm(x + _attention(x @ wq, keys, values, 0.25) @ wo, scale, shift)
    y = _norm(mixed + perceptron(mixed, None, w1, b1, w2, b2)["y"], scale, shift)
    return {"keys": keys, "values": values, "y": y}


def _conv(x, k, b, stride=1, border=0, apart=1) -> np.ndarray:
    """Of images [n, h, w, ci]; of kernels [co, kh, kw, ci / groups]."""
    co, kh, kw, part = k.shape
    x = np.pad(x, ((0, 0), (border,) * 2, (border,) * 2, (0, 0)))
    reach = [apart * (size - 1) + 1 for size in (kh, kw)]
    seen = np.lib.stride_tricks.sliding_window_view(x, reach, (1, 2))
    seen = seen[:, ::stride, ::stride, :, ::apart, ::apart]
    groups = x.shape[-1] // part
    of = co // groups
    parts = [
        np.einsum("nyxcij,oijc->nyxo", seen[:, :, :, g * part :][:, :, :, :part], k[g * of :][:of])
        for g in range(groups)
    ]
    return np.concatenate(parts, -1) + b


def convolution(x, k, b, y) -> Arrays:
    return {"y": np.maximum(_conv(x, k, b, border=1), 0)}


def separable(x, y, k1, b1, k2, b2) -> Arrays:
    h = np.maximum(_conv(x, k1, b1, stride=2, border=1), 0)
    return {"y": np.maximum(_conv(h, k2, b2), 0)}


def bottleneck(x, y, k1, b1, k2, b2, k3, b3) -> Arrays:
    h = np.maximum(_conv(x, k1, b1), 0)
    h = np.maximum(_conv(h, k2, b2, border=1), 0)
    return {"y": np.maximum(_conv(h, k3, b3) + x, 0)}


def dilated(x, y, k, b) -> Arrays:
    return {"y": sum(_conv(x, k[n], b[n], border=n + 1, apart=n + 1) for n in range(3))}


def pooling(x, y) -> Arrays:
    x = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), constant_values=-np.inf)
    seen = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))
    return {"y": seen[:, ::2, ::2].max((-1, -2))}


def classifier(x, w, b, y) -> Arrays:
    return {"y": _softmax(x.mean((1, 2)) @ w + b)}


def histogram(x, parts, y) -> Arrays:
    found = (x[:, :, None] == np.arange(16)).sum(1)
    return {"parts": found, "y": found.sum(0)}


def embedding(tokens, table, positions, y) -> Arrays:
    known = (tokens >= 0) & (tokens < 32)
    return {"y": np.where(known[:, None], table[np.clip(tokens, 0, 31)], 0) + positions}


def stencil(a, b) -> Arrays:
    a, b = a.copy(), b.copy()
    for old, new in ((a, b), (b, a)) * 2:
        new[1:-1, 1:-1] = (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]) / 4
    return {"a": a, "b": b}


def fourier(xr, xi, wr, wi) -> Arrays:
    found = np.fft.fft(xr + 1j * xi)
    return {"xr": found.real, "xi": found.imag}
