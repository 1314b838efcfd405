"""ldmatrix, stmatrix and movmatrix against transposes of numpy; what is wrong with their use."""

from __future__ import annotations

import numpy as np
import pytest

import compiler
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt.program import parameter_bytes
from sim.cores.returned import DONE, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.matrix_kernels import compiled, on_core, on_interpreter, placed

HEAD = """.version 8.4
.target {target}
.address_size 64
.visible .entry test(.param .u64 test_in, .param .u64 test_out) {{
.reg .b32 %r<40>; .reg .b64 %rd<8>; .reg .pred %p<2>;
.shared .align 16 .b8 buffer[512];
mov.u32 %r1, %tid.x;
ld.param.u64 %rd1, [test_in]; ld.param.u64 %rd2, [test_out];
mul.wide.u32 %rd3, %r1, 16; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
ld.global.v4.b32 {{%r2, %r3, %r4, %r5}}, [%rd4];
mov.u32 %r6, buffer; shl.b32 %r7, %r1, 4; add.s32 %r8, %r6, %r7;
"""


def kernel(body: str, target: str = "sm_90") -> str:
    return f"{HEAD.format(target=target)}{body}\nret;\n}}\n"


def listed(first: int, count: int) -> str:
    return ", ".join(f"%r{first + k}" for k in range(count))


def loaded(count: int, turned: str) -> str:
    """Lane k's four words become row k mod 8 of matrix k div 8."""
    stores = " ".join(f"st.global.b32 [%rd5+{4 * k}], %r{20 + k};" for k in range(count))
    return kernel(f"""
    st.shared.v4.b32 [%r8], {{%r2, %r3, %r4, %r5}};
    bar.sync 0;
    ldmatrix.sync.aligned.m8n8.x{count}{turned}.shared.b16 {{{listed(20, count)}}}, [%r8];
    {stores}""")


def stored(count: int, turned: str) -> str:
    return kernel(f"""
    st.shared.v4.b32 [%r8], {{0, 0, 0, 0}};
    bar.sync 0;
    stmatrix.sync.aligned.m8n8.x{count}{turned}.shared.b16 [%r8], {{{listed(2, count)}}};
    bar.sync 0;
    ld.shared.v4.b32 {{%r20, %r21, %r22, %r23}}, [%r8];
    st.global.v4.b32 [%rd5], {{%r20, %r21, %r22, %r23}};""")


WORDS = np.random.default_rng(7).integers(0, 1 << 32, (1, 32, 4), np.uint32)


def matrices(words: np.ndarray) -> np.ndarray:
    """Eight rows of four words each, as 8 × 8 elements."""
    return np.ascontiguousarray(words).view(np.uint16).reshape(-1, 8, 8)


def words_of(matrix: np.ndarray) -> np.ndarray:
    """A word of each lane: two elements of a row, four lanes a row."""
    return np.ascontiguousarray(matrix).view(np.uint32).reshape(32)


@pytest.mark.parametrize("turned", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_loads_and_stores(count, turned):
    in_memory = matrices(WORDS[0])[:count]
    wanted = np.zeros((1, 32, 4), np.uint32)
    for k, matrix in enumerate(in_memory):
        wanted[0, :, k] = words_of(matrix.T if turned else matrix)
    for run in (on_core, on_interpreter):
        assert np.array_equal(run(loaded(count, turned), WORDS, 4), wanted)
    in_registers = [matrices(WORDS[0, :, k].copy())[0] for k in range(count)]
    wanted = np.zeros((4, 8, 8), np.uint16)
    wanted[:count] = [matrix.T if turned else matrix for matrix in in_registers]
    for run in (on_core, on_interpreter):
        found = run(stored(count, turned), WORDS, 4)
        assert np.array_equal(found.reshape(32, 4), wanted.view(np.uint32).reshape(32, 4))


def test_a_matrix_is_turned_in_registers():
    source = kernel("movmatrix.sync.aligned.m8n8.trans.b16 %r20, %r2; st.global.b32 [%rd5], %r20;")
    wanted = words_of(matrices(WORDS[0, :, 0].copy())[0].T)
    for run in (on_core, on_interpreter):
        assert np.array_equal(run(source, WORDS, 4)[0, :, 0], wanted)


def core_fault(body: str) -> object:
    program = compiled(kernel(body), "h100")
    memory, grid = placed(program, WORDS, 4)
    core = SimtCore(program, load_machine("h100").description, memory)
    values = [memory.address("in"), memory.address("out")]
    core.start(0, "test", grid, parameter_bytes(program.kernels["test"].frame, values))
    assert core.advance(1 << 30) not in (DONE, QUANTUM)
    return core.fault


LOAD = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r20, %r21}, "


