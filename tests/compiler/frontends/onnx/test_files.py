"""Files that are no models, or refer to what is not there: one clear error each."""

from __future__ import annotations

import importlib.util
import random
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper  # noqa: E402

from compiler import read_source  # noqa: E402
from compiler.frontends.onnx.frontend import read as read_by_door  # noqa: E402
from compiler.frontends.onnx.model import read_model  # noqa: E402
from compiler.frontends.onnx.reading.wire import LARGE, Malformed, skimmed  # noqa: E402
from machines.cache.file_dependencies import content_of, recorded  # noqa: E402
from machines.description.load import load_machine  # noqa: E402
from machines.diagnostics import InputError  # noqa: E402
from machines.levels.network.tensors import Stored  # noqa: E402
from machines.reading import MOST_SOURCE  # noqa: E402
from tests.campaign.seeds import check_all, cut  # noqa: E402
from tests.compiler.frontends.onnx.running import network_of, read, run  # noqa: E402
from tests.compiler.frontends.onnx.small import model, one  # noqa: E402
from workloads import networks  # noqa: E402

MODELS = Path(networks.__file__).parent / "models"
WEIGHT = np.arange(LARGE, dtype=np.float32).reshape(64, LARGE // 64)
MATMUL = one("MatMul", {"x": [2, 64]}, {"w": WEIGHT})
X = np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64)


def message(*arguments, **named) -> str:
    """What is said of a model that cannot be read."""
    with pytest.raises(InputError) as caught:
        read_model(*arguments, **named)
    (finding,) = caught.value.diagnostics
    return str(finding)


def written(folder: Path, made: onnx.ModelProto) -> Path:
    path = folder / "m.onnx"
    path.write_bytes(made.SerializeToString())
    return path


# ---- Weights stay in their file -----------------------------------------------------------------


def test_weights_stay_where_they_are(tmp_path: Path):
    path = written(tmp_path, MATMUL)
    found = read(path)
    ((_, constant),) = network_of(found).constants.items()
    assert isinstance(constant.elements, Stored)
    assert constant.elements.file == str(path.resolve())
    begin = path.read_bytes().index(WEIGHT.tobytes())
    assert constant.elements.offset == begin
    np.testing.assert_allclose(run(found, {"x": X})["y"], X @ WEIGHT, rtol=1e-5)


def test_transposed_weights_stay_too(tmp_path: Path):
    made = one("Conv", {"x": [1, 16, 5, 5]}, {"w": np.random.default_rng(1).standard_normal(
        (64, 16, 3, 3)).astype(np.float32)})  # fmt: skip
    found = read(written(tmp_path, made))
    ((_, constant),) = network_of(found).constants.items()
    assert isinstance(constant.elements, Stored)
    assert constant.order == (0, 2, 3, 1)
    assert constant.type.shape == (64, 3, 3, 16)


def test_weights_that_are_transposed_twice(tmp_path: Path):
    weight = np.arange(16 * 8 * 64, dtype=np.float32).reshape(16, 8, 64)
    nodes = [
        helper.make_node("Transpose", ["w"], ["a"], perm=[1, 2, 0]),
        helper.make_node("Transpose", ["a"], ["b"], perm=[1, 2, 0]),
        helper.make_node("Reshape", ["b", "s"], ["c"]),
        helper.make_node("MatMul", ["x", "b"], ["y"]),
        helper.make_node("MatMul", ["z", "c"], ["d"]),
    ]
    weights = {"w": weight, "s": np.array([64, 128])}
    made = model(nodes, {"x": [64, 1, 16], "z": [1, 64]}, ["y", "d"], weights)
    found = read(written(tmp_path, made))
    b = weight.transpose(1, 2, 0).transpose(1, 2, 0)
    x, z = np.ones((64, 1, 16), np.float32), np.ones((1, 64), np.float32)
    given = run(found, {"x": x, "z": z})
    np.testing.assert_allclose(given["y"], x @ b, rtol=1e-5)
    np.testing.assert_allclose(given["d"], z @ b.reshape(64, 128), rtol=1e-5)


