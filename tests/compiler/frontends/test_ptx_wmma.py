"""wmma: fragments loaded from rows and columns of any stride, multiplied, and stored, against
numpy: the lines that nvcc writes for `nvcuda::wmma`."""

from __future__ import annotations

from itertools import product

import ml_dtypes
import numpy as np
import pytest

import compiler
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt.program import parameter_bytes
from machines.threads.grid import Grid
from sim.cores.returned import DONE, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.campaign.seeds import spread

SHAPES = {"m16n16k16": (16, 16, 16), "m8n32k16": (8, 32, 16), "m32n8k16": (32, 8, 16)}
TYPES = {  # numpy's of both factors, that of the sums, numpy's of it; registers of a, b, c by shape
    "f16": (np.float16, "f32", np.float32, dict.fromkeys(SHAPES, (8, 8, 8))),
    "f16 sums": (np.float16, "f16", np.float16, dict.fromkeys(SHAPES, (8, 8, 4))),
    "bf16": (
        ml_dtypes.bfloat16, "f32", np.float32,
        {"m16n16k16": (4, 4, 8), "m8n32k16": (2, 8, 8), "m32n8k16": (8, 2, 8)},
    ),
    "s8": (
        np.int8, "s32", np.int32,
        {"m16n16k16": (2, 2, 8), "m8n32k16": (1, 4, 8), "m32n8k16": (4, 1, 8)},
    ),
}  # fmt: skip
CASES = [*product(TYPES, SHAPES, ("row", "col"), ("row", "col"))]
CASES += [("f64", "m8n8k4", "col", "row"), ("tf32", "m16n16k8", "row", "col")]
OTHERS = {
    "f64": (np.float64, "f64", np.float64, {"m8n8k4": (1, 1, 2)}),
    "tf32": (np.float32, "f32", np.float32, {"m16n16k8": (4, 4, 8)}),
}
DIMENSIONS = {**SHAPES, "m8n8k4": (8, 8, 4), "m16n16k8": (16, 16, 8)}
REGISTERS = {"f32": "f32", "f16": "b32", "s32": "b32", "f64": "f64"}


def kernel(kind: str, shape: str, row_a: str, row_b: str, strides: tuple[int, ...]) -> str:
    """The sums are stored as they are read, by rows if B is."""
    _, sums, _, counts = (TYPES | OTHERS)[kind]
    name = kind.split()[0]
    of_a, of_b, of_c = counts[shape]
    lists = {
        letter: "{" + ", ".join(f"%{letter}{k}" for k in range(n)) + "}"
        for letter, n in (("a", of_a), ("b", of_b), ("c", of_c), ("d", of_c))
    }
    factor = "f64" if kind == "f64" else "b32"
    types = f"{sums}.{sums}" if name == "f16" else f"{sums}.{name}.{name}.{sums}"
    types += ".rn" if kind == "f64" else ""
    return f""".version 8.4
.target sm_80
.address_size 64
.visible .entry test(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {{
.reg .b64 %rd<5>; .reg .b32 %r<2>; .reg .{factor} %a<8>, %b<8>;
.reg .{REGISTERS[sums]} %c<8>, %d<8>;
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u64 %rd4, [d];
mov.u32 %r1, {strides[0]};
wmma.load.a.sync.aligned.{row_a}.{shape}.global.{name} {lists["a"]}, [%rd1], %r1;
wmma.load.b.sync.aligned.{row_b}.{shape}.global.{name} {lists["b"]}, [%rd2], {strides[1]};
wmma.load.c.sync.aligned.{row_b}.{shape}.{sums} {lists["c"]}, [%rd3], {strides[2]};
wmma.mma.sync.aligned.{row_a}.{row_b}.{shape}.{types}
    {lists["d"]}, {lists["a"]}, {lists["b"]}, {lists["c"]};
wmma.store.d.sync.aligned.{row_b}.{shape}.global.{sums} [%rd4], {lists["d"]}, {strides[2]};
ret;
}}
"""


def in_memory(matrix: np.ndarray, order: str, stride: int) -> np.ndarray:
    lines = matrix if order == "row" else matrix.T
    found = np.zeros((len(lines), stride), matrix.dtype)
    found[:, : lines.shape[1]] = lines
    return found.reshape(-1)


def bits(values: np.ndarray) -> np.ndarray:
    return values.view(f"u{values.dtype.itemsize}").copy()


@pytest.mark.parametrize("case", spread(CASES, 10))
def test_products(case):
    kind, shape, row_a, row_b = case
    factor, _, sums, _ = (TYPES | OTHERS)[kind]
    (m, n, k), random = DIMENSIONS[shape], np.random.default_rng(3)
    a, b, c = (random.integers(-4, 5, extents) for extents in ((m, k), (k, n), (m, n)))
    strides = (
        (k if row_a == "row" else m) + 16,
        (n if row_b == "row" else k) + 16,
        (n if row_b == "row" else m) + 16,
    )
    arrays = {
        "a": bits(in_memory(a.astype(factor), row_a, strides[0])),
        "b": bits(in_memory(b.astype(factor), row_b, strides[1])),
        "c": bits(in_memory(c.astype(sums), row_b, strides[2])),
    }
    arrays["d"] = np.zeros_like(arrays["c"])
    wanted = in_memory((a @ b + c).astype(sums), row_b, strides[2])
    machine, grid = load_machine("a100"), Grid((1, 1, 1), (32, 1, 1))
    source = kernel(kind, shape, row_a, row_b, strides)
    program = compiler.compile("test.ptx", source=source, machine=machine).program
    memory = memory_for(program, arrays)
    judged = memory.copy()
    core = SimtCore(program, machine.description, memory)
    values = [memory.address(name) for name in arrays]
    core.start(0, "test", grid, parameter_bytes(program.kernels["test"].frame, values))
    while (status := core.advance(1 << 30)) == QUANTUM:
        pass
    assert status == DONE, core.fault
    assert np.array_equal(memory.view("d", arrays["d"].dtype.str).view(sums), wanted)
    outcome = interpret(program, machine.description, judged, "test", grid, list(arrays))
    assert outcome.status == "done", outcome
    assert np.array_equal(judged.bytes, memory.bytes)


FOUR = "{%r0, %r1, %r2, %r3}"
EIGHT = "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"wmma.load.a.sync.aligned.row.m16n16k8.f16 {EIGHT}, [%rd0];", "there is no 'wmma.load"),
        (f"wmma.load.a.sync.aligned.row.m16n16k16.f16 {FOUR}, [%rd0];", "takes 8 registers there"),
        (f"wmma.load.d.sync.aligned.row.m16n16k16.f16 {FOUR}, [%rd0];", "there is no 'wmma.load.d"),
        ("wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r0}, [%rd0];", "there is no 'wmma.load.a"),
        (
            f"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32 {FOUR}, {EIGHT}, {EIGHT}, {FOUR};",
            "it has sums of two types",
        ),
        (
            f"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {FOUR}, {FOUR}, {EIGHT}, {FOUR};",
            "takes 8 registers there",
        ),
    ],
)
def test_what_is_refused(line, message):
    moves = " ".join(f"mov.b32 %r{k}, 0;" for k in range(8))
    text = f""".version 8.4
.target sm_80
.address_size 64
.visible .entry test() {{
.reg .b32 %r<8>; .reg .b64 %rd<1>;
mov.b64 %rd0, 0; {moves}
{line}
ret;
}}
"""
    with pytest.raises(InputError) as caught:
        compiler.compile("test.ptx", source=text, machine=load_machine("a100"))
    [found] = caught.value.diagnostics
    assert message in found.message and found.location.line == 7
