"""Kernels of one instruction on matrices: every warp loads its tile's registers, executes it, and
stores the results.

    source = kernel_of("mma.sync.aligned.…", {"d": ("f32", 4), "a": ("b32", 4), …})
    found = on_core(source, words, "h100")            # uint32[tiles, 32, words of results]

A tile's words stand lane by lane: of each lane those of the matrices that are read, in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

import compiler
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.kinds.simt.program import parameter_bytes
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE, QUANTUM
from sim.cores.simt.drive import SimtCore

LANES = 32
BYTES = {"b32": 4, "f32": 4, "b64": 8, "f64": 8}


def kernel_of(
    instruction: str, registers: Mapping[str, tuple[str, int]], target: str = "sm_90"
) -> str:
    """PTX of a kernel `test(in, out)`; `registers`: type and count of each operand, results
    first under 'd'."""
    size = {name: BYTES[kind] * count for name, (kind, count) in registers.items()}
    read = sum(size.values()) - size["d"]
    declared = [f".reg .{kind} %{name}<{n}>;" for name, (kind, n) in registers.items()]
    loads, offset = [], 0
    for name, (kind, count) in registers.items():
        for k in range(count if name != "d" else 0):
            loads.append(f"ld.global.{kind} %{name}{k}, [%rd4+{offset}];")
            offset += BYTES[kind]
    kind, count = registers["d"]
    stores = [f"st.global.{kind} [%rd5+{k * BYTES[kind]}], %d{k};" for k in range(count)]
    operands = (
        "{" + ", ".join(f"%{name}{k}" for k in range(count)) + "}"
        for name, (_, count) in registers.items()
    )
    lines = [
        ".version 8.4",
        f".target {target}",
        ".address_size 64",
        ".visible .entry test(.param .u64 test_in, .param .u64 test_out) {",
        ".reg .b32 %r<8>; .reg .b64 %rd<8>;",
        *declared,
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;",
        "mad.lo.s32 %r4, %r2, %r3, %r1;",
        "ld.param.u64 %rd1, [test_in]; ld.param.u64 %rd2, [test_out];",
        f"mul.wide.u32 %rd3, %r4, {read}; add.s64 %rd4, %rd1, %rd3;",
        f"mul.wide.u32 %rd3, %r4, {size['d']}; add.s64 %rd5, %rd2, %rd3;",
        *loads,
        f"{instruction} {', '.join(operands)};",
        *stores,
        "ret;",
        "}",
    ]
    return "\n".join(lines) + "\n"


@cache
def compiled(source: str, machine: str):
    """The program of a text on a machine."""
    return compiler.compile("test.ptx", machine=load_machine(machine), source=source).program


def placed(program, words: np.ndarray, results: int) -> tuple[Memory, Grid]:
    """Memory with the words of all tiles, and a grid with a warp for each."""
    tiles = len(words)
    start = {
        "in": np.ascontiguousarray(words, np.uint32).reshape(-1),
        "out": np.zeros(tiles * LANES * results, np.uint32),
    }
    return memory_for(program, start), Grid((tiles, 1, 1), (LANES, 1, 1))


def on_core(source: str, words: np.ndarray, results: int, machine: str = "h100") -> np.ndarray:
    """What the core leaves: uint32[tiles, lanes, results]."""
    program = compiled(source, machine)
    memory, grid = placed(program, words, results)
    core = SimtCore(program, load_machine(machine).description, memory)
    values = [memory.address("in"), memory.address("out")]
    core.start(0, "test", grid, parameter_bytes(program.kernels["test"].frame, values))
    while (status := core.advance(1 << 30)) == QUANTUM:
        pass
    assert status == DONE, (status, core.fault)
    return memory.view("out", "u4").reshape(-1, LANES, results).copy()


def on_interpreter(
    source: str, words: np.ndarray, results: int, machine: str = "h100"
) -> np.ndarray:
    """What the interpreter of threads leaves."""
    program = compiled(source, machine)
    memory, grid = placed(program, words, results)
    described = load_machine(machine).description
    outcome = interpret(program, described, memory, "test", grid, ["in", "out"])
    assert outcome.status == "done", outcome
    return memory.view("out", "u4").reshape(-1, LANES, results).copy()