def test_what_is_skimmed_is_the_model_without_its_weights():
    left = skimmed(MATMUL.SerializeToString())
    assert len(left) < 400
    proto = onnx.ModelProto.FromString(left)
    (tensor,) = proto.graph.initializer
    assert tensor.data_location == TensorProto.EXTERNAL and not tensor.raw_data
    assert proto.graph.node == MATMUL.graph.node


def test_numbers_of_floats_stay_too(tmp_path: Path):
    made = one("MatMul", {"x": [2, 64]}, {"w": WEIGHT})
    tensor = made.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.float_data.extend(WEIGHT.reshape(-1))
    found = read(written(tmp_path, made))
    ((_, constant),) = network_of(found).constants.items()
    assert isinstance(constant.elements, Stored)
    np.testing.assert_allclose(run(found, {"x": X})["y"], X @ WEIGHT, rtol=1e-5)


def test_bytes_need_no_file():
    found = read(MATMUL)
    np.testing.assert_allclose(run(found, {"x": X})["y"], X @ WEIGHT, rtol=1e-5)


def test_three_gigabytes_are_read_in_little_memory(tmp_path: Path):
    count = 750_000_000
    made = one("Gather", {"w": [], "i": [4]}, types={"i": TensorProto.INT64})
    del made.graph.input[0]
    head, path = _up_to_elements(made, count), tmp_path / "large.onnx"
    with path.open("wb") as file:
        file.write(head)
        file.truncate(len(head) + 4 * count)
    tracemalloc.start()
    found = read_model(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20
    ((_, constant),) = network_of(found).constants.items()
    assert constant.type.shape == (count,)
    assert constant.elements == Stored(str(path.resolve()), len(head))


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _up_to_elements(made: onnx.ModelProto, count: int) -> bytes:
    """A model with a tensor 'w' of so many elements, which would follow."""
    bare = onnx.ModelProto()
    bare.CopyFrom(made)
    bare.ClearField("graph")
    tensor = onnx.TensorProto(dims=[count], data_type=TensorProto.FLOAT, name="w")
    size = 4 * count
    raw = tensor.SerializeToString() + bytes([9 << 3 | 2]) + _varint(size)
    inner = made.graph.SerializeToString() + bytes([5 << 3 | 2]) + _varint(len(raw) + size) + raw
    return bare.SerializeToString() + bytes([7 << 3 | 2]) + _varint(len(inner) + size) + inner


def test_three_gigabytes_of_nothing_are_refused_at_once(tmp_path: Path):
    path = tmp_path / "zeros.onnx"
    with path.open("wb") as file:
        file.truncate(3_000_000_000)
    assert "is no ONNX model: byte 0 begins no field of a message" in message(path)


# ---- Data in other files ------------------------------------------------------------------------


def external(folder: Path, **said: str) -> Path:
    """A model whose weight stands elsewhere."""
    made = one("MatMul", {"x": [2, 64]}, {"w": WEIGHT})
    tensor = made.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in said.items():
        tensor.external_data.add(key=key, value=value)
    return written(folder, made)


def test_weights_beside_the_model(tmp_path: Path):
    (tmp_path / "w.bin").write_bytes(b"abcd" + WEIGHT.tobytes())
    found = read(external(tmp_path, location="w.bin", offset="4", length=str(WEIGHT.nbytes)))
    np.testing.assert_allclose(run(found, {"x": X})["y"], X @ WEIGHT, rtol=1e-5)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({"location": "gone.bin"}, "in 'gone.bin', and there is no such file"),
        ({"location": "../w.bin"}, "outside the folder of the model"),
        ({"location": "/etc/hostname"}, "outside the folder of the model"),
        ({"location": "link.bin"}, "outside the folder of the model"),
        ({"location": "a\0b"}, "outside the folder of the model"),
        ({"location": "w.bin"}, "ends 16384 bytes from the beginning of w.bin, which has 7"),
        ({"location": "w.bin", "offset": "x"}, "offset or length is no number"),
        ({"location": "w.bin", "offset": "-4"}, "and 16384 bytes at -4 are named"),
        ({"location": "w.bin", "length": "12"}, "has 16384 bytes, and 12 bytes at 0 are named"),
    ],
)
def test_data_that_is_not_there(said: dict, text: str, tmp_path: Path):
    folder = tmp_path / "in"
    folder.mkdir()
    for place in (tmp_path, folder):
        (place / "w.bin").write_bytes(b"0123456")
    (folder / "link.bin").symlink_to(tmp_path / "w.bin")
    assert text in message(external(folder, **said))


