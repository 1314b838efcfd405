"""Random nodes with odd extents and every attribute, against onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.campaign.seeds import check_all, cut
from tests.compiler.frontends.onnx.drawn import Draw, Node
from tests.compiler.frontends.onnx.random_nodes import compared
from tests.compiler.frontends.onnx.running import read, run
from tests.compiler.frontends.onnx.runtime import judged

IMAGE = Draw(1).floats([1, 4, 7, 7])
ROWS = Draw(2).floats([3, 4, 5])
KERNELS = {"w": Draw(3).floats([2, 4, 2, 2])}
NUMBERS = Draw(4).floats([4])
EDGES = (
    Node("Conv", {"x": IMAGE}, KERNELS, {"auto_pad": "SAME_LOWER"}),
    Node("Conv", {"x": IMAGE}, KERNELS, {"auto_pad": "SAME_UPPER", "strides": [2, 3]}),
    Node(
        "AveragePool",
        {"x": IMAGE},
        {},
        {
            "kernel_shape": [3, 3],
            "strides": [2, 2],
            "pads": [1, 1, 0, 0],
            "ceil_mode": 1,
            "count_include_pad": 1,
        },
        22,
    ),
    Node("MaxPool", {"x": IMAGE}, {}, {"kernel_shape": [2, 2], "strides": [5, 5], "ceil_mode": 1}),
    Node("ArgMax", {"x": np.round(ROWS)}, {}, {"axis": 1, "select_last_index": 1}),
    Node("Einsum", {"a": ROWS, "b": ROWS[0]}, {}, {"equation": "abc,bc->a"}),
    Node("Einsum", {"a": ROWS, "b": ROWS[0]}, {}, {"equation": "abc,dc->bd"}),
    Node("LRN", {"x": IMAGE}, {}, {"size": 3, "alpha": 2.0}),
    Node(
        "BatchNormalization",
        {"x": IMAGE},
        {"s": NUMBERS, "b": NUMBERS, "m": NUMBERS, "v": np.abs(NUMBERS)},
        {"epsilon": 0.5},
    ),
    Node(
        "LSTM",
        {"x": ROWS},
        {
            "w": Draw(5).floats([1, 12, 5]),
            "r": Draw(6).floats([1, 12, 3]),
            "b": Draw(7).floats([1, 24]),
        },
        {"hidden_size": 3},
        14,
        results=3,
    ),
    Node("Atan", {"x": 3 * ROWS}, {}, {}),
)
"""What random nodes show in one of a hundred."""


@pytest.mark.parametrize("node", EDGES, ids=lambda node: node.operator)
def test_edges(node: Node):
    assert judged(node) == "equal"


def test_windows_of_an_even_number_of_channels():
    """The runtime has none; of channels 0 to 3 those of 1 are 1 and 2."""
    model = Node("LRN", {"x": IMAGE}, {}, {"size": 2, "alpha": 2.0, "beta": 1.0}).model()
    square, wide = IMAGE.astype(np.float64) ** 2, np.zeros((1, 5, 7, 7))
    wide[:, :4] = square
    wanted = IMAGE / (1 + wide[:, :4] + wide[:, 1:])
    np.testing.assert_allclose(run(read(model), {"x": IMAGE})["y0"], wanted, rtol=1e-5)


@pytest.mark.parametrize("seeds", cut(80, 20_000))
def test_as_onnxruntime_has_it(seeds: range):
    check_all(compared, seeds)
