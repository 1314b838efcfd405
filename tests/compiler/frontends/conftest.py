"""Runs kernels, written as text, in the IR interpreter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from compiler.frontends.python import PLUGIN
from compiler.interpret.functions import Fault, interpret, memory_for
from compiler.ir.module import Module
from compiler.verify.ir import verify

HEADER = (
    "from compiler.kernel import kernel, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, boolean, "
    "sqrt, fma\n"
)
"""Stands before every kernel text, on a line of its own: its findings begin at line 2."""

_UNSIGNED = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}


@dataclass
class Run:
    """What a kernel did: its value (unsigned if its type is), its arrays, its fault."""

    value: int | float | None
    arrays: dict[str, np.ndarray]
    fault: Fault | None
    steps: int


def read(text: str) -> Module:
    """The verified module of a kernel file to which the imports are added."""
    module = PLUGIN.read(HEADER + text, "kernels.py")
    verify(module)
    return module


def run(text: str, *, entry: str | None = None, limit: int = 1_000_000, **arguments) -> Run:
    """Compile and interpret; array arguments are left as they are, the run's are returned."""
    module = read(text)
    function = module.functions[entry or module.entry]
    memory = memory_for(module, arguments)
    outcome = interpret(function, arguments, memory, limit=limit)
    assert outcome.status != "limit", "the kernel does not end"
    assert not outcome.unassigned, "the front end lets no unassigned variable be read"
    arrays = {
        name: memory.view(name, array.dtype).reshape(array.shape).copy()
        for name, array in arguments.items()
        if isinstance(array, np.ndarray)
    }
    value = outcome.value
    if value is not None and function.returns.dtype in _UNSIGNED:
        value &= (1 << _UNSIGNED[function.returns.dtype]) - 1
    return Run(value, arrays, outcome.fault, outcome.steps)


@pytest.fixture(name="run")
def run_fixture() -> Callable[..., Run]:
    return run


@pytest.fixture(name="read")
def read_fixture() -> Callable[[str], Module]:
    return read


@pytest.fixture(name="run_once", scope="session")
def run_once_fixture() -> Callable[..., Run]:
    """`run` for property tests, which call it many times in one test."""
    return run
