"""Random LLVM functions of all types, and with all kinds of arguments and results, compute what
LLVM's own compiler makes of them.

pytest -m campaign -n 2 tests/campaign/test_llvm.py
CAMPAIGN=10000:15000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from tests.campaign.seeds import campaign, check_all
from tests.compiler.frontends.llvm_native import native, ours
from tests.compiler.frontends.llvm_random import function_of, random_rows
from tests.compiler.frontends.llvm_random_vectors import program as vector_program
from tests.compiler.frontends.llvm_signatures import program

SHORT = range(20)
NUMBERS = (0.0, -0.0, 1.5, -3.25, 2.0**100, 1e-45, float("nan"), float("inf"))


def check_other_widths(seed: int) -> None:
    """Three widths beside those that our IR has, one of them beyond 64 bits."""
    draw = random.Random(seed)
    check(seed, (draw.randrange(2, 33), draw.randrange(33, 65), draw.randrange(65, 129)))


def check(seed: int, others: Sequence[int] = ()) -> None:
    """In the interpreter; every twentieth is compiled, too."""
    draw = random.Random(seed)
    words = [draw.choice((draw.getrandbits(64) - (1 << 63), draw.randrange(-3, 4))) for _ in "ab"]
    floats = [draw.choice((*NUMBERS, float(draw.randrange(1 << 20)))) for _ in "xy"]
    arguments = dict(zip("abxy", words + floats, strict=True))
    text = function_of(random_rows(seed, draw.randrange(1, 40)), others)
    expected = native(text, "f", arguments).value
    for way in ("ir", "machine") if seed % 20 == 0 else ("ir",):
        assert ours(text, "f", arguments, way, "itanium2").value == expected, way


def test_a_few_functions():
    for seed in SHORT:
        check(seed)


def test_a_few_functions_of_other_widths():
    for seed in SHORT:
        check_other_widths(seed)


@campaign(250)
def test_campaign_of_other_widths(seeds: range):
    check_all(check_other_widths, seeds)


@campaign(250)
def test_campaign(seeds: range):
    check_all(check, seeds)


def check_calls(seed: int) -> None:
    given, text = {"a": random.Random(seed).getrandbits(63)}, program(seed)
    expected = native(text, "f", given)
    for way in ("ir", "machine") if seed % 10 == 0 else ("ir",):
        assert ours(text, "f", given, way, "itanium2") == expected, way


def check_vectors(seed: int) -> None:
    draw, text = np.random.default_rng(seed), vector_program(seed)
    given = {"p": draw.integers(0, 256, 256, np.uint8), "a": int(draw.integers(0, 1 << 62))}
    expected = native(text, "f", given)
    for way in ("ir", "machine") if seed % 10 == 0 else ("ir",):
        assert ours(text, "f", given, way, "itanium2") == expected, way


def test_a_few_functions_of_vectors():
    for seed in SHORT:
        check_vectors(seed)


@campaign(200)
def test_campaign_of_vectors(seeds: range):
    check_all(check_vectors, seeds)


@campaign(100, 0, 2000)
def test_campaign_of_calls(seeds: range):
    check_all(check_calls, seeds)
