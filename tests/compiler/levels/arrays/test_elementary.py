"""The library's functions against Python's in f64, in units of the last place of f32.

pytest -m campaign tests/compiler/levels/arrays/test_elementary.py  100,000 arguments each
"""

from __future__ import annotations

import math
import random
import struct
from functools import cache

import pytest

from compiler.levels.arrays.facts import is_total
from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.table import Graph
from compiler.levels.arrays.vectorize import vectorize
from tests.campaign.seeds import campaign, short_form, spread

NAMES = ("exp", "log", "sin", "cos", "tanh", "erf")
MOST_ULPS = 2.0
LARGEST = float.fromhex("0x1.fffffep127")
INF, NAN = math.inf, math.nan


def of_bits(pattern: int) -> float:
    return struct.unpack("<f", struct.pack("<I", pattern))[0]


def to_bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def nearest(value: float) -> float:
    """The nearest f32, of finite numbers within the range of f32."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


@cache
def caller(name: str) -> Graph:
    return read_functions(f"@function\ndef f(x: f32) -> f32:\n    return {name}(x)\n", "f.py")


def found(name: str, x: float) -> float:
    graph = caller(name)
    return evaluate(graph, graph.functions["f"], [x])


def wanted(name: str, x: float) -> float:
    """What Python's math gives in f64."""
    try:
        return getattr(math, name)(x)
    except OverflowError:
        return INF
    except ValueError:
        return -INF if name == "log" and x == 0.0 else NAN


def ulps(got: float, exact: float) -> float:
    """The error; what is as large as rounds to infinity is wanted to be infinite."""
    if exact != exact:
        return 0.0 if got != got else INF
    if got == exact:
        return 0.0
    if abs(exact) >= float.fromhex("0x1.ffffffp127"):
        return 0.0 if got == math.copysign(INF, exact) else INF
    exponent = max(math.frexp(exact)[1], -125)
    return abs(got - exact) / math.ldexp(1.0, exponent - 24)


def arguments(rng: random.Random, count: int) -> list[float]:
    """Every exponent, neighbours of multiples of pi / 2, where results leave the range; random."""
    made = [0.0, LARGEST, 1.0, of_bits(1), of_bits(0x7FFFFF), of_bits(0x800000), 0.5]
    made += [of_bits(e << 23 | rng.getrandbits(23)) for e in range(255) for _ in range(2)]
    made += [of_bits(to_bits(1.0) + k) for k in range(-40, 40)]
    made += [of_bits(rng.getrandbits(rng.randrange(1, 23))) for _ in range(50)]
    for edge in (88.72284, 103.97208, 87.33655, 0.0078125, 0.34657, 1.4142135, 3.92, 4.0, 20.0):
        made += [of_bits(to_bits(edge) + k) for k in range(-4, 5)]
    while len(made) < count // 2:
        kind = rng.randrange(4)
        if kind == 0:
            made.append(nearest(rng.uniform(0.0, 100.0)))
        elif kind == 1:
            made.append(nearest(rng.uniform(0.0, 2.0)))
        elif kind == 2:
            made.append(of_bits(rng.randrange(0x7F800000)))
        else:
            times = 1 + rng.randrange(1 << rng.randrange(1, 100))
            multiple = to_bits(times * (math.pi / 2))
            made.append(of_bits(multiple + rng.choice((-1, 0, 1))))
    return [x for a in made for x in (a, -a)]


# m 2 ** e of the f32 that come nearest to multiples of pi / 2 (1e-9 of a quadrant; all were tried)
NEAREST = [(16367173, 72), (10741887, 11), (16573937, -16), (10057457, 62), (11617958, 17)]
HUGE = [math.ldexp(*pair) for pair in NEAREST] + [1e22, 2.0**127, LARGEST, 3e38]


def worst(name: str, values: list[float]) -> tuple[float, float]:
    return max((ulps(found(name, x), wanted(name, x)), x) for x in values)


@pytest.mark.parametrize("count", short_form([20, 1200], 1))
@pytest.mark.parametrize("name", spread(NAMES, 2))
def test_errors(name: str, count: int):
    values = [*arguments(random.Random(name), count), *map(nearest, HUGE)]
    error, x = worst(name, values)
    print(f"{name}: at most {error:.3f} ulp, of {x!r}; {len(values)} arguments")
    assert error <= MOST_ULPS, x


@campaign(1, 0, 5)
@pytest.mark.parametrize("name", NAMES)
def test_errors_of_many(name: str, seeds: range):
    for seed in seeds:
        error, x = worst(name, arguments(random.Random(f"{name} {seed}"), 20_000))
        print(f"{name}: at most {error:.4f} ulp, of {x!r}")
        assert error <= MOST_ULPS, x


SPECIAL = {
    "exp": [(INF, INF), (-INF, 0.0), (0.0, 1.0), (-0.0, 1.0), (89.0, INF), (-104.0, 0.0)],
    "log": [(INF, INF), (-INF, NAN), (0.0, -INF), (-0.0, -INF), (-1.0, NAN), (1.0, 0.0)],
    "sin": [(INF, NAN), (-INF, NAN), (0.0, 0.0), (-0.0, -0.0)],
    "cos": [(INF, NAN), (-INF, NAN), (0.0, 1.0), (-0.0, 1.0)],
    "tanh": [(INF, 1.0), (-INF, -1.0), (0.0, 0.0), (-0.0, -0.0), (-30.0, -1.0)],
    "erf": [(INF, 1.0), (-INF, -1.0), (0.0, 0.0), (-0.0, -0.0), (-5.0, -1.0)],
}


@pytest.mark.parametrize("name", NAMES)
def test_special_values(name: str):
    for x, value in [*SPECIAL[name], (NAN, NAN)]:
        got = found(name, x)
        assert (got != got) if value != value else to_bits(got) == to_bits(value), (x, got)


@pytest.mark.parametrize("name", ["sin", "tanh", "erf"])
def test_odd_functions(name: str):
    for x in arguments(random.Random(1), 1400)[::14]:
        assert found(name, -x) == -found(name, x)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_faults_and_lanes_give_the_same_bits(name: str):
    graph = caller(name)
    assert is_total(graph, graph.functions["f"], {})
    vectors = vectorize(graph, "f", ["x"])
    rng = random.Random(name)
    lanes = [INF, -INF, NAN, -0.0, *rng.sample(arguments(rng, 600), 46)]
    results = evaluate(vectors.graph, vectors.function, [lanes])
    assert [to_bits(y) for y in results] == [to_bits(found(name, x)) for x in lanes]


def test_only_what_is_called_is_in_the_graph():
    assert set(caller("exp").functions) == {"library._exp", "library.exp", "f"}
    text = "@function\ndef f(x: f32) -> f32:\n    y = exp(x)\n    return x\n"
    assert set(read_functions(text, "f.py").functions) == {"f"}


def test_functions_of_the_file_come_first():
    text = """
from compiler.kernel import function, tanh

@function
def _exp(x: f32) -> f32:
    return x

@function
def exp(x: f32) -> f32:
    return _exp(x) + 1

@function
def f(xs: f32[:]) -> f32:
    return sum([exp(x) for x in xs]) + tanh(100.0) + max(map(cos, xs))
"""
    graph = read_functions(text, "f.py")
    assert evaluate(graph, graph.functions["f"], [[0.0, 2.0]]) == 6.0
