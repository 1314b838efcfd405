"""Twenty kernels as Triton 3.6 compiled them for an H100, of which times are known: their first
blocks, held to numpy.

Products of f16, bf16, tf32 and e4m3 by `wgmma` and one by `mma.sync`, attention, softmax, layer
norm and gelu, at the sizes that were measured; no block depends on how many others there are.
"""

from __future__ import annotations

import json
import math
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import sim
from tests.corpus.keeping import normals, raw, wide

KEPT = Path(__file__).with_name("measured_triton.tar.xz")
TYPES = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "tf32": np.float32,
    "e4m3": ml_dtypes.float8_e4m3fn,
}  # fmt: skip
IN_EVERY_RUN = ("matmul_f16_512", "norm_4096_1000")
ROWS = 4


@cache
def files() -> dict[str, bytes]:
    with tarfile.open(KEPT) as archive:
        return {one.name: archive.extractfile(one).read() for one in archive.getmembers()}


KERNELS = json.loads(files()["triton.json"])["kernels"]


def run(name: str, grid: list[int], **arrays: np.ndarray) -> sim.Result:
    """The kernel on the first blocks of its grid, with its own scalars."""
    facts = KERNELS[name]
    listed = [*arrays, *facts["scalars"], None, None]
    launch = {"kernel": facts["kernel"], "grid": grid, "block": [facts["threads"]],
              "shared": f"{facts['shared']} B", "arguments": listed}  # fmt: skip
    described = {"workload": name, "program": "k.ptx", "machine": "h200", "launch": launch}
    given = {key: raw(one) for key, one in arrays.items()}
    result = sim.run({**described, "arguments": given}, source=files()[f"{name}.ptx"].decode())
    assert result.status == "done"
    return result


def cut(array: np.ndarray) -> np.ndarray:
    """What `wgmma` sees of f32 as tf32: the upper 19 bits."""
    return (array.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


def product(name: str) -> tuple[np.ndarray, np.ndarray, float]:
    """The first tile of a product: got, expected, and how far they may be apart."""
    facts = KERNELS[name]
    type, extent = name.split("_")[1], facts["tensors"][0][1][0]
    a, b = (normals(extent, extent, seed=seed, dt=TYPES[type]) for seed in (1, 2))
    rows, columns = facts["constants"]["BM"], facts["constants"]["BN"]
    outputs = run(name, [1, 1], a=a, b=b, c=np.zeros((extent, extent), np.float32)).outputs
    seen = (cut(a), cut(b)) if type == "tf32" else (a, b)
    expected = wide(seen[0][:rows]) @ wide(seen[1][:, :columns])
    apart = {"e4m3": 3e-4 * extent, "tf32": 3e-3}.get(type, 1e-3)
    return outputs["c"].reshape(extent, extent)[:rows, :columns], expected, apart


def attention(name: str) -> tuple[np.ndarray, np.ndarray, float]:
    _, extent, wide_of_head = KERNELS[name]["tensors"][0][1]
    q, k, v = (normals(extent, wide_of_head, seed=seed, dt=np.float16) for seed in (1, 2, 3))
    outputs = run(name, [1, 1], q=q, k=k, v=v, o=np.zeros_like(q)).outputs
    rows = KERNELS[name]["constants"]["BM"]
    scores = wide(q[:rows]) @ wide(k).T * 0.125
    weights = np.exp(scores - scores.max(1, keepdims=True))
    expected = weights / weights.sum(1, keepdims=True) @ wide(v)
    got = outputs["o"].astype(np.uint16).view(np.float16).reshape(q.shape)[:rows]
    return wide(got), expected, 2e-3


def rowwise(name: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Softmax or layer norm of a few rows."""
    columns = KERNELS[name]["tensors"][0][1][1]
    x, w = normals(ROWS, columns), normals(columns, seed=2)
    given: dict[str, Any] = {"x": x} | ({"w": w} if name.startswith("norm") else {})
    got = run(name, [ROWS], **given, y=np.zeros_like(x)).outputs["y"].reshape(x.shape)
    value = wide(x)
    if name.startswith("softmax"):
        expected = np.exp(value) / np.exp(value).sum(1, keepdims=True)
        return got, expected, 1e-7
    apart = np.sqrt(value.var(1, keepdims=True) + 1e-5)
    return got, (value - value.mean(1, keepdims=True)) / apart * w, 1e-4


def gelu(name: str) -> tuple[np.ndarray, np.ndarray, float]:
    x = normals(2 * KERNELS[name]["constants"]["BLOCK"])
    got = run(name, [2], x=x, y=np.zeros_like(x)).outputs["y"]
    expected = [0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x.tolist()]
    return got, np.array(expected), 1e-6


JUDGES = {
    "matmul": product, "attention": attention, "softmax": rowwise, "norm": rowwise, "gelu": gelu,
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in IN_EVERY_RUN else pytest.mark.campaign)
        for name in sorted(KERNELS)
    ],
)
def test_the_first_blocks_are_right(name: str):
    got, expected, apart = JUDGES[name.partition("_")[0]](name)
    assert np.abs(got - expected).max() <= apart


def test_there_are_twenty():
    assert len(KERNELS) == 20
