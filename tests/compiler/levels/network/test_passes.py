"""Passes over networks keep what they mean, on random networks and on shapes that are hard."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

from compiler.levels.network.builder import NetworkBuilder
from compiler.levels.network.interpret import run_network
from compiler.levels.network.network import Network
from compiler.levels.network.operators import OPERATORS
from compiler.levels.network.parsing import parse_networks
from compiler.levels.network.passes import PASSES
from compiler.levels.network.passes.cancel_transposes import moved_elements
from compiler.levels.network.passes.fuse_layers import HEADS
from compiler.levels.network.programs import module_of
from compiler.levels.network.verify import verify_network
from compiler.transformation import Changes, NoOptions
from machines.elements import as_numbers, in_memory
from machines.levels.network.tensors import TensorType
from machines.types import F16, F32, F64, I8
from tests.campaign.seeds import check_all, cut
from tests.compiler.levels.network.random_networks import (
    POLES,
    STEPS,
    random_inputs,
    random_network,
)

BY_NAME = {plugin.name: plugin for plugin in PASSES}
ROUNDING = ("fold_scales", "recognize_operators", "transpose_weights")
"""Passes that may change rounding (BLAS sums turned weights up in another order); the others change
no bit of what stays in its order."""
MOVED = (
    "transpose", "transpose", "transpose", "relu", "add", "mul", "select", "concat", "reshape",
    "slice", "pad", "reduce_max", "softmax", "layer_norm", "gather", "broadcast", "argmax", "topk",
    "cumulative_sum", "matmul", "conv", "pool_max", "convert",
)  # fmt: skip
SCALED = ("conv", "matmul", "mul", "add", "sub", "relu", "pool_average")

WRITTEN_OUT = ("recognize_operators", "share_batches")
"""Passes that look for what no random network has: several nodes that belong together."""


def after(network: Network, *names: str) -> tuple[Network, dict[str, Changes]]:
    """What passes make of a network, one after another, and what each did."""
    function = module_of({"net": (network, None)}).functions["net"]
    return_changes = {}
    for name in names:
        return_changes[name] = BY_NAME[name].run(function, None, NoOptions())
        assert verify_network(function.body) == [], name
    return function.body, return_changes


def check_meaning(before: Network, now: Network, seed: int, exact: bool) -> None:
    given = random_inputs(before, seed)
    found = run_network(now, given)
    assert list(now.inputs) == list(before.inputs)
    assert list(now.outputs) == list(before.outputs)
    for name, values in run_network(before, given).items():
        if exact:
            np.testing.assert_array_equal(in_memory(found[name]), in_memory(values), name)
        else:
            is_half = values.dtype == np.float16 or values.dtype.names
            rtol, atol = (2e-2, 2e-2) if is_half else (1e-3, 1e-4)
            np.testing.assert_allclose(
                as_numbers(found[name]), as_numbers(values), rtol, atol, err_msg=name
            )


@pytest.mark.parametrize("seeds", cut(10, 600))
def test_each_pass_keeps_the_meaning_of_any_network(seeds: range):
    def check(seed: int) -> None:
        network = random_network(seed)
        for name in BY_NAME:
            now, _ = after(network, name)
            has_sums = {"reduce_sum", "reduce_prod", "layer_norm", "rms_norm", "softmax"} | {
                "log_softmax", "cumulative_sum", "matmul", "conv", "pool_average",
            }  # fmt: skip
            moved = name == "cancel_transposes" and _has(network, has_sums)
            if name not in ROUNDING and not moved:
                check_meaning(network, now, seed, exact=True)

    check_all(check, seeds)


def _has(network: Network, operators: Collection[str]) -> bool:
    return any(node.operator.name in operators for node in network.nodes)


@pytest.mark.parametrize("seeds", cut(10, 600))
def test_all_passes_together(seeds: range):
    def check(seed: int) -> None:
        network = random_network(seed, 16, (F32,), OPERATORS.keys() - STEPS - POLES)
        now, _ = after(network, *BY_NAME)
        check_meaning(network, now, seed, exact=False)

    check_all(check, seeds)


ENDINGS = ("", ".10", ".021", ".0312", ".shared", "_scaled", "_shift", "_1")
TAKEN = [*dict.fromkeys(f"w{one}{other}" for one in ENDINGS for other in ENDINGS)]
"""Names like those that passes make."""


def named_alike(network: Network, seed: int) -> Network:
    """The network with other names for its tensors: such as a pass would make of one another's."""
    some = np.random.default_rng(seed).permutation(len(network.types))
    names = [*TAKEN, *(f"t{k}" for k in range(len(network.types)))]
    name = dict(zip(network.types, (names[k] for k in some), strict=True))
    found = Network([name[n] for n in network.inputs])
    found.constants = {name[n]: constant for n, constant in network.constants.items()}
    found.outputs = {output: name[n] for output, n in network.outputs.items()}
    found.types = {name[n]: type for n, type in network.types.items()}
    found.nodes = [
        replace(
            node,
            results=tuple(name[n] for n in node.results),
            operands=tuple(name[n] for n in node.operands),
        )
        for node in network.nodes
    ]
    return found


