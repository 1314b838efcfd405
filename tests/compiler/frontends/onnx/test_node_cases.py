"""Operators one at a time, against what the package onnx says that they give; the whole of its
tests is in the campaign, `python -m tests.compiler.frontends.onnx.node_cases` prints the table."""

from __future__ import annotations

import warnings
from collections import Counter

import pytest

onnx = pytest.importorskip("onnx", minversion="1.23")

from tests.compiler.frontends.onnx.node_cases import cases, cases_of, judged, table  # noqa: E402

SAMPLE = (
    "ArgMax",
    "Cast", "Concat", "Conv", "ConvInteger", "ConvTranspose", "CumSum", "DepthToSpace",
    "DequantizeLinear", "Einsum", "Expand", "Gather", "GatherND", "Gelu", "Gemm",
    "GroupNormalization", "LRN", "LayerNormalization", "MatMul", "Mod", "OneHot", "Pad", "Pow",
    "QLinearConv", "QLinearMatMul", "QuantizeLinear", "ReduceMean", "Resize", "RotaryEmbedding",
    "Scan", "ScatterND", "Slice", "Softmax", "Split", "TensorScatter", "TopK", "Where",
)  # fmt: skip
"""Operators of which every third case is taken."""


@pytest.mark.parametrize("operator", SAMPLE)
def test_sample(operator: str):
    found = [(case.name, judged(case)) for case in cases_of(operator)[::3]]
    assert found
    bad = [pair for pair in found if pair[1].what in ("wrong", "broken")]
    assert not bad, table(bad)
    assert not [v for _, v in found if v.kind in ("malformed", "shape or type")]
    assert all(v.kind not in ("", "unsaid") and "error: " in v.text for _, v in found if v.text)


@pytest.mark.campaign
def test_all():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [(case.name, judged(case)) for case in cases()]
    counts = Counter(verdict.what for _, verdict in found)
    print(table(found))
    assert counts["wrong"] == counts["broken"] == 0, table(found)
    assert counts["equal"] >= 1507, table(found)
    assert all(v.kind not in ("", "unsaid") for _, v in found), table(found)
