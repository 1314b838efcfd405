"""Operators one at a time on chips, against what the package onnx says that they give.  All are in
the campaign; `python -m tests.compiler.frontends.onnx.node_cases_on_chips` prints them."""

from __future__ import annotations

import warnings
from collections import Counter

import pytest

onnx = pytest.importorskip("onnx", minversion="1.23")

from tests.compiler.frontends.onnx.node_cases import cases, cases_of, table  # noqa: E402
from tests.compiler.frontends.onnx.node_cases_on_chips import judged_on  # noqa: E402

SAMPLE = {
    "mlu370": (
        "AveragePool", "Concat", "Conv", "ConvTranspose", "CumSum", "Gather", "Gelu", "Gemm",
        "GroupNormalization", "LayerNormalization", "MatMul", "Pad", "ReduceMean", "Resize",
        "ScatterND", "Softmax", "TopK", "Transpose",
    ),
    "mlu270": ("Add", "MatMulInteger", "QLinearConv"),
    "teaching_chip": ("MaxPool", "Where"),
    "systolic_32": ("ArgMax", "Slice"),
}  # fmt: skip
"""Operators of which a case is run."""
CAMPAIGN = {
    "mlu370": (1, 1471),
    "mlu270": (1, 1130),
    "teaching_chip": (3, 470),
    "systolic_32": (3, 470),
}
"""Every how many cases one is run, and how many of those are equal at least."""


@pytest.mark.parametrize(
    ("machine", "operator"), [(name, one) for name, ones in SAMPLE.items() for one in ones]
)
def test_sample(machine: str, operator: str):
    case = cases_of(operator)[0]
    verdict = judged_on(case, machine)
    assert verdict.what == "equal", (case.name, verdict)


@pytest.mark.parametrize(
    ("machine", "case", "said"),
    [
        ("mlu270", "test_matmul_2d", "layer 'MatMul_1' (nn.matmul): the matrix unit multiplies"),
        ("mlu370", "test_cast_FLOAT_to_INT4", "layer 'Cast_1' (nn.convert): an odd number"),
    ],
)
def test_refusals_name_layer_and_operator(machine: str, case: str, said: str):
    (found,) = (one for one in cases_of("MatMul") + cases_of("Cast") if one.name == case)
    verdict = judged_on(found, machine)
    assert (verdict.what, verdict.kind) == ("refused", "machine") and said in verdict.text


@pytest.mark.campaign
@pytest.mark.parametrize("machine", CAMPAIGN)
def test_all(machine: str):
    every, least = CAMPAIGN[machine]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [(case.name, judged_on(case, machine)) for case in cases()[::every]]
    counts = Counter(verdict.what for _, verdict in found)
    print(table(found))
    assert counts["wrong"] == counts["broken"] == 0, table(found)
    assert counts["equal"] >= least, table(found)
    assert all("layer '" in v.text for _, v in found if v.kind == "machine"), table(found)