# ---- Damage -------------------------------------------------------------------------------------


def test_no_file_and_no_model(tmp_path: Path):
    assert "cannot read" in message(tmp_path / "gone.onnx")
    assert "cannot read" in message(tmp_path)
    empty = tmp_path / "empty.onnx"
    empty.write_bytes(b"")
    assert "is no ONNX model: it has no graph" in message(empty)
    assert "is no ONNX model" in message("a.onnx", source=b"%PDF-1.4 and so on")


def test_the_package_that_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"with the package onnx, which is not installed") as e:
        read_by_door(b"", "m.onnx")
    assert "pip install 'simrun[networks]'" in str(e.value)


SOURCE = model(
    [
        helper.make_node("Conv", ["x", "w"], ["c"], "first", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Reshape", ["r", "s"], ["f"]),
        helper.make_node("Gemm", ["f", "g"], ["y"], transB=1),
    ],
    {"x": [1, 2, 4, 4]},
    ["y"],
    {
        "w": np.ones((2, 2, 3, 3), np.float32),
        "s": np.array([1, -1], np.int64),
        "g": np.ones((5, 32), np.float32),
    },
).SerializeToString()


OWN = [(MODELS / f"{name}.onnx").read_bytes() for name in ("cnn_qdq", "cnn_qoperator")]


def check_damaged(seed: int) -> None:
    """A damaged model is read, or refused."""
    draw = random.Random(seed)
    data = bytearray(draw.choice((SOURCE, SOURCE, *OWN)))
    if seed % 3 == 0:
        del data[draw.randrange(len(data)) :]
    for _ in range(draw.choice((0, 1, 1, 2, 8)) if seed % 3 == 0 else draw.choice((1, 1, 2, 8))):
        if data:
            data[draw.randrange(len(data))] = draw.randrange(256)
    if seed % 3 == 1:
        at = draw.randrange(len(data))
        data[at:at] = data[draw.randrange(len(data)) :][: draw.randrange(20)]
    try:
        found = read_model("damaged.onnx", source=bytes(data))
    except InputError as error:
        assert str(error).startswith(("damaged.onnx", "error: "))
    else:
        assert network_of(found).outputs


@pytest.mark.parametrize("seeds", cut(120, 20_000))
def test_damaged_models(seeds: range):
    check_all(check_damaged, seeds)


def test_graphs_within_graphs_have_an_end():
    def within(number: int, inner: bytes) -> bytes:
        return bytes([number << 3 | 2]) + _varint(len(inner)) + inner

    graph = b""
    for _ in range(40):  # in an attribute of a node
        graph = within(1, within(5, within(6, graph)))
    text = "more than 60 messages stand within one another"
    assert text in message("deep.onnx", source=within(7, graph))


def test_every_truncation():
    for end in range(len(SOURCE)):
        with pytest.raises((InputError, Malformed)):
            read_model("short.onnx", source=SOURCE[:end])


# ---- The door -----------------------------------------------------------------------------------


def test_a_model_larger_than_sources_may_be_is_read(tmp_path: Path):
    weight = np.zeros((64, 1 << 17), np.float32)
    path = written(tmp_path, one("MatMul", {"x": ["N", 64]}, {"w": weight}))
    assert path.stat().st_size > MOST_SOURCE
    machine = load_machine("mlu370")
    with recorded() as dependencies:
        module = read_source(path, machine=machine, options={"dimensions": {"N": 2}})
    assert module.form == "network" and list(module.functions) == ["small"]
    assert content_of(str(path)) in dependencies
