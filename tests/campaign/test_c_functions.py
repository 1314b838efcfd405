"""Random C functions, as clang compiles them from -O0 to -O3 with vectors and masks, compute what
they compute natively.

pytest -m campaign tests/campaign/test_c_functions.py

Newer compilers than clang 16 come with zig (`pip install ziglang`): 0.15.1 has clang 20, 0.17.1
clang 22.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from tests.campaign.seeds import campaign, check_all
from tests.compiler.frontends.c_random import program
from tests.compiler.frontends.llvm_native import clang, native, needs_clang, ours

WAYS = (("-O1",), ("-O2",), ("-O3", "-mavx2"), ("-O3", "-march=skylake-avx512"))
ZIG = ("-target", "x86_64-linux-gnu", "-g0", "-fno-sanitize=undefined", "-S", "-emit-llvm")
OF_ZIG = (("-O0",), ("-O1",), ("-O2",), ("-O3", "-mcpu=x86_64_v4"))


def by_clang(source: Path, seed: int) -> str:
    return clang(source, *WAYS[seed % len(WAYS)], "-w", vectors=True)


def by_zig(source: Path, seed: int) -> str:
    made = source.with_suffix(".ll")
    command = [sys.executable, "-m", "ziglang", "cc", *ZIG, *OF_ZIG[seed % 4], "-w", source]
    subprocess.run([*map(str, command), "-o", str(made)], check=True, capture_output=True)
    return made.read_text()


def check(seed: int, compiled=by_clang) -> None:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "p.c"
        source.write_text(program(seed))
        judge, made = clang(source, "-O0", "-w"), compiled(source, seed)
    draw = np.random.default_rng(seed)
    given = {"p": draw.integers(0, 256, 512, np.uint8), "a": draw.integers(0, 256, 512, np.uint8)}
    want, got = (native(judge, "f", given | {"n": 30}),
                 ours(made, "f", given | {"n": 30}, "ir", "itanium2"))  # fmt: skip
    assert got.value == want.value
    assert list(got.arrays.values())[1] == list(want.arrays.values())[1]


@needs_clang
def test_a_few_functions():
    check_all(check, range(2))


@needs_clang
@campaign(100, 0, 1000)
def test_campaign(seeds: range):
    check_all(check, seeds)


@needs_clang
@pytest.mark.skipif(find_spec("ziglang") is None, reason="zig is not there: pip install ziglang")
@campaign(100, 0, 300)
def test_campaign_of_newer_compilers(seeds: range):
    check_all(lambda seed: check(seed, by_zig), seeds)