@pytest.mark.parametrize("seeds", cut(30, 1500))
def test_no_pass_takes_the_name_of_another_tensor(seeds: range):
    def check(seed: int) -> None:
        operators = MOVED if seed % 2 else SCALED
        network = random_network(seed, 12, (F32,), operators, (2,))
        network = named_alike(network, seed)
        now, _ = after(network, *BY_NAME)
        check_meaning(network, now, seed, exact=False)

    check_all(check, seeds)


@pytest.mark.parametrize("seeds", cut(20, 1500))
def test_transpositions_move_through_everything(seeds: range):
    def check(seed: int) -> None:
        some = ((F32, F32, F16, I8), MOVED) if seed % 2 else ((F32,), MOVED, (2,))
        network = random_network(seed, 20, *some)
        now, _ = after(network, "fold_constants", "cancel_transposes", "remove_dead_nodes")
        assert moved_elements(now) <= moved_elements(network)
        check_meaning(network, now, seed, exact=False)

    check_all(check, seeds)


@pytest.mark.parametrize("seeds", cut(20, 1500))
def test_factors_of_channels_are_folded(seeds: range):
    def check(seed: int) -> None:
        network = random_network(seed, 12, (F32, F64), SCALED)
        now, _ = after(network, "fold_scales", "remove_dead_nodes")
        check_meaning(network, now, seed, exact=False)

    check_all(check, seeds)


HARD = {
    "operands in two orders": """
        s = nn.transpose(x) {order: (1, 0, 2)}
        t = nn.transpose(x) {order: (2, 1, 0)}
        a = nn.sub(s, t)
        y = nn.transpose(a) {order: (1, 0, 2)}""",
    "parts in two orders": """
        s = nn.transpose(x) {order: (1, 0, 2)}
        t = nn.transpose(x) {order: (2, 1, 0)}
        a = nn.concat(s, t) {axis: 0}
        c = nn.slice(a) {starts: (1, 0, 0), sizes: (2, 2, 2)}
        y = nn.transpose(c) {order: (1, 0, 2)}""",
    "a product transposed twice": """
        t = nn.transpose(x) {order: (0, 2, 1)}
        y = nn.matmul(x, t) {transposed: true}""",
    "axes that change places before they come together": """
        t = nn.transpose(x) {order: (0, 2, 1)}
        r = nn.reshape(t) {shape: (2, 4)}
        s = nn.relu(r)
        u = nn.reshape(s) {shape: (2, 2, 2)}
        y = nn.transpose(u) {order: (0, 2, 1)}""",
    "an axis that comes between others": """
        t = nn.transpose(x) {order: (1, 0, 2)}
        r = nn.reshape(t) {shape: (2, 4)}
        s = nn.transpose(r) {order: (1, 0)}
        y = nn.reshape(s) {shape: (2, 2, 2)}""",
    "an operand that makes the result larger": """
        m = nn.reduce_max(x) {axes: (0, 1)}
        r = nn.relu(m)
        y = nn.sub(r, x)""",
}


@pytest.mark.parametrize("body", HARD.values(), ids=HARD)
def test_what_is_nearly_the_same(body: str):
    """All extents are equal: no shape tells what goes wrong."""
    text = f"network @n(x: f32[2, 2, 2]) -> (y: f32[2, 2, 2]) {{{body}\nreturn y = y }}"
    ((network, _),) = parse_networks(text, "a.net").values()
    now, _ = after(network, *BY_NAME)
    check_meaning(network, now, 1, exact=False)
    check_layers(now)


def test_random_networks_have_what_the_passes_look_for():
    counts: dict[str, int] = {}
    for seed in range(60):
        for operators in (MOVED, SCALED):
            _, changes = after(random_network(seed, 16, (F32,), operators), *BY_NAME)
            for name, one in changes.items():
                counts[name] = counts.get(name, 0) + bool(one)
    assert {name for name, count in counts.items() if count > 10} >= BY_NAME.keys() - {*WRITTEN_OUT}


@pytest.mark.parametrize("seeds", cut(10, 600))
def test_layers_are_what_lowerings_are_told_to_expect(seeds: range):
    def check(seed: int) -> None:
        extents = (3,) if seed % 2 else (1, 2, 3)
        network, _ = after(random_network(seed, 20, (F32,), SCALED + MOVED, extents), *BY_NAME)
        check_layers(network)

    check_all(check, seeds)