@pytest.mark.parametrize(
    ("body", "kind", "lane"),
    [
        (f"add.s32 %r9, %r8, 8; {LOAD}[%r9];", "misaligned", 0),
        (f"{LOAD}[%r8+400];", "out of bounds of shared memory", 7),
        (f"setp.lt.u32 %p1, %r1, 16; @%p1 {LOAD}[%r8];", "lanes missing", 0),
    ],
)
def test_faults(body, kind, lane):
    """Rows are of 16 bytes, aligned and in the block's memory; lanes that give no address may have
    any; all lanes have to be there."""
    fault = core_fault(f"{body} st.global.b32 [%rd5], %r20;")
    assert (fault.kind, fault.thread[0]) == (kind, lane)
    assert fault.location.line == 12


def test_lanes_without_an_address_may_have_any():
    body = f"""
    st.shared.v4.b32 [%r8], {{%r2, %r3, %r4, %r5}}; bar.sync 0;
    setp.lt.u32 %p1, %r1, 16; selp.b32 %r9, %r8, 99999, %p1;
    {LOAD}[%r9]; st.global.b32 [%rd5], %r21;"""
    wanted = words_of(matrices(WORDS[0])[1])
    for run in (on_core, on_interpreter):
        assert np.array_equal(run(kernel(body), WORDS, 4)[0, :, 0], wanted)


PRODUCT = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
FLOATS = ".reg .f32 %f<4>; mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; "
FLOATS += "mov.f32 %f3, %f0; "
OPERANDS = "{%f0, %f1, %f2, %f3}, {%r2, %r3, %r4, %r5}, {%r2, %r3}, {%f0, %f1, %f2, %f3}"


@pytest.mark.parametrize(
    ("body", "target", "machine", "message"),
    [
        (f"{PRODUCT} {OPERANDS};", "sm_75", "h100", "sm_80 is the first target with"),
        (f"{PRODUCT} {OPERANDS};", "sm_70", "v100", "which the machine does not describe"),
        (f"{PRODUCT} {OPERANDS};", "sm_80", "teaching_gpu", "which the machine does not describe"),
        (f"{PRODUCT.replace('k16', 'k32')} {OPERANDS};", "sm_90", "h100", "there is no 'mma.sync"),
        (f"{PRODUCT} {OPERANDS.replace('%r5', '%f1')};", "sm_90", "h100", "is a .f32 register"),
        (f"{PRODUCT} {OPERANDS.replace(', %f3', '')};", "sm_90", "h100", "takes 4 registers there"),
        (f"{PRODUCT} %f0, %f1, %f2, %f3;", "sm_90", "h100", "takes vectors"),
        (
            "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r8], {%r2};", "sm_80", "h100",
            "sm_90 is the first target with",
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r2, %r3, %r4}, [%r8];", "sm_90", "h100",
            "there is no 'ldmatrix.sync.aligned.m8n8.x3",
        ),
    ],
)  # fmt: skip
def test_what_is_refused(body, target, machine, message):
    text = kernel(f"{FLOATS}\n{body}", target)
    with pytest.raises(InputError) as caught:
        compiler.compile("test.ptx", source=text, machine=load_machine(machine))
    [found] = caught.value.diagnostics
    assert message in found.message
    assert found.location.line == 13
