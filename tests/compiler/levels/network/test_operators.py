"""Operators mean what the tensor rows of their names do, and the others what numpy says.

Where nothing is accumulated, nor a polynomial, every bit is the same, for NaN, infinities and both
zeros too; else numbers are near each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import pytest

from compiler.levels.network.checking import applied
from compiler.levels.network.network import Unfit
from compiler.levels.network.operators import OPERATORS
from compiler.levels.network.operators.elementwise import BINARY, UNARY
from compiler.levels.network.operators.type_rules import types_of_row
from machines.elements import DTYPES, as_elements, as_numbers, from_memory, in_memory, type_of
from machines.instructions import operations
from machines.levels.network.tensors import TensorType
from machines.tensors.elements import stored_type
from machines.tensors.loops import python_loops
from machines.tensors.sizes import extents_of, sizes_of
from machines.types import BF16, E4M3, E5M2, F16, F32, F64, I8, I32, I64, TYPES, U8, Type
from tests.compiler.levels.network.random_networks import MAKERS, random_network

ROWS = operations().family("ir")
POLYNOMIALS = {"exp", "log", "sin", "cos", "tanh", "sigmoid", "erf", "gelu", "silu", "pow"}
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3e38, 1e-40, 250.0)


def numbers(random: np.random.Generator, element: Type, shape: Sequence[int]) -> np.ndarray:
    """Elements of a type, special ones among them."""
    count = prod(shape)
    if element.is_float:
        values = np.where(
            random.integers(2, size=count),
            random.choice(SPECIAL, count),
            np.round(random.uniform(-9, 9, count), int(random.integers(3))),
        )
    else:
        wide = [element.lowest, element.highest, 0, 1, 7]
        values = np.where(
            random.integers(2, size=count),
            random.choice(wide, count),
            random.integers(max(element.lowest, -9), min(element.highest, 9), count),
        )
    return as_elements(values.reshape(shape), element)


def plain(random: np.random.Generator, element: Type, shape: Sequence[int]) -> np.ndarray:
    """Elements that can be added up."""
    if element.is_float:
        return as_elements(random.uniform(-2, 2, shape), element)
    return as_elements(random.integers(max(element.lowest, -9), 10, shape), element)


def evaluated(name: str, *operands: np.ndarray, **attributes: object) -> tuple[np.ndarray, ...]:
    """What an operator gives; all that it says of its results' types holds."""
    types = [TensorType(type_of(array.dtype), array.shape) for array in operands]
    complete, results = applied(OPERATORS[name], types, attributes)
    found = OPERATORS[name].evaluate(operands, complete, results)
    assert [(a.dtype, a.shape) for a in found] == [
        (DTYPES[type.element.name], type.shape) for type in results
    ]
    return found


def by_row(name: str, operands: dict[str, np.ndarray], **known: object) -> dict[str, np.ndarray]:
    """What a tensor row leaves in the memory that it writes."""
    row = ROWS[f"tensor.{name}"]
    arrays, elements = {}, {}
    for operand in row.operands:
        if operand.name in operands:
            element = type_of(operands[operand.name].dtype)
            stored = in_memory(operands[operand.name]).view(stored_type(element))
            arrays[operand.name] = stored
            known[operand.name] = operands[operand.name].size
        if hasattr(operand.kind, "access"):
            elements[operand.name] = operand.kind.type
    known |= sizes_of(row.walk, extents_of(row.walk, known))
    return {
        name: from_memory(array.view(np.uint8), DTYPES[elements[name].name], (known[name],))
        for name, array in python_loops(row)(arrays, known).items()
    }


def same(found: np.ndarray, wanted: np.ndarray, exact: bool) -> None:
    found, wanted = as_numbers(found).reshape(-1), as_numbers(wanted)
    if exact:
        np.testing.assert_array_equal(found, wanted)
        if found.dtype.kind == "f":
            known = ~np.isnan(found)
            np.testing.assert_array_equal(np.signbit(found)[known], np.signbit(wanted)[known])
    else:
        unit = {2: 2e-3, 4: 1e-5, 8: 1e-9}.get(found.dtype.itemsize, 0)
        np.testing.assert_allclose(
            found.astype(np.float64), wanted.astype(np.float64), rtol=unit, atol=unit
        )