def check_layers(network: Network) -> None:
    readers, wanted = network.readers(), set(network.outputs.values())
    assert all(node.layer for node in network.nodes)
    made_by = {name: node.layer for node in network.nodes for name in node.results}
    for layer, nodes in network.layers().items():
        for node, following in itertools.pairwise(nodes):
            (result,) = node.results
            assert readers[result] == [following] and result not in wanted
            assert following.operands.count(result) == 1
            assert nodes[0].operator.family in HEADS
            assert following.operator.family == "elementwise"
            assert network.types[following.results[0]].shape == network.types[result].shape
            others = [name for name in following.operands if name != result]
            assert layer not in [made_by.get(name) for name in others]


@pytest.mark.parametrize("name", BY_NAME)
def test_a_pass_changes_a_copy(name: str):
    changed = 0
    for seed in range(30):
        network = random_network(seed, 12, (F32,), SCALED + MOVED + ("silu", "sigmoid"))
        nodes = [(node, node.operator, node.operands, node.layer) for node in network.nodes]
        types, outputs = dict(network.types), dict(network.outputs)
        _, changes = after(network, name)
        changed += bool(changes[name])
        assert [(n, n.operator, n.operands, n.layer) for n in network.nodes] == nodes
        assert (network.types, network.outputs) == (types, outputs)
    assert changed or name in WRITTEN_OUT


@pytest.mark.parametrize(
    ("outer", "heads", "times", "m"), [*itertools.product((1, 2), (1, 3), (2, 5), (1, 4))]
)
@pytest.mark.parametrize("transposed", [True, False])
def test_heads_share_what_they_have_in_common(outer, heads, times, m, transposed):
    """Of queries × keys, or × values."""
    build = NetworkBuilder()
    right = (7, 4) if transposed else (4, 7)
    q = build.input("q", TensorType(F32, (outer, heads * times, m, 4)))
    k = build.input("k", TensorType(F32, (outer, heads, *right)))
    apart = build.emit("reshape", k, shape=(outer, heads, 1, *right))
    repeated = build.emit("broadcast", apart, shape=(outer, heads, times, *right))
    joined = build.emit("reshape", repeated, shape=(outer, heads * times, *right))
    build.output("y", build.emit("matmul", q, joined, transposed=transposed))
    network = build.network()
    now, _ = after(network, "share_batches", "remove_dead_nodes")
    assert "broadcast" not in {node.operator.name for node in now.nodes}
    check_meaning(network, now, 1, exact=False)


# Written out, in every way that is recognized ------------------------------------------------

MEANS = {
    "mul, reshape": """
        {0}s = nn.reduce_sum({1}) {{axes: (1)}}
        {0}m = nn.mul({0}s, part)
        {0} = nn.reshape({0}m) {{shape: (4, 1)}}""",
    "reshape, mul": """
        {0}s = nn.reduce_sum({1}) {{axes: (1)}}
        {0}r = nn.reshape({0}s) {{shape: (4, 1)}}
        {0} = nn.mul(part, {0}r)""",
    "reshape, div": """
        {0}s = nn.reduce_sum({1}) {{axes: (1)}}
        {0}r = nn.reshape({0}s) {{shape: (4, 1)}}
        {0} = nn.div({0}r, count)""",
}
SQUARES = {
    "square": "sq = nn.square(d)", "mul": "sq = nn.mul(d, d)", "pow": "sq = nn.pow(d, two)",
}  # fmt: skip
ROOTS = {
    "div": "q = nn.sqrt(ve)\n n = nn.div(d, q)",
    "rsqrt": "q = nn.rsqrt(ve)\n n = nn.mul(d, q)",
    "recip": "p = nn.sqrt(ve)\n q = nn.recip(p)\n n = nn.mul(q, d)",
}
HEAD = """network @n(x: f32[4, 8]) -> (y: f32[4, 8]) {
    part: f32[1] = fill(0.125)
    count: f32[] = fill(8)
    two: f32[] = fill(2.0)
    eps: f32[] = fill(0.001)
    half: f32[] = fill(0.5)
    one: f32[] = fill(1.0)
    root: f32[] = fill(1.4142135)
    scale: f32[8] = random(1, 1)
    shift: f32[8] = random(2, 1)
"""


