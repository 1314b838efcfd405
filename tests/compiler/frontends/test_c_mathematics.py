"""The mathematics that C programs are given: within 1 ulp of numpy's extended precision, exact
where there is an exact result, and special cases as this computer's C library (glibc) has them.

pytest -m campaign tests/compiler/frontends/test_c_mathematics.py
"""

from __future__ import annotations

import ctypes
import ctypes.util
import math
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from compiler.frontends.llvm.library import OF_ONE
from tests.campaign.seeds import campaign, check_all, spread
from tests.compiler.frontends.llvm_native import native, ours
from tests.compiler.frontends.test_c_library import Library, pytestmark  # noqa: F401 glibc

needs_extended = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="numpy has no extended precision on this computer"
)
WHERE = {
    "exp": (-745, 710), "exp2": (-1074, 1024), "exp10": (-323, 308), "expm1": (-40, 709),
    "sinh": (-700, 700), "cosh": (-700, 700), "tanh": (-20, 20), "log": None, "log2": None,
    "log10": None, "log1p": (-1, 40), "asinh": (-1e9, 1e9), "acosh": (1, 1e9), "atanh": (-1, 1),
    "cbrt": None, "sin": None, "cos": None, "tan": None, "asin": (-1, 1), "acos": (-1, 1),
    "atan": (-1e6, 1e6),
}  # fmt: skip
"""Where each function is looked at: an interval, or all numbers (of logarithms, those above 0)."""
TWO = ("pow", "atan2", "hypot")
EXACT = ("fmod", "remainder", "fdim", "nextafter")
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh",
         "acosh": "arccosh", "atanh": "arctanh", "pow": "power", "atan2": "arctan2"}  # fmt: skip
SPECIAL = (0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, 5e-324, -2.3e-308, 1.7e308, math.inf, -math.inf,
           math.nan)  # fmt: skip
FLOATS = tuple(f"{name}f" for name in (*WHERE, *TWO, "fmod", "remainder", "fdim"))


@lru_cache
def library() -> Library:
    one, two = "double double", "double double double"
    floats = {n: f"float {'float' if n[:-1] in WHERE else 'float float'}" for n in FLOATS}
    return Library(**dict.fromkeys(WHERE, one), **dict.fromkeys((*TWO, *EXACT), two), **floats)


def judge(name: str, *given: float) -> np.longdouble:
    """The value in extended precision."""
    x = [np.longdouble(value) for value in given]
    with np.errstate(all="ignore"):
        if name == "exp10":
            return np.longdouble(10) ** x[0]
        return getattr(np, NUMPY.get(name, name))(*x)


def error(name: str, got: float, *given: float) -> float:
    """Of a finite value how many units of its last place it is off."""
    want = judge(name, *given)
    with np.errstate(all="ignore"):
        if float(want) == got or (math.isnan(want) and math.isnan(got)):
            return 0.0
        return float(abs(np.longdouble(got) - want) / np.spacing(abs(np.float64(want))))


def random_argument(name: str, draw: np.random.Generator) -> float:
    low, high = WHERE[name] or (0, 0)
    kind = draw.integers(3)
    size = float(2.0 ** draw.uniform(-60 if low or kind else -1070, 4 if low or kind else 1020))
    if not low:
        return size if name.startswith("log") or draw.integers(2) else -size
    if kind:
        return float(draw.uniform(low, high))
    return min(max(low + size if low == 1 or draw.integers(2) else size, low), high)


def check(seed: int) -> None:
    draw = np.random.default_rng(seed)
    for name in WHERE:
        x = random_argument(name, draw)
        assert error(name, library()(name, x), x) < 1, (name, x)
    for name in TWO:
        a, b = (float(2.0 ** draw.uniform(-30, 30)), float(draw.uniform(-40, 40)))
        assert error(name, library()(name, a, b), a, b) < 1, (name, a, b)


@needs_extended
def test_within_one_ulp():
    check_all(check, range(2))


@needs_extended
@campaign(100, 0, 1000)
def test_campaign(seeds: range):
    check_all(check, seeds)


def glibc(name: str, count: int):
    function = getattr(ctypes.CDLL(ctypes.util.find_library("m")), name)
    kind = ctypes.c_float if name in FLOATS else ctypes.c_double
    function.restype, function.argtypes = kind, [kind] * count
    return function


@pytest.mark.parametrize("name", [*WHERE, *TWO, *EXACT])
def test_special_cases(name: str):
    """Zeros, infinities and NaN, and the sign of zeros; finite results to 2 ulp."""
    count = 1 if name in WHERE else 2
    their = glibc(name, count)
    for given in product(SPECIAL[:: 1 if count == 1 else 2], repeat=count):
        got, want = library()(name, *given), their(*given)
        close = got == want or abs(got - want) <= 2 * math.ulp(want)
        same = repr(got) == repr(want) or (close and math.isfinite(want) and want != 0)
        assert same or (math.isnan(got) and math.isnan(want)), (name, given, got, want)


def test_of_floats():
    draw = np.random.default_rng(1)
    for name in FLOATS:
        base = name[:-1]
        for _ in range(3):
            if base in WHERE:
                given = [np.float32(random_argument(base, draw) % 80 if WHERE[base] else
                                    abs(draw.normal()))]  # fmt: skip
                low, high = WHERE[base] or (-np.inf, np.inf)
                given = [np.float32(np.clip(given[0], low, high))]
            else:
                given = [np.float32(abs(draw.normal())), np.float32(draw.normal())]
            got = np.float32(library()(name, *map(float, given)))
            want = np.float32(glibc(name, len(given))(*map(float, given)))
            assert got == want or abs(got - want) <= np.spacing(abs(want)), (name, given, got, want)


CALLS = "".join(
    f"declare double @llvm.{name}.f64(double)\n"
    f"declare <2 x float> @llvm.{name}.v2f32(<2 x float>)\n"
    for name in OF_ONE
)


@pytest.mark.parametrize("name", spread(OF_ONE, 9))
def test_functions_of_llvm(name: str):
    text = (
        f"{CALLS}define double @f(double %x) {{\n  %a = call double @llvm.{name}.f64(double %x)\n"
        "  %y = fptrunc double %x to float\n"
        "  %v = insertelement <2 x float> undef, float %y, i32 0\n"
        "  %w = insertelement <2 x float> %v, float 0.5, i32 1\n"
        f"  %b = call <2 x float> @llvm.{name}.v2f32(<2 x float> %w)\n"
        "  %c = extractelement <2 x float> %b, i32 0\n  %d = fpext float %c to double\n"
        "  %r = frem double %a, 0.001\n  %s = fadd double %d, %r\n  ret double %s\n}\n"
    )
    given = {"x": 0.75}
    got, want = ours(text, "f", given, "ir", "itanium2").value, native(text, "f", given).value
    assert got == pytest.approx(want, rel=1e-7)