def of_row(name: str) -> list[tuple[str, Type]]:
    return [(name, element) for element in types_of_row(f"tensor.{name}")]


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name: str):
    random = np.random.default_rng(1)
    for _, element in of_row(name):
        x = numbers(random, element, (40,))
        (found,) = evaluated(name, x)
        wanted = by_row(f"{name}.{element}", {"a": x})["d"]
        near = name in POLYNOMIALS
        if near and element is BF16:
            _within_one(found, wanted)
        else:
            same(found, wanted, exact=not near)


def _within_one(found: np.ndarray, wanted: np.ndarray) -> None:
    """bf16, of which one is 2**-7 of a number."""
    np.testing.assert_allclose(as_numbers(found), as_numbers(wanted), rtol=2**-7, atol=1e-6)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name: str):
    random = np.random.default_rng(2)
    for _, element in of_row(name):
        x, y = (numbers(random, element, (80,)) for _ in range(2))
        if name.startswith("sh"):
            y = as_elements(random.integers(0, 70, 80), element)
        (found,) = evaluated(name, x, y)
        wanted = by_row(f"{name}.{element}", {"a": x, "b": y})["d"]
        if name == "pow" and element is BF16:
            _within_one(found, wanted)
        else:
            same(found, wanted, exact=name not in POLYNOMIALS)


def test_selection_and_clipping():
    random = np.random.default_rng(3)
    for _, element in of_row("select"):
        p, x, y = (numbers(random, element, (60,)) for _ in range(3))
        wanted = by_row(f"select.{element}", {"p": p, "a": x, "b": y})["d"]
        same(evaluated("select", p, x, y)[0], wanted, exact=True)
        low, high = (0, 3) if not element.is_float else (-0.5, 2.5)
        wanted = by_row(f"clip.{element}", {"a": x}, low=low, high=high)["d"]
        same(evaluated("clip", x, low=low, high=high)[0], wanted, exact=True)
        low, high = (-np.inf, np.inf) if element.is_float else (element.lowest, element.highest)
        wanted = by_row(f"clip.{element}", {"a": x}, low=low, high=high)["d"]
        same(evaluated("clip", x)[0], wanted, exact=True)


@pytest.mark.parametrize("mode", ["plain", "round", "saturate"])
def test_conversions(mode: str):
    random, done = np.random.default_rng(4), 0
    suffix = "" if mode == "plain" else f"_{mode}"
    for source in types_of_row("tensor.copy"):
        x = numbers(random, source, (40,))
        if source is I64:
            x = random.integers(-(1 << 63), (1 << 63) - 1, 40)
        for target in types_of_row("tensor.copy"):
            row = f"convert{suffix}.{source}.{target}"
            if f"tensor.{row}" not in ROWS:
                continue
            (found,) = evaluated("convert", x, to=target, mode=mode)
            same(found, by_row(row, {"a": x})["d"], exact=True)
            done += 1
    assert done > 30


def test_saturation_where_no_number_is_too_large():
    x = as_elements(np.array([-128, 127]), I8)
    assert evaluated("convert", x, to=I32, mode="saturate")[0].tolist() == [-128, 127]
    for source, target, mode in ((F32, I8, "saturate"), (I8, F32, "round"), (F32, F16, "saturate")):
        with pytest.raises(Unfit):
            applied(OPERATORS["convert"], [TensorType(source, (2,))], {"to": target, "mode": mode})


@pytest.mark.parametrize("name", ["sum", "max", "min", "prod"])
def test_reductions(name: str):
    random = np.random.default_rng(5)
    for _, element in of_row(f"reduce_{name}"):
        exact = name in ("max", "min") or not element.is_float
        draw = numbers if exact else plain
        x = draw(random, element, (2, 5, 3))
        row = np.moveaxis(x, 1, 2) if x.dtype.names is None else x.transpose(0, 2, 1)
        wanted = by_row(f"reduce_{name}.{element}", {"a": row}, rows=6, columns=5)["d"]
        (found,) = evaluated(f"reduce_{name}", x, axes=(1,))
        if element is BF16 and not exact:
            _within_one(found.reshape(-1), wanted)
        else:
            same(found, wanted, exact)


