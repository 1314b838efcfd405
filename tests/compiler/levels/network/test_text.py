"""Networks as text: what is printed is read again, and what is wrong has its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from compiler.levels.network import network as network_module
from compiler.levels.network.interpret import run_network
from compiler.levels.network.network import Network
from compiler.levels.network.operators import OPERATORS
from compiler.levels.network.parsing import parse_networks
from compiler.levels.network.printing import print_network
from compiler.levels.network.verify import verify_network
from machines.diagnostics import InputError
from machines.elements import in_memory
from machines.levels.network.tensors import Constant, Stored, TensorType
from machines.types import BF16, F32
from tests.campaign.seeds import check_all, cut
from tests.compiler.levels.network.random_networks import MAKERS, random_inputs, random_network


def read(text: str, file: str = "a.net") -> Network:
    ((network, _),) = parse_networks(text, file).values()
    return network


def test_the_generator_has_every_operator():
    assert MAKERS.keys() == OPERATORS.keys()
    made = {n.operator.name for seed in range(120) for n in random_network(seed).nodes}
    assert made == OPERATORS.keys()


@pytest.mark.parametrize("seeds", cut(8, 400))
def test_what_is_printed_is_read_again(seeds: range):
    check_all(check_round_trip, seeds)


def check_round_trip(seed: int) -> None:
    network = random_network(seed)
    assert verify_network(network) == []
    text = print_network("net", network)
    again = read(text)
    assert print_network("net", again) == text
    assert verify_network(again) == []
    assert again.types == network.types
    given = random_inputs(network, seed)
    for name, values in run_network(network, given).items():
        found = run_network(again, given)[name]
        np.testing.assert_array_equal(in_memory(found), in_memory(values), name)


def test_the_page_shows_a_network_that_is_read():
    page = Path(network_module.__file__).with_name("README.md").read_text()
    text = page.partition("```text\n")[2].partition("```")[0]
    network = read(text)
    assert verify_network(network) == []
    (y,) = run_network(network, {"x": np.ones((1, 8, 8, 3), "f4")}).values()
    assert y.shape == (1, 10) and abs(y.sum() - 1) < 1e-5


def test_large_constants_of_one_number_take_no_memory():
    text = "network @n() -> (y: f32[]) { z: f32[1000000, 100000] = zeros\n"
    network = read(text + "o: f32[] = fill(1.0)\nreturn y = o }")
    assert verify_network(network) == [] and "= zeros" in print_network("n", network)
    assert run_network(network, {})["y"] == 1.0


def test_constants(tmp_path):
    stored = np.arange(24, dtype="<f4")
    (tmp_path / "weights").write_bytes(b"head" + stored.tobytes())
    text = """network @n() -> (a: f32[2], b: bf16[3], c: f32[4, 2, 3], d: i4[3], e: f32[1]) {
        a: f32[2] = [-inf, nan]
        b: bf16[3] = fill(0.1)
        c: f32[4, 2, 3] = stored("weights", 4, (2, 0, 1))
        d: i4[3] = [-8, 7, 1]
        e: f32[1] = random(3, 0.5)
        return a = a, b = b, c = c, d = d, e = e
    }"""
    file = str(tmp_path / "a.net")
    network = read(text, file)
    assert network.constants["c"].elements == Stored(str(tmp_path / "weights"), 4)
    found = run_network(network, {})
    np.testing.assert_array_equal(found["a"], np.array([-np.inf, np.nan], "f4"))
    assert found["b"]["bf16"].tolist() == [0x3DCD] * 3
    assert found["d"]["i4"].tolist() == [-8, 7, 1]
    assert (
        abs(found["e"][0]) <= 0.5
        and found["e"].tobytes() == run_network(network, {})["e"].tobytes()
    )
    np.testing.assert_array_equal(found["c"], stored.reshape(2, 3, 4).transpose(2, 0, 1))
    printed = print_network("n", network)
    assert "e: f32[1] = random(3, 0.5)" in printed and "b: bf16[3] = fill(0.1)" in printed
    assert print_network("n", read(printed, file)) == printed


ERRORS = {
    "y = nn.reluu(x)": ("a.net:2:5: error: there is no operator nn.reluu", "did you mean 'relu'?"),
    "y: f32[99999, 99999] = random(1, 1)": ("a.net:2:24: error: 9999800001 elements", "file"),
    "y: f32[9999999, 9999999] = zeros": ("a.net:2:4: error: a tensor of 99999980000001", ""),
    "y = nn.relu(z)": ("a.net:2:5: error: there is no tensor 'z' yet", "valid names: x"),
    "y = nn.reshape(x) {shape: (4)}": ("a.net:2:5: error: nn.reshape: [2, 3] has 6 elements", ""),
    "y = nn.relu(x) {k: 1}": ("a.net:2:5: error: nn.relu: it has no attribute 'k'", ""),
    "y: f32[2, 2] = nn.relu(x)": ("a.net:2:4: error: 'y' is f32[2, 3], not f32[2, 2]", "leave it"),
    "y: f33[2, 2] = nn.relu(x)": ("a.net:2:4: error: there is no element type 'f33'", "did you"),
    "y = nn.relu(x": ("a.net:3:1: error: expected ',' or ')', found 'return'", ""),
    "y = nn.topk(x) {k: 2}": ("a.net:2:1: error: nn.topk gives 2 tensors, not 1", "for each"),
    "y, z = nn.relu(x)": ("a.net:2:8: error: nn.relu gives 1, not 2", "name as many"),
    "x = nn.relu(x)": ("a.net:2:5: error: there is a tensor 'x' already", "rename one"),
    "y: f32[0] = zeros": ("a.net:2:8: error: an extent of 0", "every extent is 1 or more"),
    "y: f32[2] = [1]": ("a.net:2:13: error: 1 elements, where f32[2] has 2", "one behind another"),
    "y: i8[1] = [128]": ("a.net:2:13: error: 128 is no number of i8", ""),
    "y: i8[1] = [1.5]": ("a.net:2:13: error: 1.5 is no number of i8", ""),
    "y: f32[1] = ones": ("a.net:2:13: error: there is no constant 'ones'", "write zeros, fill"),
    "y = zeros": ("a.net:2:1: error: the type of 'y' is missing", "w: f32[3] = zeros"),
    "y: f32[1] = random(-1, 2)": ("a.net:2:13: error: a seed and a scale are not negative", ""),
    "y: f32[1] = stored(\"none\", 0)": ("a.net:2:13: error: cannot read the constants in none", ""),
    "y = nn.relu(x) in \"a": ("a.net:2:19: error: a text that does not end", "at its end"),
    "y = nn.relu(x) ; z": ("a.net:2:16: error: unexpected character ';'", ""),
    "y = nn.clip(x) {low: 1, low: 2}": ("a.net:2:25: error: 'low' is given twice", ""),
    "y = nn.convert(x) {to: f3}": ("a.net:2:24: error: there is no element type 'f3'", "f32"),
}  # fmt: skip


@pytest.mark.parametrize("line", ERRORS)
def test_what_is_wrong_has_its_place(line: str):
    message, hint = ERRORS[line]
    text = f"network @n(x: f32[2, 3]) -> (r: f32[2, 3]) {{\n{line}\nreturn r = x\n}}\n"
    with pytest.raises(InputError) as error:
        read(text)
    assert str(error.value).startswith(message) and hint in str(error.value)
    assert f"    {line}\n" in str(error.value) or "return" in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func @f() {}", "a.net:1:1: error: expected 'network', found 'func'"),
        ("network @n() -> () {", "a.net:1:21: error: expected 'return', found the end of the file"),
        ("network @n(x: f32[2]) -> (y: f32[3]) { return y = x }", "'x' is f32[2], not f32[3]"),
        ("network @n(x: f32[2]) -> (y: f32[2]) { return z = x }", "the network has no result 'z'"),
        ("network @n(x: f32[2]) -> (y: f32[2]) { return }", "the result 'y' is not returned"),
        ("network @n(x: f32[2], x: f32[2]) -> () { return }", "'x' stands here twice"),
    ],
)
def test_networks_that_are_none(text: str, message: str):
    with pytest.raises(InputError, match=r".") as error:
        read(text)
    assert message in str(error.value)


def test_the_verifier_finds_what_passes_could_break():
    text = """network @n(x: f32[2, 3]) -> (r: f32[2, 3]) {
        c: f32[3] = [1.0, 2.0, 3.0]
        y = nn.add(x, c) in "one"
        z = nn.relu(y) in "two"
        w = nn.neg(z) in "two"
        return r = w
    }"""

    def broken(change) -> str:
        network = read(text).copied()
        change(network)
        return "\n".join(verify_network(network))

    def swap(network: Network) -> None:
        network.nodes[0], network.nodes[1] = network.nodes[1], network.nodes[0]

    def narrow(network: Network) -> None:
        network.types["y"] = TensorType(BF16, (2, 3))

    assert broken(lambda n: None) == ""
    assert "there is no tensor 'y' yet" in broken(swap)
    assert "it gives f32[2, 3], not bf16[2, 3]" in broken(narrow)
    assert "its constant f32[2]" in broken(
        lambda n: n.constants.update(c=Constant(TensorType(F32, (2,)), np.zeros(2, "f4")))
    )
    assert "its elements are float64[3]" in broken(
        lambda n: n.constants.update(c=Constant(TensorType(F32, (3,)), np.zeros(3)))
    )
    assert "rest of layer 'one'" in broken(lambda n: setattr(n.nodes[2], "layer", "one"))
    assert "there is a tensor 'y' already" in broken(lambda n: n.nodes.insert(1, n.nodes[0]))
    assert "there is no tensor 'w'" in broken(lambda n: n.nodes.pop())
    assert "'q' has a type" in broken(lambda n: n.types.update(q=n.types["x"]))
