"""Models that PyTorch exported, with inputs and outputs, as the package onnx has them; those of old
sets of operators are brought to set 9 by the package's own converter first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from onnx import ModelProto, TensorProto, numpy_helper, version_converter  # noqa: E402

from tests.campaign.seeds import spread  # noqa: E402
from tests.compiler.frontends.onnx.running import read_bound, run  # noqa: E402

DATA = Path(onnx.__file__).parent / "backend/test/data"
WRONGLY_CONVERTED = {
    "test_PReLU_1d_multiparam",
    "test_PReLU_2d_multiparam",
    "test_PReLU_3d_multiparam",
}
"""Their slopes, one a channel, are left as they were when operators were not broadcast."""
FOLDERS = sorted(
    folder
    for kind in ("pytorch-converted", "pytorch-operator")
    for folder in (DATA / kind).iterdir()
    if folder.name not in WRONGLY_CONVERTED
)


def array(path: Path) -> np.ndarray:
    return numpy_helper.to_array(TensorProto.FromString(path.read_bytes()))


@pytest.mark.parametrize("folder", spread(FOLDERS, 9), ids=lambda folder: folder.name)
def test_as_it_was_exported(folder: Path):
    model = ModelProto.FromString((folder / "model.onnx").read_bytes())
    if model.opset_import[0].version < 7:
        model = version_converter.convert_version(model, 9)
    weights = {tensor.name for tensor in model.graph.initializer}
    names = [info.name for info in model.graph.input if info.name not in weights]
    data = folder / "test_data_set_0"
    inputs = {name: array(data / f"input_{k}.pb") for k, name in enumerate(names)}
    found = run(read_bound(model.SerializeToString(), inputs), inputs)
    for k, given in enumerate(found.values()):
        np.testing.assert_allclose(given, array(data / f"output_{k}.pb"), rtol=1e-3, atol=1e-5)


def test_there_are_more_than_a_hundred():
    assert len(FOLDERS) > 110