def recognized(body: str, wanted: str, text: str = "", exact: bool = False) -> Network:
    ((network, _),) = parse_networks(f"{HEAD}{body}\nreturn y = y }}", "a.net").values()
    now, _ = after(network, "recognize_operators", "remove_dead_nodes")
    assert [node.operator.name for node in now.nodes] == [wanted]
    check_meaning(network, now, 1, exact=False)
    return now


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("square", SQUARES)
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("shifted", [True, False])
def test_layer_norm_is_recognized(mean: str, square: str, root: str, shifted: bool):
    body = MEANS[mean].format("c", "x") + "\nd = nn.sub(x, c)\n" + SQUARES[square]
    body += MEANS[mean].format("v", "sq") + "\nve = nn.add(v, eps)\n" + ROOTS[root]
    body += "\nk = nn.mul(n, scale)\ny = nn.add(shift, k)" if shifted else "\ny = nn.mul(scale, n)"
    network = recognized(body, "layer_norm")
    assert network.nodes[0].attributes == {"epsilon": pytest.approx(0.001)}
    assert network.nodes[0].operands == ("x", "scale", "shift")[: 2 + shifted]


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("root", ROOTS)
def test_rms_norm_is_recognized(mean: str, root: str):
    body = SQUARES["square"] + MEANS[mean].format("v", "sq") + "\nve = nn.add(v, eps)\n"
    body = (body + ROOTS[root]).replace("(d", "(x").replace("d)", "x)")
    recognized(body + "\ny = nn.mul(n, scale)", "rms_norm")


SOFTMAX = """
    m = nn.reduce_max(x) {axes: (1)}
    k = nn.reshape(m) {shape: (4, 1)}
    d = nn.sub(x, k)
    e = nn.exp(d)
    t = nn.reduce_sum(e) {axes: (1)}
    r = nn.reshape(t) {shape: (4, 1)}
"""


def test_softmax_is_recognized():
    recognized(SOFTMAX + "y = nn.div(e, r)", "softmax")
    recognized(SOFTMAX + "l = nn.log(r)\ny = nn.sub(d, l)", "log_softmax")


@pytest.mark.parametrize(
    "body",
    [
        "a = nn.div(x, root)\nb = nn.erf(a)\nc = nn.add(b, one)\nd = nn.mul(x, c)\n"
        "y = nn.mul(d, half)",
        "h = nn.mul(half, x)\na = nn.div(x, root)\nb = nn.erf(a)\nc = nn.add(one, b)\n"
        "y = nn.mul(h, c)",
        "a = nn.div(x, root)\nb = nn.erf(a)\nc = nn.add(b, one)\nd = nn.mul(half, c)\n"
        "y = nn.mul(x, d)",
    ],
)
def test_gelu_is_recognized(body: str):
    recognized(body, "gelu")


def test_silu_is_recognized():
    recognized("s = nn.sigmoid(x)\ny = nn.mul(s, x)", "silu")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("y = nn.div(e, r)", "y = nn.div(d, r)"),
        ("m = nn.reduce_max(x)", "m = nn.reduce_min(x)"),
        ("d = nn.sub(x, k)", "d = nn.sub(k, x)"),
        ("t = nn.reduce_sum(e) {axes: (1)}", "z = nn.neg(e)\nt = nn.reduce_sum(z) {axes: (1)}"),
        ("y = nn.div(e, r)", "z = nn.div(e, r)\ny = nn.add(z, d)"),
    ],
)
def test_what_is_nearly_one_is_none(old: str, new: str):
    body = (SOFTMAX + "y = nn.div(e, r)").replace(old, new)
    ((network, _),) = parse_networks(f"{HEAD}{body}\nreturn y = y }}", "a.net").values()
    now, changes = after(network, "recognize_operators")
    assert not changes["recognize_operators"] and now is network


@pytest.mark.parametrize("mean", MEANS)
def test_a_mean_is_one_of_all_that_a_row_has(mean: str):
    """Of 8 elements: not their sum over 9, nor over 8 of other rows."""
    text = HEAD.replace("fill(0.125)", "fill(0.111)").replace("fill(8)", "fill(9)")
    body = MEANS[mean].format("c", "x") + "\nd = nn.sub(x, c)\n" + SQUARES["square"]
    body += MEANS[mean].format("v", "sq") + "\nve = nn.add(v, eps)\n" + ROOTS["rsqrt"]
    text += body + "\ny = nn.mul(n, scale)\nreturn y = y }"
    ((network, _),) = parse_networks(text, "a.net").values()
    assert not after(network, "recognize_operators")[1]["recognize_operators"]


def test_what_rounds_by_a_large_number_stays():
    text = """network @n(x: f32[3]) -> (y: f32[3]) {
        large: f32[] = [12582912.0]
        part: f32[3] = [2.0, 1.0, 1.0]
        m = nn.mul(x, part)
        a = nn.add(m, large)
        s = nn.sub(a, large)
        y = nn.mul(s, part)
        return y = y
    }"""
    ((network, _),) = parse_networks(text, "a.net").values()
    now, _ = after(network, *BY_NAME)
    x = np.array([0.3, 1.6, -2.5], "f4")
    assert run_network(now, {"x": x})["y"].tolist() == [2.0, 2.0, -2.0]
