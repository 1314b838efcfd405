"""Oracles of the workloads for chips of clusters, in f64 and whole matrices at once."""

from __future__ import annotations

from machines.later import Later
from sim.oracles.registry import Array, FloatGrid, Floats, oracle

np = Later("numpy")

EPSILON = 1e-5
"""Added to a variance, lest the root be of 0."""


@oracle("row_maxima")
def row_maxima(x: FloatGrid) -> Array:
    """The largest element of every row."""
    return np.sort(x, axis=1)[:, -1]


@oracle("softmax")
def softmax(x: FloatGrid) -> Array:
    """Of every row: e to the power of each element, in parts of their sum."""
    powers = np.exp(x.astype(np.float64))
    return powers / powers.sum(axis=1, keepdims=True)


@oracle("layer_norm")
def layer_norm(x: FloatGrid, scale: Floats, shift: Floats) -> Array:
    """Every row less its mean, by its standard deviation, times `scale` and plus `shift`."""
    rows = x.astype(np.float64)
    deviation = np.sqrt(rows.var(axis=1, keepdims=True) + EPSILON)
    return (rows - rows.mean(axis=1, keepdims=True)) / deviation * scale + shift


@oracle("attention")
def attention(queries: FloatGrid, keys: FloatGrid, values: FloatGrid) -> Array:
    """softmax(Q · Kᵀ / √d) · V."""
    wide = queries.astype(np.float64)
    scores = wide @ keys.astype(np.float64).T / np.sqrt(queries.shape[1])
    return softmax(scores) @ values.astype(np.float64)
