"""What is not taken is refused at its node, with the reason; and what a message says."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from compiler.frontends.onnx.model import read_model  # noqa: E402
from compiler.frontends.onnx.operators import ROWS  # noqa: E402
from compiler.frontends.onnx.translation.graph import NodeRefused  # noqa: E402
from machines.diagnostics import InputError  # noqa: E402
from tests.compiler.frontends.onnx.running import network_of, read, run  # noqa: E402
from tests.compiler.frontends.onnx.small import model, one  # noqa: E402

F, INT = TensorProto.FLOAT, TensorProto.INT64
ONES = np.ones((2, 3), np.float32)


def refused(made: onnx.ModelProto, **named) -> str:
    """The message, of one finding, without its code."""
    with pytest.raises(InputError) as caught:
        read_model("m.onnx", source=made.SerializeToString(), **named)
    (finding,) = caught.value.diagnostics
    assert finding.code == "onnx"
    return str(finding).replace("  [onnx]", "", 1)


def branch(name: str, node: onnx.NodeProto) -> onnx.GraphProto:
    info = helper.make_tensor_value_info(node.output[0], F, None)
    return helper.make_graph([node], name, [], [info])


def test_a_message_names_node_operator_and_reason():
    nodes = [
        helper.make_node("Relu", ["x"], ["r"], "first"),
        helper.make_node("NonZero", ["r"], ["y"], "the second"),
    ]
    assert refused(model(nodes, {"x": [2, 3]}, ["y"], types={"y": INT})) == (
        "m.onnx:2:1: error: node 'the second' (NonZero): shapes that data decide: the shape of its"
        " result would depend on data"
    )


CASES = {
    "no row": (one("Det", {"x": [2, 2]}), "(Det): no row: it is in no row of the table"),
    "random": (one("RandomNormalLike", {"x": [2]}), "random numbers: nothing is random here"),
    "training": (
        one("Dropout", {"x": [2]}, {"r": np.float32(0.5), "t": np.array(True)}),
        "training: a dropout in training",
    ),
    "strings": (
        one("StringConcat", {"x": [2], "z": [2]}, types=dict.fromkeys("xzy", TensorProto.STRING)),
        "strings: elements of string are not taken",
    ),
    "element type": (
        one("Exp", {"x": [2]}, types={"x": TensorProto.DOUBLE, "y": TensorProto.DOUBLE}),
        "element type: of f64; it is taken of f16, bf16, f32",
    ),
    "attribute": (
        one("Relu", {"x": [2]}, alpha=0.5),
        "(Relu): form: attribute 'alpha' is not taken",
    ),
    "operand": (one("Relu", {"x": [2], "z": [2]}), "(Relu): form: operand 2 is not taken"),
    "missing operand": (one("Add", {"x": [2]}), "(Add): malformed: operand 2 is missing"),
    "output": (
        one("MaxPool", {"x": [1, 1, 4, 4]}, results=("y", "places"), kernel_shape=[2, 2]),
        "(MaxPool): output: its output 2 is not given here",
    ),
    "circle": (
        model(
            [helper.make_node("Add", ["x", "b"], ["a"]), helper.make_node("Relu", ["a"], ["b"])],
            {"x": [2]},
            ["b"],
        ),
        "it reads 'b', which nothing before it makes\n    hint: nodes stand in the order",
    ),
    "twice": (
        model([helper.make_node("Relu", ["x"], ["y"])] * 2, {"x": [2]}, ["y"]),
        "'y' is made a second time",
    ),
    "no output": (model([], {"x": [2]}, ["y"]), "malformed: nothing makes the output 'y'"),
    "shapes": (one("MatMul", {"x": [2, 3], "z": [4, 5]}), "shape or type: nn.matmul: "),
    "open": (
        one("Relu", {"x": ["N", 3]}),
        "open dimension: axis 0 of input 'x' is open: 'N'\n"
        "    hint: bind it: --dimension 'N=…', or in a workload dimensions: {N: …}",
    ),
    "open without a name": (one("Relu", {"x": [None, 3]}), "is open: 'x[0]'"),
    "shape that is data": (
        one("Reshape", {"x": [6], "s": [2]}, types={"s": INT}),
        "depends on data: the shape (operand 2) must be known, and is data\n"
        "    hint: bind input 's': values: {s: …}",
    ),
    "batch 0": (one("Relu", {"x": [0, 3]}), "no elements: output 'y' has the shape [0, 3]"),
    "too new": (one("Relu", {"x": [2]}, opset=99), "version: operators of set 99; 7 to 28"),
    "too old": (one("Relu", {"x": [2]}, opset=6), "version: operators of set 6; 7 to 28"),
    "condition": (
        model(
            [
                helper.make_node(
                    "If",
                    ["c"],
                    ["y"],
                    then_branch=branch("t", helper.make_node("Relu", ["x"], ["a"])),
                    else_branch=branch("e", helper.make_node("Neg", ["x"], ["b"])),
                )
            ],
            {"x": [2], "c": []},
            ["y"],
            types={"c": TensorProto.BOOL},
        ),
        "(If): control flow: its condition is data",
    ),
    "domain": (
        model([helper.make_node("Gelu", ["x"], ["y"], domain="com.microsoft")], {"x": [2]}, ["y"]),
        "the model imports no operators of domain 'com.microsoft'",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_refused(name: str):
    made, text = CASES[name]
    assert text in refused(made)


def test_tensors_that_are_no_tensors():
    made = one("Relu", {"x": [2]})
    made.graph.input[0].type.CopyFrom(helper.make_sequence_type_proto(made.graph.input[0].type))
    assert "sequences and optionals: 'x' is a sequence; tensors alone" in refused(made)
    made = one("Relu", {"x": [2]})
    made.graph.input[0].type.tensor_type.ClearField("shape")
    assert "open dimension: input 'x' has no shape" in refused(made)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"dims": [2, 4]}, "tensor 'w' of shape [2, 4] has 24 bytes, not 32"),
        ({"dims": [-2, -3]}, "tensor 'w' has the shape [-2, -3]"),
        ({"dims": [1 << 62, 1 << 62]}, "tensor 'w' has the shape"),
        ({"data_type": 99}, "there is no element type 99"),
        ({"data_type": TensorProto.COMPLEX64}, "elements of complex64 are not taken"),
    ],
)
def test_wrong_tensors(change: dict, text: str):
    made = one("Add", {"x": [2, 3]}, {"w": ONES})
    tensor = made.graph.initializer[0]
    for name, value in change.items():
        if name == "dims":
            del tensor.dims[:]
            tensor.dims.extend(value)
        else:
            setattr(tensor, name, value)
    assert text in refused(made)


@pytest.mark.parametrize(
    ("dimensions", "values", "text"),
    [
        ({}, {"z": [1, 2]}, "the model has no input 'z' to be bound\n    hint: valid names: s, x"),
        ({}, {"s": [1, 2, 3]}, "input 's' is bound to a value of shape [3]"),
        ({}, {"s": [[1, 2]]}, "shape [1, 2]\n    hint: its shape is [2]"),
        ({}, {"s": 2}, "shape []\n    hint: its shape is [2]"),
        ({}, {"s": [1.5, 2]}, "input 's' is bound to what is no i64: [1.5, 2.0]"),
        ({"n": 3}, {}, "the model has no open dimension 'n' to be bound\n    hint: valid names: N"),
        ({"M": 3, "N": 2}, {}, "the model has no open dimension 'M' to be bound"),
        ({"x[0]": 3}, {}, "the model has no open dimension 'x[0]' to be bound"),
        ({"s[0]": 2}, {}, "the model has no open dimension 's[0]' to be bound"),
        (
            {"N": 3},
            {"x": [[1, 2]]},
            "'N' is 3 by what is said of it, and 1 by the value of input 'x'",
        ),
    ],
)
def test_wrong_bindings(dimensions: dict, values: dict, text: str):
    made = one("Reshape", {"x": ["N", 2], "s": [2]}, types={"s": INT})
    arrays = {name: np.array(value) for name, value in values.items()}
    found = refused(made, dimensions=dimensions, values=arrays)
    assert "m.onnx: binding: " in found and text in found


def test_known_inputs_agree_about_dimensions():
    made = one("Sum", {"x": ["N", 3], "y": ["N", 3], "z": ["N", 3]}, results=("r",))
    text = "'N' is 2 by input 'x', and 1 by the value of input 'y'"
    assert text in refused(made, values={"x": ONES, "y": ONES[:1]})
    found = read(made, values={"x": ONES, "y": ONES})  # N is 2 for z, too
    np.testing.assert_array_equal(run(found, {"z": ONES})["r"], 3 * ONES)
    made = one("Relu", {"x": [2, 3]})
    assert "no open dimension 'N' to be bound\n    hint: leave it" in refused(
        made, dimensions={"N": 1}
    )


def test_functions_that_call_themselves():
    made = one("Relu", {"x": [2]})
    made.graph.node[0].domain = "own"
    made.opset_import.append(helper.make_opsetid("own", 1))
    inner = helper.make_node("Relu", ["a"], ["b"], domain="own")
    imports = list(made.opset_import)
    made.functions.append(helper.make_function("own", "Relu", ["a"], ["b"], [inner], imports))
    assert "functions stand within one another" in refused(made)


# ---- What is taken ------------------------------------------------------------------------------


def test_dimensions_and_values_are_bound():
    made = one("Reshape", {"x": ["N", 4], "s": [2]}, types={"s": INT})
    found = read(made, {"N": 3}, {"s": np.array([2, -1])})
    assert found.inputs == ("x",)
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(run(found, {"x": x})["y"], x.reshape(2, 6))


def test_an_input_with_a_default_is_the_default():
    made = one("Add", {"x": [2, 3], "w": [2, 3]})
    made.graph.initializer.append(numpy_helper.from_array(ONES, "w"))
    assert read(made).inputs == ("x",)
    bound = read(made, values={"w": 5 * ONES})
    np.testing.assert_array_equal(run(bound, {"x": ONES})["y"], 6 * ONES)
    made.graph.input[1].type.tensor_type.shape.dim[0].dim_param = "N"
    assert "no open dimension 'N'" in refused(made, dimensions={"N": 2})
    assert read(made, {"N": 2}, {"w": 5 * ONES}).inputs == ("x",)


@pytest.mark.parametrize("condition", [True, False])
def test_a_branch_that_is_known_is_taken(condition: bool):
    made = CASES["condition"][0]
    found = read(made, values={"c": np.array(condition)})
    x = np.array([-1.0, 2.0], np.float32)
    wanted = np.maximum(x, 0) if condition else -x
    np.testing.assert_array_equal(run(found, {"x": x})["y"], wanted)


def test_functions_of_the_model_are_expanded():
    nodes = [
        helper.make_node("Neg", ["a"], ["s"]),
        helper.make_node("LeakyRelu", ["s"], ["b"]),
    ]
    nodes[1].attribute.add(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT)
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    function = helper.make_function("own", "F", ["a"], ["b"], nodes, imports[:1], ["slope"])
    made = model(
        [helper.make_node("F", ["x"], ["y"], "call", domain="own", slope=0.5)],
        {"x": [2, 3]},
        ["y"],
        functions=[function],
    )
    made.opset_import.append(imports[1])
    found = read(made)
    np.testing.assert_array_equal(run(found, {"x": 3 * ONES})["y"], -1.5 * ONES)
    assert list(network_of(found).layers()) == ["call"]


def test_scans_in_both_directions():
    body = helper.make_graph(
        [
            helper.make_node("Sub", ["one", "s"], ["next"]),
            helper.make_node("Identity", ["next"], ["o"]),
        ],
        "body",
        [helper.make_tensor_value_info(n, F, [2]) for n in ("s", "one")],
        [helper.make_tensor_value_info(n, F, [2]) for n in ("next", "o")],
    )
    node = helper.make_node(
        "Scan", ["s", "x"], ["last", "all"], "scan", num_scan_inputs=1, body=body,
        scan_input_directions=[1], scan_output_directions=[1],
    )  # fmt: skip
    found = read(model([node], {"s": [2], "x": [3, 2]}, ["last", "all"]))
    x = np.array([[1, 10], [2, 20], [4, 40]], np.float32)
    given = run(found, {"s": np.zeros(2, np.float32), "x": x})
    np.testing.assert_array_equal(given["last"], [3, 30])
    np.testing.assert_array_equal(given["all"], [[3, 30], [-2, -20], [4, 40]])
    assert list(network_of(found).layers()) == ["scan"]


def test_any_name_is_taken():
    names = ["a b/c:0", "ü→", "", "1", "nn.add", "x" * 300, 'q"\\\n', "a_b_c_0"]
    nodes = [
        helper.make_node("Relu", [f"t{k}{name}"], [f"t{k + 1}{names[k + 1]}"], name)
        for k, name in enumerate(names[:-1])
    ]
    made = model(nodes, {f"t0{names[0]}": [2, 3]}, [f"t{len(nodes)}{names[-1]}"])
    found = read(made)
    network = network_of(found)
    assert len(network.layers()) == len(nodes)
    assert all(name.isidentifier() and len(name) < 70 for name in network.types)
    ((output, array),) = run(found, {f"t0{names[0]}": -ONES}).items()
    assert output == f"t{len(nodes)}{names[-1]}" and not array.any()


def test_every_row_is_of_an_operator_of_onnx_in_its_latest_version():
    for domain, name in ROWS:
        schema = onnx.defs.get_schema(name, domain=domain)
        assert ROWS[domain, name].newest >= schema.since_version, name


def test_a_later_version_of_an_operator_is_refused(monkeypatch: pytest.MonkeyPatch):
    row = ROWS["", "Relu"]
    monkeypatch.setitem(ROWS, ("", "Relu"), type(row)("Relu", 13, row.types, row.lower, ""))
    with pytest.raises(NodeRefused, match="version 14 of the operator; the last known is 13"):
        read(one("Relu", {"x": [2]}))