def test_places_of_the_largest():
    random = np.random.default_rng(6)
    for _, element in of_row("reduce_max"):
        for _ in range(6):
            x = numbers(random, element, (4, 5))
            if element.is_float:
                x[0] = as_elements([np.nan, -np.inf, np.nan, -np.inf, np.nan], element)
                x[1] = as_elements([np.nan, np.inf, np.nan, np.nan, np.inf], element)
            for name in ("argmax", "argmin"):
                row = f"reduce_{name}.{element}.i32"
                wanted = by_row(row, {"a": x}, rows=4, columns=5)["d"]
                same(evaluated(name, x, axis=1)[0], wanted, exact=True)
                same(evaluated(name, np.swapaxes(x, 0, 1), axis=0)[0], wanted, exact=True)
            wanted = by_row(f"topk.{element}", {"a": x}, rows=4, columns=5, k=3)
            values, places = evaluated("topk", x, k=3)
            same(places, wanted["e"], exact=True)
            same(values, wanted["d"], exact=True)


PRODUCTS = [
    (name.split(".")[2], name.split(".")[-1]) for name in ROWS if name.startswith("tensor.matmul.")
]


@pytest.mark.parametrize(("source", "target"), PRODUCTS)
def test_products(source: str, target: str):
    random, types = np.random.default_rng(7), (TYPES[source], TYPES[target])
    row = source if source == target else f"{source}.{target}"
    a, b = plain(random, types[0], (3, 4)), plain(random, types[0], (4, 6))
    known = {"m": 3, "k": 4, "n": 6}
    wanted = by_row(f"matmul.{row}", {"a": a, "b": b}, **known)["d"]
    (found,) = evaluated("matmul", a, b, to=types[1])
    near = _within_one if target == "bf16" else lambda *pair: same(*pair, types[1].is_integer)
    near(found.reshape(-1), wanted)
    (again,) = evaluated("matmul", a, b.transpose(1, 0), to=types[1], transposed=True)
    assert in_memory(again).tobytes() == in_memory(found).tobytes()
    batched = evaluated("matmul", np.stack([a, a]), b[None], to=types[1])[0]
    assert in_memory(batched).tobytes() == 2 * in_memory(found).tobytes()

    x, w = plain(random, types[0], (2, 5, 4, 4)), plain(random, types[0], (6, 2, 3, 2))
    window = {"top": 1, "left": 0, "bottom": 2, "right": 1, "dy": 2, "dx": 1, "sy": 1, "sx": 2}
    known = {"height": 5, "width": 4, "ci": 4, "co": 6, "kh": 2, "kw": 3, "groups": 2, **window}
    rows = [by_row(f"conv_padded.{row}", {"a": image, "b": w}, **known)["d"] for image in x]
    attributes = {"pads": (1, 0, 2, 1), "dilations": (2, 1), "strides": (1, 2), "groups": 2}
    (found,) = evaluated("conv", x, w, to=types[1], **attributes)
    near(found.reshape(-1), np.concatenate(rows))


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_convolutions_go_image_by_image_and_row_by_row(groups: int, monkeypatch):
    """Whatever is laid out at once; six groups are a kernel a channel."""
    from compiler.levels.network.operators import products

    random = np.random.default_rng(8)
    x, w = plain(random, F32, (2, 7, 6, 6)), plain(random, F32, (6, 3, 3, 6 // groups))
    whole = evaluated("conv", x, w, groups=groups, pads=(1, 1, 1, 1))[0]
    monkeypatch.setattr(products, "CHUNK", 1)
    (found,) = evaluated("conv", x, w, groups=groups, pads=(1, 1, 1, 1))
    np.testing.assert_allclose(found, whole, rtol=1e-5, atol=1e-5)


def test_products_of_integers_wrap():
    a = np.full((1, 3), 1 << 62, np.int64)
    assert evaluated("matmul", a, np.full((3, 1), 2, np.int64))[0].tolist() == [[-(1 << 63)]]
    b = np.full((1, 5), 32767, np.int16)
    assert evaluated("matmul", b, b.T)[0].tolist() == [[5]]
    assert evaluated("matmul", b[:, :1], b.T[:1], to=I32)[0].tolist() == [[32767 * 32767]]
    c = np.full((1, 1 << 11), -128, np.int8)
    assert evaluated("matmul", c, c.T, to=I32)[0].tolist() == [[128 * 128 << 11]]
    d = np.full((1, 2), (1 << 31) - 1, np.int32)
    assert evaluated("matmul", d, d.T)[0].tolist() == [[2]]


def test_pools():
    random = np.random.default_rng(9)
    window = {"top": 1, "left": 0, "bottom": 1, "right": 1, "dy": 2, "dx": 1, "sy": 1, "sx": 2}
    known = {"height": 5, "width": 4, "channels": 3, "kh": 2, "kw": 3, **window}
    attributes = {"kernel": (2, 3), "pads": (1, 0, 1, 1), "dilations": (2, 1), "strides": (1, 2)}
    for name in ("pool_max", "pool_average"):
        for _, element in of_row(name):
            draw = numbers if name == "pool_max" else plain
            x = draw(random, element, (1, 5, 4, 3))
            wanted = by_row(f"{name}_padded.{element}", {"a": x}, **known)["d"]
            (found,) = evaluated(name, x, **attributes)
            if name == "pool_average" and element is BF16:
                _within_one(found.reshape(-1), wanted)
            else:
                same(found, wanted, exact=name == "pool_max")
    x = as_elements(np.arange(1.0, 5.0).reshape(1, 2, 2, 1), F32)
    inside = evaluated("pool_average", x, kernel=(2, 2), pads=(1, 1, 0, 0), borders=False)[0]
    assert inside.ravel().tolist() == [1.0, 1.5, 2.0, 2.5]


def test_what_is_taken_and_put():
    random = np.random.default_rng(10)
    places = np.array([2, 0, 5, 1, 2], np.int32)
    for _, element in of_row("gather.i32"):
        x, updates = (numbers(random, element, (n, 3)) for n in (4, 5))
        given = {"a": x, "places": places}
        wanted = by_row(f"gather.i32.{element}", given, rows=4, columns=3)["d"]
        same(evaluated("gather", x, places, axis=0)[0], wanted, exact=True)
        given = {"acc": x, "a": updates, "places": places}
        wanted = by_row(f"scatter.i32.{element}", given, rows=4, columns=3)["d"]
        same(evaluated("scatter", x, places, updates)[0], wanted, exact=True)
        x, updates = (plain(random, element, (n, 3)) for n in (4, 5))
        given = {"acc": x, "a": updates, "places": places}
        wanted = by_row(f"scatter_add.i32.{element}", given, rows=4, columns=3)["d"]
        same(evaluated("scatter_add", x, places, updates)[0], wanted, exact=not element.is_float)
    x = np.arange(6, dtype="f4").reshape(2, 3)
    negative = np.array([[-1, 0], [-3, -4]], np.int32)
    found = evaluated("gather", x, negative, axis=1)[0]
    assert found.tolist() == [[[2, 0], [0, 0]], [[5, 3], [3, 0]]]
    put = evaluated("scatter", x, np.array([-1, -3], np.int32), x + 10)[0]
    assert put.tolist() == [[0, 1, 2], [10, 11, 12]]


def test_rows_that_are_scaled():
    random = np.random.default_rng(11)
    for element, unit in ((F32, 1e-5), (F16, 2e-3), (BF16, 2e-2)):
        x, scale, shift = (plain(random, element, shape) for shape in ((3, 7), (7,), (7,)))
        wide, factor, added = (as_numbers(a).astype(np.float64) for a in (x, scale, shift))
        powers = np.exp(wide) / np.exp(wide).sum(-1, keepdims=True)
        apart = wide - wide.mean(-1, keepdims=True)
        normed = apart / np.sqrt((apart**2).mean(-1, keepdims=True) + 0.1)
        squared = wide / np.sqrt((wide**2).mean(-1, keepdims=True) + 0.1)
        for name, operands, wanted in (
            ("softmax", (x,), powers),
            ("log_softmax", (x,), np.log(powers)),
            ("layer_norm", (x, scale, shift), normed * factor + added),
            ("layer_norm", (x, scale), normed * factor),
            ("rms_norm", (x, scale), squared * factor),
        ):
            epsilon = {"epsilon": 0.1} if name.endswith("norm") else {}
            (found,) = evaluated(name, *operands, **epsilon)
            np.testing.assert_allclose(as_numbers(found), wanted, rtol=unit, atol=unit)
    large = np.array([[1e38, 1e38, -np.inf]], "f4")
    assert evaluated("softmax", large)[0].tolist() == [[0.5, 0.5, 0.0]]


def test_what_moves():
    x = np.arange(24, dtype="i4").reshape(2, 3, 4)
    found = {
        "transpose": (evaluated("transpose", x, order=(2, 0, 1))[0], x.transpose(2, 0, 1)),
        "reshape": (evaluated("reshape", x, shape=(6, 4))[0], x.reshape(6, 4)),
        "broadcast": (
            evaluated("broadcast", x[:, :1], shape=(5, 2, 3, 4))[0],
            np.broadcast_to(x[:, :1], (5, 2, 3, 4)),
        ),
        "slice": (
            evaluated("slice", x, starts=(0, 2, 3), sizes=(2, 2, 4), steps=(1, -2, -1))[0],
            x[:, ::-2, ::-1],
        ),
        "concat": (evaluated("concat", x, x[:, :1], axis=1)[0], np.concatenate([x, x[:, :1]], 1)),
    }
    for mode in ("constant", "edge", "reflect", "wrap"):
        around = {"before": (0, 1, 2), "after": (1, 0, 3)}
        pads = list(zip(*around.values(), strict=True))
        filled = {"constant_values": 7} if mode == "constant" else {}
        found[mode] = (
            evaluated("pad", x, **around, mode=mode, value=7)[0],
            np.pad(x, pads, mode=mode, **filled),
        )
    for name, (one, wanted) in found.items():
        np.testing.assert_array_equal(one, wanted, name)


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_sums_up_to_each(exclusive: bool, reverse: bool):
    x = np.arange(1, 13, dtype="i4").reshape(3, 4)
    rows = x[::-1] if reverse else x
    wanted = np.cumsum(rows, 0) - (rows if exclusive else 0)
    wanted = wanted[::-1] if reverse else wanted
    (found,) = evaluated("cumulative_sum", x, axis=0, exclusive=exclusive, reverse=reverse)
    np.testing.assert_array_equal(found, wanted)
    halves = as_elements(x, BF16)
    (found,) = evaluated("cumulative_sum", halves, axis=0, exclusive=exclusive, reverse=reverse)
    np.testing.assert_array_equal(as_numbers(found), wanted)


@pytest.mark.parametrize("element", [E4M3, E5M2, BF16, TYPES["i4"], TYPES["u4"], U8, F64])
def test_elements_that_numpy_has_not_are_moved(element: Type):
    random = np.random.default_rng(12)
    x = numbers(random, element, (2, 3))
    wide = as_numbers(x)
    for found, wanted in (
        (evaluated("transpose", x, order=(1, 0))[0], wide.T),
        (evaluated("pad", x, before=(1, 0), after=(0, 1), value=1)[0],
         np.pad(wide, ((1, 0), (0, 1)), constant_values=1)),
        (evaluated("pad", x, before=(1, 0), after=(0, 1), mode="edge")[0],
         np.pad(wide, ((1, 0), (0, 1)), mode="edge")),
        (evaluated("concat", x, x, axis=1)[0], np.concatenate([wide, wide], 1)),
        (evaluated("slice", x, starts=(1, 2), sizes=(1, 3), steps=(1, -1))[0], wide[1:, ::-1]),
    ):  # fmt: skip
        np.testing.assert_array_equal(as_numbers(found), wanted)


def test_results_are_of_the_types_that_the_rules_say():
    """Of random networks every node: the rule and numpy agree about shapes and types."""
    seen = set()
    for seed in range(40):
        network = random_network(1000 + seed, 12)
        values = {n: c.elements for n, c in network.constants.items()}
        random = np.random.default_rng(seed)
        for name in network.inputs:
            values[name] = plain(random, network.types[name].element, network.types[name].shape)
        for node in network.nodes:
            operands = [values[name] for name in node.operands]
            types = [network.types[name] for name in node.results]
            results = node.operator.evaluate(operands, node.attributes, types)
            for name, array, type in zip(node.results, results, types, strict=True):
                assert (array.dtype, array.shape) == (DTYPES[type.element.name], type.shape)
                values[name] = array
            seen.add(node.operator.name)
    assert len(seen) > len(MAKERS) - 15
