"""Random nodes with odd extents and every attribute, against onnxruntime."""

from __future__ import annotations

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.campaign.seeds import check_all, cut
from tests.compiler.frontends.onnx.random_nodes import compared


@pytest.mark.parametrize("seeds", cut(80, 20_000))
def test_as_onnxruntime_has_it(seeds: range):
    check_all(compared, seeds)
