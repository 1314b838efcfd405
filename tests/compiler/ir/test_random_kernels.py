"""Random kernels: the same from the same seed, without races, with all that they promise."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from compiler.analyses.loops import loops
from compiler.interpret.functions import memory_for
from compiler.interpret.grids import interpret_grid
from compiler.ir.printer import print_module
from compiler.text_form import parse
from tests.programs.random_kernels import Options, generate

SEEDS = range(24)


def digest(seeds: range = SEEDS) -> str:
    texts = (print_module(generate(seed).module) for seed in seeds)
    return hashlib.sha256("".join(texts).encode()).hexdigest()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_threads_does_not_matter(seed):
    kernel = generate(seed)
    found = []
    for backward in (False, True):
        memory = memory_for(kernel.module, kernel.arguments)
        outcome = interpret_grid(
            kernel.function, kernel.arguments, memory, kernel.grid, backward=backward
        )
        assert outcome.status == "done", outcome.lines()
        assert not outcome.unassigned
        found.append(memory.bytes)
    assert np.array_equal(*found)


@pytest.mark.parametrize("width", [8, 16, 64])
def test_other_widths_of_warps(width):
    options = Options(warp_width=width)
    for seed in range(4):
        kernel = generate(seed, options)
        memory = memory_for(kernel.module, kernel.arguments)
        outcome = interpret_grid(
            kernel.function, kernel.arguments, memory, kernel.grid, warp_width=width
        )
        assert outcome.status == "done", outcome.lines()


def test_text_is_read_back():
    for seed in SEEDS:
        text = print_module(generate(seed).module)
        assert print_module(parse(text)) == text


def test_kernels_do_not_depend_on_the_hash_seed():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_random_kernels import digest\nprint(digest(range(8)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONHASHSEED": "99"}, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert run.stdout.strip() == digest(range(8))


def test_everything_appears():
    rows, irreducible, exits = set(), 0, 0
    for seed in range(60):
        function = generate(seed).function
        rows |= {i.operation.name for _, i in function.instructions()}
        for loop in loops(function).by_header.values():
            irreducible += loop.is_irreducible
            exits += len({target for _, target in loop.exits}) > 1
    assert {"barrier", "fence", "vote_any", "vote_all", "ballot", "laneid", "call.i32"} <= rows
    shuffles = {name for name in rows if name.startswith("shuffle")}
    assert {name.split(".")[0] for name in shuffles} == {
        f"shuffle_{n}" for n in ("index", "up", "down", "xor")
    }
    assert len([name for name in rows if name.startswith("atomic")]) == 15
    assert irreducible > 20
    assert exits > 20


def test_what_is_left_out_does_not_appear():
    options = Options(
        barriers=False, warp_operations=False, atomics=False, early_returns=False, calls=False
    )
    rows, returns = set(), 0
    for seed in range(20):
        function = generate(seed, options).function
        names = [i.operation.name for _, i in function.instructions()]
        rows |= set(names)
        returns = max(returns, names.count("return"))
    assert not [n for n in rows if n.split("_")[0] in ("atomic", "shuffle", "vote") or n == "fence"]
    assert "call.i32" not in rows
    assert returns == 1
