"""Runs kernels from PTX files and texts in the interpreter of ptx rows."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np

from compiler.frontends.ptx import PLUGIN
from compiler.ir.module import Function, Module
from compiler.targets.simt.emit import emit_program
from compiler.targets.simt.interpret import interpret, memory_for
from compiler.targets.simt.verify import verify
from machines.description.load import load_machine
from machines.threads.grid import Grid

FOLDER = Path(__file__).parent / "ptx"
HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n"
_WORDS = {"%p": 10, "%rs": 20, "%r": 40, "%rd": 20, "%f": 20, "%fd": 20}
_VALUELESS = " ".join(
    f"// implicit-def: {n}{k}" for n, count in _WORDS.items() for k in range(count)
)
REGISTERS = f"""
    .reg .pred %p<10>; .reg .b16 %rs<20>; .reg .b32 %r<40>; .reg .b64 %rd<20>;
    .reg .f32 %f<20>; .reg .f64 %fd<20>; {_VALUELESS}
"""
"""Declared, and said to have no value yet, so that a body may read what it does not write."""


def read(text: str, file: str = "test.ptx") -> Module:
    """The module of a text, every function of it verified."""
    module = PLUGIN.read(text, file)
    for function in module.functions.values():
        found = verify(function, "virtual", h200())
        assert not found, "\n".join(map(str, found))
    return module


@cache
def fixture(name: str) -> Module:
    """The module of a file that nvcc made."""
    path = FOLDER / f"{name}.ptx"
    return read(path.read_text(), str(path))


def kernel(body: str, above: str = "", parameters: str = ".param .u64 out") -> str:
    """The text of a kernel `k` with registers of every type; %rd0 is the address of `out`."""
    load = "ld.param.u64 %rd0, [out]; cvta.to.global.u64 %rd0, %rd0;"
    return f"{HEADER}{above}\n.visible .entry k({parameters}) {{{REGISTERS}{load}\n{body}\n}}\n"


def only(text: str) -> Function:
    """The function of a text that has one kernel."""
    [function] = read(text).functions.values()
    return function


def rows(text: str) -> list[str]:
    """Names of the rows of a text's only kernel, without those that fetch `out` and the end."""
    names = [i.operation.name for _, i in only(text).instructions()]
    return names[2:-1]


def run(
    module: Module,
    name: str,
    arguments: list,
    blocks: int = 1,
    threads: int = 1,
    dynamic: int = 0,
) -> list:
    """Run a kernel; the arrays among its arguments as it leaves them, in order."""
    function = module.functions[name]
    program = emit_program([function], module, h200())
    arrays = {f"a{k}": a for k, a in enumerate(arguments) if isinstance(a, np.ndarray)}
    memory = memory_for(program, arrays)
    given = [f"a{k}" if isinstance(a, np.ndarray) else a for k, a in enumerate(arguments)]
    grid = Grid((blocks, 1, 1), (threads, 1, 1), dynamic)
    outcome = interpret(program, h200(), memory, name, grid, given)
    assert outcome.status == "done", str(outcome)
    return [memory.view(key, array.dtype).reshape(array.shape) for key, array in arrays.items()]


def result(body: str, dtype: str = "u4", count: int = 1, above: str = "") -> list:
    """What one thread of a kernel stores at [%rd0]."""
    out = np.zeros(count, dtype)
    [out] = run(read(kernel(body, above)), "k", [out])
    return out.tolist()


@cache
def h200():
    return load_machine("h200").description


def opcodes(text: str) -> set[str]:
    """The first words of all instructions of a PTX text."""
    pattern = re.compile(r"^[\s{]*(?:@!?%p\d+\s+)?([a-z]\w*)(?=[.;])", re.MULTILINE)
    return set(pattern.findall(re.sub(r"//.*", "", text)))
